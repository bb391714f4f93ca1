//! What a person decided about a capture; everything else is learned.

use crate::{Budget, Entrance, MediaRules, ScopeRule, UrlRules};
use serde::{Deserialize, Serialize};
use std::fmt;
use tintype_learn::directory::Thresholds;
use tintype_vocab::{SiteId, Span, Time};

/// The settings of one capture of one site. Written at the head of its log, so that a capture can be resumed
/// and replayed with exactly these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub site: SiteId,
    pub seeds: Vec<String>,
    pub scope: ScopeRule,
    /// Name of a registered policy.
    pub policy: String,
    pub budget: Budget,
    /// Links followed away from a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_max: Option<u16>,
    /// More ways into the same site, each with seeds, scope and budget of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Entrance>,
    /// What is wanted besides pages that carry links.
    #[serde(default, skip_serializing_if = "MediaRules::is_empty")]
    pub media: MediaRules,
    /// What is wanted by the look of its URL.
    #[serde(default, skip_serializing_if = "UrlRules::is_empty")]
    pub urls: UrlRules,
    /// Hosts whose robots.txt forbids nothing, because a person answers for that. Its pauses and sitemaps count all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore_robots: Vec<String>,
    /// A fixed pause between requests; `None` lets the pause follow the server's response time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<Span>,
    /// Requests to one host that may be under way at once.
    pub connections: usize,
    /// The product token looked up in robots.txt.
    pub agent: String,
    pub run_seed: u64,
    /// Every page is visited a second time, to prove that nothing changed meanwhile.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revisit: bool,
    /// How long the run goes on asking.
    #[serde(default, skip_serializing_if = "Mode::is_once")]
    pub mode: Mode,
    /// What becomes of links that a site asks not to follow, and of pages that do something rather than show something.
    #[serde(default, skip_serializing_if = "NoFollow::is_default")]
    pub nofollow: NoFollow,
    /// Pages asked for before a capture ends, however many wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages_max: Option<u64>,
    /// The moment a capture is meant for: its middle is to fall on it. Without one it is where the capture's middle comes to lie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Time>,
    /// How many pages a person expects; nothing leaves that to what the last capture knew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages_expected: Option<u64>,
    /// The chance that a page changes between its two visits above which it is given up for proof; nothing leaves that to
    /// what is worth more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hopeless_above: Option<f64>,
    /// Changes that may be lost by what is skipped, of those there are; nothing leaves that to [`LOSS_SHARE`].
    ///
    /// [`LOSS_SHARE`]: tintype_learn::directory::LOSS_SHARE
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// By which rules WARM skips.
    #[serde(default, skip_serializing_if = "WarmTerms::is_default")]
    pub warm: WarmTerms,
    /// Which pages a browser builds before they are kept.
    #[serde(default, skip_serializing_if = "RenderMode::is_never")]
    pub render: RenderMode,
    /// With scope web: what may be spent on one registered domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain_budget: Option<Budget>,
}

/// What makes a rule of WARM, and where it is to hold; what is not said is as [`Thresholds`] has it.
///
/// [`Thresholds`]: tintype_learn::directory::Thresholds
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WarmTerms {
    /// A directory has changed if this share of it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degree_min: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency_min: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_min: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence_min: Option<f64>,
    /// The directory in which pages may be skipped, `/news`; nothing means the whole site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

impl WarmTerms {
    fn is_default(&self) -> bool {
        *self == WarmTerms::default()
    }

    /// All of them, with what holds where nothing was said.
    pub fn thresholds(&self) -> Thresholds {
        let usual = Thresholds::default();
        Thresholds {
            frequency_of_change_min: self.frequency_min.unwrap_or(usual.frequency_of_change_min),
            correlation_max: self.correlation_min.or(usual.correlation_max),
            confidence_min: self.confidence_min.unwrap_or(usual.confidence_min),
            ..usual
        }
    }
}

/// Which pages a browser builds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RenderMode {
    #[default]
    Never,
    /// Those that gain by it, as far as that is known of pages like them.
    Auto,
    Always,
}

impl RenderMode {
    fn is_never(&self) -> bool {
        *self == RenderMode::Never
    }
}

/// Links marked `nofollow`, and pages for logging in, editing, comparing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoFollow {
    /// They are not asked for.
    Obey,
    /// After everything else, and at most one for every two others.
    #[default]
    Last,
    /// Like all others.
    Ignore,
}

impl NoFollow {
    fn is_default(&self) -> bool {
        *self == NoFollow::default()
    }
}

/// One picture of a site, or a film of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Every page is visited once, then the run is over.
    #[default]
    Once,
    /// A visited page may be visited again, for ever; one visit per `every` at the most, whatever politeness would allow.
    Continual { every: Span },
    /// The same at the pace of a [`Keeper`](crate::Keeper). What a page that went is replaced by is found out by asking for
    /// it again now and then.
    Kept,
}

impl Mode {
    fn is_once(&self) -> bool {
        *self == Mode::Once
    }
}

impl Settings {
    /// Polite defaults for one site.
    pub fn new(site: SiteId, seeds: Vec<String>) -> Settings {
        Settings {
            site,
            seeds,
            scope: ScopeRule::Host,
            policy: crate::policy::DEFAULT.to_owned(),
            budget: Budget::default(),
            depth_max: None,
            more: Vec::new(),
            media: MediaRules::default(),
            urls: UrlRules::default(),
            ignore_robots: Vec::new(),
            delay: None,
            connections: 1,
            agent: "tintype".to_owned(),
            run_seed: 0,
            revisit: false,
            mode: Mode::Once,
            nofollow: NoFollow::default(),
            pages_max: None,
            as_of: None,
            pages_expected: None,
            hopeless_above: None,
            loss: None,
            warm: WarmTerms::default(),
            render: RenderMode::Never,
            domain_budget: None,
        }
    }
}

impl Settings {
    /// Whether it goes wherever links lead.
    pub fn goes_anywhere(&self) -> bool {
        self.scope == ScopeRule::Web || self.more.iter().any(|more| more.scope == ScopeRule::Web)
    }

    /// The seeds of all entrances.
    pub fn all_seeds(&self) -> impl Iterator<Item = &String> {
        self.seeds.iter().chain(self.more.iter().flat_map(|more| &more.seeds))
    }
}

/// Settings that cannot be scheduled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeedError {
    NoSeeds,
    NotHttp {
        url: String,
    },
    Malformed {
        url: String,
        why: String,
    },
    UnknownPolicy {
        name: String,
    },
    BadScope {
        scope: String,
    },
    /// What goes wherever links lead knows two orders, and asks for every page once.
    NotAcrossHosts {
        policy: String,
    },
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeedError::NoSeeds => f.write_str("no URL to start from"),
            SeedError::NotHttp { url } => write!(f, "{url} is not an http or https URL"),
            SeedError::Malformed { url, why } => write!(f, "{url} is not a URL: {why}"),
            SeedError::UnknownPolicy { name } => {
                write!(
                    f,
                    "no policy is called {name}; there are {}",
                    crate::policy::names().collect::<Vec<_>>().join(", ")
                )
            }
            SeedError::NotAcrossHosts { policy } => {
                write!(f, "scope web asks in the order of focused or breadth-first, once, and not by {policy}")
            }
            SeedError::BadScope { scope } => {
                write!(
                    f,
                    "{scope} is not a scope: use page, prefix, host, domain, web or a SURT prefix such as com,example)/news"
                )
            }
        }
    }
}

impl std::error::Error for SeedError {}
