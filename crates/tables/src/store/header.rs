//! Header of a table file: the identity of the table, so that no other is mistaken for it.

use crate::catalog::Catalog;
use crate::fairy::{BentMove, Course, Hop, Midway, Piece};
use crate::layout::Layout;
use crate::material_key::MaterialKey;
use crate::rules::{Metric, Stalemate};
use crate::solved_table::{Count, OutcomeCounts};

/// First bytes of every file.
pub(crate) const MAGIC: &[u8; 8] = b"UMBREGT\n";
/// Only version so far.
pub(crate) const VERSION: u32 = 1;

/// Contents of a file's header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    /// All data that identifies the table, as [`identity`] writes it.
    pub(crate) identity: Vec<u8>,
    /// Bytes per value, 1 or 2.
    pub(crate) width: u8,
    /// True when wins have odd and losses even distances, so that only half of the numbers are
    /// used.
    pub(crate) halved: bool,
    /// True when the table has no wins and no blocks.
    pub(crate) empty: bool,
    /// True when wins are omitted, since they follow from the losses one ply later.
    pub(crate) lost_only: bool,
    /// Words per block.
    pub(crate) block_words: u32,
    /// Layout's groups, outermost first, in the order of the file.
    pub(crate) axes: Vec<u8>,
    /// Counts collected when the table was built.
    pub(crate) outcomes: OutcomeCounts,
    /// Compressed length and checksum of each block: wins, then losses.
    pub(crate) blocks: Vec<(u32, u64)>,
}

/// Returns rules, pieces and layout as bytes: two tables with equal identities have equal values.
pub(crate) fn identity(catalog: &Catalog, key: &MaterialKey, layout: &Layout) -> Vec<u8> {
    let mut out = Vec::new();
    let rules = &catalog.rules;
    out.push(match rules.metric {
        Metric::Dtm => 0,
        Metric::Dtc => 1,
        Metric::Level => 2,
        Metric::Dtz => 3,
    });
    out.push(u8::from(rules.null_move) | u8::from(rules.bare_loses) << 1);
    out.push(match rules.stalemate {
        Stalemate::Draw => 0,
        Stalemate::Win => 1,
        Stalemate::Pass => 2,
    });
    out.push(layout.symmetry.bits());
    let mut pawns = false;
    for side in [&key.attacker, &key.loser] {
        out.push(side.len() as u8);
        for &kind in side {
            let piece = catalog.piece(kind);
            pawns |= piece.pawn;
            define(&mut out, piece);
        }
    }
    let promotions = if pawns { catalog.promotions() } else { Vec::new() };
    out.push(promotions.len() as u8);
    for piece in promotions {
        define(&mut out, &piece);
    }
    out
}

fn define(out: &mut Vec<u8>, piece: &Piece) {
    out.extend((piece.letter as u32).to_le_bytes());
    // Bit 1 is set for pawns without a double step, so that files with orthodox pawns remain valid;
    // bit 2 for pieces whose steps are not all their moves.
    let bent = piece.bent();
    let single_step = piece.pawn && !piece.double_step;
    let flags = [piece.pawn, single_step, !bent.is_empty()];
    out.push(flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u8::from(flag)));
    out.push(piece.steps().len() as u8);
    for step in piece.steps() {
        let uses = u8::from(step.capture) | u8::from(step.quiet) << 1;
        out.extend([step.dx as u8, step.dy as u8, step.reach, uses]);
    }
    if !bent.is_empty() {
        out.extend((bent.len() as u16).to_le_bytes());
        bent.iter().for_each(|mv| define_bent(out, mv));
    }
}

/// Writes a move that is no step: course and cylinder, then its legs.
fn define_bent(out: &mut Vec<u8>, mv: &BentMove) {
    let course = match mv.course {
        Course::Straight => 0,
        Course::Crooked => 1,
        Course::Circular => 2,
    };
    out.extend([course | u8::from(mv.cylinder) << 2, mv.legs.len() as u8]);
    for leg in &mv.legs {
        let uses = u8::from(leg.capture) | u8::from(leg.quiet) << 1;
        let midway = match leg.midway {
            Midway::Any => 0,
            Midway::Empty => 1,
            Midway::Occupied => 2,
        };
        let hop = match leg.hop {
            Hop::None => 0,
            Hop::Any => 1,
            Hop::Own => 2,
            Hop::Behind => 3,
        };
        out.extend([leg.dx as u8, leg.dy as u8, leg.reach, leg.skip]);
        out.push(uses | midway << 2 | hop << 4);
    }
}

impl Header {
    /// Returns the number of streams of blocks: wins and losses, or losses alone.
    pub(crate) fn streams(&self) -> usize {
        if self.lost_only { 1 } else { 2 }
    }

    /// Returns the header's bytes, without magic and checksum.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.identity.len() as u64);
        out.extend(&self.identity);
        let absent = u8::from(self.empty) | u8::from(self.lost_only) << 1;
        out.extend([self.width, u8::from(self.halved), absent]);
        put(&mut out, self.block_words.into());
        put(&mut out, self.axes.len() as u64);
        out.extend(&self.axes);
        let outcomes = &self.outcomes;
        for count in [
            outcomes.attacker_legal,
            outcomes.loser_legal,
            outcomes.stalemate,
            outcomes.won,
            outcomes.lost,
        ] {
            put(&mut out, count.full_board);
            put(&mut out, count.unique);
        }
        put(&mut out, outcomes.loser_in_check);
        put(&mut out, outcomes.attacker_in_check);
        for list in [&outcomes.won_in, &outcomes.lost_in] {
            put(&mut out, list.len() as u64);
            list.iter().for_each(|&n| put(&mut out, n));
        }
        put(&mut out, self.blocks.len() as u64);
        for &(length, sum) in &self.blocks {
            put(&mut out, length.into());
            put(&mut out, sum);
        }
        out
    }

    /// Reads the output of [`Header::to_bytes`]; none when bytes are missing or left over.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut input = bytes;
        let mut header = Self::default();
        let length = take_length(&mut input)?;
        header.identity = take(&mut input, length)?.to_vec();
        let flags = take(&mut input, 3)?;
        (header.width, header.halved) = (flags[0], flags[1] != 0);
        (header.empty, header.lost_only) = (flags[2] & 1 != 0, flags[2] & 2 != 0);
        header.block_words = u32::try_from(get(&mut input)?).ok()?;
        let length = take_length(&mut input)?;
        header.axes = take(&mut input, length)?.to_vec();
        let mut count = || Some(Count { full_board: get(&mut input)?, unique: get(&mut input)? });
        let (attacker_legal, loser_legal) = (count()?, count()?);
        let (stalemate, won, lost) = (count()?, count()?, count()?);
        let (loser_in_check, attacker_in_check) = (get(&mut input)?, get(&mut input)?);
        let mut list = || {
            let length = take_length(&mut input)?;
            (0..length).map(|_| get(&mut input)).collect::<Option<Vec<u64>>>()
        };
        let (won_in, lost_in) = (list()?, list()?);
        header.outcomes = OutcomeCounts {
            attacker_legal,
            loser_legal,
            stalemate,
            won,
            lost,
            won_in,
            lost_in,
            loser_in_check,
            attacker_in_check,
        };
        let length = take_length(&mut input)?;
        for _ in 0..length {
            let size = u32::try_from(get(&mut input)?).ok()?;
            header.blocks.push((size, get(&mut input)?));
        }
        input.is_empty().then_some(header)
    }
}

fn put(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn take<'a>(input: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, tail) = input.split_at_checked(length)?;
    *input = tail;
    Some(head)
}

fn get(input: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(input, 8)?.try_into().ok()?))
}

/// Reads a length that does not exceed the remaining input.
fn take_length(input: &mut &[u8]) -> Option<usize> {
    usize::try_from(get(input)?).ok().filter(|&n| n <= input.len())
}
