//! Addresses in style sheets.

/// A style sheet with every address replaced by what `change` makes of it.
pub(super) fn rewritten(css: &[u8], change: &dyn Fn(&str) -> Option<String>) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(css.len() + css.len() / 8), 0);
    while at < css.len() {
        let rest = &css[at..];
        if rest.starts_with(b"/*") {
            let end = rest.windows(2).skip(2).position(|two| two == b"*/").map_or(rest.len(), |end| end + 4);
            out.extend_from_slice(&rest[..end]);
            at += end;
            continue;
        }
        let opened = starts_with(rest, b"url(").then_some(4).or_else(|| starts_with(rest, b"@import").then_some(7));
        let Some(opened) = opened else {
            out.push(css[at]);
            at += 1;
            continue;
        };
        out.extend_from_slice(&rest[..opened]);
        at += opened;
        at += address(&css[at..], opened == 4, &mut out, change);
    }
    out
}

fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Copies the address that stands here; returns how many bytes it took. Behind `@import` it has to be in quotation marks.
fn address(text: &[u8], may_be_bare: bool, out: &mut Vec<u8>, change: &dyn Fn(&str) -> Option<String>) -> usize {
    let space = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let (start, end) = match text.get(space) {
        Some(quote @ (b'"' | b'\'')) => {
            let Some(len) = text[space + 1..].iter().position(|byte| byte == quote || *byte == b'\n') else { return 0 };
            (space + 1, space + 1 + len)
        }
        Some(_) if may_be_bare => {
            let Some(len) = text[space..].iter().position(|byte| *byte == b')' || *byte == b'\n') else { return 0 };
            (space, space + len)
        }
        _ => return 0,
    };
    let written = String::from_utf8_lossy(&text[start..end]).trim().to_owned();
    out.extend_from_slice(&text[..start]);
    match change(&written) {
        Some(changed) => out.extend(changed.replace(['"', '\'', '(', ')', '\\', '\n', ' '], "").bytes()),
        None => out.extend_from_slice(&text[start..end]),
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_of_a_style_sheet_is_found() {
        let css = "@import 'a.css'; @import url(\"b.css\"); p{background:URL( c.png )} /* url(d) */ q{src:url(data:x)} @import x; url(";
        let change = |url: &str| (!url.starts_with("data:")).then(|| format!("/f/{url}"));
        let said = String::from_utf8(rewritten(css.as_bytes(), &change)).unwrap();
        assert_eq!(
            said,
            "@import '/f/a.css'; @import url(\"/f/b.css\"); p{background:URL( /f/c.png)} /* url(d) */ q{src:url(data:x)} @import x; url("
        );
        assert_eq!(rewritten(b"/* no end", &change), b"/* no end");
    }
}
