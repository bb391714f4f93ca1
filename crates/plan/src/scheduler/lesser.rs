//! Pages that a site asks not to follow links to, those that do something rather than show something, and feeds of single
//! pages: asked for last, and no more of them, with all that only repeats another page, than half of what was asked for
//! otherwise and was there.

use super::{Scheduler, taking::is_seed};
use crate::{Mode, NoFollow, Objection, PageState, action::is_action};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::{Link, LinkKind, Links, Mention, Outcome, PageId, Tag, Why};

/// Requests for other pages that each of them needs.
const OTHERS_FOR_EACH: u64 = 2;
/// Feeds that are asked for as other pages are. A site has some in all; one that has them for every page repeats itself.
const FEEDS_AT_ONCE: u64 = 8;

/// Dead links that every site has; further ones are no pages that others may be asked for beside.
const GONE_FREE: u64 = 8;

/// What waits until nothing else is left.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Lesser {
    held_back: VecDeque<PageId>,
    /// Requests so far.
    asked: u64,
    /// Other pages that had the bytes of another one.
    repeats: u64,
    /// Requests for what is not there.
    gone: u64,
    feeds: u64,
    /// Whether all entrances so far mark all their links, as viewers of repositories do. Such marks tell no page from
    /// another, and the site would end at its first page.
    all_are_marked: Option<bool>,
}

/// What is said against following a link, where it is not followed at all.
fn objection_to(kind: LinkKind, mention: Mention, url: &str, marks_count: bool) -> Option<Objection> {
    match kind {
        LinkKind::Anchor | LinkKind::Listed if marks_count && mention.tag == Tag::Unfollowed => {
            Some(Objection::Unfollowed)
        }
        LinkKind::Anchor | LinkKind::Listed if is_action(url) => Some(Objection::ActionPage),
        _ => None,
    }
}

impl Scheduler {
    /// Why a page comes last, if it does.
    pub(super) fn lesser_because(&self, page: PageId) -> Option<Objection> {
        let info = self.pages.get(page);
        let counts = self.settings.nofollow != NoFollow::Ignore && !is_seed(info);
        let marks_count = self.lesser.all_are_marked != Some(true);
        match info.kind {
            _ if !counts => None,
            LinkKind::Feed => (self.lesser.feeds >= FEEDS_AT_ONCE).then_some(Objection::FurtherFeed),
            kind => objection_to(kind, info.mention, self.pages.url(page), marks_count),
        }
    }

    pub(super) fn is_lesser(&self, page: PageId) -> bool {
        self.lesser_because(page).is_some()
    }

    /// Why a link is not even remembered. Who watches a site has other pages to ask for again, and
    /// the web has others.
    pub(super) fn objection_to_following(&self, link: &Link<'_>, depth: u16) -> Option<Objection> {
        let counts = self.settings.nofollow == NoFollow::Obey
            || self.settings.nofollow == NoFollow::Last && (self.settings.mode != Mode::Once || self.across.is_some());
        let marks_count = self.settings.nofollow == NoFollow::Obey || self.lesser.all_are_marked != Some(true);
        if counts && depth > 0 { objection_to(link.kind, link.mention, link.url, marks_count) } else { None }
    }

    /// Looks whether the page a person named marks every link it has.
    pub(super) fn learn_marks(&mut self, page: PageId, links: &Links) {
        let mut anchors = links.iter().filter(|link| link.kind == LinkKind::Anchor).peekable();
        if is_seed(self.pages.get(page)) && anchors.peek().is_some() {
            let so_far = self.lesser.all_are_marked.unwrap_or(true);
            self.lesser.all_are_marked = Some(so_far && anchors.all(|link| link.mention.tag == Tag::Unfollowed));
        }
    }

    /// A page that is linked in another way too is a page like others, and one that was only remembered is what its first
    /// link says.
    pub(super) fn follow_again(&mut self, page: PageId, link: &Link<'_>) {
        let info = self.pages.get_mut(page);
        let was_remembered = info.kind == LinkKind::Listed && info.mention.tag == Tag::Unknown;
        let is_followed = info.mention.tag == Tag::Unfollowed && link.mention.tag != Tag::Unfollowed;
        if link.kind == LinkKind::Anchor && (was_remembered && link.mention.tag == Tag::Unfollowed || is_followed) {
            info.mention.tag = link.mention.tag;
        }
    }

    pub(super) fn hold_back_lesser(&mut self, page: PageId) -> bool {
        let waits = self.is_lesser(page);
        if waits {
            self.lesser.held_back.push_back(page);
        }
        waits
    }

    /// A request is sent.
    pub(super) fn count_lesser(&mut self, page: PageId) {
        self.lesser.asked += u64::from(self.is_lesser(page));
        self.lesser.feeds += u64::from(self.pages.get(page).kind == LinkKind::Feed);
    }

    /// A page was answered for the first time, with the bytes of another one or not.
    pub(super) fn count_repeat(&mut self, page: PageId, same: bool) {
        self.lesser.repeats += u64::from(same && !self.is_lesser(page));
    }

    /// Something was asked for in vain; what is counted already is counted once.
    pub(super) fn count_gone(&mut self, page: PageId, outcome: &Outcome) {
        self.lesser.gone += u64::from(matches!(outcome, Outcome::Gone { .. }) && !self.is_lesser(page));
    }

    /// The next of them, once nothing else is left or under way that may lead to more.
    pub(super) fn release_lesser(&mut self) -> Option<(PageId, Why)> {
        while self.in_flight == 0
            && self.retries.is_empty()
            && let Some(page) = self.lesser.held_back.pop_front()
        {
            if self.pages.get(page).state != PageState::Waiting {
                continue;
            }
            let Lesser { asked, repeats, gone, .. } = self.lesser;
            // Saved counts may be anybody's.
            let lesser = asked.saturating_add(repeats);
            let others = self.steps.saturating_sub(lesser).saturating_sub(gone.saturating_sub(GONE_FREE));
            match self.lesser_because(page) {
                Some(objection) if lesser >= others / OTHERS_FOR_EACH => {
                    let detail = format!("{asked} such pages were asked for after all others");
                    self.exclude_because(page, objection, &detail);
                }
                _ => return Some((page, Why::Policy)),
            }
        }
        None
    }
}
