//! The key statistics of an arm: what `bench` prints with the option set.

use std::path::Path;
use std::process::Command;

/// Per cent, and positions per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Keys {
    pub(super) tt_hit: f64,
    pub(super) fail_high: f64,
    pub(super) first_fail_high: f64,
    pub(super) nps: f64,
}

/// Runs the benchmark of a program, with an experiment on or without.
pub(super) fn measure(command: &Path, option: Option<&str>) -> Result<Keys, String> {
    let mut bench = Command::new(command);
    bench.args(["bench", "--json"]);
    if let Some(option) = option {
        bench.args(["--set", &format!("{option}=true")]);
    }
    let output = bench.output().map_err(|error| format!("{}: {error}", command.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    read(&text).ok_or_else(|| format!("{} bench --json printed no end record", command.display()))
}

/// Reads the end record.
fn read(text: &str) -> Option<Keys> {
    let record = text.lines().rev().find(|line| line.contains("\"t\":\"end\""))?;
    let field = |name: &str| -> Option<f64> {
        let (_, rest) = record.split_once(&format!("\"{name}\":"))?;
        rest.split([',', '}']).next()?.parse().ok()
    };
    Some(Keys {
        tt_hit: field("tt_hit")?,
        fail_high: field("fail_high")?,
        first_fail_high: field("first_fail_high")?,
        nps: field("nps")?,
    })
}

#[cfg(test)]
mod tests {
    use super::{Keys, read};

    #[test]
    fn the_end_record_is_read() {
        let text = "{\"t\":\"position\",\"nodes\":5}\n{\"t\":\"end\",\"nodes\":9,\"ms\":1,\"nps\":1200,\
            \"tt_hit\":31.50,\"fail_high\":60.25,\"first_fail_high\":88.00,\"complete\":true}\n";
        let keys = Keys { tt_hit: 31.5, fail_high: 60.25, first_fail_high: 88.0, nps: 1200.0 };
        assert_eq!(read(text), Some(keys));
        assert_eq!(read("185841 nodes"), None);
    }
}
