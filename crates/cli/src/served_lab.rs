//! Tournaments that are begun in a browser: each a process of its own, which can be ended at any time and comes after
//! everything else this machine has to do.

use crate::command::shell_quoted;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use tintype_serve::past::{LabResults, LabStage, LabState, Laboratory, TournamentWish};

/// Nothing that is played in a browser takes longer.
const LONGEST: Duration = Duration::from_secs(2 * 3600);
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Of results and of each of their files.
const RESULTS_MAX: u64 = 16 << 20;
const FILE_MAX: u64 = 2 << 20;

/// Plays tournaments on the collections that are served.
#[derive(Debug)]
pub(crate) struct ServedLab {
    collections: Vec<PathBuf>,
    state: Arc<Mutex<LabState>>,
    is_cancelled: Arc<AtomicBool>,
    player: Mutex<Option<JoinHandle<()>>>,
}

impl ServedLab {
    pub(crate) fn new(collections: &[PathBuf]) -> ServedLab {
        ServedLab {
            collections: collections.to_vec(),
            state: Arc::default(),
            is_cancelled: Arc::default(),
            player: Mutex::default(),
        }
    }
}

impl Laboratory for ServedLab {
    fn begin(&self, wish: TournamentWish) -> Result<(), String> {
        let collection = self.collections.get(wish.collection).ok_or("this is no collection")?;
        let mut state = lock(&self.state);
        if matches!(state.stage, LabStage::Playing { .. }) {
            return Err("one is being played; wait for it, or cancel it".to_owned());
        }
        let directory = tempfile::tempdir().map_err(|error| format!("there is no place for results: {error}"))?;
        let arguments = arguments(collection, &wish);
        let child = started(&arguments, wish.with_pictures.then(|| directory.path()))
            .map_err(|error| format!("cannot begin: {error}"))?;
        let told = arguments.iter().map(|argument| shell_quoted(argument)).collect::<Vec<_>>().join(" ");
        *state = LabState { wish: Some(wish), stage: LabStage::Playing { percent: 0, now: String::new() } };
        self.is_cancelled.store(false, Ordering::Relaxed);
        let (shared, is_cancelled) = (self.state.clone(), self.is_cancelled.clone());
        let played = move || {
            let ended = play(child, &shared, &is_cancelled);
            let stage = match ended.and_then(|json| results(&json, directory.path(), format!("tintype {told}"))) {
                Ok(results) => LabStage::Played(Arc::new(results)),
                Err(why) => LabStage::Failed(why),
            };
            lock(&shared).stage = stage;
        };
        *lock(&self.player) = Some(thread::spawn(played));
        Ok(())
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        let player = lock(&self.player).take();
        // Whoever cancels sees it gone.
        let _ = player.map(JoinHandle::join);
    }

    fn state(&self) -> LabState {
        lock(&self.state).clone()
    }
}

/// What was begun here ends with the server.
impl Drop for ServedLab {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a person would type.
fn arguments(collection: &Path, wish: &TournamentWish) -> Vec<String> {
    let mut arguments: Vec<String> = ["lab", "tournament", "--history"].map(str::to_owned).into();
    arguments.push(collection.display().to_string());
    arguments.extend(["--site".to_owned(), wish.site.clone()]);
    arguments.extend(["--policies".to_owned(), wish.policies.join(",")]);
    if let Some(per_day) = wish.per_day {
        arguments.extend(["--budget".to_owned(), format!("{per_day}/day")]);
    }
    arguments
}

fn started(arguments: &[String], out: Option<&Path>) -> std::io::Result<Child> {
    let program = std::env::current_exe()?;
    // Every Unix has it; whoever does not is not told to come last.
    let mut command = match Path::new("/usr/bin/nice").exists() {
        true => {
            let mut nice = Command::new("/usr/bin/nice");
            nice.args(["-n", "10"]).arg(&program);
            nice
        }
        false => Command::new(&program),
    };
    command.args(arguments).args(["--json", "--progress"]);
    if let Some(out) = out {
        command.arg("--out").arg(out);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Watches it to its end: the object it printed, or why there is none.
fn play(mut child: Child, state: &Arc<Mutex<LabState>>, is_cancelled: &AtomicBool) -> Result<String, String> {
    let told = child.stdout.take().map(|stdout| thread::spawn(move || read(stdout, RESULTS_MAX)));
    let shared = state.clone();
    let said = child.stderr.take().map(|stderr| thread::spawn(move || listen(BufReader::new(stderr), &shared)));
    let began = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status.success()),
            Ok(None) if is_cancelled.load(Ordering::Relaxed) => break Err("It was cancelled."),
            Ok(None) if began.elapsed() > LONGEST => break Err("It was ended: it took longer than two hours."),
            Ok(None) => thread::sleep(LOOK_EVERY),
            Err(_) => break Err("It cannot be watched any more."),
        }
    };
    if ended.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let told = told.and_then(|told| told.join().ok()).unwrap_or_default();
    let said = said.and_then(|said| said.join().ok()).unwrap_or_default();
    match ended {
        Ok(true) => Ok(told),
        Ok(false) => Err(format!("It could not be played: {}", said.trim())),
        Err(why) => Err(why.to_owned()),
    }
}

fn read(from: impl Read, most: u64) -> String {
    let mut text = String::new();
    // What is no text is no answer of ours.
    let _ = from.take(most).read_to_string(&mut text);
    text
}

/// Passes on how far it is; what else is said is kept, the last lines of it.
fn listen(from: impl BufRead, state: &Mutex<LabState>) -> String {
    let mut said = Vec::new();
    for line in from.lines().map_while(Result::ok) {
        let told: Option<Value> = serde_json::from_str(&line).ok();
        match told.as_ref().and_then(|told| told.get("percent")?.as_u64()) {
            Some(percent) => {
                let now = told.as_ref().and_then(|told| told.get("now")?.as_str()).unwrap_or_default().to_owned();
                lock(state).stage = LabStage::Playing { percent: percent.min(100), now };
            }
            None => {
                said.push(line);
                said.drain(..said.len().saturating_sub(5));
            }
        }
    }
    said.join("\n")
}

fn results(json: &str, directory: &Path, command: String) -> Result<LabResults, String> {
    let json = serde_json::from_str(json).map_err(|_| "It ended without results.".to_owned())?;
    let (mut pictures, mut tables) = (Vec::new(), Vec::new());
    let mut names: Vec<PathBuf> =
        fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    names.sort();
    for path in names {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let text = |path: &Path| fs::File::open(path).map(|file| read(file, FILE_MAX)).unwrap_or_default();
        if let Some(picture) = name.strip_suffix(".svg") {
            pictures.push((picture.to_owned(), text(&path)));
        } else if name.ends_with(".csv") {
            tables.push((name.to_owned(), text(&path)));
        }
    }
    Ok(LabResults { json, pictures, tables, command })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_it_is_is_passed_on_and_what_went_wrong_is_kept() {
        let state = Mutex::default();
        let said = listen("{\"percent\":40,\"now\":\"uniform\"}\nerror: no such site\n".as_bytes(), &state);
        assert_eq!(said, "error: no such site");
        let LabStage::Playing { percent, now } = lock(&state).stage.clone() else { panic!("{state:?}") };
        assert_eq!((percent, now.as_str()), (40, "uniform"));
    }

    #[test]
    fn a_wish_is_what_a_person_would_type() {
        let wish = TournamentWish {
            site: "example.com".to_owned(),
            policies: vec!["tintype".to_owned(), "uniform".to_owned()],
            per_day: Some(30.0),
            ..TournamentWish::default()
        };
        assert_eq!(
            arguments(Path::new("news"), &wish).join(" "),
            "lab tournament --history news --site example.com --policies tintype,uniform --budget 30/day"
        );
    }
}
