//! A small newsroom that moves once: the site of the tests that compare simulation with reality.

use crate::{Site, SiteAnswer};
use std::fmt::Write;
use tintype_vocab::{Span, Time};

const SECTIONS: [&str; 3] = ["world", "science", "sport"];
const STORIES: usize = 6;

/// A site of some thirty pages as it stands at `start`, and how it changes until `start + interval` and after:
/// the front page and one section move, a story is corrected, one is withdrawn, one is new, the rest stays still.
pub fn newsroom(origin: &str, start: Time, interval: Span) -> Site {
    let mut site = Site::new(origin);
    let later = start + interval;
    fixtures(&mut site, start);
    front(&mut site, start, "Harbour reopens after storm");
    front(&mut site, later, "Council votes on new bridge");
    for section in SECTIONS {
        listing(&mut site, section, start, 0..STORIES);
        for story in 0..STORIES {
            article(&mut site, section, story, start, "First published.");
        }
    }
    listing(&mut site, "world", later, 0..STORIES + 1);
    article(&mut site, "world", STORIES, later, "Just in.");
    article(&mut site, "science", 2, later, "Corrected: the probe launched on Tuesday.");
    site.script(&story_path("sport", 5), later, SiteAnswer::Gone);
    site.script("/latest", start, SiteAnswer::Redirect { to: story_path("world", STORIES - 1) });
    site.script("/latest", later, SiteAnswer::Redirect { to: story_path("world", STORIES) });
    site
}

fn story_path(section: &str, story: usize) -> String {
    format!("/{section}/story-{story}.html")
}

fn fixtures(site: &mut Site, start: Time) {
    let rules = format!("User-agent: *\nDisallow: /private/\nSitemap: {}\n", site.url("/sitemap.xml"));
    site.publish("/robots.txt", start, "text/plain", rules);
    site.publish("/style.css", start, "text/css", "body { font: 16px serif; background: url(/paper.svg) }\n");
    let square = |colour| {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'><rect width='64' height='64' fill='{colour}'/></svg>\n"
        )
    };
    site.publish("/paper.svg", start, "image/svg+xml", square("#f4f0e6"));
    for (section, colour) in SECTIONS.iter().zip(["#0072b2", "#009e73", "#d55e00"]) {
        site.publish(&format!("/{section}/cover.svg"), start, "image/svg+xml", square(colour));
        site.publish(&format!("/{section}/cover-large.svg"), start, "image/svg+xml", square(colour));
    }
    site.publish("/private/notes.html", start, "text/html", "<p>Not for robots.</p>");
    let mut map = String::from("<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
    for path in ["/", "/about.html", "/world/"] {
        write!(map, "<url><loc>{}</loc><lastmod>{start}</lastmod></url>", site.url(path)).expect("strings grow");
    }
    site.publish("/sitemap.xml", start, "application/xml", map + "</urlset>");
    site.publish(
        "/about.html",
        start,
        "text/html",
        page("About us", "<p>Printed by hand since 1853.</p><a href='/private/notes.html'>notes</a>"),
    );
}

fn front(site: &mut Site, from: Time, headline: &str) {
    let sections: String =
        SECTIONS.iter().map(|section| format!("<li><a href='/{section}/'>{section}</a></li>")).collect();
    let body = format!(
        "<h2>{headline}</h2><ul>{sections}</ul><p><a href='/latest'>latest</a> <a href='about.html'>about</a> \
         <a href='http://elsewhere.invalid/'>partner</a> <a href='mailto:desk@newsroom.invalid'>write</a></p>"
    );
    site.publish("/", from, "text/html; charset=utf-8", page("The Newsroom", &body));
}

fn listing(site: &mut Site, section: &str, from: Time, stories: std::ops::Range<usize>) {
    let items: String =
        stories.rev().map(|story| format!("<li><a href='story-{story}.html'>Story {story}</a></li>")).collect();
    let cover = "<img src='cover.svg' srcset='cover-large.svg 2x' alt=''>";
    site.publish(&format!("/{section}/"), from, "text/html", page(section, &format!("{cover}<ol>{items}</ol>")));
}

fn article(site: &mut Site, section: &str, story: usize, from: Time, note: &str) {
    let words: String = (0..120).map(|i| format!("{section} word {} ", (i * 7 + story * 13) % 97)).collect();
    let body =
        format!("<p><em>{note}</em></p><p>{words}</p><p><a href='./'>more {section}</a> <a href='/'>home</a></p>");
    site.publish(&story_path(section, story), from, "text/html", page(&format!("{section} story {story}"), &body));
}

fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title><link rel='stylesheet' href='/style.css'></head><body><h1>{title}</h1>{body}</body></html>\n"
    )
}
