//! How a site's directories changed and how it grew, drawn as in the NEAR-Miner paper (its Figures 1 and 4), of any site.

use crate::{
    Folder,
    table::{Cell, Table},
};
use tintype_learn::directory::{Chapter, Memory, Weighing, liveliest};
use tintype_picture::{Axis, Lines, Series};

/// Directories in one picture, the root included.
const DIRECTORIES: usize = 6;

/// Puts both figures of a site into a directory, as pictures and as tables. `what` the versions are goes below them;
/// `prefix` is put before the names of the files.
pub fn draw(folder: &mut Folder, site: &str, prefix: &str, what: &str, memory: &Memory) -> anyhow::Result<()> {
    let chapters = memory.chronicle();
    let directories = liveliest(memory.shape(), chapters, DIRECTORIES);
    let names: Vec<String> = directories.iter().map(|directory| memory.shape().path(*directory)).collect();
    let degrees = |chapter: &Chapter| directories.iter().map(|one| chapter.degree(*one, Weighing::Count)).collect();
    let rows: Vec<Vec<f64>> = chapters.iter().skip(1).map(degrees).collect();
    let series = names.iter().enumerate().map(|(nth, name)| {
        let points = rows.iter().enumerate().map(|(version, row)| ((version + 2) as f64, row[nth]));
        let series = Series::new(name.clone(), points);
        if nth == 0 { series.emphasised() } else { series }
    });
    let title = format!("Degree of change of directories: {site}");
    let chart = Lines {
        title: title.clone(),
        caption: format!("{what} Of the directories those in which most changed."),
        x: Axis::linear("Version", "number"),
        y: Axis::linear("Degree of change", "share of pages and directories").including(0.0, 1.0),
        series: series.collect(),
    };
    let name = format!("{prefix}figure-1");
    folder.picture(&name, &chart.draw())?;
    let mut table = Table::new(["version", "at", "directory", "degree of change"]);
    for ((version, chapter), row) in chapters.iter().enumerate().skip(1).zip(&rows) {
        for (name, degree) in names.iter().zip(row) {
            table.push(vec![
                Cell::Number((version + 1) as f64, 0),
                Cell::text(chapter.at.to_rfc3339_secs()),
                Cell::text(name.clone()),
                Cell::Number(*degree, 4),
            ]);
        }
    }
    folder.table(&name, &format!("{title}\n\n{what}"), &table)?;
    growth(folder, site, &format!("{prefix}figure-4"), what, chapters)
}

/// Sizes by the first one, as in the paper.
fn growth(folder: &mut Folder, site: &str, name: &str, what: &str, chapters: &[Chapter]) -> anyhow::Result<()> {
    let first = chapters.iter().map(|chapter| chapter.pages).find(|pages| *pages > 0).unwrap_or(1) as f64;
    let sizes = || chapters.iter().enumerate().map(|(nth, chapter)| (nth + 1, chapter, chapter.pages as f64 / first));
    let title = format!("Growth of a site: {site}");
    let chart = Lines {
        title: title.clone(),
        caption: format!("{what} The first version has {first} pages."),
        x: Axis::linear("Version", "number"),
        y: Axis::linear("Size", "pages, by those of the first version").including(0.0, 1.0),
        series: vec![Series::new(site, sizes().map(|(version, _, size)| (version as f64, size))).emphasised()],
    };
    folder.picture(name, &chart.draw())?;
    let mut table = Table::new(["version", "at", "pages", "size"]);
    for (version, chapter, size) in sizes() {
        table.push(vec![
            Cell::Number(version as f64, 0),
            Cell::text(chapter.at.to_rfc3339_secs()),
            Cell::Number(chapter.pages as f64, 0),
            Cell::Number(size, 4),
        ]);
    }
    folder.table(name, &format!("{title}\n\n{what}"), &table)
}
