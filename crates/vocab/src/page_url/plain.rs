//! The short way for URLs that are already written as they should be: one look at each byte, nothing allocated.
//!
//! It may say no to a URL that is normal, never yes to one that is not; a property test holds it against the parser.

/// Whether normalising would certainly leave this URL as it is.
pub(super) fn is_normal(url: &str) -> bool {
    let (rest, default_port) = match (url.strip_prefix("http://"), url.strip_prefix("https://")) {
        (Some(rest), _) => (rest, "80"),
        (None, Some(rest)) => (rest, "443"),
        (None, None) => return false,
    };
    let Some((authority, path)) = rest.find('/').map(|slash| rest.split_at(slash)) else { return false };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    is_normal_authority(authority, default_port) && is_normal_path(path) && all_in(&QUERY, query)
}

fn is_normal_authority(authority: &str, default_port: &str) -> bool {
    match authority.split_once(':') {
        None => is_normal_host(authority),
        Some((host, port)) => {
            let is_short = !port.starts_with('0') && port.bytes().all(|byte| byte.is_ascii_digit());
            is_normal_host(host) && is_short && port.parse::<u16>().is_ok() && port != default_port
        }
    }
}

fn is_normal_host(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or(host);
    match last.as_bytes().first() {
        Some(b'0'..=b'9') => is_address(host),
        Some(_) => all_in(&HOST, host) && !host.contains("xn--") && !host.starts_with('.') && !host.contains(".."),
        None => false,
    }
}

/// Whether a host that ends in a number is the address it would be read as.
fn is_address(host: &str) -> bool {
    let is_plain = |part: &str| part == "0" || !part.starts_with(['0', '+']) && part.parse::<u8>().is_ok();
    host.split('.').count() == 4 && host.split('.').all(is_plain)
}

fn is_normal_path(path: &str) -> bool {
    // What begins with a dot may be resolved; `.well-known` takes the long way.
    let begins_with_dot = |segment: &str| {
        segment.starts_with('.') || segment.as_bytes().get(..3).is_some_and(|three| three.eq_ignore_ascii_case(b"%2e"))
    };
    all_in(&PATH, path) && !path.split('/').any(begins_with_dot)
}

const HOST: [bool; 256] = letters_digits_and(b"-._", false);
const PATH: [bool; 256] = letters_digits_and(b"-._~!$&'()*+,;=:@%/", true);
const QUERY: [bool; 256] = letters_digits_and(b"-._~!$&()*+,;=:@%/?[]{}|^`\\", true);

const fn letters_digits_and(others: &[u8], capitals: bool) -> [bool; 256] {
    let mut set = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let plain = (byte as u8).is_ascii_lowercase() || (byte as u8).is_ascii_digit();
        set[byte] = plain || capitals && (byte as u8).is_ascii_uppercase();
        byte += 1;
    }
    let mut at = 0;
    while at < others.len() {
        set[others[at] as usize] = true;
        at += 1;
    }
    set
}

fn all_in(set: &[bool; 256], text: &str) -> bool {
    text.bytes().all(|byte| set[usize::from(byte)])
}
