//! A web of hosts on loopback addresses, made up while it is asked for, to see how a capture that goes wherever links lead
//! fares: hosts with songs and papers behind URLs that do not say so, or lie; many more that have nothing but stories; endless
//! calendars, slow hosts, dead ones, one that is rich.
//!
//! ```text
//! cargo run --release -p tintype-live --example web_of_hosts -- 18090 300 > allow.txt &
//! tintype capture http://127.1.0.1:18090/ --scope web --media audio,application/pdf --budget 20000 --delay 0.2 \
//!     $(cat allow.txt) -C /tmp/web --json
//! curl -s http://127.0.0.1:18090/told?delay=0.2
//! ```
//!
//! What it prints is what lets hosts lie in private space. `/told` says what was asked for: files in all and how many of them
//! were served, after how many requests nine tenths of them were, the shortest pause any host saw, and which share was made of
//! the requests that paces allow between a host's first file and its last. `/breadth-first?files=1000`
//! says after how many breadth-first has so many of them, or nine tenths; `/forget` begins anew; `/flood` on every host is a page
//! of 100,000 links.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    fmt::Write as _,
    io::{self, BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const FLOOD: u64 = 100_000;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
static HOSTS: AtomicUsize = AtomicUsize::new(300);
static PORT: AtomicUsize = AtomicUsize::new(18_090);
static LOG: LazyLock<Mutex<Vec<Asked>>> = LazyLock::new(Mutex::default);

struct Asked {
    at: Duration,
    host: usize,
    path: String,
    is_file: bool,
}

/// What a host is like.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Music,
    Papers,
    Stories,
    Dead,
}

/// An even number for a few numbers.
fn mixed(numbers: &[u64]) -> u64 {
    let step = |hash: u64, number: &u64| {
        let mixed = (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    };
    numbers.iter().fold(0x1234_5678_9abc_def1, step)
}

fn kind(host: usize) -> Kind {
    match mixed(&[host as u64]) % 20 {
        _ if host == 0 => Kind::Stories,
        _ if host == 1 => Kind::Music,
        0..=3 => Kind::Music,
        4 | 5 => Kind::Papers,
        6 => Kind::Dead,
        _ => Kind::Stories,
    }
}

/// Lists of files a host has, and files on each. One host has as many as thirty others.
fn lists(host: usize) -> u64 {
    if host == 1 { 150 } else { 2 + mixed(&[host as u64, 1]) % 6 }
}

fn files(host: usize, list: u64) -> u64 {
    6 + mixed(&[host as u64, 2, list]) % 10
}

fn stories(host: usize) -> u64 {
    40 + mixed(&[host as u64, 3]) % 160
}

fn address(host: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 1, (host / 250) as u8, (host % 250 + 1) as u8)
}

fn origin(host: usize) -> String {
    format!("http://{}:{}", address(host), PORT.load(Ordering::Relaxed))
}

fn is_slow(host: usize) -> bool {
    mixed(&[host as u64, 4]).is_multiple_of(15)
}

/// What is there: the media type, the body, and whether it is a file that is wanted.
fn answer(host: usize, path: &str) -> Option<(&'static str, String, bool)> {
    let page = |body: String| Some(("text/html", format!("<!doctype html><title>{path}</title>{body}"), false));
    let number =
        |prefix: &str| path.strip_prefix(prefix).and_then(|rest| rest.split(['.', '/', '?']).next()?.parse().ok());
    let kind = kind(host);
    let song = || ("audio/ogg", format!("OggS\0\u{2}song {host} {path}"), true);
    let paper = || ("application/pdf", format!("%PDF-1.4\npaper {host} {path}\n%%EOF"), true);
    match path {
        "/" => return page(home(host)),
        "/robots.txt" => return Some(("text/plain", "User-agent: *\nDisallow: /private/\n".to_owned(), false)),
        "/flood" => {
            return page((0..FLOOD).fold(String::new(), |mut body, nth| {
                let _ = write!(body, "<a href=/story/{}>{nth}</a>", mixed(&[host as u64, 9, nth]));
                body
            }));
        }
        _ => {}
    }
    if let Some(nth) = path.strip_prefix("/calendar/").and_then(|rest| rest.parse::<u64>().ok()) {
        return page(format!("<p>Nothing on day {nth}.</p><a href=/calendar/{}>next day</a>", nth + 1));
    }
    match kind {
        Kind::Music => {
            if let Some(list) = number("/album/").filter(|list: &u64| *list < lists(host)) {
                return page(
                    (0..files(host, list)).fold(String::new(), |mut body, nth| {
                        let _ =
                            write!(body, "<a href=/listen/{}{}>Take {nth}</a> ", list * 100 + nth, ending(host, nth));
                        body
                    }) + &format!("<a href=/album/{}.mp3>next album</a> <a href=/lyrics/{list}>words</a>", list + 1),
                );
            }
            if let Some(nth) =
                number("/listen/").filter(|nth: &u64| nth / 100 < lists(host) && nth % 100 < files(host, nth / 100))
            {
                let _ = nth;
                return Some(song());
            }
        }
        Kind::Papers => {
            if let Some(list) = number("/volume/").filter(|list: &u64| *list < lists(host)) {
                return page((0..files(host, list)).fold(String::new(), |mut body, nth| {
                    let _ = write!(
                        body,
                        "<a href=/get?id={}>Paper {nth}</a> <a href=/abstract/{}>about it</a> ",
                        list * 100 + nth,
                        list * 100 + nth
                    );
                    body
                }));
            }
            if let Some(nth) =
                number("/get?id=").filter(|nth: &u64| nth / 100 < lists(host) && nth % 100 < files(host, nth / 100))
            {
                let _ = nth;
                return Some(paper());
            }
            if let Some(nth) = number("/abstract/").filter(|nth: &u64| nth / 100 < lists(host)) {
                return page(format!("<p>What paper {nth} is about.</p>"));
            }
        }
        Kind::Stories | Kind::Dead => {}
    }
    let story: u64 = number("/story/").filter(|nth: &u64| *nth < stories(host)).or_else(|| number("/lyrics/"))?;
    page(tale(host, story))
}

/// Endings of songs: none, one of a page, or their own.
fn ending(host: usize, nth: u64) -> &'static str {
    ["", ".html", "", ".php", ".ogg"][(mixed(&[host as u64, 5]) % 4 + u64::from(nth.is_multiple_of(9))) as usize]
}

fn link(body: &mut String, url: &str, text: &str) {
    let _ = write!(body, "<a href='{url}'>{text}</a> ");
}

/// Hosts that a page leads to.
fn neighbours(host: usize, salt: u64, count: u64) -> impl Iterator<Item = usize> {
    let hosts = HOSTS.load(Ordering::Relaxed);
    (0..count).map(move |nth| (mixed(&[host as u64, 6, salt, nth]) % hosts as u64) as usize)
}

fn home(host: usize) -> String {
    let mut body = String::new();
    match kind(host) {
        Kind::Music => (0..lists(host).min(8)).for_each(|nth| link(&mut body, &format!("/album/{nth}.mp3"), "Album")),
        Kind::Papers => (0..lists(host)).for_each(|nth| link(&mut body, &format!("/volume/{nth}"), "Volume")),
        Kind::Stories | Kind::Dead => {}
    }
    (0..12).for_each(|nth| link(&mut body, &format!("/story/{nth}"), "Story"));
    link(&mut body, "/calendar/1", "Calendar");
    link(&mut body, "/private/1", "Private");
    link(&mut body, &format!("{}/", origin((host + 1) % HOSTS.load(Ordering::Relaxed))), "Next");
    neighbours(host, 0, 4).for_each(|other| link(&mut body, &format!("{}/", origin(other)), "Friend"));
    body
}

fn tale(host: usize, story: u64) -> String {
    let mut body = format!("<p>It was night {story} on host {host}.</p>");
    (1..6).for_each(|step| link(&mut body, &format!("/story/{}", (story + step * step) % stories(host)), "Another"));
    if story.is_multiple_of(10) {
        neighbours(host, story, 2).for_each(|other| link(&mut body, &format!("{}/", origin(other)), "Elsewhere"));
    }
    body
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>().expect("a number"));
    PORT.store(arguments.next().unwrap_or(18_090), Ordering::Relaxed);
    HOSTS.store(arguments.next().unwrap_or(300), Ordering::Relaxed);
    let (port, hosts) = (PORT.load(Ordering::Relaxed) as u16, HOSTS.load(Ordering::Relaxed));
    LazyLock::force(&BEGAN);
    for host in (0..hosts).filter(|host| kind(*host) != Kind::Dead) {
        let listener = TcpListener::bind((address(host), port))?;
        spawn(move || listen(&listener, Some(host)));
    }
    let allowed: Vec<String> = (0..hosts).map(|host| format!("--allow-private {}", address(host))).collect();
    println!("{}", allowed.join(" "));
    listen(&TcpListener::bind((Ipv4Addr::LOCALHOST, port))?, None);
    Ok(())
}

fn spawn(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(256 << 10).spawn(work).expect("a thread can be started");
}

fn listen(listener: &TcpListener, host: Option<usize>) {
    for stream in listener.incoming().map_while(Result::ok) {
        spawn(move || drop(converse(stream, host)));
    }
}

/// Answers one connection until it closes.
fn converse(stream: TcpStream, host: Option<usize>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut lines, mut stream) = (BufReader::new(stream.try_clone()?), stream);
    let mut line = String::new();
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let path = line.split(' ').nth(1).unwrap_or("/").to_owned();
        while line.trim_end() != "" {
            line.clear();
            lines.read_line(&mut line)?;
        }
        let answered = match host {
            Some(host) => {
                if is_slow(host) {
                    thread::sleep(Duration::from_millis(400));
                }
                let answered = answer(host, &path);
                let is_file = answered.as_ref().is_some_and(|(_, _, is_file)| *is_file);
                let asked = Asked { at: BEGAN.elapsed(), host, path, is_file };
                LOG.lock().expect("nobody panics with it").push(asked);
                answered
            }
            None => control(&path),
        };
        let (status, (media_type, body, _)) = match answered {
            Some(answered) => ("200 OK", answered),
            None => ("404 Not Found", ("text/plain", "nothing here".to_owned(), false)),
        };
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes())?;
    }
}

fn control(path: &str) -> Option<(&'static str, String, bool)> {
    match path.split('?').next()? {
        "/told" => {
            let delay = path.split_once("delay=").and_then(|(_, delay)| delay.parse().ok()).unwrap_or(1.0);
            Some(("application/json", told(delay), false))
        }
        "/breadth-first" => {
            let files = path.split_once("files=").and_then(|(_, files)| files.parse().ok());
            Some(("application/json", breadth_first(files.unwrap_or(all_files() * 9 / 10)), false))
        }
        "/forget" => {
            LOG.lock().expect("nobody panics with it").clear();
            Some(("text/plain", "forgotten\n".to_owned(), false))
        }
        _ => None,
    }
}

/// Requests that breadth-first takes for so many files, one after another and as links are found.
fn breadth_first(wanted: u64) -> String {
    let mut queue = VecDeque::from([(0, "/".to_owned())]);
    let mut met: HashSet<(usize, String)> = queue.iter().cloned().collect();
    let (mut requests, mut found) = (0_u64, 0);
    while let Some((host, path)) = queue.pop_front() {
        if kind(host) == Kind::Dead || path.starts_with("/private/") {
            continue;
        }
        requests += 1;
        let Some((_, body, is_file)) = answer(host, &path) else { continue };
        found += u64::from(is_file);
        if found >= wanted {
            break;
        }
        for link in body.split("href=").skip(1).filter(|_| !is_file) {
            let link = link.trim_start_matches('\'').split(['\'', '>', ' ']).next().unwrap_or_default();
            let target = match link.strip_prefix("http://127.1.") {
                Some(rest) => {
                    let mut numbers = rest.split(['.', ':', '/']).map_while(|number| number.parse::<usize>().ok());
                    (numbers.next().unwrap_or(0) * 250 + numbers.next().unwrap_or(1) - 1, "/".to_owned())
                }
                None => (host, link.to_owned()),
            };
            if met.insert(target.clone()) {
                queue.push_back(target);
            }
        }
    }
    format!("{{\"files\": {}, \"found\": {found}, \"requests\": {requests}}}\n", all_files())
}

fn all_files() -> u64 {
    let has = |host: &usize| matches!(kind(*host), Kind::Music | Kind::Papers);
    let hosts = (0..HOSTS.load(Ordering::Relaxed)).filter(has);
    hosts.map(|host| (0..lists(host)).map(|list| files(host, list)).sum::<u64>()).sum()
}

/// What was asked for, as JSON.
fn told(delay: f64) -> String {
    let log = LOG.lock().expect("nobody panics with it");
    let hosts = HOSTS.load(Ordering::Relaxed);
    let all = all_files();
    let pages: Vec<&Asked> = log.iter().filter(|asked| asked.path != "/robots.txt").collect();
    let (mut served, mut nine_tenths) = (BTreeSet::new(), None);
    for (nth, asked) in pages.iter().enumerate().filter(|(_, asked)| asked.is_file) {
        served.insert((asked.host, &asked.path));
        if nine_tenths.is_none() && 10 * served.len() as u64 >= 9 * all {
            nine_tenths = Some(nth + 1);
        }
    }
    let (mut shortest, mut made, mut allowed, mut asked_hosts) = (f64::MAX, 0.0, 0.0, 0);
    let mut seconds: Vec<BTreeSet<usize>> = Vec::new();
    for host in 0..hosts {
        let times: Vec<f64> =
            log.iter().filter(|asked| asked.host == host).map(|asked| asked.at.as_secs_f64()).collect();
        if times.is_empty() {
            continue;
        }
        asked_hosts += 1;
        shortest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(shortest, f64::min);
        // From the first file to the last one there was always something to ask for.
        let of_files =
            log.iter().filter(|asked| asked.host == host && asked.is_file).map(|asked| asked.at.as_secs_f64());
        let of_files: Vec<f64> = of_files.collect();
        if let (Some(from), Some(to)) = (of_files.first(), of_files.last()) {
            made += times.iter().filter(|time| (from..=to).contains(time)).count() as f64;
            allowed += 1.0 + (to - from) / if is_slow(host) { delay + 0.4 } else { delay };
        }
        for time in &times {
            let second = *time as usize;
            seconds.resize_with(seconds.len().max(second + 1), BTreeSet::new);
            seconds[second].insert(host);
        }
    }
    let twice = pages.len() - pages.iter().map(|asked| (asked.host, &asked.path)).collect::<BTreeSet<_>>().len();
    format!(
        "{{\"files\": {all}, \"served\": {}, \"requests\": {}, \"robots\": {}, \"requests_for_nine_tenths\": {}, \
         \"asked_twice\": {twice}, \"hosts\": {asked_hosts}, \"most_hosts_in_a_second\": {}, \
         \"shortest_pause\": {shortest:.3}, \"share_of_what_paces_allow\": {:.3}, \"seconds\": {:.1}}}\n",
        served.len(),
        pages.len(),
        log.len() - pages.len(),
        nine_tenths.map_or("null".to_owned(), |requests| requests.to_string()),
        seconds.iter().map(BTreeSet::len).max().unwrap_or(0),
        made / allowed,
        log.iter()
            .map(|asked| asked.at)
            .max()
            .zip(log.iter().map(|asked| asked.at).min())
            .map_or(0.0, |(last, first)| (last - first).as_secs_f64()),
    )
}
