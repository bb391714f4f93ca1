//! How good the copy of a source was before every crawl, and how good it had been said to be.

use crate::{amount::counted, config::Config, listings};
use serde::Serialize;
use std::fmt::Write;
use tintype_archive::Reading;
use tintype_picture::{OverTime, Series};
use tintype_session::listing::{CrawlRecord, Quality};
use tintype_vocab::CopyMeasure;

/// Crawls listed for people, the last ones; `--json` has all of them.
const LISTED: usize = 12;

/// All crawls of one source.
#[derive(Debug, Serialize)]
pub(super) struct Copies {
    /// The share of crawls at which the stated 90 % interval held what came out.
    precision_held: Option<f64>,
    recall_held: Option<f64>,
    /// The share of the time in which the promise was broken, as far as crawls can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken_share: Option<f64>,
    crawls: Vec<CrawlRecord>,
}

impl Copies {
    /// Nothing of a site that is no source.
    pub(super) fn of(reading: &Reading, config: &Config, site: &str) -> anyhow::Result<Option<Copies>> {
        if !listings::names(reading, config)?.iter().any(|name| name == site) {
            return Ok(None);
        }
        let history = listings::history(reading, config, site)?;
        Ok(Some(Copies {
            precision_held: history.coverage(CopyMeasure::Precision),
            recall_held: history.coverage(CopyMeasure::Recall),
            broken_share: history.broken_share(reading, site)?,
            crawls: history.crawls,
        }))
    }

    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let held = self.crawls.iter().filter(|crawl| crawl.held.is_some()).count();
        let doubted = if held > 0 { format!(", of which {held} were not believed") } else { String::new() };
        let mut rows = vec![("crawls", format!("{}{doubted}", counted(self.crawls.len() as u64, "crawl")))];
        for (label, measure) in [("copy precision", CopyMeasure::Precision), ("copy recall", CopyMeasure::Recall)] {
            rows.extend(self.sentence(measure).map(|sentence| (label, sentence)));
        }
        if let Some(broken) = self.broken_share {
            rows.push((
                "promise",
                format!("broken for {:.1} % of the time, as far as crawls can tell", 100.0 * broken),
            ));
        }
        rows
    }

    fn sentence(&self, measure: CopyMeasure) -> Option<String> {
        let last = self.crawls.iter().rev().find_map(|crawl| crawl.quality(measure))?;
        let held = match measure {
            CopyMeasure::Precision => self.precision_held,
            CopyMeasure::Recall => self.recall_held,
        };
        let held =
            held.map_or(String::new(), |held| format!("; 90 % intervals held at {:.0} % of the crawls", 100.0 * held));
        Some(format!("{} right before the last crawl{held}", foretold(&last)))
    }

    /// The last crawls one by one.
    pub(super) fn text(&self) -> String {
        let mut text = "  before each crawl, and as it had been predicted\n".to_owned();
        for crawl in self.listed() {
            let [precision, recall] = words(crawl);
            let (at, objects) = (crawl.at, crawl.objects);
            writeln!(text, "    {at}  {objects:>7} objects  precision {precision}  recall {recall}")
                .expect("strings grow");
        }
        let further = self.crawls.len().saturating_sub(LISTED);
        if further > 0 {
            writeln!(text, "    and {further} before; --json lists all").expect("strings grow");
        }
        text
    }

    /// Pictures of both measures, and a table of the last crawls.
    pub(super) fn html(&self) -> String {
        let mut text = "<h2>The copy before each crawl, and as it had been predicted</h2>\n".to_owned();
        for measure in CopyMeasure::ALL {
            writeln!(text, "<figure>{}</figure>", self.picture(measure).draw().svg()).expect("strings grow");
        }
        text.push_str("<table>\n<tr><th>crawl</th><th>objects</th><th>copy precision</th><th>copy recall</th></tr>\n");
        for crawl in self.listed() {
            let [precision, recall] = words(crawl);
            let (at, objects) = (crawl.at, crawl.objects);
            writeln!(
                text,
                "<tr><td class=\"number\">{at}</td><td class=\"number\">{objects}</td><td>{precision}</td><td>{recall}</td></tr>"
            )
            .expect("strings grow");
        }
        text.push_str("</table>\n");
        text
    }

    /// Latest first.
    fn listed(&self) -> impl Iterator<Item = &CrawlRecord> {
        self.crawls.iter().rev().take(LISTED)
    }

    fn picture(&self, measure: CopyMeasure) -> OverTime {
        let known = || self.crawls.iter().filter_map(move |crawl| Some((crawl.at, crawl.quality(measure)?)));
        let expected = known().filter_map(|(at, quality)| Some((at, quality.expected?)));
        let band = known().filter_map(|(at, quality)| {
            let (low, high) = quality.interval?;
            Some((at.as_millis() as f64, low, high))
        });
        let realised = known().map(|(at, quality)| (at, quality.realised));
        OverTime {
            title: format!("Copy {} right before each crawl", measure.name()),
            caption: "The band held what was to come in nine of ten cases, as it was said before.".to_owned(),
            time: "Time of the crawl".to_owned(),
            y: tintype_lab::copy_charts::quality(measure),
            series: vec![
                Series::over_time("realised", realised).reference(),
                Series::over_time("predicted", expected).with_band(band).emphasised(),
            ],
        }
    }
}

fn words(crawl: &CrawlRecord) -> [String; 2] {
    let nothing = if crawl.held.is_some() { "not believed" } else { "–" };
    CopyMeasure::ALL.map(|measure| crawl.quality(measure).map_or(nothing.to_owned(), |quality| foretold(&quality)))
}

fn foretold(quality: &Quality) -> String {
    let expected = quality.expected.zip(quality.interval);
    let expected = expected.map(|(mean, (low, high))| format!(" (predicted {mean:.3}, {low:.3} to {high:.3})"));
    format!("{:.3}{}", quality.realised, expected.unwrap_or_default())
}
