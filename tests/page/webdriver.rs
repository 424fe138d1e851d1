//! A real browser by WebDriver: Debian's `chromium` and `chromium-driver`. Where they are absent, tests that need them say
//! so and pass. Each page that is looked at leaves a screenshot in the folder of the test.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The name under which WebDriver hides the number of an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const PATIENCE: Duration = Duration::from_secs(30);

/// A driver with one window.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    folder: PathBuf,
}

impl Browser {
    /// Starts a browser; none where it is not installed.
    pub(crate) fn start(folder: &Path) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(driver) = driver else {
            // Past the harness, which keeps what passing tests print.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: chromedriver is not installed (Debian: chromium chromium-driver)"
            );
            return None;
        };
        let mut browser = Self { driver, port, session: String::new(), folder: folder.to_owned() };
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(since.elapsed() < PATIENCE, "chromedriver does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
        ];
        let options = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments},
        }}});
        let made = browser.call("POST", "/session", &options);
        browser.session = made["sessionId"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        browser.size(1280, 900);
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(PATIENCE * 2)).expect("a timeout");
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it takes requests");
        let mut bytes = vec![];
        let mut part = [0; 65536];
        loop {
            let text = String::from_utf8_lossy(&bytes);
            if let Some((head, rest)) = text.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| {
                    let (key, value) = line.split_once(':')?;
                    key.eq_ignore_ascii_case("content-length")
                        .then(|| value.trim().parse::<usize>().ok())?
                });
                if length.is_some_and(|length| rest.len() >= length) {
                    let answer: Value = serde_json::from_str(rest).expect("JSON");
                    return answer["value"].clone();
                }
            }
            let count = stream.read(&mut part).expect("an answer");
            assert!(count > 0, "{method} {path}: {}", String::from_utf8_lossy(&bytes));
            bytes.extend_from_slice(&part[..count]);
        }
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let value = self.call("POST", &format!("/session/{}{path}", self.session), body);
        assert!(value["error"].is_null(), "{path} {body}: {value}");
        value
    }

    fn get(&self, path: &str) -> Value {
        self.call("GET", &format!("/session/{}{path}", self.session), &Value::Null)
    }

    pub(crate) fn open(&self, url: &str) {
        self.post("/url", &json!({"url": url}));
    }

    pub(crate) fn url(&self) -> String {
        self.get("/url").as_str().unwrap_or("").to_owned()
    }

    /// The value of a script.
    pub(crate) fn eval(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": format!("return {script}"), "args": []}))
    }

    /// Waits until a script is true.
    pub(crate) fn wait(&self, script: &str) {
        let since = Instant::now();
        while self.eval(script) != json!(true) {
            let waited = since.elapsed();
            if waited > PATIENCE {
                let text = self.eval("document.body.innerText");
                panic!("{script} does not come true at {}: {text}", self.url());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn element(&self, css: &str) -> String {
        let found = self.post("/element", &json!({"using": "css selector", "value": css}));
        found[ELEMENT].as_str().unwrap_or_else(|| panic!("{css}: {found}")).to_owned()
    }

    pub(crate) fn click(&self, css: &str) {
        let element = self.element(css);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Replaces what stands in a field.
    pub(crate) fn fill(&self, css: &str, text: &str) {
        let element = self.element(css);
        self.post(&format!("/element/{element}/clear"), &json!({}));
        self.post(&format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Gives a file to a field that takes one.
    pub(crate) fn choose_file(&self, css: &str, path: &Path) {
        let element = self.element(css);
        let path = path.canonicalize().expect("a file");
        let text = path.to_string_lossy();
        self.post(&format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Presses keys where the focus is.
    pub(crate) fn keys(&self, keys: &str) {
        let press = |key: char| {
            [
                json!({"type": "keyDown", "value": key.to_string()}),
                json!({"type": "keyUp", "value": key.to_string()}),
            ]
        };
        let actions: Vec<Value> = keys.chars().flat_map(press).collect();
        self.post(
            "/actions",
            &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}),
        );
    }

    /// Drags from one point of the window to another.
    pub(crate) fn drag(&self, from: (i64, i64), to: (i64, i64)) {
        let at = |(x, y): (i64, i64)| json!({"type": "pointerMove", "duration": 30, "x": x, "y": y, "origin": "viewport"});
        let between = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let actions = [
            at(from),
            json!({"type": "pointerDown", "button": 0}),
            at(between),
            at(to),
            json!({"type": "pointerUp", "button": 0}),
        ];
        self.post("/actions", &json!({"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions,
        }]}));
    }

    /// The middle of a square of the board, in the window.
    pub(crate) fn square(&self, name: &str) -> (i64, i64) {
        let file = i64::from(name.as_bytes()[0] - b'a');
        let rank = i64::from(name.as_bytes()[1] - b'1');
        let edge = |what: &str| {
            let script = format!(
                "Math.round(document.querySelector('#board svg.board').getBoundingClientRect().{what})"
            );
            self.eval(&script).as_i64().expect("a number")
        };
        let (left, top, side) = (edge("left"), edge("top"), edge("width"));
        (left + side * (2 * file + 1) / 16, top + side * (15 - 2 * rank) / 16)
    }

    /// The middle of an element, in the window.
    pub(crate) fn middle(&self, css: &str) -> (i64, i64) {
        let part = |side: &str, size: &str| {
            let script = format!(
                "(b => Math.round(b.{side} + b.{size} / 2))(document.querySelector('{css}').getBoundingClientRect())"
            );
            self.eval(&script).as_i64().expect("a number")
        };
        (part("left", "width"), part("top", "height"))
    }

    pub(crate) fn size(&self, width: u32, height: u32) {
        // The window of a headless browser may not be smaller than some size; the emulated device may.
        let metrics = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500,
        }});
        self.post("/goog/cdp/execute", &metrics);
    }

    /// Keeps pictures of the page at two widths in both themes, and checks that nothing is wider than the window and
    /// that no script failed.
    pub(crate) fn picture(&self, name: &str) {
        for (width, height) in [(1280, 900), (360, 740)] {
            self.size(width, height);
            for theme in ["light", "dark"] {
                self.eval(&format!("document.documentElement.dataset.theme = '{theme}'"));
                let shot = self.get("/screenshot");
                let bytes = base64(shot.as_str().expect("a picture"));
                let file = self.folder.join(format!("{name}-{width}-{theme}.png"));
                std::fs::write(&file, bytes).expect("a file");
            }
            let wide = self.eval("document.documentElement.scrollWidth").as_u64().expect("a width");
            assert!(wide <= u64::from(width), "{name} is {wide} wide in a window of {width}");
        }
        self.size(1280, 900);
        let log = self.post("/se/log", &json!({"type": "browser"}));
        let severe: Vec<&Value> = log
            .as_array()
            .into_iter()
            .flatten()
            .filter(|entry| entry["level"] == "SEVERE")
            .collect();
        assert!(severe.is_empty(), "{name}: {severe:?}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.call("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Bytes of a text in base 64.
fn base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let sextets: Vec<u32> = text.bytes().filter_map(value).map(u32::from).collect();
    let mut bytes = vec![];
    for part in sextets.chunks(4) {
        let sum = part.iter().fold(0, |sum, sextet| (sum << 6) | sextet) << (6 * (4 - part.len()));
        let all = [(sum >> 16) as u8, (sum >> 8) as u8, sum as u8];
        bytes.extend_from_slice(&all[..part.len() - 1]);
    }
    bytes
}
