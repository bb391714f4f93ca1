//! `tintype serve`: the past in a browser, and for the clients of the field.

use super::captures::parse_at;
use crate::{
    amount::parse_span,
    failure::usage,
    out::{self, mention, say},
    served::ServedFiles,
    served_lab::ServedLab,
    token::{Token, signing_key},
};
use anyhow::Context;
use clap::Args;
use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::ExitCode,
};
use tintype_archive::{Collection, holdings::Holdings};
use tintype_live::clock;
use tintype_serve::past::{PastOptions, PastServer, ProxyOptions};
use tintype_vocab::{PartialTime, Span};

/// Serve the past: replay in a browser, Memento, CDX and JSON, over collections and any WARC, WACZ or CDXJ files
///
/// Also while tintype keep writes to the collection. Open the address it prints: what needs you, what changed, sites, pages and
/// every version of them as it was. To change anything there (mark as read, settings, start and stop), show the token that lies
/// in a file of yours; only where it listens on this machine alone. For programs: /web/TIME/URL and /web/URL (Memento), /web/timemap/link/URL,
/// /cdx?url= (as pywb), /cdx/search/cdx?url= (as the Internet Archive), /api/captures, /api/versions?url=, /metrics.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype serve\n  tintype serve -C news -C blogs --bind 127.0.0.1:9090\n  tintype serve crawl.wacz other/*.warc.gz       (files of other tools, no collection needed)\n  tintype serve --proxy-bind 127.0.0.1:8081 --at 2026-11-15"
)]
pub(crate) struct Options {
    /// WARC, WACZ or CDXJ files of any tool; they are read once at the start
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The directory of a collection, as often as there are collections; by default ./collection, if no file is named
    #[arg(short = 'C', long = "collection", value_name = "DIR")]
    collections: Vec<PathBuf>,
    /// Where to listen; port 0 takes a free one. Anything but loopback lets others read the archive
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    bind: SocketAddr,
    /// A name with a wildcard below it that leads here, so that browsers elsewhere see replayed pages on origins of their own
    #[arg(long, value_name = "NAME")]
    replay_domain: Option<String>,
    /// Also answer as a proxy here: a browser that is set to it sees the archive with nothing rewritten
    #[arg(long, value_name = "ADDRESS")]
    proxy_bind: Option<SocketAddr>,
    /// The time the proxy shows: 2026, 202611, 2026-11-15T21:55:03Z; by default the latest copies
    #[arg(long, value_name = "TIME", value_parser = parse_at, requires = "proxy_bind")]
    at: Option<PartialTime>,
    /// Show parts of a page that are not proved to have been there with it only if they were seen this near to it: 12h, 7d
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    within: Option<Span>,
    /// Where the proxy keeps the authority it speaks https by, made on first use; by default among your own data
    #[arg(long, value_name = "DIR", requires = "proxy_bind")]
    proxy_authority: Option<PathBuf>,
    /// Print one JSON object with the address instead of text for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut holdings = Holdings::default();
    let default = [PathBuf::from("collection")];
    let nothing_named = options.collections.is_empty() && options.files.is_empty();
    let collections = if nothing_named { &default[..] } else { &options.collections };
    for collection in collections {
        holdings.add_collection(Collection::read(collection)?);
    }
    for file in &options.files {
        let lines = holdings.add_file(file)?;
        if !options.json {
            match lines {
                Some(lines) => mention!("{}: {lines} records", file.display()),
                None => mention!("{}: a large index, searched where it lies", file.display()),
            }
        }
    }
    let token = options.token();
    let past = PastOptions {
        bind: options.bind,
        clock: clock::now,
        replay_domain: options.replay_domain.clone(),
        proxy: options.proxy()?,
        within: options.within,
        file: Some(Box::new(ServedFiles::new(collections))),
        laboratory: Some(Box::new(ServedLab::new(collections))),
        key: own_data().and_then(|directory| signing_key(&directory).ok()),
        token: token.as_ref().map(|token| token.text.clone()),
    };
    let server = PastServer::bind(past, holdings).map_err(|error| {
        usage(format!("cannot listen on {}: {error}", options.addresses()), "name another address: --bind 127.0.0.1:0")
    })?;
    let address = server.address().context("cannot tell the address")?;
    match options.json {
        true => out::json(&serde_json::json!({
            "address": format!("http://{address}/"), "proxy": server.proxy_address().map(|proxy| proxy.to_string()),
        })),
        false => {
            say!("open http://{address}/ in a browser; Ctrl-C ends it");
            if let Some(token) = &token {
                token.tell(&address.to_string());
            }
            if let Some(proxy) = server.proxy_address() {
                say!("or set a browser to the proxy {proxy} and open http://tintype.proxy/ for the authority of https");
            }
        }
    }
    server.serve(crate::stop::asked_for()).context("cannot serve")?;
    Ok(ExitCode::SUCCESS)
}

/// Serves one collection on a free port, for a person who looks at it now.
pub(super) fn look_at(collection: &Path) -> anyhow::Result<()> {
    let free = SocketAddr::from(([127, 0, 0, 1], 0));
    let usual = SocketAddr::from(([127, 0, 0, 1], 8080));
    let bind = if std::net::TcpListener::bind(usual).is_ok() { usual } else { free };
    let options = Options {
        files: Vec::new(),
        collections: vec![collection.to_owned()],
        bind,
        replay_domain: None,
        proxy_bind: None,
        at: None,
        within: None,
        proxy_authority: None,
        json: false,
    };
    say!("\nNow look at it:");
    run(&options).map(drop)
}

impl Token {
    /// Where it is shown, and what it is if nobody was told yet.
    fn tell(&self, address: &str) {
        let file = self.file.display();
        match self.is_new {
            true => say!(
                "to change something there, sign in at http://{address}/sign-in with {}, which also lies in {file}",
                self.text
            ),
            false => say!("to change something there, sign in at http://{address}/sign-in with the token in {file}"),
        }
    }
}

impl Options {
    /// Only where nobody else hears it. Who has no place for it can still read.
    fn token(&self) -> Option<Token> {
        let made = own_data().filter(|_| self.bind.ip().is_loopback()).map(|directory| Token::of(&directory))?;
        made.map_err(|error| mention!("warning: nothing can be changed from the browser: {error:#}")).ok()
    }

    fn proxy(&self) -> anyhow::Result<Option<ProxyOptions>> {
        let Some(bind) = self.proxy_bind else { return Ok(None) };
        let authority = match self.proxy_authority.clone().or_else(own_data) {
            Some(authority) => authority,
            None => {
                let problem = "there is no home directory to keep the authority of the proxy in";
                return Err(usage(problem, "name a directory: --proxy-authority DIR"));
            }
        };
        Ok(Some(ProxyOptions { bind, at: self.at.map(PartialTime::as_asked), authority, now: clock::now() }))
    }

    fn addresses(&self) -> String {
        match self.proxy_bind {
            Some(proxy) => format!("{} and {proxy}", self.bind),
            None => self.bind.to_string(),
        }
    }
}

/// Where programs keep what is theirs and a person's own.
fn own_data() -> Option<PathBuf> {
    let directory = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = directory("XDG_DATA_HOME").or_else(|| Some(directory("HOME")?.join(".local/share")))?;
    Some(data.join("tintype"))
}
