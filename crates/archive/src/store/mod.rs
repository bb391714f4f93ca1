//! Derived state of a site behind one small trait, so that the embedded database can later be another.
//!
//! Everything here can be deleted: replaying the site's logs gives it back. To add a store: one file, one line in
//! [`STORES`]; the suite at the end of this file then tests it unasked.

pub(crate) mod database;
mod sqlite;

use crate::{Retention, log::Original};
use std::{fmt, ops::ControlFlow, path::Path};
use tintype_vocab::{Accumulator, Digest, PageUrl, Time, Validators};

/// What is known of a page from all its visits.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownPage {
    /// Its identity, as [`PageUrl`] writes it.
    pub url: String,
    pub first_seen: Time,
    pub last_seen: Time,
    pub last_changed: Time,
    /// Visits that saw the page and can be compared with the one before; second looks that found nothing new apart.
    pub visits: u64,
    /// Changes that matter.
    pub changes: u64,
    /// Of all its changes together.
    pub importance: f64,
    /// Of those since its last indexed version.
    pub waiting: Accumulator,
    pub status: Option<u16>,
    pub media_type: Option<String>,
    /// Of the version last seen.
    pub digest: Option<Digest>,
    pub validators: Validators,
    /// They came with the response record below, so who has that has them.
    pub has_original_validators: bool,
    /// How well that version is kept.
    pub retention: Retention,
    /// The response record that holds its payload; a duplicate record refers to it. If it was only noted, that of the
    /// version before, to compare the next one with.
    pub original: Option<Original>,
}

impl KnownPage {
    /// A page of which nothing was seen yet.
    pub(crate) fn new(url: &str, asked: Time) -> KnownPage {
        KnownPage {
            url: url.to_owned(),
            first_seen: asked,
            last_seen: asked,
            last_changed: asked,
            visits: 0,
            changes: 0,
            importance: 0.0,
            waiting: Accumulator::default(),
            status: None,
            media_type: None,
            digest: None,
            validators: Validators::default(),
            has_original_validators: false,
            retention: Retention::default(),
            original: None,
        }
    }

    /// The version last seen, if a duplicate record may name it.
    pub(crate) fn held(&self) -> Option<(&Original, Digest)> {
        let digest =
            self.digest.filter(|digest| *digest != Digest::EMPTY && self.retention != Retention::DigestOnly)?;
        Some((self.original.as_ref()?, digest))
    }
}

/// In which order pages are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOrder {
    /// As they lie there, without sorting.
    Url,
    /// As they were first seen, and those of one moment by their URLs.
    FirstSeen,
}

/// Everything one transaction changes. Sorted, because that is the order databases like.
#[derive(Debug, Default)]
pub(crate) struct Batch<'a> {
    pub(crate) pages: Vec<(&'a PageUrl<'static>, &'a KnownPage)>,
    pub(crate) payloads: Vec<(&'a Digest, &'a Original)>,
    /// Lists of links by the number of their version, and URLs by their own, in the words of their keeper.
    pub(crate) lists: Vec<(&'a u64, &'a Vec<u8>)>,
    pub(crate) urls: Vec<(&'a u64, &'a Vec<u8>)>,
    /// How much of which log this state now contains.
    pub(crate) watermark: Option<(&'a str, u64)>,
    /// Whatever else was learnt about the site, by name.
    pub(crate) lore: Option<(&'a str, &'a [u8])>,
}

/// The state of one site.
pub(crate) trait Store: Send + fmt::Debug {
    /// The logs this state contains, with their watermarks.
    fn watermarks(&self) -> Result<Vec<(String, u64)>, StoreError>;
    fn page(&self, url: &PageUrl<'_>) -> Result<Option<KnownPage>, StoreError>;
    /// Every page, until the caller has seen enough.
    fn pages(&self, order: PageOrder, each: &mut dyn FnMut(KnownPage) -> ControlFlow<()>) -> Result<(), StoreError>;
    fn payload(&self, digest: &Digest) -> Result<Option<Original>, StoreError>;
    fn link_list(&self, key: u64) -> Result<Option<Vec<u8>>, StoreError>;
    /// The URLs of `count` numbers from `from` on, as far as they are there.
    fn link_urls(&self, from: u64, count: u64) -> Result<Vec<(u64, Vec<u8>)>, StoreError>;
    /// No URL has this number or a higher one.
    fn links_end(&self) -> Result<u64, StoreError>;
    /// What was learnt about the site under this name.
    fn lore(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;
    /// All or nothing; later values replace earlier ones, except that a payload keeps its first original.
    fn apply(&mut self, batch: &Batch<'_>) -> Result<(), StoreError>;
}

/// The database failed, or its file is not one.
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
pub struct StoreError {
    source: Box<dyn std::error::Error + Send + Sync>,
    is_damage: bool,
}

impl StoreError {
    /// The stored state cannot be used and is best made anew.
    pub(crate) fn damage(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError { source: error.into(), is_damage: true }
    }

    /// The store may be sound, but cannot be reached now.
    pub(crate) fn failure(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError { source: error.into(), is_damage: false }
    }

    pub(crate) fn is_damage(&self) -> bool {
        self.is_damage
    }
}

type Opened = Result<Box<dyn Store>, StoreError>;
type Found = Result<Option<Box<dyn Store>>, StoreError>;

/// A kind of store.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Opens or creates the state of a site; the path is without extension.
    pub(crate) open: fn(&Path, site: u64) -> Opened,
    /// Opens it to look only; nothing if it is not there.
    pub(crate) read: fn(&Path, site: u64) -> Found,
    /// Deletes it.
    pub(crate) remove: fn(&Path) -> std::io::Result<()>,
}

/// Every store there is; the first is the default.
pub(crate) const STORES: &[Kind] = &[sqlite::KIND];

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of a log the state knows.
    fn watermark(store: &dyn Store, log: &str) -> u64 {
        store.watermarks().unwrap().into_iter().find(|(known, _)| known == log).map_or(0, |(_, bytes)| bytes)
    }
    use crate::log::Place;

    fn page(n: u64) -> KnownPage {
        KnownPage {
            url: format!("http://e/{n}"),
            first_seen: Time::from_millis(-(n as i64) % 3),
            last_seen: Time::from_secs(n as i64),
            last_changed: Time::MAX,
            visits: n,
            changes: 1,
            importance: 0.1 * n as f64,
            waiting: Accumulator::new(0.3),
            status: n.is_multiple_of(2).then_some(200),
            media_type: n.is_multiple_of(3).then(|| "text/html".to_owned()),
            digest: Some(Digest([n as u8; 20])),
            has_original_validators: n.is_multiple_of(2),
            validators: Validators { etag: (n % 2 == 1).then(|| "W/\"ü\"".to_owned()), last_modified: None },
            retention: [Retention::DigestOnly, Retention::Stored, Retention::Indexed][n as usize % 3],
            original: Some(Original {
                url: "http://e/o".into(),
                date: Time::from_millis(1234),
                place: n.is_multiple_of(2).then(|| Place { segment: "s.warc.gz".into(), offset: 1 << 40, length: 9 }),
            }),
        }
    }

    fn each(test: impl Fn(&Kind, &Path)) {
        for kind in STORES {
            let directory = tempfile::tempdir().unwrap();
            test(kind, &directory.path().join("state"));
        }
    }

    #[test]
    fn every_store_gives_back_what_it_was_given_also_after_reopening() {
        each(|kind, path| {
            assert!((kind.read)(path, 1).unwrap().is_none(), "{kind:?}");
            let pages: Vec<KnownPage> = (100..200).map(page).collect();
            let mut in_order = pages.clone();
            in_order.sort_by_key(|page| page.first_seen);
            let keys: Vec<PageUrl<'static>> = pages.iter().map(|page| PageUrl::new(&page.url).into_owned()).collect();
            let original = Original { url: "http://e/first".into(), date: Time::from_secs(5), place: None };
            let (list, url) = (vec![1, 0, 2], b"\0http://e/l".to_vec());
            let batch = Batch {
                pages: keys.iter().zip(&pages).collect(),
                payloads: vec![(&Digest::EMPTY, &original)],
                lists: vec![(&7, &list), (&u64::MAX, &list)],
                urls: vec![(&3, &url)],
                watermark: Some(("log-a", 77)),
                lore: Some(("habits", &[0, 255])),
            };
            (kind.open)(path, 1).unwrap().apply(&batch).unwrap();
            for store in [(kind.open)(path, 1).unwrap(), (kind.read)(path, 1).unwrap().unwrap()] {
                for (key, page) in keys.iter().zip(&pages) {
                    assert_eq!(store.page(key).unwrap().as_ref(), Some(page));
                }
                let mut all = Vec::new();
                store
                    .pages(PageOrder::FirstSeen, &mut |page| {
                        all.push(page);
                        ControlFlow::Continue(())
                    })
                    .unwrap();
                assert_eq!(all, in_order, "{kind:?}");
                let mut urls = Vec::new();
                store
                    .pages(PageOrder::Url, &mut |page| {
                        urls.push(page.url);
                        if urls.len() < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                    })
                    .unwrap();
                assert_eq!(urls, pages[..7].iter().map(|page| &*page.url).collect::<Vec<_>>(), "{kind:?}");
                assert_eq!(store.page(&PageUrl::new("http://other/")).unwrap(), None);
                assert_eq!(store.payload(&Digest::EMPTY).unwrap().as_ref(), Some(&original));
                assert_eq!(store.payload(&Digest([1; 20])).unwrap(), None);
                assert_eq!((watermark(&*store, "log-a"), watermark(&*store, "log-b")), (77, 0));
                assert_eq!(store.watermarks().unwrap(), [("log-a".to_owned(), 77)]);
                assert_eq!(store.lore("habits").unwrap().as_deref(), Some(&[0, 255][..]));
                assert_eq!(store.lore("other").unwrap(), None);
                assert_eq!(store.link_list(u64::MAX).unwrap().as_ref(), Some(&list));
                assert_eq!((store.link_list(8).unwrap(), store.link_urls(4, 9).unwrap()), (None, vec![]));
                assert_eq!((store.link_urls(1, 2).unwrap(), store.links_end().unwrap()), (vec![], 4));
                assert_eq!(store.link_urls(0, 64).unwrap(), [(3, url.clone())]);
            }
        });
    }

    #[test]
    fn every_store_replaces_pages_and_keeps_the_first_original() {
        each(|kind, path| {
            let mut store = (kind.open)(path, 1).unwrap();
            let key = PageUrl::new("http://e/0");
            for n in 0..3 {
                let page = KnownPage { url: key.to_string(), ..page(n) };
                let original = Original { url: format!("http://e/{n}"), date: Time::from_secs(5), place: None };
                let batch = Batch {
                    pages: vec![(&key, &page)],
                    payloads: vec![(&Digest::EMPTY, &original)],
                    lists: Vec::new(),
                    urls: Vec::new(),
                    watermark: Some(("log", n)),
                    lore: Some(("habits", &vec![7; n as usize])),
                };
                store.apply(&batch).unwrap();
            }
            store.apply(&Batch::default()).unwrap();
            assert_eq!(store.lore("habits").unwrap().unwrap(), [7, 7]);
            assert_eq!(store.page(&key).unwrap(), Some(KnownPage { url: key.to_string(), ..page(2) }));
            assert_eq!(store.payload(&Digest::EMPTY).unwrap().unwrap().url, "http://e/0");
            assert_eq!(watermark(&*store, "log"), 2);
        });
    }

    #[test]
    fn every_store_shows_what_another_wrote_meanwhile_if_not_at_once() {
        each(|kind, path| {
            let (key, first) = (PageUrl::new("http://e/1"), page(1));
            let second = KnownPage { visits: 9, ..first.clone() };
            let mut writer = (kind.open)(path, 1).unwrap();
            let put = |page| Batch { pages: vec![(&key, page)], ..Batch::default() };
            writer.apply(&put(&first)).unwrap();
            let reader = (kind.read)(path, 1).unwrap().unwrap();
            assert_eq!(reader.page(&key).unwrap().as_ref(), Some(&first));
            writer.apply(&put(&second)).unwrap();
            assert_eq!(writer.page(&key).unwrap().as_ref(), Some(&second), "{kind:?}");
            let mut seen = (0..1000).map(|_| reader.page(&key).unwrap());
            assert!(seen.any(|page| page.as_ref() == Some(&second)), "{kind:?}");
        });
    }

    #[test]
    fn every_store_refuses_a_truncated_file_or_starts_empty_and_can_be_removed() {
        each(|kind, path| {
            let key = PageUrl::new("http://e/1");
            let state = page(1);
            let batch = Batch { pages: vec![(&key, &state)], watermark: Some(("log", 1)), ..Batch::default() };
            (kind.open)(path, 1).unwrap().apply(&batch).unwrap();
            let file = std::fs::read_dir(path.parent().unwrap()).unwrap().next().unwrap().unwrap().path();
            let whole = std::fs::read(&file).unwrap();
            for cut in (0..whole.len()).step_by(999) {
                (kind.remove)(path).unwrap();
                std::fs::write(&file, &whole[..cut]).unwrap();
                if let Ok(store) = (kind.open)(path, 1) {
                    assert_eq!(watermark(&*store, "log"), 0, "{kind:?} cut at {cut}");
                }
            }
            (kind.remove)(path).unwrap();
            assert!((kind.read)(path, 1).unwrap().is_none());
            (kind.open)(path, 1).unwrap().apply(&batch).unwrap();
        });
    }
}
