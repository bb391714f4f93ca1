//! Whatever the numbers and names, a chart is a well-formed document in which nothing is said but what was passed in,
//! and it can be drawn.

use proptest::prelude::*;
use quick_xml::{Reader, events::Event};
use tintype_picture::{
    Axis, Bar, Bars, Cloud, HeatMap, Lines, OrganPipes, OverTime, Picture, Pipe, PipeSpan, PipeVerdict, Row, Scatter,
    Series, SeriesRole,
};

/// Numbers as defects, empty archives and broken clocks produce them.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e3..1e3f64,
        2 => any::<f64>(),
        1 => Just(0.0),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => prop::sample::select(vec![f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -0.0, 1e15 + 0.5]),
    ]
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => "[a-z-]{0,12}",
        2 => any::<String>(),
        1 => Just("</text><script>&amp;\"'\u{0}\u{ffff}]]>".to_owned()),
        1 => Just("endless ".repeat(200)),
        1 => Just("W".repeat(3000)),
    ]
}

fn any_axis() -> impl Strategy<Value = Axis> {
    let ends = prop::option::of((any_number(), any_number()));
    (any_name(), any_name(), any::<bool>(), ends).prop_map(|(quantity, unit, logarithmic, ends)| {
        let axis = if logarithmic { Axis::logarithmic(quantity, unit) } else { Axis::linear(quantity, unit) };
        ends.map_or(axis.clone(), |(low, high)| axis.including(low, high))
    })
}

fn any_points() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let few = prop::collection::vec((any_number(), any_number()), 0..12);
    let equal = (any_number(), any_number(), 0usize..5).prop_map(|(x, y, count)| vec![(x, y); count]);
    let many =
        (any_number(), any_number()).prop_map(|(x, y)| (0..5000).map(|i| (x * i as f64, y / i as f64)).collect());
    prop_oneof![6 => few, 3 => equal, 1 => many]
}

fn any_series() -> impl Strategy<Value = Series> {
    let band = prop::collection::vec((any_number(), any_number(), any_number()), 0..6);
    let role = prop::sample::select(vec![SeriesRole::Plain, SeriesRole::Emphasised, SeriesRole::Reference]);
    (any_name(), any_points(), band, role).prop_map(|(name, points, band, role)| Series { name, points, band, role })
}

fn any_lines() -> impl Strategy<Value = Picture> {
    let series =
        prop_oneof![4 => prop::collection::vec(any_series(), 0..6), 1 => prop::collection::vec(any_series(), 40..50)];
    (any_name(), any_name(), any_axis(), any_axis(), series)
        .prop_map(|(title, caption, x, y, series)| Lines { title, caption, x, y, series }.draw())
}

fn any_over_time() -> impl Strategy<Value = Picture> {
    (any_name(), any_name(), any_axis(), prop::collection::vec(any_series(), 0..4), -12i32..20).prop_map(
        |(title, time, y, mut series, zoom)| {
            for point in series.iter_mut().flat_map(|one| &mut one.points) {
                point.0 *= 10f64.powi(zoom);
            }
            OverTime { title, caption: String::new(), time, y, series }.draw()
        },
    )
}

fn any_pipes() -> impl Strategy<Value = Picture> {
    let verdict = prop::sample::select(vec![PipeVerdict::Sharp, PipeVerdict::Blurred, PipeVerdict::Unknown]);
    (any_name(), any_axis(), any_axis(), any_points(), verdict).prop_map(
        |(title, downloaded, change_rate, points, verdict)| {
            let pipe = |(downloaded, change_rate)| Pipe { downloaded, change_rate, verdict };
            let pipes: Vec<Pipe> = points.into_iter().map(pipe).collect();
            let spans = pipes.iter().map(|pipe: &Pipe| PipeSpan {
                from: pipe.downloaded,
                to: 2.0 * pipe.downloaded,
                change_rate: pipe.change_rate,
            });
            let (spans, moment) = (spans.collect(), pipes.first().map(|pipe| pipe.downloaded));
            OrganPipes { title, caption: String::new(), downloaded, change_rate, pipes, spans, moment }.draw()
        },
    )
}

fn any_bars() -> impl Strategy<Value = Picture> {
    let interval = prop::option::of((any_number(), any_number()));
    let bar = (any_name(), any_number(), interval, any::<bool>()).prop_map(|(name, value, interval, emphasised)| Bar {
        name,
        value,
        interval,
        emphasised,
    });
    let reference = prop::option::of((any_name(), any_number()));
    (any_name(), any_axis(), prop::collection::vec(bar, 0..8), reference).prop_map(|(title, value, bars, reference)| {
        let (caption, names) = (title.clone(), title.clone());
        Bars { title, caption, names, value, bars, reference }.draw()
    })
}

fn any_scatter() -> impl Strategy<Value = Picture> {
    let cloud = (any_name(), any_points()).prop_map(|(name, points)| Cloud { name, points });
    let clouds = prop::collection::vec(cloud, 0..4);
    (any_name(), any_axis(), any_axis(), clouds, prop::option::of(any_name())).prop_map(
        |(title, x, y, clouds, diagonal)| Scatter { title, caption: String::new(), x, y, clouds, diagonal }.draw(),
    )
}

fn any_heat_map() -> impl Strategy<Value = Picture> {
    let row = |values: usize| (any_name(), prop::collection::vec(any_number(), 0..values));
    let rows = prop_oneof![
        4 => prop::collection::vec(row(30), 0..8),
        1 => prop::collection::vec(row(2), 60..65),
        1 => prop::collection::vec(row(500), 1..2),
    ];
    let columns = prop::collection::vec((any::<usize>(), any_name()), 0..8);
    (any_name(), any_axis(), rows, columns).prop_map(|(title, value, rows, columns)| {
        let (caption, rows_are, columns_are) = (title.clone(), title.clone(), title.clone());
        let rows = rows.into_iter().map(|(name, values)| Row { name, values }).collect();
        HeatMap { title, caption, rows_are, columns_are, columns, value, rows }.draw()
    })
}

fn any_picture() -> impl Strategy<Value = Picture> {
    prop_oneof![
        any_lines().boxed(),
        any_over_time().boxed(),
        any_pipes().boxed(),
        any_bars().boxed(),
        any_scatter().boxed(),
        any_heat_map().boxed()
    ]
}

/// Elements whose names are among the few a chart is made of; none of them can run or load anything.
fn elements(svg: &str) -> Result<usize, String> {
    const KNOWN: &[&str] =
        &["svg", "title", "rect", "line", "polyline", "polygon", "circle", "text", "defs", "pattern"];
    let (mut reader, mut count, mut depth) = (Reader::from_str(svg), 0, 0i32);
    reader.config_mut().check_end_names = true;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) | Event::Empty(element) if !KNOWN.contains(&element.name().as_ref()) => {
                return Err(format!("unknown element {:?}", element.name()));
            }
            Event::Start(_) => (count, depth) = (count + 1, depth + 1),
            Event::Empty(_) => count += 1,
            Event::End(_) => depth -= 1,
            Event::Eof if depth == 0 => return Ok(count),
            Event::Eof => return Err("ends too early".to_owned()),
            _ => {}
        }
    }
}

/// Width and height as the header of a PNG file has them.
fn png_size(png: &[u8]) -> Option<(u32, u32)> {
    let header = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(8..16)?;
    let number = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    Some((number(0), number(4)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_chart_is_well_formed(picture in any_picture()) {
        let svg = picture.svg();
        prop_assert!(elements(svg).map_err(TestCaseError::fail)? > 5);
        prop_assert!(!svg.contains("NaN") && !svg.contains("\"inf") && svg.len() < 20_000_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_chart_can_be_drawn_at_twice_its_size(picture in any_picture()) {
        let (width, height) = png_size(&picture.png()).expect("a PNG header");
        prop_assert!(width == 1440 || width == 960, "{}", width);
        prop_assert!((200..6000).contains(&height), "{}", height);
    }
}

#[test]
fn markup_in_a_name_is_words_and_not_markup() {
    assert!(elements("<svg><script/></svg>").is_err() && elements("<svg><text>").is_err());
    let lines = Lines {
        title: "</title><script>alert(1)</script>".to_owned(),
        caption: "a & b < c".to_owned(),
        x: Axis::linear("\"quoted\"", "'s'"),
        y: Axis::linear("y", "1"),
        series: vec![Series::new("<b>bold</b>", [(0.0, 1.0), (1.0, 2.0)])],
    };
    let svg = lines.draw().svg().to_owned();
    assert!(
        elements(&svg).is_ok() && svg.contains("&lt;b&gt;bold&lt;/b&gt;") && svg.contains("a &amp; b &lt; c"),
        "{svg}"
    );
}

#[test]
fn what_cannot_be_shown_is_said_and_a_gap_is_silent() {
    let lines = |values: [f64; 3]| Lines {
        title: "t".to_owned(),
        caption: String::new(),
        x: Axis::linear("x", "s"),
        y: Axis::logarithmic("y", "1"),
        series: vec![Series::new("s", (0..).map(f64::from).zip(values))],
    };
    assert!(lines([1.0, f64::INFINITY, -3.0]).draw().svg().contains("2 values cannot be shown"));
    assert!(!lines([1.0, f64::NAN, 3.0]).draw().svg().contains("cannot be shown"));
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    let bars = Bars {
        title: "Completeness".to_owned(),
        caption: String::new(),
        names: "Policy".to_owned(),
        value: Axis::linear("Completeness", "share of versions"),
        bars: vec![Bar { name: "tintype".to_owned(), value: 0.72, interval: Some((0.7, 0.74)), emphasised: true }],
        reference: Some(("oracle".to_owned(), 0.976)),
    };
    assert_eq!(bars.draw().svg(), bars.draw().svg());
    assert_eq!(bars.draw().png(), bars.draw().png());
}
