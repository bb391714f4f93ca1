//! A snapshot of the layout, as Chromium's `DOMSnapshot` domain writes it: tables of numbers into a list of strings.

use serde_json::{Value, json};
use tintype_observe::page::{ATTRIBUTES, Boxes, Node, Rect, VisualBox, What};

/// Nodes of one page; those after are not looked at.
const NODES_MAX: usize = 200_000;
/// What is asked about how a node looks; [`look`] reads the answers in this order.
const STYLES: [&str; 7] =
    ["display", "font-size", "font-weight", "background-color", "background-image", "visibility", "opacity"];
/// Asked last: whether lines are as they were written.
const WHITE_SPACE: &str = "white-space";

const ELEMENT: u64 = 1;
const TEXT: u64 = 3;

/// The parameters of `captureSnapshot`.
pub(super) fn wish() -> Value {
    let styles: Vec<&str> = STYLES.into_iter().chain([WHITE_SPACE]).collect();
    json!({ "computedStyles": styles })
}

/// The boxes in a snapshot's first document; frames are seen from outside only.
pub(super) fn boxes(snapshot: &Value) -> Boxes {
    let document = &snapshot["documents"][0];
    let tables = Tables { strings: &snapshot["strings"], nodes: &document["nodes"], layout: &document["layout"] };
    Boxes {
        title: tables.string(&document["title"]).to_owned(),
        width: number(&document["contentWidth"]),
        height: number(&document["contentHeight"]),
        nodes: tables.laid_out(),
    }
}

struct Tables<'s> {
    strings: &'s Value,
    nodes: &'s Value,
    layout: &'s Value,
}

impl<'s> Tables<'s> {
    fn string(&self, index: &Value) -> &'s str {
        index.as_u64().and_then(|index| self.strings[index as usize].as_str()).unwrap_or_default()
    }

    /// The nodes that take part in the layout.
    fn laid_out(&self) -> Vec<Node> {
        let count = self.nodes["nodeType"].as_array().map_or(0, Vec::len).min(NODES_MAX);
        // For each node of the document: the rows of the layout, then the number it has among those laid out.
        let mut rows = vec![Vec::new(); count];
        for (row, index) in self.layout["nodeIndex"].as_array().into_iter().flatten().enumerate() {
            if let Some(at) = rows.get_mut(index.as_u64().unwrap_or(u64::MAX) as usize) {
                at.push(row);
            }
        }
        let mut numbers: Vec<Option<u32>> = vec![None; count];
        let mut out: Vec<Node> = Vec::new();
        for (index, rows) in rows.iter().enumerate() {
            let above = self.nodes["parentIndex"][index].as_u64().filter(|above| (*above as usize) < index);
            let parent = above.and_then(|above| numbers[above as usize]);
            // What is not laid out itself stands for the one it is in.
            numbers[index] = parent;
            if let Some(node) = self.node(index, rows, parent, &out) {
                numbers[index] = Some(out.len() as u32);
                let as_written = rows.iter().any(|row| self.is_as_written(*row));
                if as_written { paragraphs(node, &mut out) } else { out.push(node) }
            }
        }
        out
    }

    fn node(&self, index: usize, rows: &[usize], parent: Option<u32>, before: &[Node]) -> Option<Node> {
        let first = *rows.first()?;
        let what = self.what(index)?;
        let place = rows.iter().map(|row| rect(&self.layout["bounds"][*row])).fold(Rect::default(), Rect::and);
        let around = parent.map(|parent| before[parent as usize].look).unwrap_or_default();
        let look = match what {
            What::Text(_) => VisualBox { background: None, inline: true, ..around },
            What::Element { .. } => self.look(first, around),
        };
        Some(Node { parent, what, place, look })
    }

    fn what(&self, index: usize) -> Option<What> {
        match self.nodes["nodeType"][index].as_u64()? {
            TEXT => Some(What::Text(self.string(&self.nodes["nodeValue"][index]).to_owned())),
            ELEMENT => {
                let tag = self.string(&self.nodes["nodeName"][index]).to_ascii_lowercase();
                let written = self.nodes["attributes"][index].as_array().map_or(&[][..], Vec::as_slice);
                let named = written.chunks_exact(2).map(|pair| (self.string(&pair[0]), self.string(&pair[1])));
                let known = named.filter(|(name, _)| ATTRIBUTES.contains(name));
                let attributes = known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                Some(What::Element { tag, attributes })
            }
            _ => None,
        }
    }

    fn is_as_written(&self, row: usize) -> bool {
        self.string(&self.layout["styles"][row][STYLES.len()]).starts_with("pre")
    }

    fn look(&self, row: usize, around: VisualBox) -> VisualBox {
        let styles = &self.layout["styles"][row];
        let [display, size, weight, colour, image, visibility, opacity]: [&str; STYLES.len()] =
            std::array::from_fn(|at| self.string(&styles[at]));
        let parsed = |text: &str, otherwise: f32| text.trim_end_matches("px").parse().unwrap_or(otherwise);
        let painted = !image.is_empty() && image != "none";
        VisualBox {
            font_size: parsed(size, around.font_size),
            font_weight: parsed(weight, around.font_weight),
            // A picture behind is unlike every colour; which one it is like does not matter.
            background: background(colour).or(painted.then_some([127, 128, 129])),
            inline: display.starts_with("inline"),
            hidden: visibility == "hidden" || visibility == "collapse" || parsed(opacity, 1.0) == 0.0,
        }
    }
}

/// Adds a preformatted text paragraph by paragraph: two line breaks are an empty line. Its lines are equally high.
fn paragraphs(node: Node, out: &mut Vec<Node>) {
    let What::Text(text) = &node.what else { return out.push(node) };
    let height = node.place.height / text.trim_end_matches('\n').split('\n').count() as f32;
    let mut line = 0;
    for (nth, paragraph) in text.split("\n\n").enumerate() {
        let lines = paragraph.split('\n').count();
        let place = Rect { y: node.place.y + line as f32 * height, height: lines as f32 * height, ..node.place };
        line += lines + 1;
        let line_break = What::Element { tag: "br".to_owned(), attributes: Vec::new() };
        for _ in 0..2 * usize::from(nth > 0) {
            out.push(Node { what: line_break.clone(), place: Rect::default(), ..node });
        }
        out.push(Node { what: What::Text(paragraph.to_owned()), place, ..node });
    }
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap_or_default() as f32
}

fn rect(bounds: &Value) -> Rect {
    let [x, y, width, height] = [0, 1, 2, 3].map(|at| number(&bounds[at]));
    Rect { x, y, width, height }
}

/// `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`; nothing if it can be seen through entirely.
fn background(colour: &str) -> Option<[u8; 3]> {
    let inside = colour.strip_prefix("rgb")?.trim_start_matches('a').strip_prefix('(')?.strip_suffix(')')?;
    let parts: Vec<f32> = inside.split(',').map_while(|part| part.trim().parse().ok()).collect();
    let opaque = parts.get(3).is_none_or(|alpha| *alpha > 0.0);
    let [red, green, blue] = *parts.first_chunk::<3>()?;
    opaque.then_some([red as u8, green as u8, blue as u8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_boxes() {
        let snapshot = json!({
            "strings": ["BODY", "class", "x", "hello", "block", "16px", "700", "rgb(1, 2, 3)", "none", "visible", "1", "B", "T"],
            "documents": [{
                "title": 12, "contentWidth": 100, "contentHeight": 50.5,
                "nodes": {
                    "parentIndex": [-1, 0, 1, 2], "nodeType": [9, 1, 1, 3], "nodeName": [0, 0, 11, 0],
                    "nodeValue": [-1, -1, -1, 3], "attributes": [[], [1, 2], [], []],
                },
                "layout": {
                    "nodeIndex": [1, 3, 3], "styles": [[4, 5, 6, 7, 8, 9, 10], [], []],
                    "bounds": [[0, 0, 100, 50], [0, 0, 10, 10], [0, 10, 20, 10]],
                },
            }],
        });
        let boxes = boxes(&snapshot);
        assert_eq!((boxes.title.as_str(), boxes.width, boxes.height, boxes.nodes.len()), ("T", 100.0, 50.5, 2));
        let [body, text] = &boxes.nodes[..] else { panic!() };
        let attributes = vec![("class".to_owned(), "x".to_owned())];
        assert_eq!((body.parent, &body.what), (None, &What::Element { tag: "body".to_owned(), attributes }));
        assert_eq!((body.look.font_size, body.look.background), (16.0, Some([1, 2, 3])));
        // The text is inside what is not laid out, and in two pieces.
        assert_eq!((text.parent, &text.what), (Some(0), &What::Text("hello".to_owned())));
        assert_eq!(text.place, Rect { x: 0.0, y: 0.0, width: 20.0, height: 20.0 });
        assert_eq!((text.look.font_weight, text.look.inline), (700.0, true));
    }

    #[test]
    fn any_json_is_a_snapshot() {
        for odd in [json!(null), json!({ "documents": [{ "nodes": { "nodeType": [1], "parentIndex": [7] } }] })] {
            assert_eq!(boxes(&odd).nodes, []);
        }
    }

    #[test]
    fn colours_that_are_seen_through_are_none() {
        assert_eq!(background("rgba(0, 0, 0, 0)"), None);
        assert_eq!(background("rgba(10, 20, 30, 0.5)"), Some([10, 20, 30]));
        assert_eq!(background("red"), None);
    }
}
