//! Objects that are elements of a page, by CSS selectors. A streaming rewriter does the matching: it never builds a tree,
//! so deep or endless pages cost no more than their length.

use super::{
    gather::Gatherer,
    template::resolve,
    way::{Field, Way},
};
use crate::entity;
use lol_html::{
    ElementContentHandlers, HtmlRewriter, MemorySettings, Selector, Settings, html_content::Element,
    html_content::TextChunk,
};
use std::{borrow::Cow, cell::RefCell, rc::Rc};
use url::Url;

/// What the rewriter may need beside the page: its stack of open elements.
const MEMORY_MAX: usize = 32 << 20;
/// Words gathered for one value.
const WORDS_MAX: usize = 16 << 10;

/// Every element that is an object.
pub(super) fn objects(page: &str, url: &str, items: &str, way: &Way, gatherer: &mut Gatherer<'_>) {
    let fields: Vec<Field> = [way.id.clone().unwrap_or(Field::Link)]
        .into_iter()
        .chain(way.attributes.iter().map(|(_, at)| at.clone()))
        .collect();
    let scene = Rc::new(RefCell::new(Scene::new(url, fields.len())));
    let mut settings = settings(&scene).append_element_content_handler((selector(items), item(&scene, &fields)));
    for (place, field) in fields.iter().enumerate() {
        for (within, handlers) in field_handlers(&scene, items, place, field) {
            settings = settings.append_element_content_handler((selector(&within), handlers));
        }
    }
    let whole = run(page, settings);
    let mut scene = scene.borrow_mut();
    scene.settle();
    for mut values in std::mem::take(&mut scene.done) {
        let attributes = values.split_off(1);
        gatherer.add(values[0].as_deref(), attributes.into_iter());
    }
    gatherer.findings.over_limit += scene.over_limit;
    gatherer.findings.broken |= !whole;
}

/// The links in the elements a selector finds, or their own.
pub(super) fn links(page: &str, url: &str, wanted: &str) -> Vec<String> {
    let scene = Rc::new(RefCell::new(Scene::new(url, 1)));
    let within = within(wanted, "a");
    let settings = settings(&scene)
        .append_element_content_handler((selector(wanted), link_of(&scene)))
        .append_element_content_handler((selector(&within), link_of(&scene)));
    run(page, settings);
    let scene = scene.borrow();
    scene.links.clone()
}

fn settings(scene: &Shared) -> Settings<'static, 'static> {
    Settings::new()
        .with_strict(false)
        .with_memory_settings(MemorySettings::new().with_max_allowed_memory_usage(MEMORY_MAX))
        .append_element_content_handler((selector("base[href]"), base(scene)))
}

fn run(page: &str, settings: Settings<'_, '_>) -> bool {
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(page.as_bytes()).is_ok() && rewriter.end().is_ok()
}

fn selector(text: &str) -> Cow<'static, Selector> {
    Cow::Owned(text.parse().expect("selectors are checked where they are declared"))
}

/// What is known of the page so far.
#[derive(Debug)]
struct Scene {
    base: Option<Url>,
    fields: usize,
    /// The object being read.
    item: Option<Item>,
    begun: u64,
    done: Vec<Vec<Option<String>>>,
    text: usize,
    over_limit: u32,
    links: Vec<String>,
}

#[derive(Debug)]
struct Item {
    number: u64,
    values: Vec<Option<String>>,
    /// How often the element of each value was met; the first one counts.
    met: Vec<u32>,
}

impl Scene {
    fn new(url: &str, fields: usize) -> Scene {
        Scene {
            base: Url::parse(url).ok(),
            fields,
            item: None,
            begun: 0,
            done: Vec::new(),
            text: 0,
            over_limit: 0,
            links: Vec::new(),
        }
    }

    /// An object begins, and with it one ends whose end tag was left out, as people leave out `</li>`.
    fn begin(&mut self) -> u64 {
        self.settle();
        self.begun += 1;
        self.item = Some(Item { number: self.begun, values: vec![None; self.fields], met: vec![0; self.fields] });
        self.begun
    }

    fn settle(&mut self) {
        let Some(mut item) = self.item.take() else { return };
        if self.done.len() >= super::OBJECTS_MAX || self.text >= super::TEXT_MAX {
            self.over_limit += 1;
            return;
        }
        item.values.iter_mut().flatten().for_each(|value| *value = entity::unescape(value).into_owned());
        self.text += item.values.iter().flatten().map(String::len).sum::<usize>();
        self.done.push(item.values);
    }

    fn set(&mut self, place: usize, value: Option<String>) {
        if let Some(slot) = self.item.as_mut().map(|item| &mut item.values[place]) {
            *slot = slot.take().or(value);
        }
    }

    fn resolve(&self, raw: &str) -> Option<String> {
        resolve(self.base.as_ref(), &entity::unescape(raw))
    }

    fn meet(&mut self, place: usize) {
        if let Some(item) = &mut self.item {
            item.met[place] += 1;
        }
    }

    /// Adds words of the first element that a value is in.
    fn say(&mut self, place: usize, words: &str) {
        let Some(item) = self.item.as_mut().filter(|item| item.met[place] == 1) else { return };
        let value = item.values[place].get_or_insert_default();
        let room = WORDS_MAX.saturating_sub(value.len());
        value.push_str(&words[..words.floor_char_boundary(room)]);
    }
}

type Shared = Rc<RefCell<Scene>>;
type Handlers = ElementContentHandlers<'static>;

fn base(scene: &Shared) -> Handlers {
    let scene = scene.clone();
    ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
        let mut scene = scene.borrow_mut();
        let href = element.get_attribute("href").and_then(|href| scene.resolve(&href));
        scene.base = href.and_then(|href| Url::parse(&href).ok()).or(scene.base.take());
        Ok(())
    })
}

fn link_of(scene: &Shared) -> Handlers {
    let scene = scene.clone();
    ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
        let mut scene = scene.borrow_mut();
        let link = element.get_attribute("href").and_then(|href| scene.resolve(&href));
        if let Some(link) =
            link.filter(|link| scene.links.len() < super::next::PAGES_MAX && !scene.links.contains(link))
        {
            scene.links.push(link);
        }
        Ok(())
    })
}

/// An object's own element: where it begins and ends, and what its own attributes and words say.
fn item(scene: &Shared, fields: &[Field]) -> Handlers {
    let (begins, fields) = (scene.clone(), fields.to_vec());
    ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
        let mut scene = begins.borrow_mut();
        let number = scene.begin();
        for (place, field) in fields.iter().enumerate() {
            match field {
                Field::Attribute(name) => scene.set(place, element.get_attribute(name)),
                Field::Link => {
                    let link = element.get_attribute("href").and_then(|href| scene.resolve(&href));
                    scene.set(place, link);
                }
                Field::Text => scene.meet(place),
                _ => {}
            }
        }
        if !element.can_have_content() {
            scene.settle();
            return Ok(());
        }
        let ends = begins.clone();
        element.on_end_tag(Box::new(move |_| {
            let mut scene = ends.borrow_mut();
            if scene.item.as_ref().is_some_and(|item| item.number == number) {
                scene.settle();
            }
            Ok(())
        }))
    })
}

/// What to look at inside of objects for the sake of one value.
fn field_handlers(scene: &Shared, items: &str, place: usize, field: &Field) -> Vec<(String, Handlers)> {
    let value = |take: fn(&Scene, &str) -> Option<String>, attribute: String| {
        let scene = scene.clone();
        ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
            let mut scene = scene.borrow_mut();
            let value = element.get_attribute(&attribute).and_then(|raw| take(&scene, &raw));
            scene.set(place, value);
            Ok(())
        })
    };
    match field {
        Field::Link => vec![(within(items, "a"), value(Scene::resolve, "href".to_owned()))],
        Field::Text => vec![(items.to_owned(), words(scene, place, false))],
        Field::Inside { selector, attribute: Some(attribute) } => {
            vec![(within(items, selector), value(|_, raw| Some(raw.to_owned()), attribute.clone()))]
        }
        Field::Inside { selector, attribute: None } => vec![(within(items, selector), words(scene, place, true))],
        _ => Vec::new(),
    }
}

/// Gathers the words of an element; `meets` where the element is not the object itself.
fn words(scene: &Shared, place: usize, meets: bool) -> Handlers {
    let (met, said) = (scene.clone(), scene.clone());
    let handlers = ElementContentHandlers::default().text(move |chunk: &mut TextChunk<'_>| {
        said.borrow_mut().say(place, chunk.as_str());
        Ok(())
    });
    if !meets {
        return handlers;
    }
    handlers.element(move |_: &mut Element<'_, '_>| {
        met.borrow_mut().meet(place);
        Ok(())
    })
}

/// A selector for what `inner` finds inside of what `outer` finds; either may be a list.
fn within(outer: &str, inner: &str) -> String {
    let pairs = alternatives(outer).into_iter().flat_map(|outer| {
        alternatives(inner)
            .into_iter()
            .map(move |inner| format!("{} {}", outer.trim(), inner.trim()))
            .collect::<Vec<_>>()
    });
    pairs.collect::<Vec<_>>().join(", ")
}

/// The members of a list of selectors: commas in brackets, parentheses and quotes do not part them.
fn alternatives(list: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start, mut found) = (0i32, None, 0, Vec::new());
    for (at, char) in list.char_indices() {
        match (quote, char) {
            (Some(open), _) if open == char => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(char),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            (None, ',') if depth == 0 => {
                found.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[start..]);
    found
}
