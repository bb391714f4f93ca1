//! Settings a page has for its own scripts, as JSON: the scripts they are told to run, workers mostly.
//!
//! Of all that is in there only what can be nothing else: a value that is the path of a script, from the root or upwards.
//! A path that begins with a name may be relative to anything.

use super::{is_plausible, is_rooted};
use memchr::memmem;
use serde_json::Value;

/// How much of a block is read; larger ones are the page's content.
const BLOCK_MAX: usize = 256 << 10;
/// Values that are looked at in one block.
const VALUES_MAX: usize = 5_000;

/// Calls `found` with the address of every script that settings name, unresolved.
pub(crate) fn scripts(json: &str, mut found: impl FnMut(&str)) {
    if json.len() > BLOCK_MAX || memmem::find(json.as_bytes(), b"js").is_none() {
        return;
    }
    let Ok(settings) = serde_json::from_str::<Value>(json) else { return };
    let mut waiting = vec![&settings];
    for _ in 0..VALUES_MAX {
        match waiting.pop() {
            Some(Value::String(text)) if is_script(text) => found(text),
            Some(Value::Array(values)) => waiting.extend(values.iter().rev()),
            Some(Value::Object(members)) => waiting.extend(members.values().rev()),
            Some(_) => {}
            None => return,
        }
    }
}

fn is_script(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let named = path.ends_with(".js") || path.ends_with(".mjs");
    named && (is_rooted(text) || text.starts_with("../")) && !text.starts_with("//") && is_plausible(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_scripts_are_taken() {
        let mut seen = Vec::new();
        let json = r#"{"base":"../..","search":"../../w/search.min.js","a":["/x.mjs?v=1",{"b":"https://h/y.js"}],"c":"static/z.js",
            "d":"./e.js","f":"/data.json","g":"/a b.js","/key.js":1,"h":"/*.js/"}"#;
        scripts(json, |address| seen.push(address.to_owned()));
        assert_eq!(seen, ["/x.mjs?v=1", "https://h/y.js", "../../w/search.min.js"]);
        scripts("{\"js\":", |_| panic!("that is no JSON"));
        let many = format!("[{}\"/x.js\"]", "\"/x.js\",".repeat(2 * VALUES_MAX));
        let mut count = 0;
        scripts(&many, |_| count += 1);
        assert!(count < VALUES_MAX);
    }
}
