//! What a player shares with the others that search the same case.

use crate::search::relax::cache::SharedCache;
use crate::search::team::searching::SearchingTable;

/// What one player shares with its team.
#[derive(Clone, Copy, Default)]
pub(crate) struct TeamContext<'a> {
    /// The results of subset relaxations.
    pub(crate) shared_cache: Option<&'a SharedCache>,
    /// The positions that its members are searching.
    pub(crate) searching: Option<&'a SearchingTable>,
}
