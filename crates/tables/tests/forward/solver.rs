//! The slow builder: all positions of some men, gone over once for each ply; and a search that looks nothing up.

use super::position::{ForwardPiece, ForwardPosition};
use std::collections::HashMap;

/// All positions of some men; 0 for what is not decided, else plies + 1: odd plies are won, even ones lost for the
/// side to move.
pub(crate) struct ForwardTable {
    pub(crate) name: String,
    pub(crate) pieces: [ForwardPiece; 4],
    pub(crate) count: usize,
    /// Mirrors are left out: without pawns White's king keeps to the triangle a1 d1 d4, with them to half the board.
    pub(crate) folded: bool,
    pub(crate) double_steps: bool,
    pub(crate) values: Vec<u8>,
    pub(crate) longest: u8,
}

impl ForwardTable {
    pub(crate) fn new(name: &str, folded: bool) -> Self {
        let mut pieces = [ForwardPiece { white: true, kind: b'K', at: 0 }; 4];
        let (white, black) = name.split_once('.').expect("two sides");
        for (number, (kind, white)) in white
            .bytes()
            .map(|kind| (kind, true))
            .chain(black.bytes().map(|kind| (kind, false)))
            .enumerate()
        {
            pieces[number] = ForwardPiece { white, kind, at: 0 };
        }
        let count = white.len() + black.len();
        let values = vec![0; 2 << (6 * count)];
        let double_steps = true;
        Self { name: name.to_owned(), pieces, count, folded, double_steps, values, longest: 0 }
    }

    pub(crate) fn place(&self, index: usize) -> ForwardPosition {
        let mut pieces = self.pieces;
        for (number, piece) in pieces[..self.count].iter_mut().enumerate() {
            piece.at = (index >> (6 * number) & 63) as i8;
        }
        let white = index >> (6 * self.count) == 0;
        let (count, passed, castles, converted) = (self.count, None, None, false);
        let double_steps = self.double_steps;
        ForwardPosition { pieces, count, white, passed, castles, converted, double_steps }
    }

    pub(crate) fn index(&self, place: &ForwardPosition) -> usize {
        let royal = place.pieces[0].at;
        let has_pawns = self.pieces[..self.count].iter().any(|piece| piece.kind == b'P');
        let (mut across, mut up, mut swap) = (false, false, false);
        if self.folded {
            across = royal % 8 > 3;
            up = !has_pawns && royal / 8 > 3;
            let (file, rank) = (
                if across { 7 - royal % 8 } else { royal % 8 },
                if up { 7 - royal / 8 } else { royal / 8 },
            );
            swap = !has_pawns && rank > file;
        }
        let image = |at: i8| {
            let (mut file, mut rank) = (at % 8, at / 8);
            if across {
                file = 7 - file;
            }
            if up {
                rank = 7 - rank;
            }
            if swap {
                std::mem::swap(&mut file, &mut rank);
            }
            (rank * 8 + file) as usize
        };
        let pieces = place.pieces[..self.count].iter().enumerate();
        let squares: usize = pieces.map(|(number, piece)| image(piece.at) << (6 * number)).sum();
        squares + (usize::from(!place.white) << (6 * self.count))
    }
}

/// Tables that are solved.
#[derive(Default)]
pub(crate) struct ForwardTables {
    pub(crate) known: HashMap<u32, ForwardTable>,
}

impl ForwardTables {
    /// What is known of a position: by the table that is being solved, or by another one.
    pub(crate) fn value(&self, place: &ForwardPosition, here: &ForwardTable) -> u8 {
        if place.passed.is_some() {
            return self.one_on(place, here);
        }
        if !place.converted {
            return here.values[here.index(place)];
        }
        let (sorted, turned) = (place.sorted(), place.turned().sorted());
        for place in [sorted, turned] {
            if let Some(known) = self.known.get(&place.code()) {
                return known.values[known.index(&place)];
            }
        }
        0
    }

    /// The value as it follows from the values after each move.
    pub(crate) fn one_on(&self, place: &ForwardPosition, here: &ForwardTable) -> u8 {
        let mut after = Vec::new();
        place.moves(&mut after);
        if after.is_empty() {
            return u8::from(place.in_check());
        }
        let values: Vec<u8> = after.iter().map(|place| self.value(place, here)).collect();
        // Plies + 1: odd for lost ones.
        if let Some(lost) = values.iter().filter(|&&v| v % 2 == 1).min() {
            return lost + 1;
        }
        let won = values.iter().all(|&v| v > 0);
        if won { values.iter().max().map_or(0, |most| most + 1) } else { 0 }
    }

    /// Goes over all positions once for each ply, and looks forward from each that is not decided.
    pub(crate) fn solve(&mut self, name: &str, folded: bool) {
        self.solve_table(ForwardTable::new(name, folded));
    }

    /// The same for a table that nothing is known of yet.
    pub(crate) fn solve_table(&mut self, mut here: ForwardTable) {
        let legal: Vec<usize> = (0..here.values.len())
            .filter(|&index| {
                let place = here.place(index);
                place.is_legal() && here.index(&place) == index
            })
            .collect();
        let subs = self.known.values().map(|known| known.longest).max().unwrap_or(0);
        let (mut open, mut idle) = (legal, 0);
        for ply in 0u8.. {
            let mut found = Vec::new();
            open.retain(|&index| {
                let value = self.one_on(&here.place(index), &here);
                if value == ply + 1 {
                    found.push(index);
                }
                value != ply + 1
            });
            idle = if found.is_empty() { idle + 1 } else { 0 };
            if !found.is_empty() {
                here.longest = ply;
            }
            found.into_iter().for_each(|index| here.values[index] = ply + 1);
            if idle > 1 && ply > subs + 1 {
                break;
            }
        }
        self.known.insert(here.place(0).code(), here);
    }
}

impl ForwardTables {
    /// True when the side to move mates in this number of plies, by search alone.
    pub(crate) fn mates_within(&self, place: &ForwardPosition, plies: u8) -> bool {
        let mut after = Vec::new();
        place.moves(&mut after);
        after.iter().any(|place| self.mated_within(place, plies - 1))
    }

    pub(crate) fn mated_within(&self, place: &ForwardPosition, plies: u8) -> bool {
        let mut after = Vec::new();
        place.moves(&mut after);
        match after.is_empty() {
            true => place.in_check(),
            false => plies > 0 && after.iter().all(|place| self.mates_within(place, plies - 1)),
        }
    }
}
