//! The walk through the tree.

use crate::enumerate::captures::options::{self, Capture};
use crate::enumerate::claims::Claims;
use crate::enumerate::leaf::strategy;
use crate::enumerate::precedence::Order;
use crate::enumerate::request::{Found, Options, Sought};
use crate::enumerate::root::ENDS_MAX;
use crate::enumerate::state::{Dead, Quick, State, Tools};
use crate::enumerate::trail::{Decision, Path, Tally, Trail};
use crate::enumerate::witness::agrees;
use crate::problem::Problem;
use crate::problem::man::{Man, MenSet};
use crate::rules::Rule;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Deed, Life, Plan, Stop};
use std::hash::Hasher;
use std::ops::ControlFlow;
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Square};
use umbrail_control::Cancel;

/// Walks the tree and emits each strategy that may have a game once. [`ControlFlow::Break`] and a raised
/// `cancel` end the walk early; then `complete` is false.
pub fn seek(
    problem: &Problem,
    options: &Options,
    claims: &dyn Claims,
    cancel: &Cancel,
    emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> Sought {
    seek_watched(problem, options, claims, cancel, &Trail::default(), emit)
}

/// The same, with a window through which others see the path.
pub fn seek_watched(
    problem: &Problem,
    options: &Options,
    claims: &dyn Claims,
    cancel: &Cancel,
    trail: &Trail,
    emit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> Sought {
    let mut walk = Walk::new(problem, options, claims, cancel, emit);
    walk.trail = Some(trail);
    walk.sought.complete = walk.ends().is_continue();
    let Sought { nodes, found, kept, .. } = walk.sought;
    trail.finish(Tally { nodes, found, kept });
    let counts = Rule::ALL.iter().map(|&rule| (rule, walk.refuted[rule as usize]));
    walk.sought.refuted = counts.filter(|&(_, count)| count > 0).collect();
    walk.sought
}

/// A walk through the tree, or through the branch that leads to one known strategy.
pub(crate) struct Walk<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) options: &'a Options,
    pub(crate) claims: &'a dyn Claims,
    cancel: &'a Cancel,
    emit: &'a mut dyn FnMut(Found) -> ControlFlow<()>,
    pub(crate) tools: Tools,
    /// See [`crate::enumerate::root::ENDS_MAX`].
    pub(crate) ends_max: usize,
    order: Order,
    refuted: [u64; 64],
    /// The known strategy, when only its branch is walked.
    pub(crate) target: Option<&'a Strategy>,
    /// Where the branch of the target was lost.
    pub(crate) lost: Option<(State, Dead)>,
    /// The last state that agreed with the target.
    pub(crate) last: Option<State>,
    /// Reused from node to node.
    ways: Vec<options::Options>,
    pub(crate) trail: Option<&'a Trail>,
    pub(crate) path: Path,
    claim: u64,
    index: u32,
    /// Branches of the root that are behind.
    pub(crate) ends: u64,
    /// Branches met at the sync depth, living or dead.
    pub(crate) branches: u64,
    /// The block of branches of the root where it is, and which of them others have told to be dead.
    pub(crate) told: (u64, u64),
    /// How often there was a moment to look up.
    glances: u64,
    pub(crate) sought: Sought,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        options: &'a Options,
        claims: &'a dyn Claims,
        cancel: &'a Cancel,
        emit: &'a mut dyn FnMut(Found) -> ControlFlow<()>,
    ) -> Self {
        Self {
            problem,
            options,
            claims,
            cancel,
            emit,
            tools: Tools::new(options.rules),
            ends_max: ENDS_MAX,
            order: Order::new(options.rules),
            refuted: [0; 64],
            target: None,
            lost: None,
            last: None,
            ways: Vec::new(),
            trail: None,
            path: Path::default(),
            claim: 0,
            index: 0,
            ends: 0,
            branches: 0,
            told: (u64::MAX, 0),
            glances: 0,
            sought: Sought::default(),
        }
    }

    /// Whether a state lies on the walk.
    pub(crate) fn admits(&self, state: &State) -> bool {
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

    pub(crate) fn cut(&mut self, state: &State, dead: Dead) {
        let kind = match dead {
            Dead::NoWay(_) => 0,
            Dead::Moves(_) => 1,
            Dead::Captures(_) => 2,
            Dead::Victim(_) => 3,
            Dead::Refuted(rule) => 4 + rule as usize,
        };
        match kind {
            0..4 => self.sought.cut[kind] += 1,
            _ => self.refuted[kind - 4] += 1,
        }
        if self.target.is_some() {
            self.lost = Some((state.clone(), dead));
        }
    }

    /// Shows the path to whoever watches, before a strategy takes the seeker's time.
    fn show(&self) {
        if let Some(trail) = self.trail.filter(|trail| trail.is_watched()) {
            let Sought { nodes, found, kept, .. } = self.sought;
            trail.write(&self.path, Tally { nodes, found, kept });
        }
    }

    /// Counts a node, and looks up now and then.
    #[inline]
    fn count(&mut self) -> ControlFlow<()> {
        self.sought.nodes += 1;
        self.glance()
    }

    /// Looks up now and then: is the walk to end, does somebody ask for the path?
    #[inline]
    pub(crate) fn glance(&mut self) -> ControlFlow<()> {
        self.glances += 1;
        if self.glances.is_multiple_of(32) {
            if self.cancel.is_raised() {
                return ControlFlow::Break(());
            }
            if let Some(trail) = self.trail.filter(|trail| trail.is_wanted()) {
                let Sought { nodes, found, kept, .. } = self.sought;
                trail.write(&self.path, Tally { nodes, found, kept });
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes the next claim, or leaves it to others.
    fn claim(&mut self) -> bool {
        let number = self.sought.claims;
        self.sought.claims += 1;
        let mine = self.claims.take(number);
        if mine {
            (self.claim, self.index) = (number, 0);
        }
        mine
    }

    /// Settles a state, in which some lives are not weighed yet, and goes on below it; or leaves it.
    ///
    /// At the sync depth another seeker may know whether it lives. Then it has a number or none, and
    /// only who claims it need settle it.
    pub(crate) fn enter(
        &mut self,
        depth: u8,
        mut state: State,
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
            return self.glance();
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
            let life = state.life(*man);
            matches!(life.plan, Plan::Becomes(_)) && life.turn().is_none()
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
    fn promotions(&mut self, depth: u8, state: &State, pawn: Man) -> ControlFlow<()> {
        let Plan::Becomes(kind) = state.life(pawn).plan else {
            return ControlFlow::Continue(());
        };
        let rank = if pawn.color().is_white() { 7 } else { 0 };
        for square in (0..8).map(|file| Square::at(file, rank)) {
            let stop = Stop { square, deed: Deed::Becomes(kind) };
            let Some(life) = state.life(pawn).with(0, stop) else { continue };
            let mut child = state.clone();
            child.set(pawn, life);
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

    /// A level: who takes the man that has the fewest ways to be taken, and where.
    fn captures(&mut self, depth: u8, mut state: State) -> ControlFlow<()> {
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
                    let order = |capture: &Capture| {
                        [capture.captor, capture.victim]
                            .map(|(man, life)| life.cost - state.life(man).cost)
                    };
                    captures.sort_by_key(|capture| order(capture).iter().sum::<u8>());
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
        state: &State,
        victim: Man,
        captures: &[Capture],
    ) -> ControlFlow<()> {
        if state.open.len() == 1 && self.target.is_none() && depth >= self.options.sync_depth {
            return self.leaves(state, captures);
        }
        for (number, capture) in captures.iter().enumerate() {
            let mut child = state.clone();
            for (man, life) in [capture.captor, capture.victim] {
                child.set(man, life);
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
            // Both lives are weighed already.
            self.enter(depth + 1, child, MenSet::EMPTY)?;
        }
        ControlFlow::Continue(())
    }

    /// The last level below the sync depth: each capture makes a leaf. The same as entering a child, but
    /// one state serves all as long as nothing follows from the captures.
    fn leaves(&mut self, state: &State, captures: &[Capture]) -> ControlFlow<()> {
        let mut child = state.clone();
        child.open = MenSet::EMPTY;
        for capture in captures {
            let (captor, victim) = (capture.captor, capture.victim);
            let old = (child.set(captor.0, captor.1), child.set(victim.0, victim.1));
            self.count()?;
            if Color::ALL.into_iter().any(|color| child.spare(color) < 0) {
                self.cut(&child, Dead::Moves(Color::White));
            } else if !child.is_walked() {
                self.cut(&child, Dead::Captures(Color::White));
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

    /// Draws conclusions from the options and the order of events until nothing follows any more, and
    /// chooses the next victim.
    fn advance(&mut self, state: &mut State, ways: &mut options::Options) -> Result<Man, Dead> {
        loop {
            let victim = self.choose(state, ways)?;
            let slack = Color::ALL.map(|color| state.spare(color).max(0) as u16);
            let captures = Color::ALL.map(|color| state.spare_captures(color));
            let judged = self.order.judge(state.lives(), &state.distances, slack, captures);
            let aside = judged.map_err(Dead::Refuted)?;
            if aside.moves.is_empty() {
                return Ok(victim);
            }
            let mut risen = false;
            for (man, moves) in aside.moves {
                risen |= moves > 0;
                state.raise(man, state.life(man).bound.saturating_add(moves));
            }
            if !risen {
                return Ok(victim);
            }
            let changed = state.freeze(&mut self.tools);
            state.settle(changed, &mut self.tools)?;
        }
    }

    /// Chooses the next victim, and raises the bounds by what each victim's way to its death costs.
    fn choose(&mut self, state: &mut State, ways: &mut options::Options) -> Result<Man, Dead> {
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
                    return Err(Dead::Victim(victim));
                }
                state.raise(victim, state.life(victim).cost.saturating_add(survey.moves));
                if best.is_none_or(|(count, _)| survey.count < count) {
                    best = Some((survey.count, victim));
                }
            }
            for color in Color::ALL {
                if state.spare(color) < 0 {
                    return Err(Dead::Moves(color));
                }
            }
            let Some((_, victim)) = best else { return Err(Dead::Victim(Man::new(0))) };
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

    /// A leaf: all is decided.
    fn leaf(&mut self, state: &State) -> ControlFlow<()> {
        if !state.is_walked() {
            self.cut(state, Dead::Captures(Color::White));
            return ControlFlow::Continue(());
        }
        self.sought.found += 1;
        let slack = Color::ALL.map(|color| state.spare(color).max(0) as u16);
        let judged = self.order.judge(state.lives(), &state.distances, slack, [0; 2]);
        let aside = match judged {
            Ok(aside) => aside,
            Err(rule) => {
                self.cut(state, Dead::Refuted(rule));
                return ControlFlow::Continue(());
            }
        };
        let mut free = slack;
        for (man, moves) in aside.moves {
            free[man.color().index()] -= u16::from(moves);
        }
        let Some(strategy) = strategy(state.lives()) else { return ControlFlow::Continue(()) };
        let index = self.index;
        self.index += 1;
        self.sought.kept += 1;
        self.show();
        self.sought.emitted = self.sought.emitted.wrapping_add(hash(state.lives()));
        (self.emit)(Found { strategy, free, claim: self.claim, index })
    }
}

/// A number for decided lives that is the same in every run.
fn hash(lives: &[Life; 32]) -> u64 {
    let mut hasher = Quick::default();
    for life in lives {
        hasher.write_u8(life.end.number());
        for stop in life.stops() {
            let deed = match stop.deed {
                Deed::Takes(victim) => victim.number(),
                Deed::TakesInPassing(victim) => 32 + victim.number(),
                Deed::Becomes(kind) => 64 + kind as u8,
            };
            hasher.write_u32(u32::from(deed) << 8 | u32::from(stop.square.number()));
        }
    }
    hasher.finish()
}
