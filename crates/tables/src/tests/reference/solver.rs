//! Graph solver on templates: one value for each position, no words, no symmetries. It shares the
//! templates with the builder and nothing else.
//!
//! A position is the squares of all pieces, two royals first, and the side to move. Mates are found
//! forward; values then spread backward, ply by ply, with a counter of undecided moves for each
//! position.

use crate::fairy::{Piece, Template, Templates};
use std::collections::HashMap;
use std::sync::Arc;
use umbrail_chess::geometry::Color;

const ILLEGAL: u16 = u16::MAX;
const UNKNOWN: u16 = 0;
/// Counter of a position with a move that neither wins nor loses.
const ESCAPES: u8 = u8::MAX;

/// A piece, its color, and the templates of its moves.
#[derive(Clone)]
pub(super) struct ReferencePiece {
    pub(super) color: Color,
    templates: Arc<Templates>,
    /// Quiet moves by target.
    back: Arc<Vec<Vec<Template>>>,
}

impl ReferencePiece {
    pub(super) fn new(piece: &Piece, color: Color) -> Self {
        let templates = piece.move_templates(color);
        let mut back = vec![Vec::new(); 64];
        for template in templates.quiet.all() {
            back[usize::from(template.to)].push(*template);
        }
        Self { color, templates: Arc::new(templates), back: Arc::new(back) }
    }
}

/// Values of all positions of some pieces.
pub(super) struct Reference {
    pieces: Vec<ReferencePiece>,
    /// Plies + 1 until the end for the winner or the loser, as odd or even plies.
    values: Vec<u16>,
}

/// Squares of the pieces, and the side to move.
type Squares = ([u8; 4], Color);

/// Solves materials, the smaller ones first; the set of pieces is the key.
pub(super) struct ReferenceSolver {
    all: Vec<ReferencePiece>,
    solved: HashMap<u32, Arc<Reference>>,
}

impl ReferenceSolver {
    pub(super) fn new(all: Vec<ReferencePiece>) -> Self {
        Self { all, solved: HashMap::new() }
    }

    /// Solves the pieces of a set and all that captures leave of them.
    pub(super) fn solve(&mut self, set: u32) -> Arc<Reference> {
        if let Some(known) = self.solved.get(&set) {
            return known.clone();
        }
        let numbers: Vec<usize> = (0..self.all.len()).filter(|n| set >> n & 1 != 0).collect();
        let mut after = HashMap::new();
        for victims in 1..1u32 << numbers.len() {
            let count = victims.count_ones();
            if victims & 3 != 0 || count > 2 {
                continue;
            }
            let gone = (0..numbers.len()).filter(|n| victims >> n & 1 != 0);
            let left = gone.fold(set, |left, n| left & !(1 << numbers[n]));
            if count == 1 || self.all.iter().any(|piece| piece.templates.takes_two) {
                after.insert(victims, self.solve(left));
            }
        }
        let pieces = numbers.iter().map(|&n| self.all[n].clone()).collect();
        let mut reference = Reference { pieces, values: vec![] };
        reference.fill(&after);
        let reference = Arc::new(reference);
        self.solved.insert(set, reference.clone());
        reference
    }
}

impl Reference {
    /// Returns the plies until the end; the side to move wins if they are odd. None for a draw and
    /// for an illegal position.
    pub(super) fn plies(&self, squares: &[u8], turn: Color) -> Option<usize> {
        match self.values[self.index(squares, turn)] {
            UNKNOWN | ILLEGAL => None,
            value => Some(usize::from(value) - 1),
        }
    }

    fn index(&self, squares: &[u8], turn: Color) -> usize {
        let turn = usize::from(!turn.is_white());
        squares[..self.pieces.len()].iter().fold(turn, |sum, &at| sum * 64 + usize::from(at))
    }

    fn position(&self, index: usize) -> Squares {
        let (mut squares, mut rest) = ([0; 4], index);
        for square in squares[..self.pieces.len()].iter_mut().rev() {
            *square = (rest % 64) as u8;
            rest /= 64;
        }
        (squares, if rest == 0 { Color::White } else { Color::Black })
    }

    /// Returns the squares of a piece's own side without itself, and of the enemy.
    fn around(&self, squares: &[u8; 4], mover: usize) -> (u64, u64) {
        let (mut own, mut enemy) = (0, 0);
        for (number, piece) in self.pieces.iter().enumerate().filter(|(n, _)| *n != mover) {
            let side = if piece.color == self.pieces[mover].color { &mut own } else { &mut enemy };
            *side |= 1u64 << squares[number];
        }
        (own, enemy)
    }

    fn is_legal(&self, squares: &[u8; 4], turn: Color) -> bool {
        let count = self.pieces.len();
        let distinct = (1..count).all(|n| !squares[..n].contains(&squares[n]));
        distinct && !self.attacks_royal(squares, turn)
    }

    /// Returns true when this side could capture the other royal.
    fn attacks_royal(&self, squares: &[u8; 4], by: Color) -> bool {
        let royal = 1u64 << squares[usize::from(by.is_white())];
        (0..self.pieces.len()).filter(|&n| self.pieces[n].color == by).any(|mover| {
            let (own, enemy) = self.around(squares, mover);
            let captures = self.pieces[mover].templates.captures.at(squares[mover]);
            captures.iter().any(|t| t.take & royal != 0 && t.holds(own, enemy))
        })
    }

    /// Calls `visit` with the template of each pseudo-legal move and its mover.
    fn each_move(&self, (squares, turn): &Squares, mut visit: impl FnMut(usize, &Template)) {
        for mover in (0..self.pieces.len()).filter(|&n| self.pieces[n].color == *turn) {
            let (own, enemy) = self.around(squares, mover);
            let templates = &self.pieces[mover].templates;
            for list in [&templates.quiet, &templates.captures] {
                for template in list.at(squares[mover]).iter().filter(|t| t.holds(own, enemy)) {
                    visit(mover, template);
                }
            }
        }
    }

    fn fill(&mut self, after: &HashMap<u32, Arc<Self>>) {
        let size = 2 * 64usize.pow(self.pieces.len() as u32);
        self.values = vec![UNKNOWN; size];
        for index in 0..size {
            let (squares, turn) = self.position(index);
            if !self.is_legal(&squares, turn) {
                self.values[index] = ILLEGAL;
            }
        }
        let mut counts = vec![0u8; size];
        // Longest losing capture of each position that has one.
        let mut losing = vec![0u16; size];
        let mut due: Vec<Vec<u32>> = vec![];
        for index in 0..size {
            if self.values[index] != ILLEGAL {
                self.start(index, after, &mut counts, &mut losing, &mut due);
            }
        }
        let mut ply = 0;
        while ply < due.len() {
            for index in std::mem::take(&mut due[ply]) {
                if self.values[index as usize] == UNKNOWN {
                    self.values[index as usize] = ply as u16 + 1;
                    self.spread(index as usize, ply, &mut counts, &losing, &mut due);
                }
            }
            ply += 1;
        }
    }

    /// Counts the moves of a position and schedules what its captures, or a mate, decide.
    fn start(
        &self,
        index: usize,
        after: &HashMap<u32, Arc<Self>>,
        counts: &mut [u8],
        losing: &mut [u16],
        due: &mut Vec<Vec<u32>>,
    ) {
        let position = self.position(index);
        let (squares, turn) = position;
        let (mut quiet, mut escapes, mut any) = (0u8, false, false);
        let (mut best, mut worst) = (u16::MAX, 0);
        self.each_move(&position, |mover, template| {
            let mut to = squares;
            to[mover] = template.to;
            if template.is_quiet() {
                if self.values[self.index(&to, !turn)] != ILLEGAL {
                    (quiet, any) = (quiet + 1, true);
                }
                return;
            }
            let pieces = self.pieces.len();
            let taken = (0..pieces).filter(|&n| n != mover && template.take >> squares[n] & 1 != 0);
            let victims = taken.fold(0u32, |set, n| set | 1 << n);
            let Some(table) = after.get(&victims) else { panic!("{template}: {victims:b}") };
            let left: Vec<u8> =
                (0..pieces).filter(|n| victims >> n & 1 == 0).map(|n| to[n]).collect();
            match table.values[table.index(&left, !turn)] {
                ILLEGAL => return,
                UNKNOWN => escapes = true,
                // Odd values are even plies: the opponent is lost.
                value if value % 2 == 1 => (best, escapes) = (best.min(value), true),
                value => worst = worst.max(value),
            }
            any = true;
        });
        if best < u16::MAX {
            schedule(due, usize::from(best), index);
        }
        counts[index] = if escapes { ESCAPES } else { quiet };
        if !any && self.attacks_royal(&squares, !turn) {
            schedule(due, 0, index);
        } else if !any {
            counts[index] = ESCAPES;
        } else if !escapes && quiet == 0 {
            schedule(due, usize::from(worst), index);
        }
        losing[index] = worst;
    }

    /// Spreads a new value to the positions from which a quiet move leads to it.
    fn spread(
        &self,
        index: usize,
        ply: usize,
        counts: &mut [u8],
        losing: &[u16],
        due: &mut Vec<Vec<u32>>,
    ) {
        let (squares, turn) = self.position(index);
        for mover in (0..self.pieces.len()).filter(|&n| self.pieces[n].color != turn) {
            let (own, enemy) = self.around(&squares, mover);
            let piece = &self.pieces[mover];
            for template in &piece.back[usize::from(squares[mover])] {
                if !template.holds(own, enemy) {
                    continue;
                }
                let mut from = squares;
                from[mover] = template.from;
                let before = self.index(&from, !turn);
                if self.values[before] != UNKNOWN {
                    continue;
                }
                if ply.is_multiple_of(2) {
                    schedule(due, ply + 1, before);
                } else if counts[before] != ESCAPES {
                    counts[before] -= 1;
                    if counts[before] == 0 {
                        schedule(due, usize::from(losing[before]).max(ply + 1), before);
                    }
                }
            }
        }
    }
}

fn schedule(due: &mut Vec<Vec<u32>>, ply: usize, index: usize) {
    if due.len() <= ply {
        due.resize_with(ply + 1, Vec::new);
    }
    due[ply].push(index as u32);
}
