//! What went wrong and what to do next: every error ends here, as a sentence and a step.

use crate::out::mention;
use std::{fmt, io::ErrorKind, path::Path, process::ExitCode};
use tintype_archive::Error as ArchiveError;
use tintype_vocab::UsageError;

/// A usage error, ready for `?`.
pub(crate) fn usage(problem: impl fmt::Display, next: impl Into<String>) -> anyhow::Error {
    UsageError::new(problem, next).into()
}

/// Where there is nothing to show.
pub(crate) fn no_capture_yet(collection: &Path) -> anyhow::Error {
    let problem = format!("{} holds no capture yet", collection.display());
    usage(problem, "make one: tintype capture https://example.com/")
}

/// Tells the person, and says how the process should end.
pub(crate) fn explain(error: &anyhow::Error) -> ExitCode {
    mention!("tintype: {}", sentence(error));
    if let Some(usage) = error.downcast_ref::<UsageError>() {
        mention!("  next: {}", usage.next);
        return ExitCode::from(2);
    }
    if error
        .chain()
        .any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == ErrorKind::NotFound))
    {
        mention!("  next: check the name, and run it again");
        return ExitCode::FAILURE;
    }
    if let Some(step) = error.chain().find_map(|cause| cause.downcast_ref::<ArchiveError>()).and_then(next_step) {
        mention!("  next: {step}");
    }
    ExitCode::FAILURE
}

/// A reader that has seen enough, such as `head`, is no failure: what prints to it ends quietly.
pub(crate) fn let_readers_leave() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let said = panic.payload_as_str().unwrap_or_default();
        if said.starts_with("failed printing to stdout") && said.contains("Broken pipe") {
            std::process::exit(0);
        }
        usual(panic);
    }));
}

/// The chain of causes on one line, without saying anything twice.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

pub(crate) fn next_step(error: &ArchiveError) -> Option<String> {
    Some(match error {
        ArchiveError::Locked { .. } => "wait for it to finish, or use another collection with -C DIR".to_owned(),
        ArchiveError::Newer { .. } => "install the newer tintype; nothing was changed".to_owned(),
        ArchiveError::NotACollection { .. } => {
            "name a collection with -C DIR, or make one with tintype capture URL".to_owned()
        }
        ArchiveError::Io { source, .. } => match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                "make room and run the same command again; what was reported is safe and it goes on from there"
                    .to_owned()
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "make the collection writable, or name another with -C DIR".to_owned()
            }
            ErrorKind::InvalidInput => "put the file or directory itself there, or remove it; nothing was changed".to_owned(),
            ErrorKind::NotADirectory => "name the directory of a collection with -C DIR; this is a file".to_owned(),
            _ => "run the same command again; what was reported is safe and it goes on from there".to_owned(),
        },
        ArchiveError::Removed(_) => {
            "leave the files of a collection alone while it is written; run the same command again, and what is \
             missing is asked for again"
                .to_owned()
        }
        ArchiveError::NoRoom(_) => "make room; captures may leave less with --min-free 100MB".to_owned(),
        ArchiveError::Unusable { .. } => {
            "give it a WARC (.gz, .zst or plain), WACZ, CDX or CDXJ file; nothing was changed".to_owned()
        }
        ArchiveError::State { .. } => {
            "make room on the disk, or see that it can be written; the state directory is derived, so removing it loses nothing".to_owned()
        }
        _ => return None,
    })
}
