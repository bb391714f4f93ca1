//! Databases of a collection that lie: the catalogue and what is known of a site are derived, and a stranger's may say anything.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rusqlite::{Connection, types::Value};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};
use tintype_archive::{Collection, ImportOptions, OpenOptions};
use tintype_fuzz::{ask_collection, place};
use tintype_vocab::Time;

/// A collection as it should be.
static SOUND: LazyLock<PathBuf> = LazyLock::new(|| {
    let sound = place("sound");
    fs::remove_dir_all(&sound).ok();
    let now = Time::from_secs(1_800_000_000);
    let options = OpenOptions { create: true, command: "fuzz".into(), now };
    let collection = Collection::open(&sound, options).expect("a collection");
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/archive/fixtures/warcio.warc.gz");
    let how = ImportOptions { site: None, now, describe: Vec::new() };
    collection.import(&fixture, how).expect("an import");
    sound
});

/// Says something else in one column: of all rows, or of those that say what some row says.
fn lie(database: &Connection, how: &[u8]) -> rusqlite::Result<()> {
    let names = |sql: &str| -> rusqlite::Result<Vec<String>> {
        database.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
    };
    let tables = names("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")?;
    let Some(table) = tables.get(usize::from(how[0]) % tables.len().max(1)) else { return Ok(()) };
    let columns = names(&format!("SELECT name FROM pragma_table_info('{table}')"))?;
    let column = &columns[usize::from(how[1]) % columns.len()];
    let number = i64::from_le_bytes(how[4..12].try_into().expect("eight bytes"));
    let value = match how[2] % 6 {
        0 => Value::Null,
        1 => Value::Integer(number),
        2 => Value::Integer(number % 50_000),
        3 => Value::Text(String::from_utf8_lossy(&how[4..]).into_owned()),
        4 => Value::Blob(how[4..].to_vec()),
        _ => Value::Real(f64::from_bits(number as u64)),
    };
    let rows = match how[3] {
        255 => String::new(),
        row => format!(" WHERE \"{column}\" IS (SELECT \"{column}\" FROM {table} LIMIT 1 OFFSET {})", row % 16),
    };
    database.execute(&format!("UPDATE OR IGNORE {table} SET \"{column}\" = ?1{rows}"), [value]).map(drop)
}

fuzz_target!(|data: &[u8]| {
    let hostile = place("hostile");
    fs::remove_dir_all(&hostile).ok();
    assert!(Command::new("cp").arg("-r").args([&*SOUND, &hostile]).status().expect("cp").success());
    let state = fs::read_dir(hostile.join("state")).expect("a directory");
    let mut databases: Vec<PathBuf> = state.filter_map(|entry| Some(entry.ok()?.path())).collect();
    databases.retain(|path| path.extension().is_some_and(|extension| extension == "sqlite"));
    databases.sort();
    for (nth, how) in data.chunks(16).filter(|how| how.len() >= 13).take(8).enumerate() {
        let database = &databases[(usize::from(how[12]) + nth) % databases.len()];
        let _ = Connection::open(database).and_then(|database| lie(&database, how));
    }
    ask_collection(&hostile);
    fs::remove_dir_all(&hostile).ok();
});
