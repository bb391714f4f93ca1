//! Sites of so many pages, each with a period of its own; what a page says follows from its number and the moment.

use std::fmt::Write as _;
use tintype_archive::{CaptureKind, Retention};
use tintype_plan::{Budget, DayBudget, DaySpending, Keeper, Settings, SiteTerms};
use tintype_session::SiteSpec;
use tintype_vocab::{Purpose, Request, SiteId, Span, Time};
use tintype_world::Document;

/// Pages of a section.
const SECTION: usize = 50;
const PARAGRAPHS: usize = 6;
const WORDS: [&str; 16] = [
    "harbour", "council", "ferry", "budget", "storm", "library", "bridge", "market", "school", "river", "vote",
    "train", "museum", "garden", "court", "harvest",
];

#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeWeb {
    pub(crate) pages: usize,
    /// Sites that share a host, each below a directory of its own.
    pub(crate) per_host: usize,
}

fn mixed(number: u64) -> u64 {
    let mixed = (number ^ number >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 13
}

impl MadeWeb {
    pub(crate) fn host(&self, site: usize) -> String {
        format!("host-{:03}.example", site / self.per_host)
    }

    pub(crate) fn seed(&self, site: usize) -> String {
        format!("http://{}/site-{site:04}/", self.host(site))
    }

    pub(crate) fn spec(&self, site: usize) -> SiteSpec {
        let mut settings = Settings::new(SiteId(0), vec![self.seed(site)]);
        settings.scope = tintype_plan::ScopeRule::Prefix;
        settings.run_seed = site as u64;
        SiteSpec {
            name: format!("site-{site:04}"),
            kind: CaptureKind::Capture,
            settings,
            lesser: Retention::default(),
            describe: Vec::new(),
            fresh: false,
        }
    }

    pub(crate) fn sites(&self, count: usize) -> Vec<(SiteSpec, SiteTerms)> {
        (0..count).map(|site| (self.spec(site), SiteTerms::default())).collect()
    }

    /// The number of a page by its URL; nothing of what is no page.
    pub(crate) fn page_of(url: &str) -> Option<usize> {
        if url.ends_with(".xml") {
            return None;
        }
        Some(url.rsplit_once("/page-").and_then(|(_, end)| end.strip_suffix(".html")?.parse().ok()).unwrap_or(0))
    }

    /// From two hours to a year and more; what is never the same for long is rare.
    fn period(&self, site: usize, page: usize) -> Span {
        let dice = mixed((site * 100_003 + page) as u64);
        let doublings = if dice.is_multiple_of(50) { dice / 50 % 5 } else { 5 + dice / 50 % 9 };
        Span::from_secs(7200 << doublings)
    }

    fn version(&self, site: usize, page: usize, now: Time) -> i64 {
        let phase = (mixed((site * 7919 + page) as u64) % 1_000_000_000) as i64;
        (now.as_millis() + phase) / self.period(site, page).as_millis()
    }

    fn body(&self, site: usize, page: usize, version: i64) -> String {
        let mut body = format!("<html><head><title>Page {page} of site {site}</title></head><body><h1>{page}</h1>\n");
        for paragraph in 0..PARAGRAPHS {
            // With every version another paragraph is another one.
            let of = (version - paragraph as i64).div_euclid(PARAGRAPHS as i64);
            let mut dice = mixed((site * 1_000_003 + page * 101 + paragraph) as u64 ^ (of as u64) << 40);
            body.push_str("<p>");
            for _ in 0..30 {
                dice = mixed(dice);
                body.push_str(WORDS[dice as usize % WORDS.len()]);
                body.push(' ');
            }
            body.push_str("</p>\n");
        }
        let section = page / SECTION * SECTION;
        let members = section..(section + SECTION).min(self.pages);
        let links: Vec<usize> = match page {
            0 => (0..self.pages).step_by(SECTION).chain(members).collect(),
            _ if page == section => members.collect(),
            _ => vec![0, section],
        };
        for link in links {
            writeln!(body, "<a href=\"{}\">page {link}</a>", self.path(site, link)).expect("strings grow");
        }
        body + "</body></html>\n"
    }

    fn path(&self, site: usize, page: usize) -> String {
        match page {
            0 => format!("/site-{site:04}/"),
            _ => format!("/site-{site:04}/page-{page:05}.html"),
        }
    }

    /// What is there now, for who holds the version of a tag.
    pub(crate) fn document(&self, site: usize, request: &Request, held: Option<&str>, now: Time) -> Document {
        if request.purpose == Purpose::Robots {
            let body = b"User-agent: *\nDisallow: /private/\n".to_vec();
            return Document { status: 200, content_type: Some("text/plain".to_owned()), body, ..Document::default() };
        }
        let Some(page) = MadeWeb::page_of(&request.url).filter(|page| *page < self.pages) else {
            return Document::gone();
        };
        let version = self.version(site, page, now);
        // A few come and go.
        if mixed((site * 31 + page) as u64).is_multiple_of(200) && page > 0 && version % 5 == 4 {
            return Document::gone();
        }
        let tag = format!("\"{page}-{version}\"");
        let headers = vec![("ETag".to_owned(), tag.clone())];
        if held == Some(tag.as_str()) {
            return Document { status: 304, headers, ..Document::default() };
        }
        let body = self.body(site, page, version).into_bytes();
        Document { status: 200, content_type: Some("text/html".to_owned()), headers, body, truncated: false }
    }
}

/// So many requests a day, of which so many were spent today.
pub(crate) fn keeper(per_day: u64, now: Time, spent: DaySpending) -> Keeper {
    Keeper::new(Some(DayBudget::new(Budget { requests: Some(per_day), bytes: None }, now, spent)))
}
