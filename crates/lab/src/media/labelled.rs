//! Labelled URLs: a table with tabs, `url`, `media_type`, `source`, without a head, packed by gzip or not.

use crate::usage;
use anyhow::Context;
use std::{io::Read, path::Path};
use tintype_vocab::{ContentType, folded, folded_content_type};
use tintype_world::recorded::unzipped;

/// Bytes of an unpacked table: some ten million URLs.
const BYTES_MAX: u64 = 1 << 30;
/// Bytes of a line.
const LINE_BYTES_MAX: usize = 2 << 20;

/// Which of several names for the same is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// Synonyms are one name, and fonts are applications.
    Folded,
    /// As servers sent them.
    Sent,
}

impl Names {
    fn class(self, media_type: &str) -> Option<ContentType> {
        match self {
            Names::Folded => folded_content_type(media_type),
            Names::Sent => ContentType::of(media_type),
        }
    }

    fn of(self, media_type: &str) -> &str {
        match self {
            Names::Folded => folded(media_type),
            Names::Sent => media_type,
        }
    }

    /// Chances of the content types that are told apart under these names.
    pub(crate) fn chances(self, mut chances: [f32; ContentType::ALL.len()]) -> [f32; ContentType::ALL.len()] {
        if self == Names::Folded {
            let fonts = std::mem::take(&mut chances[ContentType::Font as usize]);
            chances[ContentType::Application as usize] += fonts;
        }
        chances
    }
}

/// A URL and what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Labelled<'a> {
    pub(crate) url: &'a str,
    /// As the server named it.
    pub(crate) sent: &'a str,
    /// Under the names that were asked for.
    pub(crate) media_type: &'a str,
    pub(crate) class: ContentType,
    /// The content type whatever its name: what an extension can be right about.
    pub(crate) canon: ContentType,
    pub(crate) source: &'a str,
}

/// The text of a table.
pub(crate) struct Text(String);

/// The rows of a table, and how many lines are none.
pub(crate) struct Rows<'a> {
    pub(crate) rows: Vec<Labelled<'a>>,
    pub(crate) odd: Odd,
}

/// Lines that were passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Odd {
    pub(crate) lines: u64,
    pub(crate) first: Option<u64>,
}

impl Text {
    pub(crate) fn of(text: String) -> Text {
        Text(text)
    }

    pub(crate) fn read(path: &Path) -> anyhow::Result<Text> {
        let file = tintype_archive::open_given(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut bytes = Vec::new();
        let unpacked = unzipped(file).and_then(|input| input.take(BYTES_MAX + 1).read_to_end(&mut bytes));
        unpacked.with_context(|| format!("{} cannot be unpacked", path.display()))?;
        if bytes.len() as u64 > BYTES_MAX {
            let problem = format!("{} is longer than {}", path.display(), tintype_vocab::amount::bytes(BYTES_MAX));
            return Err(usage(problem, "give it a part of the URLs"));
        }
        // What is no text is no URL either; its line is passed over.
        Ok(Text(String::from_utf8(bytes).unwrap_or_else(|odd| String::from_utf8_lossy(odd.as_bytes()).into_owned())))
    }

    pub(crate) fn rows(&self, names: Names) -> Rows<'_> {
        let mut all = Rows { rows: Vec::new(), odd: Odd::default() };
        for (line, at) in self.0.lines().zip(1..).filter(|(line, _)| !line.is_empty()) {
            match labelled(line, names) {
                Some(row) => all.rows.push(row),
                None => {
                    all.odd.lines += 1;
                    all.odd.first.get_or_insert(at);
                }
            }
        }
        all
    }
}

/// Nothing if a line is no row, or of a kind that nobody is asked to tell, such as `multipart`.
fn labelled(line: &str, names: Names) -> Option<Labelled<'_>> {
    let mut fields = line.split('\t');
    let (url, sent, source) = (fields.next()?, fields.next()?, fields.next().unwrap_or_default());
    let is_url = url.starts_with("http://") || url.starts_with("https://");
    if !is_url || line.len() > LINE_BYTES_MAX || !sent.contains('/') || line.contains('\u{fffd}') {
        return None;
    }
    let (class, canon) = (names.class(sent)?, folded_content_type(sent)?);
    Some(Labelled { url, sent, media_type: names.of(sent), class, canon, source })
}

impl Odd {
    pub(crate) fn sentence(&self, path: &Path) -> Option<String> {
        let first = self.first?;
        let lines = tintype_vocab::amount::counted(self.lines, "line");
        Some(format!("{}: {lines} passed over, the first is line {first}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "http://a.com/x.js\ttext/javascript\ttest:one\n\
        no url\timage/png\ttest:one\n\
        \n\
        http://a.com/f\tfont/woff\n\
        http://a.com/m\tmultipart/mixed\ttest:one\n\
        http://a.com/only-a-url\n";

    #[test]
    fn rows_are_read_under_the_names_that_were_asked_for() {
        let text = Text(TABLE.to_owned());
        let Rows { rows, odd } = text.rows(Names::Folded);
        let script = Labelled {
            url: "http://a.com/x.js",
            sent: "text/javascript",
            media_type: "application/javascript",
            class: ContentType::Application,
            canon: ContentType::Application,
            source: "test:one",
        };
        assert_eq!((rows.len(), rows[0], rows[1].class), (2, script, ContentType::Application));
        assert_eq!(odd, Odd { lines: 3, first: Some(2) });
        let rows = text.rows(Names::Sent).rows;
        assert_eq!((rows[0].class, rows[0].media_type), (ContentType::Text, "text/javascript"));
        assert_eq!((rows[1].class, rows[1].canon), (ContentType::Font, ContentType::Application));
    }

    #[test]
    fn fonts_are_applications_among_folded_names() {
        let chances = [0.25, 0.0, 0.5, 0.25, 0.0, 0.0];
        assert_eq!(Names::Folded.chances(chances), [0.75, 0.0, 0.0, 0.25, 0.0, 0.0]);
        assert_eq!(Names::Sent.chances(chances), chances);
    }

    #[test]
    fn packed_tables_and_bytes_that_are_no_text_are_read() {
        use std::io::Write;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.tsv.gz");
        let mut packed =
            flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
        packed.write_all(b"http://a.com/\xff\ttext/html\tx\nhttp://a.com/\ttext/html\tx\n").unwrap();
        packed.finish().unwrap();
        let text = Text::read(&path).unwrap();
        let Rows { rows, odd } = text.rows(Names::Folded);
        assert_eq!((rows.len(), odd.lines), (1, 1));
        assert_eq!(odd.sentence(Path::new("t")).unwrap(), "t: 1 line passed over, the first is line 1");
    }
}
