//! Killing who keeps, again and again, and holding what is on disk against what was reported.

use crate::{Plan, START};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    error::Error,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
    time::Duration,
};
use tintype_archive::Collection;
use tintype_vocab::{Entry, Purpose, Span, Time};

/// A line of the ledger: what happened, when it was asked, of which site, what for.
type Line = (char, Time, usize, String);

pub(crate) fn kill(plan: &Plan, kills: i64) -> Result<(), Box<dyn Error>> {
    let (ledger, end) = (plan.path.with_extension("ledger"), START + Span::from_days(plan.days));
    let (mut now, mut killed, mut starts, mut deaths) = (START, 0, Vec::new(), Vec::new());
    while now < end {
        let mut child = plan.run(now, end)?.spawn()?;
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        out.read_line(&mut said)?;
        starts.extend(said.split(' ').nth(1).and_then(|millis| millis.parse::<f64>().ok()));
        if killed < kills {
            // At a moment of the play that is as good as any other, wherever in its work that finds the process.
            let until = START + Span::from_millis((end - START).as_millis() / (kills + 1) * (killed + 1));
            while child.try_wait()?.is_none() && last_moment(&ledger)? < until {
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill()?;
            killed += 1;
        }
        let ended = child.wait()?;
        let mut rest = String::new();
        out.read_to_string(&mut rest)?;
        now = if ended.success() { end } else { last_moment(&ledger)? + Span::from_secs(1) };
        deaths.push(now);
    }
    starts.sort_by(f64::total_cmp);
    println!(
        "{killed} kills; starting took {:.1} ms of CPU at most, {:.1} in the middle",
        starts[starts.len() - 1],
        starts[starts.len() / 2]
    );
    tell(plan, &ledger, &deaths)
}

fn parse(line: &str) -> Option<Line> {
    let mut parts = line.splitn(4, ' ');
    let (what, at) = (parts.next()?.chars().next()?, Time::from_millis(parts.next()?.parse().ok()?));
    Some((what, at, parts.next()?.parse().ok()?, parts.next()?.to_owned()))
}

/// When the last request left, by the end of the ledger.
fn last_moment(ledger: &Path) -> Result<Time, Box<dyn Error>> {
    let Ok(mut file) = std::fs::File::open(ledger) else { return Ok(START) };
    let from = file.metadata()?.len().saturating_sub(4096);
    file.seek(SeekFrom::Start(from))?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let mut asked = text.lines().filter_map(parse).filter(|line| line.0 == 'A');
    Ok(asked.next_back().map_or(START, |(_, at, ..)| at))
}

/// A site, a URL and when it was asked for.
type Logged = (usize, String, Time);

/// What the logs say was seen of every site.
fn logged(plan: &Plan) -> Result<HashSet<Logged>, Box<dyn Error>> {
    let (reading, mut seen) = (Collection::read(&plan.path)?, HashSet::new());
    for (site, name) in plan.names().iter().enumerate() {
        for capture in reading.captures_of(name)? {
            for entry in reading.entries(&capture.id)? {
                if let Entry::Observation(observation) = entry? {
                    let is_new = seen.insert((site, observation.url.clone(), observation.asked));
                    assert!(is_new || observation.purpose == Purpose::Robots, "{} is told twice", observation.url);
                }
            }
        }
    }
    Ok(seen)
}

fn tell(plan: &Plan, ledger: &Path, deaths: &[Time]) -> Result<(), Box<dyn Error>> {
    let seen = logged(plan)?;
    let (mut asked, mut reported, mut lost, mut unlogged, mut again) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let (mut days, mut latest) = (BTreeMap::<Time, u64>::new(), HashMap::new());
    for line in BufReader::new(std::fs::File::open(ledger)?).lines() {
        let line = line?;
        let Some((what, at, site, url)) = parse(&line) else {
            return Err(format!("no line of a ledger: {line}").into());
        };
        let is_there = seen.contains(&(site, url.clone(), at));
        if what == 'R' {
            reported += 1;
            lost += u64::from(!is_there);
            latest.insert((site, url), at);
            continue;
        }
        asked += 1;
        unlogged += u64::from(!is_there);
        if !url.ends_with("robots.txt") {
            *days.entry(at.midnight()).or_default() += 1;
        }
        // What was reported within ten minutes before a death and is asked again within ten minutes after it.
        let near = |death: &&Time| **death <= at && at - **death < Span::from_secs(600);
        let before = latest.get(&(site, url));
        again += u64::from(
            deaths
                .iter()
                .find(near)
                .is_some_and(|death| before.is_some_and(|last| *death - *last < Span::from_secs(600))),
        );
    }
    let most = days.values().max().copied().unwrap_or_default();
    let over = days.values().filter(|asked| **asked > plan.per_day).count();
    println!("{asked} requests, {reported} reported, of these not in the logs: {lost}");
    println!(
        "{unlogged} requests were under way when it was killed and are not in the logs; {again} pages reported within ten minutes before were asked again within ten minutes after"
    );
    println!("at most {most} requests a day of {}; {over} days above", plan.per_day);
    let findings = Collection::read(&plan.path)?.verify()?.findings.len();
    println!("verify finds {findings} faults");
    Ok(())
}
