//! The papers' numbers, recomputed and corrected, against our learners.

mod every_learner;
mod golden;
mod golden_decay;
mod golden_media;
mod golden_near;
mod hostile_paths;
mod hostile_urls;
mod one_knowledge;
