//! The report of fastchess at the end of a match.

/// The numbers of its last result block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// Logistic Elo and the half width of its 95 % interval.
    pub(super) elo: f64,
    pub(super) error: f64,
    /// Likelihood that DEV is the stronger one, per cent.
    pub(super) los: f64,
    pub(super) games: u32,
    pub(super) wins: u32,
    pub(super) losses: u32,
    pub(super) draws: u32,
    /// Pairs by points: 0, ½, 1, 1½, 2.
    pub(super) pairs: [u32; 5],
    /// Log-likelihood ratio of the sequential test, if one ran.
    pub(super) llr: Option<f64>,
}

impl Outcome {
    /// Reads the last block; none when there is none.
    pub(super) fn read(said: &str) -> Option<Self> {
        let at = said
            .rfind("\nResults of ")
            .map(|at| at + 1)
            .or_else(|| said.starts_with("Results of ").then_some(0))?;
        let mut outcome = Self::default();
        for line in said[at..].lines() {
            if let Some(rest) = line.strip_prefix("Elo: ") {
                let mut numbers = rest.split(',').next()?.split(" +/- ");
                outcome.elo = number(numbers.next()?)?;
                outcome.error = number(numbers.next()?)?;
            } else if let Some(rest) = line.strip_prefix("LOS: ") {
                outcome.los = number(rest.split(' ').next()?)?;
            } else if line.starts_with("Games: ") {
                let field = |name: &str| -> Option<u32> {
                    let (_, rest) = line.split_once(name)?;
                    rest.split([',', ' ']).next()?.parse().ok()
                };
                outcome.games = field("Games: ")?;
                outcome.wins = field("Wins: ")?;
                outcome.losses = field("Losses: ")?;
                outcome.draws = field("Draws: ")?;
            } else if let Some(rest) = line.strip_prefix("Ptnml(0-2): [") {
                let counts = rest.split(']').next()?.split(", ").map(|n| n.parse().ok());
                let counts: Vec<u32> = counts.collect::<Option<_>>()?;
                outcome.pairs = counts.try_into().ok()?;
            } else if let Some(rest) = line.strip_prefix("LLR: ") {
                outcome.llr = rest.split(' ').next().and_then(number);
            }
        }
        (outcome.games > 0).then_some(outcome)
    }
}

/// A number; fastchess writes `inf` and `nan` where it cannot tell.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    const SAID: &str = "Started game 1\nResults of A vs B (1000 nodes, 1t, 4MB, book):\n\
        Elo: 1.00 +/- 99.00, nElo: 1.00 +/- 99.00\nGames: 2, Wins: 1, Losses: 1, Draws: 0, Points: 1.0\n\
        Finished game 128\nResults of A vs B (1000 nodes, 1t, 4MB, book):\n\
        Elo: 82.97 +/- 64.53, nElo: 81.45 +/- 60.19\n\
        LOS: 99.60 %, DrawRatio: 32.81 %, PairsRatio: 2.07\n\
        Games: 128, Wins: 74, Losses: 44, Draws: 10, Points: 79.0 (61.72 %)\n\
        Ptnml(0-2): [9, 5, 21, 5, 24], WL/DD Ratio: inf\n\
        LLR: 3.07 (104.3%) (-2.94, 2.94) [0.00, 60.00]\n";

    #[test]
    fn the_last_block_counts() {
        let outcome = Outcome::read(SAID).unwrap();
        assert_eq!((outcome.elo, outcome.error, outcome.los), (82.97, 64.53, 99.6));
        assert_eq!((outcome.games, outcome.wins, outcome.losses, outcome.draws), (128, 74, 44, 10));
        assert_eq!((outcome.pairs, outcome.llr), ([9, 5, 21, 5, 24], Some(3.07)));
        assert_eq!(Outcome::read("nothing"), None);
    }

    #[test]
    fn what_cannot_be_told_is_read_all_the_same() {
        let said = "Results of A vs B:\nElo: inf +/- nan, nElo: inf +/- nan\n\
            LOS: 100.00 %, DrawRatio: 0 %\nGames: 2, Wins: 2, Losses: 0, Draws: 0, Points: 2.0\n";
        let outcome = Outcome::read(said).unwrap();
        assert!(outcome.elo.is_infinite() && outcome.error.is_nan());
    }
}
