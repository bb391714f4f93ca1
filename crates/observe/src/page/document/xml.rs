//! XML as a tree: elements in their order, attributes by name.

use super::{
    records::Dialect,
    tree::{DEPTH_MAX, NODES_MAX, Node},
};
use crate::{entity, xml};
use quick_xml::events::{BytesStart, Event};

/// The tree of a document and what sort of document it is; nothing if there is no element in it. Of one that breaks off
/// or is not well formed, the part that can be read, and the rest as text.
pub(super) fn read(text: &str) -> Option<(Node<'static>, Dialect)> {
    let dialect = match xml::root(text)? {
        "urlset" | "sitemapindex" | "rss" | "RDF" | "feed" => Dialect::Feed,
        "svg" => Dialect::Drawing,
        _ => Dialect::Data,
    };
    let mut reader = xml::lenient(text);
    let mut builder = Builder::default();
    let mut at = 0;
    while builder.nodes < NODES_MAX {
        let Ok(event) = reader.read_event() else { break };
        let before = std::mem::replace(&mut at, reader.buffer_position() as usize);
        match event {
            Event::Eof => {
                at = text.len();
                break;
            }
            Event::Start(tag) => builder.open(&tag, at),
            Event::End(_) => builder.close(text, before),
            Event::Text(words) => builder.text.push_str(&words.into_inner()),
            Event::CData(words) => builder.text.push_str(&words.into_inner()),
            Event::GeneralRef(name) => {
                builder.text.push_str(&entity::unescape(&format!("&{};", name.into_inner())));
            }
            _ => {}
        }
    }
    builder.text.push_str(text.get(at..).unwrap_or_default());
    Some((builder.finish(text), dialect))
}

/// Elements that are open, and what is known of them so far.
#[derive(Default)]
struct Builder {
    open: Vec<Element>,
    /// Those at the top that are over.
    done: Vec<Node<'static>>,
    /// Text since the last tag.
    text: String,
    nodes: usize,
    /// How many elements are open beyond [`DEPTH_MAX`].
    too_deep: usize,
}

struct Element {
    name: String,
    children: Vec<Node<'static>>,
    /// Where its content begins, if that is a page in itself.
    page: Option<usize>,
}

impl Builder {
    fn open(&mut self, tag: &BytesStart<'_>, inside: usize) {
        self.end_text();
        if self.open.len() >= DEPTH_MAX {
            self.too_deep += 1;
            return;
        }
        self.nodes += 1;
        let qualified = tag.name();
        let name = local(qualified.0);
        let mut children = attributes(tag);
        self.nodes += children.len();
        children.sort_by(|one, two| one.name.cmp(&two.name));
        let is_page = children.iter().any(|child| child.name == "type" && child.said() == Some("xhtml"));
        self.open.push(Element { name: name.to_owned(), children, page: is_page.then_some(inside) });
    }

    fn close(&mut self, source: &str, end: usize) {
        self.end_text();
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(element) = self.open.pop() else { return };
        let node = element.finish(source, end);
        self.inside().push(node);
    }

    fn inside(&mut self) -> &mut Vec<Node<'static>> {
        self.open.last_mut().map_or(&mut self.done, |element| &mut element.children)
    }

    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.trim().is_empty() {
            self.nodes += 1;
            self.inside().push(Node::text("", text));
        }
    }

    fn finish(mut self, source: &str) -> Node<'static> {
        self.too_deep = 0;
        while !self.open.is_empty() {
            self.close(source, source.len());
        }
        self.end_text();
        match self.done.len() {
            1 => self.done.remove(0),
            _ => Node::many("", self.done),
        }
    }
}

impl Element {
    /// A text where there is nothing else, a page in a string where there is one.
    fn finish(mut self, source: &str, end: usize) -> Node<'static> {
        if let Some(page) = self.page.and_then(|start| source.get(start..end)) {
            return Node::text(self.name, page.to_owned());
        }
        match self.children.as_slice() {
            [] => Node::text(self.name, ""),
            [only] if only.name.is_empty() => {
                let mut only = self.children.remove(0);
                only.name = self.name.into();
                only
            }
            _ => Node::many(self.name, self.children),
        }
    }
}

fn attributes(tag: &BytesStart<'_>) -> Vec<Node<'static>> {
    let mut attributes = tag.attributes();
    let named = attributes.with_checks(false).flatten().filter(|each| !each.key.as_ref().starts_with("xmlns"));
    let node = |each: quick_xml::events::attributes::Attribute<'_>| {
        let value = entity::unescape(&each.value).into_owned();
        Node { is_attribute: true, ..Node::text(local(each.key.as_ref()).to_owned(), value) }
    };
    named.map(node).collect()
}

fn local(qualified: &str) -> &str {
    qualified.split_once(':').map_or(qualified, |(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_become_values() {
        let (tree, dialect) = read(
            "<?xml version='1.0'?><!-- c --><a:list xmlns:a='x' two='2' one='1'><b>x &amp; y</b><b/><c>t<d>u</d></c>\
             <!-- d --></a:list>",
        )
        .unwrap();
        let attribute = |name: &'static str, text: &'static str| Node { is_attribute: true, ..Node::text(name, text) };
        let mixed = Node::many("c", vec![Node::text("", "t"), Node::text("d", "u")]);
        let children =
            vec![attribute("one", "1"), attribute("two", "2"), Node::text("b", "x & y"), Node::text("b", ""), mixed];
        assert_eq!((tree, dialect), (Node::many("list", children), Dialect::Data));
    }

    #[test]
    fn a_page_inside_is_kept_as_written() {
        let (tree, dialect) =
            read("<feed><content type='xhtml'><div>one <b>two</b><p/></div></content></feed>").unwrap();
        assert_eq!(dialect, Dialect::Feed);
        let inside = Node::text("content", "<div>one <b>two</b><p/></div>");
        assert_eq!(tree, Node::many("feed", vec![inside]));
    }

    #[test]
    fn what_breaks_off_is_read_as_far_as_it_goes() {
        let (tree, _) = read("<a><b>one</b><c>two <").unwrap();
        assert!(format!("{tree:?}").contains("one") && format!("{tree:?}").contains("two"));
        assert!(read("no elements").is_none());
        let (tree, _) = read(&"<a>x".repeat(100_000)).unwrap();
        assert!(tree.words >= DEPTH_MAX as u32);
    }
}
