//! One side alone: could its men still go their ways if nobody of the other side hindered them?
//!
//! Most positions without a future fail because one side's men stand in each other's way, whatever the
//! other side has done meanwhile. So each side is played by itself, once for each of its placements,
//! instead of once for each placement of both.

use crate::analyse::legs::Goal;
use crate::distance::cache::Atlas;
use crate::distance::cache::Map;
use crate::problem::man::{Man, MenSet};
use crate::search::bound::{Blockade, Bound, Rows};
use crate::search::state::board::{Board, NOBODY, Undo};
use crate::search::state::moves::{self, Choice, Choices, Deed};
use crate::search::state::script::Script;
use crate::strategy::castling_rook;
use crate::strategy::notation::castled;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Color, Square};

/// Placements kept for each side; more are tried afresh each time.
const KNOWN_MAX: usize = 1 << 20;

/// After so many moves a question is left open, which counts as yes.
const MOVES_MAX: u64 = 3_000;

/// So many moves may be made here for nothing, one for every two in play, and so many for each position that
/// is refuted: where this is of no use, it takes a third of the time at most.
const MOVES_FIRST: u64 = 200;
const MOVES_EARNED: u64 = 2;

/// What is known of one side's placements: with fewer moves than the first number it fails, with the second
/// or more it is not known to.
type Known = Map<u128, (u8, u8)>;

/// Rule B3, with its memory, for one strategy.
#[derive(Default)]
pub(crate) struct Alone {
    known: [Known; 2],
    /// Moves made in all.
    moves: u64,
    /// Positions refuted.
    refuted: u64,
}

/// What stays the same while one question is answered.
pub(crate) struct Asked<'a> {
    pub(crate) script: &'a Script,
    pub(crate) atlas: &'a Atlas,
    pub(crate) blockade: Blockade,
    pub(crate) color: Color,
    /// How many moves have been made in play.
    pub(crate) played: u64,
}

impl Alone {
    /// Whether a side can go all its ways with so many moves, if the other side is not there.
    ///
    /// *Admissible*: take any game from the position on and leave out the other side's moves, and those of
    /// men who already stand where they are to be taken. What remains are moves of this side, no more than
    /// it has left; each is still possible, because leaving men out never shuts a way, and the men
    /// that rest, promote, capture and castle still do. Enemies that never move are where they are in every
    /// game; that a king is not in check, and that a victim is there, is not asked. Rules B1 and B2 hold
    /// for one side as they do for both. So if no order of such moves is left, no game is.
    pub(crate) fn allows(
        &mut self,
        asked: &Asked<'_>,
        board: &Board,
        left: i16,
        rows: &mut Rows,
    ) -> bool {
        let key = board.side_key(asked.script, asked.color);
        let able = self.recall(asked.color, key, left);
        let able = able.unwrap_or_else(|| self.ask(asked, board, key, left, rows));
        self.refuted += u64::from(!able);
        able
    }

    fn ask(
        &mut self,
        asked: &Asked<'_>,
        board: &Board,
        key: u128,
        left: i16,
        rows: &mut Rows,
    ) -> bool {
        if self.moves > MOVES_FIRST + asked.played / 2 + MOVES_EARNED * self.refuted {
            return true;
        }
        let mut board = board.side(asked.script, asked.color);
        let tools = (asked.atlas, &mut *rows);
        let (script, color) = (asked.script, asked.color);
        let bound = Bound::side(script, &board, (color, left), tools, asked.blockade);
        let Some(bound) = bound else {
            self.note(asked.color, key, left, false);
            return false;
        };
        let limit = self.moves + MOVES_MAX;
        self.play(asked, &mut board, (&bound, key, left), rows, limit)
    }

    #[inline]
    fn recall(&self, color: Color, key: u128, left: i16) -> Option<bool> {
        let &(fails, open) = self.known[color.index()].get(&key)?;
        if left < i16::from(fails) {
            Some(false)
        } else if left >= i16::from(open) {
            Some(true)
        } else {
            None
        }
    }

    fn note(&mut self, color: Color, key: u128, left: i16, answer: bool) {
        let known = &mut self.known[color.index()];
        if known.len() >= KNOWN_MAX {
            return;
        }
        let entry = known.entry(key).or_insert((0, u8::MAX));
        let left = left.clamp(0, 250) as u8;
        if answer {
            entry.1 = entry.1.min(left);
        } else {
            entry.0 = entry.0.max(left + 1);
        }
    }

    /// Depth first, where the side has this key and so many moves left; true also when it takes too long.
    fn play(
        &mut self,
        asked: &Asked<'_>,
        board: &mut Board,
        (bound, key, left): (&Bound, u128, i16),
        rows: &mut Rows,
        limit: u64,
    ) -> bool {
        debug_assert_eq!(key, board.side_key(asked.script, asked.color));
        let c = asked.color.index();
        if bound.rest[c] == 0 {
            return true;
        }
        if let Some(answer) = self.recall(asked.color, key, left) {
            return answer;
        }
        let mut answer = false;
        let mut choices = Choices::new();
        list(asked, board, bound, left - bound.rest[c], rows, &mut choices);
        for choice in &choices {
            self.moves += 1;
            if self.moves >= limit {
                answer = true;
                break;
            }
            let mut next = bound.clone();
            let made = make(asked, board, &mut next, choice, left - 1, rows);
            let after = (&next, key ^ made.key, left - 1);
            let below = made.alive && self.play(asked, board, after, rows, limit);
            unmake(asked, board, choice, &made);
            if below {
                answer = true;
                break;
            }
        }
        self.note(asked.color, key, left, answer);
        answer
    }
}

struct Made {
    undo: Undo,
    /// The man that moved and the rook of a castling: number and square of each that only waits to be
    /// taken now and was removed.
    removed: [Option<(usize, Square)>; 2],
    /// What becomes different in the key of the side.
    key: u128,
    alive: bool,
}

fn make(
    asked: &Asked<'_>,
    board: &mut Board,
    bound: &mut Bound,
    choice: &Choice,
    left: i16,
    rows: &mut Rows,
) -> Made {
    let (script, atlas) = (asked.script, asked.atlas);
    let m = usize::from(choice.man);
    let mut rook = None;
    let new_leg = choice.deed != Deed::Quiet;
    let mut key = board.man_key(script, m);
    let undo = match choice.deed {
        Deed::Castle(wing) => {
            let man = castling_rook(asked.color, wing);
            rook = Some(man.index());
            key ^= board.man_key(script, man.index());
            board.castle(script, m, man.index(), choice.to, castled(man, wing))
        }
        _ => board.make(script, m, choice.to, NOBODY, new_leg),
    };
    let mut alive = bound.moved(script, board, m, new_leg, atlas, rows)
        && rook.is_none_or(|r| bound.moved(script, board, r, true, atlas, rows));
    // Castling moves two men, and each may have reached the square where it is taken.
    let removed = [Some(m), rook].map(|moved| {
        let man = moved?;
        if board.waits(script, man) {
            bound.taken(man);
            Some((man, board.vanish(script, man)))
        } else {
            key ^= board.man_key(script, man);
            None
        }
    });
    alive = alive
        && bound.settle(script, board, Bound::only(asked.color, left), atlas, rows, asked.blockade);
    Made { undo, removed, key, alive }
}

fn unmake(asked: &Asked<'_>, board: &mut Board, choice: &Choice, made: &Made) {
    for &(man, square) in made.removed.iter().flatten() {
        board.appear(asked.script, man, square);
    }
    board.unmake(asked.script, usize::from(choice.man), &made.undo);
}

/// The side's moves that its spare moves cover, milestones first.
fn list(
    asked: &Asked<'_>,
    board: &Board,
    bound: &Bound,
    spare: i16,
    rows: &mut Rows,
    choices: &mut Choices,
) {
    let script = asked.script;
    let occupied = board.occupied();
    let men = bound.alive.0 & !bound.finished.0 & !script.fixed.0;
    for man in MenSet(men).men() {
        let m = man.index();
        let leg = &script.legs[usize::from(board.leg[m])];
        let from = Square::new(board.at[m]);
        let (to, deed) = match leg.goal {
            Goal::Capture { square, victim, .. }
                if leg.gait.attacks(from, occupied).contains(square)
                    && !occupied.contains(square) =>
            {
                (square, Deed::Capture(victim.number()))
            }
            Goal::Promote { square, .. } if leg.gait.quiet(from, occupied).contains(square) => {
                (square, Deed::Promote)
            }
            Goal::Visit(square) if leg.gait.quiet(from, occupied).contains(square) => {
                (square, Deed::Visit)
            }
            Goal::Castle(wing) if man == Man::king(asked.color) => {
                let rook = castling_rook(asked.color, wing);
                let r = rook.index();
                let at_home =
                    board.at[r] == rook.origin().number() && board.leg[r] == script.first[r];
                let path = attacks::between(from, rook.origin());
                if !at_home || (path & occupied).any() {
                    continue;
                }
                (castled(man, wing), Deed::Castle(wing))
            }
            _ => continue,
        };
        choices.push(Choice { man: man.number(), to, deed });
    }
    for man in MenSet(men).men() {
        moves::quiet((script, asked.atlas), board, bound, i32::from(spare), man, rows, choices);
    }
}
