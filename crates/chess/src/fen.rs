//! Castling fields of FEN in all three dialects, and EPD lines.
//!
//! [`Setup`] parses the other fields. The castling field is interpreted as follows:
//! - `KQkq`: the outermost rook on that side of the king (X-FEN);
//! - `A`–`H`, `a`–`h`: the rook on that file (Shredder-FEN);
//! - a right whose king is not on its first rank, or whose rook is not there, is dropped;
//! - a right that the [`CastlingMode`] does not allow is dropped: in standard chess the king
//!   castles from the e-file with a rook on the a- or h-file, in either notation (`KQkq` and `HAha`
//!   are equivalent there);
//! - a second right on the same side of the king is dropped.
//!
//! EPD operations end at `;`, and quoted operands may contain one. [`read_position`] accepts FEN
//! and EPD.

use super::castling_mode::CastlingMode;
use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Color, Setup, SetupError, Square};

/// Returns the rooks named by a castling field, as far as king and rooks are in place and the mode
/// allows the right.
pub(super) fn read_castling(position: &Position, field: &str, mode: CastlingMode) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    for letter in field.chars().filter(|&letter| letter != '-') {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = if color.is_white() { 0 } else { 7 };
        let king = position.king(color);
        if king.rank() != rank {
            continue;
        }
        let rooks = position.pieces(color, Role::Rook) & Bitboard::rank(rank);
        let east = |rook: Square| rook.file() > king.file();
        let rook = match letter.to_ascii_lowercase() {
            'k' => rooks.last().filter(|&rook| east(rook)),
            'q' => rooks.first().filter(|&rook| !east(rook)),
            file @ 'a'..='h' => Some(Square::at(file as u8 - b'a', rank)),
            _ => None,
        };
        let stands = |&rook: &Square| rooks.contains(rook) && mode.allows(king, rook);
        if let Some(rook) = rook.filter(stands) {
            let rivals = rights & Bitboard::rank(rank);
            if !rivals.squares().any(|other| east(other) == east(rook)) {
                rights = rights.with(rook);
            }
        }
    }
    rights
}

/// Returns the FEN with castling rights by the rook's file, as Chess960 GUIs expect.
pub fn shredder_fen(position: &Position) -> String {
    let mut setup = position.to_setup();
    setup.castling = position.castling_field(true);
    setup.to_string()
}

/// EPD line: a four-field position and its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// Contents of the first four fields.
    pub setup: Setup,
    /// Operation code and operands, in the order of the line; quotes are kept.
    pub operations: Vec<(String, String)>,
}

impl Epd {
    /// Parses an EPD line; six-field FENs followed by operations are accepted, too.
    ///
    /// # Errors
    /// [`SetupError`] of the position.
    pub fn read(line: &str) -> Result<Self, SetupError> {
        let mut rest = line.trim();
        let mut fields: Vec<&str> = Vec::new();
        while fields.len() < 6 && !rest.is_empty() {
            let (field, behind) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
            let is_counter = field == "-" || field.bytes().all(|b| b.is_ascii_digit());
            if fields.len() >= 4 && !is_counter {
                break;
            }
            fields.push(field);
            rest = behind.trim_start();
        }
        let setup = fields.join(" ").parse()?;
        Ok(Self { setup, operations: operations(rest.trim_start_matches(';')) })
    }

    /// Returns the operands of the first operation with this code.
    pub fn operation(&self, code: &str) -> Option<&str> {
        self.operations.iter().find(|(name, _)| name == code).map(|(_, operands)| operands.as_str())
    }
}

/// Parses a position from a line of a file: FEN, or EPD, whose operations end at `;`. The
/// operations `hmvc` and `fmvn` set the counters; others are ignored.
///
/// # Errors
/// [`SetupError`] of the position, also for text after a FEN that is not an operation.
pub fn read_position(line: &str) -> Result<Setup, SetupError> {
    let plain = line.parse();
    if plain.is_ok() || !line.contains(';') {
        return plain;
    }
    let Epd { mut setup, operations } = Epd::read(line)?;
    for (code, operand) in operations {
        let counter = match code.as_str() {
            "hmvc" => &mut setup.halfmoves,
            "fmvn" => &mut setup.fullmoves,
            _ => continue,
        };
        *counter = operand.parse().map_err(|_| SetupError::Counter(operand))?;
    }
    Ok(setup)
}

fn operations(text: &str) -> Vec<(String, String)> {
    let mut quoted = false;
    text.split(|letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
    .filter_map(|operation| {
        let operation = operation.trim();
        let (code, operands) = operation.split_once([' ', '\t']).unwrap_or((operation, ""));
        (!code.is_empty()).then(|| (code.to_owned(), operands.trim().to_owned()))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{Epd, read_position, shredder_fen};
    use crate::geometry::{Setup, SetupError};
    use crate::{CastlingMode, Position};

    fn read(fen: &str, mode: CastlingMode) -> Position {
        Position::from_setup(&fen.parse().unwrap(), mode).unwrap()
    }

    fn round_trip(fen: &str) {
        assert_eq!(read(fen, CastlingMode::Chess960).to_string(), fen);
    }

    #[test]
    fn castling_fields_round_trip() {
        round_trip("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        round_trip("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 17");
        // An inner rook may castle if its file is named (X-FEN).
        round_trip("4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1");
        round_trip("4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1");
    }

    #[test]
    fn shredder_names_files() {
        assert_eq!(
            shredder_fen(&Position::startpos()),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
        );
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        assert_eq!(shredder_fen(&read(fen, CastlingMode::Chess960)), fen);
    }

    #[test]
    fn standard_chess_drops_rights_of_other_squares() {
        for (board, field, standard, chess960) in [
            ("4k3/8/8/8/8/8/8/R3K2R w", "KQ", "KQ", "KQ"),
            // File letters of the usual squares are equivalent to the usual letters.
            ("r3k2r/8/8/8/8/8/8/R3K2R w", "HAha", "KQkq", "KQkq"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b", "Ah", "Qk", "Qk"),
            ("r4k1r/8/8/8/8/8/8/R4K1R w", "KQkq", "-", "KQkq"),
            ("4k3/8/8/8/8/8/8/R5K1 w", "Q", "-", "Q"),
            ("r5k1/8/8/8/8/8/8/4K3 b", "q", "-", "q"),
            ("4k3/8/8/8/8/8/8/RN2K1R1 w", "KQ", "Q", "KQ"),
            // With two rooks on one side, the file letter identifies the rook.
            ("4k3/8/8/8/8/8/8/RR2K3 w", "B", "-", "B"),
            ("4k3/8/8/8/8/8/8/RR2K3 w", "A", "Q", "Q"),
            ("4k3/8/8/8/8/8/8/RR2K3 w", "BQ", "Q", "B"),
            // Each side is validated alone, as in Double Fischer Random.
            ("rk5r/8/8/8/8/8/8/R3K2R w", "KQkq", "KQ", "KQkq"),
        ] {
            let fen = format!("{board} {field} - 0 1");
            for (mode, expected) in
                [(CastlingMode::Standard, standard), (CastlingMode::Chess960, chess960)]
            {
                let position = read(&fen, mode);
                assert_eq!(position.to_setup().castling, expected, "{fen} in {mode:?}");
                assert_eq!(position.key(), position.computed_key());
                assert_eq!(position.structures(), position.computed_structures());
            }
        }
    }

    #[test]
    fn a_position_knows_whose_rights_it_has() {
        let mode = |fen| read(fen, CastlingMode::Chess960).castling_mode();
        assert_eq!(Position::startpos().castling_mode(), CastlingMode::Standard);
        assert_eq!(mode("r4k1r/8/8/8/8/8/8/R4K1R w - - 0 1"), CastlingMode::Standard);
        assert_eq!(mode("r4k1r/8/8/8/8/8/8/R3K2R w KQk - 0 1"), CastlingMode::Chess960);
    }

    #[test]
    fn a_setup_is_one_of_standard_chess_where_no_mode_is_given() {
        let setup: Setup = "4k3/8/8/8/8/8/8/R5K1 w Q - 0 1".parse().unwrap();
        assert!(Position::try_from(&setup).unwrap().castling_rooks().is_empty());
    }

    #[test]
    fn a_position_is_read_from_fen_and_from_epd() {
        let place = "8/8/8/5k2/8/8/1Q6/K7 w - -";
        let read = |rest: &str| read_position(&format!("{place}{rest}")).map(|s| s.to_string());
        let fen = |counters: &str| Ok(format!("{place} {counters}"));
        assert_eq!(read(""), fen("0 1"));
        assert_eq!(read(" 7 20"), fen("7 20"));
        assert_eq!(read(" c0 \"white wins, dtc 19 plies\";"), fen("0 1"));
        assert_eq!(read(" bm Qb3; id \"a;b\"; hmvc 12; fmvn 40;"), fen("12 40"));
        assert_eq!(read(" 3 9 ; comment"), fen("3 9"));
        assert_eq!(read(" hmvc x;"), Err(SetupError::Counter("x".to_owned())));
        assert_eq!(read(" c0"), Err(SetupError::Counter("c0".to_owned())));
        assert_eq!(read(" 0 1 c0"), Err(SetupError::Trailing("c0".to_owned())));
    }

    #[test]
    fn epd_operations_may_quote_semicolons() {
        let line = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"a;b\"; acd 3;";
        let epd = Epd::read(line).unwrap();
        assert_eq!(epd.operation("bm"), Some("O-O"));
        assert_eq!(epd.operation("id"), Some("\"a;b\""));
        assert_eq!(epd.operation("acd"), Some("3"));
        let counted = Epd::read("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66").unwrap();
        assert_eq!(counted.operation("D2"), Some("66"));
        assert_eq!(counted.setup.fields, 6);
    }
}
