//! Doors: from the men of a board straight to the two tables that know its value.
//!
//! A lookup begins with what the men are: of which kinds, whose, and in which order the tables have them.
//! For every material with a table that is worked out once, for both ways to give it colors. Boards
//! that are read have their men in the order of the tables, so the men themselves, one after the other,
//! are the key. A board whose men stand in another order, as after a promotion, has no door and is seen
//! the long way, by [`Family::see`]. That way needs nothing from here, and the tests compare both.

use super::{Family, Key};
use crate::board::{Board, Man};
use crate::layout::Others;
use crate::material::MEN_MAX;
use crate::solved::Solved;
use crate::store::{Mapped, Stream};
use std::sync::Arc;
use umbrail_chess::geometry::Color;

/// The way to what is known of one material, each color its own.
pub(crate) struct Door {
    /// The marks of the men in the board's order, White's first; see [`mark`].
    men: [usize; MEN_MAX],
    count: usize,
    /// How many of them are White's.
    white: usize,
    /// What knows White's wins, and what knows Black's.
    leaves: [Leaf; 2],
}

/// A one-sided table, wherever it is.
enum Leaf {
    Memory(Arc<Solved>),
    File(Arc<Mapped>),
    /// Neither built nor opened.
    Absent,
}

/// What a table says of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Plies until the attacker wins; none when it does not.
    Plies(Option<usize>),
    /// Wins are not stored: they follow from the losses one ply on.
    LookAhead,
    /// There is no such table, or its file turned out damaged.
    Missing,
}

/// All doors of a family, found by a hash of the men.
pub(crate) struct Doors {
    /// A power of two of places, less than half of them taken.
    places: Vec<Option<Door>>,
}

/// What tells a man from others: the address of its piece, which the family keeps alive, with its color
/// in a bit that addresses of pieces leave free.
#[inline]
fn mark(man: &Man) -> usize {
    Arc::as_ptr(&man.piece) as usize | man.color.index()
}

/// Mixes the marks of some men: each has an odd factor of its own, and the high bits of the sum count.
#[inline]
fn mix(marks: impl Iterator<Item = usize>) -> u64 {
    const FACTORS: [u64; MEN_MAX] = [
        0x9E37_79B9_7F4A_7C15,
        0xBF58_476D_1CE4_E5B9,
        0x94D0_49BB_1331_11EB,
        0xD6E8_FEB8_6659_FD93,
        0xA076_1D64_78BD_642F,
        0xE703_7ED1_A0B4_28DB,
    ];
    marks.zip(FACTORS).fold(0, |sum, (mark, by)| sum.wrapping_add((mark as u64).wrapping_mul(by)))
}

impl Family {
    /// The doors to all tables that are there now.
    #[inline]
    pub(crate) fn doors(&self) -> &Doors {
        self.doors.get_or_init(|| self.open_doors())
    }

    fn open_doors(&self) -> Doors {
        let mut doors: Vec<Door> = Vec::new();
        for key in self.solved.keys().chain(self.mapped.keys()) {
            let turned = Key { attacker: key.loser.clone(), loser: key.attacker.clone() };
            for (white, black) in [(key, &turned), (&turned, key)] {
                let marks: Vec<usize> = [(white, 0), (black, 1)]
                    .iter()
                    .flat_map(|(key, color)| key.attacker.iter().map(move |&kind| (kind, *color)))
                    .map(|(kind, color)| Arc::as_ptr(&self.kinds[kind]) as usize | color)
                    .collect();
                let (count, split) = (marks.len(), white.attacker.len());
                let mut men = [0; MEN_MAX];
                if count > MEN_MAX || doors.iter().any(|d| d.men[..d.count] == marks) {
                    continue;
                }
                men[..count].copy_from_slice(&marks);
                let leaves = [self.leaf(white), self.leaf(black)];
                doors.push(Door { men, count, white: split, leaves });
            }
        }
        Doors::new(doors)
    }

    fn leaf(&self, key: &Key) -> Leaf {
        if let Some(table) = self.whole(key) {
            return Leaf::Memory(table.clone());
        }
        self.mapped.get(key).map_or(Leaf::Absent, |file| Leaf::File(file.clone()))
    }
}

impl Doors {
    fn new(doors: Vec<Door>) -> Self {
        let mut places: Vec<Option<Door>> = Vec::new();
        places.resize_with((2 * doors.len() + 2).next_power_of_two(), || None);
        let mask = places.len() - 1;
        for door in doors {
            let mut at = Self::first(mix(door.men[..door.count].iter().copied()), mask);
            while places[at].is_some() {
                at = (at + 1) & mask;
            }
            places[at] = Some(door);
        }
        Self { places }
    }

    #[inline]
    fn first(mixed: u64, mask: usize) -> usize {
        (mixed >> 32) as usize & mask
    }

    /// The door of a board's men, if they stand in the order of the tables.
    #[inline]
    pub(crate) fn of(&self, board: &Board) -> Option<&Door> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = Self::first(mix(board.men.iter().map(mark)), mask);
        // There always is an empty place.
        while let Some(door) = &self.places[at] {
            if door.fits(board) {
                return Some(door);
            }
            at = (at + 1) & mask;
        }
        None
    }
}

impl Door {
    #[inline]
    fn fits(&self, board: &Board) -> bool {
        self.count == board.men.len()
            && board.men.iter().zip(&self.men).all(|(man, &wanted)| mark(man) == wanted)
    }

    /// What the table "this color wins" says of a board that this is the door of; `moves` when that
    /// color is to move.
    #[inline]
    pub(crate) fn ask(&self, board: &Board, attacker: Color, moves: bool) -> Told {
        // The attacker plays up the board.
        let turn = if attacker.is_white() { 0 } else { 56 };
        let square = |man: &Man| man.square.number() ^ turn;
        let (white, black) = board.men.split_at(self.white.min(board.men.len()));
        let (ours, theirs) = if attacker.is_white() { (white, black) } else { (black, white) };
        let ([royal, ours @ ..], [loser_royal, theirs @ ..]) = (ours, theirs) else {
            return Told::Missing;
        };
        let mut men: Others = Others::default();
        for (place, man) in men.iter_mut().zip(ours.iter().chain(theirs)) {
            *place = square(man);
        }
        let layout = match &self.leaves[attacker.index()] {
            Leaf::Memory(table) => &table.layout,
            Leaf::File(file) if moves && file.is_lost_only() => return Told::LookAhead,
            Leaf::File(file) => file.layout(),
            Leaf::Absent => return Told::Missing,
        };
        // What `Layout::spot` does, with the images of squares read instead of computed.
        let (slice, symmetry) = layout.home(square(royal));
        let images = symmetry.images();
        for man in &mut men {
            *man = images[*man as usize & 63];
        }
        let cell = usize::from(images[square(loser_royal) as usize & 63]);
        match &self.leaves[attacker.index()] {
            Leaf::Memory(table) => {
                let depths = if moves { &table.won_in } else { &table.lost_in };
                // A cell without a distance is not won, so the words need not be looked at.
                let Some(depths) = depths else { return Told::Plies(None) };
                Told::Plies(depths.get(slice, layout.encode(&men) * 64 + cell))
            }
            Leaf::File(file) => {
                let stream = if moves { Stream::Won } else { Stream::Lost };
                file.plies(stream, slice, &men, cell).map_or(Told::Missing, Told::Plies)
            }
            Leaf::Absent => Told::Missing,
        }
    }
}
