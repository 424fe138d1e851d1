//! Conditions on the game as a whole, as composers state them beside a diagram.
//!
//! - *NoChecks*, *NoWhiteChecks*, *NoBlackChecks*: no move, or none of White or Black, gives check; not even the last one.
//! - *OnlyPawnsCapture*, also of one side: other pieces do not capture. They give check as usual.
//! - *WhiteCastles*, *BlackCastles*, and their forms for one wing: the side castles during the game.
//! - *NeverMoves* with squares: the pieces that stand there at the start never move; they may be captured.
//! - *LastMove* with one or two squares: the last move goes to the last square, from the first of two. A castling is a
//!   move of the king.
//!
//! *State*: castlings made, and squares whose first piece was captured.
//!
//! *Bounds*: the conditions only forbid moves and ends.

use crate::positions::fairy::{
    FairyCondition, FairyMove, FairyPosition, FairyRules, PlayedMove, Traits,
};
use crate::positions::problem::TargetBoard;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Condition on the game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameCondition {
    /// These sides give no check: White, Black.
    NoChecks([bool; 2]),
    /// Only the pawns of these sides capture.
    PawnCaptures([bool; 2]),
    /// The side castles: on the king's wing if true, on the queen's if false, on either if none.
    Castles(Color, Option<bool>),
    /// Pieces of these squares never move.
    NeverMove(Bitboard),
    /// The last move goes from a square, if it is stated, to another one.
    LastMove(Option<Square>, Square),
}

impl GameCondition {
    /// Returns the condition of a name with its squares; `None` if the squares do not fit.
    pub(crate) fn named(name: &str, squares: &[Square]) -> Option<Self> {
        let both = [true, true];
        let (white, black) = ([true, false], [false, true]);
        match name {
            "NeverMoves" if !squares.is_empty() => {
                return Some(Self::NeverMove(squares.iter().copied().collect()));
            }
            "LastMove" => {
                return match *squares {
                    [to] => Some(Self::LastMove(None, to)),
                    [from, to] => Some(Self::LastMove(Some(from), to)),
                    _ => None,
                };
            }
            _ if !squares.is_empty() => return None,
            _ => {}
        }
        Some(match name {
            "NoChecks" => Self::NoChecks(both),
            "NoWhiteChecks" => Self::NoChecks(white),
            "NoBlackChecks" => Self::NoChecks(black),
            "OnlyPawnsCapture" => Self::PawnCaptures(both),
            "OnlyWhitePawnsCapture" => Self::PawnCaptures(white),
            "OnlyBlackPawnsCapture" => Self::PawnCaptures(black),
            "WhiteCastles" => Self::Castles(Color::White, None),
            "WhiteCastlesKingside" => Self::Castles(Color::White, Some(true)),
            "WhiteCastlesQueenside" => Self::Castles(Color::White, Some(false)),
            "BlackCastles" => Self::Castles(Color::Black, None),
            "BlackCastlesKingside" => Self::Castles(Color::Black, Some(true)),
            "BlackCastlesQueenside" => Self::Castles(Color::Black, Some(false)),
            _ => return None,
        })
    }

    /// Bits of [`FairyState::castled`](crate::positions::fairy::FairyState) of which one is required.
    fn castlings(color: Color, kingside: Option<bool>) -> u8 {
        let wings = match kingside {
            Some(true) => 1,
            Some(false) => 2,
            None => 3,
        };
        wings << (2 * color.index())
    }
}

impl FairyCondition for GameCondition {
    fn traits(&self) -> Traits {
        let has_state = matches!(self, Self::Castles(..) | Self::NeverMove(_));
        Traits { game_state: has_state, effects: has_state, ..Traits::default() }
    }

    fn change_moves(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        moves: &mut Vec<FairyMove>,
    ) {
        match self {
            Self::PawnCaptures(sides) if sides[position.turn.index()] => {
                moves.retain(|mv| mv.victim.is_none() || rules.is_pawn(position.at(mv.from).kind()))
            }
            Self::NeverMove(squares) => {
                let still = squares.0 & !position.extra.captured;
                let stays = |square| Bitboard(still).contains(square);
                moves.retain(|mv| !stays(mv.from) && mv.rook.is_none_or(|(rook, _)| !stays(rook)));
            }
            _ => {}
        }
    }

    fn effect(
        &self,
        _: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let (state, mv) = (&mut played.next.extra, &played.mv);
        match self {
            Self::Castles(color, kingside) if *color == before.turn => {
                if let Some((rook, _)) = mv.rook {
                    let made = Self::castlings(*color, Some(rook.file() > mv.from.file()));
                    // A castling that is not required makes no difference.
                    state.castled |= made & Self::castlings(*color, *kingside);
                }
            }
            Self::NeverMove(squares) => {
                if let Some(victim) = mv.victim.filter(|victim| squares.contains(*victim)) {
                    state.captured |= Bitboard::EMPTY.with(victim).0;
                }
            }
            _ => {}
        }
        out.push(played);
    }

    fn is_legal(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        _: &FairyMove,
        after: &FairyPosition,
    ) -> bool {
        match self {
            Self::NoChecks(sides) if sides[before.turn.index()] => {
                !rules.is_in_check(after, !before.turn)
            }
            _ => true,
        }
    }

    fn is_target(&self, position: &FairyPosition, _: &TargetBoard) -> bool {
        match self {
            Self::Castles(color, kingside) => {
                position.extra.castled & Self::castlings(*color, *kingside) != 0
            }
            _ => true,
        }
    }

    fn may_end(&self, mv: &FairyMove) -> bool {
        match self {
            Self::LastMove(from, to) => mv.to == *to && from.is_none_or(|from| mv.from == from),
            _ => true,
        }
    }
}
