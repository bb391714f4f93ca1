//! What waits, as blocks of bytes and back: who goes on from there asks what this one would have asked.

use super::{Across, Domain, Harvest, Lane, Seen};
use crate::policy::focused::{credits::Credits, leads::Leads};
use hashbrown::HashMap;
use tintype_learn::stored;
use tintype_vocab::PageId;

/// Lanes, what is learned of leads, and the pages that were asked for.
type SavedLanes = (Vec<Lane>, Leads, Credits, HashMap<PageId, (u64, f32)>);
/// Domains, how much is outside, what was counted, and what was brought.
type SavedCounts = (Vec<(String, Domain)>, u64, (u32, f32, u64, u64), Harvest);

impl Across {
    pub(crate) fn save(&self, each: &mut dyn FnMut(Vec<u8>)) {
        let lanes = stored::to_bytes(&(&self.lanes, &self.leads, &self.credits, &self.awaited));
        let mut domains: Vec<(&String, &u32)> = self.by_domain.iter().collect();
        domains.sort_by_key(|(_, number)| **number);
        let domains: Vec<_> = domains.iter().map(|(name, number)| (*name, self.domains[**number as usize])).collect();
        let counts = (self.numbered, self.lately, self.explored, self.asked);
        each(lanes);
        each(stored::to_bytes(&(domains, self.depot.len(), counts, &self.harvest)));
        self.seen.save(each);
    }

    /// Goes on from there, all but what is outside.
    pub(crate) fn load(&mut self, next: &mut dyn FnMut() -> Option<Vec<u8>>) -> Option<()> {
        let (lanes, leads, credits, awaited) = stored::from_bytes::<SavedLanes>(&next()?)?;
        self.awaited = awaited;
        let (domains, depot, counts, harvest) = stored::from_bytes::<SavedCounts>(&next()?)?;
        self.seen = Seen::load(next)?;
        (self.leads, self.credits, self.harvest) = (leads, credits, harvest);
        (self.numbered, self.lately, self.explored, self.asked) = counts;
        self.by_domain = domains.iter().zip(0..).map(|((name, _), number)| (name.clone(), number)).collect();
        self.domains = domains.into_iter().map(|(_, domain)| domain).collect();
        self.by_name = lanes.iter().zip(0..).map(|(lane, number)| (lane.name.clone(), number)).collect();
        self.by_host = lanes.iter().zip(0..).filter_map(|(lane, number)| Some((lane.host?, number))).collect();
        (self.inside, self.waiting) = (lanes.iter().map(Lane::inside).sum(), lanes.iter().map(Lane::len).sum());
        self.lanes = lanes;
        self.hosts = self.count_hosts();
        self.kept_outside = depot;
        (0..self.lanes.len() as u32).for_each(|lane| self.promise(lane));
        Some(())
    }
}
