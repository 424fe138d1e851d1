//! Graph solver on templates: one value for each position, no words, no symmetries, on any board.
//! It shares the templates with the builders and nothing else.
//!
//! A position is the squares of all pieces, two royals first, and the side to move. Mates are found
//! forward; values then spread backward, ply by ply, with a counter of undecided moves for each
//! position.

use crate::fairy::{Piece, Template};
use std::collections::HashMap;
use std::sync::Arc;
use umbrail_chess::geometry::Color;

const ILLEGAL: u16 = u16::MAX;
const UNKNOWN: u16 = 0;
/// Counter of a position with a move that neither wins nor loses.
const ESCAPES: u8 = u8::MAX;

/// Template, and the number of the piece that the mover becomes.
type Move = (Template<u128>, Option<usize>);

/// A piece, its color, and the templates of its moves.
#[derive(Clone)]
pub(crate) struct ReferencePiece {
    pub(crate) color: Color,
    /// Squares where the piece may stand.
    pub(crate) zone: u128,
    /// Moves by square.
    moves: Vec<Vec<Move>>,
    /// Quiet moves without promotion by target.
    back: Vec<Vec<Template<u128>>>,
}

impl ReferencePiece {
    pub(super) fn new(piece: &Piece, color: Color) -> Self {
        let templates = piece.move_templates(color);
        let all = templates.quiet.all().iter().chain(templates.captures.all());
        let wide = |t: &Template| Template {
            from: t.from,
            to: t.to,
            empty: t.empty.into(),
            all: t.all.into(),
            one: t.one.into(),
            own: t.own.into(),
            take: t.take.into(),
        };
        Self::with_moves(color, u64::MAX.into(), 64, all.map(|t| (wide(t), None)))
    }

    pub(crate) fn with_moves(
        color: Color,
        zone: u128,
        squares: usize,
        all: impl Iterator<Item = Move>,
    ) -> Self {
        let (mut moves, mut back) = (vec![Vec::new(); squares], vec![Vec::new(); squares]);
        for (template, becomes) in all {
            moves[usize::from(template.from)].push((template, becomes));
            if template.is_quiet() && becomes.is_none() {
                back[usize::from(template.to)].push(template);
            }
        }
        Self { color, zone, moves, back }
    }
}

/// Rules besides the moves.
#[derive(Clone, Default)]
pub(crate) struct ReferenceRules {
    pub(crate) stalemate_loses: bool,
    /// A side that has only its royal has lost.
    pub(crate) bare_loses: bool,
    /// A bare side that bares the other one at once draws.
    pub(crate) bares_back: bool,
    /// Captures of a royal by a royal along open files.
    pub(crate) facing: Vec<Template<u128>>,
}

/// Values of all positions of some pieces.
pub(crate) struct Reference {
    pieces: Vec<Arc<ReferencePiece>>,
    squares: usize,
    rules: ReferenceRules,
    /// Plies + 1 until the end for the winner or the loser, as odd or even plies.
    values: Vec<u16>,
}

/// Squares of the pieces, and the side to move.
type Squares = ([u8; 4], Color);

/// Solves materials, the smaller ones first; the numbers of the pieces are the key.
pub(crate) struct ReferenceSolver {
    all: Vec<Arc<ReferencePiece>>,
    squares: usize,
    rules: ReferenceRules,
    solved: HashMap<Vec<usize>, Arc<Reference>>,
}

/// Captured pieces, as a set of places, and the place that promotes with its new piece.
type Change = (u32, Option<(usize, usize)>);

impl ReferenceSolver {
    pub(super) fn new(all: Vec<ReferencePiece>) -> Self {
        Self::on_board(64, all, ReferenceRules::default())
    }

    pub(crate) fn on_board(
        squares: usize,
        all: Vec<ReferencePiece>,
        rules: ReferenceRules,
    ) -> Self {
        let all = all.into_iter().map(Arc::new).collect();
        Self { all, squares, rules, solved: HashMap::new() }
    }

    /// Solves these pieces and all that captures and promotions leave of them.
    pub(crate) fn solve(&mut self, numbers: &[usize]) -> Arc<Reference> {
        if let Some(known) = self.solved.get(numbers) {
            return known.clone();
        }
        let mut changes: Vec<Change> = vec![];
        for (place, &mover) in numbers.iter().enumerate() {
            let mover = self.all[mover].clone();
            for (template, becomes) in mover.moves.iter().flatten() {
                let promoted = becomes.map(|becomes| (place, becomes));
                for victims in 0..1u32 << numbers.len() {
                    let enemies = (0..numbers.len()).filter(|n| victims >> n & 1 != 0);
                    let fits =
                        enemies.into_iter().all(|n| self.all[numbers[n]].color != mover.color);
                    let size = victims.count_ones() == template.take.count_ones();
                    let change = (victims, promoted);
                    if fits
                        && size
                        && victims & 3 == 0
                        && change != (0, None)
                        && !changes.contains(&change)
                    {
                        changes.push(change);
                    }
                }
            }
        }
        let mut after = HashMap::new();
        for (victims, promoted) in changes {
            let left = (0..numbers.len()).filter(|n| victims >> n & 1 == 0);
            let kind = |n: usize| match promoted {
                Some((place, becomes)) if place == n => becomes,
                _ => numbers[n],
            };
            let left: Vec<usize> = left.map(kind).collect();
            after.insert((victims, promoted), self.solve(&left));
        }
        let pieces = numbers.iter().map(|&n| self.all[n].clone()).collect();
        let (squares, rules) = (self.squares, self.rules.clone());
        let mut reference = Reference { pieces, squares, rules, values: vec![] };
        reference.fill(&after);
        let reference = Arc::new(reference);
        self.solved.insert(numbers.to_vec(), reference.clone());
        reference
    }
}

impl Reference {
    /// Returns the plies until the end; the side to move wins if they are odd. None for a draw and
    /// for an illegal position.
    pub(crate) fn plies(&self, squares: &[u8], turn: Color) -> Option<usize> {
        match self.values[self.index(squares, turn)] {
            UNKNOWN | ILLEGAL => None,
            value => Some(usize::from(value) - 1),
        }
    }

    fn index(&self, squares: &[u8], turn: Color) -> usize {
        let turn = usize::from(!turn.is_white());
        let squares = squares[..self.pieces.len()].iter();
        squares.fold(turn, |sum, &at| sum * self.squares + usize::from(at))
    }

    fn position(&self, index: usize) -> Squares {
        let (mut squares, mut rest) = ([0; 4], index);
        for square in squares[..self.pieces.len()].iter_mut().rev() {
            *square = (rest % self.squares) as u8;
            rest /= self.squares;
        }
        (squares, if rest == 0 { Color::White } else { Color::Black })
    }

    /// Returns the squares of a piece's own side without itself, and of the enemy.
    fn around(&self, squares: &[u8; 4], mover: usize) -> (u128, u128) {
        let (mut own, mut enemy) = (0, 0);
        for (number, piece) in self.pieces.iter().enumerate().filter(|(n, _)| *n != mover) {
            let side = if piece.color == self.pieces[mover].color { &mut own } else { &mut enemy };
            *side |= 1u128 << squares[number];
        }
        (own, enemy)
    }

    fn is_bare(&self, color: Color) -> bool {
        self.rules.bare_loses
            && self.pieces.iter().filter(|piece| piece.color == color).count() == 1
    }

    fn is_legal(&self, squares: &[u8; 4], turn: Color) -> bool {
        let count = self.pieces.len();
        let distinct = (1..count).all(|n| !squares[..n].contains(&squares[n]));
        let inside = (0..count).all(|n| self.pieces[n].zone >> squares[n] & 1 != 0);
        distinct && inside && !self.attacks_royal(squares, turn)
    }

    /// Returns true when this side could capture the other royal.
    fn attacks_royal(&self, squares: &[u8; 4], by: Color) -> bool {
        let royal = 1u128 << squares[usize::from(by.is_white())];
        (0..self.pieces.len()).filter(|&n| self.pieces[n].color == by).any(|mover| {
            let (own, enemy) = self.around(squares, mover);
            let hits = |t: &Template<u128>| t.take & royal != 0 && t.holds(own, enemy);
            let faces = self.rules.facing.iter().filter(|t| mover < 2 && t.from == squares[mover]);
            let moves = &self.pieces[mover].moves[usize::from(squares[mover])];
            moves.iter().map(|(t, _)| t).chain(faces).any(hits)
        })
    }

    /// Calls `visit` with each pseudo-legal move and its mover.
    fn each_move(&self, (squares, turn): &Squares, mut visit: impl FnMut(usize, &Move)) {
        for mover in (0..self.pieces.len()).filter(|&n| self.pieces[n].color == *turn) {
            let (own, enemy) = self.around(squares, mover);
            let moves = &self.pieces[mover].moves[usize::from(squares[mover])];
            for mv in moves.iter().filter(|(t, _)| t.holds(own, enemy)) {
                visit(mover, mv);
            }
        }
    }

    fn fill(&mut self, after: &HashMap<Change, Arc<Self>>) {
        let size = 2 * self.squares.pow(self.pieces.len() as u32);
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
        after: &HashMap<Change, Arc<Self>>,
        counts: &mut [u8],
        losing: &mut [u16],
        due: &mut Vec<Vec<u32>>,
    ) {
        let position = self.position(index);
        let (squares, turn) = position;
        let (mut quiet, mut escapes, mut any) = (0u8, false, false);
        let (mut best, mut worst) = (u16::MAX, 0);
        self.each_move(&position, |mover, (template, becomes)| {
            let mut to = squares;
            to[mover] = template.to;
            if template.is_quiet() && becomes.is_none() {
                if self.values[self.index(&to, !turn)] != ILLEGAL {
                    (quiet, any) = (quiet + 1, true);
                }
                return;
            }
            let pieces = self.pieces.len();
            let taken = (0..pieces).filter(|&n| n != mover && template.take >> squares[n] & 1 != 0);
            let victims = taken.fold(0u32, |set, n| set | 1 << n);
            if victims & 3 != 0 {
                return;
            }
            let promoted = becomes.map(|becomes| (mover, becomes));
            let Some(table) = after.get(&(victims, promoted)) else {
                panic!("{template:?}: {victims:b}")
            };
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
        if self.is_bare(turn) || self.is_bare(!turn) {
            counts[index] = ESCAPES;
            let draws = self.is_bare(!turn) || self.rules.bares_back && escapes;
            if !draws {
                schedule(due, 0, index);
            }
            return;
        }
        if best < u16::MAX {
            schedule(due, usize::from(best), index);
        }
        counts[index] = if escapes { ESCAPES } else { quiet };
        if !any && (self.rules.stalemate_loses || self.attacks_royal(&squares, !turn)) {
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
        if Color::ALL.into_iter().any(|color| self.is_bare(color)) {
            return;
        }
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
