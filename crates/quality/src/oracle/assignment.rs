//! The cheapest way to give every row a column of its own.

/// For every row its column, all different, with the smallest sum of `cost[row * columns + column]`.
///
/// Jonker and Volgenant's form of the Hungarian method: rows are placed one by one along the cheapest chain of
/// displacements, found by Dijkstra's algorithm on costs that prices keep from being negative. O(rows² · columns).
///
/// # Panics
/// If there are more rows than columns, or costs are missing or not finite.
pub fn assignment(cost: &[f64], rows: usize, columns: usize) -> Vec<usize> {
    assert!(rows <= columns, "every row gets a column");
    assert_eq!(cost.len(), rows * columns, "a cost for each pair");
    assert!(cost.iter().all(|cost| cost.is_finite()), "costs are numbers");
    let mut placement =
        Placement { cost, row_price: vec![0.0; rows], column_price: vec![0.0; columns], owner: vec![None; columns] };
    (0..rows).for_each(|row| placement.place(row));
    let mut column_of = vec![0; rows];
    for (column, owner) in placement.owner.iter().enumerate() {
        if let Some(row) = *owner {
            column_of[row] = column;
        }
    }
    column_of
}

/// Some rows placed as cheaply as possible. No cost is below the prices of its row and column, and those of placed pairs
/// are equal to them.
struct Placement<'a> {
    cost: &'a [f64],
    row_price: Vec<f64>,
    column_price: Vec<f64>,
    owner: Vec<Option<usize>>,
}

/// What the search for a free column knows of a column.
#[derive(Clone, Copy)]
struct Reached {
    length: f64,
    /// The column whose owner would move here; none if it is the new row itself.
    through: Option<usize>,
    settled: bool,
}

impl Placement<'_> {
    fn place(&mut self, row: usize) {
        let (reached, free) = self.search(row);
        self.reprice(row, &reached, reached[free].length);
        let mut column = free;
        while let Some(previous) = reached[column].through {
            self.owner[column] = self.owner[previous];
            column = previous;
        }
        self.owner[column] = Some(row);
    }

    /// The cheapest chain of displacements from `row` to a free column.
    fn search(&self, row: usize) -> (Vec<Reached>, usize) {
        let columns = self.owner.len();
        let mut reached = vec![Reached { length: f64::INFINITY, through: None, settled: false }; columns];
        let (mut mover, mut through, mut length) = (row, None, 0.0);
        loop {
            let costs = &self.cost[mover * columns..][..columns];
            let mut nearest = None;
            let mut nearest_length = f64::INFINITY;
            for (column, known) in reached.iter_mut().enumerate().filter(|(_, known)| !known.settled) {
                let reduced = costs[column] - self.row_price[mover] - self.column_price[column];
                if length + reduced < known.length {
                    (known.length, known.through) = (length + reduced, through);
                }
                if known.length < nearest_length {
                    (nearest, nearest_length) = (Some(column), known.length);
                }
            }
            let column = nearest.expect("there are as many columns as rows");
            reached[column].settled = true;
            length = nearest_length;
            match self.owner[column] {
                Some(owner) => (mover, through) = (owner, Some(column)),
                None => return (reached, column),
            }
        }
    }

    fn reprice(&mut self, row: usize, reached: &[Reached], length: f64) {
        self.row_price[row] += length;
        for (column, known) in reached.iter().enumerate().filter(|(_, known)| known.settled) {
            self.column_price[column] -= length - known.length;
            if let Some(owner) = self.owner[column] {
                self.row_price[owner] += length - known.length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::close;
    use proptest::{collection::vec, prelude::*};

    fn slowly(cost: &[f64], columns: usize, used: u32) -> f64 {
        let Some((row, rest)) = cost.split_at_checked(columns).filter(|(row, _)| !row.is_empty()) else { return 0.0 };
        let free = (0..columns).filter(|column| used & 1 << column == 0);
        free.map(|column| row[column] + slowly(rest, columns, used | 1 << column)).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn no_assignment_is_cheaper(
            rows in 0_usize..5,
            spare in 0_usize..3,
            whole in vec(-9_i8..9, 35),
            parts in vec(0.0_f64..1.0, 35),
            ties in any::<bool>(),
        ) {
            let columns = rows + spare;
            let part = |part: f64| if ties { 0.0 } else { part };
            let cost: Vec<f64> = whole.iter().zip(parts).map(|(&w, p)| f64::from(w) + part(p)).take(rows * columns).collect();
            let chosen = assignment(&cost, rows, columns);
            let mut distinct = chosen.clone();
            distinct.sort();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), rows);
            let total: f64 = chosen.iter().enumerate().map(|(row, column)| cost[row * columns + column]).sum();
            prop_assert!(close(total, slowly(&cost, columns, 0)), "{total}");
        }
    }
}
