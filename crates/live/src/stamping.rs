//! Asks an authority for a time stamp (RFC 3161): one question, one answer.

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Request, client::conn::http1, header};
use hyper_util::rt::TokioIo;
use std::{io, time::Duration};
use tintype_archive::time_stamp::{QUERY_TYPE, REPLY_TYPE};
use tokio::{net::TcpStream, time::timeout};
use url::Url;

/// How long an authority may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// No answer with all its certificates is larger.
const ANSWER_MAX: usize = 1 << 20;

/// Puts a question to an authority. Only by http: what comes back is signed, and who listens learns a digest.
pub fn ask(authority: &Url, query: Vec<u8>) -> io::Result<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the authority did not answer in time");
    runtime.block_on(async { timeout(PATIENCE, answer(authority, query)).await }).map_err(late)?
}

async fn answer(authority: &Url, query: Vec<u8>) -> io::Result<Vec<u8>> {
    let host = authority.host_str().filter(|_| authority.scheme() == "http");
    let host = host.ok_or_else(|| io::Error::other("the address of an authority begins with http://"))?;
    let port = authority.port().unwrap_or(80);
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    tokio::spawn(connection);
    let request = Request::post(&authority[url::Position::BeforePath..url::Position::AfterQuery])
        .header(header::HOST, format!("{host}:{port}"))
        .header(header::CONTENT_TYPE, QUERY_TYPE)
        .header(header::ACCEPT, REPLY_TYPE)
        .body(Full::new(Bytes::from(query)))
        .map_err(io::Error::other)?;
    let response = sender.send_request(request).await.map_err(io::Error::other)?;
    let status = response.status();
    if !status.is_success() {
        return Err(io::Error::other(format!("the authority answered {status}")));
    }
    let body = Limited::new(response.into_body(), ANSWER_MAX).collect().await.map_err(io::Error::other)?;
    Ok(body.to_bytes().to_vec())
}
