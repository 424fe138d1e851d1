//! Looking up positions: values, and all moves with what they are worth.

use super::board::{Board, BoardMove};
use super::family::{Family, Key};
use super::layout::Others;
use super::rules::Metric;
use super::value::Value;
use crate::geometry::Color;

/// A move with what it is worth to the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// The move.
    pub mv: BoardMove,
    /// Its value to the mover.
    pub value: Value,
}

/// The tables of a material that are not solved yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing;

/// A board as a one-sided table sees it.
pub(crate) struct Seen {
    pub(crate) key: Key,
    pub(crate) royal: u8,
    pub(crate) men: Others,
    pub(crate) loser_royal: u8,
}

impl Family {
    /// The board as the table "this color wins" has it: the attacker plays up the board.
    pub(crate) fn see(&self, board: &Board, attacker: Color) -> Option<Seen> {
        let turn = |s: crate::geometry::Square| {
            if attacker.is_white() { s.number() } else { s.flip_rank().number() }
        };
        let mut key = [Vec::new(), Vec::new()];
        let mut sides: [Vec<(usize, u8)>; 2] = [Vec::new(), Vec::new()];
        let mut royals = [0; 2];
        for man in &board.men {
            let side = usize::from(man.color != attacker);
            let kind = self.number(&man.piece)?;
            if key[side].is_empty() {
                royals[side] = turn(man.square);
            } else {
                sides[side].push((kind, turn(man.square)));
            }
            key[side].push(kind);
        }
        let [mut ours, mut theirs] = key;
        ours[1..].sort_by_key(|&k| self.order(k));
        theirs[1..].sort_by_key(|&k| self.order(k));
        let [mut a, mut b] = sides;
        let men = self.arrange([&mut a, &mut b]);
        let key = Key { attacker: ours, loser: theirs };
        Some(Seen { key, royal: royals[0], men, loser_royal: royals[1] })
    }

    /// The value of a legal board, en passant included.
    pub(crate) fn value(&self, board: &Board) -> Result<Value, Missing> {
        if !board.rights.is_empty() {
            return self.castling_value(board);
        }
        if board.en_passant.is_none() {
            return self.plain_value(board);
        }
        let promotions = self.promotions();
        let quiet = Board { en_passant: None, ..board.clone() };
        let (passant, other): (Vec<_>, Vec<_>) = board
            .moves_to(&promotions)
            .into_iter()
            .partition(|m| m.captured.is_some_and(|c| c != m.to));
        let mut best = if other.is_empty() { None } else { Some(self.plain_value(&quiet)?) };
        for mv in passant {
            best = best.max(Some(self.move_value(board, &mv)?));
        }
        best.map_or_else(|| self.plain_value(&quiet), Ok)
    }

    fn plain_value(&self, board: &Board) -> Result<Value, Missing> {
        if let Some(ply) = self.look(board, board.turn, true)? {
            return Ok(Value::Win(ply));
        }
        Ok(self.look(board, !board.turn, false)?.map_or(Value::Draw, Value::Loss))
    }

    /// Plies until this color wins, with the move or without it; none when it does not.
    fn look(&self, board: &Board, attacker: Color, moves: bool) -> Result<Option<usize>, Missing> {
        let seen = self.see(board, attacker).ok_or(Missing)?;
        let Seen { key, royal, men, loser_royal } = &seen;
        if let Some(table) = self.get(key) {
            let (word, spot) =
                if moves { table.won_word(*royal, men) } else { table.lost_word(*royal, men) };
            if word >> loser_royal & 1 == 0 {
                return Ok(None);
            }
            return Ok(if moves {
                table.won_ply(spot, *loser_royal)
            } else {
                table.lost_ply(spot, *loser_royal)
            });
        }
        let file = self.get_mapped(key).ok_or(Missing)?;
        if moves && file.is_lost_only() {
            return self.look_ahead(board);
        }
        let found = if moves {
            file.won_ply(*royal, men, *loser_royal)
        } else {
            file.lost_ply(*royal, men, *loser_royal)
        };
        // A block that turns out damaged makes the table as good as absent.
        found.map_err(|_| Missing)
    }

    /// Plies until the side to move wins, from the losses its moves lead to.
    fn look_ahead(&self, board: &Board) -> Result<Option<usize>, Missing> {
        let mut best: Option<usize> = None;
        for mv in board.moves_to(&self.promotions()) {
            if let Some(ply) = self.look_for_loss(&board.after(&mv))? {
                let ends = mv.is_conversion() && self.rules.metric != Metric::Dtm;
                let plies = if ends { 1 } else { ply + 1 };
                best = Some(best.map_or(plies, |b| b.min(plies)));
            }
        }
        Ok(best)
    }

    /// Plies until the side to move has lost, en passant included; none when it does not lose.
    fn look_for_loss(&self, board: &Board) -> Result<Option<usize>, Missing> {
        let quiet = Board { en_passant: None, ..board.clone() };
        let plain = self.look(&quiet, !board.turn, false)?;
        if board.en_passant.is_none() {
            return Ok(plain);
        }
        let (passant, other): (Vec<_>, Vec<_>) = board
            .moves_to(&self.promotions())
            .into_iter()
            .partition(|m| m.captured.is_some_and(|c| c != m.to));
        let mut worst = if other.is_empty() && !passant.is_empty() { Some(0) } else { plain };
        for mv in passant {
            let ends = self.rules.metric != Metric::Dtm;
            let won = self.look(&board.after(&mv), !board.turn, true)?;
            let plies = won.map(|p| if ends { 1 } else { p + 1 });
            worst = worst.zip(plies).map(|(a, b)| a.max(b));
        }
        Ok(worst)
    }

    /// What a legal move is worth to the side that makes it.
    pub(crate) fn move_value(&self, board: &Board, mv: &BoardMove) -> Result<Value, Missing> {
        let ends = mv.is_conversion() && self.rules.metric != Metric::Dtm;
        Ok(self.value(&board.after(mv))?.before(ends))
    }

    /// All legal moves with their values, the best first; equal ones in the order of their names.
    pub(crate) fn valued_moves(&self, board: &Board) -> Result<Vec<ValuedMove>, Missing> {
        let mut moves = Vec::new();
        for mv in board.moves_to(&self.promotions()) {
            let value = self.move_value(board, &mv)?;
            moves.push(ValuedMove { mv, value });
        }
        moves.sort_by(|a, b| {
            b.value.cmp(&a.value).then_with(|| a.mv.to_string().cmp(&b.mv.to_string()))
        });
        Ok(moves)
    }
}
