//! Going out through a proxy. It resolves names, so it also decides which addresses are reached.

use super::fetch_error::FetchError;
use std::{fmt, str::FromStr};
use tintype_vocab::Failure;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_socks::tcp::Socks5Stream;
use url::Url;

/// The answer to CONNECT needs no more.
const CONNECT_HEAD_MAX: usize = 16 << 10;

/// `http://[user:password@]host[:port]` or `socks5://…`.
#[derive(Clone)]
pub struct Proxy {
    pub(super) kind: ProxyKind,
    pub(super) host: String,
    pub(super) port: u16,
    credentials: Option<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProxyKind {
    Http,
    Socks5,
}

impl fmt::Debug for Proxy {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} proxy {}:{}", self.kind, self.host, self.port)
    }
}

/// The text names no proxy.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a proxy: write http://host:port or socks5://host:port")]
pub struct ParseProxyError(String);

impl FromStr for Proxy {
    type Err = ParseProxyError;

    fn from_str(text: &str) -> Result<Proxy, ParseProxyError> {
        let wrong = || ParseProxyError(text.to_owned());
        let url = Url::parse(text).map_err(|_| wrong())?;
        let (kind, default_port) = match url.scheme() {
            "http" => (ProxyKind::Http, 80),
            "socks5" | "socks5h" => (ProxyKind::Socks5, 1080),
            _ => return Err(wrong()),
        };
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let credentials = (!url.username().is_empty())
            .then(|| (unescape(url.username()), unescape(url.password().unwrap_or_default())));
        Ok(Proxy { kind, host, port: url.port().unwrap_or(default_port), credentials })
    }
}

/// Undoes percent-encoding; a stray `%` stands for itself.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = (first == b'%').then(|| text_of(tail.get(..2)?)).flatten();
        match escaped {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn text_of(hex: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
}

impl Proxy {
    /// The value of Proxy-Authorization.
    pub(super) fn authorization(&self) -> Option<String> {
        let (user, password) = self.credentials.as_ref()?;
        Some(format!("Basic {}", data_encoding::BASE64.encode(format!("{user}:{password}").as_bytes())))
    }

    /// Asks the proxy on `stream` for a tunnel to `host`.
    pub(super) async fn tunnel(&self, stream: TcpStream, host: &str, port: u16) -> Result<TcpStream, FetchError> {
        match self.kind {
            ProxyKind::Http => self.connect_tunnel(stream, host, port).await,
            ProxyKind::Socks5 => self.socks_tunnel(stream, host, port).await,
        }
    }

    async fn connect_tunnel(&self, mut stream: TcpStream, host: &str, port: u16) -> Result<TcpStream, FetchError> {
        let mut request = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n");
        if let Some(value) = self.authorization() {
            request.push_str(&format!("Proxy-Authorization: {value}\r\n"));
        }
        request.push_str("\r\n");
        let failed = |error: std::io::Error| FetchError::new(Failure::Proxy, error);
        stream.write_all(request.as_bytes()).await.map_err(failed)?;
        let head = read_head(&mut stream).await.map_err(failed)?;
        match super::head::status(&head) {
            Some(200..=299) => Ok(stream),
            _ => {
                let line = head.split(|b| matches!(b, b'\r' | b'\n')).next().unwrap_or_default();
                Err(FetchError::new(Failure::Proxy, format!("the proxy said: {}", String::from_utf8_lossy(line))))
            }
        }
    }

    async fn socks_tunnel(&self, stream: TcpStream, host: &str, port: u16) -> Result<TcpStream, FetchError> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let tunnel = match &self.credentials {
            Some((user, password)) => {
                Socks5Stream::connect_with_password_and_socket(stream, (host, port), user, password).await
            }
            None => Socks5Stream::connect_with_socket(stream, (host, port)).await,
        };
        tunnel.map(Socks5Stream::into_inner).map_err(|error| match error {
            tokio_socks::Error::HostUnreachable => FetchError::new(Failure::Unreachable, error),
            _ => FetchError::new(Failure::Proxy, error),
        })
    }
}

/// Reads byte by byte, so as not to swallow what the tunnel carries behind the head.
async fn read_head(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") && !head.ends_with(b"\n\n") {
        if head.len() >= CONNECT_HEAD_MAX {
            return Err(std::io::Error::other("the proxy's answer is too long"));
        }
        head.push(stream.read_u8().await?);
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_read_from_urls() {
        let proxy: Proxy = "http://me:p%40ss@proxy.example:3128".parse().unwrap();
        assert_eq!((proxy.kind, proxy.host.as_str(), proxy.port), (ProxyKind::Http, "proxy.example", 3128));
        assert_eq!(proxy.authorization().unwrap(), "Basic bWU6cEBzcw==");
        assert_eq!(format!("{proxy:?}"), "Http proxy proxy.example:3128");
        let proxy: Proxy = "socks5://[::1]".parse().unwrap();
        assert_eq!((proxy.kind, proxy.host.as_str(), proxy.port), (ProxyKind::Socks5, "::1", 1080));
        for bad in ["", "proxy:3128", "ftp://x", "https://x:1"] {
            assert!(bad.parse::<Proxy>().is_err(), "{bad}");
        }
        assert_eq!(unescape("%41%zz%"), "A%zz%");
    }
}
