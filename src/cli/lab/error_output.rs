//! What a match runner and its engines write to the error output.
//!
//! An engine can still run when its runner has ended. It holds the runner's error output open then and may write to it without
//! end: some engines write a message for each read of a closed input. So only the first bytes are kept, and the end of the
//! output is not waited for.

use std::io::Read;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use umbrail::control::lock;

/// Bytes that are kept.
const KEPT: usize = 1 << 18;
/// How long what a runner wrote last may take to arrive after its end.
const GRACE: Duration = Duration::from_millis(500);

/// The error output of a process, read by a thread of its own.
pub(super) struct ErrorOutput {
    kept: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl ErrorOutput {
    /// Begins to read.
    pub(super) fn read(mut pipe: impl Read + Send + 'static) -> Self {
        let kept = Arc::new(Mutex::new(vec![]));
        let shared = Arc::clone(&kept);
        let reader = std::thread::spawn(move || {
            let mut chunk = [0; 4_096];
            // Once the text was taken, the reader ends and the pipe is closed: a process that still writes to it gets an error.
            while Arc::strong_count(&shared) > 1
                && let Ok(count @ 1..) = pipe.read(&mut chunk)
            {
                let mut kept = lock(&shared);
                let room = KEPT - kept.len();
                kept.extend_from_slice(&chunk[..count.min(room)]);
            }
        });
        Self { kept, reader }
    }

    /// What has come, once the process itself has ended.
    pub(super) fn text(self) -> String {
        let ended = Instant::now();
        while !self.reader.is_finished() && ended.elapsed() < GRACE {
            std::thread::sleep(Duration::from_millis(10));
        }
        String::from_utf8_lossy(&lock(&self.kept)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorOutput, KEPT};

    #[test]
    fn the_beginning_is_kept_of_an_output_without_end() {
        assert_eq!(ErrorOutput::read(&b"one\ntwo\n"[..]).text(), "one\ntwo\n");
        let endless = ErrorOutput::read(std::io::repeat(b'x'));
        let text = endless.text();
        assert!(text.len() <= KEPT && text.bytes().all(|byte| byte == b'x'));
    }
}
