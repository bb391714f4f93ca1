//! Where a reader stands: the record in front, what surrounds it, and what was odd on the way here.

use crate::{
    Extent, Header, Limits, Problem, RecordFindings,
    flow::{Flow, State},
    header::HeaderOddities,
    record::Rest,
    resync::{Finder, LOOK_BYTES, Start, find_last_version_line, find_version_line, may_become_record},
    source::Source,
};
use std::io::{self, Read};

const TRAILER: &[u8] = b"\r\n\r\n";
const VERSION_LINE: &[u8] = b"WARC/";

/// The block that was handed out last and is still in front of the flow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Current {
    pub(crate) offset: u64,
    /// Bytes of the block at the front of the flow.
    pub(crate) at_hand: usize,
    /// Bytes of it still to be decoded.
    pub(crate) to_come: u64,
    /// What follows a block that is at hand whole.
    pub(crate) trailer: usize,
}

#[derive(Debug)]
pub(crate) struct Cursor<R> {
    pub(crate) flow: Flow<R>,
    pub(crate) limits: Limits,
    pub(crate) finder: Finder,
    pub(crate) findings: RecordFindings,
    pub(crate) valid_up_to: u64,
    pub(crate) current: Current,
    /// Stored bytes that were read twice to find records inside damage.
    pub(crate) rewound: u64,
    /// A record of the member at hand was handed out.
    pub(crate) begun: bool,
    /// SharedMember was reported for the member at hand.
    pub(crate) shared: bool,
}

/// A record whose header was read.
pub(crate) struct Found {
    pub(crate) offset: u64,
    pub(crate) block_len: u64,
    /// Its place, if the block is at hand whole.
    pub(crate) extent: Option<Extent>,
}

impl<R: Read> Cursor<R> {
    pub(crate) fn new(inner: R, offset: u64, limits: Limits) -> Cursor<R> {
        let room_max = limits.block_bytes_in_memory.saturating_add(limits.header_bytes).max(128 << 10);
        Cursor {
            flow: Flow::new(Source::new(inner, offset), room_max),
            limits,
            finder: Finder::new(),
            findings: RecordFindings::default(),
            valid_up_to: offset,
            current: Current::default(),
            rewound: 0,
            begun: false,
            shared: false,
        }
    }

    /// Moves to the next record and reads its header.
    pub(crate) fn advance(&mut self, header: &mut Header) -> io::Result<Option<Found>> {
        self.leave_record()?;
        loop {
            self.skip_line_ends()?;
            if self.flow.bytes().is_empty() {
                if !self.next_member()? {
                    return Ok(None);
                }
            } else if let Some(found) = self.read_record(header)? {
                return Ok(Some(found));
            }
        }
    }

    /// Passes over what is left of the record handed out before.
    fn leave_record(&mut self) -> io::Result<()> {
        if self.current.to_come > 0 {
            self.pour(&mut |_| {})?;
        }
        let Current { at_hand, trailer, .. } = std::mem::take(&mut self.current);
        self.flow.consume(at_hand + trailer);
        Ok(())
    }

    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            self.flow.fill(1)?;
            let ends = self.flow.bytes().iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
            if ends == 0 {
                return Ok(());
            }
            self.flow.consume(ends);
        }
    }

    /// Reads the header at the front of the flow and brings the block to hand. `None` when there is no record to
    /// hand out: the flow has then moved on, or its member is over.
    fn read_record(&mut self, header: &mut Header) -> io::Result<Option<Found>> {
        let offset = self.flow.offset();
        self.flow.fill(8)?;
        if Start::of(self.flow.bytes()) != Some(Start::Plain) {
            self.skip_to_version_line(offset)?;
            return Ok(None);
        }
        let Some(header_len) = self.find_header_end()? else {
            self.no_header_end(offset)?;
            return Ok(None);
        };
        let odd = header.parse(&self.flow.bytes()[..header_len]);
        self.flow.consume(header_len);
        let before = self.findings.len();
        self.report(offset, header, odd);
        let found = self.read_block(offset, header_len as u64, header)?;
        if found.is_none() {
            self.findings.forget_oddities_since(before);
        }
        Ok(found)
    }

    fn find_header_end(&mut self) -> io::Result<Option<usize>> {
        let mut want = 1 << 10;
        loop {
            self.flow.fill(want)?;
            if let Some(end) = header_end(self.flow.bytes()) {
                return Ok(Some(end).filter(|end| *end <= self.limits.header_bytes));
            }
            if self.flow.bytes().len() < want || want > self.limits.header_bytes {
                return Ok(None);
            }
            want *= 2;
        }
    }

    fn no_header_end(&mut self, offset: u64) -> io::Result<()> {
        let over = self.flow.state != State::Open && header_end(self.flow.bytes()).is_none();
        match self.flow.state {
            // With nothing at hand, the report of the bad member comes next.
            State::Torn | State::Corrupt => self.flow.consume(self.flow.bytes().len()),
            State::Ended if over && self.flow.is_plain() => self.torn(offset),
            State::Open | State::Ended => {
                self.findings.add(offset, Problem::HeaderTooLarge);
                self.skip_endless_header(offset)?;
            }
        }
        Ok(())
    }

    /// Whatever header ends next begins at the last version line before its end. The ones before that line are not
    /// tried: each would mean another look at as many bytes as a header may have.
    fn skip_endless_header(&mut self, offset: u64) -> io::Result<()> {
        let bytes = self.flow.bytes();
        let end = header_end(bytes).unwrap_or(bytes.len());
        match find_last_version_line(&bytes[..end]).filter(|last| *last > 0) {
            Some(last) => self.flow.consume(last),
            None => {
                self.flow.consume(1);
                self.skip_to_version_line(offset)?;
            }
        }
        Ok(())
    }

    /// A plain file ends here in the middle of a record.
    fn torn(&mut self, offset: u64) {
        self.findings.add(offset, Problem::Torn);
        self.flow.consume(self.flow.bytes().len());
    }

    /// Passes over decoded bytes that are no record.
    fn skip_to_version_line(&mut self, offset: u64) -> io::Result<()> {
        let mut passed = 0;
        loop {
            self.flow.fill(LOOK_BYTES)?;
            let over = self.flow.state != State::Open;
            let (bytes, found) = (self.flow.bytes(), find_version_line(self.flow.bytes()));
            if over && passed == 0 && self.flow.is_plain() && may_become_record(bytes) {
                self.torn(offset);
                return Ok(());
            }
            let pass = found.unwrap_or(if over { bytes.len() } else { bytes.len() - bytes.len().min(16) });
            self.flow.consume(pass);
            passed += pass as u64;
            if found.is_some() || over {
                break;
            }
        }
        if !matches!(self.flow.state, State::Torn | State::Corrupt) {
            self.findings.add(offset, Problem::Skipped { bytes: passed });
        }
        Ok(())
    }

    fn report(&mut self, offset: u64, header: &Header, odd: HeaderOddities) {
        let uri = header.get("WARC-Target-URI");
        let checks = [
            (odd.unknown_version, Problem::UnknownVersion),
            (odd.folded, Problem::FoldedHeader),
            (odd.line_without_colon, Problem::HeaderLineWithoutColon),
            (odd.not_utf8, Problem::HeaderNotUtf8),
            (odd.bare_line_feeds, Problem::BareLineFeeds),
            (uri.is_some_and(|uri| uri.starts_with('<')), Problem::BracketedUri),
        ];
        checks.into_iter().filter(|(is, _)| *is).for_each(|(_, problem)| self.findings.add(offset, problem));
    }

    fn read_block(&mut self, offset: u64, header_len: u64, header: &Header) -> io::Result<Option<Found>> {
        let declared = header.content_length();
        if declared.is_none() {
            self.findings.add(offset, Problem::BadContentLength);
        }
        let limit = self.limits.block_bytes_in_memory;
        let len = match declared {
            Some(len) => len,
            None if self.flow.is_plain() => 0,
            None => {
                self.flow.fill(limit)?;
                self.flow.bytes().strip_suffix(TRAILER).unwrap_or(self.flow.bytes()).len() as u64
            }
        };
        match usize::try_from(len).ok().filter(|len| *len <= limit) {
            Some(len) => self.whole_block(offset, header_len, len),
            None => self.large_block(offset, len),
        }
    }

    fn whole_block(&mut self, offset: u64, header_len: u64, len: usize) -> io::Result<Option<Found>> {
        self.flow.fill(len + TRAILER.len() + VERSION_LINE.len())?;
        let available = self.flow.bytes().len();
        match self.flow.state {
            State::Open | State::Torn | State::Corrupt if !self.flow.is_plain() && !self.another_follows(len) => {
                return Ok(None);
            }
            State::Ended if available < len && self.flow.is_plain() => {
                self.torn(offset);
                return Ok(None);
            }
            _ => {}
        }
        let at_hand = available.min(len);
        if at_hand < len {
            let problem = Problem::WrongContentLength { declared: len as u64, found: at_hand as u64 };
            self.findings.add(offset, problem);
        }
        let trailer = self.judge_trailer(offset, at_hand, len as u64);
        self.current = Current { offset, at_hand, to_come: 0, trailer };
        let extent = self.close_record(offset, header_len + at_hand as u64, trailer);
        Ok(Some(Found { offset, block_len: at_hand as u64, extent: Some(extent) }))
    }

    /// Whether the block at the front is followed by another record. In a compressed member whose end we have not
    /// seen, nothing less shows that the bytes are those that were written.
    fn another_follows(&self, len: usize) -> bool {
        let after = self.flow.bytes().get(len..).and_then(|after| after.strip_prefix(TRAILER));
        after.is_some_and(|after| after.starts_with(VERSION_LINE))
    }

    /// How many line ends follow the block, with findings about anything else that does.
    fn judge_trailer(&mut self, offset: u64, block: usize, declared: u64) -> usize {
        let after = &self.flow.bytes()[block..];
        let whole = after.starts_with(TRAILER);
        let trailer = if whole { 4 } else { after.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count().min(4) };
        let rest = &after[trailer..];
        let more = !rest.is_empty();
        if more && !self.flow.is_plain() && Start::of(rest).is_none() && self.flow.state == State::Ended {
            let found = (after.strip_suffix(TRAILER).unwrap_or(after).len() + block) as u64;
            self.findings.add(offset, Problem::WrongContentLength { declared, found });
        } else {
            if !whole {
                self.findings.add(offset, Problem::MissingTrailer);
            }
            if more && !self.flow.is_plain() {
                self.report_shared();
            }
        }
        trailer
    }

    fn report_shared(&mut self) {
        if !std::mem::replace(&mut self.shared, true) {
            self.findings.add(self.flow.member, Problem::SharedMember);
        }
    }

    /// The record is whole: notes how far the file is good and says where the record stands.
    fn close_record(&mut self, offset: u64, plain_len: u64, trailer: usize) -> Extent {
        if self.flow.is_plain() {
            self.valid_up_to = offset + plain_len + trailer as u64;
            return Extent { offset, length: plain_len };
        }
        if std::mem::replace(&mut self.begun, true) {
            self.report_shared();
        }
        let end = self.flow.source.offset();
        if self.flow.state == State::Ended && !self.shared {
            self.valid_up_to = end;
        }
        Extent { offset, length: end - offset }
    }

    fn large_block(&mut self, offset: u64, len: u64) -> io::Result<Option<Found>> {
        self.flow.fill(self.limits.block_bytes_in_memory)?;
        let at_hand = self.flow.bytes().len().min(self.limits.block_bytes_in_memory);
        self.current = Current { offset, at_hand, to_come: len - at_hand as u64, trailer: 0 };
        Ok(Some(Found { offset, block_len: len, extent: None }))
    }
}

impl<R: Read> Rest for Cursor<R> {
    fn start(&self) -> &[u8] {
        &self.flow.bytes()[..self.current.at_hand]
    }

    fn pour(&mut self, sink: &mut dyn FnMut(&[u8])) -> io::Result<Option<Extent>> {
        let Current { offset, at_hand, to_come, .. } = std::mem::take(&mut self.current);
        self.flow.consume(at_hand);
        let mut left = to_come;
        while left > 0 {
            self.flow.fill(1)?;
            let count = self.flow.bytes().len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if count == 0 {
                self.large_block_ended(offset, at_hand as u64 + to_come, left);
                return Ok(None);
            }
            sink(&self.flow.bytes()[..count]);
            self.flow.consume(count);
            left -= count as u64;
        }
        self.flow.fill(TRAILER.len() + 1)?;
        if matches!(self.flow.state, State::Torn | State::Corrupt) {
            return Ok(None);
        }
        let end = self.flow.offset();
        let trailer = self.judge_trailer(offset, 0, at_hand as u64 + to_come);
        self.flow.consume(trailer);
        Ok(Some(self.close_record(offset, end - offset, trailer)))
    }
}

impl<R: Read> Cursor<R> {
    /// Bad members are reported when they are left; a short block in a good one is reported here.
    fn large_block_ended(&mut self, offset: u64, declared: u64, missing: u64) {
        match self.flow.state {
            State::Ended if self.flow.is_plain() => self.torn(offset),
            State::Ended => {
                self.findings.add(offset, Problem::WrongContentLength { declared, found: declared - missing });
            }
            State::Open | State::Torn | State::Corrupt => {}
        }
    }
}

/// Length of the header at the start of `bytes`, empty line included.
fn header_end(bytes: &[u8]) -> Option<usize> {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        if matches!(&bytes[start..end], b"" | b"\r") {
            return Some(end + 1);
        }
        start = end + 1;
    }
    None
}
