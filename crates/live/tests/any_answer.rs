//! Whatever bytes a server sends, a fetch ends, and nothing is archived that was not sent.

mod server;

use proptest::prelude::*;
use server::{Server, Step, client_with, local};
use std::time::Duration;
use tintype_vocab::Outcome;

/// Pieces that make parsers stumble, in any order.
fn answer() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        Just(b"HTTP/1.1 200 OK\r\n".to_vec()),
        Just(b"HTTP/1.0 404 No\n".to_vec()),
        Just(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
        Just(b"ICY 200 OK\r\n".to_vec()),
        Just(b"Content-Length: 5\r\n".to_vec()),
        Just(b"Content-Length: 99999999999999999999\r\n".to_vec()),
        Just(b"Transfer-Encoding: chunked\r\n".to_vec()),
        Just(b"Location: http://[\r\n".to_vec()),
        Just(b" folded\r\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\r\n\r\n".to_vec()),
        Just(b"3\r\nabc\r\n".to_vec()),
        Just(b"0\r\n\r\n".to_vec()),
        Just(b"<html>".to_vec()),
        Just(vec![0]),
        prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    needle.is_empty() || haystack.windows(needle.len()).any(|window| window == needle)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fetch_ends_and_keeps_only_what_was_sent(sent in answer(), size in 1usize..64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let answer = runtime.block_on(async {
            let server = Server::always(vec![Step::Pieces(sent.clone(), size), Step::Close]).await;
            let client = client_with(|settings| settings.body_bytes_max = 100);
            let fetch = client.fetch(local(server.url("/")));
            tokio::time::timeout(Duration::from_secs(20), fetch).await.expect("a fetch must end")
        });
        match answer.exchange {
            None => prop_assert!(matches!(answer.outcome, Outcome::Failed { .. }), "{:?}", answer.outcome),
            Some(mut exchange) => {
                let body = exchange.body.prefix(usize::MAX).unwrap();
                prop_assert!(body.len() <= 100);
                if exchange.protocols.is_empty() {
                    prop_assert!(contains(&sent, &exchange.response_head));
                }
                let chunked = contains(&exchange.response_head.to_ascii_lowercase(), b"chunked");
                prop_assert!(chunked || contains(&sent, &body));
            }
        }
    }
}
