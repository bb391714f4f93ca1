//! Opens sites of a collection: with what it knows across sites, and the lists that tell advertisements.

use crate::{
    ads,
    command::{Network, Wanted},
    failure::usage,
};
use std::sync::Arc;
use tintype_archive::{Capture, Collection};
use tintype_live::{Client, ClientSettings, clock};
use tintype_observe::ads::Advertisements;
use tintype_session::{CollectionKnowledge, Opened, Session, SiteSpec};

/// What all sites of a run begin with.
pub(crate) struct Opener<'a> {
    collection: &'a Collection,
    network: &'a Network,
    advertisements: Arc<Advertisements>,
    shared: CollectionKnowledge,
}

impl<'a> Opener<'a> {
    /// What is behind URLs is only read where it is chosen by: it is large.
    pub(crate) fn new(collection: &'a Collection, network: &'a Network, by_media: bool) -> anyhow::Result<Opener<'a>> {
        let advertisements = Arc::new(ads::read(collection.path())?);
        let mut warnings = Vec::new();
        let shared = CollectionKnowledge::of(collection, by_media, &mut warnings)?;
        warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
        Ok(Opener { collection, network, advertisements, shared })
    }

    pub(crate) fn collection(&self) -> &'a Collection {
        self.collection
    }

    /// Who asks, for all sites.
    pub(crate) fn client(&self, settings: &ClientSettings) -> anyhow::Result<Client> {
        let spool_directory = self.collection.spool_directory();
        Ok(Client::new(ClientSettings { spool_directory, ..settings.clone() })?)
    }

    /// Goes on with the capture of a site that was cut short, unless it is to begin anew; or begins one.
    pub(crate) fn open(&self, site: &Wanted, fresh: bool) -> anyhow::Result<(Session, Capture)> {
        let spec = self.spec(site, fresh);
        let opened = Session::open(self.collection, &spec, &self.shared, clock::now());
        let Opened { session, mut capture, warnings } = opened.map_err(explain)?;
        warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
        capture.tell_advertisements(&self.advertisements);
        Ok((session, capture))
    }

    fn spec(&self, site: &Wanted, fresh: bool) -> SiteSpec {
        let describe = [
            ("software", format!("tintype/{}", env!("CARGO_PKG_VERSION"))),
            ("http-header-user-agent", self.network.user_agent()),
            ("robots", "obey".to_owned()),
        ];
        SiteSpec {
            name: site.name.clone(),
            kind: site.kind,
            settings: site.settings.clone(),
            lesser: site.config.lesser(),
            describe: describe.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            fresh,
        }
    }

    /// First guesses are learned again at the end of a run, so that none has to wait for it.
    pub(crate) fn relearn(&self) {
        if let Err(error) = CollectionKnowledge::relearn(self.collection) {
            eprintln!("warning: first guesses could not be learned anew: {error}");
        }
    }
}

/// What to do about a session that cannot be opened.
fn explain(error: tintype_session::Error) -> anyhow::Error {
    match error {
        tintype_session::Error::Settings(error) => usage(error, "see tintype capture --help"),
        error @ tintype_session::Error::OtherVersion(_) => usage(error, "begin anew with --fresh"),
        error => error.into(),
    }
}
