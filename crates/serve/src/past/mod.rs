//! The past, served: replay, Memento, CDX, JSON and pages for people over [`Holdings`]. Only who signs in changes anything.
//!
//! [`PastServer`] listens; [`ask`] says what a request is about; every other file answers one kind of it. Whatever comes
//! from an archive is shown where it can reach neither the interface nor the live web.

mod addresses;
mod api;
mod ask;
mod calendar;
mod cdx;
mod cdx_filter;
mod changes;
mod choice;
mod collection_file;
mod control;
mod interface;
mod internet_archive;
mod laboratory;
mod links;
mod live;
mod metrics;
mod news;
mod prepared;
mod proxy;
mod raw;
mod replay;
mod reply;
mod timemap;
mod web;

use ask::{Ask, OwnNames};
use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    response::Response,
    routing::any,
};
pub use collection_file::{CollectionFile, CollectionSettings, SiteSettings, SourceSettings, Subscription};
use control::Control;
pub use laboratory::{LabResults, LabStage, LabState, Laboratory, TournamentWish};
use metrics::Metrics;
use prepared::Makers;
use proxy::BoundProxy;
pub use proxy::ProxyOptions;
use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tintype_archive::{PackageKey, Reading, holdings::Holdings};
use tintype_vocab::{Span, Time};

/// Requests that are worked on at once; more wait.
const AT_WORK_MAX: usize = 16;
/// How long to wait before listening on when the system has no socket left for one more connection.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(20);

/// What files of collections say is shown again for so long, and for so many times what it took to read.
const SETTINGS_FRESH_FOR: Span = Span::from_secs(2);
const SETTINGS_FRESH_TIMES: i64 = 20;

/// Bytes of a form; none of ours is longer.
const FORM_MAX: usize = 64 << 10;

/// What is served and under which names.
#[derive(Debug)]
pub struct PastOptions {
    pub bind: SocketAddr,
    /// What time it is.
    pub clock: fn() -> Time,
    /// A name with a wildcard below it that leads here, for browsers on other machines; on this one `localhost` is such a name.
    pub replay_domain: Option<String>,
    pub proxy: Option<ProxyOptions>,
    /// Parts of a page that are not proved to have been there with it are shown only if they were seen within so much of it.
    pub within: Option<Span>,
    /// What the files of the collections say; nothing where nobody knows them.
    pub file: Option<Box<dyn CollectionFile>>,
    /// Plays tournaments on what is held; nothing where nobody does.
    pub laboratory: Option<Box<dyn Laboratory>>,
    /// Signs certificates that are printed.
    pub key: Option<PackageKey>,
    /// Whoever shows it may change something; without one nobody may.
    pub token: Option<String>,
}

/// A past, bound to an address, not answering yet.
#[derive(Debug)]
pub struct PastServer {
    socket: std::net::TcpListener,
    past: Past,
    proxy: Option<BoundProxy>,
}

/// What every answer is made from.
#[derive(Debug)]
pub(crate) struct Past {
    holdings: Holdings,
    metrics: Metrics,
    own: OwnNames,
    clock: fn() -> Time,
    within: Option<Span>,
    file: Option<Box<dyn CollectionFile>>,
    settings: Mutex<HashMap<usize, (Time, Arc<CollectionSettings>)>>,
    laboratory: Option<Box<dyn Laboratory>>,
    control: Control,
    makers: Makers,
    interface: interface::Known,
    news: news::News,
    live: live::Live,
    /// Held while a package is made.
    packing: Mutex<()>,
    /// Signs what is printed; nothing where there is no place for a key.
    key: Option<PackageKey>,
    /// Nothing is told any more of what happens.
    is_over: AtomicBool,
}

impl PastServer {
    pub fn bind(options: PastOptions, holdings: Holdings) -> io::Result<PastServer> {
        let socket = std::net::TcpListener::bind(options.bind)?;
        socket.set_nonblocking(true)?;
        let ip = options.bind.ip();
        let names = match ip.is_loopback() {
            true => vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned(), ip.to_string()],
            false => Vec::new(),
        };
        let replay = options.replay_domain.clone().or(ip.is_loopback().then(|| "localhost".to_owned()));
        let past = Past {
            holdings,
            metrics: Metrics::default(),
            own: OwnNames { names, replay },
            clock: options.clock,
            within: options.within,
            file: options.file,
            settings: Mutex::default(),
            laboratory: options.laboratory,
            control: Control::on(ip, options.token.as_deref()),
            makers: Makers::default(),
            interface: interface::Known::default(),
            news: news::News::default(),
            live: live::Live::default(),
            packing: Mutex::default(),
            key: options.key,
            is_over: AtomicBool::new(false),
        };
        let proxy = options.proxy.as_ref().map(BoundProxy::bind).transpose()?;
        Ok(PastServer { socket, past, proxy })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Where the proxy listens, if there is one.
    pub fn proxy_address(&self) -> Option<SocketAddr> {
        self.proxy.as_ref().and_then(|proxy| proxy.socket.local_addr().ok())
    }

    /// Answers until `stop` is done.
    pub fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(AT_WORK_MAX).build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.socket)?;
            let past = Arc::new(self.past);
            if let Some(proxy) = self.proxy {
                tokio::spawn(proxy.serve(past.clone()));
            }
            let ending = past.clone();
            let stop = async move {
                stop.await;
                ending.is_over.store(true, Ordering::Relaxed);
            };
            let router = Router::new().fallback(any(answer)).with_state(past);
            axum::serve(listener, router).with_graceful_shutdown(stop).await
        })
    }
}

/// Everything goes through here: addresses of archived pages are no paths a router could take apart.
async fn answer(State(past): State<Arc<Past>>, request: Request) -> Response {
    let mut ask = match Ask::read(&request, &past.own) {
        Ok(ask) => ask,
        Err(refused) => return past.metrics.counted(reply::refused(refused)),
    };
    if ask.is_post && ask.replay.is_none() {
        match to_bytes(request.into_body(), FORM_MAX).await {
            Ok(form) => ask.form = ask::pairs(&form),
            Err(_) => {
                return past.metrics.counted(reply::Reply::error(413, "no form here is as long as this").send(&past));
            }
        }
    }
    let worker = past.clone();
    let made = tokio::task::spawn_blocking(move || worker.reply(&ask)).await;
    let made = made.unwrap_or_else(|_| reply::Reply::error(500, "this could not be answered; the others can"));
    past.metrics.counted(made.send(&past))
}

impl Past {
    /// The answer to a request; reads files, so not for a thread that others wait for.
    fn reply(self: &Arc<Past>, ask: &Ask) -> reply::Reply {
        if let Some(name) = &ask.replay {
            let shown = replay::answer(self, ask, name);
            return shown.unwrap_or_else(|error| reply::Reply::error(500, &error.to_string()));
        }
        let answered = match ask.path.as_str() {
            "/healthz" => Ok(reply::Reply::text(200, "text/plain; charset=utf-8", "ok\n")),
            "/metrics" => Ok(reply::Reply::text(200, "text/plain; version=0.0.4", self.metrics.text())),
            "/cdx" => cdx::answer(self, ask),
            "/cdx/search/cdx" => internet_archive::answer(self, ask),
            "/api/search" => Ok(interface::search::answer(self, ask)),
            "/api/explain" => Ok(interface::explain(self, ask)),
            path if path.starts_with("/api/") => api::answer(self, ask),
            path if path.starts_with("/web/timemap/") => timemap::answer(self, ask),
            // A browser that means to show a page is told why there is none as a page.
            path if path.starts_with("/web/") => {
                web::answer(self, ask).map(|reply| match ask.is_navigation && ask.is_top {
                    true => interface::told(self, ask, reply),
                    false => reply,
                })
            }
            path if path.starts_with(control::FORMS) && ask.is_post => Ok(interface::take(self, ask)),
            _ => Ok(interface::answer(self, ask).unwrap_or_else(|| {
                interface::told(self, ask, reply::Reply::error(404, "there is no such address here"))
            })),
        };
        answered.unwrap_or_else(|error| reply::Reply::error(500, &error.to_string()))
    }

    /// What the file of a collection says. Reading it also lists what is held, so it is remembered for a moment, and the longer
    /// the longer that took.
    fn settings(&self, collection: usize) -> Arc<CollectionSettings> {
        let began = (self.clock)();
        let mut known = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((until, settings)) = known.get(&collection)
            && began < *until
        {
            return settings.clone();
        }
        let read = self.file.as_ref().and_then(|file| file.settings(collection).ok());
        let settings = Arc::new(read.unwrap_or_default());
        let now = (self.clock)();
        known
            .insert(collection, (now + SETTINGS_FRESH_FOR.max((now - began) * SETTINGS_FRESH_TIMES), settings.clone()));
        settings
    }

    /// Somebody changed what the file of a collection says.
    fn forget_settings(&self, collection: usize) {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).remove(&collection);
    }

    fn collection(&self, number: usize) -> Result<&Reading, prepared::NotReady> {
        self.holdings.collection(number).ok_or_else(|| "there is no such collection".into())
    }
}
