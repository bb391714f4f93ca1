//! A list that mostly is empty or of one, and then costs no memory besides its own sixteen bytes.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<T>", into = "Vec<T>")]
pub(crate) enum Few<T: Copy> {
    #[default]
    None,
    One(T),
    /// Behind a pointer, as a vector takes more room than all the rest.
    #[expect(clippy::box_collection)]
    Many(Box<Vec<T>>),
}

impl<T: Copy> From<Vec<T>> for Few<T> {
    fn from(mut all: Vec<T>) -> Few<T> {
        match all[..] {
            [] => Few::None,
            [one] => Few::One(one),
            _ => {
                all.shrink_to_fit();
                Few::Many(Box::new(all))
            }
        }
    }
}

impl<T: Copy> From<Few<T>> for Vec<T> {
    fn from(few: Few<T>) -> Vec<T> {
        few.to_vec()
    }
}

impl<T: Copy> std::ops::Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(one) => std::slice::from_ref(one),
            Few::Many(all) => all,
        }
    }
}

impl<T: Copy> std::ops::DerefMut for Few<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Few::None => &mut [],
            Few::One(one) => std::slice::from_mut(one),
            Few::Many(all) => all,
        }
    }
}

impl<T: Copy> Few<T> {
    pub(crate) fn insert(&mut self, at: usize, value: T) {
        match self {
            Few::None => *self = Few::One(value),
            Few::One(one) => *self = Few::Many(Box::new(if at == 0 { vec![value, *one] } else { vec![*one, value] })),
            Few::Many(all) => all.insert(at, value),
        }
    }

    pub(crate) fn push(&mut self, value: T) {
        self.insert(self.len(), value);
    }

    /// Bytes besides its own.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Few::None | Few::One(_) => 0,
            Few::Many(all) => size_of::<Vec<T>>() + all.capacity() * size_of::<T>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_list_that_a_vector_would_be() {
        let (mut few, mut all) = (Few::default(), Vec::new());
        assert!(few.is_empty());
        for (nth, at) in [0, 0, 2, 1, 0, 5].into_iter().enumerate() {
            few.insert(at, nth as u32);
            all.insert(at, nth as u32);
            assert_eq!((&few[..], few.bytes() == 0), (&all[..], nth == 0));
            assert_eq!(&Few::from(all.clone())[..], &all[..]);
            few.reverse();
            all.reverse();
        }
        few.push(9);
        assert_eq!(few.last(), Some(&9));
        assert_eq!((size_of::<Few<u32>>(), size_of::<Few<i64>>()), (16, 16));
    }
}
