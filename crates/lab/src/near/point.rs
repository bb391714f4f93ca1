//! One setting of a policy, and a policy over all its settings.

use serde::{Serialize, Serializer};
use tintype_plan::policy::Price;
use tintype_quality::MeanBypass;
use tintype_world::near::{BypassCurve, Judged, Mean, Setting, Skip, Warm};

/// Points of an oracle that are told: one for so much recall.
const ORACLE_STEP: f64 = 0.01;

/// One setting of a policy, averaged over the tests.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Point {
    pub(super) policy: &'static str,
    pub(super) br: f64,
    pub(super) op: f64,
    pub(super) or: f64,
    pub(super) cr: f64,
    /// Each change by its importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weighted_cr: Option<f64>,
    #[serde(flatten)]
    pub(super) set: Set,
}

/// What was set.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Set {
    Thresholds { alpha: f64, beta: f64, gamma: Option<f64>, theta: f64 },
    Price { price: f64 },
    LearnedPrice { price: Learned },
    Nothing {},
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Learned;

impl Serialize for Learned {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("learned")
    }
}

impl Point {
    fn new(policy: &'static str, ratios: MeanBypass, weighted_cr: Option<f64>, set: Set) -> Point {
        let MeanBypass { bypass_ratio, overall_precision, overall_recall, change_recall } = ratios;
        Point {
            policy,
            br: bypass_ratio,
            op: overall_precision,
            or: overall_recall,
            cr: change_recall,
            weighted_cr,
            set,
        }
    }

    fn of_tests(policy: &'static str, tests: &[Judged], set: Set) -> Point {
        let mean = Mean::of(tests);
        Point::new(policy, mean.ratios, Some(mean.weighted_change_recall), set)
    }

    pub(super) fn of_warm(warm: &Warm) -> Point {
        let Setting { degree_of_change_min, frequency_of_change_min, correlation_max, confidence_min, .. } =
            warm.setting;
        let set = Set::Thresholds {
            alpha: degree_of_change_min,
            beta: frequency_of_change_min,
            gamma: correlation_max,
            theta: confidence_min,
        };
        Point::of_tests("warm", &warm.judged(), set)
    }

    pub(super) fn of_skip(policy: &'static str, skip: &Skip) -> Point {
        let set = match skip.price {
            Price::Learned => Set::LearnedPrice { price: Learned },
            Price::Fixed(price) => Set::Price { price },
        };
        Point::of_tests(policy, &skip.judged(), set)
    }

    fn ratios(&self) -> MeanBypass {
        MeanBypass {
            bypass_ratio: self.br,
            overall_precision: self.op,
            overall_recall: self.or,
            change_recall: self.cr,
        }
    }
}

/// A policy over all its settings.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    pub(super) name: &'static str,
    pub(super) points: Vec<Point>,
    pub(super) curve: BypassCurve,
}

impl Policy {
    pub(super) fn new(name: &'static str, points: Vec<Point>) -> Policy {
        let curve = BypassCurve::of(points.iter().map(Point::ratios));
        Policy { name, points, curve }
    }

    pub(super) fn oracle(name: &'static str, corners: &[MeanBypass]) -> Policy {
        let curve = BypassCurve::of(corners.iter().copied());
        let point = |ratios: &MeanBypass| Point::new(name, *ratios, None, Set::Nothing {});
        let mut told: Vec<Point> = Vec::new();
        for (nth, corner) in corners.iter().enumerate() {
            let is_end = nth == 0 || nth + 1 == corners.len();
            if is_end || told.last().is_some_and(|last| last.cr - corner.change_recall >= ORACLE_STEP) {
                told.push(point(corner));
            }
        }
        Policy { name, points: told, curve }
    }

    /// Whether no other setting of it is better in both.
    pub(super) fn is_best(&self, point: &Point) -> bool {
        self.curve.points().contains(&(point.br, point.cr))
    }
}
