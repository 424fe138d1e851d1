//! Play under the rules of a game, without tables: positions and moves as a GUI gives them, and the
//! end of a game.

use super::definition::BareRoyal;
use super::material::{GameMaterial, GameMaterialError};
use super::position::{
    GameMan, GameMove, GameMoves, GamePosition, GamePositionError, after, is_bare,
};
use crate::grid::SquareSet;
use umbrail_chess::geometry::Color;

/// Maximum number of placements that are tried for an example.
const EXAMPLES_MAX: usize = 4096;

/// Reason why a move of a game is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalGameMove {
    /// The royal could be captured.
    #[error("it leaves the royal en prise")]
    EnPrise,
    /// The text is not a move.
    #[error("expected a move such as e2e4")]
    Syntax,
    /// The piece does not move like that.
    #[error("the {letter} on {from} cannot go there")]
    Unreachable {
        /// Letter of the piece.
        letter: char,
        /// Square of the piece.
        from: String,
    },
    /// The square is empty, or a piece of the other side stands there.
    #[error("no piece of {color} stands on {from}")]
    NoPiece {
        /// Side to move.
        color: Color,
        /// Square.
        from: String,
    },
    /// The move promotes, and the new piece is not given.
    #[error("the letter of the new piece is missing, one of {0}")]
    Promotion(String),
}

/// Reason why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEndReason {
    /// The side to move is in check and has no legal move.
    Mate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// A side has only its royal, and the rules end the game then.
    Bared,
    /// Only the royals are left.
    RoyalsOnly,
}

/// End of a game by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Side that has won; none for a draw.
    pub winner: Option<Color>,
    /// Reason.
    pub reason: GameEndReason,
}

impl GameMoves {
    /// Reads a position; each side has one royal with this letter.
    ///
    /// # Errors
    /// [`GamePositionError`] when the text is not a legal position of the game.
    pub fn position(
        &self,
        fen: &str,
        royals: [char; 2],
    ) -> Result<GamePosition, GamePositionError> {
        let number = |letter| {
            let number = self.game.number(letter);
            number.ok_or_else(|| GamePositionError::Letter(letter, self.game.name.clone()))
        };
        self.read(fen, [number(royals[0])?, number(royals[1])?])
    }

    /// Returns the material of a position.
    ///
    /// # Errors
    /// [`GameMaterialError`] when no table can have it.
    pub fn material(&self, position: &GamePosition) -> Result<GameMaterial, GameMaterialError> {
        // The royals are first.
        let side = |color| {
            let men = position.men.iter().filter(|man| man.color == color);
            men.map(|man| man.kind).collect()
        };
        GameMaterial::of(Color::ALL.map(side), &self.game)
    }

    /// Returns the position after a move.
    pub fn after(&self, position: &GamePosition, mv: &GameMove) -> GamePosition {
        after(position, mv)
    }

    /// Reads a move in coordinates. A missing letter of promotion means the only piece that is
    /// possible; `=` at the end means that the piece stays as it is.
    ///
    /// # Errors
    /// [`IllegalGameMove`] with the reason.
    pub fn read_move(
        &self,
        position: &GamePosition,
        text: &str,
    ) -> Result<GameMove, IllegalGameMove> {
        let given = text.trim().to_ascii_lowercase();
        let (given, stays) = match given.strip_suffix('=') {
            Some(plain) => (plain, true),
            None => (&*given, false),
        };
        let moves = self.legal(position);
        if let Some(mv) = moves.iter().find(|mv| self.name(mv) == given) {
            return Ok(*mv);
        }
        let plain = |mv: &GameMove| self.name(&GameMove { becomes: None, ..*mv });
        let mut promotions = moves.iter().filter(|mv| !stays && plain(mv) == given);
        match (promotions.next(), promotions.next()) {
            (Some(only), None) => return Ok(*only),
            (Some(_), Some(_)) => {
                let letters = moves.iter().filter(|mv| plain(mv) == given);
                let letter = |kind: u8| self.game.pieces[usize::from(kind)].letter;
                let letters = letters.filter_map(|mv| mv.becomes.map(letter)).collect();
                return Err(IllegalGameMove::Promotion(letters));
            }
            _ => {}
        }
        if self.pseudo(position).iter().any(|mv| self.name(mv) == given || plain(mv) == given) {
            return Err(IllegalGameMove::EnPrise);
        }
        self.refusal(position, given)
    }

    fn refusal(&self, position: &GamePosition, given: &str) -> Result<GameMove, IllegalGameMove> {
        let digits =
            given.get(1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
        let from = given.get(..1 + digits).unwrap_or_default();
        let rest = given.get(1 + digits..).unwrap_or_default();
        let Ok(square) = self.game.grid.square(from) else { return Err(IllegalGameMove::Syntax) };
        if !rest.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(IllegalGameMove::Syntax);
        }
        let from = from.to_owned();
        match position.men.iter().find(|man| man.square == square) {
            Some(man) if man.color == position.turn => {
                let letter = self.game.pieces[usize::from(man.kind)].letter;
                Err(IllegalGameMove::Unreachable { letter, from })
            }
            _ => Err(IllegalGameMove::NoPiece { color: position.turn, from }),
        }
    }

    /// Returns the end of the game in this position, if the game has ended.
    pub fn end(&self, position: &GamePosition) -> Option<GameEnd> {
        let (rules, turn) = (self.game.rules, position.turn);
        let moves = self.legal(position);
        let end = |winner, reason| Some(GameEnd { winner, reason });
        let bare = |color| rules.bare != BareRoyal::Plays && is_bare(position, color);
        let bares_back = || {
            rules.bare == BareRoyal::LosesUnlessItBares
                && moves.iter().any(|mv| is_bare(&after(position, mv), !turn))
        };
        match (bare(turn), bare(!turn)) {
            (true, true) => end(None, GameEndReason::Bared),
            (false, true) => end(Some(turn), GameEndReason::Bared),
            (true, false) if !bares_back() => end(Some(!turn), GameEndReason::Bared),
            _ if moves.is_empty() && self.in_check(position) => {
                end(Some(!turn), GameEndReason::Mate)
            }
            _ if moves.is_empty() => {
                end(rules.stalemate_loses.then_some(!turn), GameEndReason::Stalemate)
            }
            _ if position.men.len() == 2 => end(None, GameEndReason::RoyalsOnly),
            _ => None,
        }
    }

    /// Returns a legal position of a material with White to move, for a GUI to show.
    pub fn example(&self, material: &GameMaterial) -> Option<GamePosition> {
        let grid = &self.game.grid;
        (0..EXAMPLES_MAX).find_map(|attempt| {
            let mut men: Vec<GameMan> = vec![];
            let royals = Color::ALL.map(|color| (color, material.sides[color.index()][0]));
            let others = Color::ALL.into_iter().flat_map(|color| {
                material.sides[color.index()][1..].iter().map(move |&kind| (color, kind))
            });
            for (number, (color, kind)) in royals.into_iter().chain(others).enumerate() {
                let zone: Vec<u8> = self.game.pieces[usize::from(kind)].zone.squares().collect();
                // Odd steps of different sizes mix squares and colors of squares.
                let square = zone[(attempt * (2 * number + 3) + 5 * number) % zone.len()];
                let square = if color.is_white() { square } else { grid.flipped(square) };
                if men.iter().any(|man| man.square == square) {
                    return None;
                }
                men.push(GameMan { kind, color, square });
            }
            let position = GamePosition { men, turn: Color::White };
            let legal = !self.attacks_royal(&position, Color::White);
            (legal && self.end(&position).is_none()).then_some(position)
        })
    }
}
