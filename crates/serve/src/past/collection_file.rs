//! What `tintype.toml` says, and how a person changes it: whoever starts the server knows that file, this room does not.

use std::{fmt, fs::File};
use tintype_session::{feed::Traffic, listing::Terms};

/// The files of the collections that are served, by the number of the collection, and the programs that keep them.
pub trait CollectionFile: Send + Sync + fmt::Debug {
    fn settings(&self, collection: usize) -> Result<CollectionSettings, String>;
    /// Changes what is decided about a site as `tintype sites change` does; an empty value takes a setting back.
    fn change(&self, collection: usize, site: &str, settings: &[(String, String)]) -> Result<(), String>;
    /// Writes down who is told of changes from now on; nothing is written that cannot be followed.
    fn subscribe(&self, collection: usize, subscription: &Subscription) -> Result<(), String>;
    /// Nobody is told under this name any more.
    fn unsubscribe(&self, collection: usize, name: &str) -> Result<(), String>;
    /// Regular expressions that somebody watches for, in the place of those that are written down.
    fn watch(&self, collection: usize, terms: &[String]) -> Result<(), String>;
    /// Begins to keep what the file names.
    fn start(&self, collection: usize) -> Result<(), String>;
    /// Asks whoever writes the collection to stop in good order.
    fn stop(&self, collection: usize) -> Result<(), String>;
    /// A capture as one signed WACZ package, in a file that nobody else knows.
    fn package(&self, collection: usize, capture: &str) -> Result<File, String>;
    /// What became of the last start, if it failed.
    fn complaint(&self, collection: usize) -> Option<String>;
}

/// What a file says, as far as pages show it.
#[derive(Clone, Debug, Default)]
pub struct CollectionSettings {
    /// Regular expressions somebody watches for.
    pub watch: Vec<String>,
    /// What everything together may take, as it is written, and its requests a day.
    pub budget: Option<String>,
    pub requests_per_day: Option<f64>,
    pub sites: Vec<SiteSettings>,
    pub sources: Vec<SourceSettings>,
    pub traffic: Traffic,
    pub subscriptions: Vec<Subscription>,
    /// Who mail is from.
    pub mail_from: Option<String>,
}

/// Who is told of which changes, by a webhook or by mail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subscription {
    pub name: String,
    pub webhook: Option<String>,
    /// Signs what is posted. It is written down, and never shown again.
    pub secret: Option<String>,
    pub mail: Vec<String>,
    /// Who mail is from, where that is not written down yet.
    pub from: Option<String>,
    pub terms: Vec<String>,
    pub kinds: Vec<String>,
    pub site: Option<String>,
    pub min_importance: Option<f64>,
    /// `immediate`, `hourly`, `daily` or `weekly`.
    pub digest: String,
}

/// What is decided about the sites of one section.
#[derive(Clone, Debug, Default)]
pub struct SiteSettings {
    pub names: Vec<String>,
    /// Every setting there is, as it is written; empty where nothing is decided.
    pub values: Vec<(String, String)>,
}

/// A listing whose objects are kept.
#[derive(Clone, Debug)]
pub struct SourceSettings {
    pub name: String,
    pub url: String,
    pub terms: Option<Terms>,
    pub attributes: Vec<String>,
}
