//! How far an experiment is, for a terminal to show.

/// Is told how far a long experiment is. Calls come from several threads.
pub trait LabProgress: Sync {
    /// So many steps will be taken.
    fn begin(&self, steps: u64);

    /// What is being worked on.
    fn now(&self, what: &str);

    /// So many steps more are done.
    fn advance(&self, steps: u64);

    /// A line that is worth reading before the results are there.
    fn note(&self, line: &str);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl LabProgress for Silent {
    fn begin(&self, _: u64) {}

    fn now(&self, _: &str) {}

    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}
}
