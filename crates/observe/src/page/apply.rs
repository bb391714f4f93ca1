//! From one version's blocks to the other's.
//!
//! A delta may come from anywhere, so every number and every word in it is held against the layout it is applied to.

use super::{
    delta::{Delta, Operation},
    element::{Content, Element, items},
    layout::{BlockShape, Layout},
    sequence::Hunk,
};
use hashbrown::HashMap;

/// The delta is not one of this layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the delta does not belong to this version of the page")
    }
}

impl std::error::Error for Mismatch {}

impl Delta {
    /// The new version's blocks, from those of the old one.
    pub fn apply(&self, old: &Layout) -> Result<Layout, Mismatch> {
        let plan = Plan::of(self, old)?;
        let mut rest = (0..old.len() as u32).filter(|from| !plan.taken[*from as usize]);
        let mut new = Layout::default();
        for (to, source) in plan.places.iter().enumerate() {
            match source {
                Some(Source::Inserted(shape, content)) => {
                    new.push(*shape, Element::ALL.map(|element| content.of(element)));
                }
                Some(Source::Old(from)) => plan.copy(old, *from, to as u32, &mut new)?,
                None => plan.copy(old, rest.next().ok_or(Mismatch)?, to as u32, &mut new)?,
            }
        }
        Ok(new)
    }

    /// The old version's blocks, from those of the new one.
    pub fn apply_back(&self, new: &Layout) -> Result<Layout, Mismatch> {
        self.inverse().apply(new)
    }
}

#[derive(Clone, Copy)]
enum Source<'d> {
    Inserted(BlockShape, &'d Content),
    Old(u32),
}

/// Where every block of the new version comes from.
struct Plan<'d> {
    places: Vec<Option<Source<'d>>>,
    /// Old blocks that do not simply follow the one before.
    taken: Vec<bool>,
    reshaped: HashMap<u32, (u32, BlockShape, BlockShape)>,
    updated: HashMap<(u32, Element), (u32, &'d [Hunk])>,
}

impl<'d> Plan<'d> {
    fn of(delta: &'d Delta, old: &Layout) -> Result<Plan<'d>, Mismatch> {
        let count = |wanted: fn(&Operation) -> bool| delta.operations.iter().filter(|each| wanted(each)).count();
        let inserted = count(|operation| matches!(operation, Operation::Insert { .. }));
        let deleted = count(|operation| matches!(operation, Operation::Delete { .. }));
        let len = (old.len() + inserted).checked_sub(deleted).ok_or(Mismatch)?;
        let mut plan = Plan {
            places: vec![None; len],
            taken: vec![false; old.len()],
            reshaped: HashMap::new(),
            updated: HashMap::new(),
        };
        delta.operations.iter().try_for_each(|operation| plan.add(operation, old))?;
        Ok(plan)
    }

    fn add(&mut self, operation: &'d Operation, old: &Layout) -> Result<(), Mismatch> {
        match operation {
            Operation::Insert { to, shape, content } => self.place(*to, Source::Inserted(*shape, content)),
            Operation::Delete { from, shape, content } => {
                self.take(*from)?;
                let block = old.block(*from as usize);
                let same = block.shape() == *shape && Element::ALL.iter().all(|e| block.of(*e) == content.of(*e));
                if same { Ok(()) } else { Err(Mismatch) }
            }
            Operation::Move { from, to, count } => {
                let end = |start: u32, len: usize| start.checked_add(*count).filter(|end| *end as usize <= len);
                let olds = *from..end(*from, old.len()).ok_or(Mismatch)?;
                let news = *to..end(*to, self.places.len()).ok_or(Mismatch)?;
                olds.zip(news).try_for_each(|(from, to)| {
                    self.take(from)?;
                    self.place(to, Source::Old(from))
                })
            }
            Operation::Reshape { from, to, before, after } => {
                self.reshaped.insert(*to, (*from, *before, *after));
                Ok(())
            }
            Operation::Update { from, to, element, hunks } => {
                self.updated.insert((*to, *element), (*from, hunks));
                Ok(())
            }
        }
    }

    fn take(&mut self, from: u32) -> Result<(), Mismatch> {
        match self.taken.get_mut(from as usize) {
            Some(taken) if !*taken => *taken = true,
            _ => return Err(Mismatch),
        }
        Ok(())
    }

    fn place(&mut self, to: u32, source: Source<'d>) -> Result<(), Mismatch> {
        match self.places.get_mut(to as usize) {
            Some(place) if place.is_none() => *place = Some(source),
            _ => return Err(Mismatch),
        }
        Ok(())
    }

    /// Adds an old block to the new version, with all that changed in it.
    fn copy(&self, old: &Layout, from: u32, to: u32, new: &mut Layout) -> Result<(), Mismatch> {
        let block = old.block(from as usize);
        let shape = match self.reshaped.get(&to) {
            None => block.shape(),
            Some((origin, before, after)) if *origin == from && *before == block.shape() => *after,
            Some(_) => return Err(Mismatch),
        };
        let mut content = Content::default();
        for element in Element::ALL {
            let list = content.of_mut(element);
            match self.updated.get(&(to, element)) {
                None => list.push_str(block.of(element)),
                Some((origin, hunks)) if *origin == from => patch(block.of(element), hunks, element, list)?,
                Some(_) => return Err(Mismatch),
            }
        }
        new.push(shape, Element::ALL.map(|element| content.of(element)));
        Ok(())
    }
}

/// Writes a list with these hunks done.
fn patch(list: &str, hunks: &[Hunk], element: Element, out: &mut String) -> Result<(), Mismatch> {
    let mut old = items(list, element);
    let mut at = 0;
    let mut put = |item: &str| {
        if !out.is_empty() {
            out.push(element.separator());
        }
        out.push_str(item);
    };
    for hunk in hunks {
        while at < hunk.at {
            put(old.next().ok_or(Mismatch)?);
            at += 1;
        }
        for removed in items(&hunk.removed, element) {
            if old.next() != Some(removed) {
                return Err(Mismatch);
            }
            at += 1;
        }
        items(&hunk.inserted, element).for_each(&mut put);
    }
    old.for_each(put);
    Ok(())
}
