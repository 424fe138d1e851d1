//! Index of a placement in the builder's tables.
//!
//! One *word* represents the 64 squares of the loser's royal. A word is located by the slice of the
//! attacker's royal (its square reduced by the symmetries all pieces share) and, inside the slice,
//! by the squares of all other pieces, identical pieces as a combination. Pawns have 48 squares.
//!
//! The squares of a piece that is unique in kind and color are adjacent if such a piece exists: the
//! builder processes such a *row* of 64 words together.
//!
//! When the attacker's royal stands on an axis of symmetry, a placement and its mirror image both
//! have words. Both are kept and equal; the builder needs no tie-break. Lists and counts of
//! positions use the canonical one ([`Layout::is_canonical`]).

mod axis;
mod identical_pieces;

pub(crate) use axis::Axis;
use identical_pieces::{IdenticalPieces, choose, combinations, pair};
use umbrail_chess::geometry::{Square, Symmetry, SymmetryGroup};

/// Maximum number of pieces besides the two royals.
pub(crate) const OTHERS_MAX: usize = super::material::PIECES_MAX - 2;

/// Squares available to pawns.
const PAWN_SQUARES: u64 = 0x00FF_FFFF_FFFF_FF00;
/// Files a and h, b and g, c and f, d and e.
const FILE_PAIRS: [u64; 4] =
    [0x8181_8181_8181_8181, 0x4242_4242_4242_4242, 0x2424_2424_2424_2424, 0x1818_1818_1818_1818];

/// Squares of the pieces besides the royals, in the order of the layout.
pub(crate) type Others = [u8; OTHERS_MAX];

/// Index of one material.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) symmetry: SymmetryGroup,
    /// Square of the attacker's royal in each slice.
    pub(crate) homes: Vec<u8>,
    /// Slice of each square of the attacker's royal, and the symmetry that maps it to the slice's
    /// square.
    home: [(u8, Symmetry); 64],
    /// Number of squares that each slice represents.
    orbit_of: Vec<u64>,
    /// Groups of identical pieces, by descending stride.
    groups: Vec<IdenticalPieces>,
    /// Number of the kind of each piece, with a flag that is true for a pawn.
    kinds: Vec<(usize, bool)>,
    /// Set of the pieces whose moves are slow in rows of their own.
    bent: u32,
    /// Group of each piece.
    group_of: [u8; OTHERS_MAX],
    /// Piece whose 64 squares are adjacent, if some piece is unique.
    pub(crate) inner: Option<usize>,
    /// Number of pieces besides the royals.
    pub(crate) others: usize,
    /// Number of words in a slice.
    pub(crate) words: usize,
}

/// Location of a placement: slice, word, and the symmetry that was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) slice: usize,
    pub(crate) word: usize,
    pub(crate) symmetry: Symmetry,
}

impl Layout {
    /// Creates a layout for pieces of these kinds (equal adjacent numbers are identical pieces),
    /// each with a flag that is true for a pawn.
    #[cfg(test)]
    pub(crate) fn new(symmetry: SymmetryGroup, kinds: &[(usize, bool)]) -> Self {
        Self::with_bent(symmetry, kinds, 0)
    }

    /// Creates such a layout in which the pieces of the set `bent` hop, are lame or turn. Rows are
    /// those of another piece, if one is unique.
    pub(crate) fn with_bent(symmetry: SymmetryGroup, kinds: &[(usize, bool)], bent: u32) -> Self {
        let everywhere = |&(_, pawn): &(usize, bool)| if pawn { PAWN_SQUARES } else { !0 };
        let squares: Vec<u64> = kinds.iter().map(everywhere).collect();
        Self::within(symmetry, kinds, &squares, bent)
    }

    /// Creates a layout for the given squares of each piece. Identical pieces with the same squares
    /// are one combination; squares of identical pieces are the same or disjoint.
    fn within(
        symmetry: SymmetryGroup,
        kinds: &[(usize, bool)],
        squares: &[u64],
        bent: u32,
    ) -> Self {
        let mut home = [(0, Symmetry::IDENTITY); 64];
        let mut homes: Vec<u8> = Vec::new();
        for square in Square::all() {
            let (image, by) = symmetry.home(square);
            let slice = homes.iter().position(|&h| h == image.number()).unwrap_or_else(|| {
                homes.push(image.number());
                homes.len() - 1
            });
            home[square.index()] = (slice as u8, by);
        }
        let mut groups: Vec<IdenticalPieces> = Vec::new();
        for (piece, &(kind, _)) in kinds.iter().enumerate() {
            let alike = |piece: usize| (kinds[piece].0, squares[piece]);
            if piece > 0 && alike(piece - 1) == (kind, squares[piece]) {
                if let Some(group) = groups.last_mut() {
                    group.count += 1;
                }
            } else {
                groups.push(IdenticalPieces::new(piece, squares[piece]));
            }
        }
        let unique = |group: &IdenticalPieces| group.count == 1 && group.squares == 64;
        let quick = |group: &IdenticalPieces| unique(group) && bent >> group.first & 1 == 0;
        let inner = groups.iter().rposition(quick).or_else(|| groups.iter().rposition(unique));
        if let Some(inner) = inner {
            groups[inner..].rotate_left(1);
        }
        let inner = inner.and_then(|_| groups.last()).map(|group| group.first);
        let mut group_of = [0; OTHERS_MAX];
        for (number, group) in groups.iter().enumerate() {
            group_of[group.first..group.first + group.count].fill(number as u8);
        }
        let mut words = 1;
        for group in groups.iter_mut().rev() {
            group.stride = words;
            group.reciprocal = (u64::MAX / words as u64).wrapping_add(1);
            group.size = choose(group.squares, group.count);
            group.unpack = combinations(squares[group.first], group.count);
            words *= group.size;
            for by in symmetry.members() {
                let image = |squares: &Others| {
                    let mut images = *squares;
                    for square in &mut images[..group.count] {
                        *square = by.square(Square::new(*square)).number();
                    }
                    (group.stride * group.code(&images[..group.count])) as u32
                };
                group.images[by.index()] = group.unpack.iter().map(image).collect();
            }
        }
        let keepers = |&h: &u8| {
            let home = Square::new(h);
            u64::from(symmetry.order())
                / symmetry.members().filter(|s| s.square(home) == home).count() as u64
        };
        let orbit_of = homes.iter().map(keepers).collect();
        let (kinds, others) = (kinds.to_vec(), kinds.len());
        Self {
            symmetry,
            homes,
            home,
            orbit_of,
            groups,
            group_of,
            kinds,
            bent,
            inner,
            others,
            words,
        }
    }

    /// Returns layouts that partition the words of this one, so that no quiet move leads from one
    /// to another. Pawns stay on their files unless they capture, and a mirror exchanges file a
    /// with h, b with g and so on. Each pawn therefore has one of four pairs of files, identical
    /// pawns a multiset of pairs. Without pawns the layout itself is the only one.
    pub(crate) fn parts(&self) -> Vec<Self> {
        let mut all: Vec<Vec<u64>> = vec![Vec::new()];
        for (piece, &(kind, pawn)) in self.kinds.iter().enumerate() {
            let twin = piece > 0 && self.kinds[piece - 1].0 == kind;
            let longer = |squares: &Vec<u64>| -> Vec<Vec<u64>> {
                let with = |own: u64| [squares.as_slice(), &[own]].concat();
                if !pawn {
                    return vec![with(!0)];
                }
                let pairs = FILE_PAIRS.iter().map(|pair| pair & PAWN_SQUARES);
                // Of identical pawns, the later one has the same pair or a later one.
                let last = squares.last().copied().filter(|_| twin);
                let from = pairs.clone().position(|pair| Some(pair) == last).unwrap_or(0);
                pairs.skip(from).map(with).collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        if all.len() == 1 {
            return vec![self.clone()];
        }
        all.iter()
            .map(|squares| Self::within(self.symmetry, &self.kinds, squares, self.bent))
            .collect()
    }

    /// Returns the word of these squares in a layout of [`Layout::parts`], if the layout contains
    /// it. Identical pieces may come in any order.
    pub(crate) fn find(&self, pieces: &Others) -> Option<usize> {
        let mut pieces = *pieces;
        for (piece, &(kind, _)) in self.kinds.iter().enumerate() {
            let group = &self.groups[self.group_of[piece] as usize];
            let twins = (piece..self.others).take_while(|&m| self.kinds[m].0 == kind);
            let own = twins.into_iter().find(|&m| group.holds(pieces[m]))?;
            pieces.swap(piece, own);
        }
        Some(self.encode(&pieces))
    }

    /// Returns the size and stride of each group's axis, in the order of the pieces.
    pub(crate) fn axes(&self) -> Vec<(usize, usize)> {
        let mut groups: Vec<&IdenticalPieces> = self.groups.iter().collect();
        groups.sort_by_key(|group| group.first);
        groups.into_iter().map(|g| (g.size, g.stride)).collect()
    }

    /// Returns slices times words.
    pub(crate) fn total_words(&self) -> usize {
        self.words * self.homes.len()
    }

    /// Returns the slice of the attacker's royal on a square, and the symmetry that maps the square
    /// to that slice.
    #[inline]
    pub(crate) fn home(&self, royal: u8) -> (usize, Symmetry) {
        let (slice, by) = self.home[royal as usize & 63];
        (slice as usize, by)
    }

    /// Returns the squares of the pieces of a word.
    #[inline(always)]
    pub(crate) fn decode(&self, word: usize) -> Others {
        // Each group's squares fill their own bytes of one number.
        let mut pieces = 0;
        let mut rest = word;
        for group in &self.groups {
            let code;
            (code, rest) = group.split(rest);
            pieces |= u32::from_le_bytes(group.unpack[code]) << (8 * group.first);
        }
        pieces.to_le_bytes()
    }

    /// Returns the word of these squares. Squares must fit their pieces (pawns on ranks 2 to 7);
    /// identical pieces may come in any order.
    #[inline]
    pub(crate) fn encode(&self, pieces: &Others) -> usize {
        self.groups.iter().map(|g| g.stride * g.code(&pieces[g.first..g.first + g.count])).sum()
    }

    /// Returns the strides of the groups, for use with [`Layout::encode_by`].
    pub(crate) fn strides(&self) -> Vec<usize> {
        self.groups.iter().map(|group| group.stride).collect()
    }

    /// Returns the word of these squares in a numbering that has other strides of the groups.
    #[inline]
    pub(crate) fn encode_by(&self, strides: &[usize], pieces: &Others) -> usize {
        let groups = self.groups.iter().zip(strides);
        groups.map(|(g, stride)| stride * g.code(&pieces[g.first..g.first + g.count])).sum()
    }

    /// Returns the word without the contribution of the piece's group; see [`Layout::with`].
    #[inline(always)]
    pub(crate) fn without(&self, word: usize, piece: usize, pieces: &Others) -> usize {
        let group = &self.groups[self.group_of[piece] as usize];
        word - group.stride * group.code(&pieces[group.first..group.first + group.count])
    }

    /// Returns a word from [`Layout::without`] with the piece placed on a square.
    #[inline(always)]
    pub(crate) fn with(&self, rest: usize, piece: usize, pieces: &Others, to: u8) -> usize {
        let group = &self.groups[self.group_of[piece] as usize];
        let code = match group.count {
            1 => group.number(to) as usize,
            2 => pair(group.number(to), group.number(pieces[2 * group.first + 1 - piece])),
            _ => {
                let mut pieces = *pieces;
                pieces[piece] = to;
                group.code(&pieces[group.first..group.first + group.count])
            }
        };
        rest + group.stride * code
    }

    /// Returns the words that a piece's moves lead to; see [`Axis`].
    #[inline(always)]
    pub(crate) fn axis(&self, word: usize, piece: usize, pieces: &Others) -> Axis<'_> {
        let group = &self.groups[self.group_of[piece] as usize];
        match group.count {
            1 if group.squares == 64 => {
                let stride = group.stride;
                Axis::Alone { rest: word - stride * pieces[piece] as usize, stride }
            }
            2 if group.squares == 64 => {
                let rest = self.without(word, piece, pieces);
                let other = pieces[2 * group.first + 1 - piece];
                Axis::Pair { rest, stride: group.stride, other }
            }
            _ => Axis::IdenticalPieces {
                layout: self,
                rest: self.without(word, piece, pieces),
                piece,
            },
        }
    }

    /// Returns the index of a placement.
    #[inline]
    pub(crate) fn spot(&self, royal: u8, pieces: &Others) -> Spot {
        let (slice, symmetry) = self.home(royal);
        let mut images = *pieces;
        if symmetry != Symmetry::IDENTITY {
            for piece in &mut images[..self.others] {
                *piece = symmetry.square(Square::new(*piece)).number();
            }
        }
        Spot { slice, word: self.encode(&images), symmetry }
    }

    /// Returns the number of squares of the attacker's royal that a slice represents.
    pub(crate) fn orbit(&self, slice: usize) -> u64 {
        self.orbit_of[slice]
    }

    /// Returns the symmetries that leave the royal of this slice on its square.
    pub(crate) fn stabiliser(&self, slice: usize) -> impl Iterator<Item = Symmetry> + '_ {
        let home = Square::new(self.homes[slice]);
        self.symmetry.members().filter(move |s| s.square(home) == home)
    }

    /// Returns true for the canonical placement among its images under the symmetries of the
    /// layout: of those in a slice the lowest word, then the lowest square of the loser's royal.
    pub(crate) fn is_canonical(&self, slice: usize, word: usize, loser_royal: u8) -> bool {
        self.stabiliser(slice).skip(1).all(|symmetry| {
            let image = symmetry.square(Square::new(loser_royal)).number();
            (word, loser_royal) <= (self.image(word, symmetry), image)
        })
    }

    /// Returns masks of the squares of the loser's royal that are fixed by each stabilizing
    /// symmetry (except the identity), for those symmetries that fix the word.
    pub(crate) fn mirrors(&self, slice: usize, word: usize) -> Vec<u64> {
        let mut masks = Vec::new();
        if u64::from(self.symmetry.order()) == self.orbit_of[slice] {
            return masks;
        }
        for symmetry in self.stabiliser(slice).skip(1) {
            if self.image(word, symmetry) == word {
                masks.push(kept_squares(symmetry));
            }
        }
        masks
    }

    /// Returns the word whose pieces stand on the images of this word's pieces.
    #[inline]
    pub(crate) fn image(&self, word: usize, symmetry: Symmetry) -> usize {
        let mut image = 0;
        let mut rest = word;
        for group in &self.groups {
            let code;
            (code, rest) = group.split(rest);
            image += group.images[symmetry.index()][code];
        }
        image as usize
    }
}

fn kept_squares(symmetry: Symmetry) -> u64 {
    Square::all().filter(|&s| symmetry.square(s) == s).fold(0, |set, s| set | 1 << s.index())
}

#[cfg(test)]
mod tests;
