use super::*;
use tintype_vocab::{ChangeRate, Digest, PageId, Request, SiteId, Span};

fn day(day: i64) -> Time {
    Time::from_secs(1_000_000_000) + Span::from_days(day)
}

fn observation(url: &str, change: Change, body: u8) -> Observation {
    let request = Request {
        site: SiteId(0),
        page: PageId(0),
        url: url.to_owned(),
        purpose: Purpose::Visit,
        attempt: 0,
        rate: ChangeRate::default(),
    };
    let mut observation = Observation::of(&request, day(0), day(0), Outcome::Body { status: 200 });
    observation.change = change;
    observation.digest = Some(Digest([body; 20]));
    observation
}

fn bits(memory: &Memory, path: &str) -> Vec<bool> {
    memory.bitmaps().get(memory.shape().find_directory(path).unwrap()).collect()
}

#[test]
fn captures_append_a_bit_each() {
    let mut memory = Memory::new(0.5, Weighing::Count);
    for (nth, [a, b]) in [[1, 1], [2, 1], [2, 2], [3, 2]].into_iter().enumerate() {
        memory.begin(day(nth as i64));
        memory.see("/a/x", a, 1.0);
        memory.see("/b/x", b, 1.0);
        memory.end(Unseen::Gone);
    }
    assert_eq!(bits(&memory, "/a"), [true, false, true]);
    assert_eq!(bits(&memory, "/b"), [false, true, false]);
    assert_eq!(memory.last(), Some(day(3)));
}

#[test]
fn what_a_full_list_does_not_have_is_gone_and_what_a_capture_skipped_is_not() {
    for (unseen, there) in [(Unseen::Gone, false), (Unseen::Kept, true)] {
        let mut memory = Memory::new(0.1, Weighing::Count);
        for paths in [&["/a/x", "/b/x"][..], &["/a/x"]] {
            memory.begin(day(0));
            paths.iter().for_each(|path| memory.see(path, 1, 1.0));
            memory.end(unseen);
        }
        let page = memory.shape().find_page("/b/x").unwrap();
        assert_eq!(memory.tree().is_there(page), there);
        assert_eq!(bits(&memory, "/b"), [!there]);
    }
}

#[test]
fn observations_are_changes_only_if_they_matter() {
    let mut memory = Memory::new(0.1, Weighing::Count);
    let url = "https://www.example.com/a/x?id=1#part";
    let changes = [Change::First, Change::Same, Change::New { importance: 0.0 }, Change::New { importance: 0.4 }];
    for (body, change) in (0..).zip(changes) {
        memory.begin(day(i64::from(body)));
        memory.observe(&observation(url, change, body));
        memory.end(Unseen::Kept);
    }
    assert_eq!(bits(&memory, "/a"), [false, false, true]);
    assert!(memory.find("http://example.com/a/x?id=1").is_some());
    assert_eq!(memory.find("http://elsewhere.com/a/x?id=1"), None);
    let mut gone = observation(url, Change::Unknown, 0);
    gone.outcome = Outcome::Gone { status: 404 };
    memory.begin(day(9));
    memory.observe(&gone);
    memory.end(Unseen::Kept);
    assert_eq!(bits(&memory, "/a"), [false, false, true, true]);
}

#[test]
fn other_hosts_stand_beside_the_first() {
    let mut memory = Memory::default();
    memory.begin(day(0));
    memory.observe(&observation("http://example.com/a/x", Change::First, 1));
    memory.observe(&observation("http://cdn.net/a/x", Change::First, 1));
    memory.end(Unseen::Kept);
    assert_eq!(memory.shape().pages(), 2);
    assert!(memory.shape().find_directory("/cdn.net/a").is_some());
    assert!(memory.find("http://cdn.net/a/x").is_some());
}

#[test]
fn new_pages_are_placed_in_the_innermost_directory_that_is_known() {
    let mut memory = Memory::default();
    memory.begin(day(0));
    memory.observe(&observation("http://example.com/a/b/x", Change::First, 1));
    memory.observe(&observation("http://example.com/list?cat=5&page=1", Change::First, 1));
    memory.end(Unseen::Kept);
    let place = |url: &str| memory.shape().path(memory.directory_of(url));
    assert_eq!(place("http://example.com/a/b/y"), "/a/b");
    assert_eq!(place("http://example.com/a/c/y"), "/a");
    assert_eq!(place("http://example.com/z/y"), "/");
    assert_eq!(memory.directory_of("http://example.com/list?cat=5&page=9"), {
        let page = memory.find("http://example.com/list?cat=5&page=1").unwrap();
        memory.shape().directory_of(page)
    });
}

#[test]
fn a_memory_that_was_saved_goes_on_as_if_it_had_not_been() {
    let mut memory = Memory::default();
    let mut saved = Memory::default();
    for nth in 0..8 {
        for memory in [&mut memory, &mut saved] {
            memory.begin(day(nth) + Span::from_millis(nth * nth * 12_345_677));
            (0..9).for_each(|page| memory.see(&format!("/{}/{page}", page % 3), u64::from(page as i64 == nth), 1.0));
            memory.end(Unseen::Kept);
        }
        saved = serde_json::from_str(&serde_json::to_string(&saved).unwrap()).unwrap();
    }
    assert_eq!(serde_json::to_string(&memory).unwrap(), serde_json::to_string(&saved).unwrap());
}

/// A memory as it is kept, after something happened to it.
fn damaged(damage: impl Fn(&mut serde_json::Value)) -> Result<Memory, serde_json::Error> {
    let mut memory = Memory::default();
    for nth in 0..3 {
        memory.begin(day(nth));
        (0..4).for_each(|page| memory.see(&format!("/{}/{page}", page % 2), nth as u64, 1.0));
        memory.end(Unseen::Kept);
    }
    let mut kept = serde_json::to_value(&memory).unwrap();
    damage(&mut kept["activity"]);
    serde_json::from_value(kept)
}

#[test]
fn a_memory_that_does_not_fit_together_is_refused() {
    assert!(damaged(|_| {}).is_ok());
    for list in ["pages", "seen", "directories", "uneven", "births"] {
        let change =
            |damage: fn(&mut Vec<serde_json::Value>)| damaged(|kept| damage(kept[list].as_array_mut().unwrap()));
        assert!(change(|list| drop(list.pop())).is_err(), "{list} too short");
        assert!(change(|list| list.push(list[0].clone())).is_err(), "{list} too long");
        assert!(change(Vec::clear).is_err(), "{list} lost");
    }
    for list in ["cells", "rows"] {
        assert!(damaged(|kept| drop(kept["table"][list].as_array_mut().unwrap().pop())).is_err(), "{list}");
        assert!(damaged(|kept| kept["table"][list][0]["changed"] = u64::MAX.into()).is_err(), "{list}");
    }
    assert!(damaged(|kept| kept["pages"][1]["days"] = 1e300.into()).is_err(), "too much for four bytes");
    assert!(damaged(|kept| kept["births"][1] = (-1.0).into()).is_err());
}

#[test]
fn what_was_kept_before_its_capture_ended_can_be_asked() {
    let mut memory = Memory::default();
    memory.begin(day(0));
    memory.see("/a/x", 1, 1.0);
    let memory: Memory = serde_json::from_str(&serde_json::to_string(&memory).unwrap()).unwrap();
    let page = memory.shape().find_page("/a/x").unwrap();
    let round = memory.activity().begin(memory.shape(), day(1));
    let expected = memory.activity().expected(memory.shape(), page, day(1));
    let chance = memory.activity().chance(memory.shape(), &round, page, expected);
    assert!(expected < 1.0 && (0.0..=1.0).contains(&chance), "{expected} {chance}");
}

/// Of a capture that never ended only the contents are there.
#[test]
fn a_capture_that_was_given_up_does_not_count_as_ages() {
    let mut memory = Memory::default();
    for (nth, ends) in [(0, false), (1, true), (2, true)] {
        memory.begin(day(nth));
        memory.see("/a/x", 1, 1.0);
        if ends {
            memory.end(Unseen::Kept);
        }
    }
    assert_eq!(memory.activity().gap_days(), 1.0);
}
