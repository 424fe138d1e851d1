//! Log of every line of input and output and of internal events, in a file or on standard error,
//! never on standard output.
//!
//! Logging requires the option `Log File`, which names a file, or the variable `UMBRAIL_LOG` with a
//! filter such as `umbrail=debug`. Without a file, the log goes to standard error.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use umbrail_control::lock;

/// Environment variable with the filter.
const VARIABLE: &str = "UMBRAIL_LOG";
/// Default filter.
const USUAL: &str = "umbrail=debug";

/// Destination of log lines; shared with the subscriber, so that it can change.
#[derive(Clone, Default)]
struct Target(Arc<Mutex<Option<LogFile>>>);

/// A log file with its name.
struct LogFile {
    path: PathBuf,
    file: File,
}

impl Target {
    fn lock(&self) -> MutexGuard<'_, Option<LogFile>> {
        lock(&self.0)
    }
}

/// Log of this process.
pub(super) struct Log {
    target: Target,
    installed: bool,
}

/// Error of writing the log file.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the log file {path}: {source}")]
pub(super) struct LogError {
    path: PathBuf,
    source: std::io::Error,
}

impl Log {
    /// Starts the log if it was requested before the start. The text reports a file that cannot be
    /// written.
    pub(super) fn new(file: &str) -> (Self, Option<String>) {
        let mut log = Self { target: Target::default(), installed: false };
        let mut fault = None;
        if !file.is_empty() {
            fault = log.write_to(Some(Path::new(file))).err().map(|error| error.to_string());
        } else if std::env::var_os(VARIABLE).is_some() {
            log.install();
        }
        (log, fault)
    }

    /// Appends to this file from now on, or to none. A file that is neither regular nor a folder,
    /// such as a pipe, may take time to open; it gets the lines from then on.
    ///
    /// # Errors
    /// The message for the user if the file cannot be written. The previous file stays in use.
    pub(super) fn write_to(&mut self, file: Option<&Path>) -> Result<(), LogError> {
        if let Some(path) = file
            && std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
        {
            self.write_later_to(path.to_owned());
            return Ok(());
        }
        let open = |path: &Path| {
            let file = File::options().create(true).append(true).open(path);
            file.map(|file| LogFile { path: path.to_owned(), file })
                .map_err(|source| LogError { path: path.to_owned(), source })
        };
        let file = file.map(open).transpose()?;
        let some = file.is_some();
        *self.target.lock() = file;
        if some {
            self.install();
        }
        Ok(())
    }

    fn write_later_to(&mut self, path: PathBuf) {
        self.install();
        let target = self.target.clone();
        *target.lock() = None;
        let name = path.clone();
        let open = move || match File::options().append(true).open(&path) {
            Ok(file) => *target.lock() = Some(LogFile { path, file }),
            Err(error) => complain(&path, error),
        };
        if let Err(error) = std::thread::Builder::new().name("log".to_owned()).spawn(open) {
            complain(&name, error);
        }
    }

    /// Installs the subscriber of the process. If another one exists already, such as that of a
    /// test, it stays.
    fn install(&mut self) {
        if std::mem::replace(&mut self.installed, true) {
            return;
        }
        let filter = std::env::var(VARIABLE).unwrap_or_else(|_| USUAL.to_owned());
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new(USUAL)))
            .with_writer(self.target.clone())
            .with_ansi(false)
            .with_thread_names(true)
            .finish();
        let _ = tracing::subscriber::set_global_default(subscriber);
    }

    pub(super) fn received(&self, line: &str) {
        if self.installed {
            tracing::info!("> {line}");
        }
    }

    pub(super) fn printed(&self, text: &str) {
        if self.installed {
            for line in text.lines() {
                tracing::info!("< {line}");
            }
        }
    }
}

fn complain(path: &Path, source: std::io::Error) {
    let error = LogError { path: path.to_owned(), source };
    umbrail_control::print_error!("umbrail: {error}");
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut target = self.lock();
        match target.as_mut() {
            // A full disk is reported once; logging then ends.
            Some(LogFile { path, file }) => match file.write(bytes) {
                Ok(count) => Ok(count),
                Err(error) => {
                    complain(path, error);
                    *target = None;
                    Ok(bytes.len())
                }
            },
            None if std::env::var_os(VARIABLE).is_some() => std::io::stderr().write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self.lock().as_mut() {
            Some(log) => log.file.flush(),
            None => Ok(()),
        }
    }
}

impl<'a> MakeWriter<'a> for Target {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
