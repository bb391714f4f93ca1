//! From member to member, over damage and whatever else is no record.

use crate::{
    Problem,
    cursor::Cursor,
    flow::State,
    resync::{LOOK_BYTES, Start, may_become_record},
};
use std::io::{self, Read};

/// Stored bytes that may be read a second time whatever the length of the file; beyond, twice its length.
const REWOUND_MAX: u64 = 16 << 20;

impl<R: Read> Cursor<R> {
    /// Closes the member at hand and opens the next; `false` at the end of the file.
    pub(crate) fn next_member(&mut self) -> io::Result<bool> {
        match self.flow.state {
            State::Open | State::Ended => {
                if self.shared {
                    self.valid_up_to = self.flow.source.offset();
                }
            }
            State::Torn => self.abandon_member(Problem::Torn)?,
            State::Corrupt => self.abandon_member(Problem::CorruptMember)?,
        }
        (self.begun, self.shared) = (false, false);
        self.skip_stored_line_ends()?;
        self.flow.source.fill(LOOK_BYTES)?;
        if self.flow.source.bytes().is_empty() {
            return Ok(false);
        }
        let start = match Start::of(self.flow.source.bytes()) {
            Some(start) => start,
            None => match self.resynchronise()? {
                Some(start) => start,
                None => return Ok(false),
            },
        };
        self.flow.open(start)?;
        Ok(true)
    }

    fn skip_stored_line_ends(&mut self) -> io::Result<()> {
        self.flow.source.fill(1)?;
        while let Some(b'\r' | b'\n') = self.flow.source.bytes().first() {
            self.flow.source.consume(1);
            self.flow.source.fill(1)?;
        }
        Ok(())
    }

    /// Reports a bad member, goes back to its start if possible and forward to the next record.
    fn abandon_member(&mut self, problem: Problem) -> io::Result<()> {
        let member = self.flow.member;
        self.findings.add(member, problem);
        self.flow.state = State::Ended;
        self.rewind_if_affordable();
        if self.flow.source.offset() == member && !self.flow.source.bytes().is_empty() {
            self.flow.source.consume(1);
        }
        if self.seek_record()? {
            let bytes = self.flow.source.offset() - member;
            self.findings.add(member, Problem::Skipped { bytes });
        }
        Ok(())
    }

    /// Goes back to the start of a bad member: the next record may begin inside what was taken for it. Bytes made to
    /// look like members inside members would be read again and again, so there is a budget.
    fn rewind_if_affordable(&mut self) {
        let (here, member) = (self.flow.source.offset(), self.flow.member);
        if self.rewound <= REWOUND_MAX + 2 * here {
            self.rewound += here - member;
            self.flow.source.rewind();
        }
    }

    /// From bytes that begin no record to the next that do, with a finding.
    fn resynchronise(&mut self) -> io::Result<Option<Start>> {
        let from = self.flow.source.offset();
        if self.flow.source.ended() && may_become_record(self.flow.source.bytes()) {
            self.findings.add(from, Problem::Torn);
            return Ok(None);
        }
        let found = self.seek_record()?;
        self.findings.add(from, Problem::Skipped { bytes: self.flow.source.offset() - from });
        Ok(if found { Start::of(self.flow.source.bytes()) } else { None })
    }

    /// Moves the source to the next sure start of a record, or to its end.
    fn seek_record(&mut self) -> io::Result<bool> {
        loop {
            self.flow.source.fill(LOOK_BYTES * 4)?;
            let (bytes, last) = (self.flow.source.bytes(), self.flow.source.ended());
            if let Some(at) = self.finder.find(bytes, last) {
                self.flow.source.consume(at);
                return Ok(true);
            }
            let pass = if last { bytes.len() } else { bytes.len() - LOOK_BYTES };
            self.flow.source.consume(pass);
            if last {
                return Ok(false);
            }
        }
    }
}
