//! How servers are spoken to.

use super::Access;
use crate::{
    amount::parse_bytes, config::Config, contact, failure::usage, settings::KnownSetting, sites::is_own_machine,
};
use clap::Args;
use std::path::Path;
use tintype_live::{ClientSettings, Proxy};

const CONTACT: &str = "https://tintype.invalid/crawler";

/// What all commands that ask servers take.
#[derive(Debug, Args)]
pub(crate) struct Network {
    /// Longer bodies are cut here and marked truncated
    #[arg(long, default_value = "1GB", value_name = "BYTES")]
    body_limit: String,
    /// http://host:port or socks5://host:port
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// Offer HTTP/2 from the start, not only where a server insists on it
    #[arg(long)]
    http2: bool,
    /// Archive sites whose certificate is invalid, and note what was wrong with it
    #[arg(long)]
    accept_invalid_certificates: bool,
    /// A host that may lie in private space, wherever links to it stand; may be given several times. Where you start may
    /// unless its name was public once
    #[arg(long = "allow-private", value_name = "HOST")]
    allow_private: Vec<String>,
    /// A page or address where the site's owner can reach you; sent with every request. Asked for once on a terminal, and
    /// kept as contact in tintype.toml
    #[arg(long, value_name = "URL", value_parser = contact_of)]
    contact: Option<String>,
    /// What to send as User-Agent instead of tintype's own, which names the contact; user-agent in tintype.toml. robots.txt
    /// is obeyed as tintype all the same
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,
    #[command(flatten)]
    access: Access,
}

fn contact_of(text: &str) -> Result<String, String> {
    let problem = || "write a page or a mail address, without spaces, brackets or semicolons".to_owned();
    contact::is_contact(text).then(|| text.to_owned()).ok_or_else(problem)
}

/// How a run speaks to servers, and who said so.
pub(crate) struct Speech {
    pub(crate) settings: ClientSettings,
    pub(crate) told: Vec<KnownSetting>,
    /// What was typed or answered, to be kept in the file.
    kept: Vec<(&'static str, String)>,
}

impl Speech {
    /// Writes down what is to hold for all runs.
    pub(crate) fn remember(&self, collection: &Path) -> anyhow::Result<()> {
        self.kept.iter().try_for_each(|(key, value)| Config::set(collection, key, value))
    }
}

impl Network {
    /// To the servers of these URLs; `named` says that a person named them in this command.
    pub(crate) fn speech(
        &self,
        config: &Config,
        urls: &[String],
        (named, save): (bool, bool),
        connections: usize,
    ) -> anyhow::Result<Speech> {
        let asks = self.contact.is_none() && config.contact.is_none() && !urls.iter().all(|url| is_own_machine(url));
        let answered = asks.then(contact::ask_person).flatten();
        let typed = self.contact.as_ref().or(answered.as_ref());
        let contact = typed.or(config.contact.as_ref()).map_or(CONTACT, String::as_str);
        let own = format!("Mozilla/5.0 (compatible; tintype/{}; +{contact})", env!("CARGO_PKG_VERSION"));
        let user_agent = self.user_agent.as_ref().or(config.user_agent.as_ref()).unwrap_or(&own);
        let mut settings = self.client_settings(user_agent, connections)?;
        settings.credentials = self.access.credentials(urls, named)?;
        let text = |text: &'_ Option<String>| text.clone();
        let to_keep = [("contact", text(&self.contact)), ("user-agent", text(&self.user_agent))];
        let kept = to_keep.into_iter().filter_map(|(key, value)| Some((key, value.filter(|_| save)?)));
        let kept = kept.chain(answered.iter().map(|answer| ("contact", answer.clone()))).collect();
        let mut told = vec![
            KnownSetting::of("contact", typed.map(String::as_str), config.contact.as_deref(), CONTACT),
            KnownSetting::of("user-agent", self.user_agent.as_deref(), config.user_agent.as_deref(), &own),
            KnownSetting::of("body-limit", Some(self.body_limit.as_str()).filter(|limit| *limit != "1GB"), None, "1GB"),
            KnownSetting::of("proxy", self.proxy.as_ref().map(|_| "yes"), None, "none"),
            KnownSetting::of("http2", self.http2.then_some("true"), None, "false"),
        ];
        let any = self.accept_invalid_certificates.then_some("accepted");
        told.push(KnownSetting::of("invalid-certificates", any, None, "refused"));
        told.extend(self.access.told());
        Ok(Speech { settings, told, kept })
    }

    fn client_settings(&self, user_agent: &str, connections: usize) -> anyhow::Result<ClientSettings> {
        let see = |problem: String| usage(problem, "see tintype capture --help");
        let mut settings = ClientSettings::new(user_agent, "");
        settings.body_bytes_max = parse_bytes(&self.body_limit).map_err(see)?;
        settings.connections_per_host = connections.clamp(1, 256);
        settings.http2 = self.http2;
        settings.private_hosts.clone_from(&self.allow_private);
        settings.accept_invalid_certificates = self.accept_invalid_certificates;
        settings.proxy = match &self.proxy {
            None => None,
            Some(text) => Some(text.parse::<Proxy>().map_err(|error| see(error.to_string()))?),
        };
        Ok(settings)
    }
}
