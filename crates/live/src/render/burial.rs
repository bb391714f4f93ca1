//! Ends browsers, and leaves nothing of them behind: what a browser started and did not wait for is inherited by us and
//! waited for here, because not every machine has somebody else who does.

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process_group, set_child_subreaper, waitpid};
use std::{sync::Once, thread, time::Duration};

/// How long is waited for processes that were killed, at most.
const ROUNDS: usize = 200;
const ROUND: Duration = Duration::from_millis(10);
/// How the processes of browsers are called.
const NAMES: [&str; 3] = ["chrom", "google-chrome", "cat"];

/// One process, as the machine lists it.
struct Process {
    number: i32,
    name: String,
    is_dead: bool,
    parent: i32,
    group: i32,
    /// Resident, in pages.
    resident: u64,
}

/// From now on what processes of ours leave behind is ours.
pub(super) fn inherit() {
    static ONCE: Once = Once::new();
    // Where it cannot be had, whoever is the first process of the machine has it.
    ONCE.call_once(|| {
        let _ = set_child_subreaper(Some(getpid()));
    });
}

/// Ends a process group at once.
pub(super) fn kill(leader: u32) {
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // It may be gone already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Waits for all that is left of a group whose leader has been waited for.
pub(super) fn bury(leader: u32) {
    let (own, group) = (getpid().as_raw_nonzero().get(), i32::try_from(leader).unwrap_or(0));
    for _ in 0..ROUNDS {
        let mut left = 0;
        for process in processes() {
            let is_browsers = process.group == group || NAMES.iter().any(|name| process.name.starts_with(name));
            if process.is_dead && process.parent == own && is_browsers {
                let number = Pid::from_raw(process.number);
                let _ = waitpid(number, WaitOptions::NOHANG);
            } else if process.group == group {
                left += 1;
            }
        }
        if left == 0 {
            return;
        }
        thread::sleep(ROUND);
    }
}

/// Resident memory of a process group, in bytes.
pub(super) fn memory_of(leader: u32) -> u64 {
    let group = i32::try_from(leader).unwrap_or(0);
    let pages: u64 = processes().filter(|process| process.group == group).map(|process| process.resident).sum();
    pages * rustix::param::page_size() as u64
}

fn processes() -> impl Iterator<Item = Process> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        process(number, &std::fs::read_to_string(entry.path().join("stat")).ok()?)
    })
}

fn process(number: i32, stat: &str) -> Option<Process> {
    // The name is in brackets and may hold anything.
    let (front, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    Some(Process {
        number,
        name: front.split_once(" (")?.1.to_owned(),
        is_dead: *fields.first()? == "Z",
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        resident: fields.get(21)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_it_is_called() {
        let tail = (0..17).map(|_| "0 ").collect::<String>();
        let stat = format!("7 (a) Z b) S 1 42 {tail}9 4096 0");
        let read = process(7, &stat).unwrap();
        assert_eq!((read.name.as_str(), read.is_dead, read.parent, read.group), ("a) Z b", false, 1, 42));
        assert!(process(7, "7 (torn").is_none());
    }

    #[test]
    fn we_know_how_much_we_take() {
        let group = rustix::process::getpgrp().as_raw_nonzero().get();
        assert!(memory_of(u32::try_from(group).unwrap()) > 1 << 20);
    }
}
