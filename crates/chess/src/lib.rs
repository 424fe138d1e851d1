//! The rules of orthodox chess and Chess960, as values.
//!
//! - [`Position`] is a game's state in 96 bytes; [`Position::after`] returns the next one.
//! - [`Targets`] is the unit of move generation: one piece and the set of its target squares.
//! - A setup becomes a position under a [`CastlingMode`]: standard chess drops the castling rights
//!   that only Chess960 has.
//! - Texts: [`fen`], [`lan`] (coordinate notation), [`san`]; a [`geometry::Setup`] is an unchecked
//!   FEN.
//! - Evaluations: [`outcome`], [`exchange`], [`validity`], [`retro`] (possible last moves).
//! - [`perft`](fn@perft::perft) counts move sequences.
//!
//! Nothing here depends on time, threads or protocols.
//!
//! ```
//! use umbrail_chess::geometry::Setup;
//! use umbrail_chess::perft::perft;
//! use umbrail_chess::{Position, parse_san, to_san};
//!
//! let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
//! let position = Position::try_from(&fen.parse::<Setup>()?)?;
//! let mate = parse_san(&position, "Qxf7#")?;
//! let after = position.after(mate);
//! assert!(after.is_mate());
//! assert_eq!(to_san(&position, mate), "Qxf7#");
//!
//! assert_eq!(Position::startpos().legal_moves().len(), 20);
//! assert_eq!(perft(&Position::startpos(), 3), 8_902);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attacks;
mod castling_mode;
mod cycle;
mod dropped_castling;
pub mod exchange;
pub mod fen;
pub mod geometry;
pub mod lan;
mod legal;
mod movegen;
mod moves;
pub mod outcome;
mod packed;
pub mod perft;
mod piece;
mod piece_letters;
mod position;
mod random;
pub mod retro;
pub mod san;
mod sliders;
pub mod validity;
mod zobrist;

pub use castling_mode::CastlingMode;
pub use dropped_castling::DroppedCastling;
pub use exchange::see;
pub use lan::{MoveError, parse_uci, to_uci};
pub use legal::{CheckSquares, CheckState};
pub use movegen::MoveKinds;
pub use moves::{MOVES_MAX, Move, MoveList, Targets};
pub use outcome::{DrawReason, Outcome};
pub use packed::PackedPosition;
pub use piece::{Piece, Role};
pub use piece_letters::PieceLetters;
pub use position::Position;
pub use random::SplitMix64;
pub use san::{parse_san, to_san};
pub use validity::{PositionError, Reason};
