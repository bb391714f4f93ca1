//! Rules for people to read.

use super::{DirectoryShape, Rule};

impl Rule {
    /// "when /news and /news/2024 changed, /news/archive did not: 17 of 18 times".
    pub fn words(&self, shape: &DirectoryShape) -> String {
        let head: Vec<String> = self.head.iter().map(|directory| shape.path(*directory)).collect();
        let head = match &head[..] {
            [] => "anything".to_owned(),
            [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
            [one, ..] => one.clone(),
        };
        let times = self.head_changed - self.together;
        format!("when {head} changed, {} did not: {times} of {} times", shape.path(self.tail), self.head_changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_sentence() {
        let mut shape = DirectoryShape::default();
        let mut directory = |path| shape.directory(path).unwrap();
        let (head, tail) = (vec![directory("/news"), directory("/news/2024")], directory("/news/archive"));
        let rule = Rule {
            head,
            tail,
            transitions: 20,
            head_changed: 18,
            tail_changed: 2,
            together: 1,
            correlation: -0.5,
            confidence: 17.0 / 18.0,
        };
        assert_eq!(rule.words(&shape), "when /news and /news/2024 changed, /news/archive did not: 17 of 18 times");
    }
}
