//! Who is told of what: the `[[notify]]` and `[mail]` sections of `tintype.toml`.

use crate::failure::usage;
use regex::Regex;
use serde::{Deserialize, Serialize};
use tintype_live::deliver::{Channel, MailServer};
use tintype_session::feed::{DigestPeriod, NotifyRule, PageEventKind};

/// One word or several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(crate) fn all(&self) -> &[String] {
        match self {
            OneOrMany::One(one) => std::slice::from_ref(one),
            OneOrMany::Many(many) => many,
        }
    }
}

/// One rule as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NotifyConfig {
    /// What was told by it is remembered under this name; by default where it goes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub(crate) terms: Option<OneOrMany>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<OneOrMany>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) site: Option<String>,
    #[serde(default, rename = "min-importance", skip_serializing_if = "Option::is_none")]
    pub(crate) min_importance: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) webhook: Option<String>,
    /// Signs what is posted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mail: Option<OneOrMany>,
    /// immediate, hourly, daily or weekly; immediate if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
}

/// The program that mail is given to where nothing else is said.
const SENDMAIL: &str = "/usr/sbin/sendmail";
/// Where a person names another one.
const SENDMAIL_VARIABLE: &str = "TINTYPE_SENDMAIL";

/// How mail gets out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MailConfig {
    /// `smtp://HOST:PORT` or `smtps://USER:PASSWORD@HOST`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) smtp: Option<String>,
    /// A program instead; /usr/sbin/sendmail if neither is named. Any other has to be named in the environment, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sendmail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
}

impl NotifyConfig {
    /// What it means, or what is wrong with it.
    pub(crate) fn rule(&self, mail: &MailConfig) -> anyhow::Result<(NotifyRule, Channel)> {
        let wrong =
            |problem: String| usage(format!("a [[notify]] rule of tintype.toml: {problem}"), "see docs/changes.md");
        let channel = self.channel(mail).map_err(wrong)?;
        let kinds = self
            .kind
            .iter()
            .flat_map(OneOrMany::all)
            .map(|kind| kind.parse())
            .collect::<Result<Vec<PageEventKind>, _>>();
        let digest = self.digest.as_deref().map_or(Ok(DigestPeriod::Immediate), DigestPeriod::parse);
        let rule = NotifyRule {
            name: self.called(),
            terms: terms(self.terms.iter().flat_map(OneOrMany::all)).map_err(wrong)?,
            kinds: kinds.map_err(wrong)?,
            site: self.site.clone(),
            min_importance: self.min_importance.unwrap_or_default(),
            digest: digest.map_err(wrong)?,
        };
        Ok((rule, channel))
    }

    /// The name under which it is remembered what was told.
    pub(crate) fn called(&self) -> String {
        let to = || self.mail.iter().flat_map(OneOrMany::all).cloned().collect::<Vec<_>>().join("+");
        self.name.clone().or_else(|| self.webhook.clone()).unwrap_or_else(to)
    }

    fn channel(&self, mail: &MailConfig) -> Result<Channel, String> {
        match (&self.webhook, &self.mail) {
            (Some(url), None) => {
                let url = url::Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
                let url = url.ok_or("webhook is no http or https address")?;
                Ok(Channel::Webhook { url, secret: self.secret.clone() })
            }
            (None, Some(to)) => {
                let from = mail.from.clone().ok_or("mail needs a sender: [mail] from = \"tintype@example.org\"")?;
                Ok(Channel::Mail { server: mail.server()?, from, to: to.all().to_vec() })
            }
            (Some(_), Some(_)) => Err("it names a webhook and mail; write two rules".to_owned()),
            (None, None) => Err("it names neither webhook nor mail".to_owned()),
        }
    }
}

impl MailConfig {
    pub(super) fn is_default(&self) -> bool {
        *self == MailConfig::default()
    }

    fn server(&self) -> Result<MailServer, String> {
        match (&self.smtp, &self.sendmail) {
            (Some(smtp), None) => {
                let url =
                    url::Url::parse(smtp).ok().filter(|url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host());
                Ok(MailServer::Smtp(url.ok_or("[mail] smtp is no smtp:// or smtps:// address")?))
            }
            (Some(_), Some(_)) => Err("[mail] names smtp and sendmail; one of them is enough".to_owned()),
            (None, program) => allowed(program.as_deref().unwrap_or(SENDMAIL)).map(MailServer::Sendmail),
        }
    }
}

/// A collection may come from a stranger, and its file must not run what the stranger likes: another program than the usual
/// one is named outside of it as well.
fn allowed(program: &str) -> Result<String, String> {
    let named = std::env::var(SENDMAIL_VARIABLE).unwrap_or_default();
    match program == SENDMAIL || program == named {
        true => Ok(program.to_owned()),
        false => Err(format!(
            "[mail] names the program {program} to be run; if that is yours, say so where the file cannot: \
             {SENDMAIL_VARIABLE}={program} in the environment"
        )),
    }
}

/// Regular expressions as people type them: capitals do not matter.
pub(crate) fn terms<'t>(terms: impl Iterator<Item = &'t String>) -> Result<Vec<Regex>, String> {
    let one = |term: &String| {
        let built = regex::RegexBuilder::new(term).case_insensitive(true).multi_line(true).size_limit(1 << 20).build();
        built.map_err(|error| format!("{term} is no regular expression: {error}"))
    };
    terms.map(one).collect()
}
