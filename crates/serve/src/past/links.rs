//! Addresses and Memento headers (RFC 7089).

use super::ask::Ask;
use tintype_archive::holdings::Memento;
use tintype_vocab::Time;

/// The address of a memento.
pub(super) fn memento(ask: &Ask, time: Time, modifier: &str, url: &str) -> String {
    format!("{}/web/{}{modifier}/{url}", ask.origin, time.to_timestamp14())
}

pub(super) fn timegate(ask: &Ask, url: &str) -> String {
    format!("{}/web/{url}", ask.origin)
}

pub(super) fn timemap(ask: &Ask, url: &str) -> String {
    format!("{}/web/timemap/link/{url}", ask.origin)
}

/// What may stand between the angle brackets of a link.
pub(super) fn bracketed(url: &str) -> String {
    let plain = |c: char| !c.is_control() && !matches!(c, '<' | '>' | '"' | ' ');
    url.chars().map(|c| if plain(c) { c.to_string() } else { format!("%{:02X}", c as u32 & 0xff) }).collect()
}

/// The relations every answer about a page has.
pub(super) fn about(ask: &Ask, url: &str) -> String {
    format!(
        "<{}>; rel=\"original\", <{}>; rel=\"timegate\", <{}>; rel=\"timemap\"; type=\"application/link-format\"",
        bracketed(url),
        bracketed(&timegate(ask, url)),
        bracketed(&timemap(ask, url))
    )
}

/// The same, with the first, last and neighbouring mementos of one of them.
pub(super) fn around(ask: &Ask, url: &str, mementos: &[Memento], time: Time) -> String {
    let mut links = about(ask, url);
    let before = mementos.iter().rfind(|memento| memento.time < time);
    let after = mementos.iter().find(|memento| memento.time > time);
    let this = mementos.iter().find(|memento| memento.time == time);
    let (first, last) = (mementos.first().map(|memento| memento.time), mementos.last().map(|memento| memento.time));
    for (memento, relation) in [(before, "prev"), (this, ""), (after, "next")] {
        let Some(memento) = memento else { continue };
        let is = |end: Option<Time>, name: &'static str| if end == Some(memento.time) { name } else { "" };
        let relations = [is(first, "first"), is(last, "last"), relation, "memento"];
        let relation: Vec<&str> = relations.into_iter().filter(|name| !name.is_empty()).collect();
        links += &link(ask, memento, &relation.join(" "));
    }
    for (end, name) in [(mementos.first(), "first"), (mementos.last(), "last")] {
        let is_there = |time: Time| [before, this, after].iter().flatten().any(|memento| memento.time == time);
        if let Some(memento) = end.filter(|memento| !is_there(memento.time)) {
            links += &link(ask, memento, &format!("{name} memento"));
        }
    }
    links
}

fn link(ask: &Ask, to: &Memento, relation: &str) -> String {
    let address = memento(ask, to.time, "", to.url());
    format!(", <{}>; rel=\"{relation}\"; datetime=\"{}\"", bracketed(&address), to.time.to_mail_date())
}
