//! Checkpoints of a run, put there by whomever: one that is taken up goes on, or ends, without breaking.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tintype_plan::{Scheduler, Settings, Step};
use tintype_vocab::Time;

/// A run that has just begun, and the blocks of its checkpoint.
static BEGUN: LazyLock<(Settings, Vec<Vec<u8>>)> = LazyLock::new(|| {
    let settings = serde_json::json!({
        "site": 0, "seeds": ["http://e.example/"], "scope": "host", "policy": "sharp", "budget": {},
        "connections": 1, "agent": "tintype", "run_seed": 1
    });
    let settings: Settings = serde_json::from_value(settings).expect("settings");
    let mut scheduler = Scheduler::new(settings.clone()).expect("a scheduler");
    scheduler.next(Time::from_secs(10));
    let mut blocks = Vec::new();
    assert!(scheduler.save(&mut |block| blocks.push(block)));
    (settings, blocks)
});

fuzz_target!(|data: &[u8]| {
    let Some((which, rest)) = data.split_first() else { return };
    let (settings, blocks) = &*BEGUN;
    let mut blocks = blocks.clone();
    let spoiled = usize::from(*which) % blocks.len();
    let block = &mut blocks[spoiled];
    match rest.split_first() {
        // A byte here and there, so that what follows still has a meaning.
        Some((form, patches)) if form % 4 != 0 => {
            for patch in patches.chunks_exact(3) {
                let at = usize::from(u16::from_le_bytes([patch[0], patch[1]]));
                if let Some(byte) = block.get_mut(at) {
                    *byte = patch[2];
                }
            }
        }
        Some((_, whole)) => *block = whole.to_vec(),
        None => return,
    }
    let mut blocks = blocks.into_iter();
    let Some(mut scheduler) = Scheduler::load(settings.clone(), &mut || blocks.next()) else { return };
    let mut now = Time::from_secs(20);
    for _ in 0..4 {
        match scheduler.next(now) {
            Step::WaitUntil(until) => now = until.max(now),
            _ => break,
        }
    }
    scheduler.progress();
});
