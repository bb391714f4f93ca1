//! A certificate as one page that needs nothing else: no script, nothing from elsewhere, light or dark, printable.

use super::{Report, text};
use crate::plain::escaped;
use std::fmt::Write;
use tintype_quality::certificate::{Certificate, PageProof, PageVerdict};
use tintype_serve::organ_pipes;

/// Pages in the table; `--json` has all of them.
const LISTED: usize = 2000;

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Capture certificate</title>
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --soft: #5c5c5c; --line: #dcdcdc; --panel: #f5f6f7; --sharp: #0072b2; --blurred: #b34f00; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #ececec; --soft: #a8adb3; --line: #34383d; --panel: #1f2226; --sharp: #6fbbe8; --blurred: #f0a45c; } }
@media print { :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --panel: #fff; --sharp: #0072b2; --blurred: #b34f00; } tr, figure { break-inside: avoid; } section + section { break-before: page; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 60rem; background: var(--paper); color: var(--ink); font: 16px/1.5 "Noto Sans", system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
section + section { margin-top: 4rem; border-top: 3px solid var(--line); padding-top: 2.5rem; }
.id, footer { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .8rem; margin: 1.6rem 0; padding: 0; }
.figures div { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; }
.figures dt { color: var(--soft); font-size: .85rem; }
.figures dd { margin: .1rem 0 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures dd small { display: block; font-size: .8rem; font-weight: 400; color: var(--soft); }
figure { margin: 1.5rem 0; padding: .6rem; background: #fff; border: 1px solid var(--line); border-radius: .5rem; }
figure svg { display: block; width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; white-space: nowrap; }
td { overflow-wrap: anywhere; }
.sharp { color: var(--sharp); } .blurred { color: var(--blurred); } .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
footer { margin-top: 3rem; }
</style>
</head>
<body>
"#;

const FOOT: &str = "<footer>Anybody who has the WARC files can check this: <code>tintype report --json &gt; certificate.json</code>, then \
<code>tintype verify --certificate certificate.json FILES</code>. An interval given with an expectation holds nine captures of \
ten.</footer>\n</body>\n</html>\n";

/// The page so far, a section per capture.
#[derive(Debug)]
pub(super) struct Page {
    text: String,
}

impl Page {
    pub(super) fn new() -> Page {
        Page { text: HEAD.to_owned() }
    }

    pub(super) fn add(&mut self, report: &Report) {
        let (text, certificate) = (&mut self.text, &report.certificate);
        writeln!(text, "<section>\n<h1>{}</h1>", escaped(&certificate.site)).expect("strings grow");
        writeln!(text, "<p class=\"id\">{}</p>", escaped(&certificate.capture)).expect("strings grow");
        figures(text, report);
        if certificate.captured > 0 {
            writeln!(text, "<figure>{}</figure>", organ_pipes(certificate).draw().svg()).expect("strings grow");
        }
        text.push_str("<h2>What is known</h2>\n<table>\n");
        let mut label_before = "";
        for (label, sentence) in text::rows(report).into_iter().skip(1) {
            let shown = if label == label_before { "" } else { label };
            label_before = label;
            writeln!(text, "<tr><th>{shown}</th><td>{}</td></tr>", escaped(&sentence)).expect("strings grow");
        }
        text.push_str("</table>\n");
        text.extend(report.skipped.iter().map(|skipped| skipped.html()));
        text.extend(report.copies.iter().map(|copies| copies.html()));
        not_sharp(text, certificate);
        sharp(text, certificate);
        text.push_str("</section>\n");
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str(FOOT);
        self.text
    }
}

/// The numbers to begin with: what was brought home, and what is proved of it.
fn figures(text: &mut String, Report { certificate: of, counted: counts, .. }: &Report) {
    let dated = match of.dated {
        Some(dated) if dated.is_whole() => ("whole".to_owned(), dated.period.from.to_string()),
        Some(dated) => (format!("{} of {}", dated.pages, dated.of), dated.period.from.to_string()),
        None => ("–".to_owned(), String::new()),
    };
    let expected = format!("{:.1} expected", of.sharp.expected);
    let blur = format!("{} expected", text::figure(of.blur.expected));
    let revisits = format!("{} of them revisits", of.revisits);
    let missing: u64 = of.failures.values().sum();
    let changed = counts.changed + counts.changed_meanwhile;
    let meanwhile = format!("{} of them while it ran", counts.changed_meanwhile);
    let mut all = vec![
        ("Pages captured", of.captured.to_string(), format!("{} first seen", counts.first)),
        ("Missing", missing.to_string(), String::new()),
        ("Changed", changed.to_string(), meanwhile),
        ("Visits", of.visits.to_string(), revisits),
    ];
    if of.revisits > 0 {
        all.push(("Sharp pages", format!("{} of {}", of.sharp.proved, of.captured), expected));
        all.push(("Datable to one moment", dated.0, dated.1));
        all.push(("Blur, in changes", text::figure(of.blur.realised), blur));
    }
    text.push_str("<dl class=\"figures\">\n");
    for (name, value, note) in all {
        let note = escaped(&note);
        writeln!(text, "<div><dt>{name}</dt><dd>{value}<small>{note}</small></dd></div>").expect("strings grow");
    }
    text.push_str("</dl>\n");
}

fn not_sharp(text: &mut String, of: &Certificate) {
    let pages: Vec<&PageProof> = of.pages.iter().filter(|page| text::is_listed(of, page)).collect();
    if pages.is_empty() {
        return;
    }
    let what = if of.revisits > 0 { "Pages that are not sharp" } else { "Pages that are missing" };
    let columns = "<tr><th>page</th><th>why</th><th>first asked</th></tr>";
    writeln!(text, "<h2>{what}</h2>\n<table>\n{columns}").expect("strings grow");
    for page in pages.iter().take(LISTED) {
        let reason = page.reason();
        let class = if reason.is_some_and(|reason| reason.is_change()) { "blurred" } else { "" };
        let reason = reason.map_or(String::new(), |reason| reason.to_string());
        let (url, first) = (escaped(&page.url), page.first);
        writeln!(text, "<tr><td>{url}</td><td class=\"{class}\">{reason}</td><td class=\"number\">{first}</td></tr>")
            .expect("strings grow");
    }
    close(text, pages.len());
}

fn sharp(text: &mut String, of: &Certificate) {
    if of.sharp.proved == 0 {
        return;
    }
    text.push_str(
        "<h2>Sharp pages</h2>\n<table>\n<tr><th>page</th><th>the same from</th><th>to</th><th>digest</th></tr>\n",
    );
    let proofs = of.pages.iter().filter_map(|page| match page.verdict {
        PageVerdict::Sharp { period, digest } => Some((page, period, digest)),
        _ => None,
    });
    for (page, period, digest) in proofs.take(LISTED) {
        let (url, from, to) = (escaped(&page.url), period.from, period.to);
        writeln!(
            text,
            "<tr><td>{url}</td><td class=\"number\">{from}</td><td class=\"number\">{to}</td><td><small>{digest}</small></td></tr>"
        )
        .expect("strings grow");
    }
    close(text, of.sharp.proved as usize);
}

fn close(text: &mut String, rows: usize) {
    text.push_str("</table>\n");
    if let Some(more @ 1..) = rows.checked_sub(LISTED) {
        writeln!(text, "<p>and {more} more; --json lists all</p>").expect("strings grow");
    }
}
