//! Signed packages: what was changed since is found, and an authority says when it was there.

use crate::bench::{Bench, capture, run};
use serde_json::Value;
use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::Path,
    process::Command,
    thread,
};

fn captured() -> tempfile::TempDir {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    capture(directory.path(), &bench.seed(), &[]);
    directory
}

fn verified(directory: &Path) -> (Value, Option<i32>) {
    let output = run(directory, &["verify", "site.wacz", "--json"]);
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    (said["files"][0].clone(), output.status.code())
}

#[test]
fn a_signature_holds_until_something_is_changed() {
    let directory = captured();
    let here = directory.path();
    let exported = run(here, &["export", "--out", "site.wacz", "--sign"]);
    assert!(exported.status.success(), "{exported:?}");
    let (said, code) = verified(here);
    assert_eq!((code, said["signed"]["key_sha256"].as_str().map(str::len)), (Some(0), Some(64)), "{said}");
    let mut bytes = fs::read(here.join("site.wacz")).unwrap();
    let place = bytes.windows(13).rposition(|window| window == b"\"signature\": ").unwrap() + 20;
    bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
    fs::write(here.join("site.wacz"), bytes).unwrap();
    let forged = run(here, &["verify", "site.wacz"]);
    assert_eq!(forged.status.code(), Some(1), "{forged:?}");
}

#[test]
fn a_key_of_ones_own_signs_and_others_validate() {
    let directory = captured();
    let here = directory.path();
    let key = Command::new("openssl")
        .args(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384", "-out", "key.pem"])
        .current_dir(here)
        .output();
    if !key.is_ok_and(|output| output.status.success()) {
        println!("skipped, no openssl");
        return;
    }
    let mut keys = Vec::new();
    for _ in 0..2 {
        let _ = fs::remove_file(here.join("site.wacz"));
        let exported = run(here, &["export", "--out", "site.wacz", "--key", "key.pem"]);
        assert!(exported.status.success(), "{exported:?}");
        keys.push(verified(here).0["signed"]["key_sha256"].clone());
    }
    assert!(keys[0] == keys[1] && keys[0].is_string(), "{keys:?}");
    if let Some(wacz) = crate::other_tools_read_what_we_write::peer("wacz") {
        let output = Command::new(wacz).args(["validate", "-f"]).arg(here.join("site.wacz")).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.contains("valid") && !said.contains("!="), "{said}");
    }
    fs::write(here.join("rsa.pem"), "nothing").unwrap();
    assert_eq!(run(here, &["export", "--out", "x.wacz", "--key", "rsa.pem"]).status.code(), Some(2));
    assert_eq!(run(here, &["export", "--out", "x", "--warc", "--sign"]).status.code(), Some(2));
}

/// An authority made with openssl, asked over loopback: how many questions it answers is how many are put.
fn authority(directory: &Path, questions: usize) -> Option<String> {
    let openssl = |arguments: &[&str]| {
        let output = Command::new("openssl").args(arguments).current_dir(directory).output();
        output.is_ok_and(|output| output.status.success())
    };
    let made = openssl(&[
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "tsa.key",
        "-out",
        "tsa.pem",
        "-subj",
        "/CN=Test Authority",
        "-addext",
        "extendedKeyUsage=critical,timeStamping",
        "-days",
        "2",
    ]);
    if !made {
        println!("skipped, no openssl");
        return None;
    }
    fs::write(directory.join("serial"), "01\n").unwrap();
    let config = "[tsa]\ndefault_tsa = one\n[one]\nserial = serial\ndigests = sha256\ndefault_policy = 1.2.3.4.1\nsigner_digest = sha256\n";
    fs::write(directory.join("tsa.cnf"), config).unwrap();
    let (listener, place) = (TcpListener::bind("127.0.0.1:0").unwrap(), directory.to_owned());
    let address = format!("http://{}/stamp", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().take(questions) {
            let mut stream = stream.unwrap();
            fs::write(place.join("query.tsq"), asked(&mut stream)).unwrap();
            let arguments = [
                "ts",
                "-reply",
                "-config",
                "tsa.cnf",
                "-queryfile",
                "query.tsq",
                "-inkey",
                "tsa.key",
                "-signer",
                "tsa.pem",
                "-out",
                "reply.tsr",
            ];
            Command::new("openssl").args(arguments).current_dir(&place).output().unwrap();
            let reply = fs::read(place.join("reply.tsr")).unwrap_or_default();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/timestamp-reply\r\nContent-Length: {}\r\n\r\n",
                reply.len()
            );
            stream.write_all(&[head.as_bytes(), &reply].concat()).unwrap();
        }
    });
    Some(address)
}

/// The body of a request.
fn asked(stream: &mut impl Read) -> Vec<u8> {
    let (mut read, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut piece).unwrap();
        read.extend_from_slice(&piece[..count]);
        let Some(end) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
        let len = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse::<usize>().ok());
        if count == 0 || read.len() >= end + 4 + len.unwrap() {
            return read.split_off(end + 4);
        }
    }
}

#[test]
fn an_authority_says_when_a_package_was_there() {
    let directory = captured();
    let here = directory.path();
    let Some(address) = authority(here, 1) else { return };
    let exported = run(here, &["export", "--out", "site.wacz", "--time-stamp", &address, "--json"]);
    let said: Value = serde_json::from_slice(&exported.stdout).unwrap_or_else(|_| panic!("{exported:?}"));
    assert!(said["time_stamp"].as_str().is_some_and(|stamp| stamp.ends_with("by Test Authority")), "{said}");
    let (said, code) = verified(here);
    assert_eq!((code, &said["signed"]["stamped_by"]), (Some(0), &"Test Authority".into()), "{said}");
    assert!(said["signed"]["time"].is_string(), "{said}");
    // The stamp itself is right by openssl, too.
    let verified = Command::new("openssl")
        .args(["ts", "-verify", "-queryfile", "query.tsq", "-in", "reply.tsr", "-CAfile", "tsa.pem"])
        .current_dir(here)
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");
}

#[test]
fn without_an_answer_of_the_authority_there_is_no_package() {
    let directory = captured();
    let here = directory.path();
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let exported = run(here, &["export", "--out", "site.wacz", "--time-stamp", &format!("http://{gone}/")]);
    let said = String::from_utf8_lossy(&exported.stderr).into_owned();
    assert!(exported.status.code() == Some(1) && said.contains("no time stamp by"), "{said}");
    assert!(!here.join("site.wacz").exists() && !here.join("site.wacz.part").exists());
    assert_eq!(run(here, &["export", "--out", "x.wacz", "--time-stamp", "https://a.example/"]).status.code(), Some(2));
}
