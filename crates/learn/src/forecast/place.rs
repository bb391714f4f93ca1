//! What the address of a page says of it: the groups it belongs to, and its looks.

use crate::knowledge::name;
use serde::{Deserialize, Serialize};

/// The groups of a page: its directory, pages called alike in other directories, and the first directory of its path.
pub(super) const GROUPS: usize = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Looks {
    depth: u8,
    /// None, a page, or something else.
    ending: u8,
    has_number: bool,
    is_number: bool,
    is_dated: bool,
    is_index: bool,
    stem: u8,
}

impl Looks {
    pub(super) const CLUES: usize = 7;

    pub(super) fn clues(&self) -> [f32; Looks::CLUES] {
        let flag = |is: bool| f32::from(u8::from(is));
        [
            f32::from(self.depth),
            f32::from(self.ending),
            flag(self.has_number),
            flag(self.is_number),
            flag(self.is_dated),
            flag(self.is_index),
            f32::from(self.stem),
        ]
    }
}

/// Names of the groups, and looks.
#[derive(Clone, Copy, Debug)]
pub struct Whereabouts {
    pub(super) groups: [u64; GROUPS],
    pub(super) looks: Looks,
}

impl Whereabouts {
    pub fn of(url: &str) -> Whereabouts {
        let path = url.split_once("://").map_or(url, |(_, rest)| rest);
        let path = path.find('/').map_or("/", |at| &path[at..]);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let trimmed = path.strip_suffix('/').unwrap_or(path);
        let (directory, file) = trimmed.rsplit_once('/').unwrap_or(("", trimmed));
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        let top =
            trimmed.trim_start_matches('/').split('/').next().filter(|_| !directory.is_empty()).unwrap_or_default();
        let is_index = file.is_empty() || matches!(stem, "index" | "default" | "home" | "main");
        let digits = stem.bytes().filter(u8::is_ascii_digit).count();
        let years = path.split(|letter: char| !letter.is_ascii_digit());
        let is_year = |digits: &str| digits.len() >= 4 && (digits.starts_with("19") || digits.starts_with("20"));
        // The entrance of a directory is called like the directory, not like all entrances.
        let base = if is_index && stem != file { directory } else { stem };
        let looks = Looks {
            depth: trimmed.matches('/').count().min(20) as u8,
            ending: match ending {
                "" => 0,
                "html" | "htm" | "php" | "asp" | "aspx" | "shtml" | "jsp" => 1,
                _ => 2,
            },
            has_number: digits > 0,
            is_number: digits > 0 && digits == stem.len(),
            is_dated: years.into_iter().any(is_year),
            is_index,
            stem: stem.len().min(60) as u8,
        };
        Whereabouts {
            groups: [name(&format!("d{directory}/")), name(&format!("b{base}")), name(&format!("t{top}"))],
            looks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_directory_namesakes_and_sections_belong_together() {
        let [one, two, other] =
            ["http://e.com/en/docs/a.html", "http://e.com/en/docs/b.html", "http://e.com/de/x/a.html"]
                .map(|url| Whereabouts::of(url).groups);
        assert_eq!((one[0] == two[0], one[1] == two[1], one[2] == two[2]), (true, false, true));
        assert_eq!((one[0] == other[0], one[1] == other[1], one[2] == other[2]), (false, true, false));
    }

    #[test]
    fn looks_are_read_off_the_path_alone() {
        let looks = |url| Whereabouts::of(url).looks;
        assert!(looks("http://e.com/").is_index && looks("http://2024.example/a/index.html").is_index);
        assert!(looks("http://e.com/2024/05/x").is_dated && !looks("http://2024.example/x").is_dated);
        assert!(looks("http://e.com/news-56423").has_number && looks("http://e.com/56423.html").is_number);
        assert_eq!((looks("http://e.com/a/b/c").depth, looks("http://e.com/a.pdf?x=1").ending), (3, 2));
    }
}
