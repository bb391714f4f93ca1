//! What a client is told once, when it is made.

use super::credentials::Credentials;
use super::proxy::Proxy;
use std::{path::PathBuf, time::Duration};
use url::Host;

/// Everything is a limit, a name, or a way out. [`ClientSettings::new`] has the values a polite archive wants.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    pub user_agent: String,
    /// Where bodies too large for memory wait to be archived.
    pub spool_directory: PathBuf,
    /// Name resolution, TCP, proxy and TLS together.
    pub connect_timeout: Duration,
    /// From the request to the end of the answer's head, so that a dripped head ends too.
    pub first_byte_timeout: Duration,
    /// The whole body, however steadily it comes.
    pub body_timeout: Duration,
    /// The longest silence inside a body.
    pub idle_timeout: Duration,
    /// A body that brings fewer bytes a second than this, over [`ClientSettings::slow_after`], is cut: who waits for it
    /// keeps the whole site waiting.
    pub body_rate_min: u64,
    pub slow_after: Duration,
    /// Longer bodies are cut here and marked truncated.
    pub body_bytes_max: u64,
    /// All heads of one answer, interim ones included.
    pub head_bytes_max: usize,
    pub connections_per_host: usize,
    pub proxy: Option<Proxy>,
    /// Offer HTTP/2 from the start, not only to servers that insist on it.
    pub http2: bool,
    /// Archive what a server with a bad certificate shows, and note what was wrong with it.
    pub accept_invalid_certificates: bool,
    /// Certificates (DER) of authorities to trust beside the built-in and the system's ones.
    pub trusted_roots: Vec<Vec<u8>>,
    /// What is said to named servers only.
    pub credentials: Credentials,
    /// Hosts that may lie in private space, whoever links to them.
    pub private_hosts: Vec<String>,
}

impl ClientSettings {
    pub fn new(user_agent: impl Into<String>, spool_directory: impl Into<PathBuf>) -> ClientSettings {
        ClientSettings {
            user_agent: user_agent.into(),
            spool_directory: spool_directory.into(),
            connect_timeout: Duration::from_secs(20),
            first_byte_timeout: Duration::from_secs(60),
            body_timeout: Duration::from_secs(20 * 60),
            idle_timeout: Duration::from_secs(60),
            body_rate_min: 200,
            slow_after: Duration::from_secs(30),
            body_bytes_max: 1 << 30,
            head_bytes_max: 256 << 10,
            connections_per_host: 1,
            proxy: None,
            http2: false,
            accept_invalid_certificates: false,
            trusted_roots: Vec::new(),
            credentials: Credentials::default(),
            private_hosts: Vec::new(),
        }
    }

    pub(super) fn allows_private(&self, host: &Host<String>) -> bool {
        let host = host.to_string();
        self.private_hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(&host))
    }
}

/// ClientSettings no client can be made from.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("the user agent {0:?} cannot be sent in a header: use printable ASCII on one line")]
    UserAgent(String),
    #[error("a trusted root certificate does not parse: {0}")]
    Root(String),
}
