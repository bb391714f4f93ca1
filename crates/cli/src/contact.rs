//! Who asks: a page or address where the owner of a site can reach the person behind the requests. Asked for once, and kept.

use std::io::{BufRead, IsTerminal, Write};

/// Longer ones are none.
const CONTACT_BYTES_MAX: usize = 200;

/// Asks the person at the terminal, if there is one.
pub(crate) fn ask_person() -> Option<String> {
    let (stdin, stderr) = (std::io::stdin(), std::io::stderr());
    (stdin.is_terminal() && stderr.is_terminal()).then(|| ask(&mut stdin.lock(), &mut stderr.lock())).flatten()
}

/// What was answered; nothing if nobody wants to say.
fn ask(from: &mut impl BufRead, to: &mut impl Write) -> Option<String> {
    let question = "Where can the owner of a site reach you? A page or a mail address, sent with every request and kept in \
                    tintype.toml\n(Enter: not now; --contact says it another time): ";
    write!(to, "{question}").and_then(|()| to.flush()).ok()?;
    let mut answer = String::new();
    from.read_line(&mut answer).ok()?;
    Some(answer.trim().to_owned()).filter(|answer| is_contact(answer))
}

/// Whether it can be sent.
pub(crate) fn is_contact(text: &str) -> bool {
    let printable = |c: char| c.is_ascii_graphic() && !"();".contains(c);
    !text.is_empty() && text.len() <= CONTACT_BYTES_MAX && text.chars().all(printable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_asked_for_and_may_be_kept_back() {
        let answered = |answer: &str| {
            let mut asked = Vec::new();
            let contact = ask(&mut answer.as_bytes(), &mut asked);
            assert!(String::from_utf8(asked).unwrap().contains("reach you"));
            contact
        };
        assert_eq!(answered("me@example.com\n").as_deref(), Some("me@example.com"));
        assert_eq!([answered("\n"), answered(""), answered("a b\n"), answered("x\u{1b}[2J\n")], [const { None }; 4]);
    }
}
