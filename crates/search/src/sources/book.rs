//! Opening books in the Polyglot format: sorted big-endian entries of 16 bytes, each with a
//! position's key, a move, a weight and four unused bytes.

use super::ReadFile;
use super::error::SourceError;
use super::foreign::polyglot_key;
use std::path::Path;
use umbrail_chess::geometry::Square;
use umbrail_chess::{Move, Position, Role};

const ENTRY: usize = 16;

/// Opening book.
#[derive(Debug)]
pub(crate) struct Book {
    /// Sorted by key.
    entries: Vec<BookEntry>,
}

/// Entry of the file without its unused bytes.
#[derive(Debug)]
struct BookEntry {
    key: u64,
    /// Move, see [`decode`].
    code: u16,
    weight: u16,
}

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// [`SourceError`] if the file cannot be read or is not a book.
    pub(crate) fn read(path: &Path, read: ReadFile<'_>) -> Result<Self, SourceError> {
        let (option, name) = ("Book File", path.display().to_string());
        let bytes = read(path).map_err(|error| SourceError::File { option, error })?;
        Self::from_bytes(&bytes).ok_or_else(|| SourceError::Format {
            option,
            path: name,
            reason: format!(
                "expected records of {ENTRY} bytes (Polyglot), got {} bytes",
                bytes.len()
            ),
        })
    }

    /// Decodes a book; none if the bytes are not whole records.
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (records, rest) = bytes.as_chunks::<ENTRY>();
        if records.is_empty() || !rest.is_empty() {
            return None;
        }
        let mut entries: Vec<_> = (records.iter())
            .map(|record| {
                let number = |from: usize, to: usize| {
                    record[from..to].iter().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte))
                };
                BookEntry {
                    key: number(0, 8),
                    code: number(8, 10) as u16,
                    weight: number(10, 12) as u16,
                }
            })
            .collect();
        // Books should be sorted; an unsorted one would give no moves without this.
        entries.sort_by_key(|entry| entry.key);
        Some(Self { entries })
    }

    /// Returns the legal book moves of a position with their weights, in the order of the book.
    pub(crate) fn moves(&self, position: &Position) -> Vec<(Move, u16)> {
        let Some(key) = polyglot_key(position) else { return vec![] };
        let first = self.entries.partition_point(|entry| entry.key < key);
        (self.entries[first..].iter())
            .take_while(|entry| entry.key == key)
            .filter_map(|entry| Some((decode(position, entry.code)?, entry.weight)))
            .collect()
    }

    /// Returns one of these moves, chosen by its weight in the book and a `random` number from
    /// [0, 1).
    pub(crate) fn choose(&self, position: &Position, moves: &[Move], random: f64) -> Option<Move> {
        let mut known = self.moves(position);
        known.retain(|(mv, weight)| *weight > 0 && moves.contains(mv));
        let sum: f64 = known.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut left = random * sum;
        let chosen = known.iter().find(|&&(_, weight)| {
            left -= f64::from(weight);
            left < 0.0
        });
        chosen.map(|&(mv, _)| mv)
    }
}

/// Decodes a move: to 6 · from 6 · promotion 3 bits. Castling is encoded as the king capturing its
/// rook, as in [`Move`].
fn decode(position: &Position, code: u16) -> Option<Move> {
    let square = |bits: u16| Square::new((bits & 63) as u8);
    let promotion = match code >> 12 {
        0 => None,
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        _ => return None,
    };
    let (from, to) = (square(code >> 6), square(code));
    let mut legal = position.legal_moves().into_iter();
    legal.find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion)
}

/// Encodes a book for tests, from position, move and weight.
#[cfg(test)]
pub(crate) fn bound(entries: &[(Position, Move, u16)]) -> Vec<u8> {
    let mut records: Vec<[u8; ENTRY]> = (entries.iter())
        .map(|(position, mv, weight)| {
            let promotion = mv.promotion().map_or(0, |role| role.index() as u16);
            let code = mv.to().index() as u16 | (mv.from().index() as u16) << 6 | promotion << 12;
            let mut record = [0; ENTRY];
            record[..8].copy_from_slice(&polyglot_key(position).unwrap().to_be_bytes());
            record[8..10].copy_from_slice(&code.to_be_bytes());
            record[10..12].copy_from_slice(&weight.to_be_bytes());
            record
        })
        .collect();
    records.sort();
    records.concat()
}

#[cfg(test)]
mod tests {
    use super::{Book, bound};
    use crate::sources::read_at_once;
    use umbrail_chess::geometry::Setup;
    use umbrail_chess::{Position, parse_uci, to_uci};

    fn position(fen: &str) -> Position {
        Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap()
    }

    #[test]
    fn moves_are_read_back_with_castling_and_promotion() {
        for (fen, moves) in [
            (Setup::START_FEN, &["e2e4", "d2d4"][..]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["e1g1", "e1c1"]),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", &["a7a8q", "a7a8n"]),
        ] {
            let position = position(fen);
            let entries: Vec<_> = (moves.iter().enumerate())
                .map(|(at, mv)| (position, parse_uci(&position, mv).unwrap(), 10 * at as u16 + 1))
                .collect();
            let book = Book::from_bytes(&bound(&entries)).unwrap();
            let mut found: Vec<_> = book.moves(&position);
            found.sort_by_key(|&(_, weight)| weight);
            let texts: Vec<_> = found.iter().map(|&(mv, _)| to_uci(&position, mv, false)).collect();
            assert_eq!(texts, moves, "{fen}");
            assert!(book.moves(&position.after(found[0].0)).is_empty());
        }
    }

    #[test]
    fn what_is_no_book_is_refused() {
        assert!(Book::from_bytes(b"").is_none());
        assert!(Book::from_bytes(b"not a book at all").is_none());
        assert!(
            Book::read(std::path::Path::new("no/such.bin"), &read_at_once)
                .unwrap_err()
                .to_string()
                .contains("such.bin")
        );
    }
}
