//! From a host to an open stream: resolve, vet, connect, tunnel, TLS.

use super::{
    address::is_public,
    fetch_error::FetchError,
    proxy::ProxyKind,
    resolve::Names,
    settings::{ClientError, ClientSettings},
    target::Origin,
    tls::{Handshake, Tls, TlsError},
    transport::Transport,
};
use std::{
    collections::HashSet,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};
use tintype_vocab::Failure;
use tokio::{net::TcpStream, time::timeout};
use url::Host;

/// A name with more addresses than this is not tried to the end.
const ADDRESSES_MAX: usize = 6;

/// Opens streams.
#[derive(Debug)]
pub(super) struct Connector {
    settings: Arc<ClientSettings>,
    names: Names,
    /// Names a person gave that were found in public space: no name server can move them into private space later.
    found_public: Mutex<HashSet<String>>,
    /// Made when the first TLS connection is: loading the system's roots takes a while.
    tls: OnceLock<Tls>,
}

/// An open stream and what is known of it.
#[derive(Debug)]
pub(super) struct Connected {
    pub(super) transport: Transport,
    pub(super) facts: Facts,
}

/// What the archive keeps of a connection.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// Who is at the other end; unknown through a proxy.
    pub(super) peer: Option<IpAddr>,
    pub(super) handshake: Option<Handshake>,
}

/// Why no stream was opened.
#[derive(Debug)]
pub(super) enum ConnectError {
    /// The server speaks only HTTP/2, which was not offered.
    InsistsOnHttp2,
    FetchError(FetchError),
}

impl From<FetchError> for ConnectError {
    fn from(fetch_error: FetchError) -> ConnectError {
        ConnectError::FetchError(fetch_error)
    }
}

impl Connector {
    pub(super) fn new(settings: Arc<ClientSettings>) -> Result<Connector, ClientError> {
        let connector =
            Connector { settings, names: Names::default(), found_public: Mutex::default(), tls: OnceLock::new() };
        if !connector.settings.trusted_roots.is_empty() {
            connector.tls()?;
        }
        Ok(connector)
    }

    fn tls(&self) -> Result<&Tls, ClientError> {
        if self.tls.get().is_none() {
            let tls = Tls::new(&self.settings)?;
            return Ok(self.tls.get_or_init(|| tls));
        }
        Ok(self.tls.get().expect("just looked"))
    }

    pub(super) async fn connect(&self, origin: &Origin, offer_http2: bool) -> Result<Connected, ConnectError> {
        let (tcp, peer) = self.reach(origin).await?;
        if !origin.https {
            return Ok(Connected { transport: Transport::Plain(tcp), facts: Facts { peer, handshake: None } });
        }
        let tls = self.tls().map_err(|error| FetchError::new(Failure::Tls, error))?;
        match tls.connect(tcp, &origin.name_for_tls(), offer_http2).await {
            Ok((transport, handshake)) => {
                Ok(Connected { transport, facts: Facts { peer, handshake: Some(handshake) } })
            }
            Err(TlsError::WantsOtherProtocol) if !offer_http2 => Err(ConnectError::InsistsOnHttp2),
            Err(TlsError::WantsOtherProtocol) => {
                Err(FetchError::new(Failure::Tls, "the server speaks neither HTTP/1.1 nor HTTP/2").into())
            }
            Err(TlsError::Other(fetch_error)) => Err(fetch_error.into()),
        }
    }

    /// A TCP stream on which the origin's server can be talked to.
    async fn reach(&self, origin: &Origin) -> Result<(TcpStream, Option<IpAddr>), FetchError> {
        let literal = origin.literal_address();
        if literal.is_some_and(|address| !origin.private_allowed && !is_public(address)) {
            return Err(refused_address(literal));
        }
        let Some(proxy) = &self.settings.proxy else {
            let addresses = self.vetted(origin).await?;
            let tcp = self.dial(&addresses, origin.port).await?;
            let peer = tcp.peer_addr().map_err(|error| FetchError::new(Failure::Disconnected, error))?.ip();
            if !origin.private_allowed && !is_public(peer) {
                return Err(refused_address(Some(peer)));
            }
            return Ok((tcp, Some(peer)));
        };
        let at_proxy =
            |fetch_error: FetchError| FetchError::new(Failure::Proxy, format!("the proxy: {}", fetch_error.note));
        let addresses = self.lookup(&proxy.host).await.map_err(at_proxy)?;
        let tcp = self.dial(&addresses, proxy.port).await.map_err(at_proxy)?;
        if proxy.kind == ProxyKind::Http && !origin.https {
            return Ok((tcp, None));
        }
        Ok((proxy.tunnel(tcp, &origin.host.to_string(), origin.port).await?, None))
    }

    /// The addresses that may be connected to, at least one.
    async fn vetted(&self, origin: &Origin) -> Result<Vec<IpAddr>, FetchError> {
        let addresses = match &origin.host {
            Host::Ipv4(address) => vec![IpAddr::V4(*address)],
            Host::Ipv6(address) => vec![IpAddr::V6(*address)],
            Host::Domain(name) => self.lookup(name).await?,
        };
        self.vet(origin, addresses)
    }

    fn vet(&self, origin: &Origin, mut addresses: Vec<IpAddr>) -> Result<Vec<IpAddr>, FetchError> {
        let first = addresses.first().copied();
        if !origin.private_allowed || self.is_public_name(&origin.host, &addresses) {
            addresses.retain(|&address| is_public(address));
        }
        if addresses.is_empty() { Err(refused_address(first)) } else { Ok(addresses) }
    }

    /// Whether the name has, or ever had, an address in public space.
    fn is_public_name(&self, host: &Host<String>, addresses: &[IpAddr]) -> bool {
        let Host::Domain(name) = host else { return false };
        let mut found = self.found_public.lock().expect("nobody panics while holding it");
        if addresses.iter().any(|&address| is_public(address)) {
            found.insert(name.clone());
        }
        found.contains(name)
    }

    pub(super) async fn lookup(&self, name: &str) -> Result<Vec<IpAddr>, FetchError> {
        if let Ok(literal) = name.parse() {
            return Ok(vec![literal]);
        }
        let mut addresses =
            self.names.addresses(name).await.map_err(|error| FetchError::new(Failure::NoSuchHost, error))?;
        addresses.truncate(ADDRESSES_MAX);
        if addresses.is_empty() {
            return Err(FetchError::new(Failure::NoSuchHost, format!("{name} has no address")));
        }
        Ok(addresses)
    }

    /// Tries the addresses in order; each gets its share of the time, so that a silent one cannot use up all of it.
    async fn dial(&self, addresses: &[IpAddr], port: u16) -> Result<TcpStream, FetchError> {
        let share = self.settings.connect_timeout / u32::try_from(addresses.len()).unwrap_or(1).max(1);
        let mut last = FetchError::new(Failure::Unreachable, "no address to connect to");
        for &address in addresses {
            match dial_one(SocketAddr::new(address, port), share).await {
                Ok(stream) => return Ok(stream),
                Err(fetch_error) => last = fetch_error,
            }
        }
        Err(last)
    }
}

async fn dial_one(address: SocketAddr, share: Duration) -> Result<TcpStream, FetchError> {
    let stream = match timeout(share, TcpStream::connect(address)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return Err(FetchError::new(Failure::Unreachable, format!("{address}: {error}"))),
        Err(_) => return Err(FetchError::timeout(tintype_vocab::Phase::Connect)),
    };
    // One small request at a time: waiting to fill a packet only costs time. Failure to say so costs no more.
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

fn refused_address(address: Option<IpAddr>) -> FetchError {
    let shown = address.map_or_else(String::new, |address| format!("{address} is not public"));
    FetchError::new(Failure::PrivateAddress, shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(host: &str, private_allowed: bool) -> Origin {
        Origin { https: false, host: Host::parse(host).unwrap(), port: 80, private_allowed }
    }

    #[test]
    fn a_name_found_in_public_space_cannot_move_into_private_space() {
        let connector = Connector::new(Arc::new(ClientSettings::new("t", ""))).unwrap();
        let (public, private) = (IpAddr::from([8, 8, 8, 8]), IpAddr::from([127, 0, 0, 1]));
        let named = origin("site.example", true);
        assert_eq!(connector.vet(&named, vec![private, public]).unwrap(), [public]);
        assert_eq!(connector.vet(&named, vec![private]).unwrap_err().cause, Failure::PrivateAddress);
        let local = origin("printer.example", true);
        assert_eq!(connector.vet(&local, vec![private]).unwrap(), [private]);
        let linked = origin("printer.example", false);
        assert_eq!(connector.vet(&linked, vec![private]).unwrap_err().cause, Failure::PrivateAddress);
        assert_eq!(connector.vet(&origin("127.0.0.1", true), vec![private]).unwrap(), [private]);
    }
}
