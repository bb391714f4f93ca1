//! Loopback, private and link-local addresses are for those who name them, not for pages that point there.

use crate::{
    bench::{capture, run},
    host::{Host, html, not_there, redirect},
};
use std::net::{IpAddr, Ipv6Addr};

/// A host nobody named, which must never hear from us.
fn secret(ip: impl Into<IpAddr>) -> Host {
    Host::start_at(ip.into(), |_| html("the router's password"))
}

/// Ways to write 127.0.0.2, and other addresses that are nobody's business.
fn disguises(port: u16) -> Vec<String> {
    let hosts = [
        "127.0.0.2",
        "2130706434",
        "0x7f000002",
        "017700000002",
        "127.2",
        "0x7f.0.0.2",
        "127.0.0.2.",
        "%31%32%37.0.0.2",
        "１２７.0.0.2",
        "[::ffff:127.0.0.2]",
        "[::ffff:7f00:2]",
        "0.0.0.0",
        "169.254.169.254",
        "10.0.0.1",
        "192.168.0.1",
        "[fe80::1]",
        "[fd00::1]",
        "[::]",
        "[64:ff9b::7f00:2]",
    ];
    hosts.iter().map(|host| format!("http://{host}:{port}/latest/meta-data")).collect()
}

#[test]
fn images_in_private_space_are_not_fetched_however_they_are_written() {
    let secret = secret([127, 0, 0, 2]);
    let port = secret.port();
    let images = disguises(port);
    let page: String = images.iter().map(|url| format!("<img src='{url}'>")).collect();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&(page.clone() + "<a href=/fine>a page of ours</a>")),
        "/fine" => html("fine"),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let said = capture(directory.path(), &host.seed(), &[]);
    let site = &said["sites"][0];
    assert_eq!(secret.accepted(), 0, "{site}");
    assert_eq!(site["pages"], 2, "{site}");
    assert!(site["failures"]["address in private space"].as_u64().unwrap() >= 9, "{site}");
}

#[test]
fn names_and_other_addresses_of_this_machine_are_private_too() {
    let hosts = [secret([127, 0, 0, 1]), secret(Ipv6Addr::LOCALHOST)];
    let (four, six) = (hosts[0].port(), hosts[1].port());
    // The seed is an address of this machine that the person named; its other names were not.
    let seed = Host::start_at([127, 0, 0, 3].into(), move |asked| match asked.target.as_str() {
        "/" => html(&format!(
            "<img src=http://localhost:{four}/a.png><img src=http://localhost:{six}/b.png><img src=http://[::1]:{six}/c.png>\
             <img src=http://127.0.0.1:{four}/d.png><link rel=stylesheet href=http://a.localhost:{four}/e.css>"
        )),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["capture", &seed.seed(), "--delay", "0"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert_eq!(hosts.each_ref().map(Host::accepted), [0, 0], "{said}");
    assert!(said.contains("address in private space"), "{said}");
}

#[test]
fn redirects_do_not_lead_into_private_space() {
    let secret = secret([127, 0, 0, 2]);
    let there = secret.origin();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" => redirect(&format!("{there}/robots.txt")),
        "/" => redirect(&format!("{there}/")),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["capture", &host.seed(), "--delay", "0"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), secret.accepted()), (Some(1), 0), "{said}");
    assert!(said.contains("address in private space"), "{said}");
}

#[test]
fn a_redirected_image_and_a_redirected_seed_stay_outside() {
    let secret = secret([127, 0, 0, 2]);
    let there = secret.origin();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html("<img src=/image.png><a href=/page>page</a>"),
        "/image.png" | "/page" | "/gate" => redirect(&format!("{there}{}", asked.target)),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    let said = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(said["sites"][0]["failures"]["address in private space"], 1, "{said}");
    let output = run(directory.path(), &["capture", &format!("{}/gate", host.origin()), "--delay", "0", "--json"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("address in private space"), "{output:?}");
    assert_eq!(secret.accepted(), 0);
}

#[test]
fn what_a_person_names_may_be_local() {
    let (directory, local) = (tempfile::tempdir().unwrap(), secret([127, 0, 0, 2]));
    let said = capture(directory.path(), &format!("http://2130706434:{}/", local.port()), &[]);
    assert_eq!(said["sites"][0]["pages"].as_u64(), Some(2), "the page, and what it shows as its sitemap: {said}");
}

#[test]
fn a_start_that_was_public_once_is_refused_in_private_space_and_the_refusal_says_what_helps() {
    let (directory, host) = (tempfile::tempdir().unwrap(), Host::start(|_| html("the router's password")));
    let seed = format!("http://localhost:{}/", host.port());
    let collection = directory.path().join("collection");
    // An earlier run found the name in public space.
    std::fs::create_dir_all(&collection).unwrap();
    std::fs::write(collection.join("public-hosts"), "localhost\n").unwrap();
    let output = run(directory.path(), &["capture", &seed, "--delay", "0"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), host.accepted()), (Some(1), 0), "{said}");
    assert!(said.contains("--allow-private localhost"), "{said}");
    let output = run(directory.path(), &["capture", &seed, "--delay", "0", "--allow-private", "localhost", "--fresh"]);
    assert!(output.status.success(), "{output:?}");
}
