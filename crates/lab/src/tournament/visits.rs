//! Every visit of a game as a table, so that anybody can judge it again.

use anyhow::Context;
use std::{
    borrow::Cow,
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
};
use tintype_vocab::Time;
use tintype_world::{Played, VisitEnd};

/// A visit as the table has it.
pub(crate) struct VisitRow<'a> {
    pub at: Time,
    pub path: &'a str,
    pub ended: VisitEnd,
}

/// Writes `<directory>/<policy>.csv`.
pub(crate) fn write<'a>(
    directory: &Path,
    policy: &str,
    visits: impl Iterator<Item = VisitRow<'a>>,
) -> anyhow::Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let path = directory.join(format!("{policy}.csv"));
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = BufWriter::new(file);
    pour(&mut out, visits).and_then(|()| out.flush()).with_context(|| format!("cannot write {}", path.display()))
}

/// The visits of a game.
pub(super) fn rows(played: &Played) -> impl Iterator<Item = VisitRow<'_>> {
    played.visits.iter().map(|visit| VisitRow { at: visit.at, path: &visit.path, ended: visit.ended })
}

fn pour<'a>(out: &mut impl Write, visits: impl Iterator<Item = VisitRow<'a>>) -> std::io::Result<()> {
    writeln!(out, "time,path,outcome")?;
    for visit in visits {
        let outcome = match visit.ended {
            VisitEnd::New => "new",
            VisitEnd::Same => "same",
            VisitEnd::Gone => "gone",
        };
        writeln!(out, "{},{},{outcome}", visit.at.as_secs(), quoted(visit.path))?;
    }
    Ok(())
}

/// A field as RFC 4180 has it.
pub(super) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_commas_and_quotes_stay_one_field() {
        assert_eq!(quoted("/a"), "/a");
        assert_eq!(quoted("/a,b?q=\"x\""), "\"/a,b?q=\"\"x\"\"\"");
    }
}
