//! What a script names that a browser loads with it: modules, workers and what stands beside a module.
//!
//! Only what the language itself says is loaded and only where it is written out: `import "./x.js"`,
//! `export … from "./x.js"`, `import("./x.js")`, `new Worker("x.js")`, `serviceWorker.register("x.js")`,
//! `importScripts("x.js")`, `addModule("x.js")`, `new URL("x.wasm", import.meta.url)`. Strings that merely look like
//! addresses are none.

mod import_map;
pub(crate) mod module_loads;
pub(crate) mod settings;
mod text;
mod token;

use crate::collect::Collector;
pub(crate) use import_map::ImportMap;
use memchr::memmem;
use std::borrow::Cow;
use tintype_vocab::{LinkKind, Tag};
use token::{Token, Tokens};

/// How much of a script is read: more than the largest bundles have.
pub(crate) const SCRIPT_MAX: usize = 8 << 20;
/// Longest address that is taken from a script.
const ADDRESS_MAX: usize = 2048;

/// What an address in a script is relative to, and what is behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Named {
    /// A module specifier: relative to the script, or a name that an import map explains.
    Module,
    /// A script relative to this one.
    Script,
    /// Anything relative to this script.
    Beside,
    /// A script relative to the page that runs this one.
    OfPage,
}

impl Named {
    pub(crate) fn tag(self) -> Tag {
        if self == Named::Beside { Tag::Preload } else { Tag::Script }
    }
}

/// Cheaply tells most scripts that load nothing from those that may.
pub(crate) fn may_name(script: &[u8]) -> bool {
    ["import", "export", "Worker", "addModule"].iter().any(|word| memmem::find(script, word.as_bytes()).is_some())
}

/// Adds what a script file names. Whose page runs it is unknown here: what is relative to that is left.
pub(crate) fn links(source: &str, collector: &mut Collector) {
    names(source, |address, named| {
        let known = match named {
            Named::Module => is_address(address),
            Named::OfPage => is_rooted(address),
            Named::Script | Named::Beside => true,
        };
        if known {
            collector.add(address, LinkKind::Embed, named.tag());
        }
    });
}

/// Calls `found` with every address a script names, unresolved.
pub(crate) fn names(source: &str, mut found: impl FnMut(&str, Named)) {
    let end = (0..=source.len().min(SCRIPT_MAX)).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0);
    let mut tokens = Tokens::new(&source[..end]);
    let mut expected = Expected::Anything;
    while let Some((token, after_dot)) = tokens.next() {
        expected = expected.then(token, after_dot, &mut |address, named| {
            if is_plausible(address) {
                found(address, named);
            }
        });
    }
}

/// Whether a module specifier is an address and not a name.
pub fn is_address(specifier: &str) -> bool {
    specifier.starts_with("./") || specifier.starts_with("../") || is_rooted(specifier)
}

fn is_rooted(address: &str) -> bool {
    let web = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    address.starts_with('/') || web("http://") || web("https://")
}

/// Code that puts addresses together has pieces of them, and names directories.
fn is_plausible(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let odd = |byte: u8| byte <= b' ' || b"<>\"{}|\\^`$".contains(&byte);
    !matches!(name, "" | "." | "..") && address.len() <= ADDRESS_MAX && !address.bytes().any(odd)
}

/// A function whose first argument is an address.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Call {
    Import,
    Scripts,
    OfPage,
    /// `new URL`, if its second argument is `import.meta.url`.
    Url,
}

/// What must come next for an address to be named.
#[derive(Debug)]
enum Expected<'s> {
    Anything,
    AfterImport,
    AfterExport,
    /// Names, up to `from`.
    Clause,
    AfterFrom,
    AfterNew,
    /// The object a constructor belongs to.
    Owner,
    AfterRegistry,
    Register,
    Opening(Call),
    Argument(Call),
    Closing(Call, Cow<'s, str>),
    /// So much of `import.meta.url` was read.
    Meta(usize, Cow<'s, str>),
}

const META_URL: [Token<'static>; 5] =
    [Token::Word("import"), Token::Mark(b'.'), Token::Word("meta"), Token::Mark(b'.'), Token::Word("url")];

impl<'s> Expected<'s> {
    fn then(self, token: Token<'s>, after_dot: bool, found: &mut impl FnMut(&str, Named)) -> Expected<'s> {
        use Expected::*;
        use Token::{Mark, Text, Word};
        match (self, token) {
            (AfterImport | AfterFrom, Text(address)) => {
                found(&address, Named::Module);
                Anything
            }
            (AfterImport, Mark(b'(')) => Argument(Call::Import),
            (AfterImport, Mark(b'{' | b'*')) | (AfterExport, Mark(b'{' | b'*')) => Clause,
            (AfterImport, Word(_)) => Clause,
            (Clause | AfterFrom, Word("from")) => AfterFrom,
            (Clause | AfterFrom, token @ Word("import" | "export" | "new")) => begin(&token, after_dot),
            (Clause | AfterFrom, Word(_) | Mark(b',' | b'{' | b'}' | b'*')) | (Clause, Text(_)) => Clause,
            (AfterNew, Word("Worker" | "SharedWorker")) => Opening(Call::OfPage),
            (AfterNew, Word("URL")) => Opening(Call::Url),
            (AfterNew, Word(_)) => Owner,
            (Owner, Mark(b'.')) => AfterNew,
            (AfterRegistry, Mark(b'?')) => AfterRegistry,
            (AfterRegistry, Mark(b'.')) => Register,
            (Register, Word("register")) => Opening(Call::OfPage),
            (Opening(call), Mark(b'(')) => Argument(call),
            (Argument(call), Text(address)) => Closing(call, address),
            (Closing(call, address), Mark(mark @ (b')' | b','))) => close(call, address, mark, found),
            (Meta(read, address), token) if token == META_URL[read] => match read + 1 {
                read if read == META_URL.len() => {
                    found(&address, Named::Beside);
                    Anything
                }
                read => Meta(read, address),
            },
            (_, token) => begin(&token, after_dot),
        }
    }
}

fn begin<'s>(token: &Token<'s>, after_dot: bool) -> Expected<'s> {
    match token {
        Token::Word("import") if !after_dot => Expected::AfterImport,
        Token::Word("export") if !after_dot => Expected::AfterExport,
        Token::Word("new") if !after_dot => Expected::AfterNew,
        Token::Word("serviceWorker") => Expected::AfterRegistry,
        Token::Word("addModule") if after_dot => Expected::Opening(Call::OfPage),
        Token::Word("importScripts") => Expected::Opening(Call::Scripts),
        _ => Expected::Anything,
    }
}

/// The argument is over and was nothing but a string.
fn close<'s>(call: Call, address: Cow<'s, str>, mark: u8, found: &mut impl FnMut(&str, Named)) -> Expected<'s> {
    let more = mark == b',';
    match call {
        Call::Import => found(&address, Named::Module),
        Call::OfPage => found(&address, Named::OfPage),
        Call::Scripts => found(&address, Named::Script),
        Call::Url if more => return Expected::Meta(0, address),
        Call::Url => {}
    }
    if call == Call::Scripts && more { Expected::Argument(call) } else { Expected::Anything }
}

#[cfg(test)]
mod tests;
