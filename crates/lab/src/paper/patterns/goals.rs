//! What has to hold: ours against the best possible in the paper's simulation, and against everybody on recorded sites.

use super::{
    OURS, OWN,
    recorded::{self, Recorded},
    strategies::{SHARES, Simulated},
};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
};

/// Of the best possible, with a tenth of the pages an hour.
const SIMULATED_MIN: f64 = 0.70;

/// One value that has to reach another.
struct Goal {
    what: String,
    value: f64,
    target: f64,
    /// Where the target comes from.
    set_by: String,
}

impl Goal {
    fn is_met(&self) -> bool {
        self.value >= self.target
    }

    fn claim(&self) -> Claim {
        let because = format!("{:.3}, target {:.3} ({})", self.value, self.target, self.set_by);
        Claim::goal(&self.what, self.is_met(), because)
    }

    fn row(&self) -> Vec<Cell> {
        let verdict = if self.is_met() { "met" } else { "not met" };
        vec![
            Cell::text(&self.what),
            Cell::Number(self.value, 3),
            Cell::Number(self.target, 3),
            Cell::text(&self.set_by),
            Cell::text(verdict),
        ]
    }
}

pub(super) fn part(simulated: &[Simulated], recorded: &[Recorded]) -> Part {
    let goals: Vec<Goal> =
        simulated.iter().flat_map(in_simulation).chain(recorded.iter().flat_map(on_record)).collect();
    let mut table = Table::new(["goal", "value", "target", "set by", "verdict"]);
    goals.iter().for_each(|goal| table.push(goal.row()));
    Part {
        name: "goals".to_owned(),
        title: "Ours: goals".to_owned(),
        text: format!("Weighted completeness of {OURS} ÷ that of the best possible with the same visits."),
        table: Some(table),
        picture: None,
        claims: goals.iter().map(Goal::claim).collect(),
    }
}

/// Goals are set for policies that were taught; a site of which nothing is known has no hours yet.
fn in_simulation(simulated: &Simulated) -> Option<Goal> {
    let (_, words) = simulated.names();
    let set_by = format!("{} reaches {:.3}", OWN[0], simulated.sweep.of_best(0, OWN[0]));
    let goal = || Goal {
        what: format!("simulation, {words}, M = {:.0} %", 100.0 * SHARES[0]),
        value: simulated.sweep.of_best(0, OURS),
        target: SIMULATED_MIN,
        set_by,
    };
    simulated.setting.is_taught.then(goal)
}

fn on_record(recorded: &Recorded) -> Vec<Goal> {
    let goal = |at: usize| {
        let (name, target) = recorded.sweep.best_other(at);
        Goal {
            what: format!("{}, {:.0} % of the pages a day", recorded.name, 100.0 * recorded::SHARES[at]),
            value: recorded.sweep.of_best(at, OURS),
            target,
            set_by: name.to_owned(),
        }
    };
    (0..recorded::SHARES.len()).map(goal).collect()
}
