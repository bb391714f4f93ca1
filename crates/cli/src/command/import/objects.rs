//! Objects of a source that somebody else watched, as if we had crawled it then.

use super::Options;
use crate::{
    amount::counted,
    command::open,
    failure::usage,
    out::{self, say},
    plain::printable,
};
use anyhow::Context;
use std::{path::Path, process::ExitCode};
use tintype_archive::{CaptureHead, CaptureKind};
use tintype_live::clock;
use tintype_session::listing::{SourceState, Terms};
use tintype_vocab::{Object, ObjectCrawl, ObjectEvent, Time};
use tintype_world::{
    recorded::Fault,
    source::{Refused, Source},
};

pub(super) fn run(options: &Options, objects: &Path) -> anyhow::Result<ExitCode> {
    let source = match objects.is_dir() && options.snapshots.is_none() {
        true => Source::read(objects),
        false => Source::read_tables(objects, options.snapshots.as_deref()),
    };
    let source = source.map_err(|refused| usage(&refused, next_step(&refused)))?;
    let name = options.source.clone().unwrap_or_else(|| name_of(objects));
    let collection = open(&options.common, true)?;
    let known = SourceState::of(&collection.reading(), &name, Terms::default())?;
    let first = source.looks().first().copied().unwrap_or(Time::MIN);
    if let Some(last) = known.ledger.last().filter(|last| first <= *last) {
        return Err(usage(
            format!("{name} is known until {last}, and this begins at {first}"),
            "give it another name with --source NAME; nothing was imported",
        ));
    }
    let file = objects.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut capture = collection.begin(CaptureHead {
        site: name.clone(),
        kind: CaptureKind::Import,
        seeds: Vec::new(),
        settings: serde_json::json!({ "import": file, "attributes": source.attributes() }),
        run_seed: 0,
        started: clock::now(),
        describe: vec![("software".to_owned(), format!("tintype/{}", env!("CARGO_PKG_VERSION")))],
    })?;
    let crawls = crawls(&source);
    for crawl in &crawls {
        capture.note_objects(crawl).context("the objects cannot be written")?;
    }
    capture.finish(&serde_json::json!({ "reason": "imported", "crawls": crawls.len() }))?;
    tell(options, &name, objects, &source);
    Ok(ExitCode::SUCCESS)
}

fn next_step(refused: &Refused) -> &'static str {
    match refused {
        Refused::Unreadable { .. } => {
            "name a table of objects, or the directory of objects.csv.gz and snapshots.csv.gz"
        }
        Refused::Malformed { source, .. } if matches!(source.what, Fault::MissingColumn(_)) => {
            "tables of objects begin with object_id,first_seen,last_seen,left_censored,right_censored,updates, tables of looks \
             with time; nothing was imported"
        }
        Refused::Malformed { .. } | Refused::Unsound { .. } => "correct the table; nothing was imported",
    }
}

/// The directory, because files of objects are all called alike.
fn name_of(objects: &Path) -> String {
    let whole = objects.canonicalize().unwrap_or_else(|_| objects.to_owned());
    let directory = if whole.is_dir() { whole.file_name() } else { whole.parent().and_then(Path::file_name) };
    directory.map_or("objects".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn tell(options: &Options, name: &str, file: &Path, source: &Source) {
    let (lives, looks) = (source.lives().len(), source.looks().len());
    let findings = source.findings().sentences();
    if options.common.json {
        let told = serde_json::json!({
            "file": file, "source": name, "lives": lives, "crawls": looks, "findings": findings,
        });
        out::json(&told);
        return;
    }
    let lives = if lives == 1 { "1 life".to_owned() } else { format!("{lives} lives") };
    say!("{}  {lives} seen by {}", printable(name), counted(looks as u64, "crawl"));
    findings.iter().for_each(|finding| say!("  warning: {}", printable(finding)));
}

/// Every look as a crawl.
fn crawls(source: &Source) -> Vec<ObjectCrawl> {
    let looks = source.looks();
    let empty = |at: &Time| ObjectCrawl { at: *at, found: 0, held: None, events: Vec::new() };
    let mut crawls: Vec<ObjectCrawl> = looks.iter().map(empty).collect();
    for life in source.lives() {
        let object = Object { id: life.id.clone(), attributes: life.attributes.clone() };
        let first = looks.partition_point(|look| *look < life.first_seen);
        let gone = looks.partition_point(|look| *look <= life.last_seen);
        crawls[first].events.push(ObjectEvent::Inserted(object.clone()));
        // Nobody says when it changed, so the last look that saw it tells of all changes.
        if life.updates > 0 && gone > first {
            crawls[gone - 1].events.push(ObjectEvent::Updated { object, times: life.updates });
        }
        if let Some(crawl) = crawls.get_mut(gone) {
            crawl.events.push(ObjectEvent::Removed(life.id.clone()));
        }
    }
    count(&mut crawls);
    crawls
}

/// Says of each crawl how many objects it found.
fn count(crawls: &mut [ObjectCrawl]) {
    let mut found = 0u32;
    for crawl in crawls {
        for event in &crawl.events {
            match event {
                ObjectEvent::Inserted(_) => found += 1,
                ObjectEvent::Removed(_) => found -= 1,
                ObjectEvent::Updated { .. } | ObjectEvent::Returned(_) => {}
            }
        }
        crawl.found = found;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_learn::ledger::Ledger;
    use tintype_vocab::Life;

    /// An object seen from one look to another, of looks 0 to 9.
    fn life(id: &str, first: i64, last: i64) -> Life {
        Life {
            id: id.to_owned(),
            first_seen: Time::from_secs(first),
            last_seen: Time::from_secs(last),
            left_censored: first == 0,
            right_censored: last == 9,
            updates: (last - first) as u32 / 2,
            attributes: vec![format!("kind {}", first % 3)],
        }
    }

    #[test]
    fn the_lives_that_came_in_are_the_lives_that_are_known() {
        let lives =
            vec![life("a", 0, 0), life("a", 2, 9), life("b", 0, 9), life("c", 3, 3), life("d", 4, 8), life("e", 9, 9)];
        let looks = (0..10).map(Time::from_secs).collect();
        let source = Source::new(vec!["kind".to_owned()], lives.clone(), looks).unwrap();
        let mut ledger = Ledger::default();
        for crawl in crawls(&source) {
            ledger.replay(&crawl);
            assert_eq!(ledger.size(), crawl.found, "{crawl:?}");
        }
        let mut known: Vec<Life> = ledger.lives().collect();
        known.sort_by(|a, b| (&a.id, a.first_seen).cmp(&(&b.id, b.first_seen)));
        assert_eq!(known, lives);
    }
}
