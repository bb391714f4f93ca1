//! Tells people and programs what happened, by the rules of a collection: webhooks and mail.
//!
//! [`Deliverer::pass`] does all there is to do now: it reads what is new, puts it into the outbox and sends what is due. It may run
//! beside a keeper ([`Deliverer::run_beside`]), which never waits for it, or alone.

mod hmac;
mod mail;
mod smtp;
mod webhook;

pub use hmac::signature;
pub use mail::MailServer;

use crate::clock;
use std::{collections::BTreeMap, path::PathBuf, time::Duration};
use tintype_archive::{Collection, Outbox, OutboxMessage, ToldEvents};
use tintype_observe::ads::Advertisements;
use tintype_session::{
    Error,
    feed::{DigestPeriod, EventJudge, EventLog, Feed, FeedItem, FeedQuery, NotifyRule, Traffic, feed, mail_text},
};
use tintype_vocab::{Span, Time};

/// How often a deliverer beside a keeper looks for news.
const EVERY: Duration = Duration::from_secs(20);
/// A new rule tells what happened in the last day, not all that ever did.
const LOOK_BACK: Span = Span::from_days(1);

/// Where the messages of a rule go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Channel {
    Webhook { url: url::Url, secret: Option<String> },
    Mail { server: MailServer, from: String, to: Vec<String> },
}

impl Channel {
    async fn send(&self, message: &OutboxMessage, now: Time) -> Result<(), String> {
        match self {
            Channel::Webhook { url, secret } => webhook::post(url, secret.as_deref(), message, now).await,
            Channel::Mail { server, from, to } => mail::send(server, from, to, message).await,
        }
    }
}

/// What a pass did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Messages that were new.
    pub queued: usize,
    pub sent: usize,
    /// Messages that wait for a receiver, and why the latest of them does.
    pub waiting: usize,
    pub failures: Vec<String>,
    /// Another process delivers.
    pub is_busy: bool,
}

/// Delivers for one collection.
#[derive(Debug)]
pub struct Deliverer {
    pub collection: PathBuf,
    pub rules: Vec<(NotifyRule, Channel)>,
    /// Where archived versions are shown.
    pub archive: String,
    pub advertisements: Advertisements,
    pub traffic: Traffic,
    pub log: EventLog,
}

impl Deliverer {
    /// Puts what is new into the outbox and sends what is due.
    pub async fn pass(&mut self, now: Time) -> Result<Delivery, Error> {
        let Some(outbox) = Outbox::open(&self.collection)? else {
            return Ok(Delivery { is_busy: true, ..Delivery::default() });
        };
        let queued = self.queue(&outbox, now)?;
        let sent = self.send_due(&outbox, now).await?;
        Ok(Delivery { queued, ..sent })
    }

    /// New messages of all rules. They are in the outbox before what they tell counts as told.
    fn queue(&mut self, outbox: &Outbox, now: Time) -> Result<usize, Error> {
        let reading = Collection::read(&self.collection)?;
        self.log.advance(&reading)?;
        let mut judge = EventJudge::new(&reading, &self.advertisements);
        let mut queued = 0;
        for (rule, _) in &self.rules {
            let mut told = ToldEvents::open(&self.collection, &format!("notify-{}", rule.name))?;
            if told.since().is_none() {
                told.begin(now - LOOK_BACK)?;
            }
            if !rule.digest.is_due(told.last(), now) {
                continue;
            }
            let query = FeedQuery {
                since: told.since(),
                told: told.events().clone(),
                archive: self.archive.clone(),
                traffic: self.traffic.clone(),
                ..FeedQuery::default()
            };
            let Feed { items, hidden_events, .. } =
                feed(&reading, &self.log, &rule.query(query), &mut judge, &|_| true)?;
            let events: Vec<u64> = items.iter().flat_map(FeedItem::events).chain(hidden_events).collect();
            let messages = messages(rule, items, now);
            queued += messages.len();
            messages.iter().try_for_each(|message| outbox.put(message))?;
            if !events.is_empty() {
                told.tell(events, now)?;
            }
        }
        Ok(queued)
    }

    async fn send_due(&self, outbox: &Outbox, now: Time) -> Result<Delivery, Error> {
        let mut delivery = Delivery::default();
        // A receiver that does not answer is asked once a pass, not once a message.
        let mut failed: BTreeMap<String, String> = BTreeMap::new();
        for mut message in outbox.messages()? {
            let channel = self.rules.iter().find(|(rule, _)| rule.name == message.rule).map(|(_, channel)| channel);
            let result = match (channel, failed.get(&message.rule)) {
                _ if message.due > now => None,
                (None, _) => Some(Err(format!("there is no rule {} in tintype.toml any more", message.rule))),
                (Some(_), Some(_)) => None,
                (Some(channel), None) => Some(channel.send(&message, now).await),
            };
            match result {
                Some(Ok(())) => {
                    outbox.remove(&message.id)?;
                    delivery.sent += 1;
                }
                Some(Err(why)) => {
                    delivery.waiting += 1;
                    delivery.failures.push(format!("{}: {why}", message.rule));
                    message.put_off(&why, now);
                    outbox.put(&message)?;
                    failed.insert(message.rule, why);
                }
                None => delivery.waiting += 1,
            }
        }
        Ok(delivery)
    }

    /// Delivers on a thread of its own until `stop` is closed, then once more. `report` hears of every pass that did something.
    pub fn run_beside(
        mut self,
        stop: std::sync::mpsc::Receiver<()>,
        report: impl Fn(Result<Delivery, Error>) + Send + 'static,
    ) -> std::io::Result<std::thread::JoinHandle<()>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new().name("deliverer".to_owned()).spawn(move || {
            let mut is_over = false;
            while !is_over {
                is_over = !matches!(stop.recv_timeout(EVERY), Err(std::sync::mpsc::RecvTimeoutError::Timeout));
                report(runtime.block_on(self.pass(clock::now())));
            }
        })
    }
}

/// One message for every item, or one for all.
fn messages(rule: &NotifyRule, items: Vec<FeedItem>, now: Time) -> Vec<OutboxMessage> {
    let parts: Vec<&[FeedItem]> = match rule.digest {
        DigestPeriod::Immediate => items.chunks(1).collect(),
        _ if items.is_empty() => Vec::new(),
        _ => vec![&items],
    };
    let message = |items: &[FeedItem]| {
        let (subject, text) = mail_text(&rule.name, items);
        // The same for the same items by the same rule, so that a receiver knows what it has.
        let ids = items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>().join(",");
        let id = hmac::hex(&hmac::hmac(rule.name.as_bytes(), ids.as_bytes())[..16]);
        let data = serde_json::json!({ "id": id, "rule": rule.name, "made": now.to_rfc3339_secs(), "items": items });
        OutboxMessage {
            id,
            rule: rule.name.clone(),
            made: now,
            subject,
            text,
            data,
            attempts: 0,
            due: now,
            last_failure: None,
        }
    };
    parts.into_iter().map(message).collect()
}
