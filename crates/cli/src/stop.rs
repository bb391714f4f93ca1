//! Ctrl-C and SIGTERM.

use crate::out::mention;
use tokio::sync::watch;

/// True after a person wants to stop; a second wish ends the process at once. `farewell` says what happens meanwhile.
pub(crate) fn on_signal(farewell: &'static str) -> watch::Receiver<bool> {
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        signalled().await;
        mention!("{farewell}; once more to stop at once");
        // Nobody left to stop: it has just ended by itself.
        let _ = sender.send(true);
        signalled().await;
        std::process::exit(130);
    });
    receiver
}

/// Done when a person wants to stop.
pub(crate) async fn asked_for() {
    signalled().await;
}

async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
