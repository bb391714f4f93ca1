//! The older CDX formats: space-separated fields named by one letter each in a ` CDX N b a m s k …` header.

use crate::cdxj::{LINE_BYTES_MAX, Line, LineError, is_timestamp};

/// The meaning of the columns of one CDX file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns(Vec<char>);

impl Columns {
    /// The eleven columns of ` CDX N b a m s k r M S V g`.
    pub fn eleven() -> Columns {
        Columns("NbamskrMSVg".chars().collect())
    }

    /// The nine columns of ` CDX N b a m s k r V g`.
    pub fn nine() -> Columns {
        Columns("NbamskrVg".chars().collect())
    }

    /// Reads a header line; whatever its first character is separates the columns in principle, in practice a space.
    pub fn of_header(line: &str) -> Option<Columns> {
        let names = line.trim_start_matches(' ').strip_prefix("CDX ")?;
        let columns: Vec<char> = names.split_ascii_whitespace().filter_map(|n| n.chars().next()).collect();
        (!columns.is_empty() && columns.len() <= 64).then_some(Columns(columns))
    }

    /// Files without a header are told by the number of their columns.
    pub fn guess(line: &str) -> Option<Columns> {
        match line.split_ascii_whitespace().count() {
            9 => Some(Columns::nine()),
            11 => Some(Columns::eleven()),
            _ => None,
        }
    }

    /// Reads one line. `-` means absent; the digest gets the `sha1:` its length leaves no doubt about, and a file
    /// without a key column (wget's) gets its keys from the URLs.
    pub fn parse(&self, line: &str) -> Result<Line, LineError> {
        if line.len() > LINE_BYTES_MAX {
            return Err(LineError::TooLong);
        }
        let values: Vec<&str> = line.split_ascii_whitespace().collect();
        if values.len() != self.0.len() {
            return Err(LineError::Malformed);
        }
        let mut parsed = Line::default();
        for (column, value) in self.0.iter().zip(values).filter(|(_, value)| *value != "-") {
            set(&mut parsed, *column, value);
        }
        if parsed.key.is_empty() {
            parsed.key = parsed.url.as_deref().map(tintype_vocab::surt).unwrap_or_default();
        }
        let whole = !parsed.key.is_empty() && is_timestamp(&parsed.timestamp) && parsed.time().is_some();
        if whole { Ok(parsed) } else { Err(LineError::Malformed) }
    }
}

fn set(line: &mut Line, column: char, value: &str) {
    let text = Some(value.to_owned());
    match column {
        'N' | 'A' => line.key = value.to_owned(),
        'b' => line.timestamp = value.to_owned(),
        'a' => line.url = text,
        'm' => line.mime = text,
        's' => line.status = text,
        'k' => line.digest = Some(labelled(value)),
        'S' => line.length = value.parse().ok(),
        'V' => line.offset = value.parse().ok(),
        'g' => line.filename = text,
        _ => {}
    }
}

fn labelled(digest: &str) -> String {
    if digest.len() == 32 && !digest.contains(':') { format!("sha1:{digest}") } else { digest.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nine_and_eleven_columns_read_alike() {
        let header = Columns::of_header(" CDX N b a m s k r M S V g\n").unwrap();
        assert_eq!(header, Columns::eleven());
        let digest = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
        let eleven = format!("a)/ 20261115215503 http://a/ text/html 200 {digest} - - 12 345 f.warc.gz");
        let nine = format!("a)/ 20261115215503 http://a/ text/html 200 {digest} - 345 f.warc.gz");
        let line = header.parse(&eleven).unwrap();
        assert_eq!((line.length, line.offset, line.filename.as_deref()), (Some(12), Some(345), Some("f.warc.gz")));
        assert_eq!(line.digest, Some(format!("sha1:{digest}")));
        let short = Columns::guess(&nine).unwrap().parse(&nine).unwrap();
        assert_eq!(short, Line { length: None, ..line });
    }

    #[test]
    fn wrong_lines_are_refused() {
        assert_eq!(Columns::nine().parse("a b c"), Err(LineError::Malformed));
        assert_eq!(Columns::nine().parse("k when u m s d r 1 f"), Err(LineError::Malformed));
        assert_eq!(Columns::nine().parse("k 2026111521550115215502 u m s d r 1 f"), Err(LineError::Malformed));
        assert_eq!(Columns::of_header("N b a"), None);
        assert_eq!(Columns::guess("a b"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC{0,120}") {
            let _ = Columns::of_header(&text);
            let _ = Columns::eleven().parse(&text);
        }
    }
}
