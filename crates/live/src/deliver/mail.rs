//! A message to people, through a mail server or the machine's own sendmail.

use super::smtp;
use std::{process::Stdio, time::Duration};
use tintype_archive::OutboxMessage;
use tokio::time::timeout;

const MAIL_TIMEOUT: Duration = Duration::from_secs(60);
/// Characters of a line of base64, as RFC 2045 has it.
const LINE: usize = 76;

/// Who takes mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailServer {
    /// `smtp://HOST:PORT` or `smtps://…`, with `USER:PASSWORD@` where it wants to know.
    Smtp(url::Url),
    /// A program that reads a mail and is given its receivers, such as `/usr/sbin/sendmail`.
    Sendmail(String),
}

pub(super) async fn send(
    server: &MailServer,
    from: &str,
    to: &[String],
    message: &OutboxMessage,
) -> Result<(), String> {
    let mail = mail(from, to, message);
    let sent = async {
        match server {
            MailServer::Smtp(url) => smtp::send(url, from, to, &mail).await,
            MailServer::Sendmail(program) => {
                let (program, from, to) = (program.clone(), from.to_owned(), to.to_vec());
                let piped = tokio::task::spawn_blocking(move || pipe(&program, &from, &to, mail.as_bytes())).await;
                piped.unwrap_or_else(|_| Err("sendmail could not be run".to_owned()))
            }
        }
    };
    timeout(MAIL_TIMEOUT, sent).await.unwrap_or_else(|_| Err("timed out handing over the mail".to_owned()))
}

fn pipe(program: &str, from: &str, to: &[String], mail: &[u8]) -> Result<(), String> {
    use std::io::Write;
    let mut command = std::process::Command::new(program);
    let command = command.args(["-i", "-f", from, "--"]).args(to).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("cannot run {program}: {error}"))?;
    let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(mail));
    let status = child.wait().map_err(|error| error.to_string())?;
    match (written, status.success()) {
        (Ok(()), true) => Ok(()),
        (Err(error), _) => Err(format!("{program} did not read the mail: {error}")),
        (_, false) => Err(format!("{program} ended with {status}")),
    }
}

/// The mail as it is sent: headers in ASCII, the text in base64, so that no line of it means anything to a mail server.
fn mail(from: &str, to: &[String], message: &OutboxMessage) -> String {
    let text = data_encoding::BASE64.encode(message.text.as_bytes());
    let lines = text.as_bytes().chunks(LINE).map(|line| String::from_utf8_lossy(line)).collect::<Vec<_>>().join("\r\n");
    let to = to.iter().map(|to| header(to)).collect::<Vec<_>>().join(", ");
    format!(
        "From: {}\r\nTo: {to}\r\nSubject: {}\r\nDate: {}\r\nMessage-ID: <{}@tintype>\r\nAuto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n{lines}\r\n",
        header(from),
        encoded(&message.subject),
        message.made.to_mail_date(),
        header(&message.id),
    )
}

/// Nothing that ends a line gets into a header.
fn header(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii() && !c.is_ascii_control()).collect()
}

/// A subject of any words, in pieces short enough for a header (RFC 2047).
fn encoded(subject: &str) -> String {
    let mut words = Vec::new();
    let mut rest = subject;
    while !rest.is_empty() {
        let end = rest.floor_char_boundary(42).max(rest.chars().next().map_or(1, char::len_utf8));
        words.push(format!("=?utf-8?B?{}?=", data_encoding::BASE64.encode(&rest.as_bytes()[..end])));
        rest = &rest[end..];
    }
    words.join("\r\n ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Time;

    #[test]
    fn no_word_of_a_page_becomes_a_header_or_a_command() {
        let made = Time::from_millis(0);
        let subject = "New: x\r\nBcc: all@example.com é".to_owned();
        let text = ".\r\nQUIT\r\n".to_owned();
        let data = serde_json::Value::Null;
        let message = OutboxMessage {
            id: "a\r\nb".into(),
            rule: "r".into(),
            made,
            subject,
            text,
            data,
            attempts: 0,
            due: made,
            last_failure: None,
        };
        let mail = mail("a@b.example", &["c@d.example\r\nX: y".to_owned()], &message);
        let (head, body) = mail.split_once("\r\n\r\n").unwrap();
        assert!(!head.contains("Bcc") && !head.contains("\r\nX:"), "{head}");
        assert!(body.lines().all(|line| line != "." && line != "QUIT"), "{body}");
        assert!(head.lines().all(|line| line.len() <= 78 && line.is_ascii()), "{head}");
    }
}
