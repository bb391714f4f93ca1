//! The HTTP client: asks for one page and hands back the bytes as they crossed the wire, with an outcome.
//!
//! It follows no redirects, retries nothing but a connection that had gone stale, and knows no politeness beyond the
//! number of connections per host: who drives it decides. Nothing the web does is an error here; see [`Answer`].
//! Read [`Client::fetch`] first, then `converse` (one exchange), `connect` (how a server is reached), `salvage` (what
//! happens to answers that are not quite HTTP).

mod address;
mod ask;
mod body;
mod chunked;
mod connect;
mod connection;
mod converse;
mod cookies;
mod credentials;
mod dial;
mod fetch_error;
mod head;
mod http2;
mod pool;
mod proxy;
mod record;
mod request;
mod resolve;
mod salvage;
mod settings;
mod target;
mod tls;
mod transport;
mod verdict;
mod watch;

pub use ask::{Answer, Ask};
pub use cookies::Jar;
pub use credentials::{Credentials, CredentialsError};
pub(crate) use dial::{dial, start_tls};
pub use proxy::{ParseProxyError, Proxy};
pub use settings::{ClientError, ClientSettings};

pub(crate) use transport::Transport;

use crate::clock;
use connect::{ConnectError, Connector};
use connection::Connection;
use converse::{Conversation, Reply};
use fetch_error::FetchError;
use pool::Pool;
use request::RequestHeaders;
use std::sync::Arc;
use target::Target;
use tintype_archive::{Exchange, PublicHosts};
use tintype_vocab::{Phase, Time};
use watch::Watch;

/// Asks servers. Clones share connections, names and memory of who speaks what.
#[derive(Clone, Debug)]
pub struct Client {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: Arc<ClientSettings>,
    request_headers: RequestHeaders,
    connector: Connector,
    pool: Pool,
}

impl Client {
    pub fn new(settings: ClientSettings) -> Result<Client, ClientError> {
        let settings = Arc::new(settings);
        let shared = Shared {
            request_headers: RequestHeaders::new(&settings)?,
            connector: Connector::new(settings.clone())?,
            pool: Pool::new(settings.connections_per_host),
            settings,
        };
        Ok(Client { shared: Arc::new(shared) })
    }

    /// Whether names are resolved here, not by a proxy.
    pub fn resolves_names(&self) -> bool {
        self.shared.settings.proxy.is_none()
    }

    /// Names that a person gave and that are public stay so from run to run.
    pub fn keep_public(&self, hosts: PublicHosts) {
        self.shared.connector.keep_public(hosts);
    }

    /// The addresses a host's name leads to; none if that cannot be found out in time, which who asks the host will
    /// learn as well.
    pub async fn addresses(&self, host: &str) -> Vec<String> {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let found =
            tokio::time::timeout(self.shared.settings.connect_timeout, self.shared.connector.lookup(name)).await;
        let found = found.ok().and_then(Result::ok).unwrap_or_default();
        found.iter().map(ToString::to_string).collect()
    }

    /// Asks once and always answers, within the time-outs of the settings. Waits first for its turn at the host.
    pub async fn fetch(&self, ask: Ask) -> Answer {
        let target = match Target::parse(&ask.url, ask.private_allowed) {
            Ok(mut target) => {
                target.origin.private_allowed |= self.shared.settings.allows_private(&target.origin.host);
                target
            }
            Err(fetch_error) => {
                let now = clock::now();
                return Answer::failed(now, now, fetch_error);
            }
        };
        let _turn = self.shared.pool.turn(&target.origin).await;
        let asked = clock::now();
        let result = self.shared.exchange(&target, &ask).await;
        let answered = clock::now();
        match result {
            Ok(reply) => judge(&target, &ask, reply, asked, answered),
            Err(fetch_error) => Answer::failed(asked, answered, fetch_error),
        }
    }
}

/// Reads the outcome off the head, and takes in its cookies.
fn judge(target: &Target, ask: &Ask, reply: Reply, asked: Time, answered: Time) -> Answer {
    let Reply { exchange, note } = reply;
    let outcome = verdict::outcome(&exchange.response_head, &target.url, asked, !ask.validators.is_empty());
    if let Some(jar) = &ask.jar {
        for cookie in head::values(&exchange.response_head, "set-cookie") {
            jar.receive(&target.url, cookie, asked);
        }
    }
    Answer { outcome, exchange: Some(exchange), asked, answered, note }
}

impl Shared {
    /// Over a kept connection if there is one, over a new one if there is none or it had gone stale.
    async fn exchange(&self, target: &Target, ask: &Ask) -> Result<Reply, FetchError> {
        let mut watch = Watch::start(self.settings.connect_timeout);
        if let Some(mut kept) = self.pool.take(&target.origin)
            && kept.is_reusable().await
            && let Some(result) = self.converse(kept, target, ask, &mut watch).await
        {
            return result;
        }
        watch.phase(self.settings.connect_timeout);
        let fresh = self.open(target, &mut watch).await?;
        let over_http1 = !fresh.is_http2();
        let reply = self.converse(fresh, target, ask, &mut watch).await.expect("a fresh connection is not stale")?;
        if !(over_http1 && target.origin.https && insists_on_http2(&reply.exchange)) {
            return Ok(reply);
        }
        self.pool.remember_http2(&target.origin);
        watch.phase(self.settings.connect_timeout);
        match self.open(target, &mut watch).await {
            Ok(fresh) if fresh.is_http2() => {
                self.converse(fresh, target, ask, &mut watch).await.expect("a fresh connection is not stale")
            }
            _ => Ok(reply),
        }
    }

    async fn open(&self, target: &Target, watch: &mut Watch) -> Result<Connection, FetchError> {
        match watch.guard(self.open_unhurried(target)).await {
            Ok(result) => result,
            Err(_) => Err(FetchError::timeout(Phase::Connect)),
        }
    }

    async fn open_unhurried(&self, target: &Target) -> Result<Connection, FetchError> {
        let offer_http2 = self.settings.http2 || self.pool.insists_on_http2(&target.origin);
        let connected = match self.connector.connect(&target.origin, offer_http2).await {
            Err(ConnectError::InsistsOnHttp2) => {
                self.pool.remember_http2(&target.origin);
                self.connector.connect(&target.origin, true).await
            }
            other => other,
        };
        match connected {
            Ok(connected) => Connection::open(connected, self.settings.head_bytes_max).await,
            Err(ConnectError::FetchError(fetch_error)) => Err(fetch_error),
            Err(ConnectError::InsistsOnHttp2) => unreachable!("HTTP/2 was offered"),
        }
    }

    /// Nothing if the connection turned out to be stale. A connection that can serve again is kept.
    async fn converse(
        &self,
        connection: Connection,
        target: &Target,
        ask: &Ask,
        watch: &mut Watch,
    ) -> Option<Result<Reply, FetchError>> {
        let conversation =
            Conversation { settings: &self.settings, request_headers: &self.request_headers, target, ask, watch };
        let (result, connection) = conversation.hold(connection).await?;
        if let Some(connection) = connection {
            self.pool.keep(&target.origin, connection);
        }
        Some(result)
    }
}

/// 505, or 426 that names h2: the server will not serve this over HTTP/1.1.
fn insists_on_http2(exchange: &Exchange) -> bool {
    let head = &exchange.response_head;
    match head::status(head) {
        Some(505) => true,
        Some(426) => head::values(head, "upgrade").any(|value| value.to_ascii_lowercase().starts_with(b"h2")),
        _ => false,
    }
}
