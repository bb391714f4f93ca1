//! Changes a person asks for in `tintype.toml`. The file is the person's: comments, order and what is not changed stay.

use super::{Config, FILE, HEAD, NotifyConfig, SiteConfig, read_text, terms, torn};
use crate::{command::site_names, failure::usage};
use anyhow::Context;
use std::path::Path;
use tintype_archive::put_file;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value};

impl Config {
    /// Changes what the file says of the sites of a name; how many sections that was. Nothing is written that `check` does
    /// not like.
    pub(crate) fn edit_sites(
        collection: &Path,
        name: &str,
        mut change: impl FnMut(&mut Table),
        check: impl FnOnce(&Config) -> anyhow::Result<()>,
    ) -> anyhow::Result<usize> {
        let mut document = read_document(collection)?;
        let sections = of_name(&document, name);
        if sections.is_empty() {
            return Ok(0);
        }
        for &nth in &sections {
            let table = document["site"].as_array_of_tables_mut().and_then(|tables| tables.get_mut(nth));
            change(table.expect("it was just found"));
        }
        check(&toml::from_str(&document.to_string()).context("what was typed is no setting")?)?;
        put_document(collection, &document)?;
        Ok(sections.len())
    }

    /// Writes a setting that is not of one site.
    pub(crate) fn set(collection: &Path, key: &str, value: &str) -> anyhow::Result<()> {
        let mut document = read_document(collection)?;
        document[key] = toml_edit::value(value);
        put_document(collection, &document)
    }

    /// Writes down who is told of changes, and who mail is from if somebody said so. Nothing is written that cannot be followed.
    pub(crate) fn add_rule(collection: &Path, rule: &NotifyConfig, from: Option<&str>) -> anyhow::Result<()> {
        let mut document = read_document(collection)?;
        if tables(&document, "notify").any(|known| called(known).is_some_and(|name| name == rule.called())) {
            return Err(usage(format!("somebody is told as {} already", rule.called()), "give it another name"));
        }
        if let Some(from) = from {
            let mail = document.entry("mail").or_insert_with(|| Item::Table(Table::new()));
            mail["from"] = toml_edit::value(from);
        }
        let table = toml::to_string(rule).context("what was typed is no rule")?.parse::<DocumentMut>();
        let table = table.context("what was typed is no rule")?.as_table().clone();
        let rules = document.entry("notify").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        rules.as_array_of_tables_mut().context("notify is no list of sections")?.push(table);
        let config: Config = toml::from_str(&document.to_string()).context("what was typed is no rule")?;
        rule.rule(&config.mail)?;
        put_document(collection, &document)
    }

    /// Takes a rule out of the file; whether it was there.
    pub(crate) fn remove_rule(collection: &Path, name: &str) -> anyhow::Result<bool> {
        let mut document = read_document(collection)?;
        let is_it = |table: &Table| called(table).is_some_and(|known| known == name);
        let Some(found) = tables(&document, "notify").position(is_it) else { return Ok(false) };
        remove(&mut document, "notify", &[found]);
        put_document(collection, &document)?;
        Ok(true)
    }

    /// Writes down what is watched for, in the place of what was.
    pub(crate) fn set_watch(collection: &Path, watch: &[String]) -> anyhow::Result<()> {
        terms(watch.iter()).map_err(|problem| usage(problem, "correct it"))?;
        let mut document = read_document(collection)?;
        match watch.is_empty() {
            true => drop(document.remove("watch")),
            false => document["watch"] = toml_edit::value(watch.iter().collect::<Array>()),
        }
        put_document(collection, &document)
    }

    /// Takes the sites of a name out of the file; how many sections that was.
    pub(crate) fn remove_sites(collection: &Path, name: &str) -> anyhow::Result<usize> {
        let mut document = read_document(collection)?;
        let sections = of_name(&document, name);
        if !sections.is_empty() {
            remove(&mut document, "site", &sections);
            put_document(collection, &document)?;
        }
        Ok(sections.len())
    }

    /// Takes a source out of the file; whether it was there.
    pub(crate) fn remove_source(collection: &Path, name: &str) -> anyhow::Result<bool> {
        let mut document = read_document(collection)?;
        let called = |table: &Table| table.get("name").and_then(Item::as_str) == Some(name);
        let Some(found) = tables(&document, "source").position(called) else { return Ok(false) };
        remove(&mut document, "source", &[found]);
        put_document(collection, &document)?;
        Ok(true)
    }
}

/// Writes a value into a section; an empty one takes it out.
pub(crate) fn put(table: &mut Table, key: &str, value: Option<Value>) {
    match value {
        Some(value) => drop(table.insert(key, Item::Value(value))),
        None => drop(table.remove(key)),
    }
}

fn tables<'d>(document: &'d DocumentMut, key: &str) -> impl Iterator<Item = &'d Table> {
    document.get(key).and_then(Item::as_array_of_tables).into_iter().flat_map(ArrayOfTables::iter)
}

/// The sections that speak of a site, by their numbers.
fn of_name(document: &DocumentMut, name: &str) -> Vec<usize> {
    let config = |table: &Table| -> Option<SiteConfig> { toml::from_str(&table.to_string()).ok() };
    let is_named = |table: &Table| config(table).is_some_and(|config| site_names(&config).iter().any(|is| is == name));
    tables(document, "site").enumerate().filter(|(_, table)| is_named(table)).map(|(nth, _)| nth).collect()
}

/// The name of a rule, written down or not.
fn called(table: &Table) -> Option<String> {
    toml::from_str::<NotifyConfig>(&table.to_string()).ok().map(|rule| rule.called())
}

fn remove(document: &mut DocumentMut, key: &str, sections: &[usize]) {
    let Some(tables) = document.get_mut(key).and_then(Item::as_array_of_tables_mut) else { return };
    sections.iter().rev().for_each(|nth| drop(tables.remove(*nth)));
    if tables.is_empty() {
        document.remove(key);
    }
}

fn read_document(collection: &Path) -> anyhow::Result<DocumentMut> {
    // What cannot be followed is told of before anything is changed.
    Config::read(collection)?;
    torn::mend_first(collection)?;
    let path = collection.join(FILE);
    let text = read_text(&path)?.unwrap_or_else(|| HEAD.to_owned());
    text.parse().map_err(|error| {
        usage(format!("{} cannot be understood: {error}", path.display()), "mend that line, and run it again")
    })
}

fn put_document(collection: &Path, document: &DocumentMut) -> anyhow::Result<()> {
    let (path, text) = (collection.join(FILE), document.to_string());
    toml::from_str::<Config>(&text).context("what was written cannot be read again")?;
    put_file(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::MetadataExt};

    const TEXT: &str = "# mine\nbudget = \"5/day\"\n\n[[site]] # the paper\nseeds = [\"https://e.com/\"]\nweight = 2 # twice\n\n\
                        [[site]]\nseeds = [\"https://www.e.com/b/\"]\nscope = \"prefix\"\n\n[[site]]\nseeds = [\"https://f.com/\"]\n";

    fn with(text: &str) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(FILE), text).unwrap();
        directory
    }

    #[test]
    fn a_change_leaves_comments_and_other_sites_alone() {
        let directory = with(TEXT);
        let change = |table: &mut Table| put(table, "hours", Some("22:00-06:00".into()));
        assert_eq!(Config::edit_sites(directory.path(), "e.com", change, |_| Ok(())).unwrap(), 2);
        let text = fs::read_to_string(directory.path().join(FILE)).unwrap();
        assert!(
            text.contains("# mine") && text.contains("# the paper") && text.contains("weight = 2 # twice"),
            "{text}"
        );
        assert_eq!(text.matches("22:00-06:00").count(), 2, "{text}");
        assert!(Config::read(directory.path()).unwrap().site[2].hours.is_none());
        Config::edit_sites(directory.path(), "e.com", |table| put(table, "hours", None), |_| Ok(())).unwrap();
        assert_eq!(fs::read_to_string(directory.path().join(FILE)).unwrap(), TEXT);
    }

    #[test]
    fn a_rule_that_cannot_be_followed_is_not_written_and_others_come_and_go() {
        let directory = with(TEXT);
        let text = || fs::read_to_string(directory.path().join(FILE)).unwrap();
        let rule = |toml: &str| toml::from_str::<NotifyConfig>(toml).unwrap();
        let desk =
            rule("name = \"desk\"\nwebhook = \"https://hooks.example/1\"\nmatch = [\"bridge\"]\nmin-importance = 0.15");
        Config::add_rule(directory.path(), &desk, None).unwrap();
        assert_eq!(Config::read(directory.path()).unwrap().notify, std::slice::from_ref(&desk));
        let with_desk = text();
        assert!(with_desk.contains("# the paper"), "{with_desk}");
        let odd = [
            "webhook = \"file:///etc/passwd\"",
            "mail = \"editor@example.org\"",
            "webhook = \"https://hooks.example/2\"\nmatch = \"(\"",
            "webhook = \"https://hooks.example/2\"\nkind = \"nonsense\"",
            "name = \"desk\"\nwebhook = \"https://hooks.example/2\"",
        ];
        for odd in odd {
            Config::add_rule(directory.path(), &rule(odd), None).expect_err(odd);
        }
        assert_eq!(text(), with_desk);
        let mail = rule("mail = [\"editor@example.org\"]\ndigest = \"daily\"");
        Config::add_rule(directory.path(), &mail, Some("Tintype <t@example.org>")).unwrap();
        let config = Config::read(directory.path()).unwrap();
        assert_eq!((config.notify.len(), config.mail.from.as_deref()), (2, Some("Tintype <t@example.org>")));
        assert!(Config::remove_rule(directory.path(), "editor@example.org").unwrap());
        assert!(Config::remove_rule(directory.path(), "desk").unwrap());
        assert!(!Config::remove_rule(directory.path(), "desk").unwrap());
        assert!(Config::read(directory.path()).unwrap().notify.is_empty());
        Config::set_watch(directory.path(), &["bridge|tunnel".to_owned()]).unwrap();
        Config::set_watch(directory.path(), &["(".to_owned()]).unwrap_err();
        assert_eq!(Config::read(directory.path()).unwrap().watch, ["bridge|tunnel"]);
        Config::set_watch(directory.path(), &[]).unwrap();
        assert!(text().contains("# mine") && !text().contains("watch"), "{}", text());
    }

    #[test]
    fn what_is_removed_is_no_longer_there_and_the_rest_is() {
        let directory = with(TEXT);
        assert_eq!(Config::remove_sites(directory.path(), "e.com").unwrap(), 2);
        let kept = fs::metadata(directory.path().join(FILE)).unwrap().ino();
        assert_eq!(Config::remove_sites(directory.path(), "e.com").unwrap(), 0);
        assert_eq!(Config::edit_sites(directory.path(), "e.com", |_| (), |_| Ok(())).unwrap(), 0);
        assert!(!Config::remove_source(directory.path(), "cars").unwrap());
        let is = fs::metadata(directory.path().join(FILE)).unwrap().ino();
        assert_eq!(kept, is, "a file in which nothing changes is not written again");
        let config = Config::read(directory.path()).unwrap();
        assert_eq!((config.site.len(), config.budget.as_deref()), (1, Some("5/day")));
        assert_eq!(Config::remove_sites(directory.path(), "f.com").unwrap(), 1);
        assert!(Config::read(directory.path()).unwrap().site.is_empty());
    }
}
