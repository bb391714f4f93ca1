//! A page of the past with what it is made of: of every part the copy that was there with the page as far as that is
//! proved, and not merely the nearest one.

use tintype_archive::{
    Error,
    holdings::{Holdings, Memento, MementoBody, OpenedMemento},
};
use tintype_observe::{Described, look};
use tintype_quality::capture::{Composite, CompositeVerdict, Sighting, verdict};
use tintype_vocab::{Digest, LinkKind, PageUrl, Span, Time};

/// Records that are tried on each side of the page's moment before a part is given up.
const TRIED_MAX: usize = 5;
/// Parts of one page that are looked for: more than pages for people have.
pub const PARTS_MAX: usize = 500;

/// The copy of a part that is shown with a page.
#[derive(Clone, Debug)]
pub struct ShownPart {
    pub memento: Memento,
    pub opened: OpenedMemento,
    /// Whether it was there when the page was visited.
    pub verdict: CompositeVerdict,
}

/// What there is to show of a part.
#[derive(Clone, Debug)]
pub enum PartFound {
    Shown(Box<ShownPart>),
    /// No copy is proved to have been there with the page, and the nearest one is of a time too far from it.
    TooFar(Time),
    NotHeld,
}

/// A page and all its parts.
#[derive(Clone, Debug, Default)]
pub struct ComposedPage {
    /// Address, time and verdict of every part that is shown.
    pub parts: Vec<(String, Time, CompositeVerdict)>,
    /// Address and time of the nearest copy of parts that are held, but not shown.
    pub too_far: Vec<(String, Time)>,
    pub missing: Vec<String>,
}

impl ComposedPage {
    pub fn verdicts(&self) -> Composite {
        self.parts.iter().map(|(_, _, verdict)| *verdict).collect()
    }

    /// The times its parts and the page itself are of.
    pub fn span(&self, root: Time) -> (Time, Time) {
        let times = || self.parts.iter().map(|(_, time, _)| *time).chain([root]);
        (times().min().unwrap_or(root), times().max().unwrap_or(root))
    }
}

/// The copy of a part for a page that was visited at `root`.
///
/// Of the last visit before and the first one after that moment the one that proves more: the same bytes on both sides, or a
/// later copy that the server says is older than the page. A server that was out of order says nothing of its content. What is
/// not proved to have been there with the page is shown only if it was seen `within` so much of it, if that is said.
pub fn shown_part(holdings: &Holdings, url: &str, root: Time, within: Option<Span>) -> Result<PartFound, Error> {
    let mementos = holdings.mementos(url)?;
    let (before, after) = mementos.split_at(mementos.partition_point(|memento| memento.time <= root));
    let sides = [first_opened(holdings, before.iter().rev()), first_opened(holdings, after.iter())];
    let mut around: Vec<(Memento, OpenedMemento)> = sides.into_iter().flatten().collect();
    let sightings = sightings(&around);
    let distance = |number: usize| around[number].0.time.as_millis().abs_diff(root.as_millis());
    let is_near = |number: usize| within.is_none_or(|within| distance(number) <= within.as_millis().unsigned_abs());
    let judged = (0..around.len()).map(|number| (number, verdict(root, &sightings, number)));
    let near = judged.filter(|(number, verdict)| verdict.is_coherent() || is_near(*number));
    let best = near.min_by_key(|(number, verdict)| {
        let status = around[*number].1.status;
        let out_of_order = status >= 500 || status == 429;
        (out_of_order, *verdict, status >= 400, distance(*number))
    });
    let Some((number, verdict)) = best else {
        let nearest = (0..around.len()).min_by_key(|number| distance(*number));
        return Ok(nearest.map_or(PartFound::NotHeld, |number| PartFound::TooFar(around[number].0.time)));
    };
    let (memento, opened) = around.swap_remove(number);
    Ok(PartFound::Shown(Box::new(ShownPart { memento, opened, verdict })))
}

/// A record that cannot be read leaves its neighbours readable.
fn first_opened<'a>(
    holdings: &Holdings,
    mementos: impl Iterator<Item = &'a Memento>,
) -> Option<(Memento, OpenedMemento)> {
    let mut tried = mementos.take(TRIED_MAX);
    tried.find_map(|memento| Some((memento.clone(), holdings.open(memento).ok()??)))
}

/// The visits as the judge wants them. Digests are compared as they are written: tools have many forms of them.
fn sightings(around: &[(Memento, OpenedMemento)]) -> Vec<Sighting> {
    let written = |number: usize| around[number].0.line.digest.as_deref();
    let sighting = |(number, (memento, opened)): (usize, &(Memento, OpenedMemento))| {
        let same = (0..number).find(|&earlier| written(number).is_some() && written(earlier) == written(number));
        let digest = Digest([same.unwrap_or(number) as u8; 20]);
        let last_modified = opened.field("last-modified").and_then(|date| Time::parse_mail_date(&date));
        Sighting { at: memento.time, digest, last_modified }
    };
    around.iter().enumerate().map(sighting).collect()
}

/// Everything a page shows by itself, as far as its markup says.
pub fn composed(
    holdings: &Holdings,
    page: &OpenedMemento,
    root: Time,
    within: Option<Span>,
) -> Result<ComposedPage, Error> {
    let mut composed = ComposedPage::default();
    let MementoBody::Whole(body) = &page.body else { return Ok(composed) };
    let (content_type, content_encoding) = (page.field("content-type"), page.field("content-encoding"));
    let described = Described {
        url: &page.url,
        content_type: content_type.as_deref(),
        content_encoding: content_encoding.as_deref(),
        link_headers: &[],
        robots_headers: &[],
    };
    let found = look(&described, body);
    let mut seen = std::collections::HashSet::from([PageUrl::new(&page.url)]);
    let embedded = found.links.iter().filter(|link| link.kind == LinkKind::Embed);
    for link in embedded.filter(|link| seen.insert(PageUrl::new(link.url))).take(PARTS_MAX) {
        match shown_part(holdings, link.url, root, within)? {
            PartFound::Shown(part) => composed.parts.push((link.url.to_owned(), part.memento.time, part.verdict)),
            PartFound::TooFar(nearest) => composed.too_far.push((link.url.to_owned(), nearest)),
            PartFound::NotHeld => composed.missing.push(link.url.to_owned()),
        }
    }
    Ok(composed)
}
