//! A miner as it is stored.

use super::{BUDGET_MAX, BUDGET_MIN, Cell, HALF_LIVES, PatternKind, Shown, Stream, Table};
use crate::media::names::NAMES_MAX;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Counts of another version are not read: they are learned anew.
const VERSION: u32 = 1;

/// Everything but the batch, which is folded first.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Saved {
    version: u32,
    budget: usize,
    half_life: u64,
    seen: u64,
    names: Vec<String>,
    whole: SavedTable,
    stretches: Vec<(Range<u64>, SavedTable)>,
    texts: Vec<SavedText>,
}

/// Floors, and patterns with their count, error, other types, and types.
#[derive(Debug, Serialize, Deserialize)]
struct SavedTable {
    floors: Vec<u32>,
    cells: Vec<SavedCell>,
}

type SavedCell = (u64, u32, u32, u32, Vec<(u16, u32)>);
/// Pattern, number of the kind, bytes of the domain, text.
type SavedText = (u64, u8, u8, String);

impl From<Stream> for Saved {
    fn from(mut stream: Stream) -> Saved {
        stream.fold();
        let texts = stream.texts.iter();
        Saved {
            version: VERSION,
            budget: stream.budget,
            half_life: stream.half_life,
            seen: stream.seen,
            names: stream.names.iter().map(|(_, name)| name.to_owned()).collect(),
            whole: SavedTable::of(&stream.whole),
            stretches: stream.stretches.iter().map(|old| (old.uris.clone(), SavedTable::of(&old.table))).collect(),
            texts: texts
                .map(|text| (text.key, text.kind as u8, text.domain.len() as u8, text.text.to_owned()))
                .collect(),
        }
    }
}

impl TryFrom<Saved> for Stream {
    type Error = String;

    fn try_from(saved: Saved) -> Result<Stream, String> {
        if saved.version != VERSION {
            return Err(format!("patterns of version {}, not {VERSION}", saved.version));
        }
        if !(BUDGET_MIN..=BUDGET_MAX).contains(&saved.budget) || !HALF_LIVES.contains(&saved.half_life) {
            return Err("patterns of an impossible size".to_owned());
        }
        let mut stream = Stream::new(saved.budget).halving_every(saved.half_life);
        stream.seen = saved.seen;
        if saved.names.len() > NAMES_MAX || saved.names.iter().any(|name| stream.names.intern(name).is_none()) {
            return Err("patterns with names that are no media types".to_owned());
        }
        let types = stream.names.len();
        saved.whole.restore(&mut stream.whole, types)?;
        for (uris, table) in saved.stretches {
            table.restore(stream.stretches.restore(uris).ok_or("stretches with gaps")?, types)?;
        }
        for (key, kind, domain, text) in &saved.texts {
            let kind = *PatternKind::ALL.get(usize::from(*kind)).ok_or("a pattern of no kind")?;
            let domain = text.get(..usize::from(*domain)).ok_or("a pattern without its domain")?;
            let shown = Shown { key: *key, kind, text, domain };
            stream.texts.keep(shown, |key| stream.whole.get(key).map_or(1, Cell::count));
        }
        Ok(stream)
    }
}

impl SavedTable {
    fn of(table: &Table) -> SavedTable {
        let cell = |(key, cell): (u64, &Cell)| {
            let types = cell.types().map(|(media_type, count)| (media_type.0, count)).collect();
            (key, cell.count(), cell.count() - cell.surely(), cell.other(), types)
        };
        SavedTable { floors: table.floors().collect(), cells: table.iter().map(cell).collect() }
    }

    fn restore(&self, table: &mut Table, types: usize) -> Result<(), String> {
        if !table.raise(&self.floors) {
            return Err("patterns in another order".to_owned());
        }
        for (key, count, error, other, with) in &self.cells {
            let are_known = with.iter().all(|(media_type, _)| usize::from(*media_type) < types);
            let cell = Cell::restored(*count, *error, *other, with).filter(|_| are_known && *key != 0);
            table.restore(*key, cell.ok_or("counts that contradict one another")?);
        }
        Ok(())
    }
}
