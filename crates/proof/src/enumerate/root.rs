//! Root of the tree: all pairs of end assignments.

use crate::distance::walls::Walls;
use crate::enumerate::ends::{EndAssignment, RootEnds, each_ends};
use crate::enumerate::lookahead::Pairs;
use crate::enumerate::matching::Matching;
use crate::enumerate::place_tracker::Branch;
use crate::enumerate::progress_trace::NodeDecision;
use crate::enumerate::state::{NodeState, Tools};
use crate::enumerate::tree::TreeWalk;
use crate::problem::piece::PieceMask;
use crate::strategy::itinerary::Itinerary;
use std::ops::ControlFlow;
use umbrail_chess::geometry::Color;

/// Maximum number of end assignments of both colors whose matchings are listed; only for display.
const LISTED_MAX: usize = 1 << 16;

impl TreeWalk<'_> {
    /// Walks the first level: all pairs of end assignments.
    pub(crate) fn ends(&mut self) -> ControlFlow<()> {
        let (problem, target) = (self.problem, self.known.strategy());
        let own = RootEnds::default();
        let shared = self.root_ends.unwrap_or(&own);
        let lists = shared.lists(problem, &mut self.propagator.tools, target, self.ends_max);
        let first = self.places.first_end();
        if let Some([white, black]) = lists {
            let all = white.len() * black.len();
            if white.len() + black.len() <= LISTED_MAX {
                self.progress.list(|| [white, black].map(|list| Matching::all(list)));
            }
            let mut pairs = Pairs::new(white, black, by_cost(white, black).skip(first));
            for number in first.. {
                self.look_ahead(number as u64, &mut pairs);
                let Some((white, black)) = pairs.next() else { break };
                self.next_pair(number, all, white, black)?;
            }
            return ControlFlow::Continue(());
        }
        // Too many to store: walk them in the order of generation, without a list.
        let mut number = 0;
        let mut tools = Tools::new(self.options.rules);
        let mut others = Tools::new(self.options.rules);
        each_ends(problem, Color::White, &mut tools, target, &mut |white| {
            each_ends(problem, Color::Black, &mut others, target, &mut |black| {
                number += 1;
                if number <= first {
                    return self.poll();
                }
                self.next_pair(number - 1, usize::MAX, white, black)
            })
        })
    }

    /// Walks a pair of end assignments, unless another seeker is already past it.
    ///
    /// That seeker has met every claim below the pair, so this seeker only adopts its counters.
    fn next_pair(
        &mut self,
        number: usize,
        all: usize,
        white: &EndAssignment,
        black: &EndAssignment,
    ) -> ControlFlow<()> {
        let Some(branches) = self.claims.branches() else {
            return self.pair(number, all, white, black);
        };
        let branch = number as u64;
        if let Some(front) = self.position.catch_up(branches, branch) {
            self.tally.adopt(front.claims, front.digest);
        }
        if self.position.is_past(branch) {
            return self.poll();
        }
        if self.position.is_marked_dead(branches, branch) {
            self.mark(&number.to_le_bytes(), 0);
            self.poll()?;
        } else {
            self.pair(number, all, white, black)?;
        }
        self.position.finish(branches, branch, self.tally.claims_and_digest());
        ControlFlow::Continue(())
    }

    /// Walks a pair of end assignments.
    fn pair(
        &mut self,
        number: usize,
        all: usize,
        white: &EndAssignment,
        black: &EndAssignment,
    ) -> ControlFlow<()> {
        let state = self.begin(white, black);
        if !self.known.admits(&state) {
            return ControlFlow::Continue(());
        }
        if self.branch(0, number, all)? == Branch::Walked {
            self.mark(&number.to_le_bytes(), 0);
        }
        let ends = [white, black];
        let decision = NodeDecision::Ends(ends.map(|e| e.castles), ends.map(Matching::of_ends));
        self.progress.note(0, decision, (number, all), true);
        self.enter(1, state, PieceMask::ALL)
    }

    pub(crate) fn begin(&mut self, white: &EndAssignment, black: &EndAssignment) -> NodeState {
        let [mine, theirs] = [white.itineraries(Color::White), black.itineraries(Color::Black)];
        let itineraries: [Itinerary; 32] =
            std::array::from_fn(|n| if n < 16 { mine[n] } else { theirs[n - 16] });
        let budget = Color::ALL.map(|color| self.problem.budget(color));
        NodeState::new(
            itineraries,
            budget,
            self.propagator.tools.distances(PieceMask::EMPTY, [u16::MAX; 2], Walls::default()),
        )
    }
}

/// Returns all pairs of two sorted lists, in order of total cost.
fn by_cost<'e>(
    white: &'e [EndAssignment],
    black: &'e [EndAssignment],
) -> impl Iterator<Item = (usize, usize)> + 'e {
    let most = |ends: &[EndAssignment]| ends.last().map_or(0, |last| last.cost);
    (0..=most(white) + most(black)).flat_map(move |sum| {
        (0..white.len()).take_while(move |&w| white[w].cost <= sum).flat_map(move |w| {
            let rest = sum - white[w].cost;
            let first = black.partition_point(|ends| ends.cost < rest);
            let behind = black.partition_point(|ends| ends.cost <= rest);
            (first..behind).map(move |b| (w, b))
        })
    })
}
