//! Search of positions: the exact number of games from any start to a placement.
//!
//! The second solver of this crate. It shares nothing with the enumeration of strategies but the
//! data types of problems. A depth-first search with a table of (position, plies left) → number of
//! games is cut by bounds on what each army still needs. It is strong where few quiet moves are
//! left, with a start other than the initial position, and where the number of games is of
//! interest; strategies are strong where captures are few and games are long.
//!
//! | module | what |
//! |---|---|
//! | `board` | position of the search, with 128-bit keys |
//! | `rules` | rules as a trait, orthodox moves, steps of a single man |
//! | `fairy` | rules with conditions and fairy pieces |
//! | `conditions` | the conditions, one file each family |
//! | `placement` | boards as the first field of a FEN |
//! | `names` | names of conditions and pieces in three languages |
//! | `neutrals` | neutral pieces of a problem, and what goes with them |
//! | `piece_words` | names of pieces in messages |
//! | `remarks` | remarks on problems that hardly anyone means |
//! | `bounds` | what each side still needs, and the memory of it |
//! | `count_archive` | numbers of games that another run goes on with |
//! | `search` | numbers of games, division among threads, lists of games |
//! | `turns` | orders of turns |
//! | `game_check` | whether a given game is a solution |
//! | `replay` | the independent check of each listed game |

mod board;
mod bounds;
mod chess_problem;
mod conditions;
mod count_archive;
mod exported;
mod fairy;
mod fairy_game;
mod fairy_problem;
mod game_check;
mod names;
mod neutrals;
mod piece_words;
mod placement;
mod problem;
mod remarks;
mod replay;
mod rules;
mod search;
mod set_play;
mod solve;
#[cfg(test)]
mod tests;
mod turns;
mod verdict;

pub use count_archive::{CountArchive, CountArchiveError, CountQuestion, EarlierWork, KnownCounts};
pub use fairy_game::FairyGame;
pub use fairy_problem::{
    FairyError, FairyProblem, FairyStart, PieceName, PlacedMan, castling_of, men_of,
};
pub use game_check::{FairyGameFault, check_fairy_game};
pub use names::{ConditionName, Language, NameError, nearest_conditions, nearest_of};
pub use names::{ListedName, listed_conditions, listed_pieces};
pub(crate) use names::{hint_of, is_of_game as is_condition_of_game, mistyped_variant};
pub(crate) use piece_words::letters_of_piece;
pub use piece_words::without_neutral_signs;
pub use problem::PositionProblem;
pub use set_play::NoSetPlay;
pub(crate) use set_play::set_play_title;
pub use solve::{
    CountKeeper, GameCount, PositionEvent, PositionReport, PositionSettings, count_fairy_games,
    count_games,
};
pub use turns::Turns;
pub use verdict::{fairy_verdict_of, verdict_of};
