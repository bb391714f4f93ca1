//! Files made here, and files made to be hard to read.

use super::{TEXT_MAX, text};
use flate2::{Compression, write::ZlibEncoder};
use proptest::prelude::*;
use std::io::Write;

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn stream(dictionary: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("<< /Length {} {dictionary} >>\nstream\n", bytes.len());
    [head.as_bytes(), bytes, b"\nendstream"].concat()
}

/// A file of these objects, numbered from 1; the first is the root.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    for (at, object) in objects.iter().enumerate() {
        file.extend(format!("{} 0 obj\n", at + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    file.extend(b"trailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF");
    file
}

fn one_page(content: &str, font: &str) -> Vec<u8> {
    let content = stream("/Filter /FlateDecode", &deflated(content.as_bytes()));
    file(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Resources << /Font << /F1 5 0 R >> >> >>".to_vec(),
        b"<< /Type /Page /Contents 4 0 R >>".to_vec(),
        content,
        font.as_bytes().to_vec(),
    ])
}

const HELVETICA: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/// What is read, line by line.
fn lines(file: &[u8]) -> Vec<String> {
    text(file).unwrap_or_default().trim().lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn strings_become_words_lines_and_paragraphs() {
    let content = "BT /F1 10 Tf 72 700 Td (Hello) Tj ( world) Tj 0 -12 Td [(Se)10(cond)-300(line)] TJ
        0 -40 Td (New \\(paragraph\\)) Tj 14 TL (next) ' ET BT 1 0 0 1 72 500 Tm <4c617374> Tj ET";
    assert_eq!(
        lines(&one_page(content, HELVETICA)),
        ["Hello world", "Second line", "", "New (paragraph)", "next", "", "Last"]
    );
}

#[test]
fn fonts_say_what_codes_mean() {
    let font = "<< /Subtype /Type1 /Encoding << /Differences [1 /fi 65 /eacute /uni20ac] >> >>";
    assert_eq!(lines(&one_page("BT /F1 9 Tf (\\001nAB\\223) Tj ET", font)), ["fine\u{301}€“"]);
}

#[test]
fn composite_fonts_are_read_by_their_map() {
    let map = "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0001> <0003> <0041> endbfrange";
    // Two strings that stand as far apart as the first is wide, and one that does not.
    let content = stream("", b"BT /F1 10 Tf <00030002> Tj 18 0 Td <0001> Tj 20 0 Td <0001> Tj ET");
    let objects = [
        b"<< /Pages 2 0 R >>".to_vec(),
        b"<< /Kids [3 0 R] >>".to_vec(),
        b"<< /Contents [4 0 R] /Resources << /Font << /F1 5 0 R >> >> >>".to_vec(),
        content,
        b"<< /Subtype /Type0 /ToUnicode 6 0 R /DescendantFonts [<< /W [1 [800] 2 3 900] >>] >>".to_vec(),
        stream("", map.as_bytes()),
    ];
    assert_eq!(lines(&file(&objects)), ["CBA A"]);
}

#[test]
fn objects_may_be_inside_of_streams() {
    let inside = b"1 0 2 19 << /Pages 2 0 R >> << /Kids [3 0 R] >>";
    let first = "1 0 2 19 ".len();
    let objects = deflated(inside);
    let mut file = b"%PDF-1.5\n".to_vec();
    let packed = stream(&format!("/Type /ObjStm /N 2 /First {first} /Filter /FlateDecode"), &objects);
    for (number, object) in [
        (9, packed),
        (3, b"<< /Contents 4 0 R >>".to_vec()),
        (4, stream("", b"BT (Packed) Tj ET")),
        (8, stream("/Type /XRef /Root 1 0 R", b"xx")),
    ] {
        file.extend(format!("{number} 0 obj\n").into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    assert_eq!(lines(&file), ["Packed"]);
}

#[test]
fn forms_write_as_well_and_never_for_ever() {
    let objects = [
        b"<< /Pages 2 0 R >>".to_vec(),
        b"<< /Kids [3 0 R 2 0 R] >>".to_vec(),
        b"<< /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>".to_vec(),
        stream("", b"/X Do"),
        stream("/Subtype /Form", b"BT (In a form) Tj ET /X Do"),
    ];
    assert!(lines(&file(&objects))[0].starts_with("In a form"));
}

#[test]
fn a_changed_file_has_what_was_appended() {
    let mut bytes = one_page("BT (Old) Tj ET", HELVETICA);
    let content = stream("", b"BT (New) Tj ET");
    bytes.extend([b"\n4 0 obj\n".as_slice(), &content, b"\nendobj\n"].concat());
    assert_eq!(lines(&bytes), ["New"]);
}

#[test]
fn encrypted_and_empty_files_have_no_text() {
    let plain = one_page("BT (Secret) Tj ET", HELVETICA);
    let encrypted = String::from_utf8_lossy(&plain).replace("/Root 1 0 R", "/Root 1 0 R /Encrypt 7 0 R");
    assert_eq!(text(encrypted.as_bytes()), None);
    assert_eq!(text(&one_page("0 0 m", HELVETICA)), None);
    assert_eq!(text(b"%PDF-1.4"), None);
    assert_eq!(text(b""), None);
}

#[test]
fn repeated_traps_take_no_longer_than_large_files() {
    for trap in
        ["1 0 obj (", "1 0 obj << /XRef [", "1 0 obj << /ObjStm /First 1 >> stream\n", "trailer <<", "1 0 R ", "(("]
    {
        let many = format!("{}{}", trap.repeat(40_000), "trailer << /Root 1 0 R >>");
        text(many.as_bytes());
    }
}

/// A page of these resources and contents, and more objects from the fifth on.
fn page_of(resources: &str, content: &[u8], more: &[Vec<u8>]) -> Vec<u8> {
    let page = format!("<< /Contents 4 0 R /Resources << {resources} >> >>");
    let objects =
        [b"<< /Pages 2 0 R >>".to_vec(), b"<< /Kids [3 0 R] >>".to_vec(), page.into_bytes(), stream("", content)];
    file(&[&objects, more].concat())
}

#[test]
fn what_is_asked_for_often_is_not_done_for_ever() {
    let entries = |entry: &dyn Fn(usize) -> String| (0..20_000).map(entry).collect::<String>();
    // Every operator looks for the last of many fonts, which is to be read each time.
    let fonts = format!("/Font << {} /F << /Subtype /Type0 >> >>", entries(&|n| format!("/A{n} 1 0 R ")));
    text(&page_of(&fonts, &b"/F 1 Tf ".repeat(20_000), &[]));
    // Widths, and a map, that name all codes over and over, in as many fonts.
    let wide = format!("<< /W [{}] >>", "0 65534 500 ".repeat(2_000));
    let map = stream("", format!("{}endbfrange", "<0000> <ffff> <0000> ".repeat(500)).as_bytes());
    let font = b"<< /Subtype /Type0 /ToUnicode 6 0 R /DescendantFonts [5 0 R] >>".to_vec();
    let more = [vec![wide.into_bytes(), map], vec![font; 500]].concat();
    let fonts: String = (7..507).map(|n| format!("/F{n} {n} 0 R ")).collect();
    let content: String = (7..507).map(|n| format!("/F{n} 1 Tf ")).collect();
    text(&page_of(&format!("/Font << {fonts} >>"), content.as_bytes(), &more));
    // A form that takes long to unpack, and is empty.
    let form = stream("/Subtype /Form /Filter [/Fl /AHx]", &deflated(&vec![b'>'; 4 << 20]));
    text(&page_of("/XObject << /X 5 0 R >>", &b"/X Do ".repeat(20_000), &[form]));
}

#[test]
fn a_string_shows_no_more_than_a_file_may() {
    let map = stream("", format!("<41> <{}> endbfchar", "0042".repeat(64)).as_bytes());
    let font = b"<< /Subtype /Type1 /ToUnicode 6 0 R >>".to_vec();
    let content = format!("/F 1 Tf ({}) Tj", "A".repeat(1 << 20));
    let shown = text(&page_of("/Font << /F 5 0 R >>", content.as_bytes(), &[font, map])).unwrap();
    assert!((TEXT_MAX - 64..=TEXT_MAX).contains(&shown.len()), "{}", shown.len());
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        text(&bytes);
    }

    #[test]
    fn any_content_is_read(content in "[ -~\\n]{0,300}") {
        text(&one_page(&content, HELVETICA));
    }

    #[test]
    fn damaged_files_are_read(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = one_page("BT /F1 10 Tf 1 2 Td (Hello) Tj [(a)-300(b)] TJ ET", HELVETICA);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        text(&bytes);
    }
}
