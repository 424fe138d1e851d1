//! Playing one strategy: every game that belongs to it, or the proof that there is none.
//!
//! - `script` is a plan made ready for play, `board` the men on their legs, `moves` what they may do, `bound` the moves
//!   that they still need (B1, B2), `table` what failed (B5), and `search` goes through it all.
//! - `side_relaxation` asks one side by itself (B3). A `relaxation` asks some men of both (B4): `walk` and `frontier` are how, `answers` and
//!   `memory` what it knows; `active` are the parties asked everywhere, `patterns` finds them, by whose fault (`guilt`) a
//!   position fails, and `store` keeps what serves other strategies.
//! - `parting` makes `cases` of a hard strategy: by who steps aside (A19), or by `visits` to squares that `interpositions` must
//!   stand on (A17). `kinds` tries strategies together (A21).
//! - `company` is who plays along, `searching` how they make way for each other, `view` what is shown of them.
//! - `witness` follows a known game through all of this, and names the first rule that loses it.

pub(crate) mod bound;
pub(crate) mod depth_first;
pub(crate) mod learn;
pub(crate) mod node;
pub(crate) mod options;
pub(crate) mod player;
pub(crate) mod relax;
pub(crate) mod result;
pub(crate) mod split;
pub(crate) mod state;
pub(crate) mod table;
pub(crate) mod team;
#[cfg(test)]
mod tests;
pub(crate) mod witness;

pub use learn::nogoods::NogoodStore;
pub use options::PlayerOptions;
pub use player::Player;
pub use result::{MoveCounts, PlayResult};
pub use table::{RefutationTable, SPLITS_MAX};
pub use team::view::{PATH_SHOWN_MAX, PlayerSnapshot, PlayerView};
pub use team::{TeamSearch, search_with_team};
pub use witness::LostGame;
