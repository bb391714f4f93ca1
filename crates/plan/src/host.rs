//! The hosts all sites of a process ask, each with one pace.
//!
//! A host is a name and a port, whatever the scheme; `www.` and the customary ports are left out, so that
//! `http://e.com/` and `https://www.e.com/` are one. Names that resolve to one address, with the same port, share a pace
//! as well. Many small sites on one machine are thereby asked as one machine can bear; they take turns, so that each comes
//! to its own. Names behind a large network may share an address without sharing a machine: to them this is only more
//! polite than need be.

use crate::{Dice, HostPace, Wait};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tintype_vocab::{Observation, Span, Time};
use url::Host;

/// A site that does not come when its turn has come loses it after this long.
const TURN_KEPT: Span = Span::from_secs(1);

/// A host, by its number in one [`HostPaces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(u32);

/// A site that asks hosts, by its number in one [`HostPaces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker(u32);

/// Whether a host may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Free,
    /// The host may be asked at `slot`, but others wait for it too: the turn of who asks comes at `turn`.
    From {
        slot: Time,
        turn: Time,
        why: Wait,
    },
    /// Not before something under way has ended: an answer, or the resolution of the host's name.
    Busy,
}

/// What is kept of a host between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptHost {
    pub host: String,
    /// Where its names led to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<String>,
    pub pace: HostPace,
}

impl KeptHost {
    /// The same on a clock that is ahead.
    pub fn shifted(mut self, ahead: Span) -> KeptHost {
        self.pace.shift(ahead);
        self
    }
}

/// Whether it is known where a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resolution {
    Unknown,
    UnderWay,
    Known,
}

/// A site in line for a host.
#[derive(Clone, Copy, Debug)]
struct Place {
    asker: Asker,
    /// When it was told to come back.
    turn: Time,
}

#[derive(Debug)]
struct PacedHost {
    /// Such as `e.com` or `127.0.0.1:8080`.
    name: String,
    addresses: Vec<String>,
    resolution: Resolution,
    pace: HostPace,
    /// Turned out to be the same as an earlier one.
    same_as: Option<HostId>,
    line: VecDeque<Place>,
    is_changed: bool,
}

/// One pace per host, for all sites of a process.
#[derive(Debug, Default)]
pub struct HostPaces {
    hosts: Vec<PacedHost>,
    by_name: HashMap<String, HostId>,
    /// By address and port.
    by_endpoint: HashMap<String, HostId>,
    changed: Vec<HostId>,
    to_resolve: Vec<String>,
    /// What is believed of a host when nothing is known of it.
    unknown: HostPace,
    resolves_names: bool,
    askers: u32,
}

impl HostPaces {
    /// From now on no host is asked before it is known where its name leads to; see [`HostPaces::take_unresolved`].
    pub fn resolve_names(&mut self) {
        self.resolves_names = true;
    }

    /// A number for one more site.
    pub fn join(&mut self) -> Asker {
        self.askers += 1;
        Asker(self.askers)
    }

    /// The host of this name, as [`host_name`] tells it.
    pub fn find(&mut self, name: &str) -> HostId {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        let id = HostId(self.hosts.len() as u32);
        self.by_name.insert(name.to_owned(), id);
        self.hosts.push(PacedHost {
            name: name.to_owned(),
            addresses: Vec::new(),
            resolution: Resolution::Unknown,
            pace: self.unknown.clone(),
            same_as: None,
            line: VecDeque::new(),
            is_changed: false,
        });
        let (host, _) = split_port(name);
        if !matches!(Host::parse(host), Ok(Host::Domain(_))) {
            self.resolved(name, &[host.trim_matches(['[', ']']).to_owned()]);
        }
        id
    }

    /// Takes up what an earlier run knew, at `now`.
    pub fn restore(&mut self, kept: KeptHost, now: Time) {
        let id = self.find(&kept.host);
        let mut pace = kept.pace;
        pace.resume(now);
        let root = self.root(id);
        self.hosts[root.0 as usize].pace.merge(&pace);
        self.share_addresses(id, &kept.addresses);
    }

    /// What an earlier run knew is lost in part: all hosts are asked late rather than too soon.
    pub fn be_careful(&mut self, now: Time) {
        self.unknown = HostPace::careful(now);
    }

    /// What must be remembered at `now`: hosts that may not be asked yet.
    pub fn all_kept(&self, now: Time) -> Vec<KeptHost> {
        let waiting = |host: &&PacedHost| host.same_as.is_none() && host.pace.next_slot() > now;
        self.hosts.iter().filter(waiting).map(PacedHost::kept).collect()
    }

    /// What has changed since the last call: to be kept before the next request is sent.
    pub fn take_changed(&mut self) -> Vec<KeptHost> {
        let changed = std::mem::take(&mut self.changed).into_iter();
        let kept = changed.map(|id| {
            let host = &mut self.hosts[id.0 as usize];
            host.is_changed = false;
            host.kept()
        });
        kept.collect()
    }

    /// Names some site waits for to be resolved, each once.
    pub fn take_unresolved(&mut self) -> Vec<String> {
        std::mem::take(&mut self.to_resolve)
    }

    /// A name leads to these addresses; to none, if it does not resolve, which the request then finds out.
    pub fn resolved(&mut self, name: &str, addresses: &[String]) {
        let id = self.find(name);
        self.hosts[id.0 as usize].resolution = Resolution::Known;
        self.share_addresses(id, addresses);
    }

    fn share_addresses(&mut self, id: HostId, addresses: &[String]) {
        let (_, port) = split_port(&self.hosts[id.0 as usize].name);
        let endpoints: Vec<String> = addresses.iter().map(|address| format!("{address}{port}")).collect();
        for (endpoint, address) in endpoints.into_iter().zip(addresses) {
            let root = self.root(id);
            match self.by_endpoint.get(&endpoint).copied() {
                Some(other) => self.unite(other, root),
                None => {
                    self.by_endpoint.insert(endpoint, root);
                    self.hosts[root.0 as usize].addresses.push(address.clone());
                }
            }
        }
    }

    /// Two hosts turn out to be one.
    fn unite(&mut self, first: HostId, second: HostId) {
        let (first, second) = (self.root(first), self.root(second));
        if first == second {
            return;
        }
        let merged = &mut self.hosts[second.0 as usize];
        merged.same_as = Some(first);
        let (pace, line) = (merged.pace.clone(), std::mem::take(&mut merged.line));
        let addresses = std::mem::take(&mut merged.addresses);
        let host = &mut self.hosts[first.0 as usize];
        host.pace.merge(&pace);
        host.line.extend(line);
        host.addresses.extend(addresses);
        self.note_change(first, Time::MIN);
    }

    fn root(&self, mut id: HostId) -> HostId {
        while let Some(other) = self.hosts[id.0 as usize].same_as {
            id = other;
        }
        id
    }

    /// A host that may be asked again at once need not be remembered.
    fn note_change(&mut self, root: HostId, now: Time) {
        let host = &mut self.hosts[root.0 as usize];
        if host.pace.next_slot() > now && !std::mem::replace(&mut host.is_changed, true) {
            self.changed.push(root);
        }
    }

    /// Whether `asker` may ask a host at `now`. Who may not gets in line.
    pub fn access(&mut self, id: HostId, asker: Asker, now: Time, fixed: Option<Span>) -> Access {
        let host = &mut self.hosts[id.0 as usize];
        if self.resolves_names && host.resolution != Resolution::Known {
            if host.resolution == Resolution::Unknown {
                host.resolution = Resolution::UnderWay;
                self.to_resolve.push(host.name.clone());
            }
            return Access::Busy;
        }
        let root = self.root(id);
        self.hosts[root.0 as usize].access(asker, now, fixed)
    }

    pub(crate) fn sent(&mut self, id: HostId, asker: Asker, now: Time, fixed: Option<Span>) {
        let root = self.root(id);
        let host = &mut self.hosts[root.0 as usize];
        host.line.retain(|place| place.asker != asker);
        host.pace.sent(now, fixed);
        self.note_change(root, now);
    }

    pub(crate) fn settled(
        &mut self,
        id: HostId,
        observation: &Observation,
        answered: Time,
        fixed: Option<Span>,
        dice: &mut Dice,
    ) {
        let root = self.root(id);
        self.hosts[root.0 as usize].pace.settled(observation, answered, fixed, dice);
        self.note_change(root, answered);
    }

    pub(crate) fn obey(&mut self, id: HostId, crawl_delay: Option<Span>, now: Time, fixed: Option<Span>) {
        let root = self.root(id);
        self.hosts[root.0 as usize].pace.obey(crawl_delay, now, fixed);
        self.note_change(root, now);
    }
}

impl PacedHost {
    fn kept(&self) -> KeptHost {
        KeptHost { host: self.name.clone(), addresses: self.addresses.clone(), pace: self.pace.clone() }
    }

    fn access(&mut self, asker: Asker, now: Time, fixed: Option<Span>) -> Access {
        while self.line.front().is_some_and(|place| place.asker != asker && place.turn + TURN_KEPT < now) {
            self.line.pop_front();
        }
        let before = self.line.iter().position(|place| place.asker == asker);
        let slot = self.pace.slot_of(fixed);
        if slot <= now && before.unwrap_or(self.line.len()) == 0 {
            return Access::Free;
        }
        let ahead = before.unwrap_or(self.line.len());
        let pause = self.pace.pause(fixed).0.max(Span::from_millis(1));
        let turn = if ahead == 0 { slot } else { slot.max(now) + pause * ahead as i64 };
        match before {
            Some(place) => self.line[place].turn = turn,
            None => self.line.push_back(Place { asker, turn }),
        }
        Access::From { slot, turn, why: self.pace.why() }
    }
}

/// The paces of a process in the hands of several sites.
#[derive(Clone, Debug, Default)]
pub struct SharedHosts(Arc<Mutex<HostPaces>>);

impl SharedHosts {
    /// The paces, for a moment.
    pub fn lock(&self) -> MutexGuard<'_, HostPaces> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a URL's host is paced by: name and port, without `www.` and customary ports.
pub fn host_name(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    let authority = &url[start..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.strip_suffix(":80").or_else(|| host.strip_suffix(":443")).unwrap_or(host);
    host.strip_prefix("www.").unwrap_or(host)
}

/// A host's name, and its port with the colon.
fn split_port(name: &str) -> (&str, &str) {
    match name.rfind(':') {
        Some(at) if !name[at..].contains(']') => name.split_at(at),
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::from_secs(1000);

    fn turn(access: Access) -> Option<Time> {
        match access {
            Access::From { turn, .. } => Some(turn),
            Access::Free | Access::Busy => None,
        }
    }

    #[test]
    fn a_host_is_a_name_and_a_port_whatever_the_scheme() {
        let names = ["http://e.com/", "https://www.e.com/a?b", "https://me@e.com:443", "http://e.com:80?x"];
        assert!(names.iter().all(|url| host_name(url) == "e.com"), "{:?}", names.map(host_name));
        assert_eq!(host_name("http://[::1]:8080/"), "[::1]:8080");
        assert_eq!(split_port("[::1]:8080"), ("[::1]", ":8080"));
        assert_eq!((split_port("[::1]"), split_port("e.com")), (("[::1]", ""), ("e.com", "")));
    }

    #[test]
    fn sites_take_turns_at_a_host_and_who_does_not_come_loses_its_turn() {
        let mut paces = HostPaces::default();
        let (host, [a, b, c]) = (paces.find("e.com"), [(); 3].map(|()| paces.join()));
        assert_eq!(paces.access(host, a, NOW, None), Access::Free);
        paces.sent(host, a, NOW, None);
        let second = |n: i64| NOW + Span::from_secs(n);
        let told: Vec<_> = [b, a, c].map(|asker| turn(paces.access(host, asker, NOW, None)).unwrap()).to_vec();
        assert_eq!(told, [second(1), second(2), second(3)]);
        assert_ne!(paces.access(host, a, second(1), None), Access::Free, "it is b's turn");
        assert_eq!(paces.access(host, b, second(1), None), Access::Free);
        paces.sent(host, b, second(1), None);
        assert_ne!(paces.access(host, c, second(2), None), Access::Free, "it is a's turn");
        assert_eq!(paces.access(host, c, second(5), None), Access::Free, "a did not come");
    }

    #[test]
    fn names_of_one_address_and_port_are_one_host() {
        let mut paces = HostPaces::default();
        paces.resolve_names();
        let asker = paces.join();
        let address = paces.find("127.0.0.1:81");
        let [name, other] = ["localhost:81", "localhost:82"].map(|name| paces.find(name));
        assert_eq!(paces.access(name, asker, NOW, None), Access::Busy);
        paces.access(other, asker, NOW, None);
        assert_eq!(paces.take_unresolved(), ["localhost:81", "localhost:82"]);
        paces.sent(address, asker, NOW, None);
        let found = ["::1".to_owned(), "127.0.0.1".to_owned()];
        ["localhost:81", "localhost:82"].iter().for_each(|name| paces.resolved(name, &found));
        assert_eq!(turn(paces.access(name, asker, NOW, None)), Some(NOW + Span::from_secs(1)));
        assert_eq!(paces.access(other, asker, NOW, None), Access::Free, "another port is another host");
    }

    #[test]
    fn what_is_kept_of_a_host_holds_for_all_its_names_in_the_next_run() {
        let mut paces = HostPaces::default();
        let asker = paces.join();
        paces.resolved("a.example", &["192.0.2.1".to_owned()]);
        let host = paces.find("a.example");
        paces.sent(host, asker, NOW, None);
        paces.obey(host, Some(Span::from_secs(600)), NOW, None);
        let kept = paces.take_changed();
        assert_eq!((kept.len(), paces.take_changed().len()), (1, 0));
        let text = serde_json::to_string(&kept[0]).unwrap();

        let mut later = HostPaces::default();
        later.restore(serde_json::from_str(&text).unwrap(), NOW + Span::from_secs(5));
        later.resolved("b.example", &["192.0.2.1".to_owned()]);
        let (host, asker) = (later.find("b.example"), later.join());
        let told = turn(later.access(host, asker, NOW + Span::from_secs(5), None));
        assert_eq!(told, Some(NOW + Span::from_secs(600)));
    }
}
