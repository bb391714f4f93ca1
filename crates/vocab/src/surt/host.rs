//! Host names and IP addresses, in the many ways people write them.

use super::escape::{append_escaped_lower, unescape_fully};
use core::net::Ipv4Addr;

/// A host in lower-case ASCII: escapes undone, internationalised names in punycode, odd forms of an IPv4 address as
/// dotted decimal, surplus dots dropped, and whatever still is not visible ASCII percent-encoded.
pub(super) fn canonical(host: &str) -> String {
    let mut host = unescape_fully(host.as_bytes());
    if !host.is_ascii()
        && let Some(ascii) = to_ascii(&valid_text(&host))
    {
        host = ascii.into_bytes().into();
    }
    let host = single_dots(&host);
    match std::str::from_utf8(&host).ok().and_then(ipv4) {
        Some(address) => address.to_string(),
        None => {
            let mut out = String::new();
            append_escaped_lower(&host, &mut out);
            out
        }
    }
}

/// The host without a leading `www.`, `www2.` and so on.
pub(super) fn without_www(host: &str) -> &str {
    host.strip_prefix("www")
        .and_then(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('.'))
        .unwrap_or(host)
}

/// `www.example.com` as `com,example,www`.
pub(super) fn append_reversed(host: &str, out: &mut String) {
    let mut rest = host;
    while let Some(dot) = rest.bytes().rposition(|byte| byte == b'.') {
        out.push_str(&rest[dot + 1..]);
        out.push(',');
        rest = &rest[..dot];
    }
    out.push_str(rest);
}

fn valid_text(bytes: &[u8]) -> String {
    bytes.utf8_chunks().map(|chunk| chunk.valid()).collect()
}

/// Every pair of dots made one, from the left and once only (`...` becomes `..`), and none at the ends.
fn single_dots(host: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(host.len());
    let mut rest = host;
    while let Some((&byte, tail)) = rest.split_first() {
        out.push(byte);
        rest = if byte == b'.' { tail.strip_prefix(b".").unwrap_or(tail) } else { tail };
    }
    let start = out.iter().position(|b| *b != b'.').unwrap_or(out.len());
    let end = out.iter().rposition(|b| *b != b'.').map_or(start, |last| last + 1);
    out[start..end].to_vec()
}

/// One to four numbers as C libraries read addresses: octal after a leading zero, the last one filling what is left.
/// A lone number is decimal and wraps. Hexadecimal is taken for a name.
fn ipv4(host: &str) -> Option<Ipv4Addr> {
    if host.is_empty() || !host.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    if !host.contains('.') {
        let wrapped = host.bytes().fold(0u32, |n, b| n.wrapping_mul(10).wrapping_add(u32::from(b - b'0')));
        return Some(Ipv4Addr::from_bits(wrapped));
    }
    let (leading, last) = host.rsplit_once('.')?;
    let mut bits = 0;
    let mut room = 32;
    for part in leading.split('.') {
        room -= 8;
        if room == 0 {
            return None;
        }
        bits |= u32::from(u8::try_from(number(part)?).ok()?) << room;
    }
    let last = number(last)?;
    (u64::from(last) < 1 << room).then(|| Ipv4Addr::from_bits(bits | last))
}

fn number(digits: &str) -> Option<u32> {
    let radix = if digits.len() > 1 && digits.starts_with('0') { 8 } else { 10 };
    u32::from_str_radix(digits, radix).ok()
}

/// No label this long fits the 63 bytes a label may have, so it is not worth looking at.
const LONGEST_LABEL: usize = 1000;

/// The name in punycode as IDNA 2003 has it, label by label; nothing if one label cannot be written so.
///
/// The `url` crate follows UTS 46. Where IDNA 2003 is laxer (it maps `ß`, final sigma and joiners away and lets spaces
/// be) the label is mapped first; where it is stricter (a right-to-left label may not end in a digit) it is checked.
fn to_ascii(host: &str) -> Option<String> {
    if host.is_ascii() {
        let (labels, last) = host.rsplit_once('.').unwrap_or(("", host));
        let fits = last.len() < 64 && (labels.is_empty() || labels.split('.').all(is_label));
        return (fits && !host.starts_with('.')).then(|| host.to_owned());
    }
    let dots = ['.', '\u{3002}', '\u{ff0e}', '\u{ff61}'];
    let (host, end) = match host.strip_suffix(dots) {
        Some(host) => (host, "."),
        None => (host, ""),
    };
    let labels: Option<Vec<String>> = host.split(dots).map(label_to_ascii).collect();
    Some(labels?.join(".") + end)
}

fn is_label(label: &str) -> bool {
    (1..64).contains(&label.len())
}

fn label_to_ascii(label: &str) -> Option<String> {
    if label.is_ascii() {
        return is_label(label).then(|| label.to_owned());
    }
    let mut mapped = String::with_capacity(label.len() + 2);
    for c in label.chars() {
        match c {
            'ß' | 'ẞ' => mapped.push_str("ss"),
            'ς' => mapped.push('σ'),
            '\u{200c}' | '\u{200d}' => {}
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => mapped.push(' '),
            _ => mapped.push(c),
        }
    }
    if mapped.is_ascii() {
        return is_label(&mapped).then_some(mapped);
    }
    let ends_rightly = mapped.ends_with(right_to_left) || !mapped.contains(right_to_left);
    if mapped.len() > LONGEST_LABEL || !ends_rightly {
        return None;
    }
    // A second label keeps a label of digits from being read as an address.
    mapped.push_str(".x");
    let url::Host::Domain(ascii) = url::Host::parse(&mapped).ok()? else { return None };
    ascii.strip_suffix(".x").filter(|label| is_label(label)).map(str::to_owned)
}

/// Letters of scripts written from right to left (RFC 3454 table D.1).
fn right_to_left(c: char) -> bool {
    matches!(c,
        '\u{5be}' | '\u{5c0}' | '\u{5c3}' | '\u{5d0}'..='\u{5ea}' | '\u{5f0}'..='\u{5f4}' | '\u{61b}' | '\u{61f}'
        | '\u{621}'..='\u{63a}' | '\u{640}'..='\u{64a}' | '\u{66d}'..='\u{66f}' | '\u{671}'..='\u{6d5}' | '\u{6dd}'
        | '\u{6e5}'..='\u{6e6}' | '\u{6fa}'..='\u{6fe}' | '\u{700}'..='\u{70d}' | '\u{710}' | '\u{712}'..='\u{72c}'
        | '\u{780}'..='\u{7a5}' | '\u{7b1}' | '\u{fb1d}' | '\u{fb1f}'..='\u{fb28}' | '\u{fb2a}'..='\u{fbb1}'
        | '\u{fbd3}'..='\u{fd3d}' | '\u{fd50}'..='\u{fdfc}' | '\u{fe70}'..='\u{fefc}')
}
