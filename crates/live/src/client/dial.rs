//! A stream to a server that a person named for other things than pages: a receiver of webhooks, a mail server. No rule about
//! private space applies to it, because no page can name it.

use super::{
    settings::ClientSettings,
    tls::{Tls, TlsError},
    transport::Transport,
};
use std::{sync::OnceLock, time::Duration};
use tokio::{net::TcpStream, time::timeout};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Loading the system's roots takes a while.
static TLS: OnceLock<Tls> = OnceLock::new();

/// Opens a stream, with TLS if asked; why not, in words.
pub(crate) async fn dial(host: &str, port: u16, with_tls: bool) -> Result<Transport, String> {
    let connected = timeout(CONNECT_TIMEOUT, TcpStream::connect((host.trim_matches(['[', ']']), port))).await;
    let tcp = connected.map_err(|_| "timed out connecting".to_owned())?.map_err(|error| error.to_string())?;
    if with_tls { start_tls(tcp, host).await } else { Ok(Transport::Plain(tcp)) }
}

/// TLS over a stream that is open.
pub(crate) async fn start_tls(tcp: TcpStream, host: &str) -> Result<Transport, String> {
    let tls = match TLS.get() {
        Some(tls) => tls,
        None => {
            let made = Tls::new(&ClientSettings::new("", "")).map_err(|error| error.to_string())?;
            TLS.get_or_init(|| made)
        }
    };
    let shaken = timeout(CONNECT_TIMEOUT, tls.connect(tcp, host, false)).await;
    match shaken.map_err(|_| "timed out in the TLS handshake".to_owned())? {
        Ok((transport, _)) => Ok(transport),
        Err(TlsError::WantsOtherProtocol) => Err("the server wants another protocol than was offered".to_owned()),
        Err(TlsError::Other(error)) => Err(error.note),
    }
}
