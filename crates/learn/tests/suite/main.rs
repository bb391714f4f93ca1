//! The papers' numbers, recomputed and corrected, against our learners.

mod golden_near;
mod hostile_paths;
