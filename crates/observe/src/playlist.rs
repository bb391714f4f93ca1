//! HLS playlists: the variants of a stream, its segments, keys and initial parts.

use crate::collect::Collector;
use tintype_vocab::{LinkKind, Tag};

/// Lines that are read: more than a day of short segments.
const LINES_MAX: usize = 100_000;

/// Whether a text says that it is a playlist.
pub(crate) fn is_one(body: &[u8]) -> bool {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).starts_with(b"#EXTM3U")
}

/// Adds what a playlist is made of.
pub(crate) fn links(text: &str, collector: &mut Collector) {
    for line in text.lines().take(LINES_MAX).map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix('#') {
            None => add(line, Tag::Video, collector),
            Some(directive) => {
                if let Some((name, attributes)) =
                    directive.split_once(':').filter(|(name, _)| name.starts_with("EXT-X-"))
                {
                    let tag = if name.ends_with("KEY") || name.ends_with("DATA") { Tag::Preload } else { Tag::Video };
                    uri(attributes).into_iter().for_each(|uri| add(uri, tag, collector));
                }
            }
        }
    }
}

/// Variables such as `{$host}` are not put in: what has some is left.
fn add(uri: &str, tag: Tag, collector: &mut Collector) {
    if !uri.contains("{$") {
        collector.add(uri, LinkKind::Embed, tag);
    }
}

/// The attribute `URI="…"` of a list in which commas may stand in quotes.
fn uri(attributes: &str) -> Option<&str> {
    let mut rest = attributes;
    loop {
        let (name, after) = rest.split_once('=')?;
        let (value, tail) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_at(after.find(',').unwrap_or(after.len())),
        };
        if name.trim_matches([',', ' ']) == "URI" {
            return Some(value);
        }
        rest = tail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<String> {
        let mut collector = Collector::new("http://h/v/list.m3u8?x");
        links(text, &mut collector);
        collector.finish().0.iter().map(|link| link.url.trim_start_matches("http://h/v/").to_owned()).collect()
    }

    #[test]
    fn variants_and_renditions_are_read() {
        let master = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,b\"\nlow/list.m3u8\r\n\n\
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a,URI=b\",NAME=\"x\",URI=\"audio.m3u8\"\n#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS\n\
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"frames.m3u8\"\n#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"key\"\n";
        assert!(is_one(master.as_bytes()));
        assert_eq!(seen(master), ["low/list.m3u8", "audio.m3u8", "frames.m3u8", "key"]);
    }

    #[test]
    fn segments_keys_and_maps_are_read() {
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-KEY:METHOD=AES-128,URI=\"k?a,b\",IV=0x1\n#EXT-X-MAP:URI=\"init.mp4\"\n\
            #EXTINF:6,a title\n1.m4s\n# a comment\n#EXTINF:6,\n/2.m4s\n#EXT-X-PART:DURATION=1,URI=\"3.1.m4s\"\n#EXT-X-ENDLIST";
        assert_eq!(seen(media), ["k?a,b", "init.mp4", "1.m4s", "http://h/2.m4s", "3.1.m4s"]);
    }

    #[test]
    fn what_cannot_be_asked_for_is_left() {
        let odd = "#EXTM3U\n#EXT-X-KEY:URI=\"skd://x\"\n#EXT-X-KEY:URI=\"data:,x\"\n{$host}/a.ts\n#EXT-X-MAP:URI=\"x\n#EXT-X-MAP:=";
        assert!(seen(odd).is_empty());
        assert!(!is_one(b"EXTM3U") && is_one(b"\xef\xbb\xbf#EXTM3U"));
        let endless: String = (0..LINES_MAX).map(|n| format!("#\n{n}\n")).collect();
        assert!(seen(&endless).len() <= LINES_MAX / 2);
    }
}
