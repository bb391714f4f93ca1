//! A disk that is nearly full stops a crawl in order, and room lets it go on.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};
use tintype_archive::{CaptureKind, Collection, OpenOptions, Retention};
use tintype_live::{Agenda, Begin, Client, ClientSettings, CrawlEvent, Ended, Hosts, Next, clock, crawl};
use tintype_plan::{Ending, Keeper, Settings, SiteTerms};
use tintype_session::{CollectionKnowledge, Session, SiteSpec};
use tintype_vocab::{SiteId, Span, Time};

const PAGES: u64 = 40;
/// Large enough that some of them are committed whatever the time is.
const PAGE_BYTES: u64 = 1 << 20;

type Hits = Arc<Mutex<BTreeMap<String, u32>>>;

/// Pages in a row of letters that no compression makes much smaller.
fn serve(mut stream: TcpStream, hits: &Hits) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    while let Some(first) = lines.next() {
        while lines.next().is_some_and(|line| !line.is_empty()) {}
        let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
        *hits.lock().unwrap().entry(target.clone()).or_default() += 1;
        let page: Option<u64> = target.trim_start_matches('/').parse().ok();
        let body = page.map(|page| {
            let mut state = page + 1;
            let mut letter = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                char::from(b'a' + (state >> 40) as u8 % 26)
            };
            let next = if page + 1 < PAGES { format!("<a href=/{}>next</a>", page + 1) } else { String::new() };
            next + &(0..PAGE_BYTES).map(|_| letter()).collect::<String>()
        });
        let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
        let body = body.unwrap_or_default();
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len());
        if stream.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

/// One site, at once.
struct One {
    site: Option<Begin>,
    over: Option<Ended>,
}

impl Agenda for One {
    fn next(&mut self, _: Time, _: usize) -> Next {
        self.site.take().map_or(Next::WhenOneEnds, |site| Next::Begin(Box::new(site)))
    }

    fn event(&mut self, _: usize, _: CrawlEvent<'_>) {}

    fn ended(&mut self, _: usize, ended: Ended) {
        self.over = Some(ended);
    }
}

async fn capture(collection: &Collection, name: &str) -> Ended {
    let client = Client::new(ClientSettings::new("tintype", collection.spool_directory())).unwrap();
    let hosts = Hosts::open(collection, &client).unwrap();
    let mut settings = Settings::new(SiteId(0), vec![format!("http://{name}/0")]);
    settings.delay = Some(Span::ZERO);
    let (kind, lesser) = (CaptureKind::Capture, Retention::default());
    let spec = SiteSpec { name: name.to_owned(), kind, settings, lesser, describe: Vec::new(), fresh: false };
    let opened = Session::open(collection, &spec, &CollectionKnowledge::default(), clock::now()).unwrap();
    let terms = SiteTerms::default();
    let site = Begin { number: 0, session: opened.session, capture: opened.capture, terms };
    let mut agenda = One { site: Some(site), over: None };
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    crawl(&mut agenda, Keeper::default(), &client, &hosts, stopped).await;
    agenda.over.unwrap()
}

#[tokio::test]
async fn a_disk_that_is_nearly_full_stops_a_crawl_in_order_and_room_lets_it_go_on() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (name, hits) = (listener.local_addr().unwrap().to_string(), Hits::default());
    let seen = hits.clone();
    std::thread::spawn(move || listener.incoming().map_while(Result::ok).for_each(|stream| serve(stream, &seen)));
    let directory = tempfile::tempdir().unwrap();
    let options = OpenOptions { create: true, command: "test".to_owned(), now: clock::now() };
    let collection = Collection::open(directory.path(), options).unwrap();
    // More than there is.
    collection.keep_free(1 << 60);
    let ended = capture(&collection, &name).await;
    assert_eq!((ended.ending, ended.error.is_none(), ended.shortage.is_some()), (Some(Ending::DiskLow), true, true));
    let asked = hits.lock().unwrap().len();
    assert!(asked < PAGES as usize, "{asked}");
    collection.keep_free(0);
    let ended = capture(&collection, &name).await;
    assert_eq!((ended.ending, ended.session.resumed().is_some()), (Some(Ending::Complete), true));
    let hits = hits.lock().unwrap();
    let pages = hits.iter().filter(|(target, _)| target[1..].parse::<u64>().is_ok());
    assert_eq!(pages.filter(|(_, count)| **count == 1).count(), PAGES as usize, "{hits:?}");
}
