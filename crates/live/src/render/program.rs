//! Which browser is started, and how it is told to keep to itself.

use super::RenderSettings;
use std::{
    ffi::OsString,
    io,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// Names a browser may have, in the order they are looked for.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const SHELL: &str = "/bin/sh";
/// A browser reads commands from descriptor 3 and answers on 4. The shell puts our ends there, and becomes the browser.
const TAKE_PLACES: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;

/// Ends a process group at once; the standard library can only end one process.
const KILL: &str = r#"kill -s KILL -- "-$0""#;

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

/// The browser to start: the one that was named, or the first known one on the path.
pub(super) fn find(settings: &RenderSettings) -> Option<PathBuf> {
    if let Some(named) = &settings.program {
        return Some(named.clone());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|program| program.is_file()))
}

/// Starts a browser that lives in the directory `profile` and leads a process group of its own.
pub(super) fn start(program: &Path, profile: &Path, settings: &RenderSettings) -> io::Result<Child> {
    let mut directory = OsString::from("--user-data-dir=");
    directory.push(profile);
    let mut command = Command::new(SHELL);
    command.args(["-c", TAKE_PLACES]).arg(program).args(ARGUMENTS).arg(directory);
    command.arg(format!("--window-size={},{}", settings.width, settings.height));
    // Who owns what we make is who we are. The superuser's browser cannot build its sandbox.
    if std::fs::metadata(profile)?.uid() == 0 {
        command.arg("--no-sandbox");
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("HOME", profile).env("TMPDIR", profile).env("LANG", "C.UTF-8");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0).spawn()
}

/// Ends a browser and all processes it started.
pub(super) fn kill(leader: u32) -> io::Result<()> {
    Command::new(SHELL).args(["-c", KILL, &leader.to_string()]).stderr(Stdio::null()).status().map(drop)
}
