//! URLs that ask a server to do something rather than to show a page: log in, edit, compare versions, sort a list.
//!
//! They are told by the words that wikis, forums, shops, directory listings and viewers of repositories use for it, other
//! forms of the same page included. A word that is wrong costs little:
//! such pages are asked for too, after all others.

/// Parameters that name what is to be done, and what that is where it is not to show the page.
const DOING: [&str; 4] = ["a", "action", "do", "mode"];
const VERBS: [&str; 52] = [
    "add",
    "addtobook",
    "admin",
    "atom",
    "backlink",
    "blame",
    "blame_incremental",
    "blob_plain",
    "blobdiff",
    "blobdiff_plain",
    "buy_now",
    "check",
    "commitdiff_plain",
    "credits",
    "delete",
    "diff",
    "draft",
    "edit",
    "editredlink",
    "export_pdf",
    "export_raw",
    "export_xhtml",
    "history",
    "index",
    "info",
    "login",
    "logout",
    "lostpassword",
    "media",
    "move",
    "opml",
    "patch",
    "patches",
    "project_index",
    "protect",
    "purge",
    "raw",
    "recent",
    "register",
    "reply",
    "resendpwd",
    "revert",
    "revisions",
    "rss",
    "search",
    "search_help",
    "snapshot",
    "submit",
    "subscribe",
    "unwatch",
    "watch",
    "wishlist",
];
/// Parameters of old versions, comparisons, answers to comments, ways back.
const PARAMETERS: [&str; 20] = [
    "add-to-cart",
    "backto",
    "diff",
    "difftype",
    "like_comment",
    "oldid",
    "printable",
    "redirect_to",
    "redlink",
    "replytocom",
    "return_to",
    "returnto",
    "rev",
    "rev2",
    "sectok",
    "share",
    "tab_files",
    "undo",
    "veaction",
    "wpcreate",
];
/// Parts of paths.
const PARTS: [&str; 18] = [
    "action:",
    "log-in",
    "log-out",
    "log_in",
    "log_out",
    "login",
    "login.php",
    "logout",
    "register",
    "sign-in",
    "sign-up",
    "sign_in",
    "sign_up",
    "signin",
    "signup",
    "special:",
    "wp-login.php",
    "wp-signup.php",
];

/// Whether what is behind a URL is probably no page.
pub(crate) fn is_action(url: &str) -> bool {
    let start = url.find("://").map_or(0, |at| at + 3);
    let (path, query) = url[start..].split_once('?').map_or((&url[start..], ""), |(path, query)| (path, query));
    let mut parts = path.split('/').skip(1).filter(|part| !part.is_empty());
    parts.any(is_part) || sorts_listing(query) || query.split(['&', ';']).any(is_parameter)
}

/// A part of a path is a word of ours, or begins with one that ends in a colon, as in `Special:RecentChanges`.
fn is_part(part: &str) -> bool {
    let prefix = part.find(':').or_else(|| part.find("%3A")).or_else(|| part.find("%3a"));
    let word = prefix.map_or_else(|| part.to_ascii_lowercase(), |at| format!("{}:", part[..at].to_ascii_lowercase()));
    PARTS.binary_search(&word.as_str()).is_ok()
}

fn is_parameter(part: &str) -> bool {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let name = name.split(['[', '%']).next().unwrap_or(name).to_ascii_lowercase();
    let value = value.to_ascii_lowercase();
    let does = DOING.contains(&name.as_str()) && VERBS.binary_search(&value.as_str()).is_ok();
    // The title of a page may be in its parameters.
    does || PARAMETERS.binary_search(&name.as_str()).is_ok() || name == "title" && is_part(&value)
}

/// The columns of a directory listing, as servers write them: `C=M;O=D`.
fn sorts_listing(query: &str) -> bool {
    let mut parts = query.split([';', '&']);
    let is = |part: Option<&str>, name: &str| {
        part.and_then(|part| part.strip_prefix(name)).is_some_and(|value| value.len() == 1)
    };
    is(parts.next(), "C=") && is(parts.next(), "O=") && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order() {
        assert!(PARAMETERS.is_sorted() && PARTS.is_sorted() && VERBS.is_sorted());
    }

    #[test]
    fn what_does_something_is_told_from_what_shows_something() {
        for url in [
            "http://e.com/wiki/Page?action=edit",
            "http://e.com/index.php?title=Page&oldid=17",
            "http://e.com/index.php?title=Special:Search",
            "http://e.com/wiki/Special:RecentChanges",
            "http://e.com/wiki/Special%3ALog",
            "http://e.com/doku.php?id=start&do=login&sectok=1",
            "http://e.com/start?rev=1700000000",
            "http://e.com/start?rev2%5B0%5D=1&rev2%5B1%5D=2&do=diff",
            "http://e.com/accounts/login/?next=/x",
            "http://e.com/post?replytocom=5#respond",
            "http://e.com/files/?C=M;O=D",
            "http://e.com/Login",
            "http://e.com/?p=x.git;a=snapshot;h=12;sf=tgz",
            "http://e.com/?p=x.git;a=blob_plain;f=a.c;hb=HEAD",
        ] {
            assert!(is_action(url), "{url}");
        }
        for url in [
            "http://e.com/",
            "http://login.e.com/news",
            "http://e.com/blog/how-to-log-in",
            "http://e.com/index.php?action=view&id=3",
            "http://e.com/?p=x.git;a=blob;h=12",
            "http://e.com/wiki/Talk:Login_page",
            "http://e.com/find?q=login",
            "http://e.com/items?do=&page=3",
            "http://e.com/?C=Europe;O=Spain",
            "http://e.com/specials/menu",
        ] {
            assert!(!is_action(url), "{url}");
        }
    }
}
