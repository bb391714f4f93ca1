//! Counts for Prometheus.

use axum::body::Body;
use http::Response;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Default)]
pub(super) struct Metrics {
    /// By the first digit of the status.
    answers: [AtomicU64; 6],
}

impl Metrics {
    pub(super) fn counted(&self, response: Response<Body>) -> Response<Body> {
        let class = usize::from(response.status().as_u16() / 100).min(5);
        self.answers[class].fetch_add(1, Ordering::Relaxed);
        response
    }

    pub(super) fn text(&self) -> String {
        let mut text = "# HELP tintype_serve_answers_total Answers by class of status.\n# TYPE tintype_serve_answers_total counter\n".to_owned();
        for (class, count) in self.answers.iter().enumerate().skip(1) {
            text += &format!("tintype_serve_answers_total{{status=\"{class}xx\"}} {}\n", count.load(Ordering::Relaxed));
        }
        text
    }
}
