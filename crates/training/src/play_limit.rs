//! Limits of the moves in a self-play game: nodes for each move, or a game clock in nodes.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Limit of the moves of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayLimit {
    /// Number of nodes of a move after which no iteration starts.
    Nodes(u64),
    /// A clock on which nodes stand for time, so that games do not depend on the speed of the
    /// machine. A player without time moves at once.
    Clock {
        /// Time at the start, at least a millisecond.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
        /// Number of nodes that stand for a millisecond, at least 1.
        nodes_per_ms: u32,
    },
}

/// Writes the number of nodes, or the clock in the form that `FromStr` reads.
impl fmt::Display for PlayLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes}"),
            Self::Clock { base, increment, nodes_per_ms } => {
                write!(f, "{}+{}@{nodes_per_ms}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// Error of a text that is not a game clock in nodes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a game clock in nodes: expected SECONDS+INCREMENT@NODES, such as 8+0.08@60 (60 nodes per millisecond)"
)]
pub struct PlayLimitError(String);

/// Parses a clock, such as `8+0.08@60`: eight seconds at the start, 0.08 after each move, 60 nodes
/// a millisecond.
impl FromStr for PlayLimit {
    type Err = PlayLimitError;

    fn from_str(text: &str) -> Result<Self, PlayLimitError> {
        let wrong = || PlayLimitError(text.to_owned());
        let (clock, nodes) = text.split_once('@').ok_or_else(wrong)?;
        let (base, increment) = clock.split_once('+').unwrap_or((clock, "0"));
        // A day is more than any game needs.
        let seconds = |text: &str| {
            let seconds = text.parse::<f64>().ok().filter(|it| (0.0..=86_400.0).contains(it));
            seconds.map(|it| Duration::from_millis((it * 1_000.0).round() as u64))
        };
        let base = seconds(base).filter(|base| !base.is_zero()).ok_or_else(wrong)?;
        let increment = seconds(increment).ok_or_else(wrong)?;
        let nodes = nodes.parse().ok().filter(|nodes| (1..=10_000).contains(nodes));
        Ok(Self::Clock { base, increment, nodes_per_ms: nodes.ok_or_else(wrong)? })
    }
}

#[cfg(test)]
mod tests {
    use super::PlayLimit;
    use std::time::Duration;

    #[test]
    fn clocks_are_written_as_they_are_read_and_others_are_refused() {
        let limit: PlayLimit = "8+0.08@60".parse().unwrap();
        let (base, increment) = (Duration::from_secs(8), Duration::from_millis(80));
        assert_eq!(limit, PlayLimit::Clock { base, increment, nodes_per_ms: 60 });
        assert_eq!(limit.to_string(), "8+0.08@60");
        assert_eq!("1@5".parse::<PlayLimit>().unwrap().to_string(), "1+0@5");
        for wrong in ["8+0.08", "0@60", "8+@60", "8+0.08@0", "8+0.08@x", "-1@60", "NaN@60"] {
            let why = wrong.parse::<PlayLimit>().unwrap_err().to_string();
            assert!(why.contains(wrong) && why.contains("8+0.08@60"), "{why}");
        }
    }
}
