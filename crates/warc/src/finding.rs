//! What is odd about foreign (or damaged) bytes, said without giving up on them.

use std::fmt;

/// One oddity and where it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFinding {
    /// Byte offset in the file as stored: the start of the record or member concerned.
    pub offset: u64,
    pub problem: Problem,
}

/// The kinds of oddity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The file ends inside a record; everything before the finding's offset is whole.
    Torn,
    /// A compressed member does not inflate or fails its checksum.
    CorruptMember,
    /// Bytes that belong to no record were passed over to find the next one.
    Skipped { bytes: u64 },
    /// Several records share one compressed member, so they cannot be looked up by offset.
    SharedMember,
    /// The first line is not a WARC version we know.
    UnknownVersion,
    /// No WARC-Type, or none of the standard's.
    UnknownType,
    /// A header that did not end within the limit.
    HeaderTooLarge,
    /// Not UTF-8; read as ISO-8859-1.
    HeaderNotUtf8,
    /// A header value continued on a further line.
    FoldedHeader,
    /// A header line without a colon, left out.
    HeaderLineWithoutColon,
    /// Header lines end in LF alone.
    BareLineFeeds,
    /// Content-Length is missing or not a number; the block was taken to reach the end of its member.
    BadContentLength,
    /// Content-Length says something else than the member holds.
    WrongContentLength { declared: u64, found: u64 },
    /// The record is not followed by two line ends.
    MissingTrailer,
    /// WARC-Target-URI stands in angle brackets.
    BracketedUri,
    /// WARC-Record-ID, WARC-Date or another mandatory field is missing or unreadable.
    BadField { name: &'static str },
    /// Two records carry the same WARC-Record-ID.
    RepeatedId,
    /// The bytes do not have the digest the record states.
    WrongDigest { field: &'static str },
    /// A digest in an algorithm or form we do not read; nothing was checked.
    UnknownDigest { field: &'static str },
    /// The payload digest is over the chunk framing, as wget writes it, instead of over the body.
    DigestOverChunks,
    /// The block of a response does not begin with an HTTP head.
    NoHttpHead,
    /// A duplicate record whose original is not there.
    OriginalMissing,
    /// A duplicate record that does not name its original by URL and date.
    OriginalUnnamed,
}

impl Problem {
    /// Whether content is lost or not what it claims to be, as opposed to merely unusual form.
    pub fn is_damage(&self) -> bool {
        use Problem::*;
        matches!(
            self,
            Torn | CorruptMember
                | Skipped { .. }
                | HeaderTooLarge
                | BadContentLength
                | WrongContentLength { .. }
                | BadField { .. }
                | RepeatedId
                | WrongDigest { .. }
                | OriginalMissing
        )
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Problem::Torn => "the file ends inside a record",
            Problem::CorruptMember => "a compressed member is damaged",
            Problem::Skipped { bytes } => return write!(f, "{bytes} bytes belong to no record"),
            Problem::SharedMember => "several records share one compressed member",
            Problem::UnknownVersion => "not a WARC version we know",
            Problem::UnknownType => "the record type is missing or unknown",
            Problem::HeaderTooLarge => "the record header does not end",
            Problem::HeaderNotUtf8 => "the record header is not UTF-8",
            Problem::FoldedHeader => "a header value is folded over lines",
            Problem::HeaderLineWithoutColon => "a header line has no colon",
            Problem::BareLineFeeds => "header lines end in LF alone",
            Problem::BadContentLength => "Content-Length is missing or not a number",
            Problem::WrongContentLength { declared, found } => {
                return write!(f, "Content-Length is {declared}, the block has {found} bytes");
            }
            Problem::MissingTrailer => "the record is not followed by two line ends",
            Problem::BracketedUri => "WARC-Target-URI stands in angle brackets",
            Problem::BadField { name } => return write!(f, "{name} is missing or unreadable"),
            Problem::RepeatedId => "another record has the same WARC-Record-ID",
            Problem::WrongDigest { field } => return write!(f, "the bytes do not have the digest of {field}"),
            Problem::UnknownDigest { field } => return write!(f, "{field} is in a form that cannot be checked"),
            Problem::DigestOverChunks => "the payload digest is over the chunk framing",
            Problem::NoHttpHead => "the response has no HTTP head",
            Problem::OriginalMissing => "a duplicate record points at nothing",
            Problem::OriginalUnnamed => "a duplicate record does not name its original by URL and date",
        };
        f.write_str(text)
    }
}

impl fmt::Display for RecordFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.problem)
    }
}

/// RecordFindings so far: the first ones in full, then only their number, so that a hostile file cannot fill memory.
#[derive(Clone, Debug, Default)]
pub struct RecordFindings {
    kept: Vec<RecordFinding>,
    left_out: u64,
}

impl RecordFindings {
    /// How many are kept in full.
    pub const KEPT: usize = 10_000;

    pub fn add(&mut self, offset: u64, problem: Problem) {
        if self.kept.len() < Self::KEPT {
            self.kept.push(RecordFinding { offset, problem });
        } else {
            self.left_out += 1;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.kept.len() + self.left_out as usize
    }

    pub fn iter(&self) -> impl Iterator<Item = &RecordFinding> {
        self.kept.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// RecordFindings beyond [`RecordFindings::KEPT`].
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// In the order of the file.
    pub(crate) fn sort(&mut self) {
        self.kept.sort_by_key(|finding| finding.offset);
    }

    /// Drops what was said about the form of a record that will not be handed out after all: its damage says enough.
    pub(crate) fn forget_oddities_since(&mut self, count: usize) {
        // Only the last few are looked at: a file may hold millions of such records.
        let from = count.min(self.kept.len());
        self.kept.extract_if(from.., |finding| !finding.problem.is_damage()).for_each(drop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oddities_are_forgotten_only_from_where_they_were_counted() {
        let mut findings = RecordFindings::default();
        let problems = [Problem::BareLineFeeds, Problem::Torn, Problem::FoldedHeader, Problem::CorruptMember];
        problems.into_iter().zip(0..).for_each(|(problem, offset)| findings.add(offset, problem));
        findings.forget_oddities_since(1);
        let left: Vec<u64> = findings.iter().map(|finding| finding.offset).collect();
        assert_eq!(left, [0, 1, 3]);
        findings.forget_oddities_since(9);
        assert_eq!(findings.len(), 3);
    }
}
