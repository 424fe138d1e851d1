//! Orthodox chess rules (Chess960 too), as values.
//!
//! - [`Position`] is a game's state in 96 bytes; [`Position::after`] makes the next one.
//! - [`Targets`] is the unit of move generation: one man and the set of squares it may go to.
//! - Texts: [`fen`], [`lan`] (coordinate notation), [`san`].
//! - Judgements: [`outcome`], [`exchange`], [`validity`], [`retro`] (what was the last move?).
//! - [`perft`](fn@perft::perft) proves the rest.
//!
//! Nothing here knows time, threads or protocols.

pub mod attacks;
mod cycle;
pub mod exchange;
pub mod fen;
pub mod geometry;
pub mod lan;
mod legal;
mod magic;
mod movegen;
mod moves;
pub mod outcome;
mod packed;
pub mod perft;
mod piece;
mod position;
pub mod retro;
pub mod san;
pub mod validity;
mod zobrist;

pub use exchange::see;
pub use lan::{MoveError, parse_uci, to_uci};
pub use legal::{CheckSquares, CheckState};
pub use movegen::MoveKinds;
pub use moves::{MOVES_MAX, Move, MoveList, Targets};
pub use outcome::{DrawReason, Outcome};
pub use packed::PackedPosition;
pub use piece::{Piece, Role};
pub use position::Position;
pub use san::{parse_san, to_san};
pub use validity::{PositionError, Reason};
