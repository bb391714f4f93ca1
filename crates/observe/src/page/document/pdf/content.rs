//! What is written on a page: content streams, as far as they write.

use super::{
    TEXT_MAX,
    file::Pdf,
    font::Font,
    object::{Object, Objects},
    page::Page,
};
use hashbrown::HashMap;
use std::rc::Rc;

/// Operands of one operator; those of others are no text.
const OPERANDS_MAX: usize = 64;
/// Forms drawn inside of forms.
const FORMS_MAX: u8 = 6;
/// States saved at one time.
const STATES_MAX: usize = 64;
/// Space between two strings that makes two words of them, in parts of the font's size.
const WORD_GAP: f64 = 0.2;
/// A line further down than this, in parts of the font's size, begins a paragraph.
const PARAGRAPH_GAP: f64 = 1.8;
/// A line is another if it is further off than this, in parts of the font's size.
const LINE_GAP: f64 = 0.5;

/// The fonts of a file that were met, by number.
pub(super) type Fonts = HashMap<u32, Rc<Font>>;

/// Adds the text of a page.
pub(super) fn text<'f>(file: &'f Pdf<'_>, page: &Page<'f>, fonts: &mut Fonts, out: &mut String) {
    let mut source = Vec::new();
    for contents in &page.contents {
        if let Some((_, bytes)) = file.stream(contents) {
            source.extend_from_slice(&bytes);
            source.push(b'\n');
        }
    }
    let mut writer = Writer { file, fonts, out, state: State::default(), saved: Vec::new(), pen: None };
    writer.run(&source, &page.resources, 0);
}

/// A matrix as PDF writes it: x' = ax + cy + e, y' = bx + dy + f.
type Matrix = [f64; 6];
const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// First the one, then the other.
fn then(one: Matrix, two: Matrix) -> Matrix {
    let [a, b, c, d, e, f] = one;
    let [g, h, i, j, k, l] = two;
    [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

#[derive(Clone, Debug)]
struct State {
    /// From the text's own space to the page.
    page: Matrix,
    line: Matrix,
    /// How far the string is, beyond where its line begins.
    along: f64,
    font: Rc<Font>,
    size: f64,
    leading: f64,
}

impl Default for State {
    fn default() -> State {
        State { page: IDENTITY, line: IDENTITY, along: 0.0, font: Rc::default(), size: 1.0, leading: 0.0 }
    }
}

struct Writer<'f, 'p, 'w> {
    file: &'f Pdf<'p>,
    fonts: &'w mut Fonts,
    out: &'w mut String,
    state: State,
    saved: Vec<State>,
    /// Where the last string ended on the page.
    pen: Option<(f64, f64)>,
}

impl<'f> Writer<'f, '_, '_> {
    fn run(&mut self, source: &[u8], resources: &Object<'f>, forms: u8) {
        let mut objects = Objects::new(source);
        let mut operands: Vec<Object<'_>> = Vec::new();
        while let Some(object) = objects.next() {
            match object {
                Object::Word(b"Do") if forms < FORMS_MAX => self.form(operands.last(), resources, forms),
                Object::Word(b"Tf") => self.font(&operands, resources),
                Object::Word(operator) => self.operate(operator, &operands),
                operand => {
                    if operands.len() < OPERANDS_MAX {
                        operands.push(operand);
                    }
                    continue;
                }
            }
            operands.clear();
            if self.out.len() >= TEXT_MAX {
                return;
            }
        }
    }

    fn operate(&mut self, operator: &[u8], operands: &[Object<'_>]) {
        let number = |at: usize| operands.get(at).and_then(Object::number).unwrap_or(0.0);
        let matrix = || [0, 1, 2, 3, 4, 5].map(number);
        match operator {
            b"q" if self.saved.len() < STATES_MAX => self.saved.push(self.state.clone()),
            b"Q" => self.state = self.saved.pop().unwrap_or_default(),
            b"cm" => self.state.page = then(matrix(), self.state.page),
            b"BT" => (self.state.line, self.state.along) = (IDENTITY, 0.0),
            b"Tm" => (self.state.line, self.state.along) = (matrix(), 0.0),
            b"TL" => self.state.leading = number(0),
            b"Td" => self.next_line(number(0), number(1)),
            b"TD" => {
                self.state.leading = -number(1);
                self.next_line(number(0), number(1));
            }
            b"T*" => self.next_line(0.0, -self.state.leading),
            b"Tj" => self.show(operands.first()),
            b"'" | b"\"" => {
                self.next_line(0.0, -self.state.leading);
                self.show(operands.last());
            }
            b"TJ" => self.show_all(operands.first()),
            _ => {}
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.state.line = then([1.0, 0.0, 0.0, 1.0, x, y], self.state.line);
        self.state.along = 0.0;
    }

    fn font(&mut self, operands: &[Object<'_>], resources: &Object<'f>) {
        self.state.size = operands.get(1).and_then(Object::number).unwrap_or(1.0);
        let Some(name) = operands.first().and_then(Object::name).and_then(|name| std::str::from_utf8(name).ok()) else {
            return;
        };
        let fonts = self.file.get(resources, "Font");
        let Some(font) = self.file.entry(&fonts, name) else { return };
        let read = || Rc::new(Font::read(self.file, &self.file.resolve(font)));
        self.state.font = match font {
            Object::Reference(number) => Rc::clone(self.fonts.entry(*number).or_insert_with(read)),
            _ => read(),
        };
    }

    fn form(&mut self, name: Option<&Object<'_>>, resources: &Object<'f>, forms: u8) {
        let name = name.and_then(Object::name).and_then(|name| std::str::from_utf8(name).ok());
        let drawn = self.file.get(resources, "XObject");
        let Some(reference) = name.and_then(|name| self.file.entry(&drawn, name)) else { return };
        if !self.file.resolve(reference).get("Subtype").is_some_and(|kind| kind.is_name("Form")) {
            return;
        }
        let Some((dictionary, source)) = self.file.stream(reference) else { return };
        let own = self.file.get(&dictionary, "Resources");
        let before = self.state.clone();
        self.run(&source, if *own == Object::Null { resources } else { &own }, forms + 1);
        self.state = before;
    }

    fn show_all(&mut self, strings: Option<&Object<'_>>) {
        for object in strings.map(Object::list).unwrap_or_default() {
            match object {
                Object::Number(back) => self.state.along -= back / 1000.0 * self.state.size,
                string => self.show(Some(string)),
            }
        }
    }

    fn show(&mut self, string: Option<&Object<'_>>) {
        let Some(string) = string.and_then(Object::text) else { return };
        self.move_pen();
        let font = Rc::clone(&self.state.font);
        let width = font.show(string, self.out) * self.state.size;
        self.state.along += width;
        self.pen = Some(self.place());
    }

    /// Where the next string begins on the page.
    fn place(&self) -> (f64, f64) {
        let [.., x, y] = then([1.0, 0.0, 0.0, 1.0, self.state.along, 0.0], then(self.state.line, self.state.page));
        (x, y)
    }

    /// Writes the space, or the end of a line or a paragraph, that lies between two strings.
    fn move_pen(&mut self) {
        let [_, _, c, d, ..] = then(self.state.line, self.state.page);
        let size = (self.state.size * c.hypot(d)).abs();
        let (Some(pen), place) = (self.pen, self.place()) else { return };
        let (right, down) = (place.0 - pen.0, (place.1 - pen.1).abs());
        if down > PARAGRAPH_GAP * size {
            self.out.push_str("\n\n");
        } else if down > LINE_GAP * size {
            self.out.push('\n');
        } else if right.abs() > WORD_GAP * size {
            self.out.push(' ');
        }
    }
}
