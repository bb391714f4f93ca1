//! The hosts of a process: their paces, where their names lead to, and what is kept of them in the collection.

use crate::{client::Client, clock};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};
use tintype_archive::{Collection, Error, HostTable, PublicHosts};
use tintype_plan::{KeptHost, SharedHosts};
use tokio::sync::watch;

/// What all sites that are crawled side by side share of the hosts they ask.
#[derive(Debug)]
pub struct Hosts {
    paces: SharedHosts,
    table: Mutex<HostTable>,
    /// Counts names that were resolved, so that all who wait for one look again.
    resolved: watch::Sender<u64>,
}

impl Hosts {
    /// Takes up what earlier runs knew of the hosts of a collection, and tells the client which of them are public.
    pub fn open(collection: &Collection, client: &Client) -> Result<Hosts, Error> {
        let (table, lines) = HostTable::open(collection)?;
        client.keep_public(PublicHosts::open(collection)?);
        let paces = SharedHosts::default();
        let mut latest: BTreeMap<String, KeptHost> = BTreeMap::new();
        for line in &lines {
            match serde_json::from_str::<KeptHost>(line) {
                Ok(kept) => drop(latest.insert(kept.host.clone(), kept)),
                Err(_) => paces.lock().be_careful(clock::steady()),
            }
        }
        latest.into_values().for_each(|kept| paces.lock().restore(kept, clock::steady()));
        if client.resolves_names() {
            paces.lock().resolve_names();
        }
        let hosts = Hosts { paces, table: Mutex::new(table), resolved: watch::Sender::new(0) };
        if !lines.is_empty() {
            hosts.rewrite()?;
        }
        Ok(hosts)
    }

    pub(crate) fn shared(&self) -> SharedHosts {
        self.paces.clone()
    }

    pub(crate) fn resolutions(&self) -> watch::Receiver<u64> {
        self.resolved.subscribe()
    }

    /// Hands what has changed to the operating system: before a request is sent, so that who is killed after it knows.
    pub(crate) fn keep(&self) -> Result<(), Error> {
        let changed = self.paces.lock().take_changed();
        if changed.is_empty() {
            return Ok(());
        }
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.append(&lines(changed))?;
        if table.is_long() {
            drop(table);
            self.rewrite()?;
        }
        Ok(())
    }

    fn rewrite(&self) -> Result<(), Error> {
        let kept = self.paces.lock().all_kept(clock::steady());
        self.table.lock().unwrap_or_else(PoisonError::into_inner).replace(&lines(kept))
    }

    /// Finds out where names lead to that some site waits for.
    pub(crate) fn resolve(&self, client: &Client) {
        for name in self.paces.lock().take_unresolved() {
            let (client, paces, resolved) = (client.clone(), self.paces.clone(), self.resolved.clone());
            tokio::spawn(async move {
                let addresses = client.addresses(&name).await;
                paces.lock().resolved(&name, &addresses);
                resolved.send_modify(|count| *count += 1);
            });
        }
    }
}

/// As the table keeps them: by the clock on the wall, which is what the next run has.
fn lines(hosts: Vec<KeptHost>) -> Vec<String> {
    let ahead = clock::reading().ahead;
    let line = |host: KeptHost| serde_json::to_string(&host.shifted(ahead)).expect("a pace is plain data");
    hosts.into_iter().map(line).collect()
}
