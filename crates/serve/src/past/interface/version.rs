//! One version as a reader reads it, with the words that were searched for marked.

use super::{Frame, Past, Reply, encoded, rendered, seconds, texts};
use crate::past::{
    ask::{Ask, archived_url},
    cdx::parameter,
    prepared::NotReady,
};
use askama::Template;
use std::sync::Arc;
use tintype_archive::{ExcerptPart, MarkedVersion, Phrase};
use tintype_vocab::{PartialTime, Time};

/// Lines around one that is marked, in a text too long to be shown.
const AROUND: usize = 3;
/// Bytes of text that are shown.
const SHOWN_MAX: usize = 60_000;

#[derive(Template)]
#[template(path = "version.html")]
struct Version {
    frame: Frame,
    url: String,
    words: String,
    time: String,
    memento: String,
    title: Vec<ExcerptPart>,
    lines: Vec<ShownLine>,
    marks: usize,
    is_whole: bool,
    is_cut: bool,
    search: String,
}

/// A line of the text, or how many were left out here.
enum ShownLine {
    Text(Vec<ExcerptPart>),
    LeftOut(usize),
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let one = |name: &'static str| parameter(&parameters, &[name]).unwrap_or_default();
    let (url, words) = (archived_url(one("url")), one("q").trim());
    let at = PartialTime::parse(one("at")).map_or(Time::MAX, PartialTime::as_asked);
    let Some(phrase) = Phrase::parse(words) else { return Ok(Reply::redirect("/search")) };
    let Some(marked) = texts::marked(past, &url, at, &phrase)? else {
        return Ok(Reply::error(404, &format!("no text is held of {url}; /search finds what is held")));
    };
    let count = |line: &Vec<ExcerptPart>| line.iter().filter(|part| part.is_marked).count();
    let (lines, is_cut) = shown(&marked);
    let page = Version {
        frame: Frame::new(past, ask),
        time: seconds(marked.time),
        memento: format!("/web/{}/{}#:~:text={}", marked.time.to_timestamp14(), marked.url, fragment(words)),
        search: format!("/search?q={}&url={}", encoded(words), encoded(&marked.url)),
        words: words.to_owned(),
        marks: marked.lines.iter().chain([&marked.title]).map(count).sum(),
        lines,
        is_cut,
        title: marked.title,
        is_whole: marked.is_whole,
        url: marked.url,
    };
    rendered(200, &page)
}

/// As browsers look for it in the page that is shown.
fn fragment(words: &str) -> String {
    encoded(words).replace('+', "%20").replace('-', "%2D")
}

/// All of a short text; of a long one what stands around the marks.
fn shown(marked: &MarkedVersion) -> (Vec<ShownLine>, bool) {
    let size = |line: &Vec<ExcerptPart>| line.iter().map(|part| part.text.len()).sum::<usize>() + 10;
    let all = &marked.lines;
    let is_long = all.iter().map(size).sum::<usize>() > SHOWN_MAX;
    let is_marked = |line: &Vec<ExcerptPart>| line.iter().any(|part| part.is_marked);
    let (mut lines, mut left_out, mut room) = (Vec::new(), 0, SHOWN_MAX);
    for (nth, line) in all.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let around = &all[nth.saturating_sub(AROUND)..(nth + AROUND + 1).min(all.len())];
        if (is_long && !around.iter().any(is_marked)) || size(line) > room {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            lines.push(ShownLine::LeftOut(std::mem::take(&mut left_out)));
        }
        room -= size(line);
        lines.push(ShownLine::Text(line.clone()));
    }
    if left_out > 0 {
        lines.push(ShownLine::LeftOut(left_out));
    }
    (lines, is_long)
}
