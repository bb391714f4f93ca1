//! WantedFile files in a directory of their own, each once, beside what the archive keeps.
//!
//! A file is called by the SHA-256 of its bytes, content codings undone, as `ab/ab12….pdf`; `manifest.jsonl` has a line for
//! every answer that brought it. Only what is on disk in the archive is put there, so who is killed misses nothing: what has no
//! line is put there at the end of the next run.

use crate::{
    amount::{bytes as size, counted},
    failure,
    out::mention,
};
use anyhow::Context;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};
use tintype_archive::{
    CaptureId, Collection, Reading,
    holdings::{Holdings, Memento, OpenedMemento},
    make_directory,
};
use tintype_observe::plain as decoded;
use tintype_plan::{MediaRules, Settings};
use tintype_vocab::{Entry, Observation, Outcome, Purpose, Time};

const MANIFEST: &str = "manifest.jsonl";
const PART: &str = "part";

/// A line of the manifest.
#[derive(Debug, Serialize, Deserialize)]
struct ManifestLine {
    url: String,
    time: String,
    media_type: String,
    bytes: u64,
    sha256: String,
    file: String,
    capture: String,
}

/// What came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct SavedFiles {
    pub(crate) directory: String,
    /// Answers that brought a wanted file, and distinct files among them, in this run.
    pub(crate) answers: u64,
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Those that could not be saved.
    pub(crate) failed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_failure: Option<String>,
}

impl SavedFiles {
    pub(crate) fn text(&self) -> String {
        let (files, size) = (counted(self.files, "new file"), size(self.bytes));
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        format!(
            "{files} ({size}) put into {}, {} told of in {MANIFEST}{failed}",
            self.directory,
            counted(self.answers, "answer")
        )
    }
}

/// A wanted file that is in the archive.
struct WantedFile {
    url: String,
    time: Time,
    /// As its bytes say; nothing where the server only said that it did not change.
    media_type: Option<String>,
    capture: CaptureId,
    rules: MediaRules,
}

enum Job {
    Save(Box<WantedFile>),
    /// Everything of a capture that has no line yet.
    Whole(CaptureId),
}

/// Puts files there on a thread of its own, so that nothing waits for it.
#[derive(Debug)]
pub(crate) struct FileSaver {
    directory: PathBuf,
    jobs: Option<Sender<Job>>,
    inbox: Option<Receiver<Job>>,
    thread: Option<thread::JoinHandle<SavedFiles>>,
}

impl FileSaver {
    /// Makes the directory, and sees that it can be written to.
    pub(crate) fn open(directory: &Path) -> anyhow::Result<FileSaver> {
        let problem = || format!("{} cannot take files", directory.display());
        make_directory(directory).map_err(anyhow::Error::from).with_context(problem)?;
        Store::open(directory).with_context(problem)?;
        let (jobs, inbox) = channel();
        Ok(FileSaver { directory: directory.to_owned(), jobs: Some(jobs), inbox: Some(inbox), thread: None })
    }

    /// From now on there is a collection to read from.
    pub(crate) fn start(&mut self, collection: &Collection) -> anyhow::Result<()> {
        let Some(inbox) = self.inbox.take() else { return Ok(()) };
        let (reading, store) = (collection.reading(), Store::open(&self.directory)?);
        let work = move || Work { holdings: Holdings::of_collection(reading.clone()), reading, store }.all(&inbox);
        self.thread =
            Some(thread::Builder::new().name("saver".to_owned()).spawn(work).context("cannot start a thread")?);
        Ok(())
    }

    /// Something was answered, and is on disk.
    pub(crate) fn hear(&self, observation: &Observation, capture: &CaptureId, settings: &Settings) {
        if let Some(wanted) = WantedFile::of(observation, capture, &settings.media)
            && let Some(jobs) = &self.jobs
        {
            // If the thread is gone its failure is told at the end.
            let _ = jobs.send(Job::Save(Box::new(wanted)));
        }
    }

    /// Waits until all is there that these captures brought.
    pub(crate) fn finish<'a>(mut self, captures: impl Iterator<Item = &'a str>) -> SavedFiles {
        if let Some(jobs) = self.jobs.take() {
            captures.for_each(|capture| _ = jobs.send(Job::Whole(CaptureId::from_text(capture))));
        }
        let mut saved = match self.thread.take().map(thread::JoinHandle::join) {
            Some(Ok(saved)) => saved,
            Some(Err(_)) => {
                SavedFiles { failed: 1, first_failure: Some("saving stopped".to_owned()), ..SavedFiles::default() }
            }
            None => SavedFiles::default(),
        };
        saved.directory = self.directory.display().to_string();
        if let Some(why) = &saved.first_failure {
            let count = counted(saved.failed, "wanted file");
            mention!("warning: {count} could not be put into {}: {why}", saved.directory);
        }
        saved
    }
}

impl WantedFile {
    fn of(seen: &Observation, capture: &CaptureId, rules: &MediaRules) -> Option<WantedFile> {
        let is_page = matches!(seen.purpose, Purpose::Visit | Purpose::Probe);
        let media_type = match seen.outcome {
            Outcome::Body { .. } => Some(seen.real_media_type()?.to_owned()),
            Outcome::NotModified => None,
            _ => return None,
        };
        let may_be = media_type.as_deref().is_none_or(|media_type| rules.want(media_type));
        let wanted = || WantedFile {
            url: seen.url.clone(),
            time: seen.answered,
            media_type,
            capture: capture.clone(),
            rules: rules.clone(),
        };
        (is_page && may_be && !rules.is_empty()).then(wanted)
    }
}

struct Work {
    reading: Reading,
    holdings: Holdings,
    store: Store,
}

impl Work {
    fn all(mut self, inbox: &Receiver<Job>) -> SavedFiles {
        while let Ok(job) = inbox.recv() {
            let done = match job {
                Job::Save(wanted) => self.save(&wanted),
                Job::Whole(capture) => self.save_whole(&capture),
            };
            if let Err(error) = done {
                self.store.saved.failed += 1;
                self.store.saved.first_failure.get_or_insert_with(|| failure::sentence(&error));
            }
        }
        self.store.saved
    }

    fn save_whole(&mut self, capture: &CaptureId) -> anyhow::Result<()> {
        let captures = self.reading.captures()?;
        let Some(info) = captures.into_iter().find(|info| info.id == *capture) else { return Ok(()) };
        let settings: Settings =
            serde_json::from_value(info.head.settings).context("the capture is of another version")?;
        let entries = self.reading.entries(capture)?;
        for entry in entries {
            if let Entry::Observation(seen) = entry?
                && let Some(wanted) = WantedFile::of(&seen, capture, &settings.media)
            {
                self.save(&wanted)?;
            }
        }
        Ok(())
    }

    fn save(&mut self, wanted: &WantedFile) -> anyhow::Result<()> {
        let key = (wanted.url.clone(), wanted.time.to_rfc3339());
        if self.store.done.contains(&key) {
            return Ok(());
        }
        let mementos = self.holdings.mementos(&wanted.url)?;
        let distance = |memento: &&Memento| (memento.time - wanted.time).as_millis().abs();
        let Some(memento) = mementos.iter().min_by_key(distance) else {
            anyhow::bail!("{} is not in the index", wanted.url);
        };
        let Some(opened) = self.holdings.open(memento)? else {
            anyhow::bail!("the bytes of {} are not held", wanted.url);
        };
        let named = || opened.field("content-type").map(|name| name.split(';').next().unwrap_or("").trim().to_owned());
        let Some(media_type) = wanted.media_type.clone().or_else(named).filter(|name| wanted.rules.want(name)) else {
            return Ok(());
        };
        let (part, sha256, bytes) = self.write_part(&opened)?;
        let file = file_name(&sha256, &media_type, &wanted.url);
        let is_new = self.store.put(&part, &file)?;
        let (url, time) = key.clone();
        let capture = wanted.capture.to_string();
        self.store.note(&ManifestLine { url, time, media_type, bytes, sha256, file, capture })?;
        self.store.done.insert(key);
        self.store.saved.answers += 1;
        self.store.saved.files += u64::from(is_new);
        self.store.saved.bytes += if is_new { bytes } else { 0 };
        Ok(())
    }

    /// The bytes of an answer in a file of no name yet, with their hash and number.
    fn write_part(&self, opened: &OpenedMemento) -> anyhow::Result<(PathBuf, String, u64)> {
        let part = self.store.directory.join(format!("{PART}-{}", std::process::id()));
        let mut file = File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
        let (mut hasher, mut bytes, mut written) = (Sha256::new(), 0_u64, Ok(()));
        let mut write = |piece: &[u8]| {
            hasher.update(piece);
            bytes += piece.len() as u64;
            if written.is_ok() {
                written = file.write_all(piece);
            }
        };
        match opened.field("content-encoding") {
            None => self.holdings.pour(&opened.body, &mut write)?,
            Some(coding) => {
                let mut body = Vec::new();
                self.holdings.pour(&opened.body, &mut |piece| body.extend_from_slice(piece))?;
                write(&decoded(Some(&coding), &body));
            }
        }
        written.with_context(|| format!("cannot write {}", part.display()))?;
        Ok((part, HEXLOWER.encode(&hasher.finalize()), bytes))
    }
}

/// The directory and its manifest.
struct Store {
    directory: PathBuf,
    manifest: File,
    /// Answers that have a line, by URL and time.
    done: HashSet<(String, String)>,
    saved: SavedFiles,
}

impl Store {
    fn open(directory: &Path) -> anyhow::Result<Store> {
        let path = directory.join(MANIFEST);
        let mut manifest = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let mut done = HashSet::new();
        for line in BufReader::new(&mut manifest).split(b'\n') {
            let line = line?;
            let read = serde_json::from_slice::<ManifestLine>(&line);
            done.extend(read.ok().map(|line| (line.url, line.time)));
        }
        // A line that was cut stays alone.
        let mut last = [b'\n'];
        if manifest.seek(SeekFrom::End(-1)).is_ok() {
            manifest.read_exact(&mut last)?;
        }
        if last != [b'\n'] {
            manifest.write_all(b"\n")?;
        }
        Ok(Store { directory: directory.to_owned(), manifest, done, saved: SavedFiles::default() })
    }

    /// Gives a file its name; whether it was not there.
    fn put(&self, part: &Path, name: &str) -> anyhow::Result<bool> {
        let path = self.directory.join(name);
        if path.exists() {
            fs::remove_file(part)?;
            return Ok(false);
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(part, &path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(true)
    }

    fn note(&mut self, line: &ManifestLine) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.manifest.write_all(&text).with_context(|| format!("cannot write {MANIFEST}"))
    }
}

/// `ab/ab12….pdf`: by what it is, or else by what its URL calls it.
fn file_name(sha256: &str, media_type: &str, url: &str) -> String {
    let extension = usual_extension(media_type).map(str::to_owned).or_else(|| extension_of(url));
    let extension = extension.map_or(String::new(), |extension| format!(".{extension}"));
    format!("{}/{sha256}{extension}", &sha256[..2])
}

fn usual_extension(media_type: &str) -> Option<&'static str> {
    let known = BTreeMap::from([
        ("application/epub+zip", "epub"),
        ("application/gzip", "gz"),
        ("application/json", "json"),
        ("application/ogg", "ogg"),
        ("application/pdf", "pdf"),
        ("application/rss+xml", "rss"),
        ("application/atom+xml", "atom"),
        ("application/xml", "xml"),
        ("application/zip", "zip"),
        ("audio/aac", "aac"),
        ("audio/flac", "flac"),
        ("audio/mp4", "m4a"),
        ("audio/mpeg", "mp3"),
        ("audio/ogg", "ogg"),
        ("audio/opus", "opus"),
        ("audio/wav", "wav"),
        ("audio/x-wav", "wav"),
        ("font/woff", "woff"),
        ("font/woff2", "woff2"),
        ("image/avif", "avif"),
        ("image/gif", "gif"),
        ("image/jpeg", "jpg"),
        ("image/png", "png"),
        ("image/svg+xml", "svg"),
        ("image/tiff", "tif"),
        ("image/webp", "webp"),
        ("text/css", "css"),
        ("text/csv", "csv"),
        ("text/html", "html"),
        ("text/plain", "txt"),
        ("text/xml", "xml"),
        ("video/mp4", "mp4"),
        ("video/ogg", "ogv"),
        ("video/webm", "webm"),
    ]);
    known.get(media_type.to_ascii_lowercase().as_str()).copied()
}

fn extension_of(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?;
    let (stem, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    let is_plain = (1..=5).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_plain && !stem.is_empty()).then(|| extension.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_what_they_are_and_lead_nowhere_else() {
        let sha256 = "ab".repeat(32);
        let named = |media_type: &str, url: &str| file_name(&sha256, media_type, url).replace(&sha256, "H");
        assert_eq!(named("audio/mpeg", "http://e.com/a.html"), "ab/H.mp3");
        assert_eq!(named("audio/x-odd", "http://e.com/song.ODD?x=1.exe"), "ab/H.odd");
        for odd in ["http://e.com/", "http://e.com/.htaccess", "http://e.com/a.b%2F..%2Fc", "http://e.com/a.toolong"] {
            assert_eq!(named("x/y", odd), "ab/H", "{odd}");
        }
    }

    #[test]
    fn a_manifest_that_was_cut_goes_on_behind_its_last_whole_line() {
        let directory = tempfile::tempdir().unwrap();
        let line = |nth: u32| ManifestLine {
            url: format!("http://e.com/{nth}"),
            time: "2026-11-15T21:55:03Z".to_owned(),
            media_type: "audio/ogg".to_owned(),
            bytes: 3,
            sha256: "ab".repeat(32),
            file: "ab/x.ogg".to_owned(),
            capture: "c".to_owned(),
        };
        let mut store = Store::open(directory.path()).unwrap();
        (0..3).for_each(|nth| store.note(&line(nth)).unwrap());
        let path = directory.path().join(MANIFEST);
        let whole = fs::read(&path).unwrap();
        for (cut, left) in [(20, 2), (1, 3), (0, 3)] {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let mut store = Store::open(directory.path()).unwrap();
            assert_eq!(store.done.len(), left, "{cut}");
            store.note(&line(9)).unwrap();
            assert_eq!(Store::open(directory.path()).unwrap().done.len(), left + 1, "{cut}");
        }
    }
}
