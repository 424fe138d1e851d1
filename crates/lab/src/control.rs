//! Under which control a match is played, and which hypotheses it tests.

use super::error::LabError;

/// Time or nodes, length, hypotheses.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Control {
    /// How it is called in the table.
    pub(super) name: String,
    pub(super) pace: Pace,
    /// Games, an even number: each opening is played with both colors.
    pub(super) games: u32,
    /// The two hypotheses, in Elo.
    pub(super) elo: (f64, f64),
}

/// What a side has.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pace {
    /// A clock, as fastchess writes it.
    Clock(String),
    /// Positions for each move.
    Nodes(u64),
    /// A clock on which nodes stand for time, only for games inside this process.
    Counted(umbrail_training::PlayLimit),
}

impl Control {
    /// Reads `blitz`, `rapid`, `nodes=N`, a clock such as `8+0.08`, or one that counts nodes such as `8+0.08@60`.
    ///
    /// # Errors
    /// It is none of these.
    pub(super) fn read(text: &str, games: Option<u32>) -> Result<Self, LabError> {
        let (name, pace, usual, elo) = match text {
            "blitz" => ("blitz", Pace::Clock("10+0.1".to_owned()), 300, (0.0, 6.0)),
            "rapid" => ("rapid", Pace::Clock("60+0.6".to_owned()), 250, (0.0, 4.0)),
            _ => {
                let pace = match text.strip_prefix("nodes=").map(str::parse) {
                    Some(Ok(nodes)) if nodes > 0 => Pace::Nodes(nodes),
                    None if is_clock(text) => Pace::Clock(text.to_owned()),
                    None if text.contains('@') => Pace::Counted(text.parse()?),
                    _ => {
                        let expected = "blitz, rapid, nodes=N or a clock such as 8+0.08";
                        return Err(LabError::option("--control", expected, text));
                    }
                };
                (text, pace, 1_000, (0.0, 10.0))
            }
        };
        let games = games.unwrap_or(usual).max(2).next_multiple_of(2);
        Ok(Self { name: name.to_owned(), pace, games, elo })
    }

    /// The words for fastchess.
    pub(super) fn words(&self) -> Vec<String> {
        match &self.pace {
            Pace::Clock(clock) => vec![format!("tc={clock}")],
            Pace::Nodes(nodes) => vec!["tc=inf".to_owned(), format!("nodes={nodes}")],
            // `Workbench::controls` refuses it where fastchess plays.
            Pace::Counted(_) => vec![],
        }
    }
}

/// `[moves/]seconds[+increment]`, seconds perhaps as minutes:seconds.
fn is_clock(text: &str) -> bool {
    let rest = text.split_once('/').map_or(text, |(_, rest)| rest);
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let number = |text: &str| {
        text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0 && seconds.is_finite())
    };
    let base: Option<Vec<f64>> = base.split(':').map(number).collect();
    let increment = number(increment);
    base.is_some_and(|base| base.iter().chain(&increment).any(|seconds| *seconds > 0.0))
        && increment.is_some()
}

#[cfg(test)]
mod tests {
    use super::{Control, Pace};

    #[test]
    fn presets_carry_the_settings_of_the_plan() {
        let blitz = Control::read("blitz", None).unwrap();
        assert_eq!((blitz.games, blitz.elo), (300, (0.0, 6.0)));
        assert_eq!(blitz.words(), ["tc=10+0.1"]);
        let rapid = Control::read("rapid", None).unwrap();
        assert_eq!(
            (rapid.games, rapid.elo, rapid.words()),
            (250, (0.0, 4.0), vec!["tc=60+0.6".into()])
        );
    }

    #[test]
    fn own_controls_are_read_and_nonsense_is_named() {
        let nodes = Control::read("nodes=5000", Some(7)).unwrap();
        assert_eq!((nodes.pace.clone(), nodes.games), (Pace::Nodes(5_000), 8));
        assert_eq!(nodes.words(), ["tc=inf", "nodes=5000"]);
        for clock in ["1+0.01", "40/60", "2:30+1", "5"] {
            assert!(Control::read(clock, None).is_ok(), "{clock}");
        }
        for text in ["fast", "nodes=many", "nodes=0", "0+0", "1+", ""] {
            assert!(
                Control::read(text, None).unwrap_err().to_string().contains("--control"),
                "{text}"
            );
        }
    }
}
