//! The few words of SMTP it takes to hand over a mail (RFC 5321), with STARTTLS where the server offers it.

use crate::client::{Transport, dial, start_tls};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use url::Url;

/// Lines of an answer, and characters of one.
const LINES_MAX: usize = 100;

struct Talk {
    stream: BufReader<Transport>,
}

/// Hands a mail to the server at `url`.
pub(super) async fn send(url: &Url, from: &str, to: &[String], mail: &str) -> Result<(), String> {
    let host = url.host_str().ok_or("the mail server has no name")?;
    let is_tls = url.scheme() == "smtps";
    let port = url.port().unwrap_or(if is_tls { 465 } else { 25 });
    let mut talk = Talk { stream: BufReader::new(dial(host, port, is_tls).await?) };
    talk.expect(2).await?;
    let mut offers = talk.say("EHLO tintype", 2).await?;
    if !is_tls && offers.iter().any(|offer| offer.eq_ignore_ascii_case("STARTTLS")) {
        talk.say("STARTTLS", 2).await?;
        talk = talk.secured(host).await?;
        offers = talk.say("EHLO tintype", 2).await?;
    }
    if let Some(password) = url.password() {
        if !offers.iter().any(|offer| offer.to_ascii_uppercase().starts_with("AUTH")) {
            return Err("the mail server does not take a password on this connection".to_owned());
        }
        let plain = format!("\0{}\0{}", plain(url.username()), plain(password));
        talk.say(&format!("AUTH PLAIN {}", data_encoding::BASE64.encode(plain.as_bytes())), 2).await?;
    }
    talk.say(&format!("MAIL FROM:<{}>", address(from)?), 2).await?;
    for to in to {
        talk.say(&format!("RCPT TO:<{}>", address(to)?), 2).await?;
    }
    talk.say("DATA", 3).await?;
    let stuffed: String = mail
        .split_inclusive("\r\n")
        .map(|line| if line.starts_with('.') { format!(".{line}") } else { line.to_owned() })
        .collect();
    talk.write(&stuffed).await?;
    talk.say(".", 2).await?;
    // The mail is the server's now, whatever it says to this.
    let _ = talk.say("QUIT", 2).await;
    Ok(())
}

/// As it was meant before it was put into an address.
fn plain(text: &str) -> String {
    url::form_urlencoded::parse(text.replace('+', "%2B").as_bytes())
        .next()
        .map_or(String::new(), |(name, _)| name.into_owned())
}

/// The part of `Name <a@b>` that a server wants to know.
fn address(text: &str) -> Result<&str, String> {
    let inner = text.rsplit_once('<').map_or(text, |(_, inner)| inner.trim_end_matches('>')).trim();
    let is_plain = inner.contains('@') && inner.chars().all(|c| c.is_ascii_graphic() && !"<>".contains(c));
    if is_plain { Ok(inner) } else { Err(format!("{text} is no mail address")) }
}

impl Talk {
    async fn write(&mut self, text: &str) -> Result<(), String> {
        self.stream.get_mut().write_all(text.as_bytes()).await.map_err(|error| error.to_string())?;
        self.stream.get_mut().flush().await.map_err(|error| error.to_string())
    }

    /// Says a line; what the server offers in its answer, which must be of that hundred.
    async fn say(&mut self, line: &str, hundred: u16) -> Result<Vec<String>, String> {
        self.write(&format!("{line}\r\n")).await?;
        self.expect(hundred).await
    }

    async fn expect(&mut self, hundred: u16) -> Result<Vec<String>, String> {
        let mut offers = Vec::new();
        for _ in 0..LINES_MAX {
            let mut line = String::new();
            let read = self.stream.read_line(&mut line).await.map_err(|error| error.to_string())?;
            let line = line.trim_end();
            let code = line.get(..3).and_then(|code| code.parse::<u16>().ok());
            match code {
                _ if read == 0 => return Err("the mail server hung up".to_owned()),
                Some(code) if code / 100 == hundred => offers.push(line.get(4..).unwrap_or_default().to_owned()),
                _ => return Err(format!("the mail server answered {line}")),
            }
            if line.as_bytes().get(3) != Some(&b'-') {
                return Ok(offers);
            }
        }
        Err("the mail server does not stop talking".to_owned())
    }

    async fn secured(self, host: &str) -> Result<Talk, String> {
        match self.stream.into_inner() {
            Transport::Plain(tcp) => Ok(Talk { stream: BufReader::new(start_tls(tcp, host).await?) }),
            other => Ok(Talk { stream: BufReader::new(other) }),
        }
    }
}
