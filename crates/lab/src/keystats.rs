//! The key statistics of an arm: what `bench` prints with its options set.

use super::engine_match::Side;
use super::error::LabError;
use serde::Deserialize;
use std::process::Command;

/// Figures of the benchmark. Older versions name them without the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Keys {
    /// Probes of the transposition table that found an entry, per cent.
    #[serde(rename = "tt_hit_percent", alias = "tt_hit")]
    pub(super) tt_hit: f64,
    /// Nodes that failed high, per cent.
    #[serde(rename = "fail_high_percent", alias = "fail_high")]
    pub(super) fail_high: f64,
    /// Of these, by their first move, per cent.
    #[serde(rename = "first_fail_high_percent", alias = "first_fail_high")]
    pub(super) first_fail_high: f64,
    /// Searches of the root that were repeated, in a hundred iterations; none from versions that do not count them.
    #[serde(rename = "researches_percent", alias = "researches")]
    pub(super) researches: Option<f64>,
    /// Positions per second.
    pub(super) nps: f64,
}

/// Runs the benchmark of a side with its options; the size of its table stays that of the benchmark.
pub(super) fn measure(side: &Side) -> Result<Keys, LabError> {
    let mut bench = Command::new(&side.command);
    bench.args(["bench", "--json"]);
    for (name, value) in side.options.iter().filter(|(name, _)| name != "Hash" && name != "Threads")
    {
        bench.args(["--set", &format!("{name}={value}")]);
    }
    let output = bench.output().map_err(LabError::at(&side.command))?;
    let text = String::from_utf8_lossy(&output.stdout);
    read(&text).ok_or_else(|| LabError::NoBench(side.command.clone()))
}

/// Reads the end record.
fn read(text: &str) -> Option<Keys> {
    let record = text.lines().rev().find(|line| line.contains("\"t\":\"end\""))?;
    serde_json::from_str(record).ok()
}

#[cfg(test)]
mod tests {
    use super::{Keys, read};

    #[test]
    fn the_end_record_is_read() {
        let text = "{\"t\":\"position\",\"nodes\":5}\n{\"t\":\"end\",\"nodes\":9,\"ms\":1,\"nps\":1200,\
            \"tt_hit\":31.50,\"fail_high\":60.25,\"first_fail_high\":88.00,\"complete\":true}\n";
        let keys = Keys {
            tt_hit: 31.5,
            fail_high: 60.25,
            first_fail_high: 88.0,
            researches: None,
            nps: 1200.0,
        };
        assert_eq!(read(text), Some(keys));
        let text = text.replace("88.00,", "88.00,\"researches\":12.50,");
        assert_eq!(read(&text), Some(Keys { researches: Some(12.5), ..keys }));
        let text = "{\"t\":\"end\",\"nodes\":9,\"elapsed_ms\":1,\"nps\":1200,\"tt_hit_percent\":31.5,\
            \"fail_high_percent\":60.25,\"first_fail_high_percent\":88.0,\"researches_percent\":12.5,\
            \"status\":\"complete\"}";
        assert_eq!(read(text), Some(Keys { researches: Some(12.5), ..keys }));
        assert_eq!(read("185841 nodes"), None);
    }
}
