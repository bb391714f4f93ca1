//! From an answered request to an observation: record it, compare it with the last version, note what it teaches.

use crate::{
    Error, Exchange, Rendering, Retention, Shown,
    capture::Capture,
    held::{LOOK_BYTES, describe, look_again, look_at_parts, payload, show_again},
    log::{Before, Kept, Original, entry::Observed},
    max_age::max_age,
    observer::shows_page,
    record::{Answer, Form, Marks},
    robots,
    store::KnownPage,
    tag::Tag,
};
use std::sync::Arc;
use tintype_observe::{Described, Look, page::Judgement};
use tintype_vocab::{
    Change, Digest, Link, LinkKind, Links, Mention, Observation, Outcome, PageUrl, Purpose, Span, Truncated,
    Validators, Visit,
};
use tintype_warc::http::Head;

impl Capture {
    /// Records a visit and says what it taught. `note` is one sentence about a failure. Nothing counts as kept before
    /// [`Capture::commit`] says so.
    pub fn ingest(
        &mut self,
        visit: &Visit,
        exchange: Option<Exchange>,
        note: Option<&str>,
    ) -> Result<Observation, Error> {
        self.ingest_rendered(visit, exchange, note, None)
    }

    /// The same with what a browser made of the page.
    pub fn ingest_rendered(
        &mut self,
        visit: &Visit,
        exchange: Option<Exchange>,
        note: Option<&str>,
        rendering: Option<Rendering>,
    ) -> Result<Observation, Error> {
        self.guarded(|capture| capture.take(visit, exchange, note, rendering))
    }

    fn take(
        &mut self,
        visit: &Visit,
        exchange: Option<Exchange>,
        note: Option<&str>,
        mut rendering: Option<Rendering>,
    ) -> Result<Observation, Error> {
        let before = self.state.page(&PageUrl::new(&visit.request.url))?;
        let mut answer = exchange.and_then(Answer::of);
        let mut seen = self.see(visit, answer.as_mut(), before.as_ref())?;
        if let Some(rendering) = rendering.as_mut().filter(|rendering| !rendering.gain.failed) {
            self.add_rendering(visit, answer.as_mut(), before.as_ref(), rendering, &mut seen)?;
        }
        let bytes = answer.as_ref().map_or(0, Answer::bytes);
        let is_brief = rendering.is_none() && self.is_brief(visit, &seen, before.as_ref());
        let noted = seen.digest.filter(|_| seen.retention == Retention::DigestOnly);
        let shared = Arc::clone(self.shared());
        let mut writing = shared.writing();
        let (segment, number) = self.make_room(&mut writing, visit.asked)?;
        self.relieve(segment, answer.as_ref().is_some_and(|answer| answer.exchange.body.as_bytes().is_none()))?;
        let tag = Tag::of(visit, bytes, seen.change, noted, number);
        seen.as_original &= tag.is_usual();
        let tag = tag.to_text(visit.asked);
        let form = form(&seen);
        let marks = Marks { note, tag: &tag, retention: seen.retention };
        if let Some(rendering) = rendering.as_ref().filter(|rendering| !rendering.gain.failed) {
            rendering.record(&mut self.recorder, segment, &visit.request.url, visit.answered);
        }
        let place = self.recorder.visit(segment, visit, answer.as_mut().zip(form), &marks)?;
        drop(writing);
        let observation = Observation {
            site: visit.request.site,
            page: visit.request.page,
            url: visit.request.url.clone(),
            purpose: visit.request.purpose,
            asked: visit.asked,
            answered: visit.answered,
            outcome: visit.outcome.clone(),
            change: seen.change,
            digest: seen.digest.filter(|_| seen.whole),
            media_type: seen.look.media_type,
            sniffed: seen.look.sniffed,
            gist: seen.look.gist,
            bytes,
            validators: seen.validators,
            max_age: seen.max_age,
            links: seen.look.links,
            robots: seen.robots,
            rate: visit.request.rate,
            truncated: answer.as_ref().and_then(|answer| answer.exchange.truncated),
            rendered: rendering.map(|rendering| rendering.gain),
        };
        let (replaced, attempt) = (Before::of(&observation, before.as_ref()), visit.request.attempt);
        let Seen { kept, retention, judgement, .. } = seen;
        let (place, before_it) = (Some(place), replaced);
        let observed =
            Observed { observation, kept, retention, place, attempt, before: before_it, judgement, is_brief };
        self.note(before, &observed);
        Ok(observed.observation)
    }

    /// Adds what a browser found to what an answer says.
    fn add_rendering(
        &mut self,
        visit: &Visit,
        answer: Option<&mut Answer>,
        before: Option<&KnownPage>,
        rendering: &mut Rendering,
        seen: &mut Seen,
    ) -> Result<(), Error> {
        let held = match (&visit.outcome, before.and_then(|page| page.original.as_ref())) {
            (Outcome::NotModified, Some(of)) => payload(self.layout(), self.writing().segment(), of).ok().flatten(),
            _ => None,
        };
        let (coding, body) = match (held, answer) {
            (Some(held), _) => (held.content_encoding, held.body),
            (None, Some(answer)) => {
                let coding = Head::parse(&answer.head).and_then(|head| head.get("content-encoding").map(String::from));
                let spooled = Error::io("read", std::path::Path::new("spooled body"));
                (coding, answer.exchange.body.prefix(LOOK_BYTES).map_err(spooled)?)
            }
            (None, None) => return Ok(()),
        };
        let served = std::mem::take(&mut seen.look);
        let body = tintype_observe::plain(coding.as_deref(), &body);
        seen.look = rendering.add_to(served, visit, &body, &mut self.brought_before);
        if let Some(digest) = seen.digest.filter(|_| seen.whole && self.has_plain_view(visit)) {
            self.state.keep_links(&visit.request.url, &digest, &seen.look);
        }
        Ok(())
    }

    /// Everything an answer says, before it is written anywhere.
    fn see(&mut self, visit: &Visit, answer: Option<&mut Answer>, before: Option<&KnownPage>) -> Result<Seen, Error> {
        let Some(answer) = answer else {
            let look = self.through_observer(visit, None, redirect_only(&visit.outcome));
            return Ok(Seen { look, ..Seen::nothing() });
        };
        let spooled = || Error::io("read", std::path::Path::new("spooled body"));
        let whole = !matches!(answer.exchange.truncated, Some(Truncated::Time | Truncated::Disconnect));
        let digest = answer.payload().map_err(spooled())?;
        let validators = validators(&answer.head);
        if let (Outcome::NotModified, Some((page, of, digest))) = (&visit.outcome, held(before)) {
            let look = self.look_held(&of, digest, visit)?;
            // What a server does not say again holds on.
            let validators = if validators.is_empty() { page.validators.clone() } else { validators };
            let as_original = page.has_original_validators && validators == page.validators;
            let (kept, retention) = (Kept::NotModified { of }, page.retention);
            let (change, digest) = (Change::Same, Some(digest));
            return Ok(Seen { change, digest, validators, as_original, look, kept, retention, ..Seen::nothing() });
        }
        let prefix;
        let body = match answer.exchange.body.as_bytes() {
            Some(body) => body,
            None => {
                prefix = answer.exchange.body.prefix(LOOK_BYTES).map_err(spooled())?;
                &prefix
            }
        };
        let head = Head::parse(&answer.head);
        let change = if whole { compare(&visit.outcome, digest, before) } else { Change::Unknown };
        let judgement = match (change, before, &head) {
            (Change::New { .. }, Some(page), Some(head)) => Some(self.judge(visit, page, head, body)),
            (Change::First, _, Some(head)) => {
                describe(&visit.request.url, head, |described| self.state.scorer.see(described, body));
                None
            }
            _ => None,
        };
        let change = match &judgement {
            Some(judgement) => Change::New { importance: judgement.importance as f32 },
            None => change,
        };
        let (retention, kept) = self.keep(change, digest, before, answer.exchange.truncated.is_some())?;
        let look = match &head {
            Some(head) => self.look_at(visit, change, digest, head, body),
            None => redirect_only(&visit.outcome),
        };
        let is_whole = whole && answer.exchange.truncated.is_none() && answer.exchange.body.len() <= body.len() as u64;
        let look = match &head {
            Some(head) => describe(&visit.request.url, head, |described| {
                self.through_observer(visit, Some(Shown { described, body, is_whole }), look)
            }),
            None => self.through_observer(visit, None, look),
        };
        let wanted = visit.request.purpose == Purpose::Robots && matches!(visit.outcome, Outcome::Body { .. });
        let robots = wanted.then(|| robots::text(head.as_ref(), body));
        let max_age = head.as_ref().and_then(max_age);
        let (digest, as_original) = (Some(digest), false);
        Ok(Seen { change, judgement, digest, whole, validators, as_original, max_age, look, kept, retention, robots })
    }

    /// How important a new version is against the one held. Not being able to read that one makes it more important, never
    /// a failure.
    fn judge(&mut self, visit: &Visit, page: &KnownPage, head: &Head<'_>, body: &[u8]) -> Judgement {
        let original = page.original.as_ref();
        let held = original.and_then(|of| payload(self.layout(), self.writing().segment(), of).ok().flatten());
        let apart = visit.asked - page.last_seen;
        let scorer = &mut self.state.scorer;
        let judge = |described: &Described<'_>| scorer.judge(held.as_ref(), (described, body), apart);
        describe(&visit.request.url, head, judge)
    }

    /// How well and in which form an answer is kept. What is in the index refers only to what is in the index.
    fn keep(
        &self,
        change: Change,
        digest: Digest,
        before: Option<&KnownPage>,
        truncated: bool,
    ) -> Result<(Retention, Kept), Error> {
        if truncated {
            return Ok((Retention::Indexed, Kept::Response));
        }
        let retention = Retention::of(change, before, self.lesser);
        let held = || before.and_then(KnownPage::held).filter(|(_, held)| *held == digest);
        let kept = match (retention, self.state.original(&digest)?) {
            (Retention::DigestOnly, _) => Kept::Nothing,
            (_, Some(of)) => Kept::Duplicate { of },
            (Retention::Stored, None) => held().map_or(Kept::Response, |(of, _)| Kept::Duplicate { of: of.clone() }),
            (Retention::Indexed, None) => Kept::Response,
        };
        Ok((retention, kept))
    }

    /// What an answer shows: for a version that is held, what it showed.
    fn look_at(&mut self, visit: &Visit, change: Change, digest: Digest, head: &Head<'_>, body: &[u8]) -> Look {
        let url = &visit.request.url;
        let is_version = change != Change::Unknown && self.has_plain_view(visit);
        // Links may also stand in the head, which is another every time.
        if is_version
            && change == Change::Same
            && head.get("link").is_none()
            && let Some(look) = self.state.links_of(url, &digest)
        {
            return look;
        }
        let look = look_at_answer(visit, head, body);
        if is_version {
            self.state.keep_links(url, &digest, &look);
        }
        look
    }

    /// Whether what is seen of a page depends on the page alone.
    fn has_plain_view(&self, visit: &Visit) -> bool {
        self.observer.is_none() && visit.request.purpose != Purpose::Robots
    }

    /// What a page that was not sent again shows, without reading it again if that is known.
    fn look_held(&mut self, of: &Original, digest: Digest, visit: &Visit) -> Result<Look, Error> {
        let url = &visit.request.url;
        if !self.has_plain_view(visit) {
            return self.look_again(of, visit);
        }
        if let Some(look) = self.state.links_of(url, &digest) {
            return Ok(look);
        }
        let look = self.look_again(of, visit)?;
        self.state.keep_links(url, &digest, &look);
        Ok(look)
    }

    /// Whether a line may leave out what its version says: that is known, and the state of the page leads to it.
    fn is_brief(&self, visit: &Visit, seen: &Seen, before: Option<&KnownPage>) -> bool {
        let held = before.and_then(KnownPage::held);
        let is_held = match (&seen.kept, held) {
            (Kept::Duplicate { of } | Kept::NotModified { of }, Some((held, digest))) => {
                of == held && seen.digest == Some(digest)
            }
            _ => false,
        };
        let as_before = before.is_some_and(|page| page.retention == seen.retention);
        is_held && as_before && seen.whole && self.has_plain_view(visit)
    }

    /// What a page that was not sent again holds, as far as we can still read it.
    fn look_again(&mut self, of: &Original, visit: &Visit) -> Result<Look, Error> {
        let Some(place) = &of.place else { return Ok(self.through_observer(visit, None, Look::default())) };
        let url = &visit.request.url;
        let look = look_again(self.layout(), self.writing().segment(), place, url)?;
        let is_page = visit.request.purpose != Purpose::Robots;
        let Some(mut observer) = self.observer.take_if(|_| is_page) else { return Ok(look) };
        let writing = self.writing();
        let shown = show_again(self.layout(), writing.segment(), place, url, |page| observer.see(visit, Some(page)));
        drop(writing);
        let links = shown.ok().flatten().unwrap_or_else(|| observer.see(visit, None));
        self.observer = Some(observer);
        Ok(Look { links, ..look })
    }

    /// What is seen of a page where somebody looks on: the links are those they want.
    fn through_observer(&mut self, visit: &Visit, page: Option<Shown<'_>>, look: Look) -> Look {
        match &mut self.observer {
            Some(observer) if visit.request.purpose != Purpose::Robots => {
                let links = observer.see(visit, page.filter(|_| shows_page(&visit.outcome)));
                Look { links, ..look }
            }
            _ => look,
        }
    }
}

/// What one answer says.
struct Seen {
    change: Change,
    judgement: Option<Judgement>,
    digest: Option<Digest>,
    /// Nothing is missing at the end: part of a version is no version.
    whole: bool,
    validators: Validators,
    /// They came with the original, and need not be written again.
    as_original: bool,
    max_age: Option<Span>,
    look: Look,
    kept: Kept,
    retention: Retention,
    robots: Option<String>,
}

impl Seen {
    fn nothing() -> Seen {
        Seen {
            change: Change::Unknown,
            judgement: None,
            digest: None,
            whole: true,
            validators: Validators::default(),
            as_original: false,
            max_age: None,
            look: Look::default(),
            kept: Kept::Failure,
            retention: Retention::default(),
            robots: None,
        }
    }
}

fn form(seen: &Seen) -> Option<Form<'_>> {
    let payload = seen.digest?;
    match &seen.kept {
        Kept::Response => Some(Form::Response { payload }),
        Kept::Duplicate { of } => Some(Form::Identical { original: of, payload }),
        Kept::NotModified { of } => {
            let validators = Some(&seen.validators).filter(|_| !seen.as_original);
            Some(Form::NotModified { original: of, payload, validators })
        }
        Kept::Failure | Kept::Nothing => None,
    }
}

/// The version a 304 confirms, if a duplicate record may name it.
fn held(before: Option<&KnownPage>) -> Option<(&KnownPage, Original, Digest)> {
    let (original, digest) = before?.held()?;
    Some((before?, original.clone(), digest))
}

/// How an answer compares with the version last seen, before anybody has looked at both.
pub(crate) fn compare(outcome: &Outcome, digest: Digest, before: Option<&KnownPage>) -> Change {
    match (outcome, before.and_then(|page| page.digest)) {
        (Outcome::Body { .. }, None) => Change::First,
        (Outcome::Body { .. }, Some(held)) if held == digest => Change::Same,
        (Outcome::Body { .. }, Some(_)) => Change::New { importance: 1.0 },
        _ => Change::Unknown,
    }
}

fn look_at_answer(visit: &Visit, head: &Head<'_>, body: &[u8]) -> Look {
    match &visit.outcome {
        Outcome::Body { .. } => look_at_parts(&visit.request.url, head, body),
        other => Look { media_type: look_at_parts(&visit.request.url, head, &[]).media_type, ..redirect_only(other) },
    }
}

/// Where the server sent us, as the only link of an answer that is no page.
pub(crate) fn redirect_only(outcome: &Outcome) -> Look {
    let mut links = Links::new();
    if let Outcome::Redirected { to, .. } = outcome {
        let mention = Mention { tag: tintype_vocab::Tag::Redirect, ..Mention::default() };
        links.push_link(Link { mention, ..Link::new(to, LinkKind::Redirect) });
    }
    Look { links, ..Look::default() }
}

pub(crate) fn validators(head: &[u8]) -> Validators {
    let Some(head) = Head::parse(head) else { return Validators::default() };
    let get = |name| head.get(name).map(|value| value.into_owned()).filter(|value| !value.is_empty());
    Validators { etag: get("etag"), last_modified: get("last-modified") }
}
