//! What surrounds the main part of every page of a site, and the small files that go with it.

use super::{
    chance::{Purpose, below, dice},
    noise::{GENERATED, GENERATED_NEVER, SESSION, TAGLINE, TAGLINES},
    outlet::Outlet,
};
use std::fmt::{self, Write};

impl Outlet {
    /// A whole HTML page around what `main` writes.
    pub(super) fn framed(
        &self,
        title: &str,
        name: u64,
        out: &mut String,
        main: impl FnOnce(&mut String) -> fmt::Result,
    ) -> fmt::Result {
        let site = self.trade.name();
        let feed = if self.trade.feed().is_some() { FEED_LINK } else { "" };
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title} | {site}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<link rel=\"stylesheet\" href=\"/style.css\">\n\
             {feed}</head>\n<body>\n<header>\n<a href=\"/\"><img src=\"/logo.svg\" alt=\"{site}\"></a>\n<nav>\n<ul>\n"
        )?;
        for section in self.trade.sections() {
            writeln!(out, "<li><a href=\"/{section}/\">{section}</a></li>")?;
        }
        writeln!(out, "<li><a href=\"/account?sid={SESSION}\" rel=\"nofollow\">sign in</a></li>")?;
        out.push_str("</ul>\n</nav>\n</header>\n");
        advertisement(out, "banner", name)?;
        out.push_str("<main>\n");
        main(out)?;
        out.push_str("</main>\n");
        advertisement(out, "rectangle", name ^ 1)?;
        write!(
            out,
            "<footer>\n<form action=\"/account\" method=\"post\"><input type=\"hidden\" name=\"nonce\" \
             value=\"{SESSION}\"><input name=\"mail\"><button>Subscribe</button></form>\n<p>{site}, printed by hand \
             since 1853. {GENERATED}{GENERATED_NEVER}.</p>\n</footer>\n</body>\n</html>\n"
        )
    }

    pub(super) fn robots(&self, out: &mut String) -> fmt::Result {
        write!(out, "User-agent: *\nDisallow: /account\nSitemap: {}/sitemap.xml\n", self.origin)
    }
}

const FEED_LINK: &str = "<link rel=\"alternate\" type=\"application/xml\" title=\"Latest\" href=\"/feed.xml\">\n";

fn advertisement(out: &mut String, format: &str, name: u64) -> fmt::Result {
    let line = TAGLINES[below(&mut dice(name, Purpose::Words, 0), TAGLINES.len())];
    writeln!(
        out,
        "<aside class=\"ad advertisement ad-{format}\" id=\"ad-{format}\" data-ad-slot=\"{format}\" \
         aria-label=\"Advertisement\"><a href=\"http://ads.invalid/click?slot={format}&amp;sid={SESSION}\" \
         rel=\"sponsored nofollow\">{TAGLINE}{line}</p></a></aside>"
    )
}

pub(super) const STYLE: &str = "body { font: 16px/1.5 serif; margin: 0 auto; max-width: 60rem; padding: 0 1rem }\n\
    header { align-items: center; border-bottom: 1px solid #999; display: flex; gap: 2rem }\n\
    nav ul { display: flex; gap: 1rem; list-style: none; padding: 0 }\n\
    main { padding: 1rem 0 }\nh1 { font-size: 1.8rem; line-height: 1.2 }\n\
    .teaser { border-top: 1px solid #ddd; padding: .5rem 0 }\n\
    .teaser .detail { color: #555; font-size: .85rem }\n\
    .price { font-weight: bold }\n.post { border-left: 3px solid #0072b2; margin: 1rem 0; padding-left: 1rem }\n\
    .ad { background: #f4f0e6; color: #555; margin: 1rem 0; padding: .5rem; text-align: center }\n\
    .correction { background: #fff3c4; padding: .25rem .5rem }\n\
    pre { background: #f6f6f6; overflow-x: auto; padding: .5rem }\n\
    footer { border-top: 1px solid #999; color: #555; font-size: .85rem; margin-top: 2rem }\n";

/// A small picture: a disc on a square, coloured by what it is for.
pub(super) fn picture(name: u64, out: &mut String) -> fmt::Result {
    let mut dice = dice(name, Purpose::Figures, 0);
    let (ground, disc) = (dice.next_u64() & 0xff_ffff, dice.next_u64() & 0xff_ffff);
    let radius = 12 + below(&mut dice, 18);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"64\" viewBox=\"0 0 64 64\">\
         <rect width=\"64\" height=\"64\" fill=\"#{ground:06x}\"/>\
         <circle cx=\"32\" cy=\"32\" r=\"{radius}\" fill=\"#{disc:06x}\"/></svg>"
    )
}
