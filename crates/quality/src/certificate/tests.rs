//! Small captures whose certificates can be worked out by hand.

use super::*;
use crate::capture::expected_blur;
use proptest::{collection::vec, prelude::*, sample::select};
use tintype_vocab::{Failure, LinkKind, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Truncated};

const DAY: i64 = 86_400;
/// A site that does exactly as believed, page by page.
const STEADY: Activity = Activity { factor: 1.0, spread: 1e-9, captures: 9 };
const NOT_HELD: &str = "the server confirmed a version that is not held";
const START: i64 = 1_800_000_000;

fn at(seconds: i64) -> Time {
    Time::from_secs(START + seconds)
}

/// A visit that takes a second.
fn visit(path: &str, seconds: i64, outcome: Outcome, version: Option<u8>) -> Observation {
    let url = format!("http://example.com{path}");
    let (site, page, purpose) = (SiteId(0), PageId(0), Purpose::Visit);
    let rate = ChangeRate::known(1.0);
    let request = Request { site, page, url, purpose, attempt: 0, rate };
    let digest = version.map(|version| Digest([version; 20]));
    Observation { digest, ..Observation::of(&request, at(seconds), at(seconds + 1), outcome) }
}

fn saw(path: &str, seconds: i64, version: u8) -> Observation {
    visit(path, seconds, Outcome::Body { status: 200 }, Some(version))
}

fn dated_saw(path: &str, seconds: i64, version: u8, modified: i64) -> Observation {
    let mut visit = saw(path, seconds, version);
    visit.validators.last_modified = Some(at(modified).to_mail_date());
    visit
}

fn certify(visits: &[Observation]) -> Certificate {
    let mut certifier = Certifier::new();
    visits.iter().for_each(|visit| certifier.add(visit));
    certifier.finish("example.com", "1-example.com", STEADY, None, None)
}

fn reasons(certificate: &Certificate) -> Vec<(&str, Option<Reason>)> {
    let path = |page: &'_ PageProof| page.url.len() - page.url.strip_prefix("http://example.com").unwrap().len();
    certificate.pages.iter().map(|page| (&page.url[path(page)..], page.reason())).collect()
}

#[test]
fn visit_and_revisit_that_agree_prove_a_page_and_date_the_capture() {
    let certificate =
        certify(&[saw("/a", 0, 1), saw("/b", 10, 2), saw("/b", 20, 2), visit("/a", 30, Outcome::NotModified, Some(1))]);
    assert_eq!((certificate.captured, certificate.visits, certificate.revisits), (2, 4, 2));
    assert_eq!((certificate.sharp.proved, certificate.query), (2, Some(Period { from: at(0), to: at(30) })));
    let dated = certificate.dated.unwrap();
    assert_eq!((dated.period, dated.is_whole()), (Period { from: at(11), to: at(20) }, true));
    assert_eq!(
        certificate.blur.realised,
        certify(&[saw("/a", 0, 1), saw("/a", 30, 1), saw("/b", 10, 2), saw("/b", 20, 2)]).blur.realised
    );
}

#[test]
fn every_page_that_is_not_sharp_has_its_reason() {
    let failed = Outcome::Failed { cause: Failure::Tls };
    let refused = Outcome::Refused { status: 403, retry_after: None };
    let moved = |to: &str| Outcome::Redirected { status: 301, to: to.to_owned() };
    let certificate = certify(&[
        saw("/appeared", 60, 1),
        visit("/appeared", 1, Outcome::Gone { status: 404 }, None),
        saw("/changed", 2, 1),
        saw("/changed", 61, 2),
        visit("/failed", 3, failed.clone(), None),
        saw("/failed-later", 4, 1),
        visit("/failed-later", 62, failed, None),
        visit("/gone", 5, Outcome::Gone { status: 410 }, Some(9)),
        saw("/gone-later", 6, 1),
        visit("/gone-later", 63, Outcome::Gone { status: 404 }, Some(9)),
        visit("/moved", 7, moved("/x"), None),
        saw("/moved-later", 8, 1),
        visit("/moved-later", 64, moved("/x"), None),
        Observation { digest: Some(Digest::EMPTY), ..visit("/not-held", 9, Outcome::NotModified, None) },
        saw("/once", 10, 1),
        visit("/refused", 11, refused, None),
        saw("/sharp", 12, 1),
        saw("/sharp", 65, 1),
    ]);
    let expected = [
        ("/appeared", Some(Reason::Appeared)),
        ("/changed", Some(Reason::Changed)),
        ("/failed", Some(Reason::Failed(Failure::Tls))),
        ("/failed-later", Some(Reason::FailedOnce(Failure::Tls))),
        ("/gone", Some(Reason::Gone(410))),
        ("/gone-later", Some(Reason::GoneLater)),
        ("/moved-later", Some(Reason::Redirected)),
        ("/not-held", Some(Reason::NotHeld)),
        ("/once", Some(Reason::VisitedOnce)),
        ("/refused", Some(Reason::Refused(403))),
        ("/sharp", None),
    ];
    assert_eq!(reasons(&certificate), expected);
    assert_eq!((certificate.captured, certificate.redirects, certificate.sharp.proved), (7, 1, 1));
    let failures: Vec<(&str, u64)> =
        certificate.failures.iter().map(|(cause, count)| (cause.as_str(), *count)).collect();
    assert_eq!(failures, [("403 refused", 1), ("410 not there", 1), ("TLS handshake failed", 1), (NOT_HELD, 1)]);
    let words: Vec<String> =
        certificate.pages.iter().filter_map(PageProof::reason).map(|reason| reason.to_string()).collect();
    assert!(words.iter().all(|words| words.len() > 8), "{words:?}");
}

#[test]
fn a_body_that_was_cut_short_is_said_to_be_that_and_older_certificates_hold() {
    let cut = |path, second| Observation {
        truncated: Some(Truncated::Disconnect),
        ..visit(path, second, Outcome::Body { status: 200 }, None)
    };
    let found = certify(&[cut("/cut", 1), saw("/cut-later", 2, 1), cut("/cut-later", 60)]);
    assert_eq!(reasons(&found), [("/cut", Some(Reason::Truncated)), ("/cut-later", Some(Reason::Truncated))]);
    assert_eq!(found.failures.keys().collect::<Vec<_>>(), ["cut short; kept as far as it came"]);
    let mut older = found.clone();
    older.failures = [(NOT_HELD.to_owned(), 1)].into();
    older.pages[0].verdict = PageVerdict::Missing(Reason::NotHeld);
    older.pages[1].verdict = PageVerdict::NotSharp(Reason::NotHeld);
    assert_eq!((older.differences(&found), found.differences(&found)), (vec![], vec![]));
    assert!(!found.differences(&older).is_empty());
}

#[test]
fn rules_and_what_was_looked_for_in_vain_are_no_pages() {
    let of = |purpose, outcome| Observation { purpose, ..visit("/x", 0, outcome, Some(1)) };
    let body = Outcome::Body { status: 200 };
    let gone = Outcome::Gone { status: 404 };
    assert_eq!(certify(&[of(Purpose::Robots, body.clone()), of(Purpose::Probe, gone)]).visits, 0);
    assert_eq!(certify(&[of(Purpose::Probe, body)]).captured, 1);
}

#[test]
fn a_page_sent_to_another_spelling_of_itself_is_still_one_page() {
    let slash = Outcome::Redirected { status: 301, to: "https://example.com/a/".to_owned() };
    let certificate = certify(&[visit("/a", 0, slash, None), saw("/a/", 5, 1), saw("/a/", 20, 1)]);
    assert_eq!((certificate.visits, certificate.revisits, certificate.redirects), (3, 1, 1));
    assert_eq!(reasons(&certificate), [("/a/", None)]);
}

#[test]
fn expected_blur_is_that_of_the_measure_and_realised_blur_what_was_seen() {
    // A day: one page seen at both ends, one in the middle.
    let visits = |last| [saw("/a", 0, 1), saw("/a", DAY, last), saw("/b", DAY / 2, 1)];
    let (still, moved) = (certify(&visits(1)), certify(&visits(2)));
    let expected = expected_blur([(1.0, vec![0.0, 1.0]), (1.0, vec![0.5])], 0.0, 1.0);
    assert!((still.blur.expected - expected).abs() < 1e-9, "{:?}", still.blur);
    let [low, high] = still.blur.interval_90;
    assert!(low < expected && expected < high, "{:?}", still.blur);
    // Nothing happened to the first page; before and after the second one nobody knows.
    assert!((still.blur.realised - 0.25).abs() < 1e-9, "{:?}", still.blur);
    // At least one change, each missed for a quarter of a day.
    let changes = 1.0 / (1.0 - (-1.0_f64).exp());
    assert!((moved.blur.realised - 0.25 - changes / 4.0).abs() < 1e-9, "{:?}", moved.blur);
}

#[test]
fn the_servers_word_is_counted_apart_and_dropped_when_it_is_wrong() {
    let before = certify(&[saw("/z", 0, 1), dated_saw("/a", DAY, 1, -DAY)]);
    assert_eq!((before.sharp.proved, before.sharp.server_alone), (0, 1));
    assert_eq!(before.dated.unwrap().pages, 1);
    let by_server = before.dated_by_server.unwrap();
    assert_eq!((by_server.pages, by_server.period), (2, Period { from: at(0), to: at(0) }));
    let unknown = certify(&[saw("/z", 0, 1), saw("/a", DAY, 1)]).blur.realised;
    assert!((unknown - before.blur.realised - 0.5).abs() < 1e-9, "nothing changed before it was asked for");

    let lie = certify(&[saw("/a", 0, 1), dated_saw("/a", DAY, 2, -DAY)]);
    assert_eq!((lie.sharp.contradicted, lie.sharp.server_alone), (1, 0));
    assert_eq!(lie.pages[0].unchanged_since, None);
    let truth = certify(&[saw("/a", 0, 1), dated_saw("/a", DAY, 2, DAY / 4)]);
    // The change a quarter into the day is missed for a quarter; before it there may have been others.
    assert!((truth.blur.realised - (0.25 + 0.09375)).abs() < 1e-9, "{:?}", truth.blur);
    assert_eq!(truth.sharp.contradicted, 0);
}

#[test]
fn sharp_pages_are_expected_by_the_gap_and_the_rate() {
    let certificate = certify(&[saw("/a", 0, 1), saw("/a", DAY, 1), saw("/b", 1, 1)]);
    let chance = (-1.0_f64).exp();
    assert!((certificate.sharp.expected - chance).abs() < 1e-4);
    assert_eq!(certificate.sharp.interval_90, [0.0, 1.0]);
    assert_eq!(certificate.experience.changed, 0);
    assert!((certificate.experience.expected - (1.0 - chance)).abs() < 1e-9);
    assert!((certificate.experience.per_factor - chance).abs() < 1e-6);
}

#[test]
fn of_many_visits_those_around_the_moment_have_to_agree() {
    // Most pages are between their visits from the answers at 21 to 40.
    let mut visits = vec![saw("/b", 20, 1), saw("/b", 40, 1), saw("/c", 20, 1), saw("/c", 40, 1)];
    visits.extend([saw("/a", 0, 1), saw("/a", 18, 2), saw("/a", 45, 2), saw("/a", 50, 3)]);
    let certificate = certify(&visits);
    assert_eq!(certificate.moment, Some(at(30) + Span::from_millis(500)));
    assert_eq!(reasons(&certificate)[0], ("/a", None));
    assert_eq!(certificate.dated.map(|dated| (dated.period.from, dated.pages)), Some((at(21), 3)));
}

#[test]
fn a_page_is_sharp_only_if_it_is_proved_for_the_moment() {
    let mut visits = vec![saw("/b", 20, 1), saw("/b", 40, 1), saw("/c", 20, 1), saw("/c", 40, 1)];
    visits.extend([saw("/early", 0, 1), saw("/early", 10, 1), saw("/late", 50, 1), saw("/late", 60, 1)]);
    visits.extend([saw("/moved", 1, 1), saw("/moved", 9, 2)]);
    let certificate = certify(&visits);
    let beside = Some(Reason::NotThen);
    let expected =
        [("/b", None), ("/c", None), ("/early", beside), ("/late", beside), ("/moved", Some(Reason::Changed))];
    assert_eq!(reasons(&certificate), expected);
    assert_eq!((certificate.sharp.proved, certificate.dated.unwrap().pages), (2, 2));
    assert!(certificate.sharp.expected <= 2.0 && certificate.sharp.interval_90[1] <= 2.0, "{:?}", certificate.sharp);
    assert_eq!(certificate.experience.changed, 1, "what was seen beside the moment teaches all the same");
}

#[test]
fn what_was_not_looked_at_was_as_lively_as_the_rest_of_the_site() {
    let visits = [saw("/a", DAY / 2, 1), saw("/b", 0, 1), saw("/b", DAY, 1)];
    let realised = |visits: &[Observation], activity: Activity| {
        let mut certifier = Certifier::new();
        visits.iter().for_each(|visit| certifier.add(visit));
        certifier.finish("example.com", "1-example.com", activity, None, None).blur.realised
    };
    let lively = Activity { factor: 6.0, ..STEADY };
    assert!((realised(&visits, lively) - 6.0 * realised(&visits, STEADY)).abs() < 1e-6);
    // Where nothing was sure before, what the looks saw counts: twenty of twenty pages changed, or none did.
    let unsure = Activity { factor: 1.0, spread: 4.0, captures: 2 };
    let site = |last: u8| {
        let looks = |page: u8| [saw(&format!("/{page}"), 0, 1), saw(&format!("/{page}"), DAY, last)];
        [vec![saw("/a", DAY / 2, 1)], (0..20).flat_map(looks).collect()].concat()
    };
    let of_the_others = |last: u8| realised(&site(last)[1..], unsure);
    let (still, moved) = (realised(&site(1), unsure), realised(&site(2), unsure) - of_the_others(2));
    assert!(still < 0.1 && moved > 0.25, "{still} {moved}");
}

#[test]
fn a_first_capture_promises_no_more_than_is_known() {
    let looks = |page: i64| [saw(&format!("/{page}"), page, 1), saw(&format!("/{page}"), 100 - page, 1)];
    let visits: Vec<Observation> = (0..30).flat_map(looks).collect();
    let certify_as = |activity: Activity| {
        let mut certifier = Certifier::new();
        visits.iter().for_each(|visit| certifier.add(&Observation { rate: ChangeRate::default(), ..visit.clone() }));
        certifier.finish("example.com", "1-example.com", activity, None, None).sharp
    };
    let first = certify_as(Activity::default());
    assert!(first.expected < 29.0 && first.interval_90[0] <= 26.0 && first.interval_90[1] == 30.0, "{first:?}");
    let known = certify_as(STEADY);
    assert_eq!(known.interval_90, [30.0, 30.0], "pages that were seen before are believed one by one");
}

#[test]
fn a_page_is_judged_with_what_it_is_made_of() {
    let page = |parts: &[&str]| {
        let mut page = saw("/", 100, 1);
        parts.iter().for_each(|part| page.links.push(&format!("http://example.com{part}"), LinkKind::Embed));
        page
    };
    let count = |parts: &[&str], visits: &[Observation]| {
        let mut all = vec![page(parts)];
        all.extend_from_slice(visits);
        certify(&all).composites
    };
    let proved = [saw("/i.png", 50, 1), saw("/i.png", 150, 1)];
    assert_eq!(count(&["/i.png"], &proved), Composites { coherent: 1, ..Composites::default() });
    let changed = [saw("/i.png", 50, 1), saw("/i.png", 150, 2)];
    assert_eq!(count(&["/i.png"], &changed), Composites { possible: 1, ..Composites::default() });
    let later = [dated_saw("/i.png", 150, 1, 120)];
    assert_eq!(count(&["/i.png"], &later), Composites { violations: 1, ..Composites::default() });
    assert_eq!(count(&["/i.png"], &[saw("/i.png", 150, 1)]), Composites { unknown: 1, ..Composites::default() });
    assert_eq!(count(&["/missing.png"], &[]).pages(), 0);
    assert_eq!(count(&["/i.png", "/j.png"], &[proved.to_vec(), vec![saw("/j.png", 150, 1)]].concat()).unknown, 1);
}

#[test]
fn nothing_asked_is_a_certificate_of_nothing() {
    let nothing = certify(&[]);
    assert_eq!((nothing.query, nothing.dated, nothing.captured, nothing.blur.expected), (None, None, 0, 0.0));
}

fn any_visit() -> impl Strategy<Value = Observation> {
    let outcome = select(vec![
        Outcome::Body { status: 200 },
        Outcome::Body { status: 200 },
        Outcome::NotModified,
        Outcome::Gone { status: 404 },
        Outcome::Refused { status: 503, retry_after: Some(Span::from_secs(3)) },
        Outcome::Redirected { status: 302, to: "http://example.com/2".to_owned() },
        Outcome::Failed { cause: Failure::Disconnected },
    ]);
    let rate = select(vec![ChangeRate::default(), ChangeRate::known(0.3), ChangeRate { per_day: 900.0, shape: 0.1 }]);
    (0..4_u8, 0..40_i64, outcome, prop::option::of(0..3_u8), prop::option::of(-9..40_i64), rate, 0..4_u8).prop_map(
        |(page, seconds, outcome, version, modified, rate, part)| {
            let mut visit = visit(&format!("/{page}"), seconds, outcome, version);
            visit.validators.last_modified = modified.map(|modified| at(modified).to_mail_date());
            visit.links.push(&format!("http://example.com/{part}"), LinkKind::Embed);
            Observation { rate, ..visit }
        },
    )
}

proptest! {
    /// Visits to one page at one moment that saw different things have no order; no capture has them.
    #[test]
    fn the_order_of_visits_does_not_matter_and_json_keeps_everything(visits in vec(any_visit(), 0..20), turn in 0..20_usize) {
        let mut visits = visits;
        visits.sort_by(|one, other| (&one.url, one.asked).cmp(&(&other.url, other.asked)));
        visits.dedup_by(|one, other| (&one.url, one.asked) == (&other.url, other.asked));
        let certificate = certify(&visits);
        let turn = turn.min(visits.len());
        visits.rotate_left(turn);
        prop_assert_eq!(certify(&visits).differences(&certificate), vec![]);
        let text = serde_json::to_string(&certificate).unwrap();
        let back: Certificate = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(certificate.differences(&back), vec![]);
        let counted = certificate.pages.iter().filter(|page| page.is_sharp()).count() as u64;
        prop_assert_eq!(counted, certificate.sharp.proved);
        prop_assert!(certificate.sharp.proved <= certificate.captured && certificate.blur.realised >= 0.0);
        for dated in certificate.dated.iter().chain(&certificate.dated_by_server) {
            prop_assert!(dated.pages <= dated.of && dated.of == certificate.captured);
        }
    }

    #[test]
    fn a_visit_less_or_another_digest_is_noticed(visits in vec(any_visit(), 1..12), which in 0..12_usize) {
        let which = which % visits.len();
        let certificate = certify(&visits);
        let mut fewer = visits.clone();
        fewer.remove(which);
        prop_assert!(!certificate.differences(&certify(&fewer)).is_empty());
        let mut other = visits;
        other[which].digest = Some(Digest([77; 20]));
        prop_assert!(!certificate.differences(&certify(&other)).is_empty());
    }
}

#[test]
fn a_difference_names_the_field_and_the_page() {
    let certificate = certify(&[saw("/a", 0, 1), saw("/a", 30, 1)]);
    let mut forged = certificate.clone();
    forged.query = Some(Period { from: at(0), to: at(29) });
    forged.pages[0].first = at(7);
    forged.from_log = Some(FromLog::default());
    let differences = forged.differences(&certificate);
    let fields: Vec<&str> = differences.iter().map(|difference| difference.field.as_str()).collect();
    assert_eq!(fields, ["query", "page http://example.com/a"]);
    assert!(differences[0].to_string().contains("the certificate says from"), "{}", differences[0]);
}
