//! Pages that a browser builds between their answer and the archive, and what it asks for meanwhile.
//!
//! A browser has no network. What it asks for is a wish to the session of its site, and is let out, fetched and archived like
//! every other request; the answer is handed back from here. What was answered before in the capture is handed back at once.

mod cache;

use super::site::SiteCrawl;
use crate::{
    client::Answer,
    render::{
        BuiltPage, RenderError, RenderEvent, RenderFarm, RenderOrder, RenderRequest, RenderResponse, RenderSettings,
    },
};
use cache::Answers;
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
};
use tintype_archive::{HeldAnswer, Rendering};
use tintype_observe::script_template;
use tintype_plan::{RenderMode, WishAnswer};
use tintype_session::BuildVerdict;
use tintype_vocab::{Outcome, PageUrl, Purpose, RenderGain, Request, ScriptTemplate, Span};
use tokio::sync::mpsc::UnboundedReceiver;

/// Browsers side by side: what they need is asked for at the pace of the hosts, so more would wait more.
const BROWSERS: usize = 2;

/// Answers to one page that are looked at for what they bring.
const BROUGHT_MAX: usize = 1000;

/// The sites under way, by their captures.
struct SitesByCapture<'s> {
    by_capture: &'s BTreeMap<usize, usize>,
    sites: &'s mut BTreeMap<usize, SiteCrawl>,
}

impl SitesByCapture<'_> {
    fn get(&mut self, capture: usize) -> Option<&mut SiteCrawl> {
        self.sites.get_mut(self.by_capture.get(&capture)?)
    }
}

/// A page that waits for a browser, or is in one.
struct Order {
    capture: usize,
    request: Request,
    answer: Answer,
    response: Option<Arc<RenderResponse>>,
    /// Which pages are built like it; nothing where that does not matter, or is not known yet.
    template: Option<ScriptTemplate>,
    /// Requests that went out because of it, for what was not known before.
    found: Vec<String>,
    /// What it was answered: where from, and a hash of what.
    brought: Vec<(String, u64)>,
}

/// A request that waits in a browser.
#[derive(Clone, Debug)]
struct Waiting {
    slot: usize,
    token: u64,
    order: u64,
    headers: Vec<(String, String)>,
}

/// What an answer that is read back from the archive is for.
#[derive(Debug)]
pub(crate) enum RecallFor {
    /// The page itself, which its server said to be as it was.
    Page(u64),
    Browser {
        slot: usize,
        token: u64,
        order: u64,
        capture: usize,
        url: String,
    },
}

/// A page that is done: what is to be taken in. Nothing was built where pages like it gain nothing.
pub(super) struct DonePage {
    pub(super) capture: usize,
    pub(super) request: Request,
    pub(super) answer: Answer,
    pub(super) rendering: Option<Rendering>,
}

/// All that browsers do for the sites of a crawl.
#[derive(Default)]
pub(super) struct Building {
    farm: Option<(RenderFarm, UnboundedReceiver<RenderEvent>)>,
    /// None is installed: that was found out once.
    has_none: bool,
    orders: BTreeMap<u64, Order>,
    numbers: u64,
    queue: VecDeque<u64>,
    /// By capture and URL.
    waiting: HashMap<(usize, String), Vec<Waiting>>,
    answers: Answers,
}

impl Building {
    /// What a browser has to say next; never, where there is none.
    pub(super) async fn next_event(&mut self) -> RenderEvent {
        match &mut self.farm {
            Some((_, events)) => match events.recv().await {
                Some(event) => event,
                None => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    }

    /// Whether any page waits for a browser or is in one.
    pub(super) fn is_under_way(&self) -> bool {
        !self.orders.is_empty()
    }

    /// Whether an answer is to be built before it is kept, as far as that can be said now.
    pub(super) fn wants(&mut self, crawl: &mut SiteCrawl, request: &Request, answer: &mut Answer) -> bool {
        let mode = crawl.session.settings().render;
        if mode == RenderMode::Never || self.has_none || !crawl.session.may_be_built(request, &answer.outcome) {
            return false;
        }
        let is_unchanged = answer.outcome == Outcome::NotModified;
        let is_html = match is_unchanged {
            true => crawl.is_known_html(&request.url),
            false => answer.exchange.as_ref().is_some_and(|exchange| cache::is_html(&exchange.response_head)),
        };
        let is_wanted = is_html
            && match (mode, is_unchanged) {
                (RenderMode::Auto, true) => crawl.session.may_build_unchanged(),
                (RenderMode::Auto, false) => may_gain(crawl, &request.url, answer),
                _ => true,
            };
        is_wanted && self.is_ready()
    }

    fn is_ready(&mut self) -> bool {
        if self.farm.is_none() {
            self.farm = RenderFarm::new(RenderSettings::default(), BROWSERS);
            self.has_none = self.farm.is_none();
        }
        self.farm.is_some()
    }

    /// Takes a page; its site settles it when it is done.
    pub(super) fn begin(&mut self, crawl: &mut SiteCrawl, request: Request, mut answer: Answer) {
        let (number, capture) = (self.numbers, crawl.writer.number());
        self.numbers += 1;
        crawl.session.being_built(&request, answer.answered);
        let response = cache::response(&mut answer);
        let url = request.url.clone();
        let is_here = response.is_some();
        let (found, template, brought) = (Vec::new(), None, Vec::new());
        self.orders.insert(number, Order { capture, request, answer, response, template, found, brought });
        match is_here {
            true => self.queue.push_back(number),
            false => crawl.writer.recall(url, RecallFor::Page(number)),
        }
    }

    /// Gives pages to browsers that have nothing to do. Hands back those that need none after all.
    pub(super) fn hand_out(
        &mut self,
        by_capture: &BTreeMap<usize, usize>,
        sites: &mut BTreeMap<usize, SiteCrawl>,
    ) -> Vec<DonePage> {
        let sites = &mut SitesByCapture { by_capture, sites };
        let mut kept = Vec::new();
        for number in std::mem::take(&mut self.queue) {
            match self.judge(number, sites) {
                Some(BuildVerdict::Build) if self.build(number, sites) => {}
                Some(BuildVerdict::Build | BuildVerdict::Wait) => self.queue.push_back(number),
                Some(BuildVerdict::Keep) => kept.extend(self.keep_as_served(number)),
                None => {}
            }
        }
        kept
    }

    /// Nothing of a page whose site is gone.
    fn judge(&mut self, number: u64, sites: &mut SitesByCapture<'_>) -> Option<BuildVerdict> {
        let order = self.orders.get_mut(&number)?;
        let crawl = sites.get(order.capture)?;
        if order.template.is_none() {
            let response = order.response.as_ref()?;
            order.template = script_template(&order.request.url, &response.body);
        }
        if crawl.session.settings().render != RenderMode::Auto {
            return Some(BuildVerdict::Build);
        }
        let Some(template) = &order.template else { return Some(BuildVerdict::Keep) };
        let verdict = crawl.session.judge_build(template);
        if verdict == BuildVerdict::Keep {
            crawl.session.build_passed_over();
        }
        Some(verdict)
    }

    /// Whether a browser had nothing to do and took the page.
    fn build(&mut self, number: u64, sites: &mut SitesByCapture<'_>) -> bool {
        let (Some((farm, _)), Some(order)) = (&mut self.farm, self.orders.get(&number)) else { return false };
        let Some(response) = order.response.clone() else { return false };
        let is_taken = farm.build(RenderOrder { number, url: order.request.url.clone(), response }).is_ok();
        if let (true, Some(template), Some(crawl)) = (is_taken, order.template, sites.get(order.capture)) {
            crawl.session.build_begun(&template);
        }
        is_taken
    }

    fn keep_as_served(&mut self, number: u64) -> Option<DonePage> {
        let Order { capture, request, answer, .. } = self.orders.remove(&number)?;
        Some(DonePage { capture, request, answer, rendering: None })
    }

    /// The capture of the page that a browser asks for something.
    pub(super) fn capture_of(&self, order: u64) -> Option<usize> {
        self.orders.get(&order).map(|order| order.capture)
    }

    /// An answer to a page that asked for a URL.
    fn tell(&mut self, (slot, order, token): (usize, u64, u64), url: &str, response: Option<Arc<RenderResponse>>) {
        if let (Some(order), Some(content)) =
            (self.orders.get_mut(&order), response.as_deref().and_then(cache::content))
            && order.brought.len() < BROUGHT_MAX
        {
            order.brought.push((url.to_owned(), content));
        }
        if let Some((farm, _)) = &self.farm {
            farm.answer(slot, token, response);
        }
    }

    /// A browser asks. `crawl` is its site, unless that asks for nothing more.
    pub(super) fn asked(
        &mut self,
        crawl: Option<&mut SiteCrawl>,
        (slot, order, token): (usize, u64, u64),
        request: RenderRequest,
    ) {
        let whom = (slot, order, token);
        let url = PageUrl::new(&request.url).as_str().to_owned();
        let Some(crawl) = crawl else { return self.tell(whom, &url, None) };
        let capture = crawl.writer.number();
        if let Some(known) = self.answers.get(capture, &url) {
            return self.tell(whom, &url, known);
        }
        let is_it = |order: &&Order| order.capture == capture && order.request.url == url;
        if let Some(response) = self.orders.values().find(is_it).and_then(|order| order.response.clone()) {
            return self.tell(whom, &url, Some(response));
        }
        match crawl.session.want(&url) {
            WishAnswer::Refused(_) => self.tell(whom, &url, None),
            WishAnswer::Answered => {
                crawl.writer.recall(url.clone(), RecallFor::Browser { slot, token, order, capture, url });
            }
            WishAnswer::Coming => {
                let waiting = Waiting { slot, token, order, headers: request.headers };
                self.waiting.entry((capture, url)).or_default().push(waiting);
            }
        }
    }

    /// A request goes out that a browser waits for: what its page wants said with it.
    pub(super) fn sent(&mut self, capture: usize, url: &str, is_new: bool) -> Vec<(String, String)> {
        let Some(first) = self.waiting.get(&(capture, url.to_owned())).and_then(|waiting| waiting.first()) else {
            return Vec::new();
        };
        if let Some(order) = self.orders.get_mut(&first.order).filter(|_| is_new) {
            order.found.push(url.to_owned());
        }
        first.headers.clone()
    }

    /// An answer came: who waits for it has it. `crawl` takes it in afterwards.
    pub(super) fn answered(&mut self, crawl: &SiteCrawl, request: &Request, answer: &mut Answer) {
        let capture = crawl.writer.number();
        if crawl.session.settings().render == RenderMode::Never || request.purpose == Purpose::Robots {
            return;
        }
        let waiting = self.waiting.remove(&(capture, request.url.clone()));
        if answer.outcome == Outcome::NotModified {
            for Waiting { slot, token, order, .. } in waiting.into_iter().flatten() {
                let url = request.url.clone();
                crawl.writer.recall(url.clone(), RecallFor::Browser { slot, token, order, capture, url });
            }
            return;
        }
        if waiting.is_none() && self.orders.is_empty() && answer.outcome.saw_page() {
            // Nobody asks for it now; who will can have it from the archive.
            return;
        }
        let response = cache::response(answer);
        self.answers.keep(capture, &request.url, response.clone(), answer.outcome.saw_page());
        for Waiting { slot, token, order, .. } in waiting.into_iter().flatten() {
            self.tell((slot, order, token), &request.url, response.clone());
        }
    }

    /// Something was wanted that will not be asked for.
    pub(super) fn refused(&mut self, capture: usize, url: &str) {
        let waiting = self.waiting.remove(&(capture, url.to_owned()));
        for Waiting { slot, token, order, .. } in waiting.into_iter().flatten() {
            self.tell((slot, order, token), url, None);
        }
    }

    /// A site asks for nothing more: its browsers get no answers any more, and are soon done.
    pub(super) fn give_up(&mut self, capture: usize) {
        let of_it: Vec<_> = self.waiting.keys().filter(|(of, _)| *of == capture).cloned().collect();
        of_it.iter().for_each(|(_, url)| self.refused(capture, url));
    }

    /// What was read back from the archive.
    pub(super) fn recalled(&mut self, what: RecallFor, held: Option<HeldAnswer>) -> Option<DonePage> {
        let response = held.and_then(cache::held_response);
        match what {
            RecallFor::Browser { slot, token, order, capture, url } => {
                self.answers.keep(capture, &url, response.clone(), true);
                self.tell((slot, order, token), &url, response);
                None
            }
            RecallFor::Page(number) => {
                let order = self.orders.get_mut(&number)?;
                order.response = response;
                if order.response.is_none() {
                    return self.done(number, Err(RenderError::NoPage(String::new())));
                }
                self.queue.push_back(number);
                None
            }
        }
    }

    /// A browser has nothing to do any more, or gave its page up. What it still waited for is wanted by nobody else perhaps:
    /// those URLs are handed back.
    pub(super) fn is_done(
        &mut self,
        slot: usize,
        order: u64,
        built: Result<BuiltPage, RenderError>,
    ) -> (Option<DonePage>, Vec<String>) {
        if let Some((farm, _)) = &mut self.farm {
            farm.is_free(slot);
        }
        let mut forgotten = Vec::new();
        self.waiting.retain(|(_, url), waiting| {
            waiting.retain(|waiting| waiting.order != order);
            if waiting.is_empty() {
                forgotten.push(url.clone());
            }
            !waiting.is_empty()
        });
        (self.done(order, built), forgotten)
    }

    fn done(&mut self, number: u64, built: Result<BuiltPage, RenderError>) -> Option<DonePage> {
        let Order { capture, request, mut answer, found, template, brought, .. } = self.orders.remove(&number)?;
        let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
        let rendering = match built {
            Ok(built) => {
                let BuiltPage { document, text, picture, routes, took, asked, refused } = built;
                let took = Span::from_millis(i64::try_from(took.as_millis()).unwrap_or(i64::MAX));
                let gain = RenderGain { took, asked, found: count, refused, template, ..RenderGain::default() };
                Rendering { document, text, picture, routes, brought, found, gain }
            }
            Err(error) => {
                let note = format!("kept as it was served, for {error}");
                answer.note = Some(answer.note.map_or(note.clone(), |first| format!("{first}; {note}")));
                let gain = RenderGain { found: count, template, failed: true, ..RenderGain::default() };
                Rendering { gain, ..Rendering::default() }
            }
        };
        Some(DonePage { capture, request, answer, rendering: Some(rendering) })
    }

    /// A capture is over, and what was kept at hand of it.
    pub(super) fn forget(&mut self, capture: usize) {
        self.give_up(capture);
        self.orders.retain(|_, order| order.capture != capture);
        self.answers.forget(capture);
    }
}

/// Whether scripts run on a page, and pages like it may gain by being built.
fn may_gain(crawl: &mut SiteCrawl, url: &str, answer: &mut Answer) -> bool {
    let response = cache::response(answer);
    let Some(template) = response.and_then(|response| script_template(url, &response.body)) else { return false };
    let may = crawl.session.judge_build(&template) != BuildVerdict::Keep;
    if !may {
        crawl.session.build_passed_over();
    }
    may
}
