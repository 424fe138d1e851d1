//! Lookup of positions: values, and all moves with their values.

mod castling;

pub(crate) use castling::CastlingCache;

use super::fairy_board::{FairyBoard, FairyBoardError, FairyMove};
use super::layout::{OTHERS_MAX, Others};
use super::material::PIECES_MAX;
use super::rules::Stalemate;
use super::table_set::{ProbeResult, TableSet};
use super::value::TableValue;
use arrayvec::ArrayVec;
use umbrail_chess::geometry::Color;

/// Reason why a board could not be looked up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// The board is not a legal position.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Board(Vec<FairyBoardError>),
    /// The material of the board was not built.
    #[error("the table of {0} is not built")]
    Material(String),
    /// A file of the tables is damaged: file name and location.
    #[error("{0}")]
    Damaged(String),
}

/// A move with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// The move.
    pub mv: FairyMove,
    /// Value of the move to the mover.
    pub value: TableValue,
}

/// Marker of a material whose tables are not solved yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableMissing;

/// Kinds or squares of one side's pieces.
type PieceVec<T> = ArrayVec<T, PIECES_MAX>;

/// Board as seen by a one-sided table; kinds are in the order of its key.
pub(crate) struct OneSidedView {
    pub(crate) attacker: PieceVec<usize>,
    pub(crate) loser: PieceVec<usize>,
    pub(crate) royal: u8,
    pub(crate) pieces: Others,
    pub(crate) loser_royal: u8,
}

/// Looks up positions in the tables of a set.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'a> {
    pub(crate) set: &'a TableSet,
    pub(crate) castled: &'a CastlingCache,
    /// True when some positions of "White wins" have values set by the user, which override "Black
    /// wins".
    pub(crate) seeded: bool,
}

impl Prober<'_> {
    /// Returns the board as seen by the table "this color wins": the attacker plays up the board.
    pub(crate) fn one_sided_view(
        &self,
        board: &FairyBoard,
        attacker: Color,
    ) -> Option<OneSidedView> {
        let turn = |s: umbrail_chess::geometry::Square| {
            if attacker.is_white() { s.number() } else { s.flip_rank().number() }
        };
        let mut sides = [PieceVec::<(usize, u8)>::new(), PieceVec::new()];
        for piece in &board.pieces {
            let side = &mut sides[usize::from(piece.color != attacker)];
            side.try_push((self.set.catalog.number(&piece.piece)?, turn(piece.square))).ok()?;
        }
        let mut pieces: Others = [0; OTHERS_MAX];
        let mut at = 0;
        for side in &mut sides {
            // The pieces are usually sorted already.
            let others = side.get_mut(1..)?;
            if !others.is_sorted_by_key(|&(kind, _)| self.set.catalog.order(kind)) {
                others.sort_by_key(|&(kind, _)| self.set.catalog.order(kind));
            }
            for &(_, square) in others.iter() {
                *pieces.get_mut(at)? = square;
                at += 1;
            }
        }
        let [ours, theirs] = &sides;
        let kinds = |side: &PieceVec<(usize, u8)>| side.iter().map(|&(kind, _)| kind).collect();
        Some(OneSidedView {
            attacker: kinds(ours),
            loser: kinds(theirs),
            royal: ours[0].1,
            pieces,
            loser_royal: theirs[0].1,
        })
    }

    /// Returns the value of a legal board, en passant included.
    pub(crate) fn value(&self, board: &FairyBoard) -> Result<TableValue, TableMissing> {
        if let Some(value) = self.decided(board) {
            return Ok(value);
        }
        if !board.rights.is_empty() {
            return self.castling_value(board);
        }
        if board.en_passant.is_none() {
            return self.plain_value(board);
        }
        let promotions = self.set.catalog.promotions();
        let quiet = FairyBoard { en_passant: None, ..board.clone() };
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

    /// Returns the value of a board on which the game has already ended because a royal is bare.
    pub(crate) fn decided(&self, board: &FairyBoard) -> Option<TableValue> {
        if !self.set.catalog.rules.bare_loses {
            return None;
        }
        match (board.is_bare(board.turn), board.is_bare(!board.turn)) {
            (true, true) => Some(TableValue::Draw),
            (true, false) => Some(TableValue::Loss(0)),
            (false, true) => Some(TableValue::Win(0)),
            (false, false) => None,
        }
    }

    fn plain_value(&self, board: &FairyBoard) -> Result<TableValue, TableMissing> {
        // Seeds of White's wins take precedence over Black's wins by moves.
        if self.seeded
            && !board.turn.is_white()
            && let Some(ply) = self.distance(board, Color::White, false)?
        {
            return Ok(TableValue::Loss(ply));
        }
        if let Some(ply) = self.distance(board, board.turn, true)? {
            return Ok(TableValue::Win(ply));
        }
        Ok(self.distance(board, !board.turn, false)?.map_or(TableValue::Draw, TableValue::Loss))
    }

    /// Returns the plies until this color wins, to move or not; none when it does not.
    #[inline]
    pub(crate) fn distance(
        &self,
        board: &FairyBoard,
        attacker: Color,
        moves: bool,
    ) -> Result<Option<usize>, TableMissing> {
        match self.set.probe_index().of(board).map(|entry| entry.probe(board, attacker, moves)) {
            Some(ProbeResult::Plies(plies)) => Ok(plies),
            Some(ProbeResult::LookAhead) => self.distance_from_successors(board),
            Some(ProbeResult::Missing) => Err(TableMissing),
            None => self.distance_by_key(board, attacker, moves),
        }
    }

    /// Returns the distance for pieces in any order.
    pub(crate) fn distance_by_key(
        &self,
        board: &FairyBoard,
        attacker: Color,
        moves: bool,
    ) -> Result<Option<usize>, TableMissing> {
        let view = self.one_sided_view(board, attacker).ok_or(TableMissing)?;
        let OneSidedView { attacker: ours, loser: theirs, royal, pieces, loser_royal } = &view;
        let (table, file) = self.set.of(ours, theirs);
        if let Some(table) = table {
            // A cell without a distance is not won, so the words need not be read.
            let spot = table.layout.spot(*royal, pieces);
            return Ok(if moves {
                table.won_ply(spot, *loser_royal)
            } else {
                table.lost_ply(spot, *loser_royal)
            });
        }
        let file = file.ok_or(TableMissing)?;
        if moves && file.is_lost_only() {
            return self.distance_from_successors(board);
        }
        let found = file.plies_at(moves, *royal, pieces, *loser_royal);
        // The file stores the fault.
        found.map_err(|_| TableMissing)
    }

    /// Returns the plies until the side to move wins, from the losses after its moves.
    fn distance_from_successors(&self, board: &FairyBoard) -> Result<Option<usize>, TableMissing> {
        let mut best: Option<usize> = None;
        for mv in board.moves_to(&self.set.catalog.promotions()) {
            if let Some(ply) = self.look_for_loss(&board.after(&mv))? {
                let metric = self.set.catalog.rules.metric;
                let ends = metric.ends(mv.is_conversion(), board.moves_pawn(&mv));
                let plies = if ends { metric.through(ply) } else { ply + 1 };
                best = Some(best.map_or(plies, |b| b.min(plies)));
            }
        }
        Ok(best)
    }

    /// Returns the plies until the side to move has lost, en passant included; none when it does
    /// not lose.
    fn look_for_loss(&self, board: &FairyBoard) -> Result<Option<usize>, TableMissing> {
        let quiet = FairyBoard { en_passant: None, ..board.clone() };
        let plain = self.distance(&quiet, !board.turn, false)?;
        if board.en_passant.is_none() {
            return Ok(plain);
        }
        let (passant, other): (Vec<_>, Vec<_>) = board
            .moves_to(&self.set.catalog.promotions())
            .into_iter()
            .partition(|m| m.captured.is_some_and(|c| c != m.to));
        let mut worst = if other.is_empty() && !passant.is_empty() { Some(0) } else { plain };
        for mv in passant {
            let won = self.distance(&board.after(&mv), !board.turn, true)?;
            let plies = won.map(|p| self.set.catalog.rules.metric.through(p));
            worst = worst.zip(plies).map(|(a, b)| a.max(b));
        }
        Ok(worst)
    }

    /// Returns the value of a legal move to the side that makes it.
    pub(crate) fn move_value(
        &self,
        board: &FairyBoard,
        mv: &FairyMove,
    ) -> Result<TableValue, TableMissing> {
        let ends = self.set.catalog.rules.metric.ends(mv.is_conversion(), board.moves_pawn(mv));
        Ok(self.value(&board.after(mv))?.before(self.set.catalog.rules.metric, ends))
    }

    /// Returns the pass of the side to move with its value, where the rules allow one: for a losing
    /// side under the null-move rule, and for a stalemated side when stalemate means a pass. A pass
    /// never wins: in the tables only a side that does not win may pass.
    fn valued_pass(
        &self,
        board: &FairyBoard,
        stuck: bool,
    ) -> Result<Option<ValuedMove>, TableMissing> {
        let allowed = if stuck {
            self.set.catalog.rules.stalemate == Stalemate::Pass
        } else {
            self.set.catalog.rules.null_move && !matches!(self.value(board)?, TableValue::Win(_))
        };
        if !allowed || board.in_check() {
            return Ok(None);
        }
        let mv = FairyMove::pass(board.royal(board.turn));
        let value = match self.value(&board.after(&mv))? {
            TableValue::Win(plies) => TableValue::Loss(plies + 1),
            TableValue::Draw | TableValue::Loss(_) => TableValue::Draw,
        };
        Ok(Some(ValuedMove { mv, value }))
    }

    /// Returns all legal moves in any order, with the pass that the rules allow.
    pub(crate) fn unvalued_moves(
        &self,
        board: &FairyBoard,
    ) -> Result<Vec<FairyMove>, TableMissing> {
        if self.decided(board).is_some() {
            return Ok(vec![]);
        }
        let mut moves = board.moves_to(&self.set.catalog.promotions());
        let pass = self.valued_pass(board, moves.is_empty())?;
        moves.extend(pass.map(|pass| pass.mv));
        Ok(moves)
    }

    /// Returns all legal moves with their values, the best first. Where the metric counts to a
    /// conversion, moves of equal value are ordered by its result: a mate comes before a capture,
    /// and then a shorter win in the next table. Remaining ties are sorted by name.
    pub(crate) fn valued_moves(&self, board: &FairyBoard) -> Result<Vec<ValuedMove>, TableMissing> {
        let mut moves = Vec::new();
        if self.decided(board).is_some() {
            return Ok(Vec::new());
        }
        for mv in board.moves_to(&self.set.catalog.promotions()) {
            let ends =
                self.set.catalog.rules.metric.ends(mv.is_conversion(), board.moves_pawn(&mv));
            let behind = self.value(&board.after(&mv))?;
            let value = behind.before(self.set.catalog.rules.metric, ends);
            moves.push((ValuedMove { mv, value }, behind));
        }
        let pass = self.valued_pass(board, moves.is_empty())?;
        moves.extend(pass.map(|pass| (pass, TableValue::Draw)));
        moves.sort_by(|(a, a_behind), (b, b_behind)| {
            // A pass comes after moves of equal value.
            let passes = || a.mv.is_pass().cmp(&b.mv.is_pass());
            let names = || a.mv.to_string().cmp(&b.mv.to_string());
            let behind = || a_behind.cmp(b_behind);
            b.value.cmp(&a.value).then_with(passes).then_with(behind).then_with(names)
        });
        Ok(moves.into_iter().map(|(choice, _)| choice).collect())
    }
}
