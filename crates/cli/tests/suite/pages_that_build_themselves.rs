//! `--render always` and `auto`: what a page's scripts ask for goes through our own door, and what they build is kept.
//!
//! These tests need a Chromium; `./check` installs one. Where there is none they say so and prove nothing.

use crate::{
    bench::{capture, run},
    every_capture_can_be_taken_again::replay_all,
    host::{Asked, Host, Reply, answer, html, not_there},
};
use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// A page that is nothing without its script.
const SHELL: &str = "<!doctype html><title>Shell</title><main id=app>Wait.</main><script src=/app.js></script>";

const APP: &str = "
const app = document.getElementById('app');
(async () => {
  const told = await (await fetch('/api/list?page=' + (1 + 0), { headers: { 'X-Api': 'yes' } })).json();
  app.innerHTML = told.items.map((item) => `<p>${item} assembled</p>`).join('') +
    '<a href=\"/made/by-' + 'script\">made</a><div style=\"height:6000px\"></div><img id=late>';
  const late = document.getElementById('late');
  new IntersectionObserver((seen) => { if (seen[0].isIntersecting) late.src = '/pictures/' + 'late.svg'; }).observe(late);
  new Worker('/work' + 'er.js');
  history.pushState({}, '', '/routes/' + 'one');
  for (const odd of ['http://169.254.169.254/latest/', 'http://127.0.0.1:22/', '/private/data', OTHER, 'http://no.such.invalid/'])
    fetch(odd).catch(() => {});
  fetch('/api/send', { method: 'POST', body: 'x' }).catch(() => {});
  new WebSocket('ws://' + location.host + '/socket');
  new EventSource('/events');
})();
";

fn has_browser() -> bool {
    let found = Command::new("chromium").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("skipped, no chromium");
    }
    found
}

fn script(text: &str) -> Reply {
    answer(200, &[("Content-Type", "text/javascript")], text.as_bytes())
}

fn shell_site(asked: &Asked, other: &str) -> Reply {
    match asked.target.as_str() {
        "/robots.txt" => answer(200, &[("Content-Type", "text/plain")], b"User-agent: *\nDisallow: /private/\n"),
        "/" => html(SHELL),
        "/app.js" => script(&APP.replace("OTHER", &format!("'{other}'"))),
        "/api/list?page=1" => answer(200, &[("Content-Type", "application/json")], br#"{"items":["alpha","beta"]}"#),
        "/worker.js" => script("fetch('/from/' + 'worker.json')"),
        "/from/worker.json" => answer(200, &[("Content-Type", "application/json")], b"{}"),
        "/pictures/late.svg" => {
            answer(200, &[("Content-Type", "image/svg+xml")], b"<svg xmlns='http://www.w3.org/2000/svg'/>")
        }
        "/made/by-script" | "/routes/one" => html("<p>A plain page."),
        "/private/data" => answer(200, &[("Content-Type", "text/plain")], b"nobody may see this"),
        _ => not_there(),
    }
}

fn targets(asked: &[Asked]) -> BTreeSet<String> {
    asked.iter().map(|asked| asked.target.clone()).collect()
}

fn get(directory: &Path, url: &str) -> String {
    let output = run(directory, &["get", url, "--raw"]);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn what_scripts_ask_for_is_archived_through_our_own_door_and_nothing_else_is_reached() {
    if !has_browser() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let other = Host::start(|_| html("a service of this machine"));
    let service = other.seed();
    let host = Host::start(move |asked| shell_site(asked, &service));
    let plain = capture(directory.path(), &host.seed(), &[]);
    assert_eq!(plain["sites"][0]["pages"], 2, "without a browser there are a page and its script: {plain}");
    assert!(plain["sites"][0]["rendered"].is_null());
    host.take_hits();

    let said = capture(directory.path(), &host.seed(), &["--render", "always", "--fresh"]);
    let asked = host.asked();
    let seen = targets(&asked);
    for needed in
        ["/api/list?page=1", "/worker.js", "/from/worker.json", "/pictures/late.svg", "/made/by-script", "/routes/one"]
    {
        assert!(seen.contains(needed), "{needed} is not among {seen:?}: {said}");
    }
    for never in ["/private/data", "/api/send", "/socket", "/events"] {
        assert!(!seen.contains(never), "{never} was asked for");
    }
    let (accepted, rendered) = (other.accepted(), &said["sites"][0]["rendered"]);
    assert_eq!(accepted, 0, "a script reached another service of this machine");
    assert_eq!(rendered["pages"], 3, "{said}");
    assert_eq!(rendered["failed"], 0, "{said}");
    assert!(rendered["found"].as_u64() >= Some(4) && rendered["links"].as_u64() >= Some(2), "{said}");
    assert!(rendered["words"].as_u64() >= Some(3) && rendered["refused"].as_u64() >= Some(5), "{said}");
    let api = asked.iter().find(|asked| asked.target == "/api/list?page=1").unwrap();
    assert_eq!(api.header("x-api"), Some("yes"), "what a page says with a request is said");
    assert!(api.header("user-agent").unwrap().contains("tintype"), "who asks is us");

    assert_eq!(get(directory.path(), &format!("{}/api/list?page=1", host.origin())), r#"{"items":["alpha","beta"]}"#);
    assert!(get(directory.path(), &format!("urn:text:{}", host.seed())).contains("alpha assembled"));
    assert!(get(directory.path(), &format!("urn:dom:{}", host.seed())).contains("/made/by-script"));
    let verified = run(directory.path(), &["verify"]);
    assert!(verified.status.success(), "{verified:?}");
    let report = run(directory.path(), &["report"]);
    assert!(String::from_utf8_lossy(&report.stdout).contains("3 pages built"), "{report:?}");
    assert_eq!(replay_all(directory.path()), 2);

    // Nothing changed: what is asked for again is asked with validators or answered as before, and is built all the same.
    let again = capture(directory.path(), &host.seed(), &["--render", "always"]);
    assert_eq!(again["sites"][0]["rendered"]["failed"], 0, "{again}");
    assert_eq!(again["sites"][0]["changed"], 0, "{again}");
    assert_eq!(replay_all(directory.path()), 3);
}

#[test]
fn a_browser_keeps_the_pace_and_the_budget_of_its_site() {
    if !has_browser() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let app = "for (let n = 0; n < 30; n++) fetch('/data/' + n + '.json').catch(() => {});";
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html("<script src=/app.js></script>"),
        "/app.js" => script(app),
        target if target.starts_with("/data/") => answer(200, &[("Content-Type", "application/json")], b"{}"),
        _ => not_there(),
    });
    let arguments = ["capture", &host.seed(), "--render", "always", "--delay", "0.1", "--budget", "14"];
    let output = run(directory.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let asked = host.asked();
    assert_eq!(asked.len(), 14, "the budget holds for a browser too: {:?}", targets(&asked));
    let pauses: Vec<Duration> = asked.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
    assert!(pauses.iter().all(|pause| *pause >= Duration::from_millis(95)), "{pauses:?}");
    assert_eq!(host.most_open(), 1, "one connection");
    assert_eq!(replay_all(directory.path()), 1);
}

#[test]
fn a_page_that_never_ends_or_crashes_its_browser_is_kept_as_it_was_served() {
    if !has_browser() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|asked| match asked.target.as_str() {
        "/" => html("<a href=/stuck>1</a><a href=/fine>2</a><a href=/moves>3</a>"),
        "/stuck" => html("<p>Stuck.<script>for(;;);</script>"),
        "/fine" => html("<p id=p><script>p.textContent = 'Made ' + 'well.'</script>"),
        "/moves" => html("<p>Moves.<script>location.href = '/else' + 'where'</script>"),
        "/elsewhere" => html("<p>Elsewhere."),
        _ => not_there(),
    });
    let said = capture(directory.path(), &host.seed(), &["--render", "always"]);
    assert_eq!(said["sites"][0]["pages"], 5, "{said}");
    let rendered = &said["sites"][0]["rendered"];
    assert_eq!((rendered["pages"].as_u64(), rendered["failed"].as_u64()), (Some(5), Some(1)), "{said}");
    assert!(get(directory.path(), &format!("urn:text:{}/fine", host.origin())).contains("Made well."));
    assert!(get(directory.path(), &format!("{}/stuck", host.origin())).contains("Stuck."));
    assert!(get(directory.path(), &format!("urn:text:{}/moves", host.origin())).contains("Moves."));
}

/// Processes of browsers that this process started, by what their command lines say.
fn browsers(mark: &str) -> Vec<u32> {
    let running = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = running.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter(|number| {
            let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(mark)
        })
        .collect()
}

/// Not its helpers, nor who watches it.
fn is_main(number: u32) -> bool {
    let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let line = String::from_utf8_lossy(&line);
    line.split('\0').next().is_some_and(|name| name.contains("chromium")) && !line.contains("--type=")
}

#[test]
fn who_is_killed_leaves_no_browser_behind_and_a_killed_browser_costs_nothing() {
    if !has_browser() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("tintype-browser-").display().to_string();
    let (waits, released) = (Arc::new(Mutex::new(true)), Arc::new(Mutex::new(())));
    let (gate, held) = (waits.clone(), released.clone());
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html("<script>fetch('/slow' + '.json').then(async (r) => document.title = await r.text())</script>"),
        "/slow.json" => {
            let _held = held.lock();
            while *gate.lock().unwrap() {
                thread::sleep(Duration::from_millis(20));
            }
            answer(200, &[("Content-Type", "application/json")], b"\"here\"")
        }
        _ => not_there(),
    });
    let begin = || {
        let mut command = crate::bench::tintype_with_browser();
        command.current_dir(directory.path()).env("TMPDIR", directory.path());
        command.args(["capture", &host.seed(), "--render", "always", "--delay", "0", "--json"]);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let wait_for = |what: &dyn Fn() -> bool| {
        (0..3000).any(|_| {
            what() || {
                thread::sleep(Duration::from_millis(20));
                false
            }
        })
    };

    let mut first = begin();
    assert!(wait_for(&|| host.asked().iter().any(|asked| asked.target == "/slow.json")), "no browser asked");
    assert!(!browsers(&mark).is_empty(), "the browser does not live where it was told to");
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(wait_for(&|| browsers(&mark).is_empty()), "left behind: {:?}", browsers(&mark));

    let second = begin();
    let seen = || host.asked().iter().filter(|asked| asked.target == "/slow.json").count();
    assert!(wait_for(&|| seen() == 2), "what was under way is asked for again");
    // The browser dies while it waits; its page is built in another.
    let leader = *browsers(&mark).iter().find(|number| is_main(**number)).expect("a browser is under way");
    let killed = Command::new("kill").args(["-s", "KILL", &leader.to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(wait_for(&|| !browsers(&mark).contains(&leader)));
    *waits.lock().unwrap() = false;
    let output = second.wait_with_output().unwrap();
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["sites"][0]["rendered"]["failed"], 0, "{said}");
    assert!(get(directory.path(), &format!("urn:dom:{}", host.seed())).contains("here"));
    assert!(wait_for(&|| browsers(&mark).is_empty()), "left behind: {:?}", browsers(&mark));
}

/// Twelve pages whose script does nothing, and pages that are nothing without theirs.
fn mixed_site(asked: &Asked, shells: usize) -> Reply {
    let target = asked.target.as_str();
    match target {
        "/" => {
            let still: String = (0..12).map(|n| format!("<a href=/still/{n}>{n}</a> ")).collect();
            let built: String = (0..shells).map(|n| format!("<a href=/built/{n}>{n}</a> ")).collect();
            html(&format!("<p>{still}{built}"))
        }
        "/still.js" => script("document.title += '!';"),
        "/built.js" => script(
            "const n = location.pathname.split('/')[2]; fetch('/told/' + n + '.json').then((r) => r.text()).then((t) => app.append(t))",
        ),
        _ if target.starts_with("/still/") => html(&format!("<h1>Page {target}</h1><script src=/still.js></script>")),
        _ if target.starts_with("/built/") => html("<main id=app></main><script src=/built.js></script>"),
        _ if target.starts_with("/told/") => answer(200, &[("Content-Type", "application/json")], target.as_bytes()),
        _ => not_there(),
    }
}

#[test]
fn pages_that_gain_nothing_are_soon_fetched_plainly_and_those_that_gain_are_always_built() {
    if !has_browser() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let shells = Arc::new(Mutex::new(3));
    let served = shells.clone();
    let host = Host::start(move |asked| mixed_site(asked, *served.lock().unwrap()));
    let mut built = Vec::new();
    for round in 0..3 {
        *shells.lock().unwrap() = 3 + round;
        if round == 2 {
            // What was learned is rebuilt from the logs.
            std::fs::remove_dir_all(directory.path().join("collection/state")).unwrap();
        }
        let said = capture(directory.path(), &host.seed(), &["--render", "auto"]);
        let seen = host.take_hits();
        for n in 0..3 + round {
            assert!(seen.contains_key(&format!("/told/{n}.json")), "round {round}: {seen:?}");
        }
        assert!(said["sites"][0]["pages"].as_u64() >= Some(12 + 3), "{said}");
        built.push(said["sites"][0]["rendered"]["pages"].as_u64().unwrap());
    }
    assert!(built[0] < 12, "of twelve pages that gain nothing some are not built: {built:?}");
    assert!((4..=6).contains(&built[1]) && (5..=7).contains(&built[2]), "what gains, and a probe: {built:?}");
    assert_eq!(replay_all(directory.path()), 3);
}

#[test]
fn who_has_no_browser_is_told_once() {
    let directory = tempfile::tempdir().unwrap();
    let host = Host::start(|_| html("<p>Hello.<script>1</script>"));
    let capture = |more: &[&str]| {
        let mut command = crate::bench::tintype_with_browser();
        command.current_dir(directory.path()).env("PATH", directory.path());
        let output = command.args(["capture", &host.seed(), "--delay", "0"]).args(more).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (went_well, said) = capture(&[]);
    assert!(went_well && said.contains("no browser is installed") && said.contains("--render never"), "{said}");
    let (went_well, said) = capture(&[]);
    assert!(went_well && !said.contains("browser"), "{said}");
    let (went_well, said) = capture(&["--render", "always"]);
    assert!(!went_well && said.contains("install chromium"), "{said}");
}
