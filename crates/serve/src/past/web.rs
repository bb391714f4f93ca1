//! `/web/`: mementos, the TimeGate, and the way to the calendar.

use super::{
    Past,
    ask::{Ask, archived_url},
    calendar, links, raw, replay,
    reply::Reply,
};
use tintype_archive::{
    Error,
    holdings::{Memento, OpenedMemento},
};
use tintype_vocab::{PartialTime, Time};

/// What may stand behind a timestamp: how the answer is to be shown.
const MODIFIERS: [&str; 6] = ["id_", "mp_", "if_", "im_", "js_", "cs_"];
/// Records that are tried before an answer is given up.
const TRIED_MAX: usize = 10;

/// An address below `/web/`.
#[derive(Debug, PartialEq)]
enum Web {
    Calendar(String),
    TimeGate(String),
    Memento { timestamp: String, modifier: &'static str, url: String },
}

fn read(rest: &str) -> Web {
    let (first, url) = rest.split_once('/').unwrap_or((rest, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if first.strip_suffix('*').is_some_and(is_digits) && !url.is_empty() {
        return Web::Calendar(archived_url(url));
    }
    let modifier = MODIFIERS.into_iter().find(|modifier| first.ends_with(modifier)).unwrap_or_default();
    let timestamp = first.strip_suffix(modifier).unwrap_or(first);
    let is_time = !timestamp.is_empty() && timestamp.len() <= 17 && timestamp.bytes().all(|byte| byte.is_ascii_digit());
    match is_time && !url.is_empty() {
        true => Web::Memento { timestamp: timestamp.to_owned(), modifier, url: archived_url(url) },
        false => Web::TimeGate(archived_url(rest)),
    }
}

pub(super) fn answer(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    match read(&ask.rest("/web/")) {
        Web::Calendar(url) => calendar::page(past, ask, &url),
        Web::TimeGate(url) => timegate(past, ask, &url),
        Web::Memento { timestamp, modifier, url } => memento(past, ask, &timestamp, modifier, &url),
    }
}

/// The memento nearest to `Accept-Datetime`, or the last one.
fn timegate(past: &Past, ask: &Ask, url: &str) -> Result<Reply, Error> {
    let about = links::about(ask, url);
    let at = match ask.accept_datetime.as_deref() {
        None => Time::MAX,
        Some(date) => match Time::parse_mail_date(date) {
            Some(time) => time,
            None => {
                return Ok(
                    Reply::error(400, "Accept-Datetime is no date: Tue, 10 Jun 2003 04:00:00 GMT").with("Link", &about)
                );
            }
        },
    };
    let mementos = past.holdings.mementos(url)?;
    let nearest = mementos.iter().min_by_key(|memento| memento.time.as_millis().abs_diff(at.as_millis()));
    let Some(nearest) = nearest else {
        return Ok(missing(url).with("Vary", "accept-datetime").with("Link", &about));
    };
    let to = links::memento(ask, nearest.time, "", nearest.url());
    let around = links::around(ask, url, &mementos, nearest.time);
    Ok(Reply::redirect(&to).with("Vary", "accept-datetime").with("Link", &around))
}

fn memento(past: &Past, ask: &Ask, timestamp: &str, modifier: &'static str, url: &str) -> Result<Reply, Error> {
    let Ok(asked) = PartialTime::parse(timestamp) else { return Ok(Reply::error(400, "this is no time")) };
    let mementos = past.holdings.mementos(url)?;
    let Some((found, opened)) = nearest_of(past, &mementos, asked.as_asked()) else {
        return Ok(missing(url).with("Link", &links::about(ask, url)));
    };
    if found.time.to_timestamp14() != timestamp || found.url() != url {
        let to = links::memento(ask, found.time, modifier, found.url());
        return Ok(Reply::redirect(&to).with("Link", &links::about(ask, url)));
    }
    let in_page = matches!(modifier, "mp_" | "if_");
    if ask.is_navigation && modifier.is_empty() {
        let to = replay::origin_address(ask, &found);
        return Ok(Reply::redirect(&to.unwrap_or_else(|| links::memento(ask, found.time, "mp_", found.url()))));
    }
    let location = opened.field("location").map(|to| joined(&opened.url, &to));
    let mut reply = match in_page && location.is_none() {
        true => replay::below_path(opened, ask, &found),
        false => raw::reply(opened, ask.range.as_deref(), &ask.codings),
    };
    if let Some(to) = location {
        reply = reply.with("Location", &links::memento(ask, found.time, modifier, &to));
    }
    Ok(reply
        .with("Memento-Datetime", &found.time.to_mail_date())
        .with("Link", &links::around(ask, found.url(), &mementos, found.time)))
}

/// The record nearest to a moment that can be opened.
pub(super) fn nearest(past: &Past, url: &str, at: Time) -> Result<Option<(Memento, OpenedMemento)>, Error> {
    Ok(nearest_of(past, &past.holdings.mementos(url)?, at))
}

fn nearest_of(past: &Past, mementos: &[Memento], at: Time) -> Option<(Memento, OpenedMemento)> {
    let mut by_distance: Vec<&Memento> = mementos.iter().collect();
    by_distance.sort_by_key(|memento| memento.time.as_millis().abs_diff(at.as_millis()));
    // A record that cannot be read leaves its neighbours readable.
    let opened = |memento: &Memento| Some((memento.clone(), past.holdings.open(memento).ok()??));
    by_distance.into_iter().take(TRIED_MAX).find_map(opened)
}

pub(super) fn missing(url: &str) -> Reply {
    Reply::error(404, &format!("nothing is held of {url}"))
}

/// Where a redirect of the past leads.
pub(super) fn joined(base: &str, to: &str) -> String {
    url::Url::parse(base).and_then(|base| base.join(to)).map_or_else(|_| to.to_owned(), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_below_web_are_told_apart() {
        let memento = |timestamp: &str, modifier, url: &str| Web::Memento {
            timestamp: timestamp.into(),
            modifier,
            url: url.into(),
        };
        for (rest, meant) in [
            ("2026/http://e.com/", memento("2026", "", "http://e.com/")),
            ("20261118id_/e.com/a?b=1", memento("20261118", "id_", "http://e.com/a?b=1")),
            ("*/http://e.com/", Web::Calendar("http://e.com/".into())),
            ("2026*/e.com", Web::Calendar("http://e.com".into())),
            ("http://e.com/2026/x", Web::TimeGate("http://e.com/2026/x".into())),
            ("e.com", Web::TimeGate("http://e.com".into())),
            ("123456789012345678/e.com", Web::TimeGate("http://123456789012345678/e.com".into())),
        ] {
            assert_eq!(read(rest), meant, "{rest}");
        }
    }
}
