//! State that a search shares with others and only reads.

use crate::distance::cache::DistanceCache;
use crate::problem::Problem;
use crate::search::options::SearchOptions;
use crate::search::player_view::PlayerView;
use crate::search::relax::cache::SharedCache;
use crate::search::searching_table::SearchingTable;
use crate::search::state::compiled::CompiledPlan;
use crate::search::table::RefutationTable;
use umbrail_control::{Cancel, Gauge};

/// Setting that is constant during the search of one strategy.
pub(crate) struct SearchSetting<'a> {
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
