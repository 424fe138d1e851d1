//! Writing of games in the formats of other trainers.
//!
//! - `viriformat`: whole games as a position of 32 bytes, moves and scores (Viridithas; read by bullet).
//! - `bulletformat`: positions of 32 bytes from the view of the side to move (bullet's `ChessBoard`).
//! - Text: `FEN | SCORE | RESULT`, a position on a line, as bullet converts it.
//!
//! Scores are centipawns for White, in `bulletformat` for the side to move. Formats of positions leave out positions in
//! check, before captures and promotions, and with a score beyond 15 pawns, as `umbrail train` does.

use crate::dataset::{SCORE_MAX, game_files};
use crate::record::{GameFile, GameRecord, GameResult, Ply};
use crate::sample::is_noisy;
use std::io::{self, Write};
use std::path::PathBuf;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Move, Position, Role};

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Games of Viridithas.
    Viri,
    /// Positions of bullet.
    Bullet,
    /// Lines of text.
    Text,
}

/// Numbers of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Games read.
    pub games: u64,
    /// Positions written; in `viriformat` all positions of the games.
    pub positions: u64,
}

/// Writes all games of these files and folders.
///
/// # Errors
/// A file cannot be read or written.
pub fn export(
    places: &[PathBuf],
    format: ExportFormat,
    out: &mut dyn Write,
) -> io::Result<Exported> {
    let mut exported = Exported::default();
    for path in game_files(places)? {
        let mut failure = None;
        GameFile::read(&path, |game| {
            exported.games += 1;
            if failure.is_none() {
                match write_game(&game, format, out) {
                    Ok(positions) => exported.positions += positions,
                    Err(error) => failure = Some(error),
                }
            }
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
    }
    out.flush()?;
    Ok(exported)
}

fn write_game(game: &GameRecord, format: ExportFormat, out: &mut dyn Write) -> io::Result<u64> {
    if format == ExportFormat::Viri {
        out.write_all(&viri_game(game))?;
        return Ok(game.plies.len() as u64);
    }
    let mut written = 0;
    let mut position = game.start;
    for &Ply { best, score } in &game.plies {
        let noisy = is_noisy(&position, best);
        if !noisy && !position.in_check() && score.abs() <= SCORE_MAX {
            match format {
                ExportFormat::Bullet => {
                    out.write_all(&bullet_board(&position, score, game.outcome))?;
                }
                _ => writeln!(out, "{}", text_line(&position, score, game.outcome))?,
            }
            written += 1;
        }
        position = position.after(best);
    }
    Ok(written)
}

/// Returns the score for White.
fn for_white(position: &Position, score: i16) -> i16 {
    if position.turn().is_white() { score } else { score.saturating_neg() }
}

fn text_line(position: &Position, score: i16, outcome: GameResult) -> String {
    let result = ["0.0", "0.5", "1.0"][outcome as usize];
    format!("{} | {} | {result}", position.to_setup(), for_white(position, score))
}

/// Packs codes of four bits, in the order of their squares.
fn nibbles(codes: impl Iterator<Item = u8>) -> [u8; 16] {
    let mut packed = [0; 16];
    for (at, code) in codes.take(32).enumerate() {
        packed[at / 2] |= code << (4 * (at % 2));
    }
    packed
}

/// A position from the view of the side to move, with its score and the points of that side in halves.
fn bullet_board(position: &Position, score: i16, outcome: GameResult) -> [u8; 32] {
    let own = position.turn();
    // Square as the side to move sees it: Black's view swaps the ranks.
    let seen = |square: Square| if own.is_white() { square } else { square.flip_rank() };
    let occupied: Bitboard = position.occupied().squares().map(seen).collect();
    let code = |square: Square| {
        position
            .piece_at(seen(square))
            .map_or(0, |piece| u8::from(piece.color != own) << 3 | piece.role as u8)
    };
    let mut board = [0; 32];
    board[..8].copy_from_slice(&occupied.0.to_le_bytes());
    board[8..24].copy_from_slice(&nibbles(occupied.squares().map(code)));
    board[24..26].copy_from_slice(&score.to_le_bytes());
    let white = outcome as u8;
    board[26] = if own.is_white() { white } else { 2 - white };
    board[27] = seen(position.king(own)).number();
    board[28] = seen(position.king(!own)).number() ^ 56;
    board
}

/// Code of a rook that may castle.
const UNMOVED_ROOK: u8 = 6;
/// Number for no en passant square.
const NO_SQUARE: u8 = 64;
/// Flags of a move.
const PROMOTION: u16 = 3 << 14;
const CASTLING: u16 = 2 << 14;
const EN_PASSANT: u16 = 1 << 14;

fn viri_game(game: &GameRecord) -> Vec<u8> {
    let start = &game.start;
    let may_castle = |square: Square| {
        Color::ALL.iter().any(|&color| {
            [true, false].iter().any(|&side| start.castling_rook(color, side) == Some(square))
        })
    };
    let code = |square: Square| {
        start.piece_at(square).map_or(0, |piece| {
            let role = if may_castle(square) { UNMOVED_ROOK } else { piece.role as u8 };
            role | u8::from(!piece.color.is_white()) << 3
        })
    };
    let mut bytes = vec![];
    bytes.extend(start.occupied().0.to_le_bytes());
    bytes.extend(nibbles(start.occupied().squares().map(code)));
    let passant = start.en_passant().map_or(NO_SQUARE, Square::number);
    bytes.push(passant | u8::from(!start.turn().is_white()) << 7);
    bytes.push(start.halfmoves().min(255) as u8);
    bytes.extend(start.fullmoves().to_le_bytes());
    bytes.extend([0; 2]);
    bytes.push(game.outcome as u8);
    bytes.push(0);
    let mut position = *start;
    for &Ply { best, score } in &game.plies {
        bytes.extend(viri_move(&position, best).to_le_bytes());
        bytes.extend(for_white(&position, score).to_le_bytes());
        position = position.after(best);
    }
    bytes.extend([0; 4]);
    bytes
}

/// Castling is the king's move to the square of its rook.
fn viri_move(position: &Position, mv: Move) -> u16 {
    let squares = u16::from(mv.from().number()) | u16::from(mv.to().number()) << 6;
    let flags = match mv.promotion() {
        Some(role) => PROMOTION | (role as u16 - Role::Knight as u16) << 12,
        None if position.is_castle(mv) => CASTLING,
        None if position.is_en_passant(mv) => EN_PASSANT,
        None => 0,
    };
    squares | flags
}

#[cfg(test)]
mod tests {
    use super::{bullet_board, text_line, viri_game};
    use crate::record::{GameRecord, GameResult, Ply};
    use umbrail_chess::{Position, parse_uci};

    fn position(fen: &str) -> Position {
        Position::try_from(&fen.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_position_of_bullet_is_seen_by_the_side_to_move() {
        let black = position("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
        let board = bullet_board(&black, -40, GameResult::Win);
        // Black's king e8 becomes e1, White's pawn e2 becomes e7, White's king e1 becomes e8.
        let occupied: u64 = 1 << 4 | 1 << 52 | 1 << 60;
        assert_eq!(board[..8], occupied.to_le_bytes());
        assert_eq!(board[8..10], [0x85, 0x0d]);
        assert_eq!(board[24..26], (-40i16).to_le_bytes());
        assert_eq!((board[26], board[27], board[28]), (0, 4, 4));
        let white = position("4k3/4p3/8/8/8/8/8/4K3 w - - 0 1");
        let other = bullet_board(&white, -40, GameResult::Loss);
        assert_eq!(other, board, "the mirrored position is the same");
    }

    #[test]
    fn text_has_the_score_and_the_result_for_white() {
        let black = position("4k3/8/8/8/8/8/4P3/4K3 b - - 3 9");
        let line = text_line(&black, -40, GameResult::Win);
        assert_eq!(line, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9 | 40 | 1.0");
    }

    #[test]
    fn a_game_of_viriformat_has_flags_for_its_moves() {
        let start = position("r3k2r/P7/8/5pP1/8/8/8/R3K2R w KQkq f6 0 7");
        let moves = [("g5f6", 10), ("e8g8", -20), ("e1c1", 30), ("a8b8", 5), ("a7b8q", 700)];
        let mut at = start;
        let plies = moves.map(|(text, score)| {
            let best = parse_uci(&at, text).unwrap();
            at = at.after(best);
            Ply { best, score }
        });
        let game = GameRecord {
            start,
            outcome: GameResult::Win,
            adjudicated: false,
            plies: plies.to_vec(),
        };
        let bytes = viri_game(&game);
        assert_eq!(bytes.len(), 32 + 4 * 5 + 4);
        // Ra1 and Rh1 may castle, Ke1 between them; then the pawn f5.
        assert_eq!(bytes[8..10], [0x56, 0x86]);
        assert_eq!((bytes[24], bytes[25], bytes[26], bytes[30]), (45, 0, 7, 2));
        let word = |at: usize| u16::from_le_bytes([bytes[32 + at], bytes[33 + at]]);
        assert_eq!(word(0), 38 | 45 << 6 | 1 << 14);
        assert_eq!(word(4), 60 | 63 << 6 | 2 << 14);
        assert_eq!(word(6), 20, "Black's score is turned round");
        assert_eq!(word(8), 4 | 2 << 14);
        assert_eq!(word(16), 48 | 57 << 6 | 3 << 12 | 3 << 14);
        assert_eq!(bytes[bytes.len() - 4..], [0; 4]);
    }
}
