//! Tables on any board, under the rules of other games.
//!
//! A [`Game`] is a board ([`Grid`](super::Grid)), pieces whose moves are templates, and rules as
//! data: zones, promotions, stalemate, bare royals, facing generals. [`GameTables`] builds and
//! probes its endgames, by the method of the tables on 8x8: all squares of the loser's royal are
//! the bits of one word. The builder is generic in the sets of squares and in that word (16, 64 or
//! 128 bits). Distances are to mate, to the next conversion, or under the fifty-move rule.

mod build;
mod change;
mod compiled;
mod conversions;
mod definition;
mod index;
mod material;
mod page;
mod pgn;
mod piece_report;
mod position;
mod prepare;
mod referee;
mod rules_file;
mod slice;
mod solved;
mod statistics;
mod store;
mod sweep;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod variants_ini;
mod verify;

pub use build::{GameBuildError, GameMetricError};
pub use definition::{BareRoyal, Game, GamePiece, GameRules, GameRulesError};
pub use material::{GameMaterial, GameMaterialError};
pub use piece_report::{PieceEnding, PieceRole, Share, piece_endings};
pub use position::{GameMan, GameMove, GameMoves, GamePosition, GamePositionError};
pub use referee::{GameEnd, GameEndReason, IllegalGameMove};
pub use rules_file::{PRESETS, Preset, RulesFault, RulesFileError};
pub use store::GameStoreError;
pub use tables::{GameProbeError, GameTables};
pub use variants_ini::VariantsError;
