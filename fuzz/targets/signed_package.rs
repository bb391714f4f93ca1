//! Signatures and time stamps of packages: keys, certificates and answers of authorities as strangers write them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_warc::wacz::{PackageKey, SignedData, time_stamp};

const SIGNED: &[u8] = b"what was signed";

fuzz_target!(|data: &[u8]| {
    let Some((form, rest)) = data.split_first() else { return };
    match form % 4 {
        0 => drop(time_stamp::read(rest, SIGNED)),
        1 => {
            let Ok(mut signed) = serde_json::from_slice::<SignedData>(rest) else { return };
            let _ = signed.check(&signed.hash);
            let _ = signed.stamp(rest);
        }
        2 => drop(PackageKey::from_pem(&String::from_utf8_lossy(rest))),
        // Keys and chains in the forms they are sent in, so that what is in them is reached.
        _ => {
            let text = String::from_utf8_lossy(rest).into_owned();
            let signed = SignedData {
                hash: "sha256:00".to_owned(),
                signature: text.chars().rev().take(128).collect(),
                public_key: (form & 4 != 0).then(|| text.clone()),
                domain_cert: Some(text.clone()),
                domain: Some("e.example".to_owned()),
                time_signature: (form & 8 != 0).then_some(text),
                ..SignedData::default()
            };
            let _ = signed.check("sha256:00");
        }
    }
});
