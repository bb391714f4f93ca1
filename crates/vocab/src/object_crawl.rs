//! Crawls of a source as the log keeps them: what each found different, or why it was not believed.

use crate::Time;
use serde::{Deserialize, Serialize};

/// What a listing says of one object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Object {
    pub id: String,
    /// In the order in which the source declares them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
}

/// What happened to an object between two crawls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectEvent {
    Inserted(Object),
    /// It was missing for so short a time that it counts as having stayed.
    Returned(Object),
    /// Its attributes are now these; whoever saw it more often says how many changes there were.
    Updated {
        object: Object,
        times: u32,
    },
    Removed(String),
}

/// Why a crawl is not believed until another one says the same, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeldBack {
    /// Nothing is listed, where there was something: the site may be down, or ask for a login.
    Empty,
    /// Pages of the listing could not be read, or not to their end.
    Incomplete { unread: u32 },
    /// So much less is listed than before that part of the listing may be missing.
    Collapsed { was: u32, is: u32 },
    /// Far more objects are other ones than this source ever let expect: they may have been named anew.
    Replaced { was: u32, kept: u32 },
    /// By the clock it was not after the last one.
    ClockBack { last: Time },
    /// By the clock it was so long after the last one that the clock may be wrong.
    ClockAhead { last: Time },
}

/// One crawl of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectCrawl {
    pub at: Time,
    /// Different objects that were listed.
    pub found: u32,
    /// Why nothing was learned from it; there are no events then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldBack>,
    /// By identifier, so that equal crawls are written alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<ObjectEvent>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_reads_as_it_was_written_and_briefly() {
        let object = Object { id: "7".into(), attributes: vec!["bmw".into()] };
        let events = vec![
            ObjectEvent::Inserted(object.clone()),
            ObjectEvent::Updated { object, times: 1 },
            ObjectEvent::Removed("8".into()),
        ];
        let at = Time::from_millis(5);
        let crawl = ObjectCrawl { at, found: 1, held: None, events };
        let text = serde_json::to_string(&crawl).unwrap();
        assert!(text.contains(r#"{"removed":"8"}"#) && !text.contains("held"), "{text}");
        assert_eq!(serde_json::from_str::<ObjectCrawl>(&text).unwrap(), crawl);
        let held = ObjectCrawl { held: Some(HeldBack::Collapsed { was: 9, is: 1 }), events: Vec::new(), ..crawl };
        let text = serde_json::to_string(&held).unwrap();
        assert!(text.contains("collapsed") && !text.contains("events"), "{text}");
        assert_eq!(serde_json::from_str::<ObjectCrawl>(&text).unwrap(), held);
    }
}
