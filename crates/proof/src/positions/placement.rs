//! Boards with fairy pieces, as FENs have them.

use super::fairy_game::FairyGame;
use super::fairy_problem::{FairyProblem, PieceName, PlacedMan};
use super::piece_words::NEUTRAL_LETTERS;
use umbrail_chess::geometry::Setup;

/// Letters that mean an orthodox piece; S is a knight in many problems.
const ORTHODOX: &str = "KQRBNPS";

/// Letter of a man of which a problem leaves open what it is.
const OPEN: char = 'X';

/// Letters of pieces in the diagrams of one problem.
struct Letters(Vec<(char, PieceName)>);

impl Letters {
    /// Returns the letters that a problem states, and those of its other pieces: the first free one of the name, in
    /// the order of the diagrams at the end and at the start.
    fn of(problem: &FairyProblem) -> Self {
        let mut letters = Self(problem.letters.clone());
        for man in problem.target.iter().chain(problem.start.men.iter().flatten()) {
            letters.letter(man.piece);
        }
        letters
    }

    fn letter(&mut self, piece: PieceName) -> char {
        if let Some((letter, _)) = self.0.iter().find(|(_, other)| *other == piece) {
            return *letter;
        }
        let letter = match piece {
            PieceName::Standard(role) => role.letter(),
            PieceName::Any | PieceName::Anything => OPEN,
            PieceName::Neutral(_) | PieceName::NeutralFairy(_) => {
                let is_free = |letter: &char| {
                    !self.0.iter().any(|(other, _)| other.eq_ignore_ascii_case(letter))
                };
                NEUTRAL_LETTERS.into_iter().find(is_free).unwrap_or(OPEN)
            }
            PieceName::Fairy(name) => {
                let is_free = |letter: &char| {
                    let taken = self.0.iter().any(|(other, _)| other.eq_ignore_ascii_case(letter));
                    !taken && *letter != OPEN && !ORTHODOX.contains(*letter)
                };
                let of_name = name.chars().filter(char::is_ascii_alphabetic);
                let mut offered = of_name.map(|c| c.to_ascii_uppercase()).chain('A'..='Z');
                offered.find(is_free).unwrap_or(OPEN)
            }
        };
        self.0.push((letter, piece));
        letter
    }

    fn setup(&mut self, men: &[PlacedMan]) -> Setup {
        let mut setup = Setup::default();
        setup.clear_board();
        for man in men {
            setup.put(man.square, man.color, self.letter(man.piece));
        }
        setup
    }
}

impl FairyProblem {
    /// Returns the men of a diagram of this problem as a FEN has them.
    pub(super) fn setup_of(&self, men: &[PlacedMan]) -> Setup {
        Letters::of(self).setup(men)
    }

    /// Returns the placement at the end.
    pub fn target_setup(&self) -> Setup {
        self.setup_of(&self.target)
    }

    /// Returns the meanings of the letters of its diagrams other than those of chess, as [`PieceName::assigned`] reads
    /// them: `G=grasshopper`.
    pub fn letter_words(&self) -> Vec<String> {
        let word = |(letter, piece): (char, PieceName)| match piece {
            PieceName::Standard(role) => {
                let is_usual = role.letter() == letter;
                (!is_usual).then(|| format!("{letter}={}", format!("{role:?}").to_lowercase()))
            }
            PieceName::Fairy(name) => Some(format!("{letter}={name}")),
            PieceName::Neutral(_) | PieceName::NeutralFairy(_) => {
                Some(format!("{letter}={}", piece.word()))
            }
            PieceName::Any => Some(format!("{letter}=any")),
            PieceName::Anything => Some(format!("{letter}=anything")),
        };
        Letters::of(self).0.into_iter().filter_map(word).collect()
    }

    /// Returns the placements of a game, before its first move and after each move. Boards of Alice Chess are not
    /// distinguished.
    pub fn placements(&self, game: &FairyGame) -> Vec<String> {
        let mut letters = Letters::of(self);
        game.boards.iter().map(|men| letters.setup(men).placement()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::men_of;

    #[test]
    fn pieces_have_the_letters_of_the_problem_or_free_ones() {
        let names = |word: &str| PieceName::named(word).unwrap();
        let given = vec![('G', names("grasshopper")), ('N', names("nightrider"))];
        let text = "4k3/2g5/8/3N4/8/8/8/4K1G1";
        let setup: Setup = text.parse().unwrap();
        let men = men_of(&setup, &given, Default::default()).unwrap();
        assert_eq!(Letters(given).setup(&men).placement(), text);
        // A nightrider is no knight.
        let mut own = Letters(vec![]);
        assert_eq!(own.setup(&men).placement(), "4k3/2g5/8/3I4/8/8/8/4K1G1");
        assert_eq!(own.letter(names("gnu")), 'U');
    }
}
