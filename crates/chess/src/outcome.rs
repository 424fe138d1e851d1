//! Outcome of a game.

use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Color};
use std::fmt;

/// Reason why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check (FIDE 5.2.1).
    Stalemate,
    /// No sequence of legal moves mates either king (5.2.2), as far as material alone shows.
    DeadPosition,
    /// The position occurs for the third time (9.2; a player must claim).
    ThreefoldRepetition,
    /// The position occurs for the fifth time (9.6.1; ends the game automatically).
    FivefoldRepetition,
    /// Fifty moves by each side without capture or pawn move (9.3; a player must claim).
    FiftyMoves,
    /// Seventy-five moves by each side without capture or pawn move (9.6.2; ends the game
    /// automatically).
    SeventyFiveMoves,
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead position",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::SeventyFiveMoves => "seventy-five-move rule",
        })
    }
}

/// Outcome of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has mated.
    Mate(Color),
    /// A draw.
    Draw(DrawReason),
}

impl Position {
    /// Returns true when the side to move is mated.
    pub fn is_mate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Returns true when the side to move is stalemated.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }

    /// Returns true when the material on the board can mate neither king: bare kings, one knight,
    /// or bishops of one square color alone. Permanently blocked positions are not recognized.
    pub fn is_dead(&self) -> bool {
        let mighty =
            self.by_role(Role::Pawn) | self.by_role(Role::Rook) | self.by_role(Role::Queen);
        if mighty.any() {
            return false;
        }
        let (knights, bishops) = (self.by_role(Role::Knight), self.by_role(Role::Bishop));
        match knights.len() {
            0 => bishops.is_subset(Bitboard::LIGHT) || bishops.is_subset(Bitboard::DARK),
            1 => bishops.is_empty(),
            _ => false,
        }
    }

    /// Returns the outcome if the game ends with this position: mate, stalemate, dead position, or
    /// one of the two draws that need no claim. `history` contains the keys of the game's earlier
    /// positions.
    pub fn outcome(&self, history: &[u64]) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(match self.in_check() {
                true => Outcome::Mate(!self.turn()),
                false => Outcome::Draw(DrawReason::Stalemate),
            });
        }
        let draw = if self.is_dead() {
            DrawReason::DeadPosition
        } else if self.repetitions(history) >= 4 {
            DrawReason::FivefoldRepetition
        } else if self.halfmoves() >= 150 {
            DrawReason::SeventyFiveMoves
        } else {
            return None;
        };
        Some(Outcome::Draw(draw))
    }

    /// Returns the draw that the side to move may claim, besides those of [`Position::outcome`].
    pub fn claimable(&self, history: &[u64]) -> Option<DrawReason> {
        if self.repetitions(history) >= 2 {
            Some(DrawReason::ThreefoldRepetition)
        } else if self.halfmoves() >= 100 && self.has_legal_move() {
            Some(DrawReason::FiftyMoves)
        } else {
            None
        }
    }

    /// Returns the number of earlier occurrences of this position: occurrences of its key among the
    /// earlier keys, as far back as the last irreversible move. `history` is ordered oldest first
    /// and does not contain the current position.
    pub fn repetitions(&self, history: &[u64]) -> usize {
        let reach = usize::from(self.halfmoves()).min(history.len());
        let recent = &history[history.len() - reach..];
        // Positions with this side to move occur every second ply.
        recent.iter().rev().skip(1).step_by(2).filter(|&&key| key == self.key()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::{DrawReason, Outcome};
    use crate::geometry::{Color, Setup};
    use crate::{Position, parse_san};

    fn after(fen: &str, moves: &str) -> (Position, Vec<u64>) {
        let mut position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
        let mut keys = Vec::new();
        for text in moves.split_whitespace() {
            keys.push(position.key());
            position = position.after(parse_san(&position, text).unwrap());
        }
        (position, keys)
    }

    fn ends(fen: &str, moves: &str, expected: Option<Outcome>) {
        let (position, keys) = after(fen, moves);
        assert_eq!(position.outcome(&keys), expected, "{moves} from {fen}");
    }

    #[test]
    fn games_end_as_the_laws_require() {
        ends(Setup::START_FEN, "f3 e5 g4 Qh4#", Some(Outcome::Mate(Color::Black)));
        let draw = |reason| Some(Outcome::Draw(reason));
        ends("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "", draw(DrawReason::Stalemate));
        ends("7k/8/8/8/8/8/8/KB6 w - - 0 1", "", draw(DrawReason::DeadPosition));
        ends("5b1k/8/8/8/8/8/8/K1B5 w - - 0 1", "", draw(DrawReason::DeadPosition));
        ends("2b4k/8/8/8/8/8/8/K1B5 w - - 0 1", "", None);
        ends("7k/8/8/8/8/8/8/KNN5 w - - 0 1", "", None);
        ends("7k/8/8/8/8/8/8/KR6 w - - 149 100", "Rb2", draw(DrawReason::SeventyFiveMoves));
        ends(Setup::START_FEN, "Nf3 Nf6 Ng1 Ng8", None);
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
        ends(Setup::START_FEN, &shuffle, draw(DrawReason::FivefoldRepetition));
    }

    #[test]
    fn claims_need_the_third_time_or_the_fiftieth_move() {
        let (position, keys) = after(Setup::START_FEN, &"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
        assert_eq!(position.claimable(&keys), Some(DrawReason::ThreefoldRepetition));
        let (position, keys) = after("7k/8/8/8/8/8/8/KR6 w - - 99 100", "Rb2");
        assert_eq!(position.claimable(&keys), Some(DrawReason::FiftyMoves));
        // The initial position does not repeat once a rook has moved: castling rights are lost.
        let (position, keys) =
            after("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "Rh2 Ra7 Rh1 Ra8 Rh2 Ra7 Rh1 Ra8");
        assert_eq!(position.claimable(&keys), None);
    }
}
