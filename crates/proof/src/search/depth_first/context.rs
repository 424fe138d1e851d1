//! State that a search shares with others and only reads.

use crate::distance::cache::DistanceCache;
use crate::problem::{Length, Problem};
use crate::search::bound::Blockade;
use crate::search::options::SearchOptions;
use crate::search::relax::cache::SharedCache;
use crate::search::relax::subset;
use crate::search::state::compiled::CompiledPlan;
use crate::search::table::RefutationTable;
use crate::search::team::searching::SearchingTable;
use crate::search::team::view::PlayerView;
use umbrail_control::{Cancel, Gauge};

/// Context that is constant during the search of one strategy.
pub(crate) struct SearchContext<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) compiled: &'a CompiledPlan,
    pub(crate) distances: &'a DistanceCache,
    pub(crate) table: &'a RefutationTable,
    pub(crate) options: &'a SearchOptions,
    pub(crate) number: u64,
    /// Results of subset relaxations, shared by the team.
    pub(crate) shared_cache: Option<&'a SharedCache>,
    /// Positions that members of the team are searching.
    pub(crate) searching: Option<&'a SearchingTable>,
    pub(crate) cancel: &'a Cancel,
    /// Display state.
    pub(crate) view: Option<&'a PlayerView>,
    /// Gauge of moves, updated during the search.
    pub(crate) gauge: Option<&'a Gauge>,
}

pub(crate) const fn context<'a>(
    set: &SearchContext<'a>,
    blockade: Blockade,
) -> subset::SubsetContext<'a> {
    let exact = matches!(set.problem.length, Length::Exact);
    let cancel = set.cancel;
    subset::SubsetContext {
        compiled: set.compiled,
        distances: set.distances,
        blockade,
        exact,
        cancel,
    }
}
