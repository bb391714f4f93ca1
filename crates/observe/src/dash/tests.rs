use super::*;

fn seen(inside: &str) -> Vec<String> {
    whole(&format!("<?xml version='1.0'?><MPD mediaPresentationDuration='PT10S'><Period>{inside}</Period></MPD>"))
}

fn whole(text: &str) -> Vec<String> {
    let mut collector = Collector::new("http://h/v/stream.mpd");
    links(text, &mut collector);
    collector.finish().0.iter().map(|link| link.url.trim_start_matches("http://h/v/").to_owned()).collect()
}

#[test]
fn templates_are_written_out() {
    let numbers = "<AdaptationSet><SegmentTemplate media='$RepresentationID$/$Number%03d$.m4s' initialization='$RepresentationID$/i.mp4' \
        startNumber='5' duration='4000' timescale='1000'/><Representation id='a' bandwidth='9'/><Representation id='b'/></AdaptationSet>";
    assert_eq!(
        seen(numbers),
        ["a/i.mp4", "a/005.m4s", "a/006.m4s", "a/007.m4s", "b/i.mp4", "b/005.m4s", "b/006.m4s", "b/007.m4s"]
    );
    let times = "<AdaptationSet><Representation id='a' bandwidth='9'><BaseURL>x/</BaseURL><SegmentTemplate media='$Bandwidth$-$Time$$$.m4s'>\
        <SegmentTimeline><S t='0' d='2' r='1'/><S d='3'/></SegmentTimeline></SegmentTemplate></Representation></AdaptationSet>";
    assert_eq!(seen(times), ["x/9-0$.m4s", "x/9-2$.m4s", "x/9-4$.m4s"]);
    let until_the_end = "<Representation><SegmentTemplate media='$Number$'><SegmentTimeline><S d='4' r='-1'/></SegmentTimeline>\
        </SegmentTemplate></Representation>";
    assert_eq!(seen(until_the_end), ["1", "2", "3"]);
}

#[test]
fn lists_and_whole_files_are_read() {
    let list = "<AdaptationSet><Representation><BaseURL>d/</BaseURL><SegmentList><Initialization sourceURL='i.mp4'/>\
        <SegmentURL media='1.m4s'/><SegmentURL media='/2.m4s'/></SegmentList></Representation></AdaptationSet>";
    assert_eq!(seen(list), ["d/i.mp4", "d/1.m4s", "http://h/2.m4s"]);
    let files = "<BaseURL>http://cdn/p/</BaseURL><AdaptationSet><Representation><BaseURL>a.mp4</BaseURL><BaseURL>no</BaseURL>\
        <SegmentBase indexRange='0-9'><Initialization range='0-5'/></SegmentBase></Representation><Representation/></AdaptationSet>";
    assert_eq!(seen(files), ["http://cdn/p/a.mp4"]);
}

#[test]
fn a_broadcast_that_goes_on_has_what_its_timeline_lists() {
    let live = "<MPD type='dynamic'><Period><Representation id='a'><SegmentTemplate initialization='i' media='$Number$' duration='1'/>\
        </Representation><Representation id='b'><SegmentTemplate media='$Time$'><SegmentTimeline><S t='70' d='2'/></SegmentTimeline>\
        </SegmentTemplate></Representation></Period></MPD>";
    assert_eq!(whole(live), ["i", "70"]);
}

#[test]
fn absurd_manifests_are_cut() {
    let endless =
        "<Representation><SegmentTemplate media='$Number$' duration='1' timescale='1000000'/></Representation>";
    assert_eq!(seen(&endless.repeat(3)).len(), SEGMENTS_MAX);
    let repeated = "<Representation><SegmentTemplate media='$Time$'><SegmentTimeline><S d='0' r='9000000000000000000'/></SegmentTimeline>\
        </SegmentTemplate></Representation>";
    assert_eq!(seen(repeated), ["0"]);
    let wide = "<Representation><SegmentTemplate media='$Number%099999999999d$' duration='9' startNumber='18446744073709551615'/></Representation>";
    assert_eq!(seen(wide).len(), 1);
    for broken in ["$Number", "$Unknown$", "$Number%d", "$"] {
        let template = format!("<Representation><SegmentTemplate media='{broken}' duration='9'/></Representation>");
        assert!(seen(&template).is_empty(), "{broken}");
    }
    assert!(whole("<MPD><Period>").is_empty());
    assert!(whole(&"<Representation><BaseURL>x</BaseURL>".repeat(50_000)).len() <= 1);
}

#[test]
fn what_is_nested_too_deeply_closes_nothing_else() {
    let deep = "<Period>".repeat(DEPTH_MAX) + &"</Period>".repeat(DEPTH_MAX) + "<SegmentURL media='1'/>";
    assert_eq!(seen(&deep), ["1"]);
    assert_eq!(whole("<MPD></MPD></MPD><SegmentURL media='1'/>"), ["1"]);
}
