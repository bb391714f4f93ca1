//! A value for each of many things, most of which have none.

/// Values by number, as far as the last that is not the default: so those that are equal look equal, and where nobody
/// has any there is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Beside<T>(Vec<T>);

impl<T> Default for Beside<T> {
    fn default() -> Beside<T> {
        Beside(Vec::new())
    }
}

impl<T: Copy + Default + PartialEq> Beside<T> {
    pub(super) fn get(&self, index: usize) -> T {
        self.0.get(index).copied().unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn set(&mut self, index: usize, value: T) {
        let nothing = T::default();
        match self.0.get_mut(index) {
            Some(place) => *place = value,
            None if value == nothing => return,
            None => {
                if self.0.len() < index {
                    self.0.resize(index, nothing);
                }
                self.0.push(value);
            }
        }
        if value == nothing {
            let said = self.0.iter().rposition(|value| *value != nothing).map_or(0, |last| last + 1);
            self.0.truncate(said);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_was_never_said() {
        let mut beside = Beside::default();
        beside.set(3, 0);
        assert_eq!(beside, Beside::default());
        beside.set(3, 7);
        beside.set(1, 5);
        assert_eq!([0, 1, 2, 3, 4].map(|index| beside.get(index)), [0, 5, 0, 7, 0]);
        beside.set(3, 0);
        assert_eq!(beside, Beside(vec![0, 5]));
        beside.set(1, 0);
        assert!(beside.is_empty());
    }
}
