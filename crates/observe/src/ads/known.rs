//! Advertisements that are known without any list: the houses most of them come from, the words their addresses are
//! made of, and the sizes they are sold in.

use crate::page::{Element, HookedPage};
use url::Url;

/// Domains that serve advertisements and nothing else, with all their hosts.
const HOUSES: [&str; 44] = [
    "2mdn.net",
    "33across.com",
    "adform.net",
    "admob.com",
    "adnxs.com",
    "adroll.com",
    "adsrvr.org",
    "advertising.com",
    "adzerk.net",
    "amazon-adsystem.com",
    "ads-twitter.com",
    "atdmt.com",
    "bidswitch.net",
    "buysellads.com",
    "buysellads.net",
    "carbonads.com",
    "carbonads.net",
    "casalemedia.com",
    "contextweb.com",
    "criteo.com",
    "criteo.net",
    "doubleclick.com",
    "doubleclick.net",
    "ethicalads.io",
    "fastclick.net",
    "flashtalking.com",
    "googleadservices.com",
    "googlesyndication.com",
    "linksynergy.com",
    "media.net",
    "mgid.com",
    "moatads.com",
    "openx.net",
    "outbrain.com",
    "popads.net",
    "pubmatic.com",
    "revcontent.com",
    "rubiconproject.com",
    "serving-sys.com",
    "sharethrough.com",
    "smartadserver.com",
    "taboola.com",
    "teads.tv",
    "zedo.com",
];
/// Hosts that are called so, or folders.
const WORDS: [&str; 16] = [
    "ad",
    "ads",
    "adframe",
    "adimages",
    "adserv",
    "adserver",
    "adservice",
    "adsystem",
    "advert",
    "adverts",
    "adx",
    "adclick",
    "bannerads",
    "pagead",
    "sponsored",
    "textads",
];
/// The paper's own word, wherever it stands.
const WORD: &str = "advertisement";
/// Sizes of the trade, as names of files have them.
const SIZES: [&str; 14] = [
    "728x90", "300x250", "336x280", "160x600", "120x600", "300x600", "970x250", "970x90", "320x50", "320x100",
    "468x60", "234x60", "300x1050", "980x120",
];

pub(super) fn is_one(seen: &HookedPage<'_>) -> bool {
    if seen.url.contains(WORD) {
        return true;
    }
    let Ok(url) = Url::parse(seen.url) else { return false };
    let host = url.host_str().unwrap_or_default();
    is_house(host)
        || is_word(host.split('.').next().unwrap_or_default())
        || url.path_segments().into_iter().flatten().any(is_word)
        || seen.element == Element::Image && is_elsewhere(host, seen.page) && has_size(url.path())
}

fn is_house(host: &str) -> bool {
    let belongs =
        |house: &&str| host.strip_suffix(*house).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    HOUSES.iter().any(belongs)
}

fn is_word(part: &str) -> bool {
    let name = part.split('.').next().unwrap_or_default();
    WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Whether a host belongs to another site than the page: pictures of one's own may have any size.
fn is_elsewhere(host: &str, page: &str) -> bool {
    let Ok(page) = Url::parse(page) else { return false };
    fn site(host: &str) -> &str {
        let start = host.rmatch_indices('.').nth(1).map_or(0, |(dot, _)| dot + 1);
        &host[start..]
    }
    site(host) != site(page.host_str().unwrap_or_default())
}

/// Whether a size of the trade stands in a path, not as part of another number.
fn has_size(path: &str) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    SIZES.iter().any(|size| {
        path.match_indices(size).any(|(at, _)| {
            let bytes = path.as_bytes();
            !digit(at.checked_sub(1).and_then(|before| bytes.get(before))) && !digit(bytes.get(at + size.len()))
        })
    })
}
