//! How servers are spoken to.

use crate::{amount::parse_bytes, failure::usage};
use clap::Args;
use tintype_live::{ClientSettings, Proxy};

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
    /// A page or address where the site's owner can reach you; sent with every request
    #[arg(long, default_value = "https://tintype.invalid/crawler", value_name = "URL")]
    contact: String,
}

impl Network {
    pub(crate) fn user_agent(&self) -> String {
        format!("Mozilla/5.0 (compatible; tintype/{}; +{})", env!("CARGO_PKG_VERSION"), self.contact)
    }

    pub(crate) fn client_settings(&self, connections: usize) -> anyhow::Result<ClientSettings> {
        let see = |problem: String| usage(problem, "see tintype capture --help");
        let mut settings = ClientSettings::new(self.user_agent(), "");
        settings.body_bytes_max = parse_bytes(&self.body_limit).map_err(see)?;
        settings.connections_per_host = connections.clamp(1, 256);
        settings.http2 = self.http2;
        settings.accept_invalid_certificates = self.accept_invalid_certificates;
        settings.proxy = match &self.proxy {
            None => None,
            Some(text) => Some(text.parse::<Proxy>().map_err(|error| see(error.to_string()))?),
        };
        Ok(settings)
    }
}
