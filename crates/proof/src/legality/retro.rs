//! Taking moves back: best first until the initial position is reached, and exhaustively for short
//! histories.

use super::argument::Argument;
use super::homeward::Homeward;
use super::origins;
use super::stated::Stated;
use crate::problem::diagram::Diagram;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::retro::{LastMove, last_moves};
use umbrail_chess::{Move, Position, Role, SplitMix64, to_san};
use umbrail_control::{Control, FastSet};

/// Half-moves of a line that ends the proof by exhaustion.
const LINE_MAX: u32 = 12;

/// Positions of that proof.
const EXHAUSTED_MAX: u32 = 3_000;

/// Priority of one estimated move.
const MOVE: i64 = 8;

/// Estimated moves for a castling right that is still to be lost.
const RIGHT: i64 = 3;

/// A position with the moves from it to the one that was asked for.
struct RetroNode {
    position: Position,
    /// Rights that are still to be lost, as bits of the list.
    lost: u8,
    /// The node after the move.
    after: usize,
    mv: Move,
    plies: u32,
}

/// End of a search.
pub(super) enum RetroEnd {
    /// A game, played again from the initial position.
    Found(Vec<Move>),
    /// No game was found.
    Open {
        /// Positions from which moves were taken back.
        expanded: u64,
        /// Least estimate of all positions.
        nearest: u32,
    },
}

/// Best-first search from a position back to the initial one.
pub(super) struct RetroSearch<'a> {
    stated: &'a Stated,
    home: Homeward,
    /// Priority of a half-move that was taken back.
    weight: i64,
    /// Random addition to the priority, at most.
    noise: u64,
    random: SplitMix64,
}

impl<'a> RetroSearch<'a> {
    /// Prepares an attempt: the first follows the estimate alone, later ones leave more to chance.
    pub(super) fn new(stated: &'a Stated, attempt: u64) -> Self {
        let weight = (attempt % 3) as i64;
        let noise = 10 * attempt;
        let (home, random) = (Homeward::default(), SplitMix64::new(attempt + 1));
        Self { stated, home, weight, noise, random }
    }

    /// Takes moves back from at most this many positions.
    pub(super) fn run(mut self, expanded_max: u64, control: &Control<'_, ()>) -> RetroEnd {
        let lost = u8::try_from((1_u32 << self.stated.lost.len()) - 1).unwrap_or(u8::MAX);
        let position = self.stated.position;
        let root = RetroNode {
            position,
            lost,
            after: 0,
            mv: Move::new(Square::new(0), Square::new(0)),
            plies: 0,
        };
        let (mut nodes, mut queue) = (vec![root], BinaryHeap::new());
        queue.push((Reverse(0), 0));
        let mut known: FastSet<u64> = FastSet::default();
        let (mut expanded, mut nearest) = (0, u32::MAX);
        while let Some((_, at)) = queue.pop() {
            if is_goal(&nodes[at]) {
                match self.game(&nodes, at) {
                    Some(game) => return RetroEnd::Found(game),
                    None => continue,
                }
            }
            if expanded >= expanded_max || control.cancel.is_raised() {
                break;
            }
            expanded += 1;
            control.progress.nodes.add(1);
            let (position, lost, plies) = (nodes[at].position, nodes[at].lost, nodes[at].plies);
            let last =
                if at == 0 { first_retractions(self.stated) } else { retractions(&position) };
            for last in last {
                let lost = self.still_lost(lost, last.mv, last.before.turn());
                let key = last.before.key() ^ u64::from(lost).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                if !known.insert(key) || is_dead(&last.before) {
                    continue;
                }
                let estimate = self.home.estimate(&last.before);
                nearest = nearest.min(estimate.unsigned_abs());
                let rights = RIGHT * i64::from(lost.count_ones());
                let chance = if self.noise == 0 { 0 } else { self.random.below(self.noise) };
                let priority = (i64::from(estimate) + rights) * MOVE
                    + self.weight * i64::from(plies)
                    + chance as i64;
                queue.push((Reverse(priority), nodes.len()));
                let node = RetroNode {
                    position: last.before,
                    lost,
                    after: at,
                    mv: last.mv,
                    plies: plies + 1,
                };
                nodes.push(node);
            }
        }
        RetroEnd::Open { expanded, nearest }
    }

    /// Returns the rights that are still to be lost before a move: its piece has moved now.
    fn still_lost(&self, lost: u8, mv: Move, mover: Color) -> u8 {
        let entries = self.stated.lost.iter().enumerate();
        let own = |squares: &Bitboard| (self.stated.position.by_color(mover) & *squares).any();
        let moved = entries.filter(|(_, squares)| own(squares) && squares.contains(mv.to()));
        moved.fold(lost, |lost, (at, _)| lost & !(1 << at))
    }

    /// Returns the game from a node, if it leads to everything that is stated.
    fn game(&self, nodes: &[RetroNode], mut at: usize) -> Option<Vec<Move>> {
        let mut game = vec![];
        while at != 0 {
            game.push(nodes[at].mv);
            at = nodes[at].after;
        }
        self.stated.is_reached(&game).then_some(game)
    }
}

fn is_goal(node: &RetroNode) -> bool {
    let start = Position::startpos();
    node.lost == 0
        && node.position.turn().is_white()
        && node.position.occupied() == start.occupied()
        && Diagram::of(&node.position) == Diagram::of(&start)
}

/// Returns true if parity shows that the initial position cannot be reached any more.
fn is_dead(position: &Position) -> bool {
    position.occupied().len() == 32
        && origins::parity(&Diagram::of(position), position.turn()).is_some()
}

/// Returns the last moves of the position that was asked for.
fn first_retractions(stated: &Stated) -> Vec<LastMove> {
    match stated.passed {
        None => retractions(&stated.position),
        Some(None) => last_moves(&stated.position),
        Some(Some(square)) => {
            let is_double_step = |last: &LastMove| {
                let (from, to) = (last.mv.from(), last.mv.to());
                last.role == Role::Pawn
                    && from.file() == square.file()
                    && to.file() == square.file()
                    && from.rank().abs_diff(to.rank()) == 2
            };
            last_moves(&stated.position).into_iter().filter(is_double_step).collect()
        }
    }
}

/// Returns all last moves of a position of which nothing is known but its pieces, its side to move,
/// and the castling rights that later moves need. If a pawn can be taken en passant, it has just
/// made its double step.
fn retractions(position: &Position) -> Vec<LastMove> {
    let mut moves = last_moves(position);
    if position.en_passant().is_some() {
        return moves;
    }
    let mover = !position.turn();
    let (passed, stood) = if mover.is_white() { (2, 3) } else { (5, 4) };
    for square in position.pieces(mover, Role::Pawn) & Bitboard::rank(stood) {
        let beside = [-1, 1].into_iter().filter_map(|side| square.offset(side, 0));
        let enemies = position.pieces(position.turn(), Role::Pawn);
        if !beside.into_iter().any(|beside| enemies.contains(beside)) {
            continue;
        }
        let mut setup = position.to_setup();
        setup.en_passant = Some(Square::at(square.file(), passed));
        let passing = Position::try_from(&setup).ok();
        let passing = passing.filter(|passing| passing.en_passant().is_some());
        moves.extend(passing.iter().flat_map(last_moves));
    }
    moves
}

/// Returns an argument if every line of last moves ends early: retro-stalemate.
pub(super) fn exhausted(stated: &Stated, control: &Control<'_, ()>) -> Option<Argument> {
    if Diagram::of(&stated.position) == Diagram::of(&Position::startpos()) {
        return None;
    }
    let turn = stated.position.turn();
    let first = first_retractions(stated);
    if first.is_empty() {
        let checkers = stated.position.checkers().len();
        return Some(match checkers {
            0 => Argument::NoLastMove(!turn),
            _ => Argument::Check { color: turn, checkers },
        });
    }
    let mut names: Vec<String> = first.iter().map(|last| to_san(&last.before, last.mv)).collect();
    names.sort();
    names.dedup();
    let mut left = EXHAUSTED_MAX;
    let plies = longest_line(first, 1, &mut left, control)?;
    Some(Argument::Exhausted { plies, first: names.join(", ") })
}

/// Returns the length of the longest line that begins with these moves taken back, if all are
/// short.
fn longest_line(
    last: Vec<LastMove>,
    plies: u32,
    left: &mut u32,
    control: &Control<'_, ()>,
) -> Option<u32> {
    let mut longest = plies - 1;
    for last in last {
        let before = &last.before;
        let diagram = Diagram::of(before);
        *left = left.checked_sub(1)?;
        if diagram == Diagram::of(&Position::startpos()) || plies >= LINE_MAX {
            return None;
        }
        let rooks = before.castling_rooks();
        let kings = before.by_role(Role::King);
        let unmoved = Color::ALL.into_iter().fold(rooks, |unmoved, color| {
            let has_right = (rooks & before.by_color(color)).any();
            if has_right { unmoved | kings & before.by_color(color) } else { unmoved }
        });
        if control.cancel.is_raised() {
            return None;
        }
        // The move was possible, but no game leads to the position before it.
        longest = longest.max(plies);
        if !origins::refutes(&diagram, before.turn(), unmoved) {
            longest = longest.max(longest_line(retractions(before), plies + 1, left, control)?);
        }
    }
    Some(longest)
}
