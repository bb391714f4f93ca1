//! The pages of a file, in their order.

use super::{file::Pdf, object::Object};
use hashbrown::HashSet;
use std::rc::Rc;

/// Pages of one file.
const PAGES_MAX: usize = 1 << 14;
/// Nodes of the tree that pages hang from.
const NODES_MAX: usize = 1 << 16;

/// What a page is drawn from.
#[derive(Clone, Debug)]
pub(super) struct Page<'f> {
    /// References to streams.
    pub(super) contents: Vec<Object<'f>>,
    pub(super) resources: Rc<Object<'f>>,
}

/// All pages.
pub(super) fn all<'f>(file: &'f Pdf<'_>) -> Vec<Page<'f>> {
    let root = file.root();
    let mut waiting: Vec<(Object<'f>, Rc<Object<'f>>)> =
        root.get("Pages").map(|pages| (pages.clone(), Rc::new(Object::Null))).into_iter().collect();
    let (mut pages, mut seen) = (Vec::new(), HashSet::new());
    while let Some((reference, inherited)) = waiting.pop() {
        let is_new = match reference {
            Object::Reference(number) => seen.insert(number),
            _ => true,
        };
        if !is_new || seen.len() > NODES_MAX || pages.len() >= PAGES_MAX {
            continue;
        }
        let node = file.resolve(&reference);
        let resources = match file.get(&node, "Resources").into_owned() {
            Object::Null => inherited,
            own => Rc::new(own),
        };
        let kids = file.get(&node, "Kids");
        if kids.list().is_empty() {
            pages.push(Page { contents: contents(file, &node), resources });
        } else {
            let room = NODES_MAX.saturating_sub(waiting.len());
            waiting.extend(kids.list().iter().take(room).rev().map(|kid| (kid.clone(), Rc::clone(&resources))));
        }
    }
    pages
}

fn contents<'f>(file: &'f Pdf<'_>, page: &Object<'f>) -> Vec<Object<'f>> {
    match page.get("Contents") {
        Some(reference @ Object::Reference(_)) => match file.resolve(reference).into_owned() {
            Object::List(list) => list,
            _ => vec![reference.clone()],
        },
        Some(Object::List(list)) => list.clone(),
        _ => Vec::new(),
    }
}
