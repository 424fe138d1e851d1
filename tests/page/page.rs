//! A page that is served for a test, and a plain HTTP client.

use crate::common;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A served page; dropping it kills its process.
pub(crate) struct Page {
    pub(crate) child: Child,
    /// What it printed.
    pub(crate) url: String,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
    pub(crate) folder: PathBuf,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Page {
    /// Serves a page with a folder of this name.
    pub(crate) fn serve(name: &str, arguments: &[&str]) -> Self {
        Self::serve_in(&common::folder("shared", name), arguments)
    }

    pub(crate) fn serve_in(folder: &Path, arguments: &[&str]) -> Self {
        let program = env!("CARGO_BIN_EXE_umbrail");
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0", "--no-open", "--dir"]).arg(folder).args(arguments);
        let mut child = command
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let url = line.trim().to_owned();
        let host = url.trim_start_matches("http://").split('/').next().unwrap_or("").to_owned();
        Self { child, url, host, folder: folder.to_owned() }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        stream
    }

    /// Sends this text as it is and reads all that comes back.
    pub(crate) fn raw(&self, request: &str) -> Reply {
        let mut stream = self.connect();
        // A request that is refused early may not be taken as a whole.
        let _ = stream.write_all(request.as_bytes());
        let mut bytes = vec![];
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let body = match head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            true => unchunked(body),
            false => body.to_owned(),
        };
        Reply { status, head: head.to_owned(), body }
    }

    /// A request with these further header lines.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        let mut lines = vec![format!("{method} {path} HTTP/1.1"), format!("Host: {}", self.host)];
        lines.extend(headers.iter().map(|line| (*line).to_owned()));
        lines.extend(["Connection: close".to_owned(), format!("Content-Length: {}", body.len())]);
        self.raw(&format!("{}\r\n\r\n{body}", lines.join("\r\n")))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        serde_json::from_str(&reply.body).unwrap_or_else(|error| panic!("{error}: {reply:?}"))
    }

    /// Sends a form as a page of ours does.
    pub(crate) fn post(&self, path: &str, form: &[(&str, &str)]) -> Reply {
        let pairs: Vec<String> =
            form.iter().map(|(key, value)| format!("{key}={}", quoted(value))).collect();
        let origin = format!("Origin: http://{}", self.host);
        let kind = "Content-Type: application/x-www-form-urlencoded";
        self.ask("POST", path, &[&origin, kind], &pairs.join("&"))
    }

    /// The state of a run in the list.
    pub(crate) fn state(&self, id: &str) -> String {
        let runs = self.json("/api/runs");
        let run = runs.as_array().into_iter().flatten().find(|run| run["id"] == id);
        run.and_then(|run| run["state"].as_str()).unwrap_or("absent").to_owned()
    }

    /// Waits until a run has this state.
    pub(crate) fn wait(&self, id: &str, state: &str) {
        let since = Instant::now();
        while self.state(id) != state {
            let waited = since.elapsed();
            assert!(waited < Duration::from_secs(60), "{id} is {} and not {state}", self.state(id));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let Ok(length) = usize::from_str_radix(length, 16) else { break };
        let Some(part) = rest.get(..length).filter(|part| !part.is_empty()) else { break };
        text.push_str(part);
        body = rest.get(length + 2..).unwrap_or("");
    }
    text
}

/// A text as it stands in a form.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let letter = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}
