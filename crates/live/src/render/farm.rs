//! Browsers that build pages, each with a thread of its own: what they ask for is told, and whoever is told answers.

use super::{
    Browser, RenderError, RenderResponse, RenderSettings,
    slot::{self, Input},
};
use std::{
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A page to be built.
#[derive(Clone, Debug)]
pub struct RenderOrder {
    pub number: u64,
    pub url: String,
    /// What its server answered.
    pub response: Arc<RenderResponse>,
}

/// What a browser asks for.
#[derive(Clone, Debug)]
pub struct RenderRequest {
    /// Without fragment.
    pub url: String,
    /// What the page wants said with it, names in lower case.
    pub headers: Vec<(String, String)>,
}

/// What comes from a browser.
#[derive(Debug)]
pub enum RenderEvent {
    /// It waits until [`RenderFarm::answer`] has this number.
    Asked {
        slot: usize,
        order: u64,
        token: u64,
        request: RenderRequest,
    },
    Done {
        slot: usize,
        order: u64,
        built: Box<Result<BuiltPage, RenderError>>,
    },
}

/// A page as it stood when nothing more happened.
#[derive(Clone, Debug, Default)]
pub struct BuiltPage {
    pub document: String,
    pub text: String,
    pub picture: Option<Vec<u8>>,
    /// Where its scripts went or wanted to go.
    pub routes: Vec<String>,
    /// Without the time it waited for answers.
    pub took: Duration,
    pub asked: u32,
    pub refused: u32,
}

#[derive(Debug)]
struct Slot {
    inbox: Sender<Input>,
    thread: Option<JoinHandle<()>>,
    is_busy: bool,
}

/// The browsers of a process. Dropped, it ends them.
#[derive(Debug)]
pub struct RenderFarm {
    settings: RenderSettings,
    slots_max: usize,
    slots: Vec<Slot>,
    events: UnboundedSender<RenderEvent>,
}

impl RenderFarm {
    /// So many browsers at most; none is started before there is a page for it. Nothing if none is installed.
    pub fn new(settings: RenderSettings, browsers: usize) -> Option<(RenderFarm, UnboundedReceiver<RenderEvent>)> {
        Browser::is_installed(&settings).then_some(())?;
        let (events, heard) = unbounded_channel();
        Some((RenderFarm { settings, slots_max: browsers.max(1), slots: Vec::new(), events }, heard))
    }

    /// Hands a page to a browser that has nothing to do; gives it back if there is none.
    pub fn build(&mut self, order: RenderOrder) -> Result<(), RenderOrder> {
        let free = self.slots.iter().position(|slot| !slot.is_busy);
        let free = match free {
            Some(free) => free,
            None if self.slots.len() < self.slots_max => self.open(),
            None => return Err(order),
        };
        self.slots[free].is_busy = true;
        // Its thread only ends when it is told to.
        let _ = self.slots[free].inbox.send(Input::Order(order));
        Ok(())
    }

    /// What came of a request; nothing where it cannot be had.
    pub fn answer(&self, slot: usize, token: u64, response: Option<Arc<RenderResponse>>) {
        let _ = self.slots[slot].inbox.send(Input::Answer { token, response });
    }

    /// A browser said that it is done.
    pub fn is_free(&mut self, slot: usize) {
        self.slots[slot].is_busy = false;
    }

    fn open(&mut self) -> usize {
        let number = self.slots.len();
        let (inbox, inputs) = channel();
        let (settings, events, own) = (self.settings.clone(), self.events.clone(), inbox.clone());
        let name = format!("browser-{number}");
        let work = move || slot::work(number, &settings, &inputs, &own, &events);
        let thread = thread::Builder::new().name(name).spawn(work).expect("a process can start a thread");
        self.slots.push(Slot { inbox, thread: Some(thread), is_busy: false });
        number
    }
}

impl Drop for RenderFarm {
    fn drop(&mut self) {
        for slot in &self.slots {
            let _ = slot.inbox.send(Input::Quit);
        }
        for slot in &mut self.slots {
            slot.thread.take().map(JoinHandle::join);
        }
    }
}
