//! What was typed, for documents that say how they were made.

/// What was typed, ready to be typed again.
pub(super) fn command() -> String {
    let typed = std::env::args_os().skip(1).map(|argument| shell_quoted(&argument.to_string_lossy()));
    std::iter::once("tintype".to_owned()).chain(typed).collect::<Vec<_>>().join(" ")
}

pub(crate) fn shell_quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_typed() {
        assert_eq!(shell_quoted("--budget=30/day"), "--budget=30/day");
        assert_eq!(shell_quoted("a b"), "'a b'");
        assert_eq!(shell_quoted("it's"), r"'it'\''s'");
        assert_eq!(shell_quoted(""), "''");
    }
}
