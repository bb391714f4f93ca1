//! Pages as blocks of bytes, and back: each block can be read without those before it.

use super::{PageInfo, Pages, hash, spread};
use tintype_learn::stored;
use tintype_vocab::{PageId, surt_into};

/// Pages in a block: a few megabytes.
const BLOCK: usize = 1 << 15;

/// How much of the URL is that of the page before, the rest of it, and what is known of the page.
type SavedPage<'a> = (u16, &'a str, PageInfo);

impl Pages {
    pub(crate) fn save(&self, each: &mut dyn FnMut(Vec<u8>)) {
        for start in (0..self.len()).step_by(BLOCK) {
            let mut before = "";
            let pages = (start..self.len().min(start + BLOCK)).map(|page| PageId(page as u32));
            let block: Vec<SavedPage<'_>> = pages
                .map(|page| {
                    let (url, shared) = (self.url(page), common(before, self.url(page)));
                    before = url;
                    (shared as u16, &url[shared..], *self.get(page))
                })
                .collect();
            each(stored::to_bytes(&block));
        }
    }

    /// Takes in a block behind the pages there are; `is_listed` says which of them are looked up.
    pub(crate) fn load(&mut self, block: &[u8], is_listed: impl Fn(PageId) -> bool) -> Option<()> {
        let block: Vec<SavedPage<'_>> = stored::from_bytes(block)?;
        let mut url = String::new();
        for (shared, rest, info) in block {
            (usize::from(shared) <= url.len() && url.is_char_boundary(shared.into())).then_some(())?;
            url.truncate(shared.into());
            url.push_str(rest);
            let page = self.add_unlisted(&url, info);
            if is_listed(page) {
                self.list(&url, page);
            }
        }
        Some(())
    }

    fn list(&mut self, url: &str, page: PageId) {
        self.key.clear();
        surt_into(url, &mut self.key);
        let hash = hash(&self.key);
        self.table.insert_unique(spread(hash), (hash, page.0), |&(hash, _)| spread(hash));
    }
}

/// How many bytes two URLs have in common at their beginnings.
fn common(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    (0..=same).rev().find(|at| other.is_char_boundary(*at)).unwrap_or(0)
}
