//! What a player shares with the others that search the same case.

use crate::search::relax::cache::SharedCache;
use crate::search::team::searching::SearchingTable;

/// One player's place among those who play the same.
#[derive(Clone, Copy, Default)]
pub(crate) struct TeamContext<'a> {
    /// What the parties of all of them know.
    pub(crate) shared_cache: Option<&'a SharedCache>,
    /// Where all of them are.
    pub(crate) searching: Option<&'a SearchingTable>,
}
