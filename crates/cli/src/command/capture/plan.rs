//! From a site somebody wants to a scheduler that knows its past, and a capture to go on with or to begin.

use super::{Run, Wanted};
use crate::{
    activity,
    failure::usage,
    memory::{
        self,
        directories::Remembered,
        media::{self, Lessons},
    },
};
use anyhow::Context;
use std::{ops::ControlFlow, rc::Rc};
use tintype_archive::{Collection, History};
use tintype_learn::first_guess::FirstGuess;
use tintype_live::{Offered, Site, clock};
use tintype_plan::{Scheduler, SeedError, Settings};
use tintype_quality::{Tally, certificate::Experience};
use tintype_vocab::{Entry, Time};

/// One site ready to be crawled.
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) resumed: bool,
    pub(super) before: Tally,
    /// From how many captures it is known what stands still; nothing where everything is asked for.
    pub(super) known_from: Option<usize>,
    /// What was known of media types before it began.
    pub(super) lessons: Rc<Lessons>,
    pub(super) site: Site,
}

/// What is known of all sites of a collection.
pub(super) struct Lore {
    guess: FirstGuess,
    lessons: Rc<Lessons>,
}

impl Lore {
    pub(super) fn of(collection: &Collection) -> anyhow::Result<Lore> {
        let lessons = Rc::new(media::Remembered::for_capture(collection).lessons);
        Ok(Lore { guess: memory::first_guess(collection)?, lessons })
    }
}

impl Plan {
    pub(super) fn new(collection: &Collection, wanted: &Wanted, run: &Run<'_>, lore: &Lore) -> anyhow::Result<Plan> {
        let history = collection.history(&wanted.name)?;
        if let Some(id) = collection.unfinished(&wanted.name)?
            && !run.fresh
        {
            let (mut capture, head, entries) = collection.resume(&id)?;
            capture.keep_lesser(wanted.config.lesser());
            let mut settings: Settings = serde_json::from_value(head.settings)
                .context("the log of the capture to resume is from another version; begin anew with --fresh")?;
            // How fast to go on is for today's command to say; what is captured stays as it was begun.
            settings.delay = wanted.settings.delay.or(settings.delay);
            settings.connections = wanted.settings.connections;
            let earlier = Earlier { until: head.started, ..Earlier::of(collection, &wanted.name)? };
            let mut scheduler = scheduler(settings, &history, &lore.guess, &earlier)?;
            let known_from = remember(&mut scheduler, collection, &wanted.name, &history, head.started)?;
            // What was learned meanwhile elsewhere was not known when the decisions on disk were made.
            let before = media::Remembered::of(collection.path(), &collection.reading(), head.started)?;
            let lessons = Rc::new(before.lessons);
            scheduler.know_media(lessons.media.clone());
            let (mut before, mut offered) = (Tally::default(), Offered::default());
            for entry in entries {
                match entry? {
                    Entry::Decision(decision) => scheduler.assume(&decision),
                    Entry::Observation(observation) => {
                        before.add(&observation);
                        offered.keep(&observation);
                        scheduler.settle(&observation);
                    }
                }
            }
            scheduler.release_in_flight();
            eprintln!(
                "going on with the capture of {} begun {}: {} visits are on disk",
                wanted.name, head.started, before.visits
            );
            tell_what_stays(scheduler.settings(), &wanted.settings);
            return Ok(Plan {
                name: wanted.name.clone(),
                resumed: true,
                before,
                known_from,
                lessons,
                site: Site { scheduler, capture, history, offered },
            });
        }
        let earlier = Earlier::of(collection, &wanted.name)?;
        let mut scheduler = scheduler(wanted.settings.clone(), &history, &lore.guess, &earlier)?;
        scheduler.know_media(lore.lessons.media.clone());
        let started = clock::now();
        let known_from = remember(&mut scheduler, collection, &wanted.name, &history, started)?;
        let seen = activity::experience(collection, &wanted.name)?;
        let mut capture = collection.begin(head(wanted, run, started, &seen)?)?;
        capture.keep_lesser(wanted.config.lesser());
        Ok(Plan {
            name: wanted.name.clone(),
            resumed: false,
            before: Tally::default(),
            known_from,
            lessons: lore.lessons.clone(),
            site: Site { scheduler, capture, history, offered: Offered::default() },
        })
    }
}

/// What today's command says and a capture that was begun otherwise does not follow.
fn tell_what_stays(begun: &Settings, today: &Settings) {
    if (begun.revisit, &begun.policy) != (today.revisit, &today.policy) {
        let how = if begun.revisit { "with" } else { "without" };
        eprintln!("it was begun {how} --revisit by policy {} and goes on so; --fresh begins anew", begun.policy);
    }
    if begun.media != today.media {
        let wanted: Vec<String> = begun.media.allow.iter().map(ToString::to_string).collect();
        let wanted = if wanted.is_empty() { "all media types".to_owned() } else { wanted.join(", ") };
        let never: Vec<String> = begun.media.disallow.iter().map(ToString::to_string).collect();
        let never = if never.is_empty() { String::new() } else { format!(" without {}", never.join(", ")) };
        eprintln!("it was begun for {wanted}{never} and goes on so; --fresh begins anew");
    }
}

/// What counts as the past of a site.
struct Earlier {
    /// When its last capture began that came to an end.
    last: Time,
    /// When the one to be resumed began.
    until: Time,
}

impl Earlier {
    fn of(collection: &Collection, site: &str) -> anyhow::Result<Earlier> {
        let captures = collection.captures_of(site)?;
        let ended = captures.iter().filter(|capture| capture.end.is_some());
        let last = ended.map(|capture| capture.head.started).max().unwrap_or(Time::MIN);
        Ok(Earlier { last, until: Time::MAX })
    }
}

/// A scheduler that remembers how often each page changed in earlier captures, and guesses what it never saw by what
/// pages like it did on all sites.
fn scheduler(
    settings: Settings,
    history: &History,
    guess: &FirstGuess,
    earlier: &Earlier,
) -> anyhow::Result<Scheduler> {
    let mut scheduler =
        Scheduler::new(settings).map_err(|error: SeedError| usage(error, "see tintype capture --help"))?;
    scheduler.guess_like(guess.clone());
    let mut pages = 0;
    history.each_page(|key, page| {
        // What the capture to be resumed saw first is no memory of an earlier one.
        if page.first_seen < earlier.until {
            pages += usize::from(page.digest.is_some() && page.last_seen >= earlier.last);
            scheduler.recall(key, &memory::signs(&page), &memory::past(&page));
        }
        ControlFlow::Continue(())
    })?;
    scheduler.expect_pages(pages);
    Ok(scheduler)
}

/// Tells a policy that leaves pages alone what was known of the site's directories at `started`, and of every page that is
/// held: pages that only lead from what is left alone would else be forgotten. Returns from how many captures it is known;
/// nothing for other policies.
fn remember(
    scheduler: &mut Scheduler,
    collection: &Collection,
    site: &str,
    history: &History,
    started: Time,
) -> anyhow::Result<Option<usize>> {
    if !tintype_plan::policy::needs_memory(&scheduler.settings().policy) {
        return Ok(None);
    }
    let Remembered { memory, captures, .. } = Remembered::for_capture(collection, site, started);
    let mut held = Vec::new();
    history.each_page(|_, page| {
        if page.first_seen < started && memory::directories::is_held(&memory, &page) {
            held.push((memory::kind(page.media_type.as_deref()), page.url));
        }
        ControlFlow::Continue(())
    })?;
    scheduler.remember(memory);
    for (kind, url) in held {
        scheduler.hold(&url, kind, started);
    }
    Ok(Some(captures.len()))
}

fn head(
    wanted: &Wanted,
    run: &Run<'_>,
    started: Time,
    seen: &[Experience],
) -> anyhow::Result<tintype_archive::CaptureHead> {
    let describe = [
        ("software", format!("tintype/{}", env!("CARGO_PKG_VERSION"))),
        ("http-header-user-agent", run.network.user_agent()),
        ("robots", "obey".to_owned()),
        activity::field(seen),
    ];
    Ok(tintype_archive::CaptureHead {
        site: wanted.name.clone(),
        kind: wanted.kind,
        seeds: wanted.settings.seeds.clone(),
        settings: serde_json::to_value(&wanted.settings).context("settings are plain data")?,
        run_seed: wanted.settings.run_seed,
        started,
        describe: describe.map(|(name, value)| (name.to_owned(), value)).to_vec(),
    })
}
