//! Labelled pairs of versions, as a table with commas.

use anyhow::Context;

/// Whom a change matters to, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Audience {
    Nobody,
    /// Who is responsible for the page, or follows it by profession.
    Editor,
    /// Who relies on what it says.
    Citizen,
}

impl Audience {
    pub(super) const ALL: [Audience; 3] = [Audience::Nobody, Audience::Editor, Audience::Citizen];

    pub(super) fn name(self) -> &'static str {
        match self {
            Audience::Nobody => "nobody",
            Audience::Editor => "editor",
            Audience::Citizen => "citizen",
        }
    }

    fn read(name: &str) -> Option<Audience> {
        Audience::ALL.into_iter().find(|audience| audience.name() == name)
    }
}

/// Two consecutive versions of a page and whom the change from one to the other matters to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) history: String,
    pub(super) path: String,
    /// Seconds since 1970.
    pub(super) before: i64,
    pub(super) after: i64,
    /// What sort of change it was drawn as.
    pub(super) stratum: String,
    pub(super) audience: Audience,
    /// What was said when it was read a second time, without sight of the first label.
    pub(super) again: Option<Audience>,
}

impl Label {
    pub(super) fn matters(&self) -> bool {
        self.audience > Audience::Nobody
    }
}

pub(super) fn read(text: &str) -> anyhow::Result<Vec<Label>> {
    let lines = text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty());
    lines.map(|(at, line)| label(line).with_context(|| format!("line {}: {line:?}", at + 1))).collect()
}

fn label(line: &str) -> Option<Label> {
    let fields: [String; 8] = fields(line).try_into().ok()?;
    let [history, path, before, after, stratum, audience, again, _] = fields;
    Some(Label {
        history,
        path,
        before: before.parse().ok()?,
        after: after.parse().ok()?,
        stratum,
        audience: Audience::read(&audience)?,
        again: if again.is_empty() { None } else { Some(Audience::read(&again)?) },
    })
}

/// The fields of a line; those in quotation marks may hold commas, and quotation marks twice.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut quoted, mut chars) = (false, line.chars().peekable());
    while let Some(char) = chars.next() {
        let field = fields.last_mut().expect("there is a first field");
        match char {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            char => field.push(char),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_with_their_commas() {
        let head = "history,path,before,after,stratum,matters_to,again,reason\n";
        let read = read(&format!("{head}a,/x,1,2,dates,citizen,editor,\"a \"\"b\"\", c\"\n")).unwrap();
        let [label] = &read[..] else { panic!("{read:?}") };
        assert_eq!((label.path.as_str(), label.before, label.after), ("/x", 1, 2));
        assert_eq!((label.audience, label.again), (Audience::Citizen, Some(Audience::Editor)));
        assert!(label.matters());
        assert_eq!(fields("a,\"b \"\"c\"\", d\",e"), ["a", "b \"c\", d", "e"]);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        for line in ["a,/x,1,two,dates,citizen,,x", "a,/x,1,2,dates,everybody,,x"] {
            let error = format!("{:#}", read(&format!("head\n{line}\n")).unwrap_err());
            assert!(error.contains("line 2"), "{error}");
        }
    }
}
