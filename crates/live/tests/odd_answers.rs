//! Servers say odd things. What they said is archived byte for byte, or the outcome says why not.

mod server;

use server::{Server, Step, archived, client, client_with, local, send};
use std::time::Duration;
use tintype_live::Answer;
use tintype_vocab::{Failure, Outcome, Phase, Span, Truncated, Validators};

/// What is asked of one odd answer: its status, and the head and body to be archived.
struct Odd {
    name: &'static str,
    head: &'static [u8],
    wire_body: &'static [u8],
    body: &'static [u8],
    status: u16,
}

const fn odd(name: &'static str, head: &'static [u8], wire_body: &'static [u8], body: &'static [u8]) -> Odd {
    Odd { name, head, wire_body, body, status: 200 }
}

const ODD: &[Odd] = &[
    odd("plain", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("case and blanks", b"HTTP/1.1 200 Fine  thanks\r\ncOnTeNT-lEngTh:   2  \r\nX:\r\n\r\n", b"hi", b"hi"),
    odd("bare newlines", b"HTTP/1.1 200 OK\nContent-Length: 2\n\n", b"hi", b"hi"),
    odd("no reason", b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("old version", b"HTTP/1.0 200 OK\r\n\r\n", b"until the end", b"until the end"),
    odd("folded line", b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("blank before colon", b"HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("line without colon", b"HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("NUL in a value", b"HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd(
        "NUL and chunks",
        b"HTTP/1.1 200 OK\r\nA: \0\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"2\r\nhi\r\n0\r\n\r\n",
        b"hi",
    ),
    odd("same length twice", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("senseless length", b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n", b"hi", b"hi"),
    odd("negative length", b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n", b"hi", b"hi"),
    odd("ICY", b"ICY 200 OK\r\nicy-name: radio\r\n\r\n", b"music", b"music"),
    odd("a version that never was", b"HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd(
        "chunks",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"3;x=y\r\nabc\r\n1\r\nd\r\n0\r\n\r\n",
        b"abcd",
    ),
    odd(
        "chunks with trailers",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n",
        b"3\r\nabc\r\n0\r\nT: x\r\n\r\n",
        b"abc",
    ),
    odd(
        "chunks and a length",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"3\r\nabc\r\n0\r\n\r\n",
        b"abc",
    ),
    odd("length too small", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", b"hi there", b"hi"),
    odd(
        "gzip kept",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n",
        b"\x1f\x8b\x08\0",
        b"\x1f\x8b\x08\0",
    ),
    odd("empty body", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b"", b""),
    Odd { status: 204, ..odd("204 with a body", b"HTTP/1.1 204 None\r\n\r\n", b"what?", b"") },
    Odd { status: 299, ..odd("unknown status", b"HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi") },
    odd("latin-1 header", b"HTTP/1.1 200 OK\r\nA: caf\xe9\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
    odd("odd header name", b"HTTP/1.1 200 OK\r\nA(b): c\r\nContent-Length: 2\r\n\r\n", b"hi", b"hi"),
];

async fn ask_once(steps: Vec<Step>) -> Answer {
    let server = Server::always(steps).await;
    client().fetch(local(server.url("/"))).await
}

#[tokio::test]
async fn odd_answers_are_archived_byte_for_byte() {
    for odd in ODD {
        let wire = [odd.head, odd.wire_body].concat();
        for size in [1, 7, usize::MAX] {
            let answer = ask_once(vec![Step::Pieces(wire.clone(), size), Step::Close]).await;
            assert_eq!(answer.outcome, Outcome::Body { status: odd.status }, "{} {:?}", odd.name, answer.note);
            assert_eq!(answer.exchange.as_ref().unwrap().truncated, None, "{}", odd.name);
            let (head, body) = archived(answer);
            assert_eq!(head, odd.head, "{}", odd.name);
            assert_eq!(body, odd.body, "{}", odd.name);
        }
    }
}

#[tokio::test]
async fn interim_answers_are_left_out() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
    let answer =
        ask_once(vec![Step::Pieces(interim.into(), 5), send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]).await;
    assert_eq!(archived(answer).0, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
}

#[tokio::test]
async fn a_page_without_a_head_gets_one() {
    let answer = ask_once(vec![send("<html>from 1991</html>"), Step::Close]).await;
    assert_eq!(answer.exchange.as_ref().unwrap().protocols, ["http/0.9"]);
    assert_eq!(archived(answer), (b"HTTP/1.0 200 OK\r\n\r\n".to_vec(), b"<html>from 1991</html>".to_vec()));
}

#[tokio::test]
async fn other_protocols_are_not_http() {
    for greeting in
        ["SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example ESMTP\r\n", "\x15\x03\x01\0\x02\x02\x46", "HTTP/1.1 OK\r\n\r\n"]
    {
        let answer = ask_once(vec![send(greeting), Step::Close]).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::NotHttp }, "{greeting:?} {:?}", answer.note);
        assert!(answer.exchange.is_none());
    }
}

#[tokio::test]
async fn many_headers_are_read_and_a_flood_is_not() {
    let lines = |count: usize| (0..count).map(|n| format!("X-{n}: {n}\r\n")).collect::<String>();
    for count in [150, 700] {
        let head = format!("HTTP/1.1 200 OK\r\n{}Content-Length: 2\r\n\r\n", lines(count));
        let answer = ask_once(vec![send(format!("{head}hi")), Step::Close]).await;
        assert_eq!(archived(answer), (head.into_bytes(), b"hi".to_vec()), "{count}");
    }
    let flood = format!("HTTP/1.1 200 OK\r\n{}", lines(20_000));
    for bomb in [
        send(&flood),
        Step::Endless(flood.clone().into_bytes()),
        Step::Endless(b"HTTP/1.1 100 Continue\r\n\r\n".repeat(100)),
        Step::Endless(b"ICY 200 OK\r\nA: ".repeat(100)),
    ] {
        let answer = ask_once(vec![bomb, Step::Hold]).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::HeadTooLarge }, "{:?}", answer.note);
    }
}

#[tokio::test]
async fn silence_and_early_endings_are_outcomes() {
    for (steps, cause) in [
        (vec![Step::Close], Failure::Disconnected),
        (vec![Step::Reset], Failure::Disconnected),
        (vec![Step::HalfClose, Step::Hold], Failure::Disconnected),
        (vec![send("HTTP/1.1 200 OK\r\nContent-Le"), Step::Close], Failure::Disconnected),
        (vec![send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), Step::Close], Failure::Disconnected),
        (vec![send("HTTP/1.1 100 Continue\r\n\r\n"), Step::Close], Failure::Disconnected),
    ] {
        let shown = format!("{steps:?}");
        let answer = ask_once(steps).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause }, "{shown} {:?}", answer.note);
    }
}

#[tokio::test]
async fn a_body_cut_by_the_server_is_kept_and_marked() {
    let announced = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n";
    let broken = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n";
    let extensions = format!("{chunked}4;{}", "x".repeat(40_000));
    let salvaged = "HTTP/1.1 200 OK\r\nA: \0\r\nContent-Length: 50\r\n\r\nhalf";
    for wire in [announced, chunked, broken, &extensions, salvaged] {
        for ending in [Step::Close, Step::HalfClose] {
            let answer = ask_once(vec![send(wire), ending, Step::Hold]).await;
            assert_eq!(answer.outcome, Outcome::Body { status: 200 });
            assert_eq!(answer.exchange.as_ref().unwrap().truncated, Some(Truncated::Disconnect), "{wire}");
            assert_eq!(archived(answer).1, b"half");
        }
    }
}

#[tokio::test]
async fn a_reset_inside_the_body_leaves_what_came() {
    let server = Server::always(vec![
        send("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n"),
        send(vec![7; 100_000]),
        Step::Reset,
    ])
    .await;
    let answer = client().fetch(local(server.url("/"))).await;
    match answer.exchange {
        Some(exchange) => assert_eq!(exchange.truncated, Some(Truncated::Disconnect)),
        // A reset may overtake all the bytes before it.
        None => assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Disconnected }),
    }
}

#[tokio::test]
async fn endless_bodies_are_cut_at_the_limit() {
    for head in
        ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "ICY 200 OK\r\n\r\n"]
    {
        let answer = ask_once(vec![send(head), Step::Endless(vec![b'x'; 10_000])]).await;
        assert_eq!(answer.outcome, Outcome::Body { status: 200 });
        assert_eq!(answer.exchange.as_ref().unwrap().truncated, Some(Truncated::Length));
        assert_eq!(archived(answer).1.len(), 1 << 20);
    }
    let chunk = b"5\r\nabcde\r\n".repeat(1000);
    let answer =
        ask_once(vec![send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), Step::Endless(chunk)]).await;
    assert_eq!(archived(answer).1.len(), 1 << 20);
}

#[tokio::test]
async fn a_request_can_lower_the_body_limit() {
    let server = Server::always(vec![send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabcdef")]).await;
    let client = client();
    for (limit, truncated) in [(5, Some(Truncated::Length)), (6, None), (u64::MAX, None)] {
        let mut ask = local(server.url("/"));
        ask.body_bytes_max = Some(limit);
        let answer = client.fetch(ask).await;
        assert_eq!(answer.exchange.as_ref().unwrap().truncated, truncated, "{limit}");
        assert_eq!(archived(answer).1.len() as u64, limit.min(6));
    }
}

#[tokio::test]
async fn slow_servers_run_out_of_time() {
    let short = Duration::from_millis(40);
    let impatient = client_with(|settings| {
        settings.first_byte_timeout = short;
        settings.body_timeout = short;
    });
    let drip = |bytes: &str| vec![Step::Pieces(bytes.into(), 1), Step::Hold];
    for (steps, phase) in [
        (vec![Step::Hold], Phase::FirstByte),
        (drip("HTTP/1.1 200 OK\r\nX: "), Phase::FirstByte),
        (drip("ICY 200 OK\r\nX: "), Phase::FirstByte),
        (drip("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), Phase::Body),
    ] {
        let server = Server::always(steps).await;
        let answer = impatient.fetch(local(server.url("/"))).await;
        assert_eq!(answer.outcome, Outcome::Failed { cause: Failure::Timeout(phase) }, "{:?}", answer.note);
    }
    for wire in ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nha", "ICY 200 OK\r\nContent-Length: 5\r\n\r\nha"] {
        let server = Server::always(drip(wire)).await;
        let answer = impatient.fetch(local(server.url("/"))).await;
        assert_eq!(answer.exchange.as_ref().unwrap().truncated, Some(Truncated::Time));
        assert_eq!(archived(answer).1, b"ha");
    }
}

#[tokio::test]
async fn a_body_that_falls_silent_ends_before_its_time() {
    let client = client_with(|settings| {
        settings.body_timeout = Duration::from_secs(3600);
        settings.idle_timeout = Duration::from_millis(40);
    });
    let server = Server::always(vec![send("HTTP/1.1 200 OK\r\n\r\nha"), Step::Hold]).await;
    let answer = client.fetch(local(server.url("/"))).await;
    assert_eq!(answer.exchange.unwrap().truncated, Some(Truncated::Time));
}

#[tokio::test]
async fn a_body_that_drips_is_cut_long_before_its_time() {
    let client = client_with(|settings| {
        settings.body_timeout = Duration::from_secs(3600);
        settings.slow_after = Duration::from_millis(20);
        settings.body_rate_min = 1 << 30;
    });
    for head in ["HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n", "ICY 200 OK\r\n\r\n"] {
        let server = Server::always(vec![send(head), Step::Drip(b"x".to_vec(), Duration::from_millis(5))]).await;
        let answer = client.fetch(local(server.url("/"))).await;
        assert_eq!(answer.exchange.as_ref().unwrap().truncated, Some(Truncated::Time));
        assert!(answer.note.unwrap().contains("slower than"));
    }
}

#[tokio::test]
async fn conditional_requests_are_confirmed() {
    let server = Server::always(vec![send("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")]).await;
    let mut ask = local(server.url("/a?b"));
    ask.validators =
        Validators { etag: Some("\"x\"".into()), last_modified: Some("Sun, 15 Nov 2026 12:00:00 GMT".into()) };
    let answer = client().fetch(ask).await;
    assert_eq!(answer.outcome, Outcome::NotModified);
    let sent = String::from_utf8(answer.exchange.unwrap().request_head).unwrap();
    assert_eq!(sent, server.request(0, 0), "the request is archived as it was sent");
    assert_eq!(
        sent,
        format!(
            "GET /a?b HTTP/1.1\r\nHost: {}\r\nUser-Agent: tintype-test (+https://tintype.invalid/)\r\n\
             Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate\r\n\
             If-None-Match: \"x\"\r\nIf-Modified-Since: Sun, 15 Nov 2026 12:00:00 GMT\r\n\r\n",
            server.address
        )
    );
}

#[tokio::test]
async fn redirects_and_refusals_are_outcomes() {
    let answer = ask_once(vec![send("HTTP/1.1 301 Moved\r\nLocation: /b#c\r\nContent-Length: 0\r\n\r\n")]).await;
    assert!(matches!(answer.outcome, Outcome::Redirected { status: 301, to } if to.ends_with("/b")));
    let answer = ask_once(vec![send("HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")]).await;
    assert_eq!(answer.outcome, Outcome::Refused { status: 429, retry_after: Some(Span::from_secs(7)) });
    assert!(answer.exchange.is_some() && answer.asked <= answer.answered);
}
