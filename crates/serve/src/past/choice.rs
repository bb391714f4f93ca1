//! Which copy is shown: of a page the one nearest to the time, of its parts the one that was there with it.

use super::{
    Past,
    reply::Reply,
    web::{missing, nearest},
};
use tintype_archive::{
    Error,
    holdings::{self, Memento, OpenedMemento},
};
use tintype_quality::capture::CompositeVerdict;
use tintype_session::{PartFound, shown_part};
use tintype_vocab::Time;

/// A copy that is shown.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) memento: Memento,
    pub(super) opened: OpenedMemento,
    /// Of a part: whether it was there when the page was visited.
    pub(super) verdict: Option<CompositeVerdict>,
}

/// A copy, or the answer where none is shown.
type Choice = Result<Box<Chosen>, Reply>;

pub(super) fn page(past: &Past, url: &str, at: Time) -> Result<Choice, Error> {
    let Some((memento, opened)) = nearest(past, url, at)? else { return Ok(Err(missing(url))) };
    Ok(Ok(Box::new(Chosen { memento, opened, verdict: None })))
}

pub(super) fn part(past: &Past, url: &str, root: Time) -> Result<Choice, Error> {
    Ok(match shown_part(&past.holdings, url, root, past.within)? {
        PartFound::Shown(part) => {
            let verdict = Some(part.verdict);
            Ok(Box::new(Chosen { memento: part.memento, opened: part.opened, verdict }))
        }
        PartFound::TooFar(nearest) => Err(too_far(past, url, root, nearest)),
        PartFound::NotHeld => Err(missing(url)),
    })
}

/// What is not shown, and why.
fn too_far(past: &Past, url: &str, root: Time, nearest: Time) -> Reply {
    let within = past.within.unwrap_or_default();
    let why =
        format!("{url} is held as of {nearest}, and the page that shows it was seen {root}: more than {within} apart");
    Reply::error(404, &why).with("X-Tintype-Coherence", "too-far")
}

/// When the page was visited that asks for a part of itself: a link on a page leads to another one under the same name, and
/// that one was visited a little earlier or later.
pub(super) fn root(past: &Past, page: Option<&str>, at: Time) -> Result<Time, Error> {
    let Some(page) = page else { return Ok(at) };
    let mementos = past.holdings.mementos(page)?;
    let page = holdings::nearest(&mementos, at);
    // A style sheet asks for parts, too, but it is itself one of the page's.
    let is_style = page.is_some_and(|page| page.line.mime.as_deref() == Some("text/css"));
    Ok(page.filter(|_| !is_style).map_or(at, |page| page.time))
}
