//! A message server of a test's own.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take that does not come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a free port, ended with the test.
pub(crate) struct Nats {
    child: Child,
    pub(crate) url: String,
    folder: PathBuf,
    port: String,
    more: Vec<String>,
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Nats {
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Option<Self> {
        let more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
        let Some(child) = Self::spawn(folder, "-1", &more) else {
            eprintln!(
                "SKIPPED: nats-server is not installed (Debian: apt-get install nats-server)"
            );
            println!("SKIPPED: nats-server is not installed");
            return None;
        };
        let ports = folder.join(format!("nats-server_{}.ports", child.id()));
        let began = Instant::now();
        let url = loop {
            let text = std::fs::read_to_string(&ports).unwrap_or_default();
            if let Some(url) = serde_json::from_str::<Value>(&text)
                .ok()
                .and_then(|value| Some(value["nats"][0].as_str()?.to_owned()))
            {
                break url;
            }
            assert!(began.elapsed() < PATIENCE, "the server does not report its port");
            std::thread::sleep(Duration::from_millis(50));
        };
        let port = url.rsplit(':').next().expect("a port").to_owned();
        Some(Self { child, url, folder: folder.to_owned(), port, more })
    }

    fn spawn(folder: &Path, port: &str, more: &[String]) -> Option<Child> {
        let mut server = Command::new("nats-server");
        server.args(["-a", "127.0.0.1", "-p", port, "-js", "-sd"]).arg(folder.join("store"));
        server.arg("--ports_file_dir").arg(folder).args(more);
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
    }

    /// Ends it as a power cut of its process would, and starts it again at the same port.
    pub(crate) fn kill_and_restart(&mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("an end");
        std::thread::sleep(Duration::from_millis(300));
        self.child = Self::spawn(&self.folder, &self.port, &self.more).expect("a server");
    }
}
