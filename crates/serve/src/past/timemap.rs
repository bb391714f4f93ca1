//! TimeMaps: every memento of a page, as links (RFC 7089), JSON or CDXJ, a page of them at a time.

use super::{
    Past,
    ask::{Ask, archived_url},
    links::{self, bracketed},
    reply::Reply,
};
use serde_json::json;
use tintype_archive::{Error, holdings::Memento};

/// Mementos in one answer.
const PAGE: usize = 5000;

pub(super) fn answer(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let rest = ask.rest("/web/timemap/");
    let Some((form, rest)) = rest.split_once('/').filter(|(form, _)| ["link", "json", "cdxj"].contains(form)) else {
        return Ok(Reply::error(404, "write /web/timemap/link/, /json/ or /cdxj/ and an address"));
    };
    let (page, url) = match rest.split_once('/') {
        Some((number, url)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (number.parse::<usize>().unwrap_or(usize::MAX).max(1), url)
        }
        _ => (1, rest),
    };
    let url = archived_url(url);
    let mementos = past.holdings.mementos(&url)?;
    let from = (page - 1).saturating_mul(PAGE);
    if mementos.len() <= from {
        return Ok(Reply::error(404, "nothing of this page is held").with("Link", &links::about(ask, &url)));
    }
    let shown = &mementos[from..mementos.len().min(from + PAGE)];
    let map = Map { ask, form, url: &url, mementos: &mementos, shown, page };
    Ok(match form {
        "link" => Reply::text(200, "application/link-format", map.as_links()),
        "json" => Reply::json(200, &map.as_json()),
        _ => Reply::text(
            200,
            "text/x-cdxj",
            shown.iter().map(|memento| format!("{}\n", memento.line)).collect::<String>(),
        ),
    })
}

struct Map<'a> {
    ask: &'a Ask,
    form: &'a str,
    url: &'a str,
    mementos: &'a [Memento],
    shown: &'a [Memento],
    page: usize,
}

impl Map<'_> {
    fn address(&self, page: usize) -> String {
        let number = if page == 1 { String::new() } else { format!("{page}/") };
        format!("{}/web/timemap/{}/{number}{}", self.ask.origin, self.form, self.url)
    }

    /// Every other page, with the times it covers.
    fn others(&self) -> impl Iterator<Item = (usize, &[Memento])> {
        self.mementos.chunks(PAGE).enumerate().map(|(at, part)| (at + 1, part)).filter(|(page, _)| *page != self.page)
    }

    fn as_links(&self) -> String {
        let during = |part: &[Memento]| {
            let date =
                |memento: Option<&Memento>| memento.map(|memento| memento.time.to_mail_date()).unwrap_or_default();
            format!("; from=\"{}\"; until=\"{}\"", date(part.first()), date(part.last()))
        };
        let mut text = format!(
            "<{}>; rel=\"original\",\n<{}>; rel=\"self\"; type=\"application/link-format\"{},\n<{}>; rel=\"timegate\"",
            bracketed(self.url),
            bracketed(&self.address(self.page)),
            during(self.shown),
            bracketed(&links::timegate(self.ask, self.url))
        );
        for (page, part) in self.others() {
            let address = bracketed(&self.address(page));
            text += &format!(",\n<{address}>; rel=\"timemap\"; type=\"application/link-format\"{}", during(part));
        }
        for memento in self.shown {
            text += &format!(
                ",\n<{}>; rel=\"{}\"; datetime=\"{}\"",
                bracketed(&links::memento(self.ask, memento.time, "", memento.url())),
                self.relation(memento),
                memento.time.to_mail_date()
            );
        }
        text + "\n"
    }

    fn relation(&self, memento: &Memento) -> &'static str {
        let is = |end: Option<&Memento>| end.is_some_and(|end| std::ptr::eq(end, memento));
        match (is(self.mementos.first()), is(self.mementos.last())) {
            (true, true) => "first last memento",
            (true, false) => "first memento",
            (false, true) => "last memento",
            (false, false) => "memento",
        }
    }

    fn as_json(&self) -> serde_json::Value {
        let listed: Vec<_> = self
            .shown
            .iter()
            .map(|memento| {
                let uri = links::memento(self.ask, memento.time, "", memento.url());
                json!({ "datetime": memento.time.to_rfc3339_secs(), "uri": uri })
            })
            .collect();
        let pages: Vec<String> = self.others().map(|(page, _)| self.address(page)).collect();
        json!({
            "original_uri": self.url, "self": self.address(self.page), "timegate_uri": links::timegate(self.ask, self.url),
            "timemap_uri": { "link_format": links::timemap(self.ask, self.url) }, "pages": pages,
            "mementos": { "list": listed },
        })
    }
}
