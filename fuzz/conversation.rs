//! Conversation for the fuzzer: lines in, all output out. Jobs are not run: the targets are the state
//! machine and the dialect.

use std::time::Instant;
use umbrail::protocol::{Dialect, tidy};
use umbrail::session::{Command, Effect, Options, Play};

/// Sends these lines, and a last one; returns the output.
pub fn run(mut dialect: Box<dyn Dialect>, bytes: &[u8], last: &str) -> String {
    let mut options = Options::default();
    options.search.hash_mib = 1;
    let mut session = umbrail::tasks::session(options);
    let mut printed = String::new();
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().chain([last]) {
        let line = tidy(line);
        let commands = match dialect.parse(line) {
            Ok(commands) => commands,
            Err(why) => {
                dialect.complain(line, &why, &mut printed);
                continue;
            }
        };
        for command in commands {
            if is_costly(&command) {
                continue;
            }
            for effect in session.command(command, Instant::now()) {
                if let Effect::Write(event) = effect {
                    dialect.write(&event, &mut printed);
                }
            }
        }
    }
    printed
}

/// Allocates as much as it is told to; that is no fault.
fn is_costly(command: &Command) -> bool {
    match command {
        Command::SetOption { name, .. } => name.trim().eq_ignore_ascii_case("hash"),
        Command::Play(Play::Memory(_)) => true,
        _ => false,
    }
}
