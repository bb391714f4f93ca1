//! Scripts of the past: modules of other hosts are loaded from the archive. Nothing else in a script is touched.

use super::addresses::Addresses;
use serde_json::Value;
use tintype_observe::{ModuleLoad, is_module_address, module_loads};

/// What a script calls with an address only it knows; the shim of pages and workers has it.
const LED: &str = "__tt_m";

/// The script with modules led into the archive; nothing if it stays as it is.
pub(super) fn rewritten(source: &str, to: &Addresses) -> Option<String> {
    if !source.contains("import") && !source.contains("export") {
        return None;
    }
    let (mut out, mut at) = (String::new(), 0);
    for load in module_loads(source) {
        let (range, text) = match load {
            ModuleLoad::Named(range, name) => match led(&name, to) {
                Some(led) => (range, Value::from(led).to_string()),
                None => continue,
            },
            ModuleLoad::Computed(range) => (range.clone(), format!("{LED}({})", &source[range])),
        };
        out.push_str(&source[at..range.start]);
        out.push_str(&text);
        at = range.end;
    }
    (at > 0).then(|| out + &source[at..])
}

/// Names that an import map explains stay names.
fn led(name: &str, to: &Addresses) -> Option<String> {
    is_module_address(name).then(|| to.resource(name)).flatten()
}

/// An import map that explains names by addresses in the archive.
pub(super) fn import_map(text: &str, to: &Addresses) -> Option<String> {
    let mut map: Value = serde_json::from_str(text).ok()?;
    let map_fields = map.as_object_mut()?;
    map_fields.remove("integrity");
    if let Some(imports) = map_fields.get_mut("imports") {
        *imports = explained(imports, to);
    }
    if let Some(scopes) = map_fields.get("scopes").and_then(Value::as_object) {
        let scoped =
            scopes.iter().map(|(scope, imports)| (led(scope, to).unwrap_or(scope.clone()), explained(imports, to)));
        let scopes = Value::Object(scoped.collect());
        map_fields.insert("scopes".to_owned(), scopes);
    }
    Some(map.to_string().replace('<', "\\u003c"))
}

fn explained(imports: &Value, to: &Addresses) -> Value {
    let Some(imports) = imports.as_object() else { return imports.clone() };
    let address =
        |value: &Value| value.as_str().and_then(|address| led(address, to)).map_or(value.clone(), Value::from);
    Value::Object(imports.iter().map(|(name, value)| (led(name, to).unwrap_or(name.clone()), address(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{addresses::Spelling, name::ReplayName};
    use super::*;
    use url::Url;

    fn addresses() -> Addresses {
        let base = Url::parse("http://e.com/js/main.js").unwrap();
        let here = ReplayName::of(&base, "20261118000000").unwrap();
        Addresses { base, spelling: Spelling::Origins { here, suffix: "localhost".into() } }
    }

    #[test]
    fn modules_of_other_hosts_come_from_the_archive() {
        let source = "import a from 'http://cdn.com/a.js'; import './b.js'; import 'vue'; import(c).then(d)";
        assert_eq!(
            rewritten(source, &addresses()).as_deref(),
            Some(
                "import a from \"/__tt/f/http://cdn.com/a.js\"; import './b.js'; import 'vue'; import(__tt_m(c)).then(d)"
            )
        );
        assert_eq!(rewritten("let a = 'http://cdn.com/a.js'", &addresses()), None);
        assert_eq!(rewritten("important()", &addresses()), None);
    }

    #[test]
    fn names_are_explained_by_addresses_in_the_archive() {
        let map = r#"{"imports": {"vue": "/vue.js", "x/": "//cdn.com/x/"}, "scopes": {"/a/": {"vue": "https://b.com/v.js"}}, "integrity": {"a": "b"}}"#;
        let said: Value = serde_json::from_str(&import_map(map, &addresses()).unwrap()).unwrap();
        let wanted = serde_json::json!({
            "imports": {"vue": "/vue.js", "x/": "/__tt/f/http://cdn.com/x/"}, "scopes": {"/a/": {"vue": "/__tt/f/https://b.com/v.js"}},
        });
        assert_eq!(said, wanted);
        assert_eq!(import_map("{", &addresses()), None);
    }
}
