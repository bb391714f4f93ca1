//! What learners keep, put there by whomever: what is read can be asked, saved and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_learn::{
    forecast::Forest,
    knowledge::{Knowledge, SharedKnowledge},
    learners::LEARNERS,
};
use tintype_vocab::Time;

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else { return };
    let which = usize::from(*which) % (LEARNERS.len() + 3);
    if let Some(entry) = LEARNERS.get(which) {
        let Ok(learner) = entry.read(body) else { return };
        let kept = learner.save();
        let mut again = entry.read(&kept).expect("what was kept can be read");
        again.merge(&*learner, &[]);
        assert!(again.bytes() < 256 << 20, "bytes of a stranger's belief grow without bound");
        return;
    }
    match which - LEARNERS.len() {
        0 => {
            let knowledge = Knowledge::load(body, SharedKnowledge::default()).knowledge;
            Knowledge::load(&knowledge.save(), SharedKnowledge::default());
            knowledge.changes();
            knowledge.hours();
        }
        1 => {
            let (shared, _) = SharedKnowledge::load(body);
            assert!(SharedKnowledge::load(&shared.save()).1.is_empty());
            let _ = SharedKnowledge::load_run(body);
            let mut knowledge = Knowledge::new(shared);
            if knowledge.load_run(body) {
                knowledge.clues_unseen(knowledge.slot(tintype_vocab::PageId(0)), "http://e.example/", Time::from_secs(1));
            }
        }
        _ => {
            let Some(forest) = Forest::from_bytes(body) else { return };
            assert_eq!(Forest::from_bytes(&forest.to_bytes()).map(|again| again.fingerprint()), Some(forest.fingerprint()));
        }
    }
});
