//! The versions of a page by the visits that saw them, and what those prove of a moment.

use super::Memento;
use tintype_vocab::Time;

/// One content state of a page: visits one after the other that saw the same bytes.
#[derive(Clone, Debug)]
pub struct PageVersion {
    /// When it was seen first and last, to the second.
    pub first: Time,
    pub last: Time,
    /// Every visit that saw it, oldest first.
    pub mementos: Vec<Memento>,
}

/// What is known of a version at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeProof {
    /// A visit saw it then.
    Visited,
    /// Two visits around the moment saw the same bytes. A change there and back again would have gone unnoticed.
    Bracketed { from: Time, to: Time },
    /// It was seen before, and by no visit since.
    NotSeenSince { last: Time },
    /// It was seen only later.
    NotSeenYet { first: Time },
    /// It was seen before, and the next visit saw another one.
    ReplacedBefore { last: Time, next: Time },
}

impl TimeProof {
    pub fn is_proved(self) -> bool {
        matches!(self, TimeProof::Visited | TimeProof::Bracketed { .. })
    }
}

/// Which version is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedVersion {
    Latest,
    /// The one nearest to a moment, counted from any visit that saw it.
    Nearest(Time),
    /// The last one seen at a moment or before it.
    Before(Time),
    /// The last one seen from one moment to another.
    Between(Time, Time),
}

/// Groups the records of a page, oldest first.
pub fn versions_of(mementos: Vec<Memento>) -> Vec<PageVersion> {
    let mut versions: Vec<PageVersion> = Vec::new();
    for memento in mementos {
        match versions.last_mut() {
            Some(version) if version.continues_with(&memento) => {
                version.last = memento.time;
                version.mementos.push(memento);
            }
            _ => versions.push(PageVersion { first: memento.time, last: memento.time, mementos: vec![memento] }),
        }
    }
    versions
}

/// The record nearest to a moment; of two equally near ones the earlier.
pub fn nearest(mementos: &[Memento], to: Time) -> Option<&Memento> {
    mementos.iter().min_by_key(|memento| memento.time.as_millis().abs_diff(to.as_millis()))
}

impl PageVersion {
    fn continues_with(&self, memento: &Memento) -> bool {
        let last = &self.mementos[self.mementos.len() - 1];
        let (digest, of_last) = (&memento.line.digest, &last.line.digest);
        // The status of a "not modified" is not that of the page.
        let same_status = last.is_elsewhere() || memento.is_elsewhere() || last.status() == memento.status();
        digest.is_some() && digest == of_last && same_status
    }

    /// The visit nearest to a moment.
    pub fn visit_near(&self, time: Time) -> &Memento {
        nearest(&self.mementos, time).unwrap_or(&self.mementos[0])
    }

    pub fn digest(&self) -> Option<&str> {
        self.mementos[0].line.digest.as_deref()
    }

    fn distance(&self, time: Time) -> u64 {
        match time {
            time if time < self.first => self.first.as_millis().abs_diff(time.as_millis()),
            time if time > self.last => time.as_millis().abs_diff(self.last.as_millis()),
            _ => 0,
        }
    }
}

impl AskedVersion {
    /// The moment that is asked about, if it is one.
    pub fn moment(self) -> Option<Time> {
        match self {
            AskedVersion::Nearest(time) | AskedVersion::Before(time) => Some(time),
            AskedVersion::Latest | AskedVersion::Between(..) => None,
        }
    }

    /// The number of the version that answers.
    pub fn choose(self, versions: &[PageVersion]) -> Option<usize> {
        let numbered = || versions.iter().enumerate();
        match self {
            AskedVersion::Latest => versions.len().checked_sub(1),
            AskedVersion::Nearest(time) => {
                numbered().min_by_key(|(_, version)| version.distance(time)).map(|(at, _)| at)
            }
            AskedVersion::Before(time) => numbered().rfind(|(_, version)| version.first <= time).map(|(at, _)| at),
            AskedVersion::Between(from, to) => {
                let seen =
                    |version: &PageVersion| version.mementos.iter().any(|memento| (from..=to).contains(&memento.time));
                numbered().rfind(|(_, version)| seen(version)).map(|(at, _)| at)
            }
        }
    }
}

/// What the visits prove of a version at a moment.
pub fn proof(versions: &[PageVersion], number: usize, at: Time) -> TimeProof {
    let version = &versions[number];
    let second = at.as_secs();
    if version.mementos.iter().any(|memento| memento.time.as_secs() == second) {
        return TimeProof::Visited;
    }
    if at < version.first {
        return TimeProof::NotSeenYet { first: version.first };
    }
    let after = version.mementos.partition_point(|memento| memento.time <= at);
    match (version.mementos.get(after), versions.get(number + 1)) {
        (Some(next), _) => TimeProof::Bracketed { from: version.mementos[after - 1].time, to: next.time },
        (None, Some(next)) => TimeProof::ReplacedBefore { last: version.last, next: next.first },
        (None, None) => TimeProof::NotSeenSince { last: version.last },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(second: i64, digest: &str, mime: &str) -> Memento {
        let time = Time::from_secs(second);
        let line = format!(
            "com,e)/ {} {{\"url\": \"http://e.com/\", \"mime\": \"{mime}\", \"status\": \"200\", \"digest\": \"{digest}\"}}",
            time.to_timestamp14()
        );
        Memento::parse(&line, 0).unwrap()
    }

    #[test]
    fn two_visits_that_saw_the_same_prove_what_lies_between_and_nothing_else() {
        let visits =
            [(100, "A", "text/html"), (200, "A", "warc/revisit"), (300, "B", "text/html"), (400, "A", "text/html")];
        let versions = versions_of(visits.map(|(second, digest, mime)| seen(second, digest, mime)).to_vec());
        assert_eq!(versions.iter().map(|version| version.mementos.len()).collect::<Vec<_>>(), [2, 1, 1]);
        let at = |second| {
            let time = Time::from_secs(second);
            let number = AskedVersion::Nearest(time).choose(&versions).unwrap();
            (number, proof(&versions, number, time))
        };
        let time = Time::from_secs;
        assert_eq!(at(150), (0, TimeProof::Bracketed { from: time(100), to: time(200) }));
        assert_eq!(at(200), (0, TimeProof::Visited));
        assert_eq!(at(230), (0, TimeProof::ReplacedBefore { last: time(200), next: time(300) }));
        assert_eq!(at(290), (1, TimeProof::NotSeenYet { first: time(300) }));
        assert_eq!(at(500), (2, TimeProof::NotSeenSince { last: time(400) }));
        assert_eq!(AskedVersion::Before(time(399)).choose(&versions), Some(1));
        assert_eq!(AskedVersion::Before(time(99)).choose(&versions), None);
        assert_eq!(AskedVersion::Between(time(150), time(250)).choose(&versions), Some(0));
        assert_eq!(AskedVersion::Between(time(210), time(290)).choose(&versions), None);
    }
}
