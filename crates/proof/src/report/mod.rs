//! Reports: solutions and strategies as text, PGN, LaTeX and HTML.
//!
//! Writers return text; printing and saving is up to the caller. [`EXPORTS`] lists the formats of whole files.

pub mod cooks;
mod credits;
mod export;
mod html;
mod latex;
mod pgn;
mod solved;
pub mod text;
mod themes;
mod verdict;
mod wording;

pub use credits::Credits;
pub use export::{EXPORTS, Export};
pub use solved::SolvedProblem;
pub(crate) use solved::{ExportedGame, ExportedMan, ExportedPiece, counts_of};
pub use themes::{Theme, themes};
pub use verdict::{ProblemVerdict, Verdict};
pub(crate) use wording::{Wording, side};

use crate::run::RunReport;
use umbrail_chess::{Move, Position};

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// `Sg1-f3`, not `Sf3`.
    pub long: bool,
    /// The letter of knights.
    pub knight: char,
}

impl Default for Notation {
    fn default() -> Self {
        Self { long: false, knight: 'S' }
    }
}

impl Notation {
    /// A game so written.
    pub fn write(self, game: &[Move]) -> String {
        self.write_from(&Position::startpos(), game)
    }

    /// A game from any position so written.
    pub fn write_from(self, start: &Position, game: &[Move]) -> String {
        match self.long {
            true => text::long_from(start, game, self.knight),
            false => text::numbered_from(start, game, self.knight),
        }
    }
}

/// Length as problemists write it: `23.0`, `16.5`.
pub fn length(plies: usize) -> String {
    format!("{}.{}", plies / 2, plies % 2 * 5)
}

/// The statement that a game is shorter than the stated length, both in half-moves.
pub fn not_the_shortest(plies: usize, stated: u16) -> String {
    let (short, stated) = (length(plies), length(usize::from(stated)));
    format!("a game of {short} moves exists, so {stated} is not the shortest length")
}

/// The numbers of strategies, the first of which is the sum of the others: `44 enumerated: 7 refuted by analysis, 37
/// searched`.
pub fn counts(report: &RunReport) -> String {
    let counts = &report.counts;
    let known = counts.searched + counts.dropped + counts.filtered;
    let rest = counts.unrefuted.saturating_sub(known);
    let open = counts.enumerated.saturating_sub(counts.refuted + counts.unrefuted);
    let (counted, open) = if report.counted_only { (rest, open) } else { (0, open + rest) };
    let numbers = [
        (counts.dropped, "dropped"),
        (counts.filtered, "excluded by the condition"),
        (counted, "left to be searched"),
        (open, "not looked at"),
    ];
    let mut text =
        format!("{} enumerated: {} refuted by analysis", counts.enumerated, counts.refuted);
    if !report.counted_only || counts.searched > 0 {
        text += &format!(", {} searched", counts.searched);
    }
    for (number, what) in numbers.into_iter().filter(|(number, _)| *number > 0) {
        text += &format!(", {number} {what}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunCounts;

    #[test]
    fn the_numbers_of_strategies_add_up() {
        let counts = RunCounts {
            enumerated: 44,
            refuted: 7,
            unrefuted: 36,
            searched: 30,
            dropped: 2,
            filtered: 3,
            ..RunCounts::default()
        };
        let report = RunReport { counts, ..RunReport::default() };
        let text = super::counts(&report);
        assert_eq!(
            text,
            "44 enumerated: 7 refuted by analysis, 30 searched, 2 dropped, 3 excluded by the condition, 2 not looked at"
        );
        let numbers: Vec<u64> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>());
    }
}
