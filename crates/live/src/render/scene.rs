//! One page in a browser: opened, answered, looked through as a person would, written down, closed.
//!
//! Everything is bounded: own time, time in all, requests, memory. While the browser waits for an answer its own time stands
//! still, because servers are asked at their pace and not at the page's.

use super::{
    BuiltPage, RenderError, RenderEvent, RenderOrder, RenderRequest, RenderResponse,
    asked::Paused,
    burial,
    page::without_fragment,
    slot::{Input, Running, Worker, attach},
};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, mpsc::RecvTimeoutError},
    time::{Duration, Instant},
};

/// What is done to see all of a page, one file each.
const SCROLL: &str = include_str!("behaviour/scroll.js");
const OPEN: &str = include_str!("behaviour/open.js");
const PLAY: &str = include_str!("behaviour/play.js");

/// A page that asks for nothing for so long has what it needs.
const QUIET: Duration = Duration::from_millis(500);
/// After a step through the page.
const STEP_QUIET: Duration = Duration::from_millis(150);
/// A page that never comes to rest is not waited for any longer, in its own time.
const RESTLESS: Duration = Duration::from_secs(8);
const STEP_RESTLESS: Duration = Duration::from_secs(2);
/// Steps down a page, and rounds of "load more".
const STEPS_MAX: usize = 60;
const ROUNDS_MAX: usize = 8;
/// Requests that a page makes on being looked through, further than that it is not.
const FURTHER_MAX: u32 = 400;
/// Everything together, waiting included.
const WALL_MAX: Duration = Duration::from_secs(20 * 60);
/// How often it is looked how much memory is taken.
const MEMORY_EVERY: Duration = Duration::from_secs(2);
/// Bodies that are asked for piece by piece stay at hand up to so many bytes.
const PIECES_MAX: usize = 64 << 20;
const DOCUMENT_MAX: usize = 16 << 20;
const TEXT_MAX: usize = 4 << 20;
const ROUTES_MAX: usize = 200;
/// How often a page may load itself again.
const LOADS_MAX: u32 = 3;

pub(super) struct Scene<'s, 'w> {
    worker: &'s mut Worker<'w>,
    browser: &'s mut Running,
    order: &'s RenderOrder,
    page_url: String,
    context: String,
    target: String,
    session: String,
    frame: String,
    pending: BTreeMap<u64, Paused>,
    /// The command whose answer is waited for, and the answer.
    awaited: Option<u64>,
    answer: Option<Value>,
    pieces: BTreeMap<String, Arc<RenderResponse>>,
    pieces_bytes: usize,
    routes: BTreeSet<String>,
    loads: u32,
    loaded: bool,
    asked: u32,
    refused: u32,
    last_active: Instant,
    own_left: Duration,
    wall_end: Instant,
    memory_at: Instant,
}

impl<'s, 'w> Scene<'s, 'w> {
    pub(super) fn new(worker: &'s mut Worker<'w>, browser: &'s mut Running, order: &'s RenderOrder) -> Scene<'s, 'w> {
        let now = Instant::now();
        Scene {
            own_left: worker.settings.time_max,
            page_url: without_fragment(&order.url).to_owned(),
            worker,
            browser,
            order,
            context: String::new(),
            target: String::new(),
            session: String::new(),
            frame: String::new(),
            pending: BTreeMap::new(),
            awaited: None,
            answer: None,
            pieces: BTreeMap::new(),
            pieces_bytes: 0,
            routes: BTreeSet::new(),
            loads: 0,
            loaded: false,
            asked: 0,
            refused: 0,
            last_active: now,
            wall_end: now + WALL_MAX,
            memory_at: now + MEMORY_EVERY,
        }
    }

    pub(super) fn play(mut self) -> Result<BuiltPage, RenderError> {
        self.open()?;
        self.load()?;
        self.look_through()?;
        let document = self.document()?;
        let text = self.evaluate("document.body ? document.body.innerText : ''")?;
        let text = text.as_str().unwrap_or_default();
        let text = text[..text.floor_char_boundary(TEXT_MAX)].to_owned();
        let picture = if self.worker.settings.picture { Some(self.picture()?) } else { None };
        self.close()?;
        Ok(BuiltPage {
            document,
            text,
            picture,
            took: self.worker.settings.time_max.saturating_sub(self.own_left),
            routes: self.routes.into_iter().collect(),
            asked: self.asked,
            refused: self.refused,
        })
    }

    /// A page with nothing of others: no cookies, no cache, no storage.
    fn open(&mut self) -> Result<(), RenderError> {
        let context = self.call_browser("Target.createBrowserContext", &json!({ "disposeOnDetach": true }))?;
        self.context = text(&context["browserContextId"]);
        let (width, height) = (self.worker.settings.width, self.worker.settings.height);
        let wish = json!({ "url": "about:blank", "browserContextId": self.context, "width": width, "height": height });
        let made = self.call_browser("Target.createTarget", &wish)?;
        self.target = text(&made["targetId"]);
        while self.session.is_empty() {
            self.step(Instant::now() + QUIET)?;
        }
        // The same page looks the same everywhere.
        let window = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", &window)?;
        self.send("Emulation.setLocaleOverride", &json!({ "locale": "en-US" }))?;
        self.send("Emulation.setTimezoneOverride", &json!({ "timezoneId": "UTC" }))?;
        self.send("Page.enable", &json!({}))?;
        self.send("Runtime.runIfWaitingForDebugger", &json!({}))?;
        let tree = self.call("Page.getFrameTree", &json!({}))?;
        self.frame = text(&tree["frameTree"]["frame"]["id"]);
        Ok(())
    }

    fn load(&mut self) -> Result<(), RenderError> {
        let navigated = self.call("Page.navigate", &json!({ "url": self.order.url }))?;
        if navigated["errorText"].is_string() {
            return Err(RenderError::NoPage(self.order.url.clone()));
        }
        let patience = self.own_left / 2;
        while !self.loaded && self.own_left > patience && Instant::now() < self.wall_end {
            self.step(Instant::now() + QUIET)?;
        }
        if !self.loaded {
            self.call("Page.stopLoading", &json!({}))?;
        }
        self.rest(QUIET, RESTLESS)
    }

    /// Down the page to its end, everything opened that can be, films begun.
    fn look_through(&mut self) -> Result<(), RenderError> {
        let asked_max = self.asked.saturating_add(FURTHER_MAX);
        let (mut steps, mut is_moved) = (0, false);
        for round in 0..ROUNDS_MAX {
            while steps < STEPS_MAX && self.asked < asked_max && self.evaluate(SCROLL)?.as_bool() == Some(true) {
                steps += 1;
                self.rest(STEP_QUIET, STEP_RESTLESS)?;
            }
            let opened = self.evaluate(OPEN)?.as_u64().unwrap_or(0);
            let started = if round == 0 { self.evaluate(PLAY)?.as_u64().unwrap_or(0) } else { 0 };
            is_moved |= steps > 0 || opened + started > 0;
            if opened + started == 0 || steps >= STEPS_MAX || self.asked >= asked_max {
                break;
            }
            self.rest(QUIET, RESTLESS)?;
        }
        if !is_moved {
            return Ok(());
        }
        self.evaluate("scrollTo({ top: 0, behavior: 'instant' })")?;
        self.rest(QUIET, STEP_RESTLESS)
    }

    /// Until nothing is asked for any more, or for so much of its own time at most.
    fn rest(&mut self, quiet: Duration, at_most: Duration) -> Result<(), RenderError> {
        let (left, began) = (self.own_left.saturating_sub(at_most), Instant::now());
        self.last_active = self.last_active.max(began);
        while self.own_left > left && Instant::now() < self.wall_end {
            let rests_at = self.last_active + quiet;
            if self.pending.is_empty() && Instant::now() >= rests_at {
                return Ok(());
            }
            self.step(if self.pending.is_empty() { rests_at } else { Instant::now() + QUIET })?;
        }
        Ok(())
    }

    fn document(&mut self) -> Result<String, RenderError> {
        let root = self.call("DOM.getDocument", &json!({ "depth": 0 }))?;
        let node = json!({ "nodeId": root["root"]["nodeId"], "includeShadowDOM": true });
        let html = match self.call("DOM.getOuterHTML", &node) {
            // An older browser.
            Err(RenderError::Refused { .. }) => {
                self.call("DOM.getOuterHTML", &json!({ "nodeId": root["root"]["nodeId"] }))?
            }
            html => html?,
        };
        let html = text(&html["outerHTML"]);
        Ok(html[..html.floor_char_boundary(DOCUMENT_MAX)].to_owned())
    }

    fn picture(&mut self) -> Result<Vec<u8>, RenderError> {
        let taken = self.call("Page.captureScreenshot", &json!({ "format": "png" }))?;
        Ok(BASE64.decode(text(&taken["data"]).as_bytes()).unwrap_or_default())
    }

    fn close(&mut self) -> Result<(), RenderError> {
        self.pending.clear();
        self.call_browser("Target.disposeBrowserContext", &json!({ "browserContextId": self.context })).map(drop)
    }

    /// What a script says; nothing if it throws.
    fn evaluate(&mut self, script: &str) -> Result<Value, RenderError> {
        let wish = json!({ "expression": script, "returnByValue": true, "userGesture": true });
        match self.call("Runtime.evaluate", &wish) {
            Ok(mut said) => Ok(said["result"]["value"].take()),
            Err(RenderError::Refused { .. }) => Ok(Value::Null),
            Err(error) => Err(error),
        }
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<(), RenderError> {
        self.browser.wire.send(Some(&self.session), method, params).map(drop)
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, RenderError> {
        let id = self.browser.wire.send(Some(&self.session), method, params)?;
        self.hear_answer(id, method)
    }

    fn call_browser(&mut self, method: &str, params: &Value) -> Result<Value, RenderError> {
        let id = self.browser.wire.send(None, method, params)?;
        self.hear_answer(id, method)
    }

    /// What happens meanwhile is seen to.
    fn hear_answer(&mut self, id: u64, method: &str) -> Result<Value, RenderError> {
        (self.awaited, self.answer) = (Some(id), None);
        loop {
            if let Some(mut answer) = self.answer.take() {
                self.awaited = None;
                return match answer.get("error") {
                    Some(error) => Err(RenderError::Refused { method: method.to_owned(), answer: error.to_string() }),
                    None => Ok(answer["result"].take()),
                };
            }
            if Instant::now() >= self.wall_end + self.worker.settings.time_max {
                return Err(RenderError::TooSlow);
            }
            self.step(Instant::now() + QUIET)?;
        }
    }

    /// Sees to one thing that happens before a moment.
    fn step(&mut self, until: Instant) -> Result<(), RenderError> {
        let (began, waits) = (Instant::now(), !self.pending.is_empty());
        let patience = until.saturating_duration_since(began).min(MEMORY_EVERY);
        let heard = self.worker.inbox.recv_timeout(patience);
        if !waits {
            self.own_left = self.own_left.saturating_sub(began.elapsed());
            if self.own_left.is_zero() {
                return Err(RenderError::TooSlow);
            }
        }
        self.mind_memory()?;
        match heard {
            Ok(Input::Said(number, said)) if number == self.browser.number => match said {
                Some(message) => self.hear(message),
                None => Err(RenderError::Crashed),
            },
            Ok(Input::Answer { token, response }) => self.answered(token, response),
            Ok(Input::Said(..)) | Err(RecvTimeoutError::Timeout) => Ok(()),
            Ok(Input::Quit) | Err(RecvTimeoutError::Disconnected) => Err(RenderError::Stopped),
            Ok(Input::Order(_)) => unreachable!("a busy browser is given no page"),
        }
    }

    fn mind_memory(&mut self) -> Result<(), RenderError> {
        if Instant::now() < self.memory_at {
            return Ok(());
        }
        self.memory_at = Instant::now() + MEMORY_EVERY;
        let taken = burial::memory_of(self.browser.wire.group());
        if taken > self.worker.settings.memory_max { Err(RenderError::TooLarge) } else { Ok(()) }
    }

    fn hear(&mut self, message: Value) -> Result<(), RenderError> {
        if let Some(id) = message["id"].as_u64() {
            if self.awaited == Some(id) {
                self.answer = Some(message);
            }
            return Ok(());
        }
        let (of, params) = (message["sessionId"].as_str().unwrap_or_default(), &message["params"]);
        let is_main = !self.session.is_empty() && of == self.session;
        match message["method"].as_str().unwrap_or_default() {
            "Fetch.requestPaused" => self.paused(Paused::of(params)),
            "Target.attachedToTarget" => self.attached(params),
            "Page.loadEventFired" if is_main => {
                self.loaded = true;
                Ok(())
            }
            "Page.navigatedWithinDocument" if is_main => {
                self.note_route(params["url"].as_str().unwrap_or_default());
                Ok(())
            }
            "Page.javascriptDialogOpening" => self.send("Page.handleJavaScriptDialog", &json!({ "accept": false })),
            "Inspector.targetCrashed" if is_main => Err(RenderError::Crashed),
            "Target.targetCrashed" if params["targetId"] == *self.target => Err(RenderError::Crashed),
            _ => Ok(()),
        }
    }

    /// Something that can make requests was started: it is watched before it runs.
    fn attached(&mut self, params: &Value) -> Result<(), RenderError> {
        let (session, info) = (text(&params["sessionId"]), &params["targetInfo"]);
        let is_ours = info["browserContextId"] == *self.context && !self.context.is_empty();
        let is_page = info["type"] == "page";
        self.browser.wire.send(Some(&session), "Target.setAutoAttach", &attach())?;
        if is_ours && is_page && self.session.is_empty() {
            self.session = session;
            return Ok(());
        }
        self.browser.wire.send(Some(&session), "Runtime.runIfWaitingForDebugger", &json!({}))?;
        if is_ours && is_page {
            self.note_route(info["url"].as_str().unwrap_or_default());
            let target = json!({ "targetId": info["targetId"] });
            self.browser.wire.send(None, "Target.closeTarget", &target)?;
        }
        Ok(())
    }

    fn note_route(&mut self, url: &str) {
        let url = without_fragment(url);
        let is_web = url.starts_with("http://") || url.starts_with("https://");
        if is_web && url != self.page_url && self.routes.len() < ROUTES_MAX {
            self.routes.insert(url.to_owned());
        }
    }

    fn paused(&mut self, paused: Paused) -> Result<(), RenderError> {
        if !paused.is_web() {
            return self.tell_browser(paused.continued());
        }
        self.last_active = Instant::now();
        self.asked += 1;
        let is_main = paused.kind == "Document" && paused.frame == self.frame;
        if paused.url == self.page_url && matches!(paused.method.as_str(), "GET" | "HEAD") {
            self.loads += u32::from(is_main);
            let again = is_main && self.loads > LOADS_MAX;
            let told = if again { paused.failed("Aborted") } else { paused.fulfilled(&self.order.response) };
            return self.tell_browser(told);
        }
        if is_main {
            // It wants to go elsewhere, which is a link like another.
            self.note_route(&paused.url);
            return self.tell_browser(paused.failed("Aborted"));
        }
        if paused.method == "OPTIONS" {
            return self.tell_browser(paused.permitted());
        }
        let is_question = matches!(paused.method.as_str(), "GET" | "HEAD");
        if !is_question || paused.is_hopeless() || self.asked > self.worker.settings.requests_max {
            self.refused += 1;
            return self.tell_browser(paused.failed("BlockedByClient"));
        }
        if let Some(whole) = self.pieces.get(&paused.url) {
            let told = paused.fulfilled(whole);
            return self.tell_browser(told);
        }
        self.worker.tokens += 1;
        let (token, order, slot) = (self.worker.tokens, self.order.number, self.worker.slot);
        let request = RenderRequest { url: paused.url.clone(), headers: paused.said(&self.page_url) };
        self.pending.insert(token, paused);
        let _ = self.worker.events.send(RenderEvent::Asked { slot, order, token, request });
        Ok(())
    }

    /// Answers to pages that are closed by now are nobody's.
    fn answered(&mut self, token: u64, response: Option<Arc<RenderResponse>>) -> Result<(), RenderError> {
        let Some(paused) = self.pending.remove(&token) else { return Ok(()) };
        self.last_active = Instant::now();
        let Some(response) = response else {
            self.refused += 1;
            return self.tell_browser(paused.failed("BlockedByClient"));
        };
        let is_pieces = paused.kind == "Media" && self.pieces_bytes + response.body.len() <= PIECES_MAX;
        if is_pieces && self.pieces.insert(paused.url.clone(), response.clone()).is_none() {
            self.pieces_bytes += response.body.len();
        }
        self.tell_browser(paused.fulfilled(&response))
    }

    fn tell_browser(&mut self, (method, params): (&'static str, Value)) -> Result<(), RenderError> {
        self.browser.wire.send(None, method, &params).map(drop)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
