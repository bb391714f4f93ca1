//! Where the objects of a file are.

use super::{
    filter,
    object::{Object, Objects, is_space},
};
use hashbrown::HashMap;
use std::{borrow::Cow, cell::Cell};

/// Objects of one file.
const OBJECTS_MAX: usize = 1 << 18;
/// Bytes read and decoded, and entries looked at, all together: as often as a file may ask for them. Times the file's
/// own size if that is less.
const WORK_MAX: usize = 64 << 20;
const WORK_RATIO: usize = 256;
/// A small file may be as repetitive as it likes.
const WORK_ALWAYS: usize = 1 << 20;
/// Trailers looked at, the last ones.
const TRAILERS_MAX: usize = 16;
/// References that lead to references.
const HOPS_MAX: usize = 8;
/// How far into an object its type is looked for, before it is read.
const TYPE_HEAD: usize = 1024;

#[derive(Clone, Copy, Debug)]
enum Place {
    /// From where to where, at most.
    File(usize, usize),
    /// In one of the object streams.
    Inside(usize, usize),
}

/// A file with its objects by number.
#[derive(Debug)]
pub(super) struct Pdf<'p> {
    bytes: &'p [u8],
    places: HashMap<u32, Place>,
    /// Object streams, decoded.
    inside: Vec<Vec<u8>>,
    /// Number of the object that everything hangs from.
    root: u32,
    /// Work that may still be done.
    room: Cell<usize>,
}

impl<'p> Pdf<'p> {
    /// Nothing if it is no file of ours to read: encrypted, or not a PDF file at all.
    pub(super) fn read(bytes: &'p [u8]) -> Option<Pdf<'p>> {
        let allowed = bytes.len().saturating_mul(WORK_RATIO).clamp(WORK_ALWAYS, WORK_MAX);
        let mut file = Pdf { bytes, places: HashMap::new(), inside: Vec::new(), root: 0, room: Cell::new(allowed) };
        let mut trailers: Vec<Object<'p>> = Vec::new();
        let found: Vec<(u32, usize)> = memchr::memmem::find_iter(bytes, b"obj")
            .filter_map(|at| Some((number_before(&bytes[..at])?, at + b"obj".len())))
            .take(OBJECTS_MAX)
            .collect();
        // An object goes no further than to the next, so reading all of them is linear.
        let ends = found.iter().skip(1).map(|(_, at)| *at).chain([bytes.len()]);
        for ((number, at), end) in found.iter().zip(ends) {
            file.add(*number, *at, end, &mut trailers);
        }
        let tables = memchr::memmem::rfind_iter(bytes, b"trailer").take(TRAILERS_MAX);
        let mut tables: Vec<Object<'p>> = tables.filter_map(|at| file.parse(&bytes[at + b"trailer".len()..])).collect();
        tables.reverse();
        trailers.append(&mut tables);
        if trailers.iter().any(|trailer| trailer.get("Encrypt").is_some_and(|encrypt| *encrypt != Object::Null)) {
            return None;
        }
        let root = |trailer: &Object<'_>| match trailer.get("Root") {
            Some(Object::Reference(number)) => Some(*number),
            _ => None,
        };
        file.root = trailers.iter().rev().find_map(root)?;
        Some(file)
    }

    /// Of several objects with one number the last counts: changes are appended.
    fn add(&mut self, number: u32, at: usize, end: usize, trailers: &mut Vec<Object<'p>>) {
        self.places.insert(number, Place::File(at, end));
        let head = &self.bytes[at..self.bytes.len().min(at + TYPE_HEAD)];
        let head = &head[..memchr::memmem::find(head, b"stream").unwrap_or(head.len())];
        if memchr::memmem::find(head, b"/XRef").is_some() {
            trailers.extend(self.parse(&self.bytes[at..end]));
        } else if memchr::memmem::find(head, b"/ObjStm").is_some() {
            self.add_inside(at, end);
        }
    }

    /// The objects of an object stream: pairs of number and place, then the objects.
    fn add_inside(&mut self, at: usize, end: usize) {
        let Some((dictionary, decoded)) = self.stream_at(at, end) else { return };
        let Some(first) = dictionary.get("First").and_then(Object::count) else { return };
        let decoded = decoded.into_owned();
        let mut pairs = Objects::new(&decoded[..first.min(decoded.len())]);
        let stream = self.inside.len();
        while let (Some(number), Some(place)) = (pairs.next(), pairs.next()) {
            let (Some(number), Some(place)) = (number.count(), place.count()) else { break };
            if self.places.len() < 2 * OBJECTS_MAX {
                self.places.insert(number as u32, Place::Inside(stream, first.saturating_add(place)));
            }
        }
        self.inside.push(decoded);
    }

    pub(super) fn root(&self) -> Object<'_> {
        self.object(self.root)
    }

    fn object(&self, number: u32) -> Object<'_> {
        let object = match self.places.get(&number) {
            Some(Place::File(at, end)) => self.parse(&self.bytes[*at..*end]),
            Some(Place::Inside(stream, at)) => self.parse(self.inside[*stream].get(*at..).unwrap_or_default()),
            None => None,
        };
        object.unwrap_or(Object::Null)
    }

    /// Reads an object, as long as there is room: one may be asked for often.
    fn parse<'b>(&self, bytes: &'b [u8]) -> Option<Object<'b>> {
        let mut objects = Objects::new(&bytes[..bytes.len().min(self.room.get())]);
        let object = objects.next();
        self.spend(objects.at);
        object
    }

    /// Takes as much of the room as some work is worth. Says whether there was any left.
    pub(super) fn spend(&self, work: usize) -> bool {
        let room = self.room.get();
        self.room.set(room.saturating_sub(work));
        room > 0
    }

    /// What a dictionary has under that key, or a reference to it.
    pub(super) fn entry<'d, 'f>(&self, dictionary: &'d Object<'f>, key: &str) -> Option<&'d Object<'f>> {
        if self.spend(dictionary.entries()) { dictionary.get(key) } else { None }
    }

    /// What a dictionary has under that key, wherever it is.
    pub(super) fn get<'d, 'f>(&'f self, dictionary: &'d Object<'f>, key: &str) -> Cow<'d, Object<'f>> {
        self.entry(dictionary, key).map_or(Cow::Owned(Object::Null), |value| self.resolve(value))
    }

    /// The object itself, not a reference to it.
    pub(super) fn resolve<'d, 'f>(&'f self, object: &'d Object<'f>) -> Cow<'d, Object<'f>> {
        let mut object = Cow::Borrowed(object);
        for _ in 0..HOPS_MAX {
            let Object::Reference(number) = *object else { return object };
            object = Cow::Owned(self.object(number));
        }
        Cow::Owned(Object::Null)
    }

    /// The dictionary and the bytes of a stream that is referred to.
    pub(super) fn stream<'f>(&'f self, reference: &Object<'f>) -> Option<(Object<'f>, Cow<'f, [u8]>)> {
        let Object::Reference(number) = reference else { return None };
        let Some(Place::File(at, end)) = self.places.get(number) else { return None };
        self.stream_at(*at, *end)
    }

    fn stream_at(&self, at: usize, end: usize) -> Option<(Object<'p>, Cow<'p, [u8]>)> {
        let mut objects = Objects::new(&self.bytes[at..end]);
        let dictionary = objects.next()?;
        if objects.next() != Some(Object::Word(b"stream")) {
            return None;
        }
        self.spend(objects.at);
        let rest = &self.bytes[at + objects.at..];
        let data = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).or_else(|| rest.strip_prefix(b"\r"));
        let data = data.unwrap_or(rest);
        let len = match dictionary.get("Length") {
            Some(Object::Reference(number)) => self.object(*number).count(),
            Some(length) => length.count(),
            None => None,
        };
        let ends = |len: &usize| {
            let after = data.get(*len..).map(|after| &after[..after.len().min(16)]);
            after.is_some_and(|after| after.trim_ascii_start().starts_with(b"endstream"))
        };
        let len = match len.filter(ends) {
            Some(len) => len,
            // Looking for the end takes room like decoding does, or many streams without any would take long.
            None => {
                let looked = &data[..data.len().min(self.room.get())];
                let found = memchr::memmem::find(looked, b"endstream").unwrap_or(looked.len());
                self.spend(found);
                found
            }
        };
        let decoded = filter::undo(&dictionary, &data[..len], &self.room)?;
        (self.room.get() > 0).then_some((dictionary, decoded))
    }
}

/// The number of the object that begins behind `12 0 `.
fn number_before(head: &[u8]) -> Option<u32> {
    let number = |bytes: &mut &[u8]| {
        let spaces = bytes.iter().rev().take_while(|byte| is_space(**byte)).count();
        let rest = &bytes[..bytes.len() - spaces];
        let digits = rest.iter().rev().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let (before, digits) = rest.split_at(rest.len() - digits);
        *bytes = before;
        std::str::from_utf8(digits).ok().filter(|_| spaces > 0)?.parse::<u32>().ok()
    };
    let mut head = &head[head.len().saturating_sub(32)..];
    number(&mut head)?;
    number(&mut head)
}
