//! Who may change something: whoever showed the token that lies in a file of the person who started the server.
//!
//! A browser that showed it once is known by a cookie that is sent to this server from its own pages only; every form names a
//! second secret of that sign-in, and whatever comes from another origin is refused. Reading needs none of it.

use super::{ask::Ask, reply::Reply};
use sha2::{Digest as _, Sha256};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

/// Browsers that are signed in; beyond them the others have to do it again.
const BROWSERS_MAX: usize = 64;
/// Below this all addresses are that take forms.
pub(super) const FORMS: &str = "/do/";

/// The sign-ins of this run.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Nothing where nothing can be changed.
    token: Option<[u8; 32]>,
    /// The secret of its forms by the secret of each sign-in.
    signed_in: Mutex<HashMap<String, String>>,
}

impl Control {
    /// A token that crosses a network in the clear is none: where others can listen nobody signs in.
    pub(super) fn on(ip: IpAddr, token: Option<&str>) -> Control {
        let token = token.filter(|_| ip.is_loopback());
        Control { token: token.map(hashed), signed_in: Mutex::default() }
    }

    /// Whether anybody can change anything here.
    pub(super) fn is_possible(&self) -> bool {
        self.token.is_some()
    }

    /// What the forms of a page must name, if its reader is signed in.
    pub(super) fn form_secret(&self, ask: &Ask) -> Option<String> {
        let signed_in = self.signed_in.lock().unwrap_or_else(PoisonError::into_inner);
        signed_in.get(cookie(ask)?).cloned()
    }

    /// Whether a form was sent by a page of this server that its reader was shown.
    pub(super) fn allows(&self, ask: &Ask) -> bool {
        let secret = self.form_secret(ask);
        is_from_here(ask)
            && secret.is_some_and(|secret| field(ask, "secret").is_some_and(|sent| hashed(sent) == hashed(&secret)))
    }

    /// Answers `/do/sign-in`.
    pub(super) fn sign_in(&self, ask: &Ask) -> Reply {
        let shown = field(ask, "token").map(|token| hashed(token.trim()));
        if !is_from_here(ask) || self.token.is_none() || shown != self.token {
            return Reply::error(403, "this is not the token; the server names the file it lies in when it is started");
        }
        let (Some(session), Some(secret)) = (random(), random()) else {
            return Reply::error(500, "this machine has no random numbers");
        };
        let mut signed_in = self.signed_in.lock().unwrap_or_else(PoisonError::into_inner);
        if signed_in.len() >= BROWSERS_MAX {
            signed_in.clear();
        }
        signed_in.insert(session.clone(), secret);
        let cookie = format!("{}={session}; Path=/; HttpOnly; SameSite=Strict", cookie_name(ask));
        Reply::see_other(back(ask)).with("Set-Cookie", &cookie)
    }

    pub(super) fn sign_out(&self, ask: &Ask) -> Reply {
        if let Some(session) = cookie(ask) {
            self.signed_in.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
        }
        let cookie = format!("{}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", cookie_name(ask));
        Reply::see_other("/").with("Set-Cookie", &cookie)
    }
}

/// A field of the form that was sent.
pub(super) fn field<'a>(ask: &'a Ask, name: &str) -> Option<&'a str> {
    ask.form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Where the form wants to lead, if that is on this server.
pub(super) fn back(ask: &Ask) -> &str {
    let is_here = |to: &&str| to.starts_with('/') && !to.starts_with("//") && !to.contains(['\\', '\r', '\n']);
    field(ask, "back").filter(is_here).unwrap_or("/")
}

/// A browser says where a form comes from; one that does not is none.
fn is_from_here(ask: &Ask) -> bool {
    let is_origin = ask.sender.origin.as_deref() == Some(ask.origin.as_str());
    is_origin && ask.sender.site.as_deref().is_none_or(|site| site == "same-origin")
}

/// Servers on other ports of this machine get the same cookies.
fn cookie_name(ask: &Ask) -> String {
    format!(
        "tintype-{}",
        ask.origin.rsplit(':').next().filter(|port| port.bytes().all(|b| b.is_ascii_digit())).unwrap_or("80")
    )
}

fn cookie(ask: &Ask) -> Option<&str> {
    let name = cookie_name(ask);
    let pairs = ask.sender.cookie.as_deref()?.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Compared instead of the secret itself: how long that takes tells nothing.
fn hashed(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn random() -> Option<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).ok()?;
    Some(data_encoding::BASE64URL_NOPAD.encode(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_that_this_machine_alone_reaches_takes_a_token() {
        let can = |ip: &str| Control::on(ip.parse().unwrap(), Some("a token that is long enough")).is_possible();
        assert_eq!(["127.0.0.1", "127.8.8.8", "::1"].map(can), [true; 3]);
        assert_eq!(["0.0.0.0", "192.168.1.2", "8.8.8.8", "::", "fe80::1", "2001:db8::1"].map(can), [false; 6]);
        assert!(!Control::on("127.0.0.1".parse().unwrap(), None).is_possible());
    }
}
