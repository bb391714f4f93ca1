//! The candidates of a `srcset` attribute.

/// Every URL of a srcset value, in order.
pub(crate) fn urls(srcset: &str) -> impl Iterator<Item = &str> {
    let mut rest = srcset;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (url, tail) = rest.split_at(end);
        let bare = url.trim_end_matches(',');
        rest = if bare.len() < url.len() { tail } else { after_descriptors(tail) };
        Some(bare)
    })
}

/// Descriptors end at a comma outside parentheses.
fn after_descriptors(tail: &str) -> &str {
    let mut in_parentheses = false;
    let end = tail.bytes().position(|byte| {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            _ => {}
        }
        byte == b',' && !in_parentheses
    });
    &tail[end.unwrap_or(tail.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_split_as_the_standard_says() {
        for (srcset, expected) in [
            ("a.png", &["a.png"][..]),
            ("a.png 1x, b.png 2x", &["a.png", "b.png"]),
            ("a.png, b.png", &["a.png", "b.png"]),
            (" ,, a,b.png 100w 50h,\n c.png", &["a,b.png", "c.png"]),
            ("a.png 1x (x,y), b.png", &["a.png", "b.png"]),
            ("data:image/png;base64,AA== 1x, b.png", &["data:image/png;base64,AA==", "b.png"]),
            ("", &[]),
            (", ,", &[]),
            ("a.png 1x (", &["a.png"]),
        ] {
            assert_eq!(urls(srcset).collect::<Vec<_>>(), expected, "{srcset:?}");
        }
    }
}
