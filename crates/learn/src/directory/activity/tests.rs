use super::*;
use tintype_vocab::Span;

/// A site of four directories with pages `0..pages`, and the days of its captures.
struct Site {
    shape: DirectoryShape,
    activity: DirectoryActivity,
    day: i64,
}

impl Site {
    fn new() -> Site {
        Site { shape: DirectoryShape::default(), activity: DirectoryActivity::default(), day: 0 }
    }

    fn now(&self) -> Time {
        Time::from_secs(1_000_000_000) + Span::from_days(self.day)
    }

    /// A capture of pages by name, each changed or not; the first one finds all of them born.
    fn capture(&mut self, pages: &[(String, bool)]) {
        let first = self.day == 0;
        let numbers: Vec<_> = pages
            .iter()
            .map(|(path, changed)| {
                let found = if first {
                    FoundPage::Born
                } else if *changed {
                    FoundPage::Changed
                } else {
                    FoundPage::Same
                };
                (self.shape.page(path).unwrap(), found)
            })
            .collect();
        let since = (!first).then(|| self.now() - Span::from_days(1));
        self.activity.learn(&self.shape, self.now(), since, &numbers);
        self.day += 1;
    }

    fn expected(&self, path: &str) -> f64 {
        self.activity.expected(&self.shape, self.shape.find_page(path).unwrap(), self.now())
    }

    fn chance(&self, round: &Round, path: &str) -> f64 {
        self.activity.chance(&self.shape, round, self.shape.find_page(path).unwrap(), self.expected(path))
    }

    fn saw(&self, round: &mut Round, path: &str, changed: bool) {
        round.saw(&self.shape, self.shape.find_page(path).unwrap(), self.expected(path), changed);
    }

    fn begin(&self) -> Round {
        self.activity.begin(&self.shape, self.now())
    }
}

/// Directory `a` is edited as a whole every fourth day, `b` never, and the front page daily.
fn edited_by_directory(days: i64) -> Site {
    let mut site = Site::new();
    for day in 0..days {
        let mut pages = vec![("/index.html".to_owned(), true)];
        pages.extend((0..12).map(|page| (format!("/a/{page}"), day % 4 == 1)));
        pages.extend((0..12).map(|page| (format!("/b/{page}"), false)));
        site.capture(&pages);
    }
    site
}

#[test]
fn a_page_that_always_changed_is_likelier_than_one_that_never_did() {
    let site = edited_by_directory(20);
    let round = site.begin();
    let [front, sometimes, never] = ["/index.html", "/a/3", "/b/3"].map(|path| site.chance(&round, path));
    assert!(front > 0.7 && front > sometimes && sometimes > never && never < 0.03, "{front} {sometimes} {never}");
}

#[test]
fn what_the_first_pages_of_a_directory_show_decides_on_the_rest() {
    let site = edited_by_directory(21);
    let (mut busy, mut quiet) = (site.begin(), site.begin());
    let before = site.chance(&busy, "/a/11");
    for page in 0..3 {
        site.saw(&mut busy, &format!("/a/{page}"), true);
        site.saw(&mut quiet, &format!("/a/{page}"), false);
    }
    let (after, instead) = (site.chance(&busy, "/a/11"), site.chance(&quiet, "/a/11"));
    assert!(after > 0.6 && after > 2.0 * before && instead < before / 2.0, "{before} {after} {instead}");
    assert!(busy.looked_below(DirectoryId::ROOT) && !busy.looked_into(DirectoryId::ROOT));
    let still = site.shape.find_directory("/b").unwrap();
    assert!(!busy.looked_below(still));
}

#[test]
fn pages_of_the_same_name_speak_for_each_other() {
    let mut site = Site::new();
    for day in 0..30 {
        let languages = ["en", "de", "fr", "es"];
        let pages = languages
            .iter()
            .flat_map(|language| (0..15).map(move |page| (format!("/{language}/{page}.html"), day % 15 == page)));
        site.capture(&pages.collect::<Vec<_>>());
    }
    let mut round = site.begin();
    let before = site.chance(&round, "/de/3.html");
    site.saw(&mut round, "/en/3.html", true);
    site.saw(&mut round, "/en/4.html", false);
    let (changed, not) = (site.chance(&round, "/de/3.html"), site.chance(&round, "/de/4.html"));
    assert!(changed > 3.0 * before && changed > 5.0 * not, "{before} {changed} {not}");
}

#[test]
fn the_longer_a_page_was_left_alone_the_likelier_it_has_changed() {
    let mut site = edited_by_directory(20);
    let soon = site.chance(&site.begin(), "/b/3");
    site.day += 60;
    let late = site.chance(&site.begin(), "/b/3");
    assert!(late > 5.0 * soon, "{soon} {late}");
}

/// Of pages for which a chance was foretold, about as many change: the table is its own calibration.
#[test]
fn chances_are_kept() {
    let mut site = Site::new();
    let mut dice = 7u64;
    let mut throw = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as f64 / (1u64 << 31) as f64
    };
    let (mut foretold, mut changed) = ([0.0; 3], [0.0; 3]);
    for day in 0..120 {
        let busy: Vec<bool> = (0..10).map(|_| throw() < 0.1).collect();
        let pages: Vec<_> = (0..300)
            .map(|page| {
                let rate = if busy[page % 10] { 0.5 } else { 0.01 + 0.1 * f64::from(u8::from(page % 30 == 0)) };
                (format!("/{}/{page}", page % 10), throw() < rate)
            })
            .collect();
        if day >= 40 {
            let mut round = site.begin();
            let mut order: Vec<_> = pages.iter().map(|(path, changed)| (site.expected(path), path, changed)).collect();
            order.sort_by(|(more, ..), (less, ..)| less.total_cmp(more));
            for (_, path, is_changed) in order {
                let chance = site.chance(&round, path);
                let part = if chance < 0.03 {
                    0
                } else if chance < 0.2 {
                    1
                } else {
                    2
                };
                foretold[part] += chance;
                changed[part] += f64::from(u8::from(*is_changed));
                site.saw(&mut round, path, *is_changed);
            }
        }
        site.capture(&pages);
    }
    for (foretold, changed) in foretold.iter().zip(&changed) {
        assert!((foretold / changed - 1.0).abs() < 0.4, "{foretold:?} foretold, {changed:?} came");
    }
}

#[test]
fn births_are_expected_where_they_were() {
    let mut site = Site::new();
    site.capture(&[("/a/0".to_owned(), false), ("/b/0".to_owned(), false)]);
    for day in 1..=10 {
        let page = site.shape.page(&format!("/a/{day}")).unwrap();
        let since = site.now() - Span::from_days(1);
        site.activity.learn(&site.shape, site.now(), Some(since), &[(page, FoundPage::Born)]);
        site.day += 1;
    }
    let [a, b] = ["/a", "/b"].map(|path| site.shape.find_directory(path).unwrap());
    assert!((site.activity.births(a, 2.0) - 2.0).abs() < 1e-9);
    assert_eq!(site.activity.births(b, 2.0), 0.0);
}

#[test]
fn one_page_more_of_a_large_site_counts() {
    let mut site = Site::new();
    let many = Span::from_days(3_000_000_000);
    site.activity.directories.push(WatchedAll { changes: 300_000_000, millis: millis(many) });
    site.activity.directories[0].add(true, Span::from_days(7));
    let WatchedAll { changes, millis: watched } = site.activity.directories[0];
    assert_eq!((changes, watched), (300_000_001, millis(many + Span::from_days(7))));
}
