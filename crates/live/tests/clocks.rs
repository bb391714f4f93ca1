//! Pauses are by a clock that nobody sets.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tintype_archive::{CaptureKind, Collection, OpenOptions, Retention};
use tintype_live::{Agenda, Begin, Client, ClientSettings, CrawlEvent, Ended, Hosts, Next, clock, crawl};
use tintype_plan::{Ending, Keeper, Settings, SiteTerms};
use tintype_session::{CollectionKnowledge, Session, SiteSpec};
use tintype_vocab::{SiteId, Span, Time};

const PAGES: usize = 9;

/// Pages in a row; the clock on the wall is set back after the third and forward after the sixth.
fn serve(stream: TcpStream, asked: &Mutex<Vec<Instant>>) {
    let mut stream = stream;
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    while let Some(first) = lines.next() {
        while lines.next().is_some_and(|line| !line.is_empty()) {}
        let number = {
            let mut asked = asked.lock().unwrap();
            asked.push(Instant::now());
            asked.len()
        };
        match number {
            3 => clock::set(Span::from_secs(-3600)),
            6 => clock::set(Span::from_secs(7200)),
            _ => {}
        }
        let page: usize = first.split(['/', ' ']).nth(2).and_then(|page| page.parse().ok()).unwrap_or(0);
        let known = !first.contains("robots") && !first.contains("sitemap");
        let body = if known && page + 1 < PAGES { format!("<a href=/{}>next</a>", page + 1) } else { String::new() };
        let status = if known { "200 OK" } else { "404 Not Found" };
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).unwrap();
    }
}

/// One site, at once.
struct One {
    site: Option<Begin>,
    over: Vec<Option<Ending>>,
}

impl Agenda for One {
    fn next(&mut self, _: Time, _: usize) -> Next {
        self.site.take().map_or(Next::WhenOneEnds, |site| Next::Begin(Box::new(site)))
    }

    fn event(&mut self, _: usize, _: CrawlEvent<'_>) {}

    fn ended(&mut self, _: usize, ended: Ended) {
        self.over.push(ended.ending);
    }
}

#[tokio::test]
async fn a_clock_set_back_and_forward_by_an_hour_neither_stalls_nor_bursts() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, asked) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let log = asked.clone();
    std::thread::spawn(move || listener.incoming().map_while(Result::ok).for_each(|stream| serve(stream, &log)));

    let directory = tempfile::tempdir().unwrap();
    let now = clock::now();
    let options = OpenOptions { create: true, command: "test".to_owned(), now };
    let collection = Collection::open(directory.path(), options).unwrap();
    let client = Client::new(ClientSettings::new("tintype", collection.spool_directory())).unwrap();
    let hosts = Hosts::open(&collection, &client).unwrap();
    let seed = format!("http://{address}/0");
    let mut settings = Settings::new(SiteId(0), vec![seed]);
    settings.delay = Some(Span::from_millis(100));
    let spec = SiteSpec {
        name: address.to_string(),
        kind: CaptureKind::Capture,
        settings,
        lesser: Retention::default(),
        describe: Vec::new(),
        fresh: false,
    };
    let opened = Session::open(&collection, &spec, &CollectionKnowledge::default(), now).unwrap();
    let terms = SiteTerms::default();
    let site = Begin { number: 0, session: opened.session, capture: opened.capture, terms };
    let mut agenda = One { site: Some(site), over: Vec::new() };
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let crawled = crawl(&mut agenda, Keeper::default(), &client, &hosts, stopped);
    tokio::time::timeout(Duration::from_secs(60), crawled).await.expect("no pause lasts an hour");
    let over = agenda.over;
    assert!(matches!(over[..], [Some(_)]), "{over:?}");
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), PAGES + 2, "robots.txt and a sitemap besides");
    let pauses: Vec<Duration> = asked.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(pauses.iter().all(|pause| *pause >= Duration::from_millis(95)), "{pauses:?}");
}
