//! Numbers of the positions of a table: a slice for each square of the attacker's royal up to
//! symmetry, a word for each placement of the other pieces, a bit for each square of the loser's
//! royal. Each piece counts the squares of its zone only.

use super::definition::Game;
use super::material::{GameKey, OTHERS_MAX};
use crate::fairy::Template;
use crate::grid::{SQUARES_MAX, SquareSet};

/// Marker of a square without a number.
pub(super) const NONE: u8 = u8::MAX;

/// Maximum number of placements of equal pieces; more make a table larger than any memory.
const CODES_MAX: usize = 1 << 22;

/// Squares of the pieces besides the royals.
pub(super) type Men = [u8; OTHERS_MAX];

/// Squares of the loser's royal, which are the bits of the words.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) squares: Vec<u8>,
    bits: [u8; SQUARES_MAX],
}

impl Axis {
    fn new(zone: u128) -> Self {
        let squares: Vec<u8> = zone.squares().collect();
        let mut bits = [NONE; SQUARES_MAX];
        for (bit, &square) in squares.iter().enumerate() {
            bits[usize::from(square)] = bit as u8;
        }
        Self { squares, bits }
    }

    /// Returns the bit of a square.
    #[inline]
    pub(super) fn bit(&self, square: u8) -> Option<u8> {
        Some(self.bits[usize::from(square)]).filter(|&bit| bit != NONE)
    }

    /// Returns the bit of a square as a word; none for a square outside.
    #[inline]
    pub(super) fn word<W: SquareSet>(&self, square: u8) -> W {
        self.bit(square).map_or(W::NONE, W::bit)
    }

    /// Returns the word of a set of squares.
    pub(super) fn project<S: SquareSet, W: SquareSet>(&self, set: S) -> W {
        set.squares().fold(W::NONE, |word, square| word | self.word(square))
    }

    /// Returns the word of all squares.
    pub(super) fn all<W: SquareSet>(&self) -> W {
        (0..self.squares.len()).fold(W::NONE, |word, bit| word | W::bit(bit as u8))
    }
}

/// Symmetry of a table: the image of each square and of each bit.
#[derive(Clone, Debug)]
pub(super) struct BoardMap {
    pub(super) square: Vec<u8>,
    pub(super) bit: Vec<u8>,
}

impl BoardMap {
    pub(super) fn men(&self, men: &Men, count: usize) -> Men {
        let mut image = *men;
        for square in &mut image[..count] {
            *square = self.square[usize::from(*square)];
        }
        image
    }
}

/// Equal pieces of one side; their squares are one combination.
#[derive(Clone, Debug)]
struct TwinGroup {
    first: usize,
    count: usize,
    place: Vec<u8>,
    codes: usize,
    stride: usize,
    unpack: Vec<Men>,
}

impl TwinGroup {
    fn code(&self, men: &Men) -> usize {
        let place = |square: u8| usize::from(self.place[usize::from(square)]);
        match men[self.first..self.first + self.count] {
            [one] => place(one),
            [a, b] => {
                let (a, b) = (place(a).min(place(b)), place(a).max(place(b)));
                (b * b.saturating_sub(1) / 2 + a).min(self.codes - 1)
            }
            ref more => {
                let mut sorted = [0; OTHERS_MAX];
                let sorted = &mut sorted[..more.len()];
                for (to, &square) in sorted.iter_mut().zip(more) {
                    *to = place(square);
                }
                sorted.sort_unstable();
                // Two pieces on one square have no combination, and no legal position.
                let sum: usize = (1..).zip(&*sorted).map(|(k, &n)| choose(n, k)).sum();
                sum.min(self.codes - 1)
            }
        }
    }
}

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

/// Numbering of the positions of one table.
#[derive(Clone, Debug)]
pub(super) struct PositionIndex {
    pub(super) axis: Axis,
    /// Squares of the attacker's royal, one of all images.
    pub(super) homes: Vec<u8>,
    /// For each square of the attacker's royal: slice, and the symmetry that leads there.
    place: Vec<(u8, u8)>,
    /// Symmetries of the table, the identity first.
    maps: Vec<BoardMap>,
    /// For each slice, the symmetries besides the identity that keep its square.
    stabilizers: Vec<Vec<usize>>,
    /// For each slice, the number of squares that it stands for.
    images: Vec<u64>,
    groups: Vec<TwinGroup>,
    /// Group of each piece.
    group_of: Vec<usize>,
    /// Words of a slice.
    pub(super) words: usize,
    /// Number of pieces besides the royals.
    pub(super) men: usize,
}

/// Place of a position's word: first cell, and the bit of each bit there.
pub(super) struct Spot<'a> {
    pub(super) slot: usize,
    pub(super) word: usize,
    pub(super) map: &'a BoardMap,
}

impl PositionIndex {
    /// Creates the numbering; none when there are too many positions for numbers of 32 bits.
    pub(super) fn new(game: &Game, key: &GameKey) -> Option<Self> {
        let flip = game.flip();
        let zone = |kind: u8, attacker: bool| {
            let zone = game.pieces[usize::from(kind)].zone;
            if attacker { zone } else { image(zone, &flip) }
        };
        let axis = Axis::new(zone(key.losers[0], false));
        let maps = symmetries(game, key, &flip, &axis);
        let mut homes = vec![];
        let mut place = vec![(NONE, 0); usize::from(game.grid.size())];
        for home in zone(key.attackers[0], true).squares() {
            if place[usize::from(home)].0 != NONE {
                continue;
            }
            for map in &maps {
                let at = map.square[usize::from(home)];
                if place[usize::from(at)].0 == NONE {
                    // The symmetry that leads back.
                    let back = maps.iter().position(|m| m.square[usize::from(at)] == home)?;
                    place[usize::from(at)] = (homes.len() as u8, back as u8);
                }
            }
            homes.push(home);
        }
        let men = key.others();
        let (mut groups, mut group_of) = (Vec::<TwinGroup>::new(), vec![]);
        for man in 0..men {
            let attacker = man < key.strikers();
            let twin = man > 0 && (man - 1 < key.strikers()) == attacker;
            if twin && key.kind(man - 1) == key.kind(man) {
                groups.last_mut()?.count += 1;
            } else {
                let squares: Vec<u8> = zone(key.kind(man), attacker).squares().collect();
                let mut place = vec![NONE; usize::from(game.grid.size())];
                for (number, &square) in squares.iter().enumerate() {
                    place[usize::from(square)] = number as u8;
                }
                let (codes, unpack) = (squares.len(), vec![]);
                groups.push(TwinGroup { first: man, count: 1, place, codes, stride: 0, unpack });
            }
            group_of.push(groups.len() - 1);
        }
        let mut words = 1usize;
        for group in &mut groups {
            let squares: Vec<u8> =
                (0..game.grid.size()).filter(|&s| group.place[usize::from(s)] != NONE).collect();
            if choose(squares.len(), group.count) > CODES_MAX {
                return None;
            }
            group.unpack = combinations(&squares, group.count);
            group.codes = group.unpack.len();
            group.stride = words;
            words = words.checked_mul(group.codes).filter(|&words| words < u32::MAX as usize)?;
        }
        let keeps = |home: u8| {
            let map = |&number: &usize| maps[number].square[usize::from(home)] == home;
            (1..maps.len()).filter(map).collect()
        };
        let stabilizers = homes.iter().map(|&home| keeps(home)).collect();
        let images = (0..homes.len())
            .map(|slot| place.iter().filter(|(at, _)| usize::from(*at) == slot).count() as u64)
            .collect();
        Some(Self { axis, homes, place, maps, stabilizers, images, groups, group_of, words, men })
    }

    /// Number of cells of one side to move.
    pub(super) fn cells(&self) -> usize {
        self.homes.len() * self.words * self.axis.squares.len()
    }

    /// Returns the squares of the pieces of a word.
    #[inline]
    pub(super) fn decode(&self, word: usize) -> Men {
        let (mut men, mut rest) = ([0; OTHERS_MAX], word);
        for group in &self.groups {
            let code = rest % group.codes;
            rest /= group.codes;
            men[group.first..group.first + group.count]
                .copy_from_slice(&group.unpack[code][..group.count]);
        }
        men
    }

    /// Returns the word of a placement within a slice.
    #[inline]
    pub(super) fn word(&self, men: &Men) -> usize {
        self.groups.iter().map(|group| group.code(men) * group.stride).sum()
    }

    /// Returns the part of a word that does not depend on this piece and its twins.
    #[inline]
    pub(super) fn rest(&self, word: usize, men: &Men, man: usize) -> usize {
        let group = &self.groups[self.group_of[man]];
        word - group.code(men) * group.stride
    }

    /// Returns the word with the piece on another square.
    #[inline]
    pub(super) fn with(&self, rest: usize, men: &Men, man: usize, square: u8) -> usize {
        let group = &self.groups[self.group_of[man]];
        if group.count == 1 {
            return rest + usize::from(group.place[usize::from(square)]) * group.stride;
        }
        let mut after = *men;
        after[man] = square;
        rest + group.code(&after) * group.stride
    }

    /// Returns the place of a position; none when a piece is outside its zone.
    pub(super) fn spot(&self, home: u8, men: &Men) -> Option<Spot<'_>> {
        let (slot, back) = self.place[usize::from(home)];
        let inside = |(man, &square): (usize, &u8)| {
            self.groups[self.group_of[man]].place[usize::from(square)] != NONE
        };
        if slot == NONE || !men[..self.men].iter().enumerate().all(inside) {
            return None;
        }
        let map = &self.maps[usize::from(back)];
        Some(Spot { slot: usize::from(slot), word: self.word(&map.men(men, self.men)), map })
    }

    /// Returns the slice of a square of the attacker's royal, and the symmetry from the slice to
    /// that square.
    pub(super) fn home(&self, square: u8) -> Option<(usize, &BoardMap)> {
        let (slot, _) = self.place[usize::from(square)];
        let home = *self.homes.get(usize::from(slot))?;
        let there = self.maps.iter().find(|map| map.square[usize::from(home)] == square)?;
        Some((usize::from(slot), there))
    }

    /// Returns the number of squares of the attacker's royal that a slice stands for.
    pub(super) fn images(&self, slot: usize) -> u64 {
        self.images[slot]
    }

    /// Returns the symmetries from a slice to each of the squares that it stands for.
    pub(super) fn images_of(&self, slot: usize) -> Vec<&BoardMap> {
        let squares = (0..self.place.len() as u8).filter_map(|square| self.home(square));
        squares.filter(|(at, _)| *at == slot).map(|(_, map)| map).collect()
    }

    /// Returns true for the least of all images of a position that are in its slice.
    pub(super) fn is_canonical(&self, slot: usize, word: usize, bit: u8) -> bool {
        let stabilizer = &self.stabilizers[slot];
        if stabilizer.is_empty() {
            return true;
        }
        let men = self.decode(word);
        stabilizer.iter().all(|&map| {
            let map = &self.maps[map];
            let image = (self.word(&map.men(&men, self.men)), map.bit[usize::from(bit)]);
            (word, bit) <= image
        })
    }
}

impl Spot<'_> {
    /// Returns the number of a cell for a bit of the position.
    #[inline]
    pub(super) fn cell(&self, index: &PositionIndex, bit: u8) -> usize {
        (self.slot * index.words + self.word) * index.axis.squares.len()
            + usize::from(self.map.bit[usize::from(bit)])
    }
}

fn image(set: u128, map: &[u8]) -> u128 {
    set.squares().fold(0, |image, square| image | u128::bit(map[usize::from(square)]))
}

/// Returns all combinations of these squares in the order of their codes.
fn combinations(squares: &[u8], count: usize) -> Vec<Men> {
    let mut all = vec![];
    let mut now: Vec<usize> = (0..count).collect();
    while now.last().is_some_and(|&last| last < squares.len()) {
        let mut men = [0; OTHERS_MAX];
        for (to, &number) in men.iter_mut().zip(&now) {
            *to = squares[number];
        }
        all.push(men);
        let limit = |at: usize| now.get(at + 1).copied().unwrap_or(usize::MAX);
        let Some(up) = (0..count).find(|&at| now[at] + 1 < limit(at)) else { break };
        now[up] += 1;
        for (at, number) in now[..up].iter_mut().enumerate() {
            *number = at;
        }
    }
    all
}

/// Returns the symmetries of the board that map the moves and zones of all pieces to themselves,
/// and those of the pieces that they become.
fn symmetries(game: &Game, key: &GameKey, flip: &[u8], axis: &Axis) -> Vec<BoardMap> {
    let mut kinds: Vec<(u8, bool)> = key.attackers.iter().map(|&kind| (kind, true)).collect();
    kinds.extend(key.losers.iter().map(|&kind| (kind, false)));
    let promoted = |&(kind, attacker): &(u8, bool)| {
        let moves = game.pieces[usize::from(kind)].moves.iter();
        moves.filter_map(move |mv| Some((mv.becomes?, attacker)))
    };
    kinds.extend(kinds.iter().flat_map(promoted).collect::<Vec<_>>());
    kinds.sort_unstable();
    kinds.dedup();
    let keeps = |map: &[u8]| {
        kinds.iter().all(|&(kind, attacker)| {
            let piece = &game.pieces[usize::from(kind)];
            let turned: Vec<u8> = match attacker {
                true => map.to_vec(),
                // Black's moves are White's, turned: turn, map, and turn back.
                false => {
                    flip.iter().map(|&square| flip[usize::from(map[usize::from(square)])]).collect()
                }
            };
            let mut facing: Vec<_> = piece.facing.iter().map(|t| t.mapped(&turned)).collect();
            facing.sort_unstable();
            image(piece.zone, &turned) == piece.zone
                && facing == piece.facing
                && maps_to_itself(&piece.moves, &turned)
        })
    };
    let all = game.grid.symmetries().into_iter().filter(|map| keeps(map));
    let bit = |map: &[u8]| {
        let images = axis.squares.iter().map(|&square| axis.bit(map[usize::from(square)]));
        images.collect::<Option<Vec<u8>>>()
    };
    all.filter_map(|square| Some(BoardMap { bit: bit(&square)?, square })).collect()
}

fn maps_to_itself(moves: &[super::definition::GameTemplate], map: &[u8]) -> bool {
    let mut images: Vec<(Template<u128>, Option<u8>)> =
        moves.iter().map(|mv| (mv.template.mapped(map), mv.becomes)).collect();
    images.sort_unstable();
    images.len() == moves.len()
        && images.iter().zip(moves).all(|(image, mv)| *image == (mv.template, mv.becomes))
}
