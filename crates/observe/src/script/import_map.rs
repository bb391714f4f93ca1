//! Import maps: what the names stand for by which modules import each other.

use super::is_address;
use serde_json::Value;
use std::collections::BTreeMap;

/// How much of a map is read.
const MAP_MAX: usize = 1 << 20;
/// Names that are kept of a map.
const NAMES_MAX: usize = 4096;

/// The import map of a page.
#[derive(Debug, Default)]
pub(crate) struct ImportMap {
    names: BTreeMap<String, String>,
}

impl ImportMap {
    /// Takes in a map and calls `found` with every address in it that is a whole one.
    pub(crate) fn read(&mut self, json: &str, mut found: impl FnMut(&str)) {
        if json.len() > MAP_MAX {
            return;
        }
        let Ok(map) = serde_json::from_str::<Value>(json) else { return };
        let scopes = map.get("scopes").and_then(Value::as_object).into_iter().flatten().map(|(_, names)| names);
        let entries = map.get("imports").into_iter().chain(scopes).enumerate();
        for (part, names) in entries {
            for (name, address) in addresses(names).take(NAMES_MAX) {
                if !name.ends_with('/') {
                    found(address);
                }
                if part == 0 && self.names.len() < NAMES_MAX {
                    self.names.insert(name.to_owned(), address.to_owned());
                }
            }
        }
    }

    /// The address a module specifier stands for, if it is one or the map knows it.
    pub(crate) fn resolve(&self, specifier: &str) -> Option<String> {
        if let Some(address) = self.names.get(specifier) {
            return Some(address.clone());
        }
        let prefixes = specifier.match_indices('/').map(|(slash, _)| specifier.split_at(slash + 1));
        let mapped = prefixes.rev().find_map(|(prefix, rest)| Some(format!("{}{rest}", self.names.get(prefix)?)));
        mapped.or_else(|| is_address(specifier).then(|| specifier.to_owned()))
    }
}

fn addresses(names: &Value) -> impl Iterator<Item = (&str, &str)> {
    let names = names.as_object().into_iter().flatten();
    let addresses = names.filter_map(|(name, address)| Some((name.as_str(), address.as_str()?)));
    addresses.filter(|(name, address)| is_address(address) && name.ends_with('/') == address.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_as_the_map_says() {
        let mut map = ImportMap::default();
        let mut found = Vec::new();
        let json = r#"{"imports":{"a":"/a.js","lib/":"./lib/","lib/x/":"/x/","b":"bare","c":null,"./d.js":"./d-1.js"},
            "scopes":{"/s/":{"a":"/s/a.js"}}}"#;
        map.read(json, |address| found.push(address.to_owned()));
        assert_eq!(found, ["./d-1.js", "/a.js", "/s/a.js"]);
        for (specifier, expected) in [
            ("a", Some("/a.js")),
            ("lib/y.js", Some("./lib/y.js")),
            ("lib/x/y.js", Some("/x/y.js")),
            ("./d.js", Some("./d-1.js")),
            ("./e.js", Some("./e.js")),
            ("b", None),
            ("other", None),
        ] {
            assert_eq!(map.resolve(specifier).as_deref(), expected, "{specifier}");
        }
        map.read("no map", |_| panic!("nothing is found in what is no map"));
    }
}
