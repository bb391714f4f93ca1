//! All that is believed of a site: kept as one blob, read back part by part, summed with what another worker learned.

use tintype_learn::{
    changes::{ChangeClock, Changes},
    hint::Hints,
    hours::Hours,
    knowledge::{About, Knowledge, SharedKnowledge},
    learner::Learner,
    media::{Media, MediaAnswer, Sight},
};
use tintype_vocab::{
    Change, ChangeRate, LinkKind, Mention, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Time,
};

const START: Time = Time::from_secs(1_704_067_200);

fn hour(hour: i64) -> Time {
    START + Span::from_secs(3600 * hour)
}

fn url(name: &str) -> String {
    format!("http://e.example/{name}")
}

fn about(page: PageId, url: &str) -> About<'_> {
    let (kind, mention, rate) = (LinkKind::Anchor, Mention::default(), ChangeRate::default());
    About { page, url, kind, mention, depth: 1, rate }
}

fn visit(page: PageId, name: &str, at: Time, change: Change) -> Observation {
    let (site, purpose) = (SiteId(0), Purpose::Visit);
    let request = Request { site, page, url: url(name), purpose, attempt: 0, rate: ChangeRate::default() };
    Observation { change, ..Observation::of(&request, at, at, Outcome::Body { status: 200 }) }
}

fn learners() -> Vec<Box<dyn Learner>> {
    vec![Box::new(Changes::new(ChangeClock::Steady)), Box::<Hints>::default(), Box::<Hours>::default()]
}

/// A site whose pages are visited every hour, the first of which changes every time.
fn taught(names: &[&str], hours: std::ops::Range<i64>) -> Knowledge {
    let mut knowledge = Knowledge::default();
    knowledge.learn_also(learners());
    let pages: Vec<(PageId, &str)> = (0..).map(PageId).zip(names.iter().copied()).collect();
    pages.iter().for_each(|(page, name)| knowledge.know(*page, name, START));
    for at in hours {
        for (page, name) in &pages {
            let change = if *name == "busy" { Change::New { importance: 0.5 } } else { Change::Same };
            let linked: Vec<(PageId, u32)> = pages.iter().map(|(page, _)| (*page, at as u32 + 1)).collect();
            knowledge.observe(&about(*page, &url(name)), &visit(*page, name, hour(at), change), &linked);
        }
    }
    knowledge
}

fn per_day(knowledge: &Knowledge, page: u32) -> f64 {
    knowledge.changes().unwrap().mean_per_day(knowledge.slot(PageId(page)))
}

#[test]
fn where_no_learner_is_wanted_pages_cost_nothing() {
    let mut knowledge = Knowledge::default();
    let before = knowledge.bytes();
    for page in 0..1000 {
        let name = format!("page-{page}");
        knowledge.know(PageId(page), &name, START);
        let seen = visit(PageId(page), &name, START, Change::First);
        knowledge.observe_rate(&about(PageId(page), &url(&name)), &name, &seen);
        knowledge.observe(&about(PageId(page), &url(&name)), &seen, &[]);
    }
    assert_eq!(knowledge.bytes(), before);
}

#[test]
fn a_visit_tells_what_was_known_before_it() {
    let mut knowledge = taught(&["busy", "still"], 0..3);
    let seen = visit(PageId(0), "busy", hour(3), Change::New { importance: 0.5 });
    let learned = knowledge.observe(&about(PageId(0), &url("busy")), &seen, &[(PageId(1), 99)]);
    assert_eq!(learned.last, Some(hour(2)));
    assert_eq!(learned.hinted, [PageId(1)], "it is worded anew");
    assert!(!learned.moved_all);
}

#[test]
fn what_was_saved_is_found_again_under_other_numbers() {
    let knowledge = taught(&["busy", "still", "other"], 0..50);
    let loaded = Knowledge::load(&knowledge.save(), SharedKnowledge::default());
    assert!(loaded.relearn.is_empty(), "{:?}", loaded.relearn);
    let mut next = loaded.knowledge;
    assert!(next.learn_also(learners()).is_empty(), "all are there");
    next.know(PageId(0), "still", hour(60));
    next.know(PageId(1), "new", hour(60));
    next.know(PageId(2), "busy", hour(60));
    assert_eq!((per_day(&next, 2), per_day(&next, 0)), (per_day(&knowledge, 0), per_day(&knowledge, 1)));
    assert!(per_day(&next, 2) > 10.0 * per_day(&next, 0));
    assert_eq!(per_day(&next, 1), 0.0, "nothing is known of it");
}

#[test]
fn a_part_that_cannot_be_read_is_relearned_and_costs_no_other() {
    let bytes = taught(&["busy", "still"], 0..20).save();
    // What comes last is the learner of hours.
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let mut loaded = Knowledge::load(&damaged, SharedKnowledge::default());
    assert_eq!(loaded.relearn, ["hours"]);
    loaded.knowledge.know(PageId(0), "busy", hour(30));
    assert!(per_day(&loaded.knowledge, 0) > 1.0);
    assert!(loaded.knowledge.hours().is_some(), "it begins blank");
    for cut in (0..bytes.len()).step_by(97) {
        let loaded = Knowledge::load(&bytes[..cut], SharedKnowledge::default());
        assert!(loaded.relearn.contains(&"rates"), "{cut}");
    }
}

#[test]
fn a_learner_with_other_parameters_gives_way() {
    let mut knowledge = taught(&["busy"], 0..20);
    let blank = knowledge.learn_also(vec![Box::new(Changes::new(ChangeClock::Site)), Box::<Hints>::default()]);
    assert_eq!(blank, ["changes"]);
    assert_eq!(knowledge.changes().unwrap().clock(), ChangeClock::Site);
    assert!(knowledge.changes().unwrap().is_empty());
}

#[test]
fn two_workers_who_saw_other_pages_know_all_of_them() {
    let mut one = taught(&["still", "other"], 0..50);
    one.merge(&taught(&["elsewhere", "busy"], 0..50));
    one.know(PageId(7), "busy", hour(50));
    assert!(per_day(&one, 7) > 10.0 * per_day(&one, 0));
    let mut blank = Knowledge::default();
    blank.merge(&one);
    blank.know(PageId(0), "busy", hour(50));
    assert!(per_day(&blank, 0) > 1.0, "learners come along");
}

#[test]
fn what_is_known_across_sites_is_shared_until_somebody_learns() {
    let shared = SharedKnowledge { media: Media::blank().into(), ..SharedKnowledge::default() };
    let (mut one, other) = (Knowledge::new(shared.clone()), Knowledge::new(shared.clone()));
    let image = "image".parse().unwrap();
    let chance = |media: &Media| media.guess(&Sight::of("http://e.example/view?n=99")).chance(&image);
    let before = chance(other.media());
    for nth in 0..20 {
        let name = format!("view?n={nth}");
        let mut seen = visit(PageId(nth), &name, START, Change::First);
        seen.media_type = Some("image/png".to_owned());
        assert!(MediaAnswer::told_by(&seen).is_some());
        one.observe_media(&about(PageId(nth), &url(&name)), &seen);
    }
    assert!(chance(one.media()) > before && chance(other.media()) == before);
    let (kept, lost) = SharedKnowledge::load(&one.shared().save());
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(chance(&kept.media), chance(one.media()));
    assert_eq!(SharedKnowledge::load(b"nothing").1, ["first-guess", "media"]);
}

/// What is believed of a page that always looks the same, under a later date at every visit, beside pages of which so many
/// of a hundred visits found other bytes under a later date.
fn changes_a_day_of_a_dated_page(changed_of_hundred: i64) -> f64 {
    let mut knowledge = Knowledge::default();
    knowledge.learn_also(learners());
    let names = ["to-and-fro", "news"];
    let pages: Vec<(PageId, &str)> = (0..).map(PageId).zip(names).collect();
    pages.iter().for_each(|(page, name)| knowledge.know(*page, name, START));
    for at in 0..100 {
        for (page, name) in &pages {
            let is_new = *name == "news" && at % 100 < changed_of_hundred;
            let change = if is_new { Change::New { importance: 0.5 } } else { Change::Same };
            let mut seen = visit(*page, name, hour(at), change);
            let is_dated = is_new || *name == "to-and-fro" && at % 3 == 0;
            let date = if is_dated { hour(at) - Span::from_secs(60) } else { START - Span::from_days(1) };
            seen.validators.last_modified = Some(date.to_mail_date());
            knowledge.observe(&about(*page, &url(name)), &seen, &[]);
        }
    }
    per_day(&knowledge, 0)
}

#[test]
fn a_page_that_came_back_has_changed_where_later_dates_come_with_other_bytes() {
    let [right, wrong] = [90, 0].map(changes_a_day_of_a_dated_page);
    assert!(right > 3.0, "{right}: it was another one every third hour");
    assert!(wrong < right / 3.0, "{wrong}: dates go with nothing, {right} where they are right");
}
