//! `tintype get`: the version of a page that answers for a time, and how sure that is.

use super::{Common, captures::parse_at};
use crate::{
    amount::{bytes, counted, parse_span},
    failure::usage,
    out,
    plain::printable,
};
use clap::Args;
use serde_json::{Value, json};
use std::process::ExitCode;
use tintype_archive::{
    Collection,
    holdings::{AskedVersion, Holdings, MementoBody, OpenedMemento, PageVersion, TimeProof, proof, versions_of},
};
use tintype_observe::{Described, page, plain as decoded};
use tintype_vocab::{PartialTime, Span, Time};

/// Show the version of a page that answers for a time: from which capture, seen when, and whether it is proved for then
///
/// A version is proved for a time if a visit saw it then, or if two visits around it saw the same bytes. Without --at the
/// latest version answers. Of a part of a date (2026, 2026-11) its last second is meant, as replay tools read it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype get https://example.com/\n  tintype get https://example.com/ --at 2026-11-15T21:55:03Z\n  tintype get https://example.com/ --at 2026 --before --text\n  tintype get https://example.com/logo.png --raw > logo.png\n  tintype get https://example.com/ --between 202610,202611 --json"
)]
pub(crate) struct Options {
    /// The address of the page
    #[arg(value_name = "URL")]
    url: String,
    /// The time it is asked for: 2026, 202611, 20261115215503, 2026-11-15T21:55:03Z
    #[arg(long, value_name = "TIME", value_parser = parse_at)]
    at: Option<PartialTime>,
    /// The version seen nearest to the time, earlier or later; what --at does by itself
    #[arg(long, requires = "at", conflicts_with_all = ["before", "between"])]
    nearest: bool,
    /// The last version seen at the time or before it, never a later one
    #[arg(long, requires = "at", conflicts_with = "between")]
    before: bool,
    /// The last version seen from one time to another, with all that were seen there
    #[arg(long, value_name = "FROM,TO", value_parser = parse_between, conflicts_with = "at")]
    between: Option<(PartialTime, PartialTime)>,
    /// Only if a visit saw it this near to the time, or it is proved for it: 12h, 7d
    #[arg(long, value_name = "SPAN", value_parser = parse_span, requires = "at")]
    within: Option<Span>,
    /// Write the bytes as the server sent them, content codings undone, and nothing else
    #[arg(long, group = "shape")]
    raw: bool,
    /// Write what a person reads of the page
    #[arg(long, group = "shape")]
    text: bool,
    /// Write the status line and the headers of the answer
    #[arg(long, group = "shape")]
    headers: bool,
    #[command(flatten)]
    common: Common,
}

fn parse_between(text: &str) -> Result<(PartialTime, PartialTime), String> {
    let (from, to) = text.split_once(',').ok_or("write two times with a comma between: 202610,202611")?;
    Ok((parse_at(from)?, parse_at(to)?))
}

impl Options {
    fn wanted(&self) -> AskedVersion {
        match (self.at.map(PartialTime::as_asked), self.between) {
            (_, Some((from, to))) => AskedVersion::Between(from.earliest, to.latest),
            (Some(at), _) if self.before => AskedVersion::Before(at),
            (Some(at), _) => AskedVersion::Nearest(at),
            (None, None) => AskedVersion::Latest,
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let holdings = Holdings::of_collection(Collection::read(&options.common.collection)?);
    let versions = versions_of(holdings.mementos(&options.url)?);
    let wanted = options.wanted();
    let Some(number) = wanted.choose(&versions) else { return Err(nothing(options, &versions)) };
    let version = &versions[number];
    let moment = wanted.moment();
    let visit = version.visit_near(moment.unwrap_or(version.last));
    let proved = moment.map(|at| proof(&versions, number, at));
    if let (Some(at), Some(within)) = (moment, options.within)
        && !proved.is_some_and(TimeProof::is_proved)
        && distance(visit.time, at) > within
    {
        let problem = format!(
            "the version of {} nearest to {at} was seen {}, more than {within} away",
            printable(&options.url),
            visit.time
        );
        return Err(usage(problem, "leave out --within, or name another time"));
    }
    let Some(opened) = holdings.open(visit)? else {
        let problem = format!("the bytes of {} as of {} are not held", options.url, visit.time);
        return Err(usage(problem, "tintype verify says what is missing"));
    };
    let capture = holdings.capture_of(visit)?.map(|capture| capture.id.to_string());
    let found = Found { versions: &versions, number, opened: &opened, capture, moment, proved };
    if options.raw {
        return raw(&holdings, &opened);
    }
    if options.headers {
        out::bytes(&opened.head)?;
    } else if options.text {
        out::text(&readable(&whole(&holdings, &opened)?, &opened));
    } else if options.common.json {
        out::json(&found.as_json());
    } else {
        out::text(&found.text());
    }
    Ok(ExitCode::SUCCESS)
}

fn distance(one: Time, other: Time) -> Span {
    Span::from_millis((one - other).as_millis().abs())
}

fn nothing(options: &Options, versions: &[PageVersion]) -> anyhow::Error {
    let url = printable(&options.url);
    match (versions.first(), versions.last()) {
        (Some(_), _) if options.between.is_some_and(|(from, to)| from.earliest > to.latest) => {
            usage("--between ends before it begins", "write the earlier time first: --between 202610,202611")
        }
        (Some(first), Some(last)) => {
            let problem =
                format!("no version of {url} was seen then; it was seen from {} to {}", first.first, last.last);
            usage(problem, "name another time, or none for the latest version")
        }
        _ => usage(format!("the collection holds nothing of {url}"), "tintype captures lists what it holds"),
    }
}

/// The answer and what is known of it.
struct Found<'a> {
    versions: &'a [PageVersion],
    number: usize,
    opened: &'a OpenedMemento,
    capture: Option<String>,
    moment: Option<Time>,
    proved: Option<TimeProof>,
}

impl Found<'_> {
    fn version(&self) -> &PageVersion {
        &self.versions[self.number]
    }

    fn as_json(&self) -> Value {
        let (version, opened) = (self.version(), self.opened);
        let original = opened.original.as_ref().map(|(url, time)| json!({ "url": url, "date": time.to_rfc3339() }));
        json!({
            "url": opened.url, "asked": self.moment.map(Time::to_rfc3339_secs), "visited": opened.time.to_rfc3339(),
            "capture": self.capture, "status": opened.status, "content_type": opened.field("content-type"),
            "digest": version.digest(), "first_seen": version.first.to_rfc3339_secs(),
            "last_seen": version.last.to_rfc3339_secs(), "visits": version.mementos.len(),
            "version": self.number + 1, "versions": self.versions.len(), "original": original,
            "proved": self.proved.map(TimeProof::is_proved), "proof": self.proved.map(proof_as_json),
        })
    }

    fn text(&self) -> String {
        let (version, opened) = (self.version(), self.opened);
        let mut text = format!("{}\n", printable(&opened.url));
        let mut row = |label: &str, detail: String| text += &format!("  {label:<12}{detail}\n");
        let kind = opened.field("content-type").map_or("no type".to_owned(), |kind| printable(&kind));
        let size = match &opened.body {
            MementoBody::Whole(body) => bytes(body.len() as u64),
            MementoBody::Large { len: Some(len), .. } => bytes(*len),
            MementoBody::Large { .. } => "large".to_owned(),
        };
        row("answer", format!("{} {kind}, {size}", opened.status));
        row("version", format!("{} of {}, {}", self.number + 1, self.versions.len(), version.digest().unwrap_or("-")));
        row(
            "seen",
            format!("{} to {}, by {}", version.first, version.last, counted(version.mementos.len() as u64, "visit")),
        );
        row("visited", opened.time.to_rfc3339());
        if let Some(capture) = &self.capture {
            row("capture", capture.clone());
        }
        if let Some((url, time)) = &opened.original {
            row("bytes from", format!("{} {}", time.to_rfc3339(), printable(url)));
        }
        if let (Some(at), Some(proved)) = (self.moment, self.proved) {
            row(if proved.is_proved() { "proved" } else { "not proved" }, format!("for {at}: {}", proof_text(proved)));
        }
        text
    }
}

fn proof_text(proof: TimeProof) -> String {
    match proof {
        TimeProof::Visited => "a visit saw it then".to_owned(),
        TimeProof::Bracketed { from, to } => format!("the visits of {from} and {to} saw the same bytes"),
        TimeProof::NotSeenSince { last } => format!("last seen {last}, and nobody looked since"),
        TimeProof::NotSeenYet { first } => format!("first seen {first}, which is later"),
        TimeProof::ReplacedBefore { last, next } => {
            format!("last seen {last}; the visit of {next} saw another version")
        }
    }
}

fn proof_as_json(proof: TimeProof) -> Value {
    let date = Time::to_rfc3339_secs;
    match proof {
        TimeProof::Visited => json!({ "by": "visit" }),
        TimeProof::Bracketed { from, to } => json!({ "by": "bracket", "from": date(from), "to": date(to) }),
        TimeProof::NotSeenSince { last } => json!({ "not": "seen-since", "last": date(last) }),
        TimeProof::NotSeenYet { first } => json!({ "not": "seen-yet", "first": date(first) }),
        TimeProof::ReplacedBefore { last, next } => {
            json!({ "not": "same-at-next-visit", "last": date(last), "next": date(next) })
        }
    }
}

fn raw(holdings: &Holdings, opened: &OpenedMemento) -> anyhow::Result<ExitCode> {
    if opened.field("content-encoding").is_some() {
        let body = whole(holdings, opened)?;
        out::bytes(&decoded(opened.field("content-encoding").as_deref(), &body))?;
    } else {
        let mut written = Ok(());
        holdings.pour(&opened.body, &mut |piece| {
            if written.is_ok() {
                written = out::bytes(piece);
            }
        })?;
        written?;
    }
    Ok(ExitCode::SUCCESS)
}

fn whole(holdings: &Holdings, opened: &OpenedMemento) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    holdings.pour(&opened.body, &mut |piece| body.extend_from_slice(piece))?;
    Ok(body)
}

/// The text of a page, block by block; of anything else its bytes as text.
fn readable(body: &[u8], opened: &OpenedMemento) -> String {
    let (content_type, content_encoding) = (opened.field("content-type"), opened.field("content-encoding"));
    let described = Described {
        url: &opened.url,
        content_type: content_type.as_deref(),
        content_encoding: content_encoding.as_deref(),
        link_headers: &[],
        robots_headers: &[],
    };
    match page::segment(&described, body) {
        Some(page) => page.text().lines().map(|line| format!("{}\n", printable(line))).collect(),
        None => String::from_utf8_lossy(&decoded(content_encoding.as_deref(), body)).into_owned(),
    }
}
