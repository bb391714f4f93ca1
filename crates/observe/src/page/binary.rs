//! What changed of a body that nobody can read: pictures, films, programs, archives.

/// What is left of a change that size does not tell: the same picture, better compressed, or another of its size.
const UNSEEN: f64 = 0.5;

/// Change importance of a body without blocks, 0 to 1, by all that is known of it: whether its digest is the same, and
/// how long it was and is.
///
/// Other bytes are at least half a change, since nobody knows what they show; the rest grows with the difference in
/// size, relative to the larger. A file that became empty, or was, changed altogether.
pub fn binary_importance(old_len: u64, new_len: u64, same_digest: bool) -> f64 {
    if same_digest {
        return 0.0;
    }
    let larger = old_len.max(new_len).max(1) as f64;
    let apart = old_len.abs_diff(new_len) as f64 / larger;
    UNSEEN + (1.0 - UNSEEN) * apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_digest_are_all_there_is() {
        assert_eq!(binary_importance(10, 10, true), 0.0);
        assert_eq!(binary_importance(10, 10, false), 0.5);
        assert_eq!(binary_importance(0, 0, false), 0.5);
        assert_eq!(binary_importance(0, 10, false), 1.0);
        assert_eq!(binary_importance(100, 50, false), binary_importance(50, 100, false));
        assert!(binary_importance(100, 90, false) < binary_importance(100, 10, false));
    }
}
