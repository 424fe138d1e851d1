//! The walk through the tree.

use crate::enumerate::agreement::agrees;
use crate::enumerate::captures::options::{self, Capture};
use crate::enumerate::claims::Claims;
use crate::enumerate::ends::SORTED_ENDS_MAX;
use crate::enumerate::leaf::strategy;
use crate::enumerate::precedence::PrecedenceChecker;
use crate::enumerate::request::{EnumerationOptions, EnumerationResult, FoundStrategy};
use crate::enumerate::state::{NodeRefutation, NodeState, Tools};
use crate::enumerate::trail::{Decision, DecisionPath, Trail, WalkCounts};
use crate::fast_map::FastHasher;
use crate::problem::Problem;
use crate::problem::man::{Man, MenSet};
use crate::rules::Rule;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Itinerary, ItineraryStop, PromotionPlan, StopKind};
use std::hash::Hasher;
use std::ops::ControlFlow;
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Square};
use umbrail_control::Cancel;

/// Walks the tree and emits each strategy that may have a game once. [`ControlFlow::Break`] and a
/// raised `cancel` end the walk early; then `complete` is false.
pub fn enumerate_strategies(
    problem: &Problem,
    options: &EnumerationOptions,
    claims: &dyn Claims,
    cancel: &Cancel,
    emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
) -> EnumerationResult {
    enumerate_watched(problem, options, claims, cancel, &Trail::default(), emit)
}

/// The same, with a trail for display.
pub(crate) fn enumerate_watched(
    problem: &Problem,
    options: &EnumerationOptions,
    claims: &dyn Claims,
    cancel: &Cancel,
    trail: &Trail,
    emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
) -> EnumerationResult {
    let mut walk = TreeWalk::new(problem, options, claims, cancel, emit);
    walk.trail = Some(trail);
    walk.sought.complete = walk.ends().is_continue();
    let EnumerationResult { nodes, found, kept, .. } = walk.sought;
    trail.finish(WalkCounts { nodes, found, kept });
    let counts = Rule::ALL.iter().map(|&rule| (rule, walk.refuted[rule as usize]));
    walk.sought.refuted = counts.filter(|&(_, count)| count > 0).collect();
    walk.sought
}

/// A walk through the tree, or through the branch that leads to one known strategy.
pub(crate) struct TreeWalk<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) options: &'a EnumerationOptions,
    pub(crate) claims: &'a dyn Claims,
    cancel: &'a Cancel,
    emit: &'a mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
    pub(crate) tools: Tools,
    /// See [`crate::enumerate::ends::SORTED_ENDS_MAX`].
    pub(crate) ends_max: usize,
    precedence: PrecedenceChecker,
    refuted: [u64; 64],
    /// The known strategy, when only its branch is walked.
    pub(crate) target: Option<&'a Strategy>,
    /// Where the branch of the target was lost.
    pub(crate) lost: Option<(NodeState, NodeRefutation)>,
    /// The last state that agreed with the target.
    pub(crate) last: Option<NodeState>,
    /// Reused from node to node.
    ways: Vec<options::CaptureOptions>,
    pub(crate) trail: Option<&'a Trail>,
    pub(crate) path: DecisionPath,
    claim: u64,
    index: u32,
    /// Branches of the root that are done.
    pub(crate) ends: u64,
    /// Branches met at the sync depth, dead or alive.
    pub(crate) branches: u64,
    /// The present block of branches of the root, and its branches that are recorded as dead.
    pub(crate) told: (u64, u64),
    /// Counts the opportunities to poll.
    polls: u64,
    pub(crate) sought: EnumerationResult,
}

impl<'a> TreeWalk<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        options: &'a EnumerationOptions,
        claims: &'a dyn Claims,
        cancel: &'a Cancel,
        emit: &'a mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
    ) -> Self {
        Self {
            problem,
            options,
            claims,
            cancel,
            emit,
            tools: Tools::new(options.rules),
            ends_max: SORTED_ENDS_MAX,
            precedence: PrecedenceChecker::new(options.rules),
            refuted: [0; 64],
            target: None,
            lost: None,
            last: None,
            ways: Vec::new(),
            trail: None,
            path: DecisionPath::default(),
            claim: 0,
            index: 0,
            ends: 0,
            branches: 0,
            told: (u64::MAX, 0),
            polls: 0,
            sought: EnumerationResult::default(),
        }
    }

    /// Whether a state lies on the walk.
    pub(crate) fn admits(&self, state: &NodeState) -> bool {
        self.target.is_none_or(|target| agrees(state, target))
    }

    /// Mixes a decision above the sync depth into the digest.
    pub(crate) fn mark(&mut self, decision: &[u8], depth: u8) {
        if depth >= self.options.sync_depth {
            return;
        }
        for &byte in decision {
            self.sought.digest = (self.sought.digest ^ u64::from(byte))
                .wrapping_mul(0x0000_0100_0000_01B3)
                .rotate_left(5);
        }
    }

    pub(crate) fn cut(&mut self, state: &NodeState, dead: NodeRefutation) {
        let kind = match dead {
            NodeRefutation::NoWay(_) => 0,
            NodeRefutation::Moves(_) => 1,
            NodeRefutation::Captures(_) => 2,
            NodeRefutation::Victim(_) => 3,
            NodeRefutation::Refuted(rule) => 4 + rule as usize,
        };
        match kind {
            0..4 => self.sought.cut[kind] += 1,
            _ => self.refuted[kind - 4] += 1,
        }
        if self.target.is_some() {
            self.lost = Some((state.clone(), dead));
        }
    }

    /// Writes the path for display, before a strategy is searched by this worker.
    fn show(&self) {
        if let Some(trail) = self.trail.filter(|trail| trail.is_watched()) {
            let EnumerationResult { nodes, found, kept, .. } = self.sought;
            trail.write(&self.path, WalkCounts { nodes, found, kept });
        }
    }

    /// Counts a node, and polls at intervals.
    #[inline]
    fn count(&mut self) -> ControlFlow<()> {
        self.sought.nodes += 1;
        self.poll()
    }

    /// Polls at intervals: the cancel signal, and requests for the path.
    #[inline]
    pub(crate) fn poll(&mut self) -> ControlFlow<()> {
        self.polls += 1;
        if self.polls.is_multiple_of(32) {
            if self.cancel.is_raised() {
                return ControlFlow::Break(());
            }
            if let Some(trail) = self.trail.filter(|trail| trail.is_wanted()) {
                let EnumerationResult { nodes, found, kept, .. } = self.sought;
                trail.write(&self.path, WalkCounts { nodes, found, kept });
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes the next claim, unless another seeker has it.
    fn claim(&mut self) -> bool {
        let number = self.sought.claims;
        self.sought.claims += 1;
        let mine = self.claims.take(number);
        if mine {
            (self.claim, self.index) = (number, 0);
        }
        mine
    }

    /// Settles a state, in which some itineraries are not weighed yet, and goes on below it; or
    /// leaves it.
    ///
    /// At the sync depth it may be recorded whether the state is alive. Then its number is known,
    /// and only the seeker that claims it must settle it.
    pub(crate) fn enter(
        &mut self,
        depth: u8,
        mut state: NodeState,
        changed: MenSet,
    ) -> ControlFlow<()> {
        let parts = depth == self.options.sync_depth;
        let branch = self.branches;
        self.branches += u64::from(parts);
        let known = if parts {
            self.claims.branches().and_then(|known| known.is_alive(branch))
        } else {
            None
        };
        if known == Some(false) || known == Some(true) && !self.claim() {
            return self.poll();
        }
        let verdict = state.settle(changed, &mut self.tools);
        if let (true, None, Some(branches)) = (parts, known, self.claims.branches()) {
            branches.note(branch, verdict.is_ok());
        }
        if let Err(dead) = verdict {
            self.cut(&state, dead);
            return if depth == 1 { self.count() } else { ControlFlow::Continue(()) };
        }
        if self.target.is_some() {
            self.last = Some(state.clone());
        }
        self.count()?;
        let promoter = Man::all().find(|man| {
            let itinerary = state.itinerary(*man);
            matches!(itinerary.promotion, PromotionPlan::Promotes(_)) && itinerary.turn().is_none()
        });
        let leaf = promoter.is_none() && state.open.is_empty();
        let claims = parts && known.is_none() || leaf && depth < self.options.sync_depth;
        if claims && !self.claim() {
            return ControlFlow::Continue(());
        }
        match promoter {
            Some(pawn) => self.promotions(depth, &state, pawn),
            None if leaf => self.leaf(&state),
            None => self.captures(depth, state),
        }
    }

    /// A level: where a surviving pawn promotes.
    fn promotions(&mut self, depth: u8, state: &NodeState, pawn: Man) -> ControlFlow<()> {
        let PromotionPlan::Promotes(kind) = state.itinerary(pawn).promotion else {
            return ControlFlow::Continue(());
        };
        let rank = if pawn.color().is_white() { 7 } else { 0 };
        for square in (0..8).map(|file| Square::at(file, rank)) {
            let stop = ItineraryStop { square, kind: StopKind::Promotes(kind) };
            let Some(itinerary) = state.itinerary(pawn).with(0, stop) else { continue };
            let mut child = state.clone();
            child.set(pawn, itinerary);
            if !self.admits(&child) {
                continue;
            }
            self.mark(&[pawn.number(), square.number()], depth);
            let decision = Decision::Promotion(pawn, square, kind);
            let timed = depth <= self.options.sync_depth;
            self.path.note(usize::from(depth), decision, (usize::from(square.file()), 8), timed);
            self.enter(depth + 1, child, MenSet::EMPTY.with(pawn))?;
        }
        ControlFlow::Continue(())
    }

    /// A level: the captor and the square of the victim with the fewest options.
    fn captures(&mut self, depth: u8, mut state: NodeState) -> ControlFlow<()> {
        let rules = self.options.rules;
        let mut ways = self.ways.pop().unwrap_or_default();
        let chosen = self.advance(&mut state, &mut ways);
        let result = match chosen {
            Err(dead) => {
                self.cut(&state, dead);
                ControlFlow::Continue(())
            }
            Ok(victim) => {
                let mut captures = Vec::new();
                ways.captures(&state, victim, rules, &mut captures);
                if depth < self.options.sync_depth {
                    let precedence = |capture: &Capture| {
                        [capture.captor, capture.victim]
                            .map(|(man, itinerary)| itinerary.cost - state.itinerary(man).cost)
                    };
                    captures.sort_by_key(|capture| precedence(capture).iter().sum::<u8>());
                }
                self.branches(depth, &state, victim, &captures)
            }
        };
        self.ways.push(ways);
        result
    }

    fn branches(
        &mut self,
        depth: u8,
        state: &NodeState,
        victim: Man,
        captures: &[Capture],
    ) -> ControlFlow<()> {
        if state.open.len() == 1 && self.target.is_none() && depth >= self.options.sync_depth {
            return self.leaves(state, captures);
        }
        for (number, capture) in captures.iter().enumerate() {
            let mut child = state.clone();
            for (man, itinerary) in [capture.captor, capture.victim] {
                child.set(man, itinerary);
            }
            child.open = child.open.without(victim);
            if !self.admits(&child) {
                continue;
            }
            let (captor, end) = (capture.captor.0, capture.victim.1.end);
            self.mark(&[victim.number(), captor.number(), end.number()], depth);
            let timed = depth <= self.options.sync_depth;
            let place = (number, captures.len());
            self.path.note(usize::from(depth), Decision::of(capture), place, timed);
            // Both itineraries are weighed already.
            self.enter(depth + 1, child, MenSet::EMPTY)?;
        }
        ControlFlow::Continue(())
    }

    /// The last level below the sync depth: each capture makes a leaf. This equals entering a
    /// child, but one state serves all as long as nothing follows from the captures.
    fn leaves(&mut self, state: &NodeState, captures: &[Capture]) -> ControlFlow<()> {
        let mut child = state.clone();
        child.open = MenSet::EMPTY;
        for capture in captures {
            let (captor, victim) = (capture.captor, capture.victim);
            let old = (child.set(captor.0, captor.1), child.set(victim.0, victim.1));
            self.count()?;
            if Color::ALL.into_iter().any(|color| child.spare(color) < 0) {
                self.cut(&child, NodeRefutation::Moves(Color::White));
            } else if !child.is_walked() {
                self.cut(&child, NodeRefutation::Captures(Color::White));
            } else {
                let (distances, walls) = (Arc::clone(&child.distances), child.walls);
                let changed = child.follow(&mut self.tools);
                if changed.is_empty() {
                    self.leaf(&child)?;
                } else {
                    let mut other = child.clone();
                    match other.settle(changed, &mut self.tools) {
                        Ok(()) => self.leaf(&other)?,
                        Err(dead) => self.cut(&other, dead),
                    }
                    (child.distances, child.walls) = (distances, walls);
                }
            }
            child.set(victim.0, old.1);
            child.set(captor.0, old.0);
        }
        ControlFlow::Continue(())
    }

    /// Propagates the capture options and the precedence of events to a fixpoint, and chooses the
    /// next victim.
    fn advance(
        &mut self,
        state: &mut NodeState,
        ways: &mut options::CaptureOptions,
    ) -> Result<Man, NodeRefutation> {
        loop {
            let victim = self.choose(state, ways)?;
            let slack = Color::ALL.map(|color| state.spare(color).max(0) as u16);
            let captures = Color::ALL.map(|color| state.spare_captures(color));
            let judged =
                self.precedence.check(state.itineraries(), &state.distances, slack, captures);
            let excursions = judged.map_err(NodeRefutation::Refuted)?;
            if excursions.moves.is_empty() {
                return Ok(victim);
            }
            let mut risen = false;
            for (man, moves) in excursions.moves {
                risen |= moves > 0;
                state.raise(man, state.itinerary(man).bound.saturating_add(moves));
            }
            if !risen {
                return Ok(victim);
            }
            let changed = state.freeze(&mut self.tools);
            state.settle(changed, &mut self.tools)?;
        }
    }

    /// Chooses the next victim, and raises the bounds by the cost of each victim's way to its
    /// capture.
    fn choose(
        &mut self,
        state: &mut NodeState,
        ways: &mut options::CaptureOptions,
    ) -> Result<Man, NodeRefutation> {
        let rules = self.options.rules;
        ways.find(state, rules);
        if state.open.len() == 1
            && let Some(victim) = state.open.men().next()
        {
            return Ok(victim);
        }
        loop {
            let before = Color::ALL.map(|color| state.bound(color));
            let mut best: Option<(u32, Man)> = None;
            for victim in state.open.men() {
                let survey = ways.survey(state, victim);
                if survey.count == 0 {
                    return Err(NodeRefutation::Victim(victim));
                }
                state.raise(victim, state.itinerary(victim).cost.saturating_add(survey.moves));
                if best.is_none_or(|(count, _)| survey.count < count) {
                    best = Some((survey.count, victim));
                }
            }
            for color in Color::ALL {
                if state.spare(color) < 0 {
                    return Err(NodeRefutation::Moves(color));
                }
            }
            let Some((_, victim)) = best else { return Err(NodeRefutation::Victim(Man::new(0))) };
            if Color::ALL.map(|color| state.bound(color)) == before {
                return Ok(victim);
            }
            let changed = state.freeze(&mut self.tools);
            if !changed.is_empty() {
                state.settle(changed, &mut self.tools)?;
            }
            ways.find(state, rules);
            if changed.is_empty() {
                return Ok(victim);
            }
        }
    }

    /// A leaf: everything is decided.
    fn leaf(&mut self, state: &NodeState) -> ControlFlow<()> {
        if !state.is_walked() {
            self.cut(state, NodeRefutation::Captures(Color::White));
            return ControlFlow::Continue(());
        }
        self.sought.found += 1;
        let slack = Color::ALL.map(|color| state.spare(color).max(0) as u16);
        let judged = self.precedence.check(state.itineraries(), &state.distances, slack, [0; 2]);
        let excursions = match judged {
            Ok(excursions) => excursions,
            Err(rule) => {
                self.cut(state, NodeRefutation::Refuted(rule));
                return ControlFlow::Continue(());
            }
        };
        let mut free = slack;
        for (man, moves) in excursions.moves {
            free[man.color().index()] -= u16::from(moves);
        }
        let Some(strategy) = strategy(state.itineraries()) else {
            return ControlFlow::Continue(());
        };
        let index = self.index;
        self.index += 1;
        self.sought.kept += 1;
        self.show();
        self.sought.emitted = self.sought.emitted.wrapping_add(hash(state.itineraries()));
        (self.emit)(FoundStrategy { strategy, free, claim: self.claim, index })
    }
}

/// A hash of decided itineraries that is the same in every run.
fn hash(itineraries: &[Itinerary; 32]) -> u64 {
    let mut hasher = FastHasher::default();
    for itinerary in itineraries {
        hasher.write_u8(itinerary.end.number());
        for stop in itinerary.stops() {
            let kind = match stop.kind {
                StopKind::Takes(victim) => victim.number(),
                StopKind::TakesEnPassant(victim) => 32 + victim.number(),
                StopKind::Promotes(kind) => 64 + kind as u8,
            };
            hasher.write_u32(u32::from(kind) << 8 | u32::from(stop.square.number()));
        }
    }
    hasher.finish()
}
