//! What a first run knows of how pages change.
//!
//! Made by `tintype lab forecast --histories DIR --keep shipped.bin`; [`Forest::trained_on`] says from which sites. A change
//! of clues needs another one: see [`super::clues`].

use super::Forest;
use std::sync::{Arc, LazyLock};

static SHIPPED: &[u8] = include_bytes!("shipped.bin");

/// One for all.
pub(super) static FOREST: LazyLock<Arc<Forest>> =
    LazyLock::new(|| Arc::new(Forest::from_bytes(SHIPPED).expect("what is shipped can be read: there is a test")));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_can_be_read_and_is_labelled() {
        assert!(FOREST.trained_on().contains("histories"), "{}", FOREST.trained_on());
        assert!(SHIPPED.len() < 1 << 20 && FOREST.len() > 10, "small enough to ship");
    }
}
