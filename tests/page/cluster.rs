//! Runs of the page with the workers of a message queue. Where `nats-server` is not installed, the test says that it was
//! skipped.

use crate::page::Page;
use crate::webdriver::Browser;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take that does not come.
const PATIENCE: Duration = Duration::from_secs(60);

/// Processes that end with the test.
struct Processes(Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A server on a free port of the loopback interface, and its address; none where it is not installed.
fn server(folder: &Path) -> Option<(Child, String)> {
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", "-1", "-js", "-sd"]).arg(folder.join("store"));
    command.arg("--ports_file_dir").arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(child) = command.spawn() else {
        // Past the harness, which keeps what passing tests print.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: nats-server is not installed (Debian: nats-server)"
        );
        return None;
    };
    let (path, since) = (folder.join(format!("nats-server_{}.ports", child.id())), Instant::now());
    loop {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let ports: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        if let Some(url) = ports.as_ref().and_then(|ports| ports["nats"][0].as_str()) {
            return Some((child, url.to_owned()));
        }
        assert!(since.elapsed() < PATIENCE, "the server does not report its port");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_run_with_several_machines_shows_its_workers() {
    let folder = crate::common::folder("shared", "cluster");
    let Some((child, url)) = server(&folder) else { return };
    let mut processes = Processes(vec![child]);
    let worker = Command::new(env!("CARGO_BIN_EXE_umbrail"))
        .args(["--threads", "1", "worker", "--cluster", &url])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    processes.0.push(worker.expect("a worker"));
    let page = Page::serve_in(&folder, &["--set", &format!("Cluster={url}"), "--threads", "1"]);
    assert!(page.get("/proof").body.contains(&url), "the editor shows where runs are shared");
    // What is seen while it is at work: the worker, and a unit that it has.
    let id = crate::security::begin_long(&page);
    let mut stream = page.connect();
    let request = format!("GET /api/events/{id} HTTP/1.1\r\nHost: {}\r\n\r\n", page.host);
    stream.write_all(request.as_bytes()).expect("it takes requests");
    let (mut reported, mut part, since) = (String::new(), [0; 65_536], Instant::now());
    while !(reported.contains("\"cluster\":{\"run\":") && reported.contains("\"at\":[{\"unit\":")) {
        let count = stream.read(&mut part).expect("events");
        assert!(count > 0 && since.elapsed() < PATIENCE, "{reported}");
        reported += &String::from_utf8_lossy(&part[..count]);
    }
    if let Some(browser) = Browser::start(&folder) {
        browser.open(&format!("{}proof/{id}", page.url));
        browser.wait("document.querySelectorAll('.machines .crew tbody tr').length >= 1");
        browser.wait("document.querySelector('.machines .gauges').innerText.includes('claims')");
        browser.picture("proof-cluster");
    }
    page.post(&format!("/runs/{id}/stop"), &[]);
    page.wait(&id, "paused");
    // How it stood each second is no record of what was found.
    let log = std::fs::read_to_string(page.folder.join("runs").join(&id).join("log"));
    assert!(!log.expect("a log").contains("\"t\":\"cluster\""));
    let form = [("fen", "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR"), ("moves", "2.5")];
    page.post("/proof", &form);
    page.wait("proof-2", "done");
    let text = page.get("/proof/proof-2").body;
    for part in ["C+: exactly one proof game in 2.5 moves", "units done by the workers"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
