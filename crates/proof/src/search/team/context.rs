//! State that a player shares with the others that search its case.

use crate::search::relax::cache::SharedCache;
use crate::search::team::searching::SearchingTable;

/// State that one player shares with its team.
#[derive(Clone, Copy, Default)]
pub(crate) struct TeamContext<'a> {
    /// Results of subset relaxations.
    pub(crate) shared_cache: Option<&'a SharedCache>,
    /// Positions that its members are searching.
    pub(crate) searching: Option<&'a SearchingTable>,
}
