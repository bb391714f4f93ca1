//! Changes for machines: one object, written while it is found out.

use super::{About, Count, Item, Teller};
use serde_json::{Value, json};
use std::io::{self, Write};
use tintype_vocab::Time;

#[derive(Debug, Default)]
pub(super) struct Json {
    told: bool,
}

impl Teller for Json {
    fn begin(&mut self, out: &mut dyn Write, about: &About) -> io::Result<()> {
        let since = about.since.map(Time::to_rfc3339_secs);
        write!(out, "{{\"collection\":{},\"since\":{},\"changes\":[", json!(about.collection), json!(since))
    }

    fn tell(&mut self, out: &mut dyn Write, item: &Item) -> io::Result<()> {
        if std::mem::replace(&mut self.told, true) {
            out.write_all(b",")?;
        }
        Ok(serde_json::to_writer(out, item)?)
    }

    fn end(&mut self, out: &mut dyn Write, _: &About, count: &Count) -> io::Result<()> {
        let Count { shown, hidden, more } = *count;
        let [shown, hidden] = [shown, hidden].map(Value::from);
        writeln!(out, "],\"shown\":{shown},\"hidden\":{hidden},\"more\":{more}}}")
    }
}
