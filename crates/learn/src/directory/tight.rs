//! Vectors that leave at most a fifth of their room empty: doubling would cost as much as it holds.

pub(super) fn push<T>(vector: &mut Vec<T>, item: T) {
    if vector.len() == vector.capacity() {
        vector.reserve_exact(vector.len() / 4 + 8);
    }
    vector.push(item);
}

pub(super) fn push_str(text: &mut String, part: &str) {
    if text.capacity() - text.len() < part.len() {
        text.reserve_exact(text.len() / 4 + part.len());
    }
    text.push_str(part);
}
