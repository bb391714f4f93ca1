//! The rules of a collection made ready for delivery.

use crate::{command, config::Config, failure, out::mention, plain::printable};
use anyhow::Context;
use std::{
    io::Read,
    path::Path,
    sync::mpsc::{Sender, channel},
    thread::JoinHandle,
};
use tintype_archive::open_given;
use tintype_live::deliver::Deliverer;
use tintype_session::feed::{EventLog, Traffic};

/// Bytes of a file of readers: millions of addresses.
const TRAFFIC_MAX: u64 = 256 << 20;

/// Who delivers for a collection; nothing if its file has no rules.
pub(crate) fn deliverer(collection: &Path, config: &Config) -> anyhow::Result<Option<Deliverer>> {
    if config.notify.is_empty() {
        return Ok(None);
    }
    let rules = config.notify.iter().map(|rule| rule.rule(&config.mail)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(Some(Deliverer {
        collection: collection.to_owned(),
        rules,
        archive: command::archive_address(None, config),
        advertisements: command::advertisements(collection),
        traffic: traffic(collection, config)?,
        log: EventLog::default(),
    }))
}

/// Who reads which page, if the file says where that is written; its path counts from the collection.
pub(crate) fn traffic(collection: &Path, config: &Config) -> anyhow::Result<Traffic> {
    let Some(path) = &config.traffic else { return Ok(Traffic::default()) };
    let path = collection.join(path);
    let read = || {
        let mut bytes = Vec::new();
        open_given(&path)?.take(TRAFFIC_MAX).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().with_context(|| format!("cannot read {}, the traffic of tintype.toml", path.display()))?;
    Ok(Traffic::parse(&text))
}

/// Delivery beside a keeper: it ends, after one more pass, when this is dropped.
pub(crate) struct Delivering {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Delivering {
    /// Begins if there are rules. A keeper keeps also where nothing can be delivered.
    pub(crate) fn begin(collection: &Path, config: &Config) -> Option<Delivering> {
        let deliverer = deliverer(collection, config);
        let deliverer = deliverer.unwrap_or_else(|error| {
            mention!("warning: nothing is delivered: {}", failure::sentence(&error));
            None
        })?;
        let (stop, stopped) = channel();
        let report = |delivery: Result<tintype_live::deliver::Delivery, tintype_session::Error>| match delivery {
            Ok(delivery) => {
                delivery.failures.iter().for_each(|why| mention!("warning: not delivered yet: {}", printable(why)));
            }
            Err(error) => mention!("warning: nothing is delivered: {error}"),
        };
        let thread = deliverer.run_beside(stopped, report).ok()?;
        Some(Delivering { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Delivering {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}
