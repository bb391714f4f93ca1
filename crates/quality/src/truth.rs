//! What really happened: every version of every page and how long it lived.

use tintype_vocab::Time;

/// One version of a page, alive in `[from, until)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Version {
    pub from: Time,
    /// When the next version or the deletion came; [`Time::MAX`] if neither ever did.
    pub until: Time,
    /// Importance of the change that made it; 1 where nothing finer is known.
    pub weight: f32,
}

/// Versions page by page, each page's in order of time and never overlapping. Pages are numbered from 0.
#[derive(Clone, Debug)]
pub struct Truth {
    /// Where each page's versions begin; one more at the end.
    first: Vec<u32>,
    versions: Vec<Version>,
}

impl Default for Truth {
    fn default() -> Truth {
        Truth { first: vec![0], versions: Vec::new() }
    }
}

impl Truth {
    /// One page more.
    pub fn push_page(&mut self, versions: impl IntoIterator<Item = Version>) {
        let start = self.versions.len();
        self.versions.extend(versions);
        let added = &self.versions[start..];
        assert!(added.iter().all(|version| version.from < version.until), "a version lives for a while");
        assert!(added.windows(2).all(|pair| pair[0].until <= pair[1].from), "versions of a page do not overlap");
        assert!(added.iter().all(|version| version.weight >= 0.0 && version.weight.is_finite()), "weights are shares");
        self.first.push(u32::try_from(self.versions.len()).expect("fewer than four billion versions"));
    }

    pub fn pages(&self) -> usize {
        self.first.len() - 1
    }

    /// The versions of one page, in order of time.
    pub fn page(&self, page: usize) -> &[Version] {
        &self.versions[self.first[page] as usize..self.first[page + 1] as usize]
    }

    /// Every version, page by page; a version's place here is its number.
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// The number of the page's version alive at `now`.
    pub fn alive(&self, page: usize, now: Time) -> Option<usize> {
        let versions = self.page(page);
        let born = versions.partition_point(|version| version.from <= now);
        let last = born.checked_sub(1)?;
        (now < versions[last].until).then(|| self.first[page] as usize + last)
    }
}
