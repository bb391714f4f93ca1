//! The thread of one browser: it takes pages one after another, and a new browser where the last one crashed or grew.

use super::{
    BuiltPage, RenderError, RenderEvent, RenderOrder, RenderResponse, RenderSettings, program, scene::Scene, wire::Wire,
};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    mpsc::{Receiver, Sender},
};
use tokio::sync::mpsc::UnboundedSender;

/// A page that a browser crashed on is tried once more in a new one: it may have been the browser's fault.
const TRIES: u32 = 2;

/// What the thread hears.
#[derive(Debug)]
pub(super) enum Input {
    Order(RenderOrder),
    Answer {
        token: u64,
        response: Option<Arc<RenderResponse>>,
    },
    /// Of the browser with this number; nothing at its end.
    Said(u64, Option<Value>),
    Quit,
}

/// A browser under way.
pub(super) struct Running {
    pub(super) wire: Wire,
    /// Its number, so that the last words of the one before are not taken for its own.
    pub(super) number: u64,
    pages: u32,
}

pub(super) fn work(
    slot: usize,
    settings: &RenderSettings,
    inbox: &Receiver<Input>,
    own: &Sender<Input>,
    events: &UnboundedSender<RenderEvent>,
) {
    let mut thread = Worker { slot, settings, inbox, own, events, browser: None, browsers: 0, tokens: 0 };
    while let Ok(input) = inbox.recv() {
        match input {
            Input::Order(order) => {
                let built = thread.build(&order);
                if matches!(built, Err(RenderError::Stopped)) {
                    return;
                }
                let _ = events.send(RenderEvent::Done { slot, order: order.number, built: Box::new(built) });
            }
            Input::Quit => return,
            // Said or answered too late.
            Input::Said(..) | Input::Answer { .. } => {}
        }
    }
}

pub(super) struct Worker<'w> {
    pub(super) slot: usize,
    pub(super) settings: &'w RenderSettings,
    pub(super) inbox: &'w Receiver<Input>,
    own: &'w Sender<Input>,
    pub(super) events: &'w UnboundedSender<RenderEvent>,
    browser: Option<Running>,
    browsers: u64,
    /// Numbers of requests, never used twice.
    pub(super) tokens: u64,
}

impl Worker<'_> {
    fn build(&mut self, order: &RenderOrder) -> Result<BuiltPage, RenderError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let built = self.try_build(order);
            match built {
                Err(RenderError::Crashed | RenderError::Start(_)) if tries < TRIES => {}
                built => return built,
            }
        }
    }

    fn try_build(&mut self, order: &RenderOrder) -> Result<BuiltPage, RenderError> {
        let mut running = match self.browser.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let built = Scene::new(self, &mut running, order).play();
        running.pages += 1;
        // After trouble nobody knows what state the browser is in.
        if built.is_ok() && running.pages < self.settings.pages_max {
            self.browser = Some(running);
        }
        built
    }

    fn start(&mut self) -> Result<Running, RenderError> {
        let program = program::find(self.settings).ok_or(RenderError::NoBrowser)?;
        self.browsers += 1;
        let (number, own) = (self.browsers, self.own.clone());
        let hear = move |said: Option<Value>| own.send(Input::Said(number, said)).is_ok();
        let mut wire = Wire::open(&program, self.settings, hear)?;
        // Of all pages, frames, workers and popups alike: nothing is let through, everything is asked for here.
        wire.send(None, "Fetch.enable", &json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] }))?;
        wire.send(None, "Target.setAutoAttach", &attach())?;
        wire.send(None, "Browser.setDownloadBehavior", &json!({ "behavior": "deny" }))?;
        Ok(Running { wire, number, pages: 0 })
    }
}

/// Who is attached to whatever a page starts, before it runs.
pub(super) fn attach() -> Value {
    let filter = json!([{ "type": "tab", "exclude": true }, { "type": "browser", "exclude": true }, {}]);
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter })
}
