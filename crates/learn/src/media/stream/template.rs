//! What the paths of many pages have in common: where one has a number, the others have another.

use crate::media::parts::Parts;
use rapidhash::v3::rapidhash_v3;

/// Bytes of a template. What is longer is cut.
const TEMPLATE_MAX: usize = 160;
/// Digits that make a hexadecimal number.
const HEX_MIN: usize = 8;

/// A path in lower case, numbers replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template {
    bytes: [u8; TEMPLATE_MAX],
    len: usize,
}

const EMPTY: Template = Template { bytes: [0; TEMPLATE_MAX], len: 0 };

impl Template {
    /// Of the directories and the extension.
    pub(super) fn of_directory(parts: &Parts<'_>) -> Template {
        Template::of_tokens(parts).with_any_file(parts)
    }

    /// Of the whole path, and of which keys the query has.
    pub(super) fn of_page(parts: &Parts<'_>) -> Template {
        Template::of_tokens(parts).with_file(parts)
    }

    /// The hashes of both.
    pub(super) fn hashes(parts: &Parts<'_>) -> [u64; 2] {
        let tokens = Template::of_tokens(parts);
        [tokens.with_any_file(parts).hashed(), tokens.with_file(parts).hashed()]
    }

    /// Of the name of a file alone.
    pub(super) fn of_file(parts: &Parts<'_>) -> Template {
        let mut template = EMPTY;
        template.push_part(parts.file());
        template
    }

    fn with_any_file(mut self, parts: &Parts<'_>) -> Template {
        self.push(b"/*");
        self.push_extension(parts);
        self
    }

    fn with_file(mut self, parts: &Parts<'_>) -> Template {
        if parts.extension().is_some() {
            self.push(b"/");
            self.push_part(parts.file());
        }
        self.push_extension(parts);
        let mut mark: &[u8] = b"?";
        for key in parts.keys() {
            self.push(mark);
            self.push_part(key);
            mark = b"&";
        }
        self
    }

    fn of_tokens(parts: &Parts<'_>) -> Template {
        let mut template = EMPTY;
        for token in parts.tokens() {
            template.push(b"/");
            template.push_part(token);
        }
        template
    }

    pub(super) fn hashed(&self) -> u64 {
        rapidhash_v3(self.as_bytes())
    }

    pub(super) fn text(&self) -> &str {
        let bytes = self.as_bytes();
        std::str::from_utf8(bytes)
            .unwrap_or_else(|cut| std::str::from_utf8(&bytes[..cut.valid_up_to()]).unwrap_or_default())
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn push_extension(&mut self, parts: &Parts<'_>) {
        if let Some(extension) = parts.extension() {
            self.push(b".");
            self.push_lower(extension.as_bytes());
        }
    }

    fn push_part(&mut self, part: &str) {
        let bytes = part.as_bytes();
        let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return self.push_lower(bytes);
        }
        if bytes.len() >= HEX_MIN && digits < bytes.len() && bytes.iter().all(u8::is_ascii_hexdigit) {
            return self.push(b"{h}");
        }
        for run in bytes.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit()) {
            if run[0].is_ascii_digit() { self.push(b"{n}") } else { self.push_lower(run) }
        }
    }

    fn push_lower(&mut self, bytes: &[u8]) {
        let from = self.len;
        self.push(bytes);
        self.bytes[from..self.len].make_ascii_lowercase();
    }

    fn push(&mut self, bytes: &[u8]) {
        let count = bytes.len().min(TEMPLATE_MAX - self.len);
        self.bytes[self.len..self.len + count].copy_from_slice(&bytes[..count]);
        self.len += count;
    }
}
