//! Certificates that strangers hand out, and the records they hand out with them: both are read, compared and told apart.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{fs, path::PathBuf, sync::LazyLock};
use tintype_archive::{CaptureId, evidence};
use tintype_fuzz::{place, segment};
use tintype_quality::certificate::{Activity, Certificate, Certifier};

static FILE: LazyLock<PathBuf> = LazyLock::new(|| place("evidence.warc.gz"));
const CAPTURE: &str = "20260101000000000-e.example";

/// What the records of a file prove, told twice, is the same.
fn recomputed(bytes: &[u8]) -> Certificate {
    fs::write(&*FILE, bytes).expect("a file");
    let once = || {
        let mut certifier = Certifier::new();
        let told = evidence(&[FILE.clone()], &CaptureId::from_text(CAPTURE), &mut |visit| certifier.add(visit));
        let as_of = told.ok().and_then(|told| told.head.as_ref().and_then(tintype_session::as_of));
        certifier.finish("e.example", CAPTURE, Activity::default(), as_of, None)
    };
    let found = once();
    assert!(found.differences(&once()).is_empty(), "the same records tell two things");
    fs::remove_file(&*FILE).ok();
    found
}

fuzz_target!(|data: &[u8]| {
    let Some((form, rest)) = data.split_first() else { return };
    if form % 2 == 0 {
        let Some(bytes) = segment(rest) else { return };
        recomputed(&bytes);
        return;
    }
    let Ok(claimed) = serde_json::from_slice::<Certificate>(rest) else { return };
    assert!(claimed.differences(&claimed).is_empty(), "a certificate differs from itself");
    claimed.differences(&recomputed(b"")).iter().map(ToString::to_string).for_each(drop);
    let told = serde_json::to_vec(&claimed).expect("a certificate can be told");
    let again: Certificate = serde_json::from_slice(&told).expect("what was told can be read");
    assert!(claimed.differences(&again).is_empty(), "a certificate is not what it tells");
});
