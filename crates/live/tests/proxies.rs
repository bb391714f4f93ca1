//! Going out through a proxy: absolute-form, CONNECT, SOCKS5.

mod server;

use server::{Server, Step, client_with, local, read_head, send};
use std::{net::SocketAddr, sync::Arc};
use tintype_live::{Ask, Client};
use tintype_vocab::{Failure, Outcome};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

fn through(proxy: &str) -> Client {
    client_with(|settings| settings.proxy = Some(proxy.parse().unwrap()))
}

#[tokio::test]
async fn plain_pages_are_asked_of_the_proxy_by_their_whole_name() {
    let proxy = Server::always(vec![send(OK)]).await;
    let client = through(&format!("http://me:secret@{}", proxy.address));
    for _ in 0..2 {
        let answer = client.fetch(Ask::new("http://nowhere.example:81/a?b")).await;
        assert_eq!(answer.outcome, Outcome::Body { status: 200 }, "{:?}", answer.note);
        let exchange = answer.exchange.unwrap();
        assert_eq!(exchange.peer, None, "the proxy resolved the name");
        let archived = String::from_utf8(exchange.request_head).unwrap();
        assert!(archived.starts_with("GET http://nowhere.example:81/a?b HTTP/1.1\r\nHost: nowhere.example:81\r\n"));
        assert!(!archived.contains("Proxy-Authorization"));
    }
    assert!(proxy.request(0, 0).contains("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"));
    assert_eq!(proxy.requests(), [2]);
}

#[tokio::test]
async fn tls_goes_through_a_tunnel() {
    // The tunnel leads to a server that does not speak TLS: enough to see that it was asked for.
    let proxy = Server::always(vec![send("HTTP/1.1 200 Connection established\r\n\r\nnot TLS"), Step::Hold]).await;
    let client = through(&format!("http://me:secret@{}", proxy.address));
    let answer = client.fetch(Ask::new("https://nowhere.example/")).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Tls }, "{:?}", answer.note);
    assert_eq!(
        proxy.request(0, 0),
        "CONNECT nowhere.example:443 HTTP/1.1\r\nHost: nowhere.example:443\r\n\
         Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n"
    );
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named_as_the_cause() {
    for steps in [
        vec![send("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"), Step::Close],
        vec![send("what?\r\n\r\n")],
        vec![Step::Close],
        vec![Step::Endless(b"HTTP/1.1 200 OK\r\nX: y".to_vec())],
    ] {
        let proxy = Server::always(steps.clone()).await;
        let answer = through(&format!("http://{}", proxy.address)).fetch(Ask::new("https://nowhere.example/")).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Proxy }, "{steps:?} {:?}", answer.note);
    }
    let answer = through("http://127.0.0.1:1").fetch(Ask::new("http://nowhere.example/")).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Proxy });
}

#[tokio::test]
async fn addresses_written_out_are_vetted_even_before_a_proxy() {
    let proxy = Server::always(vec![send(OK)]).await;
    let client = through(&format!("http://{}", proxy.address));
    let answer = client.fetch(Ask::new("http://169.254.169.254/latest")).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::PrivateAddress });
    assert!(proxy.requests().is_empty());
}

/// A SOCKS5 proxy that leads every name to `server`, and tells which name it was asked for.
async fn socks(server: SocketAddr, reply: u8) -> (SocketAddr, Arc<std::sync::Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let names = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = names.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut greeting = [0; 2];
            stream.read_exact(&mut greeting).await.unwrap();
            let mut methods = vec![0; usize::from(greeting[1])];
            stream.read_exact(&mut methods).await.unwrap();
            stream.write_all(&[5, 0]).await.unwrap();
            let mut request = [0; 5];
            stream.read_exact(&mut request).await.unwrap();
            assert_eq!(request[..4], [5, 1, 0, 3], "a name, not an address");
            let mut name = vec![0; usize::from(request[4]) + 2];
            stream.read_exact(&mut name).await.unwrap();
            let port = name.split_off(name.len() - 2);
            let port = u16::from_be_bytes([port[0], port[1]]);
            seen.lock().unwrap().push(format!("{}:{port}", String::from_utf8(name).unwrap()));
            stream.write_all(&[5, reply, 0, 1, 0, 0, 0, 0, 0, 0]).await.unwrap();
            let mut onward = TcpStream::connect(server).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut stream, &mut onward).await });
        }
    });
    (address, names)
}

#[tokio::test]
async fn socks5_resolves_names_and_carries_everything() {
    let server = Server::always(vec![send(OK)]).await;
    let (proxy, names) = socks(server.address, 0).await;
    let client = through(&format!("socks5://{proxy}"));
    for _ in 0..2 {
        let answer = client.fetch(Ask::new("http://nowhere.example/a")).await;
        assert_eq!(answer.outcome, Outcome::Body { status: 200 }, "{:?}", answer.note);
        assert_eq!(answer.exchange.unwrap().peer, None);
    }
    assert_eq!(*names.lock().unwrap(), ["nowhere.example:80"]);
    assert!(server.request(0, 0).starts_with("GET /a HTTP/1.1\r\nHost: nowhere.example\r\n"));
}

#[tokio::test]
async fn a_socks5_refusal_is_an_outcome() {
    let server = Server::always(vec![send(OK)]).await;
    for (reply, cause) in [(2, Failure::Proxy), (4, Failure::Unreachable)] {
        let (proxy, _) = socks(server.address, reply).await;
        let answer = through(&format!("socks5://{proxy}")).fetch(local("http://nowhere.example/".to_owned())).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause }, "{:?}", answer.note);
    }
}

#[tokio::test]
async fn the_tunnel_begins_right_behind_the_proxys_head() {
    // The first bytes of the tunnelled server follow in the same packet and must reach TLS, not be swallowed.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_head(&mut stream).await.unwrap();
        // A TLS alert: handshake failure.
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n\x15\x03\x03\x00\x02\x02\x28").await.unwrap();
        stream.read_to_end(&mut Vec::new()).await.unwrap();
    });
    let answer = through(&format!("http://{address}")).fetch(Ask::new("https://nowhere.example/")).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Tls });
    assert!(answer.note.unwrap().contains("HandshakeFailure"));
}
