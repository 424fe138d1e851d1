//! Ctrl-C during a match: fastchess is stopped in an orderly way, so that it saves the state of the match.

use std::process::Child;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time limit for fastchess to save the match and to stop its engines.
const PATIENCE: Duration = Duration::from_secs(10);
/// Exit status of a process that Ctrl-C ended.
const STATUS: i32 = 130;

static LISTENS: Once = Once::new();
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Takes Ctrl-C over from the system, from now on. A second one ends the process at once.
pub(super) fn listen() {
    LISTENS.call_once(|| {
        let (ready, listening) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                let mut first = std::pin::pin!(tokio::signal::ctrl_c());
                // The first poll installs the handler.
                let _ = tokio::time::timeout(Duration::ZERO, first.as_mut()).await;
                let _ = ready.send(());
                if first.as_mut().await.is_ok() {
                    // Relaxed ordering suffices: the flag guards no other data.
                    REQUESTED.store(true, Ordering::Relaxed);
                    let _ = tokio::signal::ctrl_c().await;
                    std::process::exit(STATUS);
                }
            });
        });
        // Without a listener the system's default handling applies.
        let _ = listening.recv();
    });
}

/// Ctrl-C was pressed.
pub(super) fn is_requested() -> bool {
    // Relaxed ordering suffices: see above.
    REQUESTED.load(Ordering::Relaxed)
}

/// Ends fastchess: an interrupt lets it save the match and end its engines, a kill follows if it does not.
pub(super) fn stop(child: &mut Child) {
    // On Windows, Ctrl-C reaches every process of the console.
    #[cfg(unix)]
    let _ = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let asked = Instant::now();
    while asked.elapsed() < PATIENCE {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
}
