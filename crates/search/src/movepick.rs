//! Move picker: returns moves in stages, so that later stages are generated only when needed.
//!
//! Stages: hash move; captures and promotions that lose nothing (most valuable victim first, then
//! capture history); the two killers and the countermove; quiet moves by their histories; losing
//! captures.

mod threats;

use super::constants::SearchConstants;
use super::history::{Context, Histories};
use super::policy::RootBias;
use arrayvec::ArrayVec;
pub(super) use threats::Threats;
use umbrail_chess::exchange::{VALUES, see_at_least};
use umbrail_chess::geometry::Bitboard;
use umbrail_chess::{
    CheckSquares, CheckState, MOVES_MAX, Move, MoveKinds, Position, Role, Targets,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    HashMove,
    GenerateNoisy,
    GoodNoisy,
    Refutations,
    GenerateQuiets,
    Quiets,
    BadNoisy,
    Done,
}

/// Returns true for a move that is neither a capture nor a promotion.
#[inline]
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    mv.promotion().is_none() && !position.is_capture(mv)
}

/// Moves and their scores.
#[derive(Default)]
struct ScoredMoves {
    moves: ArrayVec<Move, MOVES_MAX>,
    /// Key of each move: its score in the upper half, and below it a number that falls with the
    /// place of the move. The largest key belongs to the best move, the first of equals.
    keys: ArrayVec<u64, MOVES_MAX>,
}

/// Lower half of the key at the first place; later places have less.
const PLACE: u64 = u32::MAX as u64;

impl ScoredMoves {
    fn push(&mut self, mv: Move, score: i32) {
        let upper = u64::from(score as u32 ^ 1 << 31) << 32;
        self.keys.push(upper | (PLACE - self.moves.len() as u64));
        self.moves.push(mv);
    }

    /// Removes and returns the move with the best score, the first of equals; the last move takes
    /// its place.
    fn take_best(&mut self) -> Option<Move> {
        // Four independent maxima, which the processor computes in parallel.
        let (fours, rest) = self.keys.as_chunks::<4>();
        let mut best = [0; 4];
        for four in fours {
            for (best, &key) in best.iter_mut().zip(four) {
                *best = key.max(*best);
            }
        }
        let best = best.iter().chain(rest).copied().max().filter(|&best| best > 0)?;
        let place = PLACE - (best & PLACE);
        let last = self.keys.pop()?;
        let at = place as usize;
        if at < self.keys.len() {
            self.keys[at] = last & !PLACE | (PLACE - place);
        }
        Some(self.moves.swap_remove(at))
    }
}

/// Iterator over the moves of one position, the most promising first.
pub(super) struct MovePicker<'h> {
    stage: Stage,
    check_state: CheckState,
    hash_move: Option<Move>,
    /// Two killers and a countermove.
    refutations: [Option<Move>; 3],
    refutation: usize,
    moves: ScoredMoves,
    bad: ArrayVec<Move, MOVES_MAX>,
    bad_at: usize,
    /// Captures with a static exchange value below this are losing.
    threshold: i32,
    /// Skips the remaining quiet moves.
    skip_quiets: bool,
    /// Skips losing captures.
    skip_bad: bool,
    /// Restricts quiet moves to those that give check.
    only_checks: bool,
    /// Moves with a bias from book or experience.
    hints: &'h [(Move, i32)],
    /// Experiment that applies the bias.
    arm: RootBias,
    order: Option<QuietOrder<'h>>,
}

/// Weights in the order of quiet moves, beside their histories.
struct QuietOrder<'h> {
    check: i32,
    threat: i32,
    check_squares: &'h CheckSquares,
    threats: &'h Threats,
}

// A picker has 5 KB. Inlined, these functions build it in place instead of copying it.
impl<'h> MovePicker<'h> {
    /// Returns a picker for all moves of a position.
    #[inline(always)]
    pub(super) fn all(
        position: &Position,
        hash_move: Option<Move>,
        refutations: [Option<Move>; 3],
    ) -> Self {
        Self {
            stage: Stage::HashMove,
            check_state: position.check_state(),
            hash_move,
            refutations,
            refutation: 0,
            moves: ScoredMoves::default(),
            bad: ArrayVec::new(),
            bad_at: 0,
            threshold: 0,
            skip_quiets: false,
            skip_bad: false,
            only_checks: false,
            hints: &[],
            arm: RootBias::Base,
            order: None,
        }
    }

    /// Adds hints.
    #[inline(always)]
    pub(super) fn hinted(self, hints: &'h [(Move, i32)], arm: RootBias) -> Self {
        Self { hints, arm, ..self }
    }

    /// Adds the weights of checks and threats in the order of quiet moves.
    #[inline(always)]
    pub(super) fn ordered(
        self,
        constants: &SearchConstants,
        check_squares: &'h CheckSquares,
        threats: &'h Threats,
    ) -> Self {
        let (check, threat) = (constants.check_order, constants.threat_order);
        let order = QuietOrder { check, threat, check_squares, threats };
        Self { order: (check > 0 || threat > 0).then_some(order), ..self }
    }

    /// Returns a picker for captures and promotions whose exchange is worth at least `threshold`.
    #[inline(always)]
    pub(super) fn noisy(position: &Position, hash_move: Option<Move>, threshold: i32) -> Self {
        let all = Self::all(position, hash_move, [None; 3]);
        Self { threshold, skip_quiets: true, skip_bad: true, ..all }
    }

    /// Adds quiet moves that give check, after the captures.
    #[inline(always)]
    pub(super) fn with_checks(self) -> Self {
        Self { only_checks: true, skip_quiets: false, ..self }
    }

    /// Stops returning quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Returns the next move, with the role of the moving piece.
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) -> Option<(Role, Move)> {
        let mv = self.next_move(position, histories, context)?;
        Some((position.role_at(mv.from())?, mv))
    }

    fn next_move(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateNoisy;
                    // The entry may belong to another position with the same key, so the move is
                    // checked.
                    let is_legal = |&mv: &Move| position.is_legal_under(&self.check_state, mv);
                    self.hash_move = self.hash_move.filter(is_legal);
                    if let Some(mv) = self.hash_move {
                        return Some(mv);
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.moves.take_best() {
                    Some(mv) if see_at_least(position, mv, self.threshold) => return Some(mv),
                    Some(mv) => self.bad.push(mv),
                    None if self.skip_quiets => self.stage = Stage::BadNoisy,
                    None => self.stage = Stage::Refutations,
                },
                Stage::Refutations => match self.next_refutation(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(position, histories, context);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.moves.take_best().filter(|_| !self.skip_quiets) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    if !self.skip_bad && self.bad_at < self.bad.len() {
                        self.bad_at += 1;
                        return Some(self.bad[self.bad_at - 1]);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn next_refutation(&mut self, position: &Position) -> Option<Move> {
        while self.refutation < 3 && !self.skip_quiets {
            let at = self.refutation;
            self.refutation += 1;
            let Some(mv) = self.refutations[at] else { continue };
            let again = Some(mv) == self.hash_move || self.refutations[..at].contains(&Some(mv));
            let noisy = position.role_at(mv.to()).is_some_and(|_| !position.is_castle(mv))
                || mv.promotion().is_some()
                || position.is_en_passant(mv);
            if again || noisy || !position.is_legal_under(&self.check_state, mv) {
                self.refutations[at] = None;
                continue;
            }
            return Some(mv);
        }
        None
    }

    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        let hash_move = self.hash_move;
        let moves = &mut self.moves;
        let own = position.by_color(position.turn());
        let (state, kinds) = (&self.check_state, MoveKinds::Noisy);
        position.targets_under(state, own, kinds, Bitboard::FULL, &mut |targets: Targets| {
            targets.for_each(|mv| {
                if Some(mv) == hash_move {
                    return;
                }
                let captured = position.captured(mv);
                let mut worth = captured.map_or(0, |victim| {
                    VALUES[victim.index()] * 32 + histories.capture(targets.role, mv, victim)
                });
                worth += match mv.promotion() {
                    Some(Role::Queen) => 900 * 32,
                    Some(_) => -30_000,
                    None => 0,
                };
                moves.push(mv, worth);
            });
        });
    }

    fn generate_quiets(&mut self, position: &Position, histories: &Histories, context: &Context) {
        let hash_move = self.hash_move;
        let refutations = self.refutations;
        let checks = self.only_checks.then(|| position.check_squares());
        let (hints, arm, order) = (self.hints, self.arm, self.order.as_ref());
        let moves = &mut self.moves;
        let own = position.by_color(position.turn());
        let (state, kinds) = (&self.check_state, MoveKinds::Quiet);
        position.targets_under(state, own, kinds, Bitboard::FULL, &mut |targets: Targets| {
            targets.for_each(|mv| {
                let wanted = checks.is_none_or(|checks| checks.gives(targets.role, mv));
                if wanted && Some(mv) != hash_move && !refutations.contains(&Some(mv)) {
                    let hint = hints.iter().find(|(hinted, _)| *hinted == mv);
                    let bias = hint.map_or(0, |&(_, bias)| arm.interior(bias));
                    let mut score = histories.quiet(context, targets.role, mv) + bias;
                    if let Some(QuietOrder { check, threat, check_squares, threats }) = order {
                        score += check * i32::from(check_squares.gives(targets.role, mv));
                        score += threat * threats.worth(targets.role, mv);
                    }
                    moves.push(mv, score);
                }
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{MovePicker, ScoredMoves, Threats};
    use crate::history::{Context, Histories, PieceTo};
    use umbrail_chess::geometry::Setup;
    use umbrail_chess::{Move, Position, parse_uci};

    fn position(fen: &str) -> Position {
        Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap()
    }

    fn picked(position: &Position, mut picker: MovePicker) -> Vec<Move> {
        let context = Context {
            color: position.turn(),
            earlier: [PieceTo::NONE; 3],
            attacked: Threats::new(position).all,
        };
        let histories = Histories::default();
        std::iter::from_fn(|| picker.next(position, &histories, &context))
            .map(|(_, mv)| mv)
            .collect()
    }

    #[test]
    fn the_best_score_comes_first_and_of_equals_the_first_place() {
        let moves: Vec<Move> = Position::startpos().legal_moves().to_vec();
        let scores = [5, -7, 5, i32::MIN, i32::MAX, 0, 5, -7, 12, i32::MIN + 1, -1];
        let mut scored = ScoredMoves::default();
        // Reference implementation: a scan for the maximum, replaced by the last move.
        let mut plain: Vec<(Move, i32)> = vec![];
        for (&mv, score) in moves.iter().zip(scores) {
            scored.push(mv, score);
            plain.push((mv, score));
        }
        while !plain.is_empty() {
            let mut best = 0;
            for at in 1..plain.len() {
                best = if plain[at].1 > plain[best].1 { at } else { best };
            }
            assert_eq!(scored.take_best(), Some(plain.swap_remove(best).0));
        }
        assert_eq!(scored.take_best(), None);
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_legal_move_comes_once() {
        for fen in [KIWIPETE, Setup::START_FEN, "8/P6k/8/3pP3/8/8/7p/K5B1 w - d6 0 1"] {
            let position = position(fen);
            let legal = position.legal_moves();
            for &hash in &legal {
                let killers = [legal.first().copied(), legal.last().copied(), Some(hash)];
                let mut moves = picked(&position, MovePicker::all(&position, Some(hash), killers));
                assert_eq!(moves[0], hash);
                moves.sort();
                let mut expected: Vec<_> = legal.iter().copied().collect();
                expected.sort();
                assert_eq!(moves, expected, "{fen} with {hash:?} first");
            }
        }
    }

    #[test]
    fn illegal_hash_moves_and_killers_are_left_out() {
        let position = Position::startpos();
        let odd = Move::from_bits(7 | 42 << 6);
        let moves = picked(&position, MovePicker::all(&position, odd, [odd; 3]));
        assert_eq!(moves.len(), 20);
        assert!(moves.iter().all(|&mv| position.is_legal(mv)));
    }

    #[test]
    fn the_noisy_picker_gives_captures_that_lose_nothing() {
        let position = position(KIWIPETE);
        let moves = picked(&position, MovePicker::noisy(&position, None, 0));
        assert!(moves.contains(&parse_uci(&position, "e2a6").unwrap()));
        assert!(!moves.contains(&parse_uci(&position, "f3f6").unwrap()));
        assert!(moves.iter().all(|&mv| position.is_capture(mv)));
    }
}
