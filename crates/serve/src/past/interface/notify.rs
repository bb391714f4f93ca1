//! Who is told of changes, and how: feeds of whatever was chosen, webhooks and mail as `[[notify]]` has them, watched terms.

use super::{Frame, Past, Reply, catalogue::Catalogue, changes::Asked, collection_named, counted, encoded, rendered};
use crate::past::{Subscription, ask::Ask, cdx::parameter, control::field, prepared::NotReady};
use askama::Template;
use std::sync::Arc;
use tintype_archive::Outbox;
use tintype_session::feed::PageEventKind;
use tintype_vocab::Change;

const DIGESTS: [(&str, &str); 4] = [
    ("immediate", "at once, one message for each"),
    ("hourly", "once an hour"),
    ("daily", "once a day"),
    ("weekly", "once a week"),
];
/// Characters of what a person types here.
const TYPED_MAX: usize = 2000;

#[derive(Template)]
#[template(path = "subscribe.html")]
struct Subscribe {
    frame: Frame,
    done: Option<&'static str>,
    /// What was chosen, in words and as the query of feeds.
    chosen: String,
    feeds: String,
    feed_origin: String,
    hidden: Vec<(&'static str, String)>,
    collections: Vec<Kept>,
    digests: [(&'static str, &'static str); 4],
    can_write: bool,
}

/// A collection, and who is told of its changes.
struct Kept {
    number: usize,
    name: String,
    has_sender: bool,
    watch: String,
    rules: Vec<Rule>,
}

struct Rule {
    name: String,
    to: String,
    of: String,
    when: &'static str,
    /// What could not be delivered yet, and why.
    waiting: Option<String>,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    // A rule tells of what was chosen, or of nothing.
    if let Err(problem) = crate::past::changes::query(ask) {
        return Ok(Reply::error(400, &problem));
    }
    let asked = Asked::read(past, ask);
    let parameters = ask.parameters();
    let one = |name: &'static str| parameter(&parameters, &[name]).unwrap_or_default().to_owned();
    // What was typed and what is watched for: any of them is enough.
    let term = asked.query.terms.iter().map(|term| term.as_str()).collect::<Vec<_>>().join("|");
    let kinds: Vec<&str> = asked.query.kinds.iter().map(|kind| kind.as_str()).collect();
    // What the list of changes hides unasked, a rule leaves out as well.
    let min = Some(one("min_importance")).filter(|min| !min.is_empty());
    let min = min.unwrap_or_else(|| Change::IMPORTANCE_MIN.to_string());
    let wish = Subscription {
        terms: Some(term.clone()).filter(|term| !term.is_empty()).into_iter().collect(),
        kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        site: asked.query.site.clone().filter(|site| !site.is_empty()),
        min_importance: min.parse().ok(),
        ..Subscription::default()
    };
    let hidden = vec![
        ("match", term),
        ("kind", kinds.join(",")),
        ("site", wish.site.clone().unwrap_or_default()),
        ("min_importance", min),
    ];
    let of_site = wish.site.as_ref().map(|site| Ok::<_, NotReady>(Catalogue::get(past)?.collection_of(site)));
    let only = of_site.transpose()?.flatten();
    let pairs: Vec<String> = hidden
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}", encoded(value)))
        .collect();
    let frame = Frame::new(past, ask);
    let is_person = frame.secret.is_some();
    let page = Subscribe {
        done: match one("done").as_str() {
            "told" => Some(
                "Written down. Keeping that begins from now on tells of it; tintype changes --deliver does at once.",
            ),
            "gone" => Some("Taken back."),
            "watched" => Some("Saved."),
            _ => None,
        },
        chosen: of(&wish),
        feeds: pairs.join("&"),
        feed_origin: ask.origin.clone(),
        hidden: hidden.into_iter().filter(|(_, value)| !value.is_empty()).collect(),
        collections: past
            .holdings
            .collections()
            .filter(|(number, _)| only.is_none_or(|only| only == *number))
            .map(|(number, _)| kept(past, number, is_person))
            .collect(),
        digests: DIGESTS,
        can_write: past.file.is_some(),
        frame,
    };
    rendered(200, &page)
}

/// Addresses of webhooks and of people are for those alone who may change them.
fn kept(past: &Past, number: usize, is_person: bool) -> Kept {
    let settings = past.settings(number);
    let path = past.holdings.collection(number).map(tintype_archive::Reading::path);
    let waiting = path.filter(|_| is_person).and_then(|path| Outbox::waiting(path).ok()).unwrap_or_default();
    let rule = |rule: &Subscription| {
        let late: Vec<_> = waiting.iter().filter(|message| message.rule == rule.name && message.attempts > 0).collect();
        let why = late.iter().rev().find_map(|message| message.last_failure.as_deref()).unwrap_or_default();
        Rule {
            name: rule.name.clone(),
            to: match &rule.webhook {
                Some(webhook) => format!("webhook {webhook}"),
                None => format!("mail to {}", rule.mail.join(", ")),
            },
            of: of(rule),
            when: DIGESTS.iter().find(|(name, _)| *name == rule.digest).map_or("", |(_, words)| words),
            waiting: (!late.is_empty())
                .then(|| format!("{} could not be delivered yet: {why}", counted(late.len() as u64, "message"))),
        }
    };
    Kept {
        number,
        name: path.map_or(String::new(), |path| path.display().to_string()),
        has_sender: settings.mail_from.is_some(),
        watch: settings.watch.join("\n"),
        rules: settings.subscriptions.iter().filter(|_| is_person).map(rule).collect(),
    }
}

/// Which changes a rule is about, in words.
fn of(rule: &Subscription) -> String {
    let mut words = vec![match rule.kinds.is_empty() {
        true => "all changes".to_owned(),
        false => format!("changes of the kind {}", rule.kinds.join(" or ")),
    }];
    words.extend(rule.site.as_ref().map(|site| format!("of {site}")));
    words.extend((!rule.terms.is_empty()).then(|| format!("with the words {}", rule.terms.join(" or "))));
    words.extend(
        rule.min_importance
            .filter(|min| *min > f64::from(Change::IMPORTANCE_MIN))
            .map(|min| format!("of importance {min} and more")),
    );
    words.join(" ")
}

/// Takes the form that asks to be told.
pub(super) fn subscribe(past: &Arc<Past>, ask: &Ask) -> Reply {
    let typed = |name: &str| field(ask, name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let words = |name: &str| -> Vec<String> {
        let all = typed(name).unwrap_or_default();
        all.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    if ask.form.iter().any(|(_, value)| value.len() > TYPED_MAX) {
        return Reply::error(400, "this is longer than a rule can be");
    }
    let kinds = words("kind");
    let min_importance = match typed("min_importance").map(|text| text.parse::<f64>()).transpose() {
        Ok(min) => min.filter(|min| min.is_finite() && *min > 0.0),
        Err(_) => return Reply::error(400, "the least importance is a number"),
    };
    if kinds.iter().any(|kind| kind.parse::<PageEventKind>().is_err()) {
        return Reply::error(400, "there is no such kind of change");
    }
    let subscription = Subscription {
        name: typed("name").unwrap_or_default(),
        webhook: typed("webhook"),
        secret: typed("sign"),
        mail: words("mail"),
        from: typed("from"),
        terms: typed("match").into_iter().collect(),
        kinds,
        site: typed("site"),
        min_importance,
        digest: typed("digest").unwrap_or_default(),
    };
    write(past, ask, "told", |file, number| file.subscribe(number, &subscription))
}

pub(super) fn unsubscribe(past: &Arc<Past>, ask: &Ask) -> Reply {
    let name = field(ask, "name").unwrap_or_default();
    write(past, ask, "gone", |file, number| file.unsubscribe(number, name))
}

/// Takes the form that says what is watched for: a term on each line.
pub(super) fn watch(past: &Arc<Past>, ask: &Ask) -> Reply {
    let lines = field(ask, "watch").unwrap_or_default().lines().map(str::trim);
    let terms: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    write(past, ask, "watched", |file, number| file.watch(number, &terms))
}

fn write(
    past: &Past,
    ask: &Ask,
    done: &str,
    change: impl FnOnce(&dyn crate::past::CollectionFile, usize) -> Result<(), String>,
) -> Reply {
    let (Some(file), Some(number)) = (&past.file, collection_named(ask)) else {
        return Reply::error(404, "this server does not know the settings of this");
    };
    match change(file.as_ref(), number) {
        Ok(()) => {
            past.forget_settings(number);
            Reply::see_other(&format!("/subscribe?done={done}"))
        }
        Err(problem) => Reply::error(400, &format!("nothing was changed: {problem}")),
    }
}
