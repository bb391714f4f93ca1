//! From a host to an open stream: resolve, vet, connect, tunnel, TLS.

use super::{
    address::is_public,
    fetch_error::FetchError,
    proxy::ProxyKind,
    resolve::{NameError, Names},
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
use tintype_archive::PublicHosts;
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
    found_public: Mutex<FoundPublic>,
    /// Made when the first TLS connection is: loading the system's roots takes a while.
    tls: OnceLock<Tls>,
}

/// Names a person gave that were found in public space: no name server can move them into private space later.
#[derive(Debug, Default)]
struct FoundPublic {
    names: HashSet<String>,
    /// Those of earlier runs, where this one notes its own.
    kept: Option<PublicHosts>,
}

impl FoundPublic {
    fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || self.kept.as_ref().is_some_and(|kept| kept.contains(name))
    }

    fn add(&mut self, name: &str) -> Result<(), tintype_archive::Error> {
        self.kept.as_mut().map_or(Ok(()), |kept| kept.add(name))?;
        self.names.insert(name.to_owned());
        Ok(())
    }
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
        let must_be_public = match origin.private_allowed {
            true => !self.settings.allows_private(&origin.host) && self.is_public_name(&origin.host, &addresses)?,
            false => true,
        };
        if must_be_public {
            addresses.retain(|&address| is_public(address));
        }
        if !addresses.is_empty() {
            return Ok(addresses);
        }
        let mut refused = refused_address(first);
        if origin.private_allowed {
            refused.note = format!(
                "{}, but {host} was before; --allow-private {host} lets it be asked",
                refused.note,
                host = origin.host
            );
        }
        Err(refused)
    }

    /// Whether the name has, or ever had, an address in public space. That it has is noted before it is asked anything.
    fn is_public_name(&self, host: &Host<String>, addresses: &[IpAddr]) -> Result<bool, FetchError> {
        let Host::Domain(name) = host else { return Ok(false) };
        let mut found = self.found_public.lock().expect("nobody panics while holding it");
        if addresses.iter().any(|&address| is_public(address)) && !found.contains(name) {
            found.add(name).map_err(|error| FetchError::new(Failure::Unreachable, error))?;
        }
        Ok(found.contains(name))
    }

    /// From now on names that were public in earlier runs must be, and those of this run are noted.
    pub(super) fn keep_public(&self, kept: PublicHosts) {
        self.found_public.lock().expect("nobody panics while holding it").kept = Some(kept);
    }

    pub(super) async fn lookup(&self, name: &str) -> Result<Vec<IpAddr>, FetchError> {
        if let Ok(literal) = name.parse() {
            return Ok(vec![literal]);
        }
        let failed = |error: NameError| match error.is_certain {
            true => FetchError::new(Failure::NoSuchHost, error.note),
            false => FetchError::new(Failure::Unreachable, error.note),
        };
        let mut addresses = self.names.addresses(name).await.map_err(failed)?;
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

    #[test]
    fn a_name_that_was_public_in_an_earlier_run_is_refused_in_private_space_unless_it_is_allowed() {
        let directory = tempfile::tempdir().unwrap();
        let options = tintype_archive::OpenOptions {
            create: true,
            command: "test".to_owned(),
            now: tintype_vocab::Time::from_secs(0),
        };
        let collection = tintype_archive::Collection::open(directory.path(), options).unwrap();
        let run = |allowed: &[&str]| {
            let mut settings = ClientSettings::new("t", "");
            settings.private_hosts = allowed.iter().map(|name| (*name).to_owned()).collect();
            let connector = Connector::new(Arc::new(settings)).unwrap();
            connector.keep_public(PublicHosts::open(&collection).unwrap());
            connector
        };
        let (public, private) = (IpAddr::from([8, 8, 8, 8]), IpAddr::from([127, 0, 0, 1]));
        let named = origin("site.example", true);
        assert_eq!(run(&[]).vet(&named, vec![public]).unwrap(), [public]);
        std::fs::remove_dir_all(directory.path().join("state")).unwrap();
        let refused = run(&[]).vet(&named, vec![private]).unwrap_err();
        assert_eq!(refused.cause, Failure::PrivateAddress);
        assert!(refused.note.contains("--allow-private site.example"), "{}", refused.note);
        assert_eq!(run(&["site.example"]).vet(&named, vec![private]).unwrap(), [private]);
        assert_eq!(run(&[]).vet(&origin("other.example", true), vec![private]).unwrap(), [private]);
    }
}
