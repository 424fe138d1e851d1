//! Any request to the local page: it is answered by HTTP, never with an internal error, and the page goes on.
//!
//! The first line of an input is a method and an address, the others are the body of a request from an own page. An input
//! that begins with `!` is sent as it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::runtime::Runtime;
use umbrail::session::Options;

use umbrail_page::{LocalPage, Serve};

const HOST: &str = "127.0.0.1:8642";
/// Bytes in the pipe between the target and the page.
const PIPE_BYTES: usize = 1 << 16;
/// Bytes of an answer that are looked at.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// Longer than any limit of a page.
const PATIENCE: Duration = Duration::from_secs(60);

struct World {
    runtime: Runtime,
    page: LocalPage,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("umbrail-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let lab = folder.join("lab");
        let help = &[];
        let wish = Serve { port: 8642, folder, open: false, listen: None, token: None, lab, help };
        let bound: SocketAddr = HOST.parse().expect("an address");
        let mut options = Options::default();
        options.search.hash_mib = 1;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let page = LocalPage::open(&wish, bound, None, &options).expect("a page");
        World { runtime: runtime.expect("a runtime"), page }
    })
}

/// The bytes of a request.
fn request(input: &[u8]) -> Vec<u8> {
    if let Some(raw) = input.strip_prefix(b"!") {
        return raw.to_vec();
    }
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (line, body) = (&input[..end], input.get(end + 1..).unwrap_or(&[]));
    let head = format!(
        " HTTP/1.1\r\nHost: {HOST}\r\nOrigin: http://{HOST}\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [line, head.as_bytes(), body].concat()
}

fuzz_target!(|input: &[u8]| {
    let World { runtime, page } = world();
    let is_own = input.first() != Some(&b'!');
    let bytes = request(input);
    let answer = runtime.block_on(async {
        let (mut near, far) = duplex(PIPE_BYTES);
        tokio::spawn(page.clone().converse(far));
        let talk = async {
            let _ = near.write_all(&bytes).await;
            if !is_own {
                // Without an end of its own it would wait for the rest.
                let _ = near.shutdown().await;
            }
            let (mut answer, mut part) = (vec![], vec![0; PIPE_BYTES]);
            while answer.len() < ANSWER_BYTES_MAX {
                match near.read(&mut part).await {
                    Ok(count @ 1..) => answer.extend_from_slice(&part[..count]),
                    _ => break,
                }
                // An event stream has no end of its own; it ends when its reader is dropped.
                if String::from_utf8_lossy(&answer).contains("text/event-stream") {
                    break;
                }
            }
            answer
        };
        let answer = tokio::time::timeout(PATIENCE, talk).await;
        // Runs that a request has begun would go on.
        page.close().await;
        answer.expect("an answer in time")
    });
    let text = String::from_utf8_lossy(&answer);
    let status = text.split(' ').nth(1).and_then(|code| code.parse::<u16>().ok());
    if let Some(status) = status {
        // 1.0 to a client that says so; 100 to one that asks whether its body is wanted.
        assert!(text.starts_with("HTTP/1.1 ") || text.starts_with("HTTP/1.0 "), "{text}");
        assert!((100..500).contains(&status) || status == 503, "{status}: {text}");
    }
    assert!(status.is_some() || !is_own || !input.starts_with(b"GET /"), "no answer: {text}");
    // In JSON it is data, and said to be.
    assert!(!text.contains("text/html") || !text.contains("<script>alert"), "{text}");
});
