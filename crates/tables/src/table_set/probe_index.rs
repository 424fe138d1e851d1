//! Probe index: maps the pieces of a board directly to the two tables with its value.
//!
//! Boards that are read have their pieces in the order of the tables, so the sequence of pieces is
//! the key of a hash table. For every material with a table the index has an entry for each
//! assignment of colors. A board with its pieces in another order, as after a promotion, has no
//! entry and is looked up by its material key. That lookup does not use the index, and the tests
//! compare both.

use super::TableSet;
use crate::fairy_board::{BoardPiece, FairyBoard};
use crate::layout::Others;
use crate::material::PIECES_MAX;
use crate::material_key::MaterialKey;
use crate::solved_table::SolvedTable;
use crate::store::{MappedTable, Stream};
use std::sync::Arc;
use umbrail_chess::geometry::Color;

/// Tables of one material in the colors of a board.
pub(crate) struct ProbeEntry {
    /// Identities of the pieces in the board's order, White's first; see [`mark`].
    pieces: [usize; PIECES_MAX],
    count: usize,
    /// Number of White's pieces.
    white: usize,
    /// Table of White's wins and that of Black's.
    sources: [TableSource; 2],
}

/// Location of a one-sided table.
enum TableSource {
    Memory(Arc<SolvedTable>),
    File(Arc<MappedTable>),
    /// Neither built nor opened.
    Absent,
}

/// Result of a table lookup for a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeResult {
    /// Plies until the attacker wins; none when it does not.
    Plies(Option<usize>),
    /// Wins are not stored: they follow from the losses one ply later.
    LookAhead,
    /// The table is absent, or its file turned out damaged.
    Missing,
}

/// Entries of all materials of a table set, in a hash table with open addressing.
pub(crate) struct ProbeIndex {
    /// Slots of the hash table. Their number is a power of two; fewer than half are occupied.
    places: Vec<Option<ProbeEntry>>,
}

/// Identifies the kind and color of a piece: the address of its piece, which the catalog keeps
/// alive, with the color in a bit that is zero in addresses of pieces.
#[inline]
fn mark(piece: &BoardPiece) -> usize {
    Arc::as_ptr(&piece.piece) as usize | piece.color.index()
}

/// Hashes the marks of some pieces: each index has its own odd factor, and the high bits of the sum
/// are used.
#[inline]
fn mix(marks: impl Iterator<Item = usize>) -> u64 {
    const FACTORS: [u64; PIECES_MAX] = [
        0x9E37_79B9_7F4A_7C15,
        0xBF58_476D_1CE4_E5B9,
        0x94D0_49BB_1331_11EB,
        0xD6E8_FEB8_6659_FD93,
        0xA076_1D64_78BD_642F,
        0xE703_7ED1_A0B4_28DB,
    ];
    marks.zip(FACTORS).fold(0, |sum, (mark, by)| sum.wrapping_add((mark as u64).wrapping_mul(by)))
}

impl TableSet {
    /// Returns the index of all current tables.
    #[inline]
    pub(crate) fn probe_index(&self) -> &ProbeIndex {
        self.probe_index.get_or_init(|| self.build_probe_index())
    }

    fn build_probe_index(&self) -> ProbeIndex {
        let mut probe_index: Vec<ProbeEntry> = Vec::new();
        for key in self.solved.keys().chain(self.mapped.keys()) {
            let turned = MaterialKey { attacker: key.loser.clone(), loser: key.attacker.clone() };
            for (white, black) in [(key, &turned), (&turned, key)] {
                let marks: Vec<usize> = [(white, 0), (black, 1)]
                    .iter()
                    .flat_map(|(key, color)| key.attacker.iter().map(move |&kind| (kind, *color)))
                    .map(|(kind, color)| Arc::as_ptr(self.catalog.piece(kind)) as usize | color)
                    .collect();
                let (count, split) = (marks.len(), white.attacker.len());
                let mut pieces = [0; PIECES_MAX];
                if count > PIECES_MAX || probe_index.iter().any(|d| d.pieces[..d.count] == marks) {
                    continue;
                }
                pieces[..count].copy_from_slice(&marks);
                let sources = [self.source(white), self.source(black)];
                probe_index.push(ProbeEntry { pieces, count, white: split, sources });
            }
        }
        ProbeIndex::new(probe_index)
    }

    fn source(&self, key: &MaterialKey) -> TableSource {
        if let Some(table) = self.whole(key) {
            return TableSource::Memory(table.clone());
        }
        self.mapped.get(key).map_or(TableSource::Absent, |file| TableSource::File(file.clone()))
    }
}

impl ProbeIndex {
    fn new(probe_index: Vec<ProbeEntry>) -> Self {
        let mut places: Vec<Option<ProbeEntry>> = Vec::new();
        places.resize_with((2 * probe_index.len() + 2).next_power_of_two(), || None);
        let mask = places.len() - 1;
        for entry in probe_index {
            let mut at = Self::first(mix(entry.pieces[..entry.count].iter().copied()), mask);
            while places[at].is_some() {
                at = (at + 1) & mask;
            }
            places[at] = Some(entry);
        }
        Self { places }
    }

    #[inline]
    fn first(mixed: u64, mask: usize) -> usize {
        (mixed >> 32) as usize & mask
    }

    /// Returns the entry of a board's pieces, if they are in the order of the tables.
    #[inline]
    pub(crate) fn of(&self, board: &FairyBoard) -> Option<&ProbeEntry> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = Self::first(mix(board.pieces.iter().map(mark)), mask);
        // The table always has an empty slot.
        while let Some(entry) = &self.places[at] {
            if entry.fits(board) {
                return Some(entry);
            }
            at = (at + 1) & mask;
        }
        None
    }
}

impl ProbeEntry {
    #[inline]
    fn fits(&self, board: &FairyBoard) -> bool {
        self.count == board.pieces.len()
            && board.pieces.iter().zip(&self.pieces).all(|(piece, &wanted)| mark(piece) == wanted)
    }

    /// Looks up a board of this entry in the table "this color wins"; `moves` when that color is to
    /// move.
    #[inline]
    pub(crate) fn probe(&self, board: &FairyBoard, attacker: Color, moves: bool) -> ProbeResult {
        // The attacker plays up the board.
        let turn = if attacker.is_white() { 0 } else { 56 };
        let square = |piece: &BoardPiece| piece.square.number() ^ turn;
        let (white, black) = board.pieces.split_at(self.white.min(board.pieces.len()));
        let (ours, theirs) = if attacker.is_white() { (white, black) } else { (black, white) };
        let ([royal, ours @ ..], [loser_royal, theirs @ ..]) = (ours, theirs) else {
            return ProbeResult::Missing;
        };
        let mut pieces: Others = Others::default();
        for (place, piece) in pieces.iter_mut().zip(ours.iter().chain(theirs)) {
            *place = square(piece);
        }
        let layout = match &self.sources[attacker.index()] {
            TableSource::Memory(table) => &table.layout,
            TableSource::File(file) if moves && file.is_lost_only() => {
                return ProbeResult::LookAhead;
            }
            TableSource::File(file) => file.layout(),
            TableSource::Absent => return ProbeResult::Missing,
        };
        // Equivalent to `Layout::spot`, with the images of squares read instead of computed.
        let (slice, symmetry) = layout.home(square(royal));
        let images = symmetry.images();
        for piece in &mut pieces {
            *piece = images[*piece as usize & 63];
        }
        let cell = usize::from(images[square(loser_royal) as usize & 63]);
        match &self.sources[attacker.index()] {
            TableSource::Memory(table) => {
                let depths = if moves { &table.won_in } else { &table.lost_in };
                // A cell without a distance is not won, so the words need not be read.
                let Some(depths) = depths else { return ProbeResult::Plies(None) };
                ProbeResult::Plies(depths.get(slice, layout.encode(&pieces) * 64 + cell))
            }
            TableSource::File(file) => {
                let stream = if moves { Stream::Won } else { Stream::Lost };
                file.plies(stream, slice, &pieces, cell)
                    .map_or(ProbeResult::Missing, ProbeResult::Plies)
            }
            TableSource::Absent => ProbeResult::Missing,
        }
    }
}
