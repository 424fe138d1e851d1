//! Opens the page in the user's browser.

use std::process::{Command, Stdio};

/// Has the system open an address. A system without a browser opens nothing; the address is printed in any case.
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
        // The child is reaped by a thread that ends with it.
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}
