use super::*;

const MAP: PageSlot = PageSlot(0);
const STORY: PageSlot = PageSlot(1);
const OTHER: PageSlot = PageSlot(2);

fn hour(hour: i64) -> Time {
    Time::from_secs(1_704_067_230 + 3600 * hour)
}

/// A page that changes once a day, visited an hour after the sitemap was read, which says of it what `claims` says given the
/// moment of the reading and that of the change.
fn after(claims: impl Fn(Time, Time) -> Time) -> Lastmods {
    let mut lastmods = Lastmods::default();
    lastmods.visit(STORY, hour(0));
    for day in 1..60 {
        let (changed, read, visited) = (hour(24 * day), hour(24 * day + 2), hour(24 * day + 3));
        lastmods.read(MAP, read, &[(STORY, claims(read, changed))]);
        lastmods.test(STORY, visited, Some(Some(changed)), 0.1);
        lastmods.visit(STORY, visited);
    }
    lastmods
}

#[test]
fn a_date_behind_the_latest_visit_tells_of_a_change_until_a_visit_tests_it() {
    let mut lastmods = Lastmods::default();
    [STORY, OTHER].into_iter().for_each(|page| lastmods.visit(page, hour(5)));
    assert_eq!(lastmods.read(MAP, hour(9), &[(STORY, hour(7)), (OTHER, hour(3))]), [STORY]);
    assert!(lastmods.strength(STORY) > 0.0 && lastmods.strength(OTHER) == 0.0);
    assert!(lastmods.read(MAP, hour(10), &[(STORY, hour(7)), (OTHER, hour(3))]).is_empty(), "it was told of already");
    lastmods.visit(STORY, hour(11));
    assert!(lastmods.read(MAP, hour(12), &[(STORY, hour(7))]).is_empty());
    assert_eq!(lastmods.strength(STORY), 0.0);
}

#[test]
fn a_day_without_an_hour_tells_when_it_is_a_later_one() {
    let mut lastmods = Lastmods::default();
    let days = [hour(0).midnight(), hour(24).midnight()];
    lastmods.visit(STORY, hour(30));
    assert!(lastmods.read(MAP, hour(31), &[(STORY, days[0])]).is_empty());
    assert_eq!(lastmods.read(MAP, hour(32), &[(STORY, days[1])]), [STORY], "it may have been in the evening");
}

#[test]
fn dates_are_believed_as_far_as_they_were_right() {
    assert!(after(|_, changed| changed).is_right() > 0.9);
    let mut lying = Lastmods::default();
    lying.visit(STORY, hour(0));
    for day in 1..30 {
        lying.read(MAP, hour(24 * day), &[(STORY, hour(24 * day))]);
        lying.test(STORY, hour(24 * day + 1), None, 0.1);
        lying.visit(STORY, hour(24 * day + 1));
    }
    assert!(lying.is_right() < 0.05 && lying.may_be_right() < 0.1, "{lying:?}");
}

#[test]
fn a_change_after_the_reading_does_not_prove_the_date_right() {
    let mut lying = Lastmods::default();
    lying.visit(STORY, hour(0));
    for day in 1..60 {
        // Stamped anew at every reading; changes come an hour later, whatever it says.
        lying.read(MAP, hour(24 * day), &[(STORY, hour(24 * day))]);
        lying.test(STORY, hour(24 * day + 2), Some(Some(hour(24 * day + 1))), 0.1);
        lying.visit(STORY, hour(24 * day + 2));
    }
    assert_eq!((lying.right, lying.wrong), (0.0, 0.0), "nothing was tested");
}

#[test]
fn what_a_sitemap_takes_back_is_told_no_more() {
    let mut lastmods = Lastmods::default();
    lastmods.visit(STORY, hour(5));
    assert_eq!(lastmods.read(MAP, hour(9), &[(STORY, hour(8))]), [STORY]);
    assert!(lastmods.read(MAP, hour(10), &[(STORY, hour(8))]).is_empty() && lastmods.is_told(STORY));
    lastmods.read(MAP, hour(11), &[(STORY, hour(1))]);
    assert!(!lastmods.is_told(STORY));
}

#[test]
fn silence_counts_where_changes_were_told_of() {
    let quiet = |lastmods: &mut Lastmods| {
        lastmods.read(MAP, hour(2000), &[(STORY, hour(0))]);
        lastmods.silence(STORY, hour(1500))
    };
    let silence = quiet(&mut after(|_, changed| changed)).unwrap();
    assert_eq!((silence.from, silence.until), (hour(1500), hour(2000)));
    assert!(silence.shown > 0.8, "{silence:?}");
    let silence = quiet(&mut after(|_, _| hour(0)));
    assert!(silence.is_none_or(|silence| silence.shown == 0.0), "{silence:?}");
    assert_eq!(after(|_, changed| changed).silence(OTHER, hour(0)), None, "it never named that page");
}

#[test]
fn a_sitemap_that_is_a_day_late_is_silent_about_the_past_day_only() {
    let mut late = Lastmods::default();
    for page in 0..40 {
        let page = PageSlot(10 + page);
        for round in 0..4 {
            let (start, changed) = (hour(200 * round), hour(200 * round + 5));
            late.visit(page, start);
            // Read once when the change is hours old, and once when it is two days old.
            late.read(MAP, hour(200 * round + 15), &[(page, start)]);
            if round % 2 == 1 {
                late.read(MAP, hour(200 * round + 60), &[(page, changed)]);
            }
            late.test(page, hour(200 * round + 61), Some(Some(changed)), 0.1);
        }
    }
    late.visit(STORY, hour(5000));
    late.read(MAP, hour(5100), &[(STORY, hour(0))]);
    let silence = late.silence(STORY, hour(5000)).unwrap();
    assert!(silence.shown > 0.8 && hour(5100) - silence.until >= Span::from_secs(86_400), "{silence:?}");
}

#[test]
fn a_page_that_is_named_no_more_is_not_kept_silent_about() {
    let mut lastmods = after(|_, changed| changed);
    lastmods.read(MAP, hour(2000), &[(OTHER, hour(0))]);
    assert_eq!(lastmods.silence(STORY, hour(1500)), None);
    lastmods.read(MAP, hour(2001), &[(STORY, hour(0))]);
    lastmods.read_again(MAP, hour(2010));
    assert_eq!(lastmods.silence(STORY, hour(1500)).unwrap().until, hour(2010));
}

#[test]
fn a_page_that_no_sitemap_speaks_of_costs_eight_bytes() {
    let mut lastmods = Lastmods::default();
    (0..100).for_each(|page| lastmods.visit(PageSlot(page), hour(0)));
    lastmods.read(MAP, hour(1), &[(STORY, hour(0))]);
    assert_eq!((lastmods.visited.len(), lastmods.dated.len(), size_of::<Dated>()), (100, 2, 24));
    let again = Lastmods::load(&crate::stored::to_bytes(&lastmods)).unwrap();
    assert_eq!(format!("{again:?}"), format!("{lastmods:?}"));
}
