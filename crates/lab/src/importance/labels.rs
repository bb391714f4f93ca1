//! Labelled pairs of versions, as a table with commas.

use anyhow::Context;

/// Two consecutive versions of a page and whether the change from one to the other matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) history: String,
    pub(super) path: String,
    /// Seconds since 1970.
    pub(super) before: i64,
    pub(super) after: i64,
    pub(super) class: String,
    pub(super) matters: bool,
    /// A visible edit that says the same thing.
    pub(super) cosmetic: bool,
}

pub(super) fn read(text: &str) -> anyhow::Result<Vec<Label>> {
    let lines = text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty());
    lines.map(|(at, line)| label(line).with_context(|| format!("line {}: {line:?}", at + 1))).collect()
}

fn label(line: &str) -> Option<Label> {
    let fields: [String; 7] = fields(line).try_into().ok()?;
    let [history, path, before, after, class, matters, reason] = fields;
    Some(Label {
        history,
        path,
        before: before.parse().ok()?,
        after: after.parse().ok()?,
        class,
        matters: matters.parse().ok()?,
        cosmetic: reason.starts_with("cosmetic:"),
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
        let head = "history,path,before,after,label,matters,reason\n";
        let read = read(&format!("{head}a,/x,1,2,content,true,\"cosmetic: a \"\"b\"\", c\"\n")).unwrap();
        let [label] = &read[..] else { panic!("{read:?}") };
        assert_eq!((label.path.as_str(), label.before, label.after), ("/x", 1, 2));
        assert!(label.matters && label.cosmetic);
        assert_eq!(fields("a,\"b \"\"c\"\", d\",e"), ["a", "b \"c\", d", "e"]);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let error = format!("{:#}", read("head\na,/x,1,two,content,true,x\n").unwrap_err());
        assert!(error.contains("line 2"), "{error}");
    }
}
