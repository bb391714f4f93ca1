//! Any robots.txt against any path; the first line of the input is the path.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_plan::robots::Robots;
use tintype_vocab::Span;

fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (path, text) = (String::from_utf8_lossy(&data[..end]), &data[end..]);
    let robots = Robots::parse(text, "tintype/1.0");
    let verdict = robots.verdict(&path);
    assert_eq!(verdict.line.is_some(), verdict.rule.is_some());
    assert!(verdict.allowed || verdict.line.is_some(), "only a rule forbids");
    let lines = text.iter().filter(|byte| matches!(byte, b'\r' | b'\n')).count() + 1;
    assert!(verdict.line.is_none_or(|line| line >= 1 && line as usize <= lines));
    assert!(robots.verdict("/robots.txt").allowed);
    assert!(robots.crawl_delay().is_none_or(|delay| (Span::from_millis(0)..=Span::from_days(1)).contains(&delay)));

    let longer = [text, b"\n# a comment\n\n"].concat();
    assert_eq!(Robots::parse(&longer, "Tintype").verdict(&path), verdict, "comments and versions mean nothing");
});
