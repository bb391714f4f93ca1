//! TLS and HTTP/2: recorded above the encryption, verified unless told otherwise, h2 only where it is needed.

mod server;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response, body::Incoming, server::conn::http2, service::service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivatePkcs8KeyDer};
use server::{archived, client, client_with, local, read_head};
use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tintype_live::{Client, ClientSettings as Settings};
use tintype_vocab::{Failure, Outcome};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// An authority of our own and the certificates it gives out.
struct Authority {
    root: Vec<u8>,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Authority {
        Authority::called("authority")
    }

    fn called(name: &str) -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let root = params.self_signed(&key).unwrap().der().to_vec();
        Authority { root, issuer: Issuer::new(params, key) }
    }

    /// A server's configuration with a certificate for `name`.
    fn server(&self, name: &str, protocols: &[&[u8]], change: impl FnOnce(&mut CertificateParams)) -> ServerConfig {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], PrivatePkcs8KeyDer::from(key.serialize_der()).into())
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        config
    }

    fn client(&self, change: impl FnOnce(&mut Settings)) -> Client {
        client_with(|settings| {
            settings.trusted_roots = vec![self.root.clone()];
            change(settings);
        })
    }
}

struct TlsServer {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    handshakes: Arc<AtomicUsize>,
}

impl TlsServer {
    /// Answers with `http1` over HTTP/1.1 and with a small page over HTTP/2.
    async fn start(config: ServerConfig, http1: &'static str) -> TlsServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = TlsServer {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            handshakes: Arc::default(),
        };
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let (connections, handshakes) = (server.connections.clone(), server.handshakes.clone());
        tokio::spawn(async move {
            loop {
                let (tcp, _) = listener.accept().await.unwrap();
                connections.fetch_add(1, Ordering::Relaxed);
                let (acceptor, handshakes) = (acceptor.clone(), handshakes.clone());
                tokio::spawn(async move {
                    let Ok(stream) = acceptor.accept(tcp).await else { return };
                    handshakes.fetch_add(1, Ordering::Relaxed);
                    match stream.get_ref().1.alpn_protocol() {
                        Some(b"h2") => serve_http2(stream).await,
                        _ => serve_http1(stream, http1).await,
                    }
                });
            }
        });
        server
    }

    fn url(&self) -> String {
        format!("https://localhost:{}/a?b", self.address.port())
    }
}

async fn serve_http1(mut stream: TlsStream<TcpStream>, answer: &str) {
    while read_head(&mut stream).await.is_some() {
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        if !answer.contains("Content-Length") {
            return; // Without a farewell, as many servers do.
        }
    }
}

async fn serve_http2(stream: TlsStream<TcpStream>) {
    let service = service_fn(|request: Request<Incoming>| async move {
        let body = format!("{} {}", request.uri().path_and_query().unwrap(), request.headers().contains_key("host"));
        let response = Response::builder().header("x-proto", "two").body(Full::new(Bytes::from(body))).unwrap();
        Ok::<_, Infallible>(response)
    });
    let _ = http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
}

const OK: &str = "HTTP/1.1 200 OK\r\nx-CASE: Kept\r\nContent-Length: 2\r\n\r\nhi";

#[tokio::test]
async fn http1_over_tls_is_recorded_in_the_clear() {
    let authority = Authority::new();
    let server = TlsServer::start(authority.server("localhost", &[b"h2", b"http/1.1"], |_| {}), OK).await;
    let client = authority.client(|_| {});
    for _ in 0..3 {
        let answer = client.fetch(local(server.url())).await;
        let exchange = answer.exchange.as_ref().unwrap_or_else(|| panic!("{:?}", answer.note));
        assert!(exchange.request_head.starts_with(b"GET /a?b HTTP/1.1\r\nHost: localhost:"));
        assert_eq!(exchange.protocols, ["http/1.1", "tls/1.3"]);
        assert!(exchange.cipher_suite.as_ref().unwrap().starts_with("TLS_"), "{:?}", exchange.cipher_suite);
        assert_eq!(exchange.peer, Some(server.address.ip()));
        assert_eq!(archived(answer).0, OK.strip_suffix("hi").unwrap().as_bytes());
    }
    assert_eq!(server.handshakes.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_body_ended_by_hanging_up_without_farewell_is_whole() {
    let authority = Authority::new();
    let server = TlsServer::start(authority.server("localhost", &[], |_| {}), "HTTP/1.0 200 OK\r\n\r\nthe end").await;
    let answer = authority.client(|_| {}).fetch(local(server.url())).await;
    let exchange = answer.exchange.as_ref().unwrap();
    assert_eq!((exchange.truncated, exchange.protocols[0].as_str()), (None, "http/1.0"));
    assert_eq!(archived(answer).1, b"the end");
}

#[tokio::test]
async fn a_server_that_insists_gets_http2_and_is_remembered() {
    let authority = Authority::new();
    let server = TlsServer::start(authority.server("localhost", &[b"h2"], |_| {}), OK).await;
    let client = authority.client(|_| {});
    for _ in 0..3 {
        let answer = client.fetch(local(server.url())).await;
        assert_eq!(answer.outcome, Outcome::Body { status: 200 }, "{:?}", answer.note);
        let exchange = answer.exchange.as_ref().unwrap();
        assert_eq!(exchange.protocols, ["h2", "tls/1.3"]);
        let request = String::from_utf8(exchange.request_head.clone()).unwrap();
        let expected = format!("GET /a?b HTTP/1.1\r\nHost: localhost:{}\r\n", server.address.port());
        assert!(request.starts_with(&expected) && request.ends_with("\r\n\r\n") && !request.contains("\r\n:"));
        let (head, body) = archived(answer);
        let head = String::from_utf8(head).unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK\r\nx-proto: two\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert_eq!(body, b"/a?b false");
    }
    assert_eq!(server.handshakes.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_server_that_insisted_is_not_tried_with_http1_again() {
    let authority = Authority::new();
    let server = TlsServer::start(authority.server("localhost", &[b"h2"], |_| {}), OK).await;
    let client = authority.client(|settings| settings.connections_per_host = 2);
    client.fetch(local(server.url())).await;
    assert_eq!(server.connections.load(Ordering::Relaxed), 2, "one refused, one with HTTP/2");
    let both = tokio::join!(client.fetch(local(server.url())), client.fetch(local(server.url())));
    assert!(both.0.exchange.is_some() && both.1.exchange.is_some());
    assert_eq!(server.connections.load(Ordering::Relaxed), 3, "one kept, one new");
}

#[tokio::test]
async fn a_server_that_answers_505_is_asked_again_over_http2() {
    let authority = Authority::new();
    for insisting in [
        "HTTP/1.1 505 No\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 426 Upgrade\r\nUpgrade: h2\r\nContent-Length: 0\r\n\r\n",
    ] {
        let server = TlsServer::start(authority.server("localhost", &[b"h2", b"http/1.1"], |_| {}), insisting).await;
        let client = authority.client(|_| {});
        for _ in 0..2 {
            let answer = client.fetch(local(server.url())).await;
            assert_eq!(answer.exchange.unwrap().protocols[0], "h2");
        }
    }
    let server = TlsServer::start(
        authority.server("localhost", &[b"http/1.1"], |_| {}),
        "HTTP/1.1 505 No\r\nContent-Length: 0\r\n\r\n",
    )
    .await;
    let answer = authority.client(|_| {}).fetch(local(server.url())).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Server(505) }, "nothing better to be had");
}

#[tokio::test]
async fn http2_can_be_offered_from_the_start() {
    let authority = Authority::new();
    for (protocols, spoken) in [(&[&b"h2"[..], b"http/1.1"][..], "h2"), (&[&b"http/1.1"[..]][..], "http/1.1")] {
        let server = TlsServer::start(authority.server("localhost", protocols, |_| {}), OK).await;
        let answer = authority.client(|settings| settings.http2 = true).fetch(local(server.url())).await;
        assert_eq!(answer.exchange.unwrap().protocols[0], spoken);
    }
}

#[tokio::test]
async fn bad_certificates_are_refused_and_the_note_says_why() {
    use tintype_vocab::CertificateFault::{Expired, NotYetValid, OtherName, UnknownIssuer};
    let authority = Authority::new();
    let expired = |params: &mut CertificateParams| params.not_after = date_time_ymd(2020, 1, 1);
    let early = |params: &mut CertificateParams| params.not_before = date_time_ymd(4000, 1, 1);
    let cases = [
        (authority.server("localhost", &[], expired), Expired, "certificate expired"),
        (authority.server("localhost", &[], early), NotYetValid, "certificate not valid yet"),
        (authority.server("other.example", &[], |_| {}), OtherName, "certificate for another name"),
        (
            Authority::called("stranger").server("localhost", &[], |_| {}),
            UnknownIssuer,
            "certificate of an unknown issuer",
        ),
        // What people make with one command of openssl: an authority that vouches for itself.
        (
            authority.server("localhost", &[], |params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained)),
            UnknownIssuer,
            "certificate of an unknown issuer",
        ),
    ];
    for (config, fault, why) in cases {
        let server = TlsServer::start(config, OK).await;
        let answer = authority.client(|_| {}).fetch(local(server.url())).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Certificate(fault) });
        assert_eq!((answer.note.as_deref(), fault.to_string().as_str()), (Some(why), why));
        let client = authority.client(|settings| settings.accept_invalid_certificates = true);
        for _ in 0..2 {
            let answer = client.fetch(local(server.url())).await;
            assert_eq!(answer.outcome, Outcome::Body { status: 200 }, "{why}");
            assert_eq!(answer.note.as_deref(), Some(why));
        }
    }
}

#[tokio::test]
async fn plain_http_on_a_tls_port_is_a_tls_failure() {
    let server = server::Server::always(vec![server::send(OK)]).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    });
    let answer = client().fetch(local(format!("https://{address}/"))).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Tls });
    assert!(server.requests().is_empty());
}
