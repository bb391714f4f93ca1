//! A window of a recorded history as a site to be captured once, with what an archive knew of it before.

use super::CaptureSubject;
use crate::{Contents, Discovery, History, Unreadable, reader::Reader};
use tintype_quality::Truth;
use tintype_vocab::{ChangeRate, Links, Time};

/// The pages that were there at one moment.
pub struct RecordedCapture<'a> {
    history: &'a History,
    reader: Reader<'a>,
    origin: String,
    /// Numbers in the history.
    pages: Vec<u32>,
    by_page: Vec<Option<u32>>,
    believed: Vec<ChangeRate>,
    truth: Truth,
    entrance: u32,
    unreadable: Option<Unreadable>,
}

impl std::fmt::Debug for RecordedCapture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} pages of {}", self.pages.len(), self.origin)
    }
}

impl<'a> RecordedCapture<'a> {
    /// `believe` says what is believed of a page from its history before `start`.
    pub fn new(
        history: &'a History,
        contents: Option<&'a mut dyn Contents>,
        origin: &str,
        start: Time,
        mut believe: impl FnMut(u32) -> ChangeRate,
    ) -> Option<RecordedCapture<'a>> {
        let pages: Vec<u32> =
            (0..history.pages() as u32).filter(|page| history.alive(*page, start).is_some()).collect();
        let entrance = (0..pages.len()).min_by_key(|nth| history.path(pages[*nth]).len())? as u32;
        let mut by_page = vec![None; history.pages()];
        let (mut truth, whole) = (Truth::default(), history.truth(|_| 1.0));
        let mut believed = Vec::new();
        for (nth, page) in pages.iter().enumerate() {
            by_page[*page as usize] = Some(nth as u32);
            truth.push_page(whole.page(*page as usize).iter().copied());
            believed.push(believe(*page));
        }
        let reader = Reader::new(history, contents, origin);
        let origin = origin.trim_end_matches('/').to_owned();
        Some(RecordedCapture { history, reader, origin, pages, by_page, believed, truth, entrance, unreadable: None })
    }

    /// What could not be read on the way, if anything.
    pub fn unreadable(self) -> Option<Unreadable> {
        self.unreadable
    }
}

impl CaptureSubject for RecordedCapture<'_> {
    fn pages(&self) -> usize {
        self.pages.len()
    }

    fn url(&self, page: u32) -> String {
        format!("{}{}", self.origin, self.history.path(self.pages[page as usize]))
    }

    fn page_of(&self, url: &str) -> Option<u32> {
        let page = self.history.find(url.strip_prefix(&self.origin)?)?;
        self.by_page[page as usize]
    }

    fn entrance(&self) -> u32 {
        self.entrance
    }

    fn believed(&self, page: u32) -> ChangeRate {
        self.believed[page as usize]
    }

    fn links(&mut self, page: u32, at: Time) -> Links {
        let Some(row) = self.history.alive(self.pages[page as usize], at) else { return Links::new() };
        self.reader.links(row, at, Discovery::Announced).unwrap_or_else(|unreadable| {
            self.unreadable.get_or_insert(unreadable);
            Links::new()
        })
    }

    fn truth(&self) -> &Truth {
        &self.truth
    }
}
