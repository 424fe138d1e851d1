//! Move statistics from earlier cutoffs: butterfly, continuation, capture and correction histories.
//!
//! Every table learns with *gravity*: an entry moves towards ±[`LIMIT`] by the bonus and is pulled
//! back in proportion to its value, so that old results fade (the formula common since Stockfish
//! 2015; Bill Jordan called its ancestor "history with decay").

use super::constants::SearchConstants;
use super::policy::MoveOrdering;
use super::score::Value;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{Move, Position, Role};
use umbrail_control::prefetch;

/// Largest absolute value of an entry.
pub(super) const LIMIT: i32 = 16_384;

/// Colored piece and its destination: the index of continuation tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    /// No move: before the root, or a null move.
    pub(super) const NONE: Self = Self(0);
    const COUNT: usize = 12 * 64 + 1;

    /// Index of a piece of this role and color on the destination of the move.
    pub(super) fn new(color: Color, role: Role, mv: Move) -> Self {
        Self((1 + (color.index() * 6 + role.index()) * 64 + mv.to().index()) as u16)
    }

    /// Returns true for [`PieceTo::NONE`].
    pub(super) fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// All tables of one worker, about 3 MiB.
pub(super) struct Histories {
    /// [color][from and to attacked][from][to] of quiet moves, see [`Context::exposure`].
    quiet: Box<[[[[i16; 64]; 64]; 4]; 2]>,
    /// [earlier piece_to][piece_to].
    continuation: Vec<[i16; PieceTo::COUNT]>,
    /// [role][to][captured role].
    capture: Box<[[[i16; 6]; 64]; 6]>,
    /// [color][kind][structure]: correction of the static evaluation, in 1/256 centipawns.
    /// Structures are the pawns, White's other pieces and Black's other pieces.
    correction: Vec<[[i16; CORRECTIONS]; 3]>,
    /// [earlier piece_to][last piece_to]: correction of the static evaluation, in 1/256 centipawns.
    correction_moves: Vec<[i16; PieceTo::COUNT]>,
    /// [piece_to]: the quiet move that refuted it last.
    counter: Vec<Option<Move>>,
    /// [color][from][to]: plain sums, for the experiment `Bounded`.
    sums: Box<[[[i16; 64]; 64]; 2]>,
    ordering: MoveOrdering,
    constants: SearchConstants,
}

/// Entries of each structure table.
const CORRECTIONS: usize = 1 << u16::BITS;
/// Units of a correction per centipawn.
const CORRECTION_GRAIN: i32 = 256;
/// Largest depth that weights a correction, plies: at greater depths a step beyond twice the error
/// would oscillate.
const CORRECTION_DEPTH_MAX: i32 = 32;

impl std::fmt::Debug for Histories {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Histories")
    }
}

impl Default for Histories {
    fn default() -> Self {
        Self {
            quiet: Box::new([[[[0; 64]; 64]; 4]; 2]),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT],
            capture: Box::new([[[0; 6]; 64]; 6]),
            correction: vec![[[0; CORRECTIONS]; 3]; 2],
            correction_moves: vec![[0; PieceTo::COUNT]; PieceTo::COUNT],
            counter: vec![None; PieceTo::COUNT],
            sums: Box::new([[[0; 64]; 64]; 2]),
            ordering: MoveOrdering::Base,
            constants: SearchConstants::DEFAULT,
        }
    }
}

fn gravity(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let now = i32::from(*entry);
    *entry = (now + bonus - now * bonus.abs() / LIMIT) as i16;
}

/// Context of a quiet move: the side and the earlier moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// The side to move.
    pub color: Color,
    /// Moves one, two and four plies ago.
    pub earlier: [PieceTo; 3],
    /// Squares that the opponent attacks.
    pub attacked: Bitboard,
}

impl Context {
    /// Returns whether the opponent attacks the squares of a move: 2 for the origin, plus 1 for the
    /// destination. A flight and a move into danger have histories of their own.
    #[inline]
    fn exposure(&self, mv: Move) -> usize {
        let attacked = |square| usize::from(self.attacked.contains(square));
        2 * attacked(mv.from()) + attacked(mv.to())
    }
}

impl Histories {
    /// Prepares for a search from a new root.
    pub(super) fn begin(&mut self, ordering: MoveOrdering, constants: &SearchConstants) {
        (self.ordering, self.constants) = (ordering, *constants);
        if ordering == MoveOrdering::Bounded {
            self.sums.iter_mut().flatten().flatten().for_each(|sum| *sum /= 2);
        }
    }

    /// Returns the ordering score of a quiet move: butterfly plus continuation histories. Sums of
    /// the experiment `Bounded` are halved, so that their limit is that of the other tables.
    #[inline]
    pub(super) fn quiet(&self, context: &Context, role: Role, mv: Move) -> i32 {
        let piece_to = PieceTo::new(context.color, role, mv);
        let continued = |earlier: PieceTo| {
            i32::from(self.continuation[earlier.0 as usize][piece_to.0 as usize])
        };
        let (color, from, to) = (context.color.index(), mv.from().index(), mv.to().index());
        if self.ordering == MoveOrdering::Bounded {
            return i32::from(self.sums[color][from][to]) / 2 + continued(context.earlier[0]);
        }
        i32::from(self.quiet[color][context.exposure(mv)][from][to])
            + continued(context.earlier[0])
            + continued(context.earlier[1])
            + continued(context.earlier[2]) * self.constants.fourth_weight / 64
    }

    /// Adds a bonus (a malus if negative) to a quiet move.
    pub(super) fn update_quiet(&mut self, context: &Context, role: Role, mv: Move, bonus: i32) {
        let piece_to = PieceTo::new(context.color, role, mv);
        let (color, from, to) = (context.color.index(), mv.from().index(), mv.to().index());
        match self.ordering {
            MoveOrdering::Base => {
                gravity(&mut self.quiet[color][context.exposure(mv)][from][to], bonus);
            }
            MoveOrdering::Bounded => {
                let sum = &mut self.sums[color][from][to];
                *sum = MoveOrdering::added(*sum, bonus);
            }
        }
        let plies = if self.constants.fourth_weight > 0 { 3 } else { 2 };
        for earlier in &context.earlier[..plies] {
            if !earlier.is_none() {
                gravity(&mut self.continuation[earlier.0 as usize][piece_to.0 as usize], bonus);
            }
        }
    }

    /// Adds a bonus to the butterfly history of a quiet move only.
    pub(super) fn update_butterfly(&mut self, context: &Context, mv: Move, bonus: i32) {
        let table = &mut self.quiet[context.color.index()][context.exposure(mv)];
        gravity(&mut table[mv.from().index()][mv.to().index()], bonus);
    }

    /// Returns the ordering score of a capture.
    pub(super) fn capture(&self, role: Role, mv: Move, captured: Role) -> i32 {
        i32::from(self.capture[role.index()][mv.to().index()][captured.index()])
    }

    /// Adds a bonus (a malus if negative) to a capture.
    pub(super) fn update_capture(&mut self, role: Role, mv: Move, captured: Role, bonus: i32) {
        gravity(&mut self.capture[role.index()][mv.to().index()][captured.index()], bonus);
    }

    /// Returns the countermove: the quiet move that last refuted this one.
    pub(super) fn counter_move(&self, piece_to: PieceTo) -> Option<Move> {
        self.counter[piece_to.0 as usize]
    }

    /// Sets the countermove.
    pub(super) fn set_counter_move(&mut self, piece_to: PieceTo, mv: Move) {
        self.counter[piece_to.0 as usize] = Some(mv);
    }

    /// Returns the average error of the static evaluation, centipawns (positive if too low), with
    /// these pawns, these pieces and after these last moves.
    pub(super) fn correction(&self, position: &Position, last: [PieceTo; 2]) -> Value {
        let constants = &self.constants;
        let own = &self.correction[position.turn().index()];
        let structures = position.structures();
        let of = |kind: usize| i32::from(own[kind][usize::from(structures[kind])]);
        let mut sum = of(0) * constants.correction_pawns;
        if constants.correction_pieces > 0 {
            sum += (of(1) + of(2)) * constants.correction_pieces;
        }
        if constants.correction_moves > 0 {
            let moves = self.correction_moves[last[1].0 as usize][last[0].0 as usize];
            sum += i32::from(moves) * constants.correction_moves;
        }
        sum / (128 * CORRECTION_GRAIN)
    }

    /// Prefetches the entries that [`Histories::correction`] will read for these last moves.
    #[inline]
    pub(super) fn prefetch_correction(&self, last: [PieceTo; 2]) {
        prefetch(&self.correction_moves[last[1].0 as usize][last[0].0 as usize]);
    }

    /// Prefetches the entries that [`Histories::correction`] will read for this position.
    #[inline]
    pub(super) fn prefetch_structures(&self, position: &Position) {
        let own = &self.correction[position.turn().index()];
        for (table, key) in own.iter().zip(position.structures()) {
            prefetch(&table[usize::from(key)]);
        }
    }

    /// Learns from a search result that is `error` centipawns above the *corrected* evaluation.
    ///
    /// Each table learns the error that remains after all corrections, not its own distance from
    /// the result. The loop is closed: learning ends once the corrected evaluation is right, for
    /// any sum of the weights. A table that learned the whole error would add its share to the
    /// corrections of the others. Results of the next, deeper iteration rest on corrected
    /// evaluations and would increase the correction further. A step is at most a quarter of the
    /// limit, and an entry decays with each update.
    pub(super) fn update_correction(
        &mut self,
        position: &Position,
        last: [PieceTo; 2],
        depth: i32,
        error: Value,
    ) {
        let limit = self.constants.correction_limit * CORRECTION_GRAIN;
        let depth = depth.clamp(1, CORRECTION_DEPTH_MAX);
        let step = (error * CORRECTION_GRAIN * depth / self.constants.correction_rate)
            .clamp(-limit / 4, limit / 4);
        let moved = |entry: i16| {
            let entry = i32::from(entry);
            (entry + step - entry * step.abs() / limit) as i16
        };
        let own = &mut self.correction[position.turn().index()];
        let kinds = if self.constants.correction_pieces > 0 { 3 } else { 1 };
        for (table, key) in own.iter_mut().zip(position.structures()).take(kinds) {
            let entry = &mut table[usize::from(key)];
            *entry = moved(*entry);
        }
        if self.constants.correction_moves > 0 {
            let entry = &mut self.correction_moves[last[1].0 as usize][last[0].0 as usize];
            *entry = moved(*entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Context, Histories, LIMIT, PieceTo};
    use umbrail_chess::geometry::{Bitboard, Color, Setup, Square};
    use umbrail_chess::{Move, Position, Role};

    #[test]
    fn learning_never_leaves_the_limits() {
        let mut histories = Histories::default();
        let mv = Move::new(Square::G1, Square::F3);
        let earlier = PieceTo::new(Color::Black, Role::Pawn, Move::new(Square::E7, Square::E5));
        let context = Context {
            color: Color::White,
            earlier: [earlier, PieceTo::NONE, PieceTo::NONE],
            attacked: Bitboard::EMPTY,
        };
        for bonus in [1, 500, 2_000, 99_999] {
            for _ in 0..1_000 {
                histories.update_quiet(&context, Role::Knight, mv, bonus);
            }
        }
        let good = histories.quiet(&context, Role::Knight, mv);
        assert!(good > LIMIT && good <= 2 * LIMIT, "{good}");
        for _ in 0..1_000 {
            histories.update_quiet(&context, Role::Knight, mv, -2_000);
        }
        assert!(histories.quiet(&context, Role::Knight, mv) < -LIMIT);
    }

    /// Teaches a result until the correction is constant. `result` returns the search result
    /// relative to the uncorrected evaluation for a given correction. Returns the corrections on
    /// the way, centipawns.
    fn teach(depth: i32, result: impl Fn(f64) -> f64) -> Vec<i32> {
        let mut histories = Histories::default();
        let setup: Setup =
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3".parse().unwrap();
        let position = Position::try_from(&setup).unwrap();
        let last = [
            PieceTo::new(Color::Black, Role::Knight, Move::new(Square::B8, Square::C6)),
            PieceTo::new(Color::White, Role::Knight, Move::new(Square::G1, Square::F3)),
        ];
        let learned = (0..2_000).map(|_| {
            let correction = histories.correction(&position, last);
            let error = result(f64::from(correction)).round() as i32 - correction;
            histories.update_correction(&position, last, depth, error);
            histories.correction(&position, last)
        });
        learned.collect()
    }

    #[test]
    fn a_right_evaluation_teaches_nothing() {
        assert_eq!(teach(12, |correction| correction), [0; 2_000]);
        // Without an error no table changes, whatever the others hold.
        let settled = teach(12, |correction| if correction < 30.0 { 60.0 } else { correction });
        assert!(settled[1_000..].iter().all(|&correction| correction == settled[999]));
    }

    #[test]
    fn corrections_settle_where_they_explain_the_result() {
        // Results of deep searches rest on corrected evaluations and contain a share of the
        // correction. The sum of the weights exceeds 1, so tables that each learned the whole error
        // would grow to their limits.
        for (share, depth) in [(0.0, 3), (0.0, 12), (0.5, 12), (0.5, 30), (0.9, 12), (0.9, 60)] {
            for goal in [-50.0, -9.0, 20.0, 40.0] {
                let error = goal * (1.0 - share);
                let learned = teach(depth, |correction| error + share * correction);
                let beyond = learned.iter().map(|&it| (f64::from(it) / goal - 1.0) * goal.abs());
                assert!(
                    beyond.fold(f64::MIN, f64::max) < 2.0,
                    "{share} {depth} {goal} {learned:?}"
                );
                let last = f64::from(*learned.last().unwrap());
                let short = (goal - last) / goal;
                // Rounding to centipawns stops learning a little early where only a small part of
                // the result is an error.
                assert!(short * goal.abs() <= 6.0, "{share} {depth} {goal}: {last}");
            }
        }
    }
}
