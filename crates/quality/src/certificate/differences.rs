//! Where two certificates part.

use super::{Certificate, Dated, PageProof, PageVerdict, Reason};
use std::{borrow::Cow, cmp::Ordering, fmt};

/// Pages beyond this many are not named one by one.
const PAGES_MAX: usize = 20;
/// Digits of a number that have to agree.
const DIGITS: usize = 9;

/// One field in which a certificate is not what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateDifference {
    pub field: String,
    pub claimed: String,
    pub found: String,
}

impl fmt::Display for CertificateDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the certificate says {}, the records say {}", self.field, self.claimed, self.found)
    }
}

impl Certificate {
    /// Every field in which `found` is not what this certificate claims; of pages the first few. What is only in the log
    /// is not compared.
    pub fn differences(&self, found: &Certificate) -> Vec<CertificateDifference> {
        let found = &*found.in_the_words_of(self);
        let (claimed, theirs) = (fields(self), fields(found));
        let pairs = claimed.into_iter().zip(theirs).filter(|(claimed, found)| claimed.1 != found.1);
        let mut all: Vec<CertificateDifference> = pairs
            .map(|((field, claimed), (_, found))| CertificateDifference { field: field.to_owned(), claimed, found })
            .collect();
        if let (Some(claimed), Some(found)) = (self.truncated, found.truncated)
            && claimed != found
        {
            let (claimed, found) = (claimed.to_string(), found.to_string());
            all.push(CertificateDifference { field: "truncated".to_owned(), claimed, found });
        }
        all.extend(pages(&self.pages, &found.pages));
        all
    }
}

impl Certificate {
    /// Older certificates call a version that was cut short one that is not held.
    fn in_the_words_of(&self, other: &Certificate) -> Cow<'_, Certificate> {
        let speaks = |one: &Certificate| one.pages.iter().any(|page| page.reason() == Some(Reason::Truncated));
        if speaks(other) || !speaks(self) {
            return Cow::Borrowed(self);
        }
        let mut told = self.clone();
        if let Some(count) = told.failures.remove(&Reason::Truncated.to_string()) {
            *told.failures.entry(Reason::NotHeld.to_string()).or_default() += count;
        }
        for page in &mut told.pages {
            page.verdict = match page.verdict {
                PageVerdict::NotSharp(reason) => PageVerdict::NotSharp(reason.without_truncation()),
                PageVerdict::Missing(reason) => PageVerdict::Missing(reason.without_truncation()),
                sharp => sharp,
            };
        }
        Cow::Owned(told)
    }
}

/// Everything but pages, as text.
fn fields(of: &Certificate) -> Vec<(&'static str, String)> {
    let failures: Vec<String> = of.failures.iter().map(|(cause, count)| format!("{count} {cause}")).collect();
    let query = of.query.map_or("nothing".to_owned(), |period| period.to_string());
    vec![
        ("format", of.format.to_string()),
        ("site", of.site.clone()),
        ("capture", of.capture.clone()),
        ("query", query),
        ("moment", of.moment.map_or("nothing".to_owned(), |moment| moment.to_rfc3339())),
        ("visits", of.visits.to_string()),
        ("revisits", of.revisits.to_string()),
        ("captured", of.captured.to_string()),
        ("redirects", of.redirects.to_string()),
        ("activity.factor", number(of.activity.factor)),
        ("activity.spread", number(of.activity.spread)),
        ("activity.captures", of.activity.captures.to_string()),
        ("experience.changed", of.experience.changed.to_string()),
        ("experience.expected", number(of.experience.expected)),
        ("experience.per_factor", number(of.experience.per_factor)),
        ("blur.expected", number(of.blur.expected)),
        ("blur.interval_90", of.blur.interval_90.map(number).join(" to ")),
        ("blur.realised", number(of.blur.realised)),
        ("sharp.proved", of.sharp.proved.to_string()),
        ("sharp.expected", number(of.sharp.expected)),
        ("sharp.interval_90", of.sharp.interval_90.map(number).join(" to ")),
        ("sharp.server_alone", of.sharp.server_alone.to_string()),
        ("sharp.contradicted", of.sharp.contradicted.to_string()),
        ("dated", dated(of.dated)),
        ("dated_by_server", dated(of.dated_by_server)),
        ("composites.coherent", of.composites.coherent.to_string()),
        ("composites.possible", of.composites.possible.to_string()),
        ("composites.violations", of.composites.violations.to_string()),
        ("composites.unknown", of.composites.unknown.to_string()),
        ("failures", if failures.is_empty() { "none".to_owned() } else { failures.join(", ") }),
        ("fingerprint", of.fingerprint.clone()),
    ]
}

fn number(value: f64) -> String {
    format!("{value:.*e}", DIGITS - 1)
}

fn dated(dated: Option<Dated>) -> String {
    dated.map_or("nothing".to_owned(), |Dated { period, pages, of }| format!("{pages} of {of} pages {period}"))
}

/// Both lists are in order of URL, unless somebody meddled with one; then that shows as pages that differ.
fn pages(claimed: &[PageProof], found: &[PageProof]) -> Vec<CertificateDifference> {
    let (mut claimed, mut found) = (claimed.iter().peekable(), found.iter().peekable());
    let (mut named, mut more) = (Vec::new(), 0_u64);
    loop {
        let order = match (claimed.peek(), found.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.url.cmp(&other.url),
        };
        let one = claimed.next_if(|_| order.is_le());
        let other = found.next_if(|_| order.is_ge());
        let (one_says, other_says) = (one.map(page), other.map(page));
        if one_says == other_says {
            continue;
        }
        if named.len() == PAGES_MAX {
            more += 1;
            continue;
        }
        let url = one.or(other).map_or("", |page| &page.url);
        let words = |says: Option<String>| says.unwrap_or_else(|| "nothing of it".to_owned());
        named.push(CertificateDifference {
            field: format!("page {url}"),
            claimed: words(one_says),
            found: words(other_says),
        });
    }
    if more > 0 {
        let found = "other things of them".to_owned();
        named.push(CertificateDifference {
            field: format!("{more} more pages"),
            claimed: "something".to_owned(),
            found,
        });
    }
    named
}

fn page(page: &PageProof) -> String {
    let verdict = match page.verdict {
        PageVerdict::Sharp { period, digest } => format!("{digest} {period}"),
        PageVerdict::NotSharp(reason) => format!("not sharp, {reason}"),
        PageVerdict::Missing(reason) => format!("missing, {reason}"),
    };
    let since = page.unchanged_since.map_or(String::new(), |since| format!(", unchanged since {}", since.to_rfc3339()));
    let (first, rate) = (page.first.to_rfc3339(), page.rate);
    format!("{} visits from {first} at {} changes a day ({}): {verdict}{since}", page.visits, rate.per_day, rate.shape)
}
