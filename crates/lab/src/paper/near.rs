//! Chen, Bhowmick and Nejdl, “NEAR-Miner: Mining Evolution Associations of Web Site Directories for Efficient Maintenance of
//! Web Archives”, VLDB 2009.

mod choice;
mod literal;
mod mining;
mod ours;
mod site;
mod speed;
mod subsumed;
mod sweep;
mod table_2;
mod threshold;
mod validity;

use super::{PaperConfig, part::Part};
use crate::LabProgress;
use site::Site;

pub(super) const TITLE: &str = "NEAR-Miner: Mining Evolution Associations of Web Site Directories (VLDB 2009), again";

pub(super) const PAGES: u32 = 400;
pub(super) const SEEDS: u64 = 5;

pub(super) fn parts(config: &PaperConfig, progress: &dyn LabProgress) -> anyhow::Result<Vec<Part>> {
    let pages = config.pages.unwrap_or(PAGES) as usize;
    let now = |what: &str| progress.now(what);
    now("reading the sites");
    let pasts = match config.histories.as_slice() {
        [] => site::made_up(pages, config.seeds.unwrap_or(SEEDS), config.run_seed),
        histories => site::recorded(histories)?,
    };
    let sites = pasts.iter().map(Site::new).collect::<anyhow::Result<Vec<_>>>()?;
    now("the thresholds");
    let (trial, thresholds) = choice::choose(&sites)?;
    let mut parts = vec![thresholds];
    now("Table 2");
    parts.extend(table_2::parts(&sites, &trial)?);
    now("Figures 5(a) and 5(b)");
    parts.extend(validity::parts(&sites, &trial)?);
    now("Figure 5(d)");
    parts.push(threshold::part(&sites, &trial)?);
    now("Figures 5(e) and 5(f)");
    parts.extend(subsumed::parts(&sites, &trial)?);
    now("the algorithms as printed");
    parts.extend(literal::parts(&sites, &trial)?);
    now("ours against WARM");
    parts.extend(ours::parts(&pasts)?);
    now("Figure 6");
    parts.extend(speed::parts(pages, config.run_seed));
    Ok(parts)
}
