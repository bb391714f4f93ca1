//! Opens sites of a collection: with what it knows across sites, and the lists that tell advertisements.

use crate::out::mention;
use crate::{ads, command::Wanted, failure::usage};
use std::sync::Arc;
use tintype_archive::{Capture, Collection};
use tintype_live::{Client, ClientSettings, clock};
use tintype_observe::ads::Advertisements;
use tintype_session::{CollectionKnowledge, Opened, Session, SiteSpec};

/// The field of a capture's head that says what all that is kept may spend.
pub(crate) const BUDGET_FIELD: &str = "tintype-budget";
/// What it says where nothing is counted.
pub(crate) const NO_BUDGET: &str = "none";

/// What all sites of a run begin with.
pub(crate) struct Opener<'a> {
    collection: &'a Collection,
    user_agent: String,
    advertisements: Arc<Advertisements>,
    shared: CollectionKnowledge,
    /// What all that is kept may spend, for who asks later.
    pub(crate) budget: Option<String>,
}

impl<'a> Opener<'a> {
    /// What is behind URLs is only read where it is chosen by: it is large.
    pub(crate) fn new(collection: &'a Collection, user_agent: &str, by_media: bool) -> anyhow::Result<Opener<'a>> {
        let advertisements = Arc::new(ads::read(collection.path())?);
        let mut warnings = Vec::new();
        let shared = CollectionKnowledge::of(collection, by_media, &mut warnings)?;
        warnings.iter().for_each(|warning| mention!("warning: {warning}"));
        Ok(Opener { collection, user_agent: user_agent.to_owned(), advertisements, shared, budget: None })
    }

    pub(crate) fn collection(&self) -> &'a Collection {
        self.collection
    }

    /// Who asks, for all sites.
    pub(crate) fn client(&self, settings: &ClientSettings) -> anyhow::Result<Client> {
        let spool_directory = self.collection.spool_directory();
        Ok(Client::new(ClientSettings { spool_directory, ..settings.clone() })?)
    }

    /// Goes on with the capture of a site that was cut short, unless it is to begin anew; or begins one.
    pub(crate) fn open(&self, site: &Wanted, fresh: bool) -> anyhow::Result<(Session, Capture)> {
        if let Some(shortage) = self.collection.shortage()? {
            return Err(tintype_archive::Error::NoRoom(shortage).into());
        }
        let spec = self.spec(site, fresh);
        let opened = Session::open(self.collection, &spec, &self.shared, clock::now());
        let Opened { session, mut capture, warnings } = opened.map_err(explain)?;
        warnings.iter().for_each(|warning| mention!("warning: {warning}"));
        capture.tell_advertisements(&self.advertisements);
        Ok((session, capture))
    }

    fn spec(&self, site: &Wanted, fresh: bool) -> SiteSpec {
        let describe = [
            ("software", format!("tintype/{}", env!("CARGO_PKG_VERSION"))),
            ("http-header-user-agent", self.user_agent.clone()),
            ("robots", robots(&site.settings.ignore_robots)),
        ];
        let budget = self.budget.clone().map(|budget| (BUDGET_FIELD, budget));
        SiteSpec {
            name: site.name.clone(),
            kind: site.kind,
            settings: site.settings.clone(),
            lesser: site.config().lesser(),
            describe: describe.into_iter().chain(budget).map(|(name, value)| (name.to_owned(), value)).collect(),
            fresh,
        }
    }

    /// First guesses are learned again at the end of a run, so that none has to wait for it.
    pub(crate) fn relearn(&self) {
        if let Err(error) = CollectionKnowledge::relearn(self.collection) {
            mention!("warning: first guesses could not be learned anew: {error}");
        }
    }
}

/// What is done about robots.txt, for who reads the archive.
fn robots(ignored: &[String]) -> String {
    match ignored.is_empty() {
        true => "obey".to_owned(),
        false => format!("obey; ignored as asked for {}", ignored.join(", ")),
    }
}

/// What to do about a session that cannot be opened.
fn explain(error: tintype_session::Error) -> anyhow::Error {
    match error {
        tintype_session::Error::Settings(error) => usage(error, "see tintype capture --help"),
        error @ tintype_session::Error::OtherVersion(_) => usage(error, "begin anew with --fresh"),
        error => error.into(),
    }
}
