//! What the files of the collections that are served say, and keeping that is started and stopped from a browser.

use crate::{
    amount::parse_per_day,
    command::{change_settings, setting_names, site_names},
    config::{Config, NotifyConfig, OneOrMany, SiteConfig},
    listings, notify,
};
use std::{
    collections::HashMap,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
};
use tintype_archive::Collection;
use tintype_serve::past::{CollectionFile, CollectionSettings, SiteSettings, SourceSettings, Subscription};

/// Of what a keeper that ended says so much is shown.
const SAID_MAX: u64 = 4096;

/// The files of collections, in the order in which they are served.
#[derive(Debug)]
pub(crate) struct ServedFiles {
    collections: Vec<PathBuf>,
    keepers: Mutex<HashMap<usize, Child>>,
    complaints: Mutex<HashMap<usize, String>>,
}

impl ServedFiles {
    pub(crate) fn new(collections: &[PathBuf]) -> ServedFiles {
        ServedFiles { collections: collections.to_vec(), keepers: Mutex::default(), complaints: Mutex::default() }
    }

    fn path(&self, collection: usize) -> Result<&Path, String> {
        self.collections.get(collection).map(PathBuf::as_path).ok_or_else(|| "this is no collection".to_owned())
    }
}

impl CollectionFile for ServedFiles {
    fn settings(&self, collection: usize) -> Result<CollectionSettings, String> {
        read(self.path(collection)?).map_err(|error| format!("{error:#}"))
    }

    fn change(&self, collection: usize, site: &str, settings: &[(String, String)]) -> Result<(), String> {
        change_settings(self.path(collection)?, site, settings).map_err(|error| format!("{error:#}"))
    }

    fn subscribe(&self, collection: usize, subscription: &Subscription) -> Result<(), String> {
        let (rule, from) = (rule(subscription), subscription.from.as_deref());
        Config::add_rule(self.path(collection)?, &rule, from).map_err(|error| format!("{error:#}"))
    }

    fn unsubscribe(&self, collection: usize, name: &str) -> Result<(), String> {
        match Config::remove_rule(self.path(collection)?, name) {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("nobody is told as {name}")),
            Err(error) => Err(format!("{error:#}")),
        }
    }

    fn watch(&self, collection: usize, terms: &[String]) -> Result<(), String> {
        Config::set_watch(self.path(collection)?, terms).map_err(|error| format!("{error:#}"))
    }

    fn start(&self, collection: usize) -> Result<(), String> {
        let path = self.path(collection)?;
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).remove(&collection);
        let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let mut command = Command::new(program);
        command.args(["keep", "--quiet", "-C"]).arg(path);
        let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let keeper = started.map_err(|error| format!("cannot start keeping: {error}"))?;
        self.keepers.lock().unwrap_or_else(PoisonError::into_inner).insert(collection, keeper);
        Ok(())
    }

    fn stop(&self, collection: usize) -> Result<(), String> {
        let reading = Collection::read(self.path(collection)?).map_err(|error| error.to_string())?;
        let holder = reading.holder().ok_or("nobody writes this collection now")?;
        ask_to_stop(holder.pid)
    }

    fn package(&self, collection: usize, capture: &str) -> Result<File, String> {
        let path = self.path(collection)?;
        let directory = tempfile::tempdir().map_err(|error| format!("there is no place for a package: {error}"))?;
        let package = directory.path().join("capture.wacz");
        let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let mut command = Command::new(program);
        command.args(["export", "--sign", "--json", "--capture", capture, "--out"]).arg(&package).arg("-C").arg(path);
        let made = command.stdin(Stdio::null()).output().map_err(|error| format!("cannot make a package: {error}"))?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).trim().to_owned());
        }
        // It goes with its directory; whoever reads it keeps it as long.
        File::open(&package).map_err(|error| format!("cannot read the package: {error}"))
    }

    fn complaint(&self, collection: usize) -> Option<String> {
        let mut keepers = self.keepers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = keepers.get_mut(&collection).and_then(|keeper| keeper.try_wait().ok().flatten());
        if let Some(status) = ended
            && let Some(mut keeper) = keepers.remove(&collection)
            && !status.success()
        {
            let mut said = String::new();
            // What is no text is no message of ours.
            let _ = keeper.stderr.take().map(|stderr| stderr.take(SAID_MAX).read_to_string(&mut said));
            complaints.insert(collection, format!("keeping ended: {}", said.trim()));
        }
        complaints.get(&collection).cloned()
    }
}

/// Keeping that was started here ends with the server.
impl Drop for ServedFiles {
    fn drop(&mut self) {
        let keepers = self.keepers.get_mut().unwrap_or_else(PoisonError::into_inner);
        for keeper in keepers.values_mut() {
            let _ = ask_to_stop(keeper.id());
            let _ = keeper.wait();
        }
    }
}

/// As Ctrl-C does: what is under way is stored first.
fn ask_to_stop(pid: u32) -> Result<(), String> {
    let asked = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &pid.to_string()]).status();
    match asked {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("process {pid} cannot be asked to stop: it may be somebody else's")),
        Err(error) => Err(format!("cannot ask process {pid} to stop: {error}")),
    }
}

fn read(collection: &Path) -> anyhow::Result<CollectionSettings> {
    let config = Config::read(collection)?;
    let reading = Collection::read(collection)?;
    let mut sources = Vec::new();
    for name in listings::names(&reading, &config)? {
        let declared = config.source.iter().find(|declared| declared.name == name);
        sources.push(SourceSettings {
            url: declared.map_or(String::new(), |declared| declared.url.clone()),
            terms: declared.map(|declared| declared.terms()).transpose()?,
            attributes: listings::attributes(&reading, &config, &name)?,
            name,
        });
    }
    let per_day = config.budget.as_deref().and_then(|budget| parse_per_day(budget).ok());
    Ok(CollectionSettings {
        traffic: notify::traffic(collection, &config)?,
        watch: config.watch.clone(),
        requests_per_day: per_day.and_then(|budget| budget.requests).map(|requests| requests as f64),
        budget: config.budget.clone(),
        sites: config.site.iter().map(of_site).collect(),
        sources,
        subscriptions: config.notify.iter().map(subscription).collect(),
        mail_from: config.mail.from,
    })
}

/// A rule as pages show it: without its secret.
fn subscription(rule: &NotifyConfig) -> Subscription {
    let all = |words: &Option<OneOrMany>| words.iter().flat_map(OneOrMany::all).cloned().collect();
    Subscription {
        name: rule.called(),
        webhook: rule.webhook.clone(),
        secret: None,
        mail: all(&rule.mail),
        from: None,
        terms: all(&rule.terms),
        kinds: all(&rule.kind),
        site: rule.site.clone(),
        min_importance: rule.min_importance,
        digest: rule.digest.clone().unwrap_or_else(|| "immediate".to_owned()),
    }
}

/// A rule as the file has it.
fn rule(of: &Subscription) -> NotifyConfig {
    let several = |words: &[String]| (!words.is_empty()).then(|| OneOrMany::Many(words.to_vec()));
    NotifyConfig {
        name: (!of.name.is_empty()).then(|| of.name.clone()),
        terms: several(&of.terms),
        kind: several(&of.kinds),
        site: of.site.clone(),
        min_importance: of.min_importance,
        webhook: of.webhook.clone(),
        secret: of.secret.clone(),
        mail: several(&of.mail),
        digest: (!of.digest.is_empty()).then(|| of.digest.clone()),
    }
}

fn of_site(site: &SiteConfig) -> SiteSettings {
    let table = toml::Table::try_from(site).unwrap_or_default();
    let written = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(values) => values.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    };
    let value = |key: &str| (key.to_owned(), table.get(key).map(written).unwrap_or_default());
    SiteSettings { names: site_names(site), values: setting_names().into_iter().map(value).collect() }
}
