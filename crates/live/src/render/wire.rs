//! Messages to and from a running browser: JSON, each ended by a zero byte.

use super::{RenderError, RenderSettings, burial, program};
use serde_json::{Value, json};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel},
    thread,
    time::Instant,
};
use tempfile::TempDir;

/// No message of a browser is longer than this; one that is ends the conversation.
const MESSAGE_BYTES_MAX: u64 = 256 << 20;
/// Messages that wait to be read.
const MESSAGES_WAITING: usize = 64;

/// A browser and the pipes to it. Dropped, it is killed with all its children, and its profile removed.
#[derive(Debug)]
pub(super) struct Wire {
    child: Child,
    outgoing: Sender<Vec<u8>>,
    last_id: u64,
    _profile: TempDir,
}

impl Wire {
    /// Starts a browser; `hear` is told what it says, and at its end nothing. It says whether it wants to hear more.
    pub(super) fn open(
        program: &Path,
        settings: &RenderSettings,
        hear: impl FnMut(Option<Value>) -> bool + Send + 'static,
    ) -> Result<Wire, RenderError> {
        let profile = TempDir::with_prefix("tintype-browser-").map_err(RenderError::Start)?;
        let mut child = program::start(program, profile.path(), settings).map_err(RenderError::Start)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (stdin, stdout) = stdin.zip(stdout).expect("both were asked for");
        // A browser that hangs reads nothing and says nothing: neither may stop us, so both pipes have a thread.
        let (outgoing, to_write) = channel();
        thread::spawn(move || write(stdin, &to_write));
        thread::spawn(move || listen(stdout, hear));
        Ok(Wire { child, outgoing, last_id: 0, _profile: profile })
    }

    /// The leader of the browser's process group.
    pub(super) fn group(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command and returns its number, by which the answer is known.
    pub(super) fn send(&mut self, session: Option<&str>, method: &str, parameters: &Value) -> Result<u64, RenderError> {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": parameters });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.outgoing.send(bytes).map_err(|_| RenderError::Crashed)?;
        Ok(self.last_id)
    }
}

/// A browser and what it said that nobody has listened to yet.
#[derive(Debug)]
pub(super) struct Dialogue {
    wire: Wire,
    incoming: Receiver<Value>,
}

impl Dialogue {
    pub(super) fn open(program: &Path, settings: &RenderSettings) -> Result<Dialogue, RenderError> {
        let (heard, incoming) = sync_channel(MESSAGES_WAITING);
        let hear = move |message: Option<Value>| message.is_some_and(|message| heard.send(message).is_ok());
        Ok(Dialogue { wire: Wire::open(program, settings, hear)?, incoming })
    }

    pub(super) fn send(&mut self, session: Option<&str>, method: &str, parameters: &Value) -> Result<u64, RenderError> {
        self.wire.send(session, method, parameters)
    }

    /// The next message, if one comes in time.
    pub(super) fn receive(&self, deadline: Instant) -> Result<Value, RenderError> {
        next_before(deadline, &self.incoming)
    }
}

/// Also who never stops talking runs out of time, so what waits is not taken after it.
fn next_before(deadline: Instant, incoming: &Receiver<Value>) -> Result<Value, RenderError> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(RenderError::TooSlow);
    }
    incoming.recv_timeout(left).map_err(|error| match error {
        RecvTimeoutError::Timeout => RenderError::TooSlow,
        RecvTimeoutError::Disconnected => RenderError::Crashed,
    })
}

impl Drop for Wire {
    fn drop(&mut self) {
        burial::kill(self.child.id());
        let _ = self.child.wait();
        burial::bury(self.child.id());
    }
}

fn write(mut stdin: ChildStdin, messages: &Receiver<Vec<u8>>) {
    for message in messages {
        if stdin.write_all(&message).is_err() {
            return;
        }
    }
}

fn listen(stdout: ChildStdout, mut hear: impl FnMut(Option<Value>) -> bool) {
    let mut stdout = BufReader::with_capacity(64 << 10, stdout);
    while let Ok(Some(message)) = next(&mut stdout) {
        // What is no JSON is no message.
        if let Ok(message) = serde_json::from_slice(&message)
            && !hear(Some(message))
        {
            return;
        }
    }
    hear(None);
}

/// The bytes of the next message; nothing at the end, or if it is too long.
fn next(from: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut message = Vec::new();
    from.take(MESSAGE_BYTES_MAX).read_until(0, &mut message)?;
    Ok((message.pop() == Some(0)).then_some(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_up_however_many_messages_wait() {
        let (talker, incoming) = sync_channel(2);
        talker.send(json!(1)).unwrap();
        let now = Instant::now();
        assert!(matches!(next_before(now, &incoming), Err(RenderError::TooSlow)));
        assert_eq!(next_before(now + std::time::Duration::from_secs(60), &incoming).unwrap(), json!(1));
        drop(talker);
        assert!(matches!(next_before(now + std::time::Duration::from_secs(60), &incoming), Err(RenderError::Crashed)));
    }

    #[test]
    fn messages_end_with_a_zero() {
        let mut bytes: &[u8] = b"{\"id\":1}\0[]\0torn";
        let mut read = || next(&mut bytes).unwrap();
        assert_eq!([read(), read(), read()], [Some(b"{\"id\":1}".to_vec()), Some(b"[]".to_vec()), None]);
    }
}
