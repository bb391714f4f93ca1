//! Where in a script modules are loaded, to the byte: for whoever has to lead them elsewhere.

use super::token::{Token, Tokens};
use std::ops::Range;

/// A place where a script loads a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleLoad {
    /// A string that names it: where it stands, quotation marks included, and what it says.
    Named(Range<usize>, String),
    /// The first argument of `import(…)`, which only a running script knows.
    Computed(Range<usize>),
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Nothing,
    Import,
    Export,
    /// Names, up to `from`.
    Clause,
    From,
}

/// Every module that a script loads, in order.
pub fn module_loads(source: &str) -> Vec<ModuleLoad> {
    let (mut tokens, mut found, mut seen) = (Tokens::new(source), Vec::new(), Seen::Nothing);
    while let Some((token, after_dot)) = tokens.next() {
        seen = match (seen, token) {
            (Seen::Import | Seen::From, Token::Text(name)) => {
                found.push(ModuleLoad::Named(tokens.start()..tokens.end(), name.into_owned()));
                Seen::Nothing
            }
            (Seen::Import, Token::Mark(b'(')) => {
                found.extend(argument(&mut tokens));
                Seen::Nothing
            }
            (_, Token::Word("import")) if !after_dot => Seen::Import,
            (_, Token::Word("export")) if !after_dot => Seen::Export,
            (Seen::Clause, Token::Word("from")) => Seen::From,
            (Seen::Import, Token::Word(_) | Token::Mark(b'{' | b'*')) => Seen::Clause,
            (Seen::Export, Token::Mark(b'{' | b'*')) => Seen::Clause,
            (Seen::Clause | Seen::From, Token::Word(_) | Token::Mark(b',' | b'{' | b'}' | b'*')) => Seen::Clause,
            (Seen::Clause, Token::Text(_)) => Seen::Clause,
            _ => Seen::Nothing,
        };
    }
    found
}

/// The first argument of a call whose parenthesis was just opened.
fn argument(tokens: &mut Tokens<'_>) -> Option<ModuleLoad> {
    let (mut depth, mut whole, mut text) = (0, None::<Range<usize>>, None);
    loop {
        let (token, _) = tokens.next()?;
        match token {
            Token::Mark(b')' | b',') if depth == 0 => break,
            Token::Mark(b'(' | b'[' | b'{') => depth += 1,
            Token::Mark(b')' | b']' | b'}') => depth -= 1,
            _ => {}
        }
        text = match (token, &whole) {
            (Token::Text(name), None) => Some(name.into_owned()),
            _ => None,
        };
        whole = Some(whole.map_or(tokens.start(), |known| known.start)..tokens.end());
    }
    let whole = whole?;
    Some(text.map_or_else(|| ModuleLoad::Computed(whole.clone()), |name| ModuleLoad::Named(whole.clone(), name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(source: &str) -> Vec<String> {
        let load = |load: ModuleLoad| match load {
            ModuleLoad::Named(at, name) => format!("{}={name}", &source[at]),
            ModuleLoad::Computed(at) => format!("?{}", &source[at]),
        };
        module_loads(source).into_iter().map(load).collect()
    }

    #[test]
    fn every_place_is_found_to_the_byte_and_nothing_else() {
        for (source, places) in [
            ("import'a';import b from \"c\";import*as d from`e`;", &["'a'=a", "\"c\"=c", "`e`=e"][..]),
            (
                "import{a as b,'x y' as c}from'd' with{type:'json'};export*from 'e';export{f}from'g'",
                &["'d'=d", "'e'=e", "'g'=g"],
            ),
            ("import('a');import(b+'c',{with:{}});x(import(`d${e}/f`))", &["'a'=a", "?b+'c'", "?`d${e}/f`"]),
            ("import(f(1,[2],{g:3}).h)", &["?f(1,[2],{g:3}).h"]),
            ("a.import('no');import.meta.url;'import(\"no\")';/import('no')/;export default 'no';// import 'no'", &[]),
            ("export const from = 'no'; import(", &[]),
        ] {
            assert_eq!(said(source), places, "{source}");
        }
    }
}
