use super::*;
use proptest::prelude::*;

const HOUR: i64 = 3_600_000;

fn time(hour: i64) -> Time {
    Time::from_millis(1_790_000_000_000 + hour * HOUR)
}

fn object(id: &str) -> Object {
    let (id, make) = id.split_once('=').unwrap_or((id, ""));
    Object { id: id.to_owned(), attributes: vec![make.to_owned()] }
}

/// What a crawl finds that lists `ids`, separated by blanks.
fn found(hour: i64, ids: &str) -> FoundObjects {
    FoundObjects { at: time(hour), objects: ids.split_whitespace().map(object).collect(), unread: 0 }
}

fn many(range: std::ops::Range<u32>) -> String {
    range.map(|n| format!("o{n} ")).collect()
}

fn brief(verdict: &CrawlVerdict) -> Vec<String> {
    let CrawlVerdict::Taken(events) = verdict else { panic!("{verdict:?}") };
    let short = |event: &ObjectEvent| match event {
        ObjectEvent::Inserted(object) => format!("+{}", object.id),
        ObjectEvent::Returned(object) => format!("~{}", object.id),
        ObjectEvent::Updated { object, .. } => format!("*{}", object.id),
        ObjectEvent::Removed(id) => format!("-{id}"),
    };
    events.events.iter().map(short).collect()
}

fn held(verdict: &CrawlVerdict) -> HeldBack {
    let CrawlVerdict::Held(why) = verdict else { panic!("{verdict:?}") };
    *why
}

#[test]
fn what_came_went_and_changed_are_events_and_lives() {
    let mut ledger = Ledger::default();
    assert_eq!(brief(&ledger.see(found(0, "a=1 b=1 c=1"))), ["+a", "+b", "+c"]);
    assert_eq!(brief(&ledger.see(found(1, "c=2 a=1 d=1 d=9"))), ["-b", "*c", "+d"]);
    assert!(brief(&ledger.see(found(2, "a=1 c=2 d=1"))).is_empty());
    assert_eq!(brief(&ledger.see(found(5, "a=1 b=1 c=3"))), ["+b", "*c", "-d"]);
    let crawl = ledger.crawl().unwrap();
    assert_eq!((crawl.at, crawl.alive), (time(5), vec![(time(0), 2), (time(5), 1)]));
    let lives: Vec<String> = ledger
        .lives()
        .map(|life| {
            let hour = |time: Time| (time - super::tests::time(0)).as_millis() / HOUR;
            let (left, right) = (life.left_censored, life.right_censored);
            format!("{} {}-{} {left} {right} {}", life.id, hour(life.first_seen), hour(life.last_seen), life.updates)
        })
        .collect();
    let expected =
        ["b 0-0 true false 0", "d 1-2 false false 0", "a 0-5 true true 0", "b 5-5 false true 0", "c 0-5 true true 2"];
    assert_eq!(lives, expected);
}

#[test]
fn an_empty_listing_is_not_believed_until_it_has_lasted_for_a_day() {
    let mut ledger = Ledger::default();
    assert_eq!(held(&ledger.see(found(-1, ""))), HeldBack::Empty);
    ledger.see(found(0, &many(0..50)));
    for hour in 1..24 {
        assert_eq!(held(&ledger.see(found(hour, ""))), HeldBack::Empty, "{hour}");
    }
    let mut recovered = ledger.clone();
    assert!(brief(&recovered.see(found(24, &many(0..50)))).is_empty());
    assert_eq!(held(&ledger.see(found(24, ""))), HeldBack::Empty);
    assert_eq!(brief(&ledger.see(found(25, ""))).len(), 50);
}

#[test]
fn a_listing_of_which_pages_are_missing_is_never_believed() {
    let mut ledger = Ledger::default();
    ledger.see(found(0, &many(0..50)));
    for hour in 1..100 {
        let half = FoundObjects { unread: 2, ..found(hour, &many(0..25)) };
        assert_eq!(held(&ledger.see(half)), HeldBack::Incomplete { unread: 2 });
    }
    assert_eq!(ledger.size(), 50);
}

#[test]
fn a_collapse_is_believed_when_it_is_found_again_later() {
    let mut ledger = Ledger::default();
    ledger.see(found(0, &many(0..50)));
    ledger.see(found(2, &many(0..50)));
    assert_eq!(held(&ledger.see(found(3, &many(0..20)))), HeldBack::Collapsed { was: 50, is: 20 });
    let at = found(3, "").at + Span::from_secs(60);
    let soon = FoundObjects { at, ..found(3, &many(0..20)) };
    assert_eq!(held(&ledger.see(soon)), HeldBack::Collapsed { was: 50, is: 20 });
    let mut recovered = ledger.clone();
    assert!(brief(&recovered.see(found(4, &many(0..50)))).is_empty());
    assert_eq!(held(&recovered.see(found(5, &many(0..20)))), HeldBack::Collapsed { was: 50, is: 20 });
    assert_eq!(brief(&ledger.see(found(4, &many(0..20)))).len(), 30);
}

#[test]
fn two_outages_in_a_row_are_no_collapse() {
    let mut ledger = Ledger::default();
    ledger.see(found(0, &many(0..50)));
    ledger.see(found(1, &many(0..50)));
    assert_eq!(held(&ledger.see(found(2, &many(0..20)))), HeldBack::Collapsed { was: 50, is: 20 });
    assert_eq!(held(&ledger.see(found(4, &many(0..2)))), HeldBack::Collapsed { was: 50, is: 2 });
    assert_eq!(held(&ledger.see(found(6, ""))), HeldBack::Empty);
    assert_eq!(held(&ledger.see(found(8, &many(0..24)))), HeldBack::Collapsed { was: 50, is: 24 });
    assert!(brief(&ledger.see(found(10, &many(0..50)))).is_empty());
}

#[test]
fn a_second_look_at_once_confirms_nothing_when_only_one_crawl_was_believed() {
    let mut ledger = Ledger::default();
    ledger.see(found(0, &many(0..50)));
    let at = |seconds: i64| time(2) + Span::from_secs(seconds);
    for seconds in [0, 1, 60, 3599] {
        let crawl = FoundObjects { at: at(seconds), ..found(0, &many(0..20)) };
        assert_eq!(held(&ledger.see(crawl)), HeldBack::Collapsed { was: 50, is: 20 }, "{seconds}");
    }
    assert_eq!(brief(&ledger.see(FoundObjects { at: at(3600), ..found(0, &many(0..20)) })).len(), 30);
}

#[test]
fn an_object_that_goes_between_two_looks_in_a_row_does_not_make_a_source_fast() {
    let mut ledger = Ledger::default();
    for hour in 0..5 {
        ledger.see(found(hour, &many(0..50)));
    }
    let soon = FoundObjects { at: time(4) + Span::from_secs(1), ..found(4, &many(1..50)) };
    assert_eq!(brief(&ledger.see(soon)), ["-o0"]);
    assert_eq!(held(&ledger.see(found(5, &many(1000..1050)))), HeldBack::Replaced { was: 49, kept: 0 });
}

#[test]
fn objects_with_other_names_are_doubted_where_few_ever_left_and_not_where_all_do() {
    let (mut slow, mut fast) = (Ledger::default(), Ledger::default());
    for hour in 0..5i64 {
        slow.see(found(hour, &many(hour as u32..50 + hour as u32)));
        fast.see(found(hour, &many(hour as u32 * 50..50 + hour as u32 * 50)));
    }
    assert_eq!(held(&slow.see(found(5, &many(1000..1050)))), HeldBack::Replaced { was: 50, kept: 0 });
    assert_eq!(brief(&slow.see(found(6, &many(1000..1050)))).len(), 100);
    assert_eq!(brief(&fast.see(found(5, &many(1000..1050)))).len(), 100);
}

#[test]
fn one_oddity_does_not_confirm_another() {
    let mut ledger = Ledger::default();
    (0..4).for_each(|hour| drop(ledger.see(found(hour, &many(0..50)))));
    let collapsed = |is| HeldBack::Collapsed { was: 50, is };
    assert_eq!(held(&ledger.see(found(5, &many(0..20)))), collapsed(20));
    assert_eq!(held(&ledger.see(found(7, &many(1000..1050)))), HeldBack::Replaced { was: 50, kept: 0 });
    assert_eq!(held(&ledger.see(found(9, &many(0..22)))), collapsed(22));
    assert_eq!(held(&ledger.see(found(11, &many(0..2)))), collapsed(2));
    assert_eq!(brief(&ledger.see(found(13, &many(0..5)))).len(), 45);
}

#[test]
fn a_clock_that_jumps_teaches_nothing() {
    let mut ledger = Ledger::default();
    ledger.see(found(0, "a b"));
    ledger.see(found(24, "a b"));
    for hour in [24, 23, -1_000_000] {
        assert_eq!(held(&ledger.see(found(hour, "a"))), HeldBack::ClockBack { last: time(24) });
    }
    assert_eq!(held(&ledger.see(found(24 * 3000, "a"))), HeldBack::ClockAhead { last: time(24) });
    let mut really = ledger.clone();
    assert_eq!(brief(&ledger.see(found(48, "a"))), ["-b"]);
    assert_eq!(brief(&really.see(found(24 * 3001, "a"))), ["-b"]);
}

#[test]
fn a_short_absence_can_be_bridged() {
    let mut ledger = Ledger::bridging(Span::from_secs(2 * 3600));
    ledger.see(found(0, "a b c"));
    assert_eq!(brief(&ledger.see(found(1, "a"))), ["-b", "-c"]);
    assert_eq!(brief(&ledger.see(found(2, "a b"))), ["~b"]);
    assert_eq!(brief(&ledger.see(found(3, "a b c"))), ["+c"]);
    assert_eq!(ledger.crawl().unwrap().alive, [(time(0), 2), (time(3), 1)]);
    assert_eq!(ledger.lives().filter(|life| life.id == "c").count(), 2);
    assert_eq!(ledger.lives().filter(|life| life.id == "b").count(), 1);
}

#[test]
fn a_crawl_of_more_objects_than_can_be_kept_is_not_whole() {
    let objects = vec![Object { id: "x".into(), attributes: Vec::new() }; OBJECTS_MAX + 1];
    let verdict = Ledger::default().see(FoundObjects { at: time(0), objects, unread: 0 });
    assert_eq!(held(&verdict), HeldBack::Incomplete { unread: 1 });
}

proptest! {
    #[test]
    fn the_log_of_a_ledger_makes_the_same_ledger(
        crawls in prop::collection::vec((0i64..30, prop::collection::vec(0u8..40, 0..40), 0u32..8), 1..25),
        bridge in 0i64..5,
    ) {
        let (mut ledger, mut again) =
            (Ledger::bridging(Span::from_millis(bridge * HOUR)), Ledger::bridging(Span::from_millis(bridge * HOUR)));
        let mut hour = 0;
        for (step, ids, unread) in crawls {
            hour += step - 2;
            let objects: Vec<Object> = ids.iter().map(|n| object(&format!("{}={}", n, (hour + i64::from(*n)) % 3))).collect();
            let number = objects.len() as u32;
            let verdict = ledger.see(FoundObjects { at: time(hour), objects, unread: unread / 7 });
            let crawl = verdict.into_crawl(time(hour), number);
            let text = serde_json::to_string(&crawl).unwrap();
            again.replay(&serde_json::from_str(&text).unwrap());
            let alive: u32 = ledger.crawl().map_or(0, |crawl| crawl.size());
            prop_assert_eq!(alive, ledger.size());
        }
        prop_assert_eq!(ledger.lives().collect::<Vec<_>>(), again.lives().collect::<Vec<_>>());
        prop_assert_eq!(ledger.crawl(), again.crawl());
        let text = serde_json::to_string(&ledger).unwrap();
        let read: Ledger = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(ledger.lives().collect::<Vec<_>>(), read.lives().collect::<Vec<_>>());
        prop_assert_eq!((ledger.crawl(), ledger.crawls(), ledger.doubt), (read.crawl(), read.crawls(), read.doubt));
    }
}
