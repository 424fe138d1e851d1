//! Shortest mate under the fifty-move rule (DTM50), from the number of half-moves already made
//! without a capture or pawn move.
//!
//! A table of this metric would have a value for each position and each counter. This is a search
//! of one position between two tables instead, DTM and DTZ. They decide most positions:
//!
//! - The mate by DTM comes within the rule if counter and distance together do not exceed the limit:
//!   then it is the shortest mate under the rule, too.
//! - The rule draws if counter and DTZ together exceed the limit. With a limit below the one of the
//!   tables this still holds, since a win within the lower limit is one within the higher.
//!
//! Between them the search tries lengths in increasing order. It ends, because the counter grows
//! with each move that does not leave the position for ever. What is known of a position with a
//! counter is kept.

use super::fairy_board::{FairyBoard, FairyMove};
use super::material::PIECES_MAX;
use super::probe::ProbeError;
use super::rules::FIFTY_MOVES;
use super::tablebase::Tablebase;
use super::value::TableValue;
use arrayvec::ArrayVec;
use std::collections::HashMap;
use umbrail_chess::geometry::Color;
use umbrail_control::Stopped;

/// Longest mate that is searched for, in plies: more than any table holds, with all its captures
/// and pawn moves delayed.
const UNLIMITED: usize = 100_000;
/// Known situations, about 200 MB; beyond this number every second one is forgotten.
const KNOWN_MAX: usize = 2_000_000;
/// Positions between two questions whether to stop.
const CHECK_INTERVAL: u64 = 256;

/// Reason why a search under the fifty-move rule has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FiftyMoveError {
    /// A table lacks a position.
    #[error(transparent)]
    Table(#[from] ProbeError),
    /// The search was cancelled.
    #[error("the search was cancelled")]
    Stopped,
    /// The position has castling rights.
    #[error("the search under the fifty-move rule has no castling rights")]
    Castling,
}

/// A position and its counter. Letters tell pieces apart within one piece set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Situation {
    pieces: ArrayVec<(char, bool, u8), PIECES_MAX>,
    turn: Color,
    en_passant: Option<u8>,
    halfmoves: usize,
}

impl Situation {
    fn of(board: &FairyBoard, halfmoves: usize) -> Self {
        let pieces = board.pieces.iter();
        let pieces = pieces.map(|m| (m.piece.letter, m.color.is_white(), m.square.number()));
        let en_passant = board.en_passant.map(|square| square.number());
        Self { pieces: pieces.collect(), turn: board.turn, en_passant, halfmoves }
    }
}

/// What is known of the shortest mate in a situation, in plies.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// There is no mate within this number.
    not_within: usize,
    /// There is a mate within this number.
    within: usize,
}

impl Known {
    const NOTHING: Self = Self { not_within: 0, within: usize::MAX };
}

/// Searches for the shortest mate of one side under the fifty-move rule.
pub struct FiftyMoveSearch<'a> {
    to_mate: &'a Tablebase,
    to_zeroing: &'a Tablebase,
    /// Half-moves after which the game is drawn.
    limit: usize,
    known: HashMap<Situation, Known>,
    visited: u64,
    least: usize,
    check: &'a dyn Fn() -> Result<(), Stopped>,
}

impl std::fmt::Debug for FiftyMoveSearch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FiftyMoveSearch({} situations)", self.known.len())
    }
}

impl<'a> FiftyMoveSearch<'a> {
    /// Creates a search between a table of DTM and one of DTZ, both of the same rules and with the
    /// material of the positions.
    pub fn new(
        to_mate: &'a Tablebase,
        to_zeroing: &'a Tablebase,
        check: &'a dyn Fn() -> Result<(), Stopped>,
    ) -> Self {
        let known = HashMap::new();
        Self { to_mate, to_zeroing, limit: FIFTY_MOVES, known, visited: 0, least: 0, check }
    }

    /// The same with another limit in half-moves, at most that of the tables.
    #[cfg(test)]
    pub(crate) fn with_limit(self, limit: usize) -> Self {
        assert!(limit <= FIFTY_MOVES, "the tables know longer delays only as draws");
        Self { limit, ..self }
    }

    /// Returns a number of plies that the shortest mate of the last [value](Self::value) takes at
    /// least; the number of its plies once it is found.
    pub fn least(&self) -> usize {
        self.least
    }

    /// Returns the value of a board for the side to move, with distances to mate under the rule,
    /// after this number of half-moves without a capture or pawn move.
    ///
    /// # Errors
    /// [`FiftyMoveError`] when a table is missing or damaged, the check stops the search, or the
    /// board has castling rights.
    pub fn value(
        &mut self,
        board: &FairyBoard,
        halfmoves: usize,
    ) -> Result<TableValue, FiftyMoveError> {
        if !board.rights.is_empty() {
            return Err(FiftyMoveError::Castling);
        }
        let (least, wins) = match self.to_mate.value(board)? {
            TableValue::Draw => return Ok(TableValue::Draw),
            TableValue::Win(plies) => (plies, true),
            TableValue::Loss(plies) => (plies, false),
        };
        if least > 0 && !self.is_won(board, halfmoves)? {
            return Ok(TableValue::Draw);
        }
        self.least = least;
        while self.mate_within(board, halfmoves, self.least)?.is_none() {
            // Sides alternate, so each mate of the position has the same parity.
            self.least += 2;
        }
        Ok(if wins { TableValue::Win(self.least) } else { TableValue::Loss(self.least) })
    }

    /// Returns true when the side that wins by the tables, and has not mated yet, wins under the rule.
    fn is_won(&mut self, board: &FairyBoard, halfmoves: usize) -> Result<bool, FiftyMoveError> {
        if self.limit == FIFTY_MOVES {
            // The limit of the tables.
            let zeroing = self.to_zeroing.value(board)?.signed_plies();
            let zeroing = zeroing.map(|plies| plies.unsigned_abs() as usize);
            return Ok(zeroing.is_some_and(|zeroing| halfmoves + zeroing <= self.limit));
        }
        Ok(self.mate_within(board, halfmoves, UNLIMITED)?.is_some())
    }

    /// Returns best play from a board to the mate: the winner mates as soon as the rule allows, the
    /// loser delays it. Empty for a draw.
    ///
    /// # Errors
    /// Those of [`FiftyMoveSearch::value`].
    pub fn best_line(
        &mut self,
        board: &FairyBoard,
        halfmoves: usize,
    ) -> Result<Vec<FairyMove>, FiftyMoveError> {
        let (TableValue::Win(mut plies) | TableValue::Loss(mut plies)) =
            self.value(board, halfmoves)?
        else {
            return Ok(vec![]);
        };
        let (mut board, mut halfmoves, mut line) = (board.clone(), halfmoves, vec![]);
        while plies > 0 {
            let wins = matches!(self.to_mate.value(&board)?, TableValue::Win(_));
            let mut choice = None;
            for valued in self.to_mate.moves(&board)? {
                let after = board.after(&valued.mv);
                let counter = counter_after(&board, &valued.mv, halfmoves);
                // The winner needs a mate in time, the loser a move without a quicker one.
                let found = match (wins, valued.value) {
                    (true, TableValue::Win(_)) => {
                        self.mate_within(&after, counter, plies - 1)?.is_some()
                    }
                    (true, _) => false,
                    (false, _) if plies < 3 => true,
                    (false, _) => self.mate_within(&after, counter, plies - 3)?.is_none(),
                };
                if found {
                    choice = Some((valued.mv, after, counter));
                    break;
                }
            }
            let Some((mv, after, counter)) = choice else { break };
            line.push(mv);
            (board, halfmoves, plies) = (after, counter, plies - 1);
        }
        Ok(line)
    }

    /// Returns a number of plies, at most `most`, in which the side that wins by the table mates;
    /// none if it does not mate within `most`.
    fn mate_within(
        &mut self,
        board: &FairyBoard,
        halfmoves: usize,
        most: usize,
    ) -> Result<Option<usize>, FiftyMoveError> {
        let (least, wins) = match self.to_mate.value(board)? {
            TableValue::Draw => return Ok(None),
            TableValue::Win(plies) => (plies, true),
            TableValue::Loss(plies) => (plies, false),
        };
        if least > most {
            return Ok(None);
        }
        // A mate ends the game whatever the counter is.
        if least == 0 || halfmoves + least <= self.limit {
            return Ok(Some(least));
        }
        let zeroing = self.to_zeroing.value(board)?.signed_plies();
        let zeroing = zeroing.map_or(usize::MAX, |plies| plies.unsigned_abs() as usize);
        if halfmoves.saturating_add(zeroing) > self.limit {
            return Ok(None);
        }
        let situation = Situation::of(board, halfmoves);
        let known = self.known.get(&situation).copied().unwrap_or(Known::NOTHING);
        if known.within <= most {
            return Ok(Some(known.within));
        }
        if known.not_within >= most {
            return Ok(None);
        }
        self.visited += 1;
        if self.visited.is_multiple_of(CHECK_INTERVAL) {
            (self.check)().map_err(|Stopped| FiftyMoveError::Stopped)?;
        }
        let found = self.search(board, halfmoves, most, wins)?;
        if self.known.len() >= KNOWN_MAX {
            let mut keep = false;
            self.known.retain(|_, _| {
                keep = !keep;
                keep
            });
        }
        let known = self.known.entry(situation).or_insert(Known::NOTHING);
        match found {
            Some(plies) => known.within = known.within.min(plies),
            None => known.not_within = known.not_within.max(most),
        }
        Ok(found)
    }

    /// Tries the moves of a position that the tables leave open.
    fn search(
        &mut self,
        board: &FairyBoard,
        halfmoves: usize,
        most: usize,
        wins: bool,
    ) -> Result<Option<usize>, FiftyMoveError> {
        // A mate within the longest limit may take any time, also after a move.
        let left = if most == UNLIMITED { UNLIMITED } else { most - 1 };
        let mut replies = vec![];
        for mv in self.to_mate.unvalued_moves(board)? {
            let after = board.after(&mv);
            let mate = match self.to_mate.value(&after)? {
                TableValue::Loss(plies) if wins && plies < most => plies,
                TableValue::Win(plies) if !wins => plies,
                _ if wins => continue,
                _ => return Ok(None),
            };
            let counter = counter_after(board, &mv, halfmoves);
            if counter + mate <= self.limit {
                // The mate by the table keeps to the rule.
                replies.push((0, mate, after, counter));
                continue;
            }
            let zeroing = self.to_zeroing.value(&after)?.signed_plies();
            let zeroing = zeroing.map_or(usize::MAX, |plies| plies.unsigned_abs() as usize);
            let total = counter.saturating_add(zeroing);
            if total <= self.limit {
                replies.push((total, mate, after, counter));
            } else if !wins {
                return Ok(None);
            }
        }
        // The winner first tries the quickest mate, the loser the longest delay.
        if wins {
            replies.sort_by_key(|&(total, mate, ..)| (total > 0, mate, total));
        } else {
            replies.sort_by_key(|&(total, mate, ..)| std::cmp::Reverse((total, mate)));
        }
        let mut longest = 0;
        for (_, _, after, counter) in &replies {
            match (self.mate_within(after, *counter, left)?, wins) {
                (Some(plies), true) => return Ok(Some(plies + 1)),
                (None, true) => {}
                (Some(plies), false) => longest = longest.max(plies + 1),
                (None, false) => return Ok(None),
            }
        }
        Ok(if wins { None } else { Some(longest) })
    }
}

/// Returns the counter of half-moves after a move.
fn counter_after(board: &FairyBoard, mv: &FairyMove, halfmoves: usize) -> usize {
    if mv.is_conversion() || board.moves_pawn(mv) { 0 } else { halfmoves + 1 }
}
