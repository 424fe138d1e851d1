//! Recount of an archive: its tree is walked again, and what its records state is compared with the walk.
//!
//! The claims of an archive and their number follow from the problem and the rules of the enumeration, so the walk
//! finds claims that are missing, invented, or have a wrong number of strategies, and games that belong to another
//! strategy. The walk uses the solver's enumerator: the numbers and the digest are those of its bounds, and no other code
//! could confirm them. For small problems, the searches also check these bounds: a plain enumeration with code of its own
//! lists all strategies that fit the numbers of moves, and those that the tree does not have are searched, too. What
//! no walk shows is why a strategy has no game. That is found by searching again, which [`RecountOptions::stride`] requests
//! for every N-th claim.

mod search_again;
mod walk;

use crate::enumerate::FoundStrategy;
use crate::files::archive::{Archive, ArchiveError, Header};
use crate::problem::Problem;
use crate::problem::census::Census;
use crate::problem::piece::PieceMask;
use crate::problem::retraction::{EarlierProblem, earlier};
use crate::run::{Params, StrategyNumber};
use crate::search::RefutationTable;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use umbrail_control::{Control, keep_limit, lock};
use walk::PartWalk;

/// Maximum number of contradictions that are listed.
const LISTED_MAX: usize = 8;

/// Interval between two reports of progress.
const REPORT_AFTER: Duration = Duration::from_secs(5);

/// How far a recount goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecountOptions {
    /// Only the tree above the claims is walked: their number and the digest.
    pub claims_only: bool,
    /// The strategies of every claim whose number is divisible by this are searched again; 1 for all of them.
    pub stride: Option<u64>,
    /// Size of the table of refuted positions for these searches, in bytes.
    pub table_bytes: u64,
}

/// Numbers of a recount so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecountCounts {
    /// Claims met.
    pub claims: u64,
    /// Strategies of the claims that the archive has.
    pub strategies: u64,
    /// Games whose strategy is the one under which they are recorded.
    pub games: u64,
    /// Strategies that were searched again, with the result that the archive has.
    pub confirmed: u64,
    /// Strategies outside the tree that were searched, without a game.
    pub beyond: u64,
}

/// Result of a recount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recount {
    /// Numbers of the recount.
    pub counts: RecountCounts,
    /// What contradicts the archive; the first few.
    pub faults: Vec<String>,
    /// All strategies that fit the numbers of moves on an empty board were listed by code of its own, and every N-th of those
    /// that the tree does not have was searched. Only small problems with [`RecountOptions::stride`] allow this.
    pub is_plain: bool,
    /// Every part was walked to its end. If not, the recount was stopped.
    pub is_complete: bool,
}

/// State shared by the workers.
struct RecountState<'a> {
    archive: &'a Archive,
    params: Params,
    options: RecountOptions,
    control: &'a Control<'a, RecountCounts>,
    table: Arc<RefutationTable>,
    counts: [AtomicU64; 5],
    is_plain: AtomicBool,
    faults: Mutex<Vec<String>>,
    reported: Mutex<Instant>,
    stopped: AtomicBool,
    /// Strategies searched again so far; the number keeps their positions apart in the table.
    searches: AtomicU64,
}

impl RecountState<'_> {
    /// Adds a contradiction.
    fn fault(&self, text: String) {
        let mut faults = lock(&self.faults);
        if faults.len() < LISTED_MAX {
            faults.push(text);
        }
    }

    /// Adds to the count with this index among the fields of [`RecountCounts`].
    fn count(&self, field: usize, amount: u64) {
        self.counts[field].fetch_add(amount, Ordering::Relaxed);
    }

    fn counts(&self) -> RecountCounts {
        let [claims, strategies, games, confirmed, beyond] =
            self.counts.each_ref().map(|count| count.load(Ordering::Relaxed));
        RecountCounts { claims, strategies, games, confirmed, beyond }
    }

    /// Reports the progress, if the last report is long enough ago.
    fn report(&self) {
        let mut reported = lock(&self.reported);
        if reported.elapsed() >= REPORT_AFTER {
            *reported = Instant::now();
            self.control.notify(self.counts());
        }
    }
}

/// Walks the tree of an archive again, and compares.
///
/// # Errors
/// When the header does not name a problem or its settings.
pub fn recount(
    header: &Header,
    archive: &Archive,
    options: RecountOptions,
    control: &Control<'_, RecountCounts>,
) -> Result<Recount, ArchiveError> {
    let (problem, params) = (header.problem()?, header.params()?);
    let has_condition = params.condition.is_some();
    let bytes = if options.stride.is_some() { options.table_bytes } else { 0 };
    let state = RecountState {
        archive,
        options,
        control,
        table: Arc::new(RefutationTable::fitting(bytes, params.table_splits, &control.cancel)),
        params,
        counts: Default::default(),
        // A condition leaves strategies out that may have games.
        is_plain: AtomicBool::new(options.stride.is_some() && !has_condition),
        faults: Mutex::new(archive.contradictions()),
        reported: Mutex::new(Instant::now()),
        stopped: AtomicBool::new(false),
        searches: AtomicU64::new(1),
    };
    keep_limit(control.clock, &control.cancel, || {
        for (number, part) in parts(&problem, &state.params) {
            if control.check().is_err() {
                state.stopped.store(true, Ordering::Relaxed);
                break;
            }
            PartWalk::new(&state, &part, number).walk();
        }
    });
    let (counts, is_complete) = (state.counts(), !state.stopped.load(Ordering::Relaxed));
    let mut faults = std::mem::take(&mut *lock(&state.faults));
    if !faults.is_empty() && header.program() != env!("CARGO_PKG_VERSION") {
        let (writer, this) = (header.program(), env!("CARGO_PKG_VERSION"));
        faults.push(format!(
            "the archive was written by version {writer}, whose tree may differ from that of version {this}"
        ));
    }
    let is_plain = is_complete && state.is_plain.load(Ordering::Relaxed);
    Ok(Recount { counts, faults, is_plain, is_complete })
}

/// The number of a strategy of a part, as archives write it.
fn named(part: u16, found: &FoundStrategy) -> String {
    let (claim, index) = (found.claim, found.index);
    StrategyNumber { retraction: part, claim, index }.to_string()
}

/// The parts of a problem that have claims, by number.
fn parts(problem: &Problem, params: &Params) -> Vec<(u16, EarlierProblem)> {
    if Census::of(problem).is_err() {
        return vec![];
    }
    let parts = match earlier(problem, params.retraction) {
        Some(parts) => (1..).zip(parts).collect(),
        None => {
            let (tail, unmoved) = (vec![], PieceMask::EMPTY);
            vec![(0, EarlierProblem { problem: *problem, tail, unmoved })]
        }
    };
    let may_have = |(_, part): &(u16, EarlierProblem)| Census::of(&part.problem).is_ok();
    parts.into_iter().filter(may_have).collect()
}
