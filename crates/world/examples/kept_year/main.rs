//! A year of keeping many sites through the real session, archive and keeper, while the clock jumps.
//!
//! `kept_year DIR SITES PAGES DAYS PER_DAY` makes a collection (quickest in memory) and tells after 1, 30, 90, 180 and 365 days
//! what the process holds, what a visit costs, what starting costs, and how many files there are. With KILLS as one argument
//! more the process is killed so many times, goes on, and is held against what it had reported.

mod kills;
mod web;

use std::{
    env,
    error::Error,
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tintype_archive::{Collection, OpenOptions};
use tintype_plan::DaySpending;
use tintype_session::spent_on;
use tintype_vocab::{Observation, Request, Span, Time};
use tintype_world::{Document, Keeping, KeptWeb};
use web::MadeWeb;

/// 2025-11-18.
pub(crate) const START: Time = Time::from_secs(1_763_424_000);
const TOLD_AFTER: [i64; 6] = [1, 30, 60, 90, 180, 365];

/// What is to be played.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) path: PathBuf,
    pub(crate) sites: usize,
    pub(crate) pages: usize,
    pub(crate) days: i64,
    pub(crate) per_day: u64,
}

impl Plan {
    fn new(path: &str, rest: [&str; 4]) -> Result<Plan, Box<dyn Error>> {
        let [sites, pages, days, per_day] = rest;
        let path = PathBuf::from(path);
        let (sites, pages, days) = (sites.parse()?, pages.parse()?, days.parse()?);
        Ok(Plan { path, sites, pages, days, per_day: per_day.parse()? })
    }

    pub(crate) fn web(&self) -> MadeWeb {
        MadeWeb { pages: self.pages, per_host: 5 }
    }

    /// As arguments of a run from one moment to another.
    pub(crate) fn run(&self, from: Time, to: Time) -> Result<Command, Box<dyn Error>> {
        let mut command = Command::new(env::current_exe()?);
        let numbers = [self.sites.to_string(), self.pages.to_string(), self.days.to_string(), self.per_day.to_string()];
        command.arg("run").arg(&self.path).args(numbers);
        command.args([from.as_millis().to_string(), to.as_millis().to_string()]).stdout(Stdio::piped());
        Ok(command)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.sites).map(|site| self.web().spec(site).name).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", path, a, b, c, d, from, to] => {
            let [from, to] = [from, to].map(|text| text.parse().map(Time::from_millis));
            run(&Plan::new(path, [a, b, c, d])?, from?, to?)
        }
        [path, a, b, c, d] => year(&Plan::new(path, [a, b, c, d])?),
        [path, a, b, c, d, count] => kills::kill(&Plan::new(path, [a, b, c, d])?, count.parse()?),
        _ => Err("kept_year DIR SITES PAGES DAYS PER_DAY [KILLS]".into()),
    }
}

/// A web that writes down what happens, before it is known to have happened.
struct Ledger {
    web: MadeWeb,
    file: Option<File>,
    asked: u64,
    reported: u64,
}

impl Ledger {
    fn new(plan: &Plan, file: Option<File>) -> Ledger {
        Ledger { web: plan.web(), file, asked: 0, reported: 0 }
    }

    fn line(&mut self, what: char, site: usize, url: &str, at: Time) {
        if let Some(file) = &mut self.file {
            // In one piece: whoever is killed meanwhile has written all of it or nothing.
            let line = format!("{what} {} {site} {url}\n", at.as_millis());
            file.write_all(line.as_bytes()).expect("the ledger can be written");
        }
    }
}

impl KeptWeb for Ledger {
    fn answer(&mut self, site: usize, request: &Request, held: Option<&str>, now: Time) -> (Option<Document>, Span) {
        (Some(self.web.document(site, request, held, now)), Span::from_millis(120))
    }

    fn asked(&mut self, site: usize, request: &Request, now: Time) {
        self.asked += 1;
        self.line('A', site, &request.url, now);
    }

    fn reported(&mut self, site: usize, seen: &Observation) {
        self.reported += 1;
        self.line('R', site, &seen.url, seen.asked);
    }
}

fn open(path: &Path, now: Time) -> Result<Collection, tintype_archive::Error> {
    Collection::open(path, OpenOptions { create: true, command: "kept_year".to_owned(), now })
}

fn begin<'c>(
    plan: &Plan,
    collection: &'c Collection,
    web: Ledger,
    now: Time,
) -> Result<Keeping<'c, Ledger>, Box<dyn Error>> {
    let spent = spent_on(&collection.reading(), &plan.names(), now.midnight())?;
    let spent = DaySpending { requests: spent.requests, bytes: spent.bytes, all_day: spent.earlier };
    let keeper = web::keeper(plan.per_day, now, spent);
    Ok(Keeping::begin(collection, plan.web().sites(plan.sites), keeper, web, now)?)
}

/// A child: keeps from one moment to another, and says what starting took.
fn run(plan: &Plan, from: Time, to: Time) -> Result<(), Box<dyn Error>> {
    let ledger = plan.path.with_extension("ledger");
    let file = File::options().append(true).create(true).open(ledger)?;
    let began = cpu_millis();
    let collection = open(&plan.path, from)?;
    let opened = cpu_millis();
    let mut keeping = begin(plan, &collection, Ledger::new(plan, Some(file)), from)?;
    println!("started {:.1} {:.1}", cpu_millis() - began, opened - began);
    keeping.run(to)?;
    keeping.finish()?;
    Ok(())
}

fn year(plan: &Plan) -> Result<(), Box<dyn Error>> {
    println!(
        "   day    visits  memory MB  visit µs   start ms  (opening)   warc files+MB    index files+MB      log files+MB    state files+MB"
    );
    let (mut web, mut now, mut visits, mut spent) = (Ledger::new(plan, None), START, 0, cpu_millis());
    for day in TOLD_AFTER.into_iter().filter(|day| *day <= plan.days) {
        let collection = open(&plan.path, now)?;
        let mut keeping = begin(plan, &collection, web, now)?;
        keeping.run(START + Span::from_days(day) - Span::from_secs(3600))?;
        now = keeping.now;
        let memory = resident() / 1e6;
        web = keeping.finish()?;
        drop(collection);
        let took = cpu_millis() - spent;
        let per_visit = 1000.0 * took / (web.asked - visits).max(1) as f64;
        visits = web.asked;
        let [start, opening] = starting(plan, now)?;
        let files = ["warc", "index", "log", "state"].map(|part| files(&plan.path.join(part)));
        let files = files.map(|(count, bytes)| format!("{count:>8} {:>8.1}", bytes as f64 / 1e6)).join(" ");
        println!("{day:>6} {visits:>9} {memory:>10.1} {per_visit:>9.0} {start:>10.1} {opening:>10.1} {files}");
        spent = cpu_millis();
    }
    Ok(())
}

/// What it takes another process to begin where this one stands, in milliseconds of CPU.
fn starting(plan: &Plan, now: Time) -> Result<[f64; 2], Box<dyn Error>> {
    let output = plan.run(now, now)?.output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = said.split_whitespace().skip(1).map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(all)), Some(Ok(opening))) => Ok([all, opening]),
        _ => Err(format!("the child did not start: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// What all threads of this process have used of the CPU.
fn cpu_millis() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanos = |path: PathBuf| std::fs::read_to_string(path).ok()?.split(' ').next()?.parse::<f64>().ok();
    threads.filter_map(|thread| nanos(thread.path().join("schedstat"))).sum::<f64>() / 1e6
}

/// Resident memory of this process in bytes.
fn resident() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok()).unwrap_or(f64::NAN) * 4096.0
}

/// How many files there are below a directory, and their bytes.
fn files(path: &Path) -> (usize, u64) {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.fold((0, 0), |(count, bytes), entry| match entry.metadata() {
        Ok(about) if about.is_dir() => {
            let (more, below) = files(&entry.path());
            (count + more, bytes + below)
        }
        Ok(about) => (count + 1, bytes + about.len()),
        Err(_) => (count, bytes),
    })
}
