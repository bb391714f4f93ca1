//! Connections are kept, shared fairly, given up when stale, and only opened where they may be.

mod server;

use server::{Server, Step, archived, client, client_with, local, send};
use std::time::Duration;
use tintype_live::{Ask, Jar};
use tintype_vocab::{Failure, Outcome, Phase};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

#[tokio::test]
async fn a_connection_is_kept_and_every_exchange_recorded_apart() {
    let server = Server::start(|_, request| {
        vec![send(format!("HTTP/1.1 200 OK\r\nX-N: {request}\r\nContent-Length: 1\r\n\r\n{request}"))]
    })
    .await;
    let client = client();
    for n in 0..5 {
        let answer = client.fetch(local(server.url(&format!("/{n}")))).await;
        let exchange = answer.exchange.as_ref().unwrap();
        assert!(exchange.request_head.starts_with(format!("GET /{n} HTTP/1.1\r\n").as_bytes()));
        assert_eq!(exchange.peer, Some(server.address.ip()));
        assert!(exchange.protocols.is_empty());
        let head = format!("HTTP/1.1 200 OK\r\nX-N: {n}\r\nContent-Length: 1\r\n\r\n");
        assert_eq!(archived(answer), (head.into_bytes(), n.to_string().into_bytes()));
    }
    assert_eq!(server.requests(), [5]);
}

#[tokio::test]
async fn one_connection_per_host_means_one_at_a_time() {
    for (allowed, expected) in [(1, 1), (3, 3)] {
        let server = Server::always(vec![send(OK)]).await;
        let client = client_with(|settings| settings.connections_per_host = allowed);
        let fetches: Vec<_> = (0..9)
            .map(|_| {
                let (client, ask) = (client.clone(), local(server.url("/")));
                tokio::spawn(async move { client.fetch(ask).await })
            })
            .collect();
        for fetch in fetches {
            assert_eq!(fetch.await.unwrap().outcome, Outcome::Body { status: 200 });
        }
        assert_eq!(server.requests().len(), expected);
    }
}

#[tokio::test]
async fn a_stale_connection_is_replaced_unnoticed() {
    for ending in [Step::Close, Step::Reset] {
        // The first connection answers once, then hangs up as soon as it is asked again.
        let server = Server::start(move |connection, request| match (connection, request) {
            (0, 1) => vec![ending.clone()],
            _ => vec![send(OK)],
        })
        .await;
        let client = client();
        for _ in 0..3 {
            let answer = client.fetch(local(server.url("/"))).await;
            assert_eq!(answer.outcome, Outcome::Body { status: 200 }, "{:?}", answer.note);
        }
        assert_eq!(server.requests(), [2, 2]);
    }
}

#[tokio::test]
async fn a_server_that_begins_to_answer_is_not_asked_again() {
    let server = Server::start(|connection, request| match (connection, request) {
        (0, 1) => vec![send("HTTP/1.1 200"), Step::Close],
        _ => vec![send(OK)],
    })
    .await;
    let client = client();
    client.fetch(local(server.url("/"))).await;
    let answer = client.fetch(local(server.url("/"))).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Disconnected });
    assert_eq!(server.requests(), [2]);
}

#[tokio::test]
async fn bytes_nobody_asked_for_end_the_connection() {
    let server = Server::always(vec![send(format!("{OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"))]).await;
    let client = client();
    for _ in 0..2 {
        let answer = client.fetch(local(server.url("/"))).await;
        assert_eq!(answer.note.as_deref(), Some("the server sent more than it announced"));
        assert_eq!(archived(answer).1, b"hi");
    }
    assert_eq!(server.requests(), [1, 1]);
}

#[tokio::test]
async fn close_means_close() {
    let server =
        Server::always(vec![send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")]).await;
    let client = client();
    client.fetch(local(server.url("/"))).await;
    client.fetch(local(server.url("/"))).await;
    assert_eq!(server.requests(), [1, 1]);
}

#[tokio::test]
async fn private_space_is_closed_unless_a_person_asked() {
    let server = Server::always(vec![send(OK)]).await;
    let client = client();
    let port = server.address.port();
    // Also after a connection into private space has been kept.
    assert_eq!(client.fetch(local(server.url("/"))).await.outcome, Outcome::Body { status: 200 });
    for host in ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "169.254.169.254"] {
        let answer = client.fetch(Ask::new(format!("http://{host}:{port}/"))).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::PrivateAddress }, "{host} {:?}", answer.note);
    }
    assert_eq!(server.requests(), [1]);
}

#[tokio::test]
async fn names_of_this_machine_resolve() {
    let server = Server::always(vec![send(OK)]).await;
    let answer = client().fetch(local(format!("http://localhost:{}/", server.address.port()))).await;
    assert_eq!(answer.outcome, Outcome::Body { status: 200 }, "{:?}", answer.note);
    assert_eq!(answer.exchange.unwrap().peer, Some(server.address.ip()));
}

#[tokio::test]
async fn what_cannot_be_reached_is_an_outcome() {
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let answer = client().fetch(local(format!("http://{closed}/"))).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Unreachable });
    for url in ["ftp://a.example/", "nonsense", "http://"] {
        let answer = client().fetch(Ask::new(url)).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::BadUrl }, "{url}");
    }
}

#[tokio::test]
async fn a_host_that_never_accepts_runs_out_of_time() {
    // TLS to a server that holds the line and never shakes hands.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = client_with(|settings| settings.connect_timeout = Duration::from_millis(40));
    let answer = client.fetch(local(format!("https://{}/", listener.local_addr().unwrap()))).await;
    assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Timeout(Phase::Connect) });
}

#[tokio::test]
async fn cookies_live_within_their_jar() {
    let server = Server::always(vec![send(
        "HTTP/1.1 200 OK\r\nSet-Cookie: id=7; Path=/\r\nset-cookie: b=8\r\nContent-Length: 0\r\n\r\n",
    )])
    .await;
    let client = client();
    let jar = Jar::new();
    for jar in [Some(jar.clone()), Some(jar), Some(Jar::new()), None] {
        client.fetch(Ask { jar, ..local(server.url("/")) }).await;
    }
    let cookie = |n| server.request(0, n).lines().find_map(|line| line.strip_prefix("Cookie: ").map(str::to_owned));
    assert_eq!([cookie(0), cookie(1), cookie(2), cookie(3)], [None, Some("id=7; b=8".to_owned()), None, None]);
}

#[tokio::test]
async fn a_dropped_fetch_frees_its_turn() {
    let server = Server::start(|connection, _| if connection == 0 { vec![Step::Hold] } else { vec![send(OK)] }).await;
    let client = client();
    let (asking, ask) = (client.clone(), local(server.url("/")));
    let fetch = tokio::spawn(async move { asking.fetch(ask).await });
    while server.requests() != [1] {
        tokio::task::yield_now().await;
    }
    fetch.abort();
    assert_eq!(client.fetch(local(server.url("/"))).await.outcome, Outcome::Body { status: 200 });
}
