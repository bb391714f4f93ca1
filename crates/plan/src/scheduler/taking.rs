//! How pages become known: seeds, links and redirects, and the rules that leave some out.

use super::{Scheduler, is_http, spellings::SPELLINGS_MAX};
use crate::{Objection, PageInfo, PageState, SeedError, families::Found, pages, trap::URL_BYTES_MAX};
use tintype_learn::first_guess::Signs;
use tintype_vocab::{Change, Link, LinkKind, Mention, Observation, Outcome, PageId, PageUrl, Purpose, Tag, Time, Why};

/// Redirects in a row that are followed.
const REDIRECTS_MAX: u8 = 10;
/// A redirect of a page to itself counts as so many: a cookie is set by one, and what is not enough after four never is.
const TO_ITSELF: u8 = 3;
/// Steps outside the scope for what a page is made of: a style sheet elsewhere, its import, a font.
const EMBED_STEPS_MAX: u8 = 3;

impl Scheduler {
    pub(super) fn sow(&mut self) -> Result<(), SeedError> {
        if self.settings.seeds.is_empty() {
            return Err(SeedError::NoSeeds);
        }
        let of_entrance = |(nth, seeds): (usize, &Vec<String>)| seeds.iter().map(|seed| (nth, seed.clone())).collect();
        let more = self.settings.more.iter().map(|more| &more.seeds);
        let seeds = std::iter::once(&self.settings.seeds).chain(more).enumerate();
        let seeds: Vec<Vec<(usize, String)>> = seeds.map(of_entrance).collect();
        for (entrance, seed) in seeds.into_iter().flatten() {
            let url = parse_seed(&seed)?;
            self.entrances.widen(entrance, &url);
            if let pages::Found::New { hash, .. } = self.pages.look_up(&url) {
                let page = self.enter(&Signs::new(&url, LinkKind::Anchor, 0, self.clock), Mention::default(), hash, 0);
                self.untold_seeds.push(page);
                self.add_home(page);
            }
        }
        Ok(())
    }

    pub(super) fn settle_visit(&mut self, page: PageId, observation: &Observation) {
        if let Outcome::Redirected { to, .. } = &observation.outcome {
            self.take_redirect(page, to, observation.answered);
        }
        // A page that is as it was links what it linked.
        if observation.purpose == Purpose::Revisit && !matches!(observation.change, Change::New { .. }) {
            return;
        }
        self.learn_marks(page, &observation.links);
        for link in observation.links.iter().filter(|link| link.kind != LinkKind::Redirect) {
            let Some(target) = self.take(&link, page, observation.answered) else { continue };
            let target = self.aliases.resolve(target);
            self.linked.push((target, link.context));
            if let Some(modified) = link.modified.filter(|_| self.pages.get(page).kind == LinkKind::Sitemap) {
                self.dated.push((target, modified));
            }
        }
        self.exclusions.add_unread(observation.links.left_out(), &observation.url);
    }

    /// Follows a redirect at once, so that what the server tied to it (a cookie, a moment) still holds.
    pub(super) fn take_redirect(&mut self, from: PageId, to: &str, now: Time) {
        let origin = *self.pages.get(from);
        let to = PageUrl::new(to);
        let to = to.as_str();
        if !is_http(to) {
            return self.exclusions.add(Objection::OutOfScope, to);
        }
        if to.len() > URL_BYTES_MAX {
            return self.exclusions.add(Objection::UrlTooLong, to);
        }
        if self.settings.urls.leave_out(to, false) {
            return self.exclusions.add(Objection::Excluded, to);
        }
        let found = self.pages.look_up(to);
        if origin.hops >= REDIRECTS_MAX {
            return self.exclusions.add(Objection::RedirectLoop, to);
        }
        if self.authorities.number(to).is_none() {
            return self.exclusions.add(Objection::TooManyHosts, to);
        }
        match found {
            // To itself, with a cookie perhaps.
            pages::Found::Known(page) if page == from => {
                let info = self.pages.get_mut(page);
                info.hops += TO_ITSELF;
                info.answered = false;
                self.unanswered += 1;
                self.wait_again(page);
                self.urgent.push_back((page, Why::Redirect));
            }
            pages::Found::Known(page) => {
                if self.aliases.leads_in_circles(from, page) {
                    self.exclusions.add(Objection::RedirectLoop, to);
                }
            }
            pages::Found::New { hash, .. } => {
                if is_seed(&origin) {
                    self.entrances.move_to(self.pages.url(from), to);
                    self.pages.look_up(to);
                }
                if self.across.as_ref().is_some_and(|across| across.is_domain_spent(to)) {
                    return self.exclusions.add(Objection::DomainSpent, to);
                }
                let inside = self.entrances.contains(self.pages.last_key()) || origin.kind == LinkKind::Embed;
                if let Some(objection) = if inside { self.traps.judge(to, now) } else { Some(Objection::OutOfScope) } {
                    return self.exclusions.add(objection, to);
                }
                let signs = Signs::new(to, origin.kind, origin.depth, now);
                let mention = Mention { tag: Tag::Redirect, ..origin.mention };
                let page = self.admit(&signs, mention, hash, origin.hops + 1);
                self.aliases.leads_in_circles(from, page);
                if is_seed(&origin) {
                    self.add_home(page);
                }
                // Pages that nobody may see all lead to where one logs in.
                if is_seed(&origin) || !self.is_lesser(page) {
                    self.urgent.push_back((page, Why::Redirect));
                }
            }
        }
    }

    /// The page a link leads to, taken in if it is new and nothing is said against it.
    pub(super) fn take(&mut self, link: &Link<'_>, from: PageId, now: Time) -> Option<PageId> {
        if let Some(page) = self.met_lately(link.url) {
            self.note_listing(page, link.kind);
            self.follow_again(page, link);
            return Some(page);
        }
        let url = self.current(link.url);
        let link = &Link { url: &url, ..*link };
        let (hash, spellings) = match self.pages.look_up(link.url) {
            pages::Found::Known(page) => {
                self.recent_links.keep(link.url, page, &self.pages);
                self.note_listing(page, link.kind);
                self.follow_again(page, link);
                return Some(page);
            }
            pages::Found::New { hash, spellings } => (hash, spellings),
        };
        // Of what waits elsewhere nothing is asked twice.
        if self.across.as_mut().is_some_and(|across| !across.is_new(link.url)) {
            return None;
        }
        let parent = *self.pages.get(from);
        // Redirects that led to a page are no steps outside.
        let hops = if parent.kind == LinkKind::Embed { parent.hops } else { 0 };
        let inside = self.entrances.contains(self.pages.last_key());
        let outward = link.kind == LinkKind::Embed && !inside;
        let depth = match link.kind {
            LinkKind::Anchor | LinkKind::Listed => parent.depth.saturating_add(1),
            _ => parent.depth,
        };
        match self.objection(link, (inside, spellings), hops, depth, now) {
            Some(objection) => {
                self.exclusions.add(objection, link.url);
                if objection == Objection::EndlessFamily {
                    self.exclusions.explain(objection, &self.families.told());
                }
                None
            }
            None if self.across.is_some() => {
                self.find_candidate(link, from, depth, if outward { hops + 1 } else { 0 });
                None
            }
            None => {
                let signs = Signs {
                    listed_modified: link.modified,
                    listed_every: link.every,
                    in_feed: parent.kind == LinkKind::Feed,
                    ..Signs::new(link.url, link.kind, depth, now)
                };
                Some(self.admit(&signs, link.mention, hash, if outward { hops + 1 } else { 0 }))
            }
        }
    }

    /// The page a link leads to, if another was written the same way not long ago and its site did not move since.
    fn met_lately(&self, url: &str) -> Option<PageId> {
        let page = self.recent_links.find(url, &self.pages)?;
        (!self.authorities.has_moved(self.pages.get(page).authority)).then_some(page)
    }

    /// A page of an earlier capture turns out to be what lists other pages.
    fn note_listing(&mut self, page: PageId, kind: LinkKind) {
        let info = self.pages.get_mut(page);
        if matches!(kind, LinkKind::Sitemap | LinkKind::Feed) && info.kind == LinkKind::Listed {
            info.kind = kind;
        }
    }

    /// Tells of a page an earlier capture found. It is known from the start, whether or not a page that is visited still
    /// links it, unless something is said against it today.
    pub fn hold(&mut self, url: &str, kind: LinkKind, now: Time) {
        self.begin();
        self.clock = self.clock.max(now);
        let url = &*self.current(url);
        let pages::Found::New { hash, spellings } = self.pages.look_up(url) else { return };
        let inside = self.entrances.contains(self.pages.last_key());
        let kind = if kind == LinkKind::Anchor { LinkKind::Listed } else { kind };
        if let Some(across) = &mut self.across {
            if across.is_new(url) && self.objection(&Link::new(url, kind), (inside, spellings), 0, 1, now).is_none() {
                self.hold_candidate(url, kind);
            }
            return;
        }
        if self.objection(&Link::new(url, kind), (inside, spellings), 0, 1, now).is_none() {
            self.admit(&Signs::new(url, kind, 1, now), Mention::default(), hash, u8::from(!inside));
        }
    }

    pub(super) fn objection(
        &mut self,
        link: &Link<'_>,
        (inside, spellings): (bool, u32),
        hops: u8,
        depth: u16,
        now: Time,
    ) -> Option<Objection> {
        let embed = link.kind == LinkKind::Embed;
        if !is_http(link.url) || !(inside || embed && hops < EMBED_STEPS_MAX) {
            return Some(Objection::OutOfScope);
        }
        let is_page = matches!(link.kind, LinkKind::Anchor | LinkKind::Listed);
        if self.settings.urls.leave_out(link.url, is_page) {
            return Some(Objection::Excluded);
        }
        if !embed && self.entrances.is_too_deep(self.pages.last_key(), depth) {
            return Some(Objection::TooDeep);
        }
        // Of hosts elsewhere only those that are asked get a number.
        if self.across.is_none() && self.authorities.number(link.url).is_none() {
            return Some(Objection::TooManyHosts);
        }
        if let Some(objection) = self.objection_to_following(link, depth) {
            return Some(objection);
        }
        if spellings >= SPELLINGS_MAX {
            return Some(Objection::ManySpellings);
        }
        let objection = self.traps.judge(link.url, now);
        let found = Found { on: self.settling, kind: link.kind, is_vouched_for: depth == 0 };
        objection.or_else(|| self.families.refuses(link.url, found).then_some(Objection::EndlessFamily))
    }

    /// A page becomes known.
    pub(super) fn admit(&mut self, signs: &Signs<'_>, mention: Mention, hash: u32, hops: u8) -> PageId {
        let page = self.enter(signs, mention, hash, hops);
        self.knowledge.know(page, self.pages.url(page), self.clock);
        match &mut self.across {
            Some(across) => _ = across.is_new(self.pages.url(page)),
            None => self.tell_known(page),
        }
        page
    }

    /// The seeds become known to the policy: not before all is recalled of them that can be.
    pub(super) fn begin(&mut self) {
        for page in std::mem::take(&mut self.untold_seeds) {
            let url = self.pages.url(page);
            let signs = Signs::new(url, LinkKind::Anchor, 0, self.clock);
            let rate = self.knowledge.first_rate(url, &signs);
            self.pages.get_mut(page).rate = rate;
            self.knowledge.know(page, self.pages.url(page), self.clock);
            match self.across.is_some() {
                true => self.urgent.push_back((page, Why::Seed)),
                false => self.tell_known(page),
            }
        }
    }

    /// A person named the page, so its host is one of the site; of the web every host is as good.
    fn add_home(&mut self, page: PageId) {
        match &mut self.across {
            Some(across) => _ = across.is_new(self.pages.url(page)),
            None => self.hosts.add_home(self.host_of(page), self.pages.get(page).authority),
        }
    }

    fn enter(&mut self, signs: &Signs<'_>, mention: Mention, hash: u32, hops: u8) -> PageId {
        let Signs { url, kind, depth, .. } = *signs;
        let rate = self.knowledge.first_rate(url, signs);
        let authority = self.authorities.number(url).unwrap_or(u16::MAX);
        let info = PageInfo {
            rate,
            depth,
            authority,
            kind,
            mention,
            media_guess: self.foresee(url, mention),
            state: PageState::Waiting,
            answered: false,
            attempts: 0,
            hops,
        };
        let page = self.pages.add(url, hash, info);
        self.families.enter(page, url, Found { on: self.settling, kind, is_vouched_for: depth == 0 });
        self.wait_again(page);
        self.unanswered += 1;
        page
    }

    pub(super) fn exclude(&mut self, page: PageId, objection: Objection) {
        // Rules may change during a capture: what was captured stays so, it is only not looked at again.
        if self.pages.get(page).state == PageState::Visited {
            return;
        }
        self.exclusions.add(objection, self.pages.url(page));
        self.no_longer(page);
        let info = self.pages.get_mut(page);
        info.state = PageState::Excluded;
        self.unanswered -= usize::from(!info.answered);
    }

    /// The same with something to say of the case.
    pub(super) fn exclude_because(&mut self, page: PageId, objection: Objection, detail: &str) {
        self.exclude(page, objection);
        self.exclusions.explain(objection, detail);
    }
}

/// Whether a person named the page.
pub(super) fn is_seed(info: &PageInfo) -> bool {
    info.depth == 0 && info.kind == LinkKind::Anchor
}

/// The URL of a seed as it will be sent.
fn parse_seed(seed: &str) -> Result<String, SeedError> {
    let malformed = |why: String| SeedError::Malformed { url: seed.to_owned(), why };
    let mut url = url::Url::parse(seed).map_err(|error| malformed(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(SeedError::NotHttp { url: seed.to_owned() });
    }
    url.set_fragment(None);
    if url.as_str().len() > URL_BYTES_MAX {
        return Err(malformed("it is too long".to_owned()));
    }
    Ok(url.into())
}
