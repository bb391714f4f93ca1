use super::*;
use crate::Recorder;

const DAY: i64 = 86_400;

fn day(number: i64) -> Time {
    Time::from_secs(1_000_000_000 + number * DAY)
}

/// A front page that changes every day from the first, a page with an odd name that is deleted on the third, and
/// another that appears then.
fn history() -> History {
    let mut recorder = Recorder::default();
    let mut record = |at, path, kind, digest| recorder.record(day(at), path, kind, 9, digest, "text/html").unwrap();
    record(0, "/old & é", EventKind::Added, 1);
    record(0, "/", EventKind::Added, 10);
    record(1, "/", EventKind::Modified, 11);
    record(2, "/", EventKind::Modified, 12);
    record(3, "/old & é", EventKind::Deleted, 0);
    record(3, "/new", EventKind::Added, 2);
    recorder.finish()
}

/// Says which row was asked for; the first version of the front page came with fields of its own.
#[derive(Debug)]
struct Rows;

impl Contents for Rows {
    fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
        let own = [("etag", "W/\"own, really\""), ("Last-Modified", "last week"), ("Server", "httpd")];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(match row {
            4 => Some(Document::gone()),
            5 => None,
            _ => Some(Document {
                status: 200,
                headers: if row == 1 { own.to_vec() } else { Vec::new() },
                body: format!("row {row}").into_bytes(),
                ..Document::default()
            }),
        })
    }
}

fn machine(sitemap: Option<Sitemap>) -> Machine {
    Machine::new(history(), Some(Box::new(Rows)), sitemap)
}

fn ask(target: &str) -> MachineRequest<'_> {
    MachineRequest { target, origin: "http://h&h:1", if_none_match: None, if_modified_since: None }
}

fn body(machine: &mut Machine, target: &str, at: i64) -> (u16, String) {
    let document = machine.respond(&ask(target), day(at)).unwrap();
    (document.status, String::from_utf8(document.body).unwrap())
}

#[test]
fn the_version_alive_is_served_and_nothing_before_birth_or_after_deletion() {
    let mut machine = machine(None);
    let mut status = |target, at| body(&mut machine, target, at);
    assert_eq!(status("/", -1).0, 404);
    assert_eq!([0, 1, 2, 9].map(|at| status("/", at).1), ["row 1", "row 2", "row 3", "row 3"]);
    assert_eq!(status("/old%20&%20%C3%A9", 2).1, "row 0");
    assert_eq!(status("/old%20&%20%C3%A9", 3), (404, String::new()));
    assert_eq!([status("/new", 2).0, status("/new", 3).0, status("/never", 3).0], [404, 200, 404]);
}

#[test]
fn a_version_whose_bytes_are_unknown_is_told_from_others() {
    let (_, said) = body(&mut machine(None), "/new", 3);
    assert!(said.contains("0000000000000002 of /new, since 2001-09-12T01:46:40Z, 9 bytes"), "{said}");
    let mut nothing = Machine::new(history(), None, None);
    assert_ne!(body(&mut nothing, "/", 1), body(&mut nothing, "/", 2));
    assert_eq!(body(&mut nothing, "/old%20&%20%C3%A9", 3).0, 404);
}

#[test]
fn fields_are_the_documents_own_or_follow_from_the_event() {
    let mut machine = machine(None);
    let own = machine.respond(&ask("/"), day(0)).unwrap();
    assert_eq!((own.field("ETag"), own.field("last-modified")), (Some("W/\"own, really\""), Some("last week")));
    let made = machine.respond(&ask("/"), day(1)).unwrap();
    assert_eq!(made.content_type.as_deref(), Some("text/html"));
    assert_eq!(made.field("etag"), Some("\"000000000000000b\""));
    assert_eq!(made.field("last-modified"), Some("Mon, 10 Sep 2001 01:46:40 GMT"));
}

#[test]
fn a_copy_that_is_still_right_is_confirmed() {
    let mut machine = machine(None);
    let mut status = |at, if_none_match, if_modified_since| {
        let ask = MachineRequest { if_none_match, if_modified_since, ..ask("/") };
        let document = machine.respond(&ask, day(at)).unwrap();
        assert!(document.status == 200 || document.body.is_empty());
        document.status
    };
    let (right, date) = (Some("\"000000000000000b\""), Some("Mon, 10 Sep 2001 01:46:40 GMT"));
    assert_eq!([status(1, right, None), status(2, right, None)], [304, 200]);
    assert_eq!([status(1, Some("W/\"000000000000000b\""), None), status(1, Some("\"x\", *"), None)], [304, 200]);
    assert_eq!([status(1, Some("\"x\" , \"000000000000000b\""), None), status(1, Some("*"), None)], [304, 304]);
    assert_eq!([status(1, None, date), status(2, None, date)], [304, 200]);
    assert_eq!(status(1, None, Some("Mon, 10 Sep 2001 01:46:39 GMT")), 200);
    assert_eq!(status(1, Some("\"x\""), date), 200, "tags alone decide");
    assert_eq!([status(0, Some("\"own, really\""), None), status(0, None, Some("last week"))], [304, 304]);
    let held = MachineRequest { if_none_match: Some("\"own, really\""), ..ask("/") };
    let document = machine.respond(&held, day(0)).unwrap();
    assert!(document.field("etag").is_some() && document.field("server").is_none(), "{document:?}");
}

#[test]
fn robots_txt_allows_all_and_names_the_sitemap_unless_recorded() {
    let rules = "User-agent: *\nDisallow:\n";
    assert_eq!(body(&mut machine(None), "/robots.txt", 0), (200, rules.to_owned()));
    let named = format!("{rules}Sitemap: http://h&h:1/sitemap.xml\n");
    assert_eq!(body(&mut machine(Some(Sitemap::Honest)), "/robots.txt", 0), (200, named));
    let mut recorder = Recorder::default();
    recorder.record(day(5), ROBOTS, EventKind::Added, 1, 1, "text/plain").unwrap();
    let mut own = Machine::new(recorder.finish(), None, Some(Sitemap::Honest));
    assert_eq!(body(&mut own, ROBOTS, 4).0, 404);
    assert!(body(&mut own, ROBOTS, 5).1.contains("not recorded"));
}

/// Paths of a sitemap and what it says of them.
fn listed(sitemap: Sitemap, at: i64) -> Vec<(String, Time)> {
    let (status, file) = body(&mut machine(Some(sitemap)), sitemap::PATH, at);
    assert_eq!(status, 200);
    let urls = file.lines().filter_map(|line| line.strip_prefix("<url><loc>http://h&amp;h:1"));
    let parts = urls.map(|url| url.split_once("</loc><lastmod>").unwrap());
    let time = |text: &str| Time::parse_rfc3339(text.trim_end_matches("</lastmod></url>")).unwrap();
    parts.map(|(path, changed)| (path.to_owned(), time(changed))).collect()
}

#[test]
fn a_sitemap_is_right_late_or_wrong() {
    let (old, front, new) = ("/old%20&amp;%20%C3%A9".to_owned(), "/".to_owned(), "/new".to_owned());
    assert_eq!(listed(Sitemap::Honest, -1), []);
    assert_eq!(listed(Sitemap::Honest, 2), [(old.clone(), day(0)), (front.clone(), day(2))]);
    assert_eq!(listed(Sitemap::Honest, 4), [(front.clone(), day(2)), (new.clone(), day(3))]);
    assert_eq!(listed(Sitemap::Lagging, 3), listed(Sitemap::Honest, 2));
    assert_eq!(listed(Sitemap::Lying, 2), [(old, day(2)), (front.clone(), day(0))]);
    assert_eq!(listed(Sitemap::Lying, 4), [(front, day(0)), (new, day(4))]);
    assert_eq!(body(&mut machine(None), sitemap::PATH, 2).0, 404);
    assert_eq!(body(&mut machine(Some(Sitemap::Honest)), "/sitemap-1.xml", 2).0, 404);
}

#[test]
fn a_long_sitemap_is_an_index_of_parts() {
    let mut recorder = Recorder::default();
    for page in 0..50_001 {
        let at = day(i64::from(page == 50_000));
        recorder.record(at, &format!("/{page}"), EventKind::Added, 1, 1, "text/html").unwrap();
    }
    let mut machine = Machine::new(recorder.finish(), None, Some(Sitemap::Honest));
    let mut urls = |target, at| body(&mut machine, target, at).1.matches("<url>").count();
    assert_eq!([urls("/sitemap.xml", 0), urls("/sitemap-1.xml", 0)], [50_000, 0], "one file does on the first day");
    assert_eq!(["/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml"].map(|target| urls(target, 1)), [0, 50_000, 1]);
    let (_, index) = body(&mut machine, "/sitemap.xml", 1);
    assert_eq!(index.matches("<sitemap><loc>http://h&amp;h:1/sitemap-").count(), 2, "{index}");
    assert_eq!(["/sitemap-0.xml", "/sitemap-3.xml"].map(|target| body(&mut machine, target, 1).0), [404, 404]);
}

#[test]
fn the_entrance_is_the_shortest_html_page_alive() {
    assert_eq!(machine(None).entrance(day(0)), Some("/"));
    assert_eq!(machine(None).entrance(day(-1)), None);
    let mut recorder = Recorder::default();
    recorder.record(day(0), "/a.css", EventKind::Added, 1, 1, "text/css").unwrap();
    recorder.record(day(1), "/a.html", EventKind::Added, 1, 1, "text/html").unwrap();
    let machine = Machine::new(recorder.finish(), None, None);
    assert_eq!([0, 1].map(|at| machine.entrance(day(at))), [Some("/a.css"), Some("/a.html")]);
}

#[test]
fn the_clock_is_written_whatever_the_time() {
    let [date, exact] = site_clock(Time::from_millis(1_000_000_000_042));
    assert_eq!(date, ("Date", "Sun, 09 Sep 2001 01:46:40 GMT".to_owned()));
    assert_eq!(exact, ("X-Site-Time", "2001-09-09T01:46:40.042Z".to_owned()));
    for odd in [Time::MIN, Time::from_secs(-1), Time::from_secs(i64::MAX / 1000), Time::MAX] {
        site_clock(odd);
    }
}
