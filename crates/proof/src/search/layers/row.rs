//! A position of one case as a row of bytes, so that it can be sent to another worker.
//!
//! A row has the square of each man that may move or be taken, and its leg where it has several: first those of White, then those
//! of Black; then, where a strategy takes en passant, the pawn that may be taken. The side to move follows from the ply.

use crate::problem::man::{Man, MenSet};
use crate::search::state::board::SearchBoard;
use crate::search::state::script::Script;
use crate::search::state::{GONE, NOBODY};
use arrayvec::ArrayVec;
use umbrail_chess::geometry::{Color, Square};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The bytes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowWidth {
    /// All of them.
    pub(crate) all: usize,
    /// Those of White's men, which come first.
    pub(crate) white: usize,
}

/// What a row has of one man.
#[derive(Clone, Copy, Debug)]
struct RowMan {
    man: u8,
    /// The number of its legs; a byte for the leg is written when there are several.
    legs: u8,
}

/// Men that one move of each side changes at most: two castlings, and both take nothing; or two captures.
const DIFFER_MAX: u32 = 4;

/// How positions of one case are written.
#[derive(Clone)]
pub(crate) struct RowFormat {
    men: Vec<RowMan>,
    /// Bytes of White's men.
    white: usize,
    /// Bytes of all men.
    both: usize,
    passes: bool,
    /// The array without the men of a row.
    rest: SearchBoard,
    /// Of each color, sets of men by which positions can be divided: the men that need the fewest moves, one more in each.
    sets: [Vec<MenSet>; 2],
}

impl RowFormat {
    /// The rows of a script. `root` is the array; `needs` has the moves that each man needs from there.
    pub(crate) fn new(script: &Script, root: &SearchBoard, needs: &[u8; 32]) -> Self {
        let legs_of = |man: Man| {
            let legs = &script.legs[usize::from(script.first[man.index()])..];
            1 + legs.iter().take_while(|leg| !leg.last).count() as u8
        };
        let in_row = |man: Man| !script.fixed.contains(man) || !script.survivors.contains(man);
        let men = Man::all().filter(|&man| in_row(man));
        let men: Vec<RowMan> =
            men.map(|man| RowMan { man: man.number(), legs: legs_of(man) }).collect();
        let bytes = |color: Color| {
            let of_color = men.iter().filter(|one| Man::new(one.man).color() == color);
            of_color.map(|one| 1 + usize::from(one.legs > 1)).sum()
        };
        let (white, black): (usize, usize) = (bytes(Color::White), bytes(Color::Black));
        let passes = script.passing_captor.iter().any(|&captor| captor != NOBODY);
        let mut rest = root.clone();
        for one in &men {
            rest.vanish(script, usize::from(one.man));
        }
        let sets = Color::ALL.map(|color| {
            let of_color = men.iter().filter(|one| Man::new(one.man).color() == color);
            let mut order: Vec<u8> = of_color.map(|one| one.man).collect();
            order.sort_by_key(|&man| needs[usize::from(man)]);
            let larger = order.iter().scan(MenSet::EMPTY, |set, &man| {
                *set = set.with(Man::new(man));
                Some(*set)
            });
            larger.collect()
        });
        Self { men, white, both: white + black, passes, rest, sets }
    }

    /// Bytes of a row.
    pub(crate) fn width(&self) -> usize {
        self.both + usize::from(self.passes)
    }

    /// The same, and what of it is about White's men.
    pub(crate) fn widths(&self) -> RowWidth {
        RowWidth { all: self.width(), white: self.white }
    }

    /// Appends the row of a position.
    pub(crate) fn write(&self, script: &Script, board: &SearchBoard, rows: &mut Vec<u8>) {
        for one in &self.men {
            let m = usize::from(one.man);
            rows.push(board.at[m]);
            if one.legs > 1 {
                rows.push((board.leg[m] - script.first[m]) as u8);
            }
        }
        if self.passes {
            rows.push(board.passing);
        }
    }

    /// The position of a row with this side to move; none when it is no row of this case.
    pub(crate) fn read(&self, script: &Script, row: &[u8], turn: Color) -> Option<SearchBoard> {
        let mut board = self.rest.clone();
        let mut bytes = row.iter().copied();
        for one in &self.men {
            let m = usize::from(one.man);
            let at = bytes.next()?;
            let leg = if one.legs > 1 { bytes.next()? } else { 0 };
            let square = match at {
                GONE if !script.survivors.contains(Man::new(one.man)) => None,
                0..GONE => Some(Square::new(at)).filter(|&square| {
                    script.squares[m].contains(square) && board.man[square.index()] == NOBODY
                }),
                _ => return None,
            };
            if leg >= one.legs || square.is_none() && at != GONE {
                return None;
            }
            board.restore(script, m, leg.into(), square);
        }
        if self.passes {
            let passing = bytes.next().filter(|&man| man <= NOBODY)?;
            board.pass(NOBODY, passing);
        }
        if turn == Color::Black {
            board.wait();
        }
        bytes.next().is_none().then_some(board)
    }

    /// A digest of where the men of one side stand.
    #[inline]
    pub(crate) fn digest(&self, row: &[u8], color: Color) -> u64 {
        let part = match color {
            Color::White => row.get(..self.white),
            Color::Black => row.get(self.white..self.both),
        };
        xxh3_64(part.unwrap_or_default())
    }

    /// Sets of men of one side by which positions can be divided.
    pub(crate) fn sets(&self, color: Color) -> &[MenSet] {
        &self.sets[color.index()]
    }

    /// A digest of where some men stand.
    #[inline]
    pub(crate) fn digest_of_men(&self, row: &[u8], men: MenSet) -> u64 {
        let (mut bytes, mut at) = (ArrayVec::<u8, 64>::new(), 0);
        for one in &self.men {
            let end = at + 1 + usize::from(one.legs > 1);
            if men.0 >> one.man & 1 != 0 {
                row.get(at..end).unwrap_or_default().iter().for_each(|&byte| bytes.push(byte));
            }
            at = end;
        }
        xxh3_64(&bytes)
    }

    /// The men that one move of each side could have moved, when one row could lead to another one in one or two half-moves.
    /// `plies` has the half-moves of White and of Black, each 0 or 1.
    pub(crate) fn movers(&self, from: &[u8], to: &[u8], plies: [u16; 2]) -> Option<MenSet> {
        let (mut moved, mut gone) = (MenSet::EMPTY, MenSet::EMPTY);
        let mut at = 0;
        for one in &self.men {
            let bytes = at..at + 1 + usize::from(one.legs > 1);
            at = bytes.end;
            let (man, one, other) = (Man::new(one.man), from.get(bytes.clone())?, to.get(bytes)?);
            if one == other {
                continue;
            }
            if (moved.0 | gone.0).count_ones() > DIFFER_MAX {
                return None;
            }
            match other.first() {
                Some(&GONE) => gone = gone.with(man),
                _ => moved = moved.with(man),
            }
        }
        for color in Color::ALL {
            let of_color = MenSet::of_color(color).0;
            let [own, others] = [plies[color.index()], plies[(!color).index()]];
            // Castling moves the rook, too.
            let castles = own > 0 && moved.contains(Man::king(color));
            let count = (moved.0 & of_color).count_ones() as u16;
            let taken = (gone.0 & of_color).count_ones() as u16;
            // The man that moved first may have been taken since.
            if count + taken < own || count > own + u16::from(castles) || taken > others {
                return None;
            }
        }
        Some(MenSet(moved.0 | gone.0))
    }
}

/// A digest of everything that rows and moves of a case depend on. Workers with different digests must not exchange rows.
pub(crate) fn digest_of(script: &Script, plies: u16) -> u64 {
    let mut digest = Xxh3::new();
    digest.update(&plies.to_le_bytes());
    digest.update(&script.fixed.0.to_le_bytes());
    digest.update(&script.survivors.0.to_le_bytes());
    digest.update(&script.routes_key(MenSet::ALL).to_le_bytes());
    for leg in &script.legs {
        let (start, forbidden) = (leg.start.number(), leg.forbidden.0);
        digest.update(&[start, leg.after, leg.last.into()]);
        digest.update(&forbidden.to_le_bytes());
    }
    script.squares.iter().for_each(|squares| digest.update(&squares.0.to_le_bytes()));
    digest.digest()
}
