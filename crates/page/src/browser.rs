//! Opens the page in the user's browser.

use std::process::{Command, Stdio};

/// Opens an address in the system's browser. Without a browser it does nothing; the address is
/// always printed.
pub(super) fn open(url: &str) {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // A separate thread reaps the child.
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}
