//! A message to a program: one POST, signed.

use super::hmac::signature;
use crate::client::dial;
use bytes::Bytes;
use http_body_util::Full;
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tintype_archive::OutboxMessage;
use tintype_vocab::Time;
use tokio::time::timeout;
use url::Url;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// Posts a message; any 2xx is a yes. Why not, in words.
pub(super) async fn post(url: &Url, secret: Option<&str>, message: &OutboxMessage, now: Time) -> Result<(), String> {
    let host = url.host_str().ok_or("the address has no host")?;
    let port = url.port_or_known_default().ok_or("the address has no port")?;
    let transport = dial(host, port, url.scheme() == "https").await?;
    let shaken = hyper::client::conn::http1::handshake(TokioIo::new(transport)).await;
    let (mut sender, connection) = shaken.map_err(|error| error.to_string())?;
    let driver = tokio::spawn(connection);
    let request = request(url, secret, message, now)?;
    let answered = timeout(ANSWER_TIMEOUT, sender.send_request(request)).await;
    driver.abort();
    let answer =
        answered.map_err(|_| "timed out waiting for the answer".to_owned())?.map_err(|error| error.to_string())?;
    match answer.status().is_success() {
        true => Ok(()),
        false => Err(format!("the receiver answered {}", answer.status())),
    }
}

fn request(
    url: &Url,
    secret: Option<&str>,
    message: &OutboxMessage,
    now: Time,
) -> Result<http::Request<Full<Bytes>>, String> {
    let body = serde_json::to_vec(&message.data).expect("messages are plain data");
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let host = url.port().map_or(url.host_str().unwrap_or_default().to_owned(), |port| {
        format!("{}:{port}", url.host_str().unwrap_or_default())
    });
    let mut request = http::Request::post(path)
        .header("host", host)
        .header("user-agent", concat!("tintype/", env!("CARGO_PKG_VERSION")))
        .header("content-type", "application/json")
        .header("content-length", body.len())
        .header("idempotency-key", &message.id)
        .header("tintype-attempt", message.attempts + 1);
    if let Some(secret) = secret {
        request = request.header("tintype-signature", signature(secret, now.as_secs(), &body));
    }
    request.body(Full::new(Bytes::from(body))).map_err(|error| error.to_string())
}
