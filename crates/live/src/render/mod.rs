//! Pages as a real browser draws them: a headless Chromium, driven over a pipe, that has no network.
//!
//! Every request of a page is answered by whoever asks for the picture, from an archive or from memory, or fails. One
//! browser draws many pages, one after another; one that crashed or took too long is killed, and the next page gets a new
//! one. What the boxes mean is not decided here: see `observe::page::vips`. Read [`Browser::render`] first.

mod asked;
mod burial;
mod farm;
mod page;
mod program;
mod scene;
mod slot;
mod snapshot;
mod wire;

pub use farm::{BuiltPage, RenderEvent, RenderFarm, RenderOrder, RenderRequest};

use page::Page;
use std::{io, path::PathBuf, time::Duration};
use tintype_observe::page::Boxes;
use wire::Dialogue;

/// How a browser is started, and what it may take.
#[derive(Clone, Debug)]
pub struct RenderSettings {
    /// The browser; by default what `TINTYPE_BROWSER` names, or the first of chromium, chromium-browser and google-chrome on
    /// the path.
    pub program: Option<PathBuf>,
    /// Of the window, in CSS pixels.
    pub width: u32,
    pub height: u32,
    /// From asking for a page to having all of it.
    pub time_max: Duration,
    /// Bytes of one answer, and of all answers for one page; what is more fails.
    pub answer_bytes_max: usize,
    pub page_bytes_max: usize,
    /// Of a browser with all its processes; one that takes more is killed, and its page kept as it was served.
    pub memory_max: u64,
    /// Requests of one page; further ones fail.
    pub requests_max: u32,
    /// Pages after which a browser makes room for a new one, so that it does not grow.
    pub pages_max: u32,
    /// Whether a picture is taken of every page.
    pub picture: bool,
}

impl Default for RenderSettings {
    fn default() -> RenderSettings {
        RenderSettings {
            program: None,
            width: 1280,
            height: 960,
            time_max: Duration::from_secs(20),
            answer_bytes_max: 16 << 20,
            page_bytes_max: 64 << 20,
            memory_max: 2 << 30,
            requests_max: 1000,
            pages_max: 200,
            picture: false,
        }
    }
}

/// What a server would have answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderResponse {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// As the headers describe it, but without transfer or content encoding.
    pub body: Vec<u8>,
}

/// A page, drawn.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    pub boxes: Boxes,
    /// A picture of it (PNG), if one was wanted.
    pub picture: Option<Vec<u8>>,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error("no browser was found: neither chromium nor google-chrome is on the path")]
    NoBrowser,
    #[error("the browser cannot be started: {0}")]
    Start(#[source] io::Error),
    #[error("the browser crashed")]
    Crashed,
    #[error("the browser took too long")]
    TooSlow,
    #[error("the browser took too much memory")]
    TooLarge,
    #[error("the capture ended")]
    Stopped,
    #[error("the browser did not understand {method}: {answer}")]
    Refused { method: String, answer: String },
    #[error("there is nothing at {0}")]
    NoPage(String),
}

/// A browser without a network.
#[derive(Debug)]
pub struct Browser {
    settings: RenderSettings,
    program: PathBuf,
    /// Nothing after a crash, until the next page.
    wire: Option<Dialogue>,
}

/// RenderAnswers a request for a URL, if it can be answered.
pub type RenderAnswers<'a> = dyn FnMut(&str) -> Option<RenderResponse> + 'a;

impl Browser {
    /// Whether there is a browser to start.
    pub fn is_installed(settings: &RenderSettings) -> bool {
        program::find(settings).is_some()
    }

    /// Whether a person said which browser to start, or none.
    pub fn is_decided() -> bool {
        std::env::var_os(program::NAMED_BY).is_some_and(|named| !named.is_empty())
    }

    /// What the browser calls itself that would be started, if there is one.
    pub fn version(settings: &RenderSettings) -> Option<String> {
        program::version(&program::find(settings)?)
    }

    /// Starts a browser.
    pub fn start(settings: RenderSettings) -> Result<Browser, RenderError> {
        let program = program::find(&settings).ok_or(RenderError::NoBrowser)?;
        let wire = Dialogue::open(&program, &settings)?;
        Ok(Browser { settings, program, wire: Some(wire) })
    }

    /// The boxes of the page at `url`; it and all it needs comes from `answers`.
    pub fn boxes(&mut self, url: &str, answers: &mut RenderAnswers<'_>) -> Result<Boxes, RenderError> {
        self.render(url, answers, false).map(|rendered| rendered.boxes)
    }

    /// The boxes of the page at `url` and, if wanted, a picture of it.
    pub fn render(
        &mut self,
        url: &str,
        answers: &mut RenderAnswers<'_>,
        picture: bool,
    ) -> Result<Rendered, RenderError> {
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => Dialogue::open(&self.program, &self.settings)?,
        };
        let rendered = Page::open(&mut wire, &self.settings, answers).and_then(|page| page.render(url, picture));
        // After trouble nobody knows what state the browser is in. Only a page that is not there is no trouble of its.
        if matches!(rendered, Ok(_) | Err(RenderError::NoPage(_))) {
            self.wire = Some(wire);
        }
        rendered
    }
}
