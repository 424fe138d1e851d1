//! What is measured once and asked for again: steps, fields and the squares a leg can touch.
//!
//! Strategies of one problem differ in a few routes, so nearly every leg of a new strategy has been seen
//! before under the same obstacles. All figures here are pure functions of their keys.

use crate::analyse::pairs::cache::Couples;
use crate::distance::map::{Aim, Field, NEVER, before, reach};
use crate::distance::move_kind::Gait;
use crate::distance::steps::Steps;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// A quick hash for keys of a few words.
#[derive(Clone, Copy, Default)]
pub struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        // Multiply and fold, with the golden ratio's digits.
        let product = u128::from(self.0 ^ value) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (product >> 64) as u64 ^ product as u64 ^ self.0.rotate_left(23);
    }

    fn write_u128(&mut self, value: u128) {
        // Keys of positions are random in all their bits.
        self.write_u64(value as u64 ^ (value >> 64) as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

/// A map with the quick hash.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// Which field: steps, aim, shunned squares, and the next field after an absence.
type FieldKey = (u32, Aim, Bitboard, u32);

/// Squares of a leg within a number of moves.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// Those the man can stop on.
    pub stops: Bitboard,
    /// Those and the ones it can pass, land or take on.
    pub touched: Bitboard,
}

/// The memo. One per worker.
#[derive(Default)]
pub struct Atlas {
    step_numbers: Map<(Box<[Bitboard]>, Gait), u32>,
    step_contents: Map<Steps, u32>,
    steps: Vec<Steps>,
    field_numbers: Map<FieldKey, u32>,
    fields: Vec<Field>,
    /// Each field's steps and key, to measure it again with more squares blocked.
    sources: Vec<FieldKey>,
    squares: Map<(u32, Square, u8), Squares>,
    needs: Map<(u32, Square, u8), Bitboard>,
    /// What is known of pairs of men, by the numbers of these fields.
    couples: Couples,
}

impl Atlas {
    /// The steps of a gait between barriers (see [`Steps::new`]), which must be in ascending order.
    pub fn steps(&mut self, gait: Gait, barriers: &[Bitboard]) -> u32 {
        let key: (Box<[Bitboard]>, Gait) = (barriers.into(), gait);
        if let Some(&number) = self.step_numbers.get(&key) {
            return number;
        }
        let steps = Steps::new(gait, barriers);
        let next = self.steps.len() as u32;
        let number = *self.step_contents.entry(steps.clone()).or_insert(next);
        if number == next {
            self.steps.push(steps);
        }
        self.step_numbers.insert(key, number);
        number
    }

    /// The field of an aim.
    pub fn field(&mut self, steps: u32, aim: Aim, shunned: Bitboard) -> u32 {
        self.field_of((steps, aim, shunned, u32::MAX))
    }

    /// The field of a man that must leave `home` and go on in field `next`.
    pub fn leaving(&mut self, steps: u32, home: Square, next: u32) -> u32 {
        self.field_of((steps, Aim::Leave(home), Bitboard::EMPTY, next))
    }

    fn field_of(&mut self, key: FieldKey) -> u32 {
        if let Some(&number) = self.field_numbers.get(&key) {
            return number;
        }
        let (steps, aim, shunned, next) = key;
        let steps = &self.steps[steps as usize];
        let field = match aim {
            Aim::Leave(home) => {
                let next = &self.fields[next as usize];
                Field::at(home, leaving(steps, home, next, Bitboard::EMPTY))
            }
            _ => Field::new(steps, aim, shunned, Bitboard::EMPTY),
        };
        let number = self.fields.len() as u32;
        self.fields.push(field);
        self.sources.push(key);
        self.field_numbers.insert(key, number);
        number
    }

    /// The field with this number.
    #[inline]
    pub fn get(&self, field: u32) -> &Field {
        &self.fields[field as usize]
    }

    /// The steps that a field is made of.
    #[inline]
    pub fn steps_of(&self, field: u32) -> &Steps {
        &self.steps[self.sources[field as usize].0 as usize]
    }

    /// The same field measured with further squares taken for good.
    pub fn blocked(&self, field: u32, blocked: Bitboard) -> Field {
        let (steps, aim, shunned, next) = self.sources[field as usize];
        let steps = &self.steps[steps as usize];
        match aim {
            Aim::Leave(home) => {
                let next = self.blocked(next, blocked);
                Field::at(home, leaving(steps, home, &next, blocked))
            }
            _ => Field::new(steps, aim, shunned, blocked),
        }
    }

    /// The squares on walks of at most `limit` moves from `start` through a field.
    pub fn squares(&mut self, number: u32, start: Square, limit: u8) -> Squares {
        let key = (number, start, limit);
        if let Some(&squares) = self.squares.get(&key) {
            return squares;
        }
        let (steps, aim, shunned, next) = self.sources[number as usize];
        let squares = if let Aim::Leave(home) = aim {
            let next = self.squares(next, home, limit);
            Squares { stops: next.stops.with(home), touched: next.touched.with(home) }
        } else {
            let steps = &self.steps[steps as usize];
            walk_squares(&self.fields[number as usize], steps, aim, shunned, start, limit)
        };
        self.squares.insert(key, squares);
        squares
    }

    /// The squares that *every* walk of at most `limit` moves from `start` stops on, passes or lands on,
    /// without `start` itself.
    ///
    /// A square is one of them if no such walk is left when it is blocked.
    pub fn needs(&mut self, number: u32, start: Square, limit: u8) -> Bitboard {
        let key = (number, start, limit);
        if let Some(&needs) = self.needs.get(&key) {
            return needs;
        }
        let candidates = self.squares(number, start, limit).touched.without(start);
        let needed = |q: &Square| {
            let field = self.blocked(number, Bitboard::of(*q));
            let moves = field.moves[start.index()];
            moves == NEVER || moves > limit
        };
        let needs = candidates.squares().filter(needed).collect();
        self.needs.insert(key, needs);
        needs
    }

    /// Lends what is known of pairs of men, to be given back.
    pub(crate) fn lend_couples(&mut self) -> Couples {
        self.couples.trim();
        std::mem::take(&mut self.couples)
    }

    /// Takes it back.
    pub(crate) fn take_back(&mut self, couples: Couples) {
        self.couples = couples;
    }

    /// Forgets everything when it has grown beyond some 100 MiB; call it between strategies. True if it did.
    pub fn trim(&mut self) -> bool {
        let entries = self.fields.len() * 400 + self.steps.len() * 1200;
        if entries + self.squares.len() * 40 + self.step_numbers.len() * 200 > 100 << 20 {
            *self = Self::default();
            return true;
        }
        false
    }
}

/// How far it is for a man that must leave `home`.
fn leaving(steps: &Steps, home: Square, next: &Field, blocked: Bitboard) -> u8 {
    let open = steps.open(home, blocked).squares();
    open.map(|to| next.moves[to.index()].saturating_add(1)).min().unwrap_or(NEVER)
}

fn walk_squares(
    field: &Field,
    steps: &Steps,
    aim: Aim,
    shunned: Bitboard,
    start: Square,
    limit: u8,
) -> Squares {
    if let Aim::Castle(..) = aim {
        let here = Bitboard::of(start);
        return Squares { stops: here, touched: here };
    }
    let there = reach(steps, start, shunned);
    let ways = |q: Square| u32::from(there[q.index()]) + u32::from(field.moves[q.index()]);
    let short = |q: &Square| ways(*q) <= u32::from(limit) && there[q.index()] != NEVER;
    let stops: Bitboard = Square::all().filter(short).collect();
    let mut touched = stops;
    for from in stops.squares() {
        let left = i32::from(limit) - i32::from(there[from.index()]) - 1;
        let targets = steps.to[from.index()] & stops & field.within(left) & !shunned;
        for to in targets.squares() {
            touched |= attacks::between(from, to);
        }
        if left < 0 {
            continue;
        }
        let goal = aim.square();
        let lands = match aim {
            Aim::Land(_) => before(steps, goal, Bitboard::EMPTY).contains(from),
            Aim::Take(_) => attacks::pawn(!steps.gait.color(), goal).contains(from),
            _ => false,
        };
        if lands {
            touched = touched.with(goal) | attacks::between(from, goal);
        }
    }
    Squares { stops, touched }
}
