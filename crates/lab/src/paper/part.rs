//! One figure or table of a paper: numbers, picture, and the claims they confirm or refute.

use crate::{folder::Folder, table::Table};
use serde_json::{Value, json};
use std::fmt::Write;
use tintype_picture::Picture;

#[derive(Debug)]
pub(crate) struct Part {
    /// Of its files.
    pub(crate) name: String,
    pub(crate) title: String,
    /// What a reader has to know, or why there is nothing to read.
    pub(crate) text: String,
    pub(crate) table: Option<Table>,
    pub(crate) picture: Option<Picture>,
    pub(crate) claims: Vec<Claim>,
}

/// What was said, and what came out.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) said: String,
    /// Nothing if it cannot be decided here.
    pub(crate) holds: Option<bool>,
    /// The numbers that decide.
    pub(crate) because: String,
    /// Said by the paper; otherwise a goal of our own.
    by_paper: bool,
}

impl Claim {
    pub(crate) fn new(said: impl Into<String>, holds: bool, because: impl Into<String>) -> Claim {
        Claim { said: said.into(), holds: Some(holds), because: because.into(), by_paper: true }
    }

    /// A goal of our own.
    pub(crate) fn goal(said: impl Into<String>, met: bool, because: impl Into<String>) -> Claim {
        Claim { by_paper: false, ..Claim::new(said, met, because) }
    }

    /// Said by the paper, and nothing here could confirm or refute it.
    pub(crate) fn not_applicable(said: impl Into<String>, because: impl Into<String>) -> Claim {
        Claim { said: said.into(), holds: None, because: because.into(), by_paper: true }
    }

    fn verdict(&self) -> &'static str {
        match (self.by_paper, self.holds) {
            (true, Some(true)) => "confirmed",
            (true, Some(false)) => "refuted",
            (false, Some(true)) => "met",
            (false, Some(false)) => "not met",
            (_, None) => "not applicable",
        }
    }
}

impl Part {
    pub(crate) fn write(&self, folder: &mut Folder) -> anyhow::Result<()> {
        if let Some(table) = &self.table {
            folder.table(&self.name, &self.title, table)?;
        }
        match &self.picture {
            Some(picture) => folder.picture(&self.name, picture),
            None => Ok(()),
        }
    }

    fn section(&self) -> String {
        let mut out = format!("## {}\n\n", self.title);
        if !self.text.is_empty() {
            let _ = writeln!(out, "{}\n", self.text);
        }
        if self.picture.is_some() {
            let _ = writeln!(out, "![{}]({}.png)\n", self.title, self.name);
        }
        if let Some(table) = &self.table {
            let _ = writeln!(out, "{}", table.markdown());
        }
        for claim in &self.claims {
            let _ = writeln!(out, "- **{}**: {} ({})", claim.verdict(), claim.said, claim.because);
        }
        out
    }
}

/// One document for all parts.
pub(crate) fn index(title: &str, parts: &[Part], command: &str) -> String {
    let sections: Vec<String> = parts.iter().map(Part::section).collect();
    let (confirmed, claims) = tally(parts, true);
    let (met, goals) = tally(parts, false);
    format!(
        "# {title}\n\nMade by `{command}`. {confirmed} of {claims} claims of the paper confirmed, {met} of {goals} goals \
         of our own met; every verdict is computed from the numbers.\n\n{}",
        sections.join("\n")
    )
}

/// The claims alone, for a terminal.
pub(crate) fn summary(parts: &[Part]) -> String {
    let claims = parts.iter().flat_map(|part| part.claims.iter().map(move |claim| (part, claim)));
    let line = |(part, claim): (&Part, &Claim)| {
        format!("{:9}  {}: {} ({})\n", claim.verdict(), part.name, claim.said, claim.because)
    };
    claims.map(line).collect()
}

/// Everything but the pictures, for machines.
pub(crate) fn json(title: &str, parts: &[Part]) -> Value {
    let claim = |claim: &Claim| {
        json!({
            "said": claim.said, "by": if claim.by_paper { "paper" } else { "us" }, "verdict": claim.verdict(),
            "because": claim.because,
        })
    };
    let part = |part: &Part| {
        let claims: Vec<Value> = part.claims.iter().map(claim).collect();
        let table = part.table.as_ref().map(Table::json);
        json!({"name": part.name, "title": part.title, "text": part.text, "table": table, "claims": claims})
    };
    json!({"title": title, "parts": parts.iter().map(part).collect::<Vec<_>>()})
}

fn tally(parts: &[Part], by_paper: bool) -> (usize, usize) {
    let claims = parts.iter().flat_map(|part| &part.claims).filter(|claim| claim.by_paper == by_paper);
    let decided: Vec<bool> = claims.filter_map(|claim| claim.holds).collect();
    (decided.iter().filter(|holds| **holds).count(), decided.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_is_in_the_index_with_its_verdict() {
        let claims = vec![
            Claim::new("a is less", true, "1 < 2"),
            Claim::new("b is less", false, "3 > 2"),
            Claim::goal("c is less", true, "0 < 2"),
            Claim::not_applicable("d is less", "nobody knows d"),
        ];
        let (name, title, text) = ("figure-1".to_owned(), "Figure 1".to_owned(), String::new());
        let parts = [Part { name, title, text, table: None, picture: None, claims }];
        let index = index("A paper", &parts, "tintype lab paper");
        assert!(
            index.contains("- **confirmed**: a is less (1 < 2)")
                && index.contains("1 of 2 claims")
                && index.contains("1 of 1 goals"),
            "{index}"
        );
        assert!(summary(&parts).contains("refuted    figure-1: b is less (3 > 2)"), "{}", summary(&parts));
        assert_eq!(json("A paper", &parts)["parts"][0]["claims"][2]["verdict"], "met");
    }
}
