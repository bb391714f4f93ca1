//! Comma-separated text (RFC 4180) in rows: one at a time, in memory that does not grow with the file.

use super::malformed::{Fault, Malformed};
use memchr::{memchr, memchr_iter, memchr2};
use std::{
    io::{self, Read},
    ops::Range,
};

/// No longer row is read: room for the longest path with every byte of it quoted, and much beside.
pub const ROW_BYTES_MAX: usize = 64 << 10;
/// Bytes of the file in memory.
const BUFFER_BYTES: usize = 4 * ROW_BYTES_MAX;

/// The rows of a file.
pub(crate) struct Rows<R> {
    input: R,
    buffer: Vec<u8>,
    /// The part of the buffer that is still to be read.
    left: Range<usize>,
    ended: bool,
    /// Line at which the next row begins, from 1.
    line: u64,
    fields: Vec<Range<usize>>,
    /// The fields of a row that has quotes, without them.
    unquoted: String,
}

/// One row, and the line it begins at.
pub(crate) struct Row<'a> {
    pub(crate) line: u64,
    text: &'a str,
    fields: &'a [Range<usize>],
}

impl<'a> Row<'a> {
    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// The field at that place, which must be there.
    pub(crate) fn field(&self, place: usize) -> &'a str {
        &self.text[self.fields[place].clone()]
    }
}

impl<R: Read> Rows<R> {
    pub(crate) fn new(input: R) -> Rows<R> {
        Rows {
            input,
            buffer: vec![0; BUFFER_BYTES],
            left: 0..0,
            ended: false,
            line: 1,
            fields: Vec::new(),
            unquoted: String::new(),
        }
    }

    /// The next row that is not empty.
    pub(crate) fn next(&mut self) -> Result<Option<Row<'_>>, Malformed> {
        let (row, line) = loop {
            let line = self.line;
            match self.advance().map_err(|what| Malformed { line, what })? {
                None => return Ok(None),
                Some(row) if row.is_empty() => {}
                Some(row) => break (row, line),
            }
        };
        let text = split(&self.buffer[row], &mut self.fields, &mut self.unquoted);
        let text = text.map_err(|what| Malformed { line, what })?;
        Ok(Some(Row { line, text, fields: &self.fields }))
    }

    /// Moves past the next row and says where in the buffer it lies, without its line end.
    fn advance(&mut self) -> Result<Option<Range<usize>>, Fault> {
        let len = loop {
            let left = &self.buffer[self.left.clone()];
            match row_len(left) {
                Some(len) => break len,
                None if self.ended => break left.len(),
                None if left.len() > ROW_BYTES_MAX => return Err(Fault::RowTooLong),
                None => self.fill()?,
            }
        };
        if len > ROW_BYTES_MAX {
            return Err(Fault::RowTooLong);
        }
        let start = self.left.start;
        let row = &self.buffer[start..start + len];
        let text = row.strip_suffix(b"\n").map_or(row, |text| text.strip_suffix(b"\r").unwrap_or(text));
        let end = start + text.len();
        self.line += 1 + memchr_iter(b'\n', text).count() as u64;
        self.left.start += len;
        Ok((len > 0).then_some(start..end))
    }

    /// Reads more behind what is left.
    fn fill(&mut self) -> Result<(), Fault> {
        self.buffer.copy_within(self.left.clone(), 0);
        self.left = 0..self.left.len();
        let read = loop {
            match self.input.read(&mut self.buffer[self.left.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(Fault::Torn),
                other => break other.map_err(Fault::Read)?,
            }
        };
        self.ended = read == 0;
        self.left.end += read;
        Ok(())
    }
}

/// Length of the first row with its line end; `None` if it does not end in these bytes.
fn row_len(bytes: &[u8]) -> Option<usize> {
    let end = memchr(b'\n', bytes)?;
    match memchr(b'"', &bytes[..end]) {
        None => Some(end + 1),
        Some(_) => quoted_row_len(bytes),
    }
}

/// The same where a line end may be part of a quoted field.
fn quoted_row_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        if bytes.get(at) == Some(&b'"') {
            at = after_quotes(bytes, at + 1)?;
        }
        at += memchr2(b',', b'\n', &bytes[at..])? + 1;
        if bytes[at - 1] == b'\n' {
            return Some(at);
        }
    }
}

/// The place behind the quote that ends a field; two in a row are one that belongs to it.
fn after_quotes(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'"', &bytes[at..])? + 1;
        if *bytes.get(at)? != b'"' {
            return Some(at);
        }
        at += 1;
    }
}

/// Finds the fields of a row. Returns the text they lie in: the row itself, or what it is without its quotes.
fn split<'a>(row: &'a [u8], fields: &mut Vec<Range<usize>>, unquoted: &'a mut String) -> Result<&'a str, Fault> {
    let text = std::str::from_utf8(row).map_err(|_| Fault::NotUtf8)?;
    fields.clear();
    if memchr(b'"', row).is_none() {
        split_plain(text, fields);
        return Ok(text);
    }
    unquoted.clear();
    split_quoted(text, fields, unquoted).ok_or(Fault::Quotes)?;
    Ok(unquoted)
}

fn split_plain(text: &str, fields: &mut Vec<Range<usize>>) {
    let mut start = 0;
    for comma in memchr_iter(b',', text.as_bytes()) {
        fields.push(start..comma);
        start = comma + 1;
    }
    fields.push(start..text.len());
}

/// Splits and takes off the quotes. A quote inside a field that does not begin with one stands for itself.
fn split_quoted(mut text: &str, fields: &mut Vec<Range<usize>>, out: &mut String) -> Option<()> {
    loop {
        let start = out.len();
        let after = match text.strip_prefix('"') {
            Some(inner) => unquote(inner, out)?,
            None => {
                let end = memchr(b',', text.as_bytes()).unwrap_or(text.len());
                out.push_str(&text[..end]);
                &text[end..]
            }
        };
        fields.push(start..out.len());
        match after.strip_prefix(',') {
            Some(rest) => text = rest,
            None => return after.is_empty().then_some(()),
        }
    }
}

/// Appends what stands up to the closing quote and returns what stands behind it.
fn unquote<'a>(mut text: &'a str, out: &mut String) -> Option<&'a str> {
    loop {
        let (inside, after) = text.split_once('"')?;
        out.push_str(inside);
        match after.strip_prefix('"') {
            Some(rest) => text = rest,
            None => return Some(after),
        }
        out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Result<Vec<(u64, Vec<String>)>, Malformed> {
        let mut rows = Rows::new(text);
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push((row.line, (0..row.len()).map(|place| row.field(place).to_owned()).collect()));
        }
        Ok(all)
    }

    fn fields(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn quotes_line_ends_and_empty_lines_are_read_as_the_standard_says() {
        let text = b"a,b\r\n\n\"x,\"\"y\"\"\nz\",\nlast,\"\"\n\nq\"r,s";
        let want = vec![
            (1, fields(&["a", "b"])),
            (3, fields(&["x,\"y\"\nz", ""])),
            (5, fields(&["last", ""])),
            (7, fields(&["q\"r", "s"])),
        ];
        assert_eq!(all(text).unwrap(), want);
        assert_eq!(all(b"").unwrap(), []);
    }

    #[test]
    fn what_is_no_row_is_refused_where_it_begins() {
        let refused = |text: &[u8]| all(text).map_err(|bad| (bad.line, format!("{:?}", bad.what))).unwrap_err();
        assert_eq!(refused(b"a\n\"b\nc"), (2, "Quotes".to_owned()));
        assert_eq!(refused(b"a\nb\n\"c\"d\n"), (3, "Quotes".to_owned()));
        assert_eq!(refused(b"a\n\xff\n"), (2, "NotUtf8".to_owned()));
        let long = |len: usize| ["a\n", &"x".repeat(len), "\n"].concat().into_bytes();
        assert_eq!(all(&long(ROW_BYTES_MAX - 1)).unwrap().len(), 2);
        assert_eq!(refused(&long(ROW_BYTES_MAX)), (2, "RowTooLong".to_owned()));
        assert_eq!(refused(&long(9 * BUFFER_BYTES)), (2, "RowTooLong".to_owned()));
        let open = ["a\n\"", &"\n".repeat(9 * BUFFER_BYTES)].concat();
        assert_eq!(refused(open.as_bytes()), (2, "RowTooLong".to_owned()));
    }

    #[test]
    fn rows_are_whole_wherever_the_buffer_ends() {
        let text: String = (0..50_000).map(|n| format!("{n},\"{n}\"\n")).collect();
        let rows = all(text.as_bytes()).unwrap();
        assert!(text.len() > 2 * BUFFER_BYTES);
        for (n, row) in rows.iter().enumerate() {
            assert_eq!(row, &(n as u64 + 1, vec![n.to_string(), n.to_string()]));
        }
        assert_eq!(rows.len(), 50_000);
    }
}
