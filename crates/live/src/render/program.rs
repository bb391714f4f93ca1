//! Which browser is started, and how it is told to keep to itself.

use super::{RenderSettings, burial};
use std::{
    ffi::OsString,
    io,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

/// Names a browser may have, in the order they are looked for.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const SHELL: &str = "/bin/sh";
/// A browser reads commands from descriptor 3 and answers on 4: the shell puts our ends there. Then it watches: the other
/// end of its standard error is held by us, and when nobody holds it any more, or the browser has ended, the whole group
/// goes. So not even a `kill -9` of ours leaves a browser behind. What it writes there nobody reads: a pipe holds what is
/// written in eighteen hours, and then a write waits until we are gone.
const WATCH: &str = r#"exec 3<&0 4>&1 5>&2 0</dev/null 1>/dev/null 2>/dev/null
"$0" "$@" 5>&- &
browser=$!
exec 3<&- 4>&-
trap '' PIPE
while kill -0 $browser && sleep 1 && printf . >&5; do :; done
kill -s KILL 0"#;

/// A room without a network for whoever is started in it, as the user we are.
const NO_NETWORK: [&str; 2] = ["unshare", "-cn"];

/// What every browser is told. Nothing may leave the machine: requests are answered by us, and those that slip past
/// (sockets, prefetched names, workers) meet a proxy that is not there and names that do not exist.
const ARGUMENTS: [&str; 27] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--no-pings",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-breakpad",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    // Frames of other sites stay in the page's own process, where their requests are seen.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,OptimizationHints",
    "--mute-audio",
    "--hide-scrollbars",
    // The same page looks the same everywhere.
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--lang=en",
    "--js-flags=--max-old-space-size=512",
];

/// The variable that names the browser to start, or says that none is to be.
pub(super) const NAMED_BY: &str = "TINTYPE_BROWSER";
const NONE: &str = "none";

/// The browser to start: the one that was named, or the first known one on the path.
pub(super) fn find(settings: &RenderSettings) -> Option<PathBuf> {
    if let Some(named) = &settings.program {
        return Some(named.clone());
    }
    match std::env::var_os(NAMED_BY).filter(|named| !named.is_empty()) {
        Some(named) if named == NONE => return None,
        Some(named) => return Some(named.into()).filter(|program: &PathBuf| program.is_file()),
        None => {}
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|program| program.is_file()))
}

/// Starts a browser that lives in the directory `profile` and leads a process group of its own.
pub(super) fn start(program: &Path, profile: &Path, settings: &RenderSettings) -> io::Result<Child> {
    burial::inherit();
    let mut directory = OsString::from("--user-data-dir=");
    directory.push(profile);
    let mut command = Command::new(SHELL);
    command.args(["-c", WATCH]);
    if has_rooms_without_network() {
        command.args(NO_NETWORK);
    }
    command.arg(program).args(ARGUMENTS).arg(directory);
    command.arg(format!("--window-size={},{}", settings.width, settings.height));
    // Who owns what we make is who we are. The superuser's browser cannot build its sandbox.
    if std::fs::metadata(profile)?.uid() == 0 {
        command.arg("--no-sandbox");
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("HOME", profile).env("TMPDIR", profile).env("LANG", "C.UTF-8");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn()
}

/// Whether this machine lets us start programs that have no network at all.
pub(super) fn has_rooms_without_network() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let [program, option] = NO_NETWORK;
        let tried = Command::new(program).args([option, "true"]).stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    })
}

/// What the browser calls itself, such as `Chromium 156.0.8078.79`.
pub(super) fn version(program: &Path) -> Option<String> {
    let said = Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    let said = String::from_utf8_lossy(&said.stdout);
    said.lines().next().map(|line| line.split(" built").next().unwrap_or(line).trim().to_owned())
}
