//! Whether pages divided by their markup and by their looks agree.

#[cfg(feature = "render")]
mod agree;
#[cfg(feature = "render")]
mod facts;
#[cfg(feature = "render")]
mod look;
#[cfg(feature = "render")]
mod overlay;
#[cfg(feature = "render")]
mod site;

#[cfg(not(feature = "render"))]
use crate::usage;
use crate::{LabProgress, Results};
use std::path::PathBuf;

/// Which pages are drawn.
#[derive(Clone, Debug)]
pub struct BlocksConfig {
    /// A recorded history with bodies, or a collection, and which site of it.
    pub history: PathBuf,
    pub site: Option<String>,
    /// How many pages.
    pub sample: usize,
    pub run_seed: u64,
    /// A directory for the table and the pictures, which take the browser once more.
    pub out: Option<PathBuf>,
}

/// Needs a build that can draw.
#[cfg(not(feature = "render"))]
pub fn run(_: &BlocksConfig, _: &dyn LabProgress) -> anyhow::Result<Box<dyn Results>> {
    let problem = "this tintype was built without a browser's help";
    Err(usage(problem, "build one that has it: cargo install --path crates/cli --features render"))
}

/// Draws a sample of a history's pages and divides each in both ways.
#[cfg(feature = "render")]
pub fn run(config: &BlocksConfig, progress: &dyn LabProgress) -> anyhow::Result<Box<dyn Results>> {
    Ok(Box::new(look::facts(config, progress)?))
}

#[cfg(all(test, not(feature = "render")))]
mod tests {
    use super::*;
    use tintype_vocab::UsageError;

    #[test]
    fn without_a_browser_it_is_said_how_to_get_one() {
        let config = BlocksConfig { history: PathBuf::from("past"), site: None, sample: 1, run_seed: 1, out: None };
        let error = run(&config, &crate::Silent).err().unwrap();
        let usage = error.downcast_ref::<UsageError>().unwrap();
        assert!(usage.next.contains("--features render"), "{usage:?}");
    }
}
