//! Which sources a collection knows, and what their objects' attributes are called.

use crate::Error;
use tintype_archive::Reading;

/// The sources that were imported.
pub fn imported_sources(reading: &Reading) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = Vec::new();
    for capture in reading.captures()? {
        if capture.head.settings.get("attributes").is_some() && !names.contains(&capture.head.site) {
            names.push(capture.head.site);
        }
    }
    Ok(names)
}

/// The names of the attributes of a source's objects, as its last import has them.
pub fn imported_attributes(reading: &Reading, source: &str) -> Result<Vec<String>, Error> {
    let mut named = reading.captures_of(source)?.into_iter().rev();
    let names = named.find_map(|capture| serde_json::from_value(capture.head.settings.get("attributes")?.clone()).ok());
    Ok(names.unwrap_or_default())
}
