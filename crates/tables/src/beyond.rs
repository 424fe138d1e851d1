//! Size of endgames with more pieces than a table can have, for the message that refuses them.

use crate::fairy::Piece;
use std::sync::Arc;
use umbrail_chess::geometry::{Square, SymmetryGroup};

/// Bytes on disk for a position of one side to move: its distance in the log, in the finished file,
/// and its share of the sets. Measured: `docs/measurements/tables.csv`.
pub(crate) const DISK_BYTES: f64 = 1.25;

const GIB: f64 = (1u64 << 30) as f64;

/// Returns GiB of memory and of disk space that a build on disk of these pieces would need, royals
/// first. Memory: the three sets of a slice, and a byte for each position after a capture, which
/// the builder looks up. Disk: both directions.
pub(crate) fn needed_gib(sides: &[Vec<Arc<Piece>>; 2]) -> [u64; 2] {
    let (words, slices) = size(sides);
    let captures = |side: usize| {
        (1..sides[side].len()).map(move |piece| {
            let mut left = sides.clone();
            left[side].remove(piece);
            let (words, slices) = size(&left);
            words * 64.0 * slices
        })
    };
    let lookups: f64 = (0..2).flat_map(captures).sum();
    let winners = sides.iter().filter(|side| side.len() > 1).count();
    let memory = 3.0 * 8.0 * words + lookups;
    let disk = words * 64.0 * slices * DISK_BYTES * winners as f64;
    [memory, disk].map(|bytes| (bytes / GIB).ceil() as u64)
}

/// Returns words of a slice and slices. Identical pieces are one combination.
fn size(sides: &[Vec<Arc<Piece>>; 2]) -> (f64, f64) {
    let symmetry = SymmetryGroup::FULL;
    let symmetry = sides[0].iter().fold(symmetry, |group, p| group.intersection(p.symmetry()));
    let symmetry =
        sides[1].iter().fold(symmetry, |group, p| group.intersection(p.symmetry_turned()));
    let slices = Square::all().filter(|square| symmetry.home(*square).0 == *square).count();
    let mut words = 1.0;
    for side in sides {
        for (at, piece) in side.iter().enumerate().skip(1) {
            let twins = side[1..at].iter().filter(|twin| twin.letter == piece.letter).count();
            let squares = if piece.pawn { 48.0 } else { 64.0 };
            words *= (squares - twins as f64).max(0.0) / (twins + 1) as f64;
        }
    }
    (words, slices as f64)
}

#[cfg(test)]
mod tests {
    use super::size;
    use crate::catalog::Catalog;
    use crate::fairy::PieceSet;
    use crate::{Material, Metric, Rules};
    use umbrail_chess::geometry::Color;

    #[test]
    fn the_size_is_that_of_the_layout_where_there_is_one() {
        let set = PieceSet::default();
        let mut catalog = Catalog::new(Rules::orthodox(Metric::Dtm), &set).unwrap();
        for name in ["KQ.K", "KQRB.KN", "KNNN.KN", "KPP.KQ", "KBB.KBB"] {
            let material = Material::read(name, &set).unwrap();
            let key = catalog.key(&material, Color::White);
            let layout = catalog.layout(&key);
            let sides = Color::ALL.map(|color| material.side(color).to_vec());
            let right = (layout.words as f64, layout.homes.len() as f64);
            assert_eq!(size(&sides), right, "{name}");
        }
    }
}
