//! What [`look`] costs on a page, beside what a streaming rewriter costs to find `a[href]` alone, and all it would
//! need to find the same links.
//!
//! Pages: one made up here (15 KiB, 52 links), and every `.html` file below the directory `TINTYPE_PAGES` names.

use criterion::{BatchSize, Criterion, Throughput};
use lol_html::{HtmlRewriter, Settings, element};
use std::{cell::Cell, fmt::Write, fs, hint::black_box, path::Path};
use tintype_observe::{Described, look};

const URL: &str = "http://127.0.0.1:8080/research/froo/2006/page-8510.html";
/// Files read from the directory of pages.
const FILES_MAX: usize = 1000;

fn synthetic() -> Vec<u8> {
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>A page</title>\n\
         <link rel=\"stylesheet\" href=\"/static/main.css\">\n<script src=\"/static/main.js\" defer></script>\n</head>\n<body>\n",
    );
    for n in 0..50 {
        let href = match n % 4 {
            0 => format!("/section-{n}/"),
            1 => format!("../../blog/some-words-{n}/2012/article-{n}.html"),
            2 => format!("next-article-with-a-long-name-{n}.html"),
            _ => format!("http://127.0.0.1:8080/products/{n}.html"),
        };
        let words = "whose text goes on for a few words more ".repeat(6);
        writeln!(page, "<p class=\"leaf\">Paragraph {n} {words}<a href=\"{href}\">link {n}</a> <em>end</em></p>")
            .unwrap();
    }
    page.push_str("</body></html>\n");
    page.into_bytes()
}

fn recorded() -> Vec<Vec<u8>> {
    let mut pages = Vec::new();
    if let Some(directory) = std::env::var_os("TINTYPE_PAGES") {
        gather(Path::new(&directory), &mut pages);
    }
    pages
}

fn gather(directory: &Path, pages: &mut Vec<Vec<u8>>) {
    let mut paths: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if pages.len() >= FILES_MAX {
            return;
        }
        if path.is_dir() {
            gather(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(fs::read(path).unwrap());
        }
    }
}

fn ours(page: &[u8]) -> usize {
    look(&Described { url: URL, content_type: Some("text/html"), ..Described::default() }, page).links.len()
}

fn rewriter(page: &[u8], selector: &str) -> usize {
    let found = Cell::new(0);
    let handler = element!(selector, |element| {
        let attribute = ["href", "src"].iter().find_map(|name| element.get_attribute(name));
        found.set(found.get() + usize::from(attribute.is_some()));
        Ok(())
    });
    let settings = Settings::new().append_element_content_handler(handler).with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(page).unwrap();
    rewriter.end().unwrap();
    found.get()
}

const EVERYTHING: &str = "a, area, link, img, source, video, audio, track, embed, object, iframe, frame, input, script, \
    style, image, use, body, table, td, meta, base, [style]";

fn compare(criterion: &mut Criterion, name: &str, pages: &[Vec<u8>]) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(pages.iter().map(|page| page.len() as u64).sum()));
    let mut measure = |name: &str, find: &dyn Fn(&[u8]) -> usize| {
        let all = |pages: &[Vec<u8>]| pages.iter().map(|page| find(black_box(page))).sum::<usize>();
        group.bench_function(name, |bencher| bencher.iter_batched(|| pages, all, BatchSize::SmallInput));
    };
    measure("look", &ours);
    measure("rewriter a[href]", &|page| rewriter(page, "a[href]"));
    measure("rewriter everything", &|page| rewriter(page, EVERYTHING));
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    compare(&mut criterion, "made up", &[synthetic()]);
    let recorded = recorded();
    if !recorded.is_empty() {
        println!("{} pages, {} bytes", recorded.len(), recorded.iter().map(Vec::len).sum::<usize>());
        compare(&mut criterion, "recorded", &recorded);
    }
    criterion.final_summary();
}
