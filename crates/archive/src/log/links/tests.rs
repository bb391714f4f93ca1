use super::*;
use proptest::prelude::*;
use tintype_vocab::{LinkPlace, Tag};

const KINDS: [LinkKind; 6] =
    [LinkKind::Anchor, LinkKind::Embed, LinkKind::Redirect, LinkKind::Sitemap, LinkKind::Feed, LinkKind::Listed];

fn page(links: &[(u16, usize, Option<i64>)]) -> Links {
    scheduled(&links.iter().map(|&(url, kind, modified)| (url, kind, modified, None)).collect::<Vec<_>>())
}

fn scheduled(links: &[(u16, usize, Option<i64>, Option<i64>)]) -> Links {
    let mut page = Links::new();
    for &(url, kind, modified, every) in links {
        let url = format!("http://example.com/\"{url}\"");
        let (modified, every) = (modified.map(Time::from_millis), every.map(Span::from_millis));
        page.push_link(Link { modified, every, ..Link::new(&url, KINDS[kind]) });
    }
    page
}

fn worded(links: &[(u16, u32)]) -> Links {
    let mut page = page(&links.iter().map(|(url, _)| (*url, 0, None)).collect::<Vec<_>>());
    links.iter().enumerate().for_each(|(index, (_, context))| page.set_context(index, *context));
    page
}

proptest! {
    #[test]
    fn what_is_coded_comes_back(pages in prop::collection::vec(
        prop::collection::vec(
            (0u16..40, 0usize..6, prop::option::of(any::<i64>()), prop::option::of(any::<i64>())), 0..30), 0..10)) {
        let (mut coder, mut decoder) = (Coder::default(), Decoder::default());
        for links in &pages {
            let links = scheduled(links);
            let text = serde_json::to_string(&coder.code(&links)).unwrap();
            prop_assert_eq!(decoder.decode(&serde_json::from_str(&text).unwrap()), links);
        }
    }
}

#[test]
fn how_often_is_written_only_where_it_was_said() {
    let links =
        scheduled(&[(1, 5, None, None), (2, 5, Some(5), None), (3, 5, None, Some(7)), (4, 5, Some(8), Some(9))]);
    let text = serde_json::to_string(&Coder::default().code(&links)).unwrap().replace("http://example.com/", "");
    let expected = r#"[{"are":"listed"},"\"1\"",["\"2\"",5],["\"3\"",null,7],["\"4\"",8,9]]"#;
    assert_eq!(text, format!(r#"{{"from":0,"list":{expected}}}"#));
}

/// None, one of a few that come back, or any.
fn context() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), 1u32..4, any::<u32>()]
}

proptest! {
    #[test]
    fn contexts_come_back(pages in prop::collection::vec(
        prop::collection::vec((0u16..20, context()), 0..30), 0..10)) {
        let (mut coder, mut decoder) = (Coder::default(), Decoder::default());
        for links in &pages {
            let links = worded(links);
            let text = serde_json::to_string(&coder.code(&links)).unwrap();
            prop_assert_eq!(text.contains("contexts"), links.has_contexts());
            prop_assert_eq!(decoder.decode(&serde_json::from_str(&text).unwrap()), links);
        }
    }
}

#[test]
fn contexts_are_short_where_nothing_changed() {
    let mut coder = Coder::default();
    let menu: Vec<(u16, u32)> = (0..50).map(|n| (n, 1_000_000 + u32::from(n))).collect();
    let first = coder.code(&worded(&menu)).contexts.len();
    let again = coder.code(&worded(&menu)).contexts.len();
    assert_eq!((first, again), (300, 50));
}

fn mention() -> impl Strategy<Value = Mention> {
    let word = prop_oneof![Just(0), any::<u16>()];
    let parts = (
        prop::sample::select(&Tag::ALL[..]),
        prop::sample::select(&LinkPlace::ALL[..]),
        [word.clone(), word.clone(), word.clone(), word],
    );
    parts.prop_map(|(tag, place, words)| Mention { tag, place, words })
}

proptest! {
    #[test]
    fn mentions_come_back(
        few in prop::collection::vec(mention(), 4),
        pages in prop::collection::vec(prop::collection::vec((0u16..20, 0usize..5, context()), 0..30), 0..10),
    ) {
        let (mut coder, mut decoder) = (Coder::default(), Decoder::default());
        for page in &pages {
            let mut links = worded(&page.iter().map(|(url, _, context)| (*url, *context)).collect::<Vec<_>>());
            for (index, (_, which, _)) in page.iter().enumerate() {
                links.set_mention(index, few.get(*which).copied().unwrap_or_default());
            }
            let text = serde_json::to_string(&coder.code(&links)).unwrap();
            prop_assert_eq!(text.contains("mentions"), links.has_mentions());
            prop_assert_eq!(decoder.decode(&serde_json::from_str(&text).unwrap()), links);
        }
    }
}

#[test]
fn logs_older_than_contexts_are_read() {
    let text = r#"{"from":0,"list":[{"are":"anchor"},"http://e/1",["http://e/2",5],0]}"#;
    let links = Decoder::default().decode(&serde_json::from_str(text).unwrap());
    assert_eq!((links.len(), links.has_contexts(), links.has_mentions()), (3, false, false));
    let mut plain = page(&[(1, 0, None)]);
    plain.set_context(0, 0);
    assert!(!serde_json::to_string(&Coder::default().code(&plain)).unwrap().contains("contexts"));
}

#[test]
fn a_lost_line_does_not_give_links_words_they_never_had() {
    let mut coder = Coder::default();
    let pages = [worded(&[(1, 5)]), worded(&[(1, 6), (2, 7)]), worded(&[(1, 5), (2, 7), (3, 8)])];
    let coded: Vec<_> = pages.iter().map(|links| coder.code(links)).collect();
    let mut decoder = Decoder::default();
    decoder.decode(&coded[0]);
    assert_eq!(decoder.decode(&coded[2]), worded(&[(1, 5), (3, 8)]));
}

#[test]
fn the_table_is_emptied_at_its_bound_and_both_sides_agree() {
    let (mut coder, mut decoder) = (Coder::default(), Decoder::default());
    let mut resets = 0;
    for batch in 0..5u32 {
        let mut links = Links::new();
        for number in 0..TABLE_MAX as u32 / 2 {
            links.push(&format!("http://e/{batch}/{number}"), LinkKind::Anchor);
            links.push("http://e/", LinkKind::Anchor);
        }
        let coded = coder.code(&links);
        resets += usize::from(batch > 0 && coded.from == 0);
        assert_eq!(decoder.decode(&coded), links);
        assert!(coder.numbers.len() <= TABLE_MAX + TABLE_MAX / 2);
    }
    assert!(resets >= 1);
}

#[test]
fn a_lost_line_costs_only_the_links_it_introduced() {
    let mut coder = Coder::default();
    let pages = [page(&[(1, 0, None)]), page(&[(1, 0, None), (2, 0, None)]), page(&[(2, 0, None), (3, 1, None)])];
    let coded: Vec<_> = pages.iter().map(|links| coder.code(links)).collect();
    let mut decoder = Decoder::default();
    decoder.decode(&coded[0]);
    assert_eq!(decoder.decode(&coded[2]), page(&[(3, 1, None)]));
}

#[test]
fn nonsense_numbers_neither_panic_nor_grow() {
    let mut decoder = Decoder::default();
    let coded: Coded<'_> = serde_json::from_str(r#"{"from":4294967295,"list":[4294967295,["x",5]]}"#).unwrap();
    assert_eq!(decoder.decode(&coded).len(), 1);
    assert!(serde_json::from_str::<Coded<'_>>(r#"{"from":0,"list":[{"are":"x"}]}"#).is_err());
    assert!(serde_json::from_str::<Coded<'_>>(r#"{"from":0,"list":[[1]]}"#).is_err());
}
