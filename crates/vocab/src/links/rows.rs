//! Links as rows: what is not said of a link takes no place in its row.

use crate::{Link, LinkKind, LinkPlace, Links, Mention, Span, Tag, Time};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A link as read; the last four are missing where there was nothing to say.
#[derive(Deserialize)]
struct Row<'a>(
    LinkKind,
    Cow<'a, str>,
    #[serde(default)] Option<Time>,
    #[serde(default)] u32,
    #[serde(default)] Option<Span>,
    #[serde(default)] Option<Said>,
);

impl<'a> From<&'a Row<'_>> for Link<'a> {
    fn from(Row(kind, url, modified, context, every, said): &'a Row<'_>) -> Link<'a> {
        let mention = said.as_ref().map(Mention::from).unwrap_or_default();
        Link { url, kind: *kind, modified: *modified, every: *every, context: *context, mention }
    }
}

/// A mention as it stands in a row: tag, place, and the words there are.
#[derive(Serialize, Deserialize)]
struct Said(Tag, LinkPlace, Vec<u16>);

impl From<&Said> for Mention {
    fn from(Said(tag, place, words): &Said) -> Mention {
        let mut mention = Mention { tag: *tag, place: *place, ..Mention::default() };
        mention.words.iter_mut().zip(words).for_each(|(to, word)| *to = *word);
        mention
    }
}

impl From<Mention> for Said {
    fn from(Mention { tag, place, words }: Mention) -> Said {
        let count = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        Said(tag, place, words[..count].to_vec())
    }
}

/// A link as written.
#[derive(Serialize)]
#[serde(untagged)]
enum RowOut<'a> {
    Bare(LinkKind, &'a str, Option<Time>),
    Worded(LinkKind, &'a str, Option<Time>, u32),
    Scheduled(LinkKind, &'a str, Option<Time>, u32, Span),
    Mentioned(LinkKind, &'a str, Option<Time>, u32, Option<Span>, Said),
}

impl<'a> From<Link<'a>> for RowOut<'a> {
    fn from(Link { url, kind, modified, every, context, mention }: Link<'a>) -> RowOut<'a> {
        match (context, every) {
            _ if mention != Mention::default() => {
                RowOut::Mentioned(kind, url, modified, context, every, mention.into())
            }
            (_, Some(every)) => RowOut::Scheduled(kind, url, modified, context, every),
            (0, None) => RowOut::Bare(kind, url, modified),
            (_, None) => RowOut::Worded(kind, url, modified, context),
        }
    }
}

impl Serialize for Links {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(RowOut::from))
    }
}

impl<'de> Deserialize<'de> for Links {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Links, D::Error> {
        let rows = Vec::<Row<'static>>::deserialize(deserializer)?;
        Ok(rows.iter().map(Link::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_short_as_before_contexts_and_as_long_as_they_must() {
        let mut links = Links::new();
        links.push("http://a/", LinkKind::Anchor);
        links.push("http://b/", LinkKind::Anchor);
        links.set_context(1, 7);
        let text = serde_json::to_string(&links).unwrap();
        assert_eq!(text, r#"[["anchor","http://a/",null],["anchor","http://b/",null,7]]"#);
        assert_eq!(serde_json::from_str::<Links>(&text).unwrap(), links);
        links.push_link(Link { every: Some(Span::from_secs(1)), ..Link::new("http://c/", LinkKind::Listed) });
        let text = serde_json::to_string(&links).unwrap();
        assert!(text.ends_with(r#",["listed","http://c/",null,0,1000]]"#), "{text}");
        assert_eq!(serde_json::from_str::<Links>(&text).unwrap(), links);
        assert_eq!(serde_json::from_str::<Links>(r#"[["anchor","http://a/"]]"#).unwrap().len(), 1);
    }

    #[test]
    fn rows_have_mentions_where_links_have_them() {
        let mut links = Links::new();
        links.push("http://a/", LinkKind::Anchor);
        links.push("http://b/", LinkKind::Anchor);
        let mention = Mention { tag: Tag::Download, place: LinkPlace::Content, words: [0, 5, 0, 0] };
        links.set_mention(1, mention);
        let text = serde_json::to_string(&links).unwrap();
        let expected =
            r#"[["anchor","http://a/",null],["anchor","http://b/",null,0,null,["download","content",[0,5]]]]"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Links>(&text).unwrap(), links);
    }
}
