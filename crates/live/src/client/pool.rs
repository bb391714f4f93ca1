//! Turns at a host, and the connections kept open between them.

use super::{connection::Connection, target::Origin};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Open files are few; beyond this many idle connections the oldest are closed.
const KEPT_MAX: usize = 256;

/// Servers hang up after some seconds to some minutes; older connections are not worth a try.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// Hosts remembered without an open connection; beyond it the idle ones are forgotten.
const HOSTS_MAX: usize = 4096;

#[derive(Debug)]
pub(super) struct Pool {
    connections_per_host: usize,
    hosts: Mutex<Hosts>,
}

#[derive(Debug, Default)]
struct Hosts {
    known: HashMap<Origin, Host>,
    kept: usize,
    insist_on_http2: HashSet<Origin>,
}

#[derive(Debug)]
struct Host {
    turns: Arc<Semaphore>,
    kept: Vec<(Instant, Connection)>,
}

/// The right to one exchange with a host, until dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(connections_per_host: usize) -> Pool {
        Pool { connections_per_host: connections_per_host.max(1), hosts: Mutex::default() }
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no more than the allowed number of exchanges with the host are under way.
    pub(super) async fn turn(&self, origin: &Origin) -> Turn {
        let turns = self.hosts().host(origin, self.connections_per_host).turns.clone();
        let permit = turns.acquire_owned().await.expect("turns are never closed");
        Turn { _permit: permit }
    }

    /// A connection kept from before.
    pub(super) fn take(&self, origin: &Origin) -> Option<Connection> {
        let mut hosts = self.hosts();
        let (since, connection) = hosts.known.get_mut(origin)?.kept.pop()?;
        hosts.kept -= 1;
        (since.elapsed() < KEPT_FOR).then_some(connection)
    }

    pub(super) fn keep(&self, origin: &Origin, connection: Connection) {
        let mut hosts = self.hosts();
        let host = hosts.host(origin, self.connections_per_host);
        host.kept.push((Instant::now(), connection));
        hosts.kept += 1;
        if hosts.kept > KEPT_MAX {
            hosts.close_oldest();
        }
    }

    pub(super) fn insists_on_http2(&self, origin: &Origin) -> bool {
        self.hosts().insist_on_http2.contains(origin)
    }

    pub(super) fn remember_http2(&self, origin: &Origin) {
        let mut hosts = self.hosts();
        if hosts.insist_on_http2.len() >= HOSTS_MAX {
            hosts.insist_on_http2.clear();
        }
        hosts.insist_on_http2.insert(origin.clone());
    }
}

impl Hosts {
    fn host(&mut self, origin: &Origin, connections_per_host: usize) -> &mut Host {
        if !self.known.contains_key(origin) {
            if self.known.len() >= HOSTS_MAX {
                self.known.retain(|_, host| !host.kept.is_empty() || Arc::strong_count(&host.turns) > 1);
            }
            let host = Host { turns: Arc::new(Semaphore::new(connections_per_host)), kept: Vec::new() };
            self.known.insert(origin.clone(), host);
        }
        self.known.get_mut(origin).expect("just made sure")
    }

    fn close_oldest(&mut self) {
        let oldest = self.known.values_mut().filter(|host| !host.kept.is_empty()).min_by_key(|host| host.kept[0].0);
        if let Some(host) = oldest {
            host.kept.remove(0);
            self.kept -= 1;
        }
    }
}
