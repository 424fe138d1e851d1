//! Moves of one side's piece, compiled for one axis: templates with their conditions on the bits of
//! a word.

use super::definition::{Game, GamePiece};
use super::index::Axis;
use crate::fairy::Template;
use crate::grid::SquareSet;

/// Template, with its conditions on the axis man as words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<S, W> {
    pub(super) template: Template<S>,
    pub(super) becomes: Option<u8>,
    /// Squares of the axis man that are not in `empty`.
    clear: W,
    one: W,
    own: W,
}

impl<S: SquareSet, W: SquareSet> Step<S, W> {
    fn new(wide: &Template<u128>, becomes: Option<u8>, axis: &Axis) -> Self {
        let Template { from, to, .. } = *wide;
        let template = Template {
            from,
            to,
            empty: S::of(wide.empty),
            all: S::of(wide.all),
            one: S::of(wide.one),
            own: S::of(wide.own),
            take: S::of(wide.take),
        };
        let clear = axis.all::<W>() & !axis.project::<u128, W>(wide.empty);
        let (one, own) = (axis.project(wide.one), axis.project(wide.own));
        Self { template, becomes, clear, one, own }
    }

    /// Returns the squares of the axis man for which the move is possible, captures excepted. It
    /// may be the hurdle. `own` and `enemy` are without the mover and the axis man.
    #[inline(always)]
    pub(super) fn mask(&self, own: S, enemy: S, axis_is_own: bool, axis: &Axis) -> W {
        let template = &self.template;
        let occupied = own | enemy;
        if !(occupied & template.empty).is_none() || !(enemy & template.own).is_none() {
            return W::NONE;
        }
        let mut squares = self.clear;
        let missing = template.all & !occupied;
        if !missing.is_none() {
            if !missing.without_first().is_none() {
                return W::NONE;
            }
            squares &= axis.word(missing.first());
            if !axis_is_own {
                squares &= !self.own;
            }
        }
        if !template.one.is_none() {
            let hurdles = template.one & occupied;
            if hurdles.is_none() {
                squares &= self.one;
                if !axis_is_own {
                    squares &= !self.own;
                }
            } else if hurdles.without_first().is_none() {
                squares &= !self.one;
            } else {
                return W::NONE;
            }
        }
        squares
    }
}

/// Steps by a square.
#[derive(Clone, Debug)]
pub(super) struct StepLists<S, W>(Vec<Vec<Step<S, W>>>);

impl<S: SquareSet, W: SquareSet> StepLists<S, W> {
    fn new(squares: u8) -> Self {
        Self(vec![vec![]; usize::from(squares)])
    }

    #[inline(always)]
    pub(super) fn at(&self, square: u8) -> &[Step<S, W>] {
        &self.0[usize::from(square)]
    }
}

/// Moves of a piece of one side.
#[derive(Clone, Debug)]
pub(super) struct CompiledPiece<S, W> {
    /// Quiet moves without promotion by origin, and by target.
    pub(super) quiet: StepLists<S, W>,
    pub(super) unmoves: StepLists<S, W>,
    /// Captures and promotions by origin.
    pub(super) conversions: StepLists<S, W>,
    /// Moves that give check, by origin.
    pub(super) checks: StepLists<S, W>,
}

/// Returns the moves of a piece as the attacker or the loser makes them; the attacker is White.
pub(super) fn oriented(game: &Game, piece: &GamePiece, attacker: bool) -> Vec<OrientedMove> {
    let flip = game.flip();
    let turn = |t: &Template<u128>| if attacker { *t } else { t.mapped(&flip) };
    let moves = piece.moves.iter().map(|mv| (turn(&mv.template), mv.becomes, false));
    moves.chain(piece.facing.iter().map(|t| (turn(t), None, true))).collect()
}

/// Template, what the mover becomes, and true for a capture of a royal along an open file.
pub(super) type OrientedMove = (Template<u128>, Option<u8>, bool);

impl<S: SquareSet, W: SquareSet> CompiledPiece<S, W> {
    pub(super) fn new(game: &Game, kind: u8, attacker: bool, royal: bool, axis: &Axis) -> Self {
        let lists = || StepLists::new(game.grid.size());
        let (quiet, unmoves) = (lists(), lists());
        let mut new = Self { quiet, unmoves, conversions: lists(), checks: lists() };
        let mut last = None;
        for (template, becomes, faces) in oriented(game, &game.pieces[usize::from(kind)], attacker)
        {
            let step = Step::new(&template, becomes, axis);
            let (from, to) = (usize::from(template.from), usize::from(template.to));
            // Promotions of one move check alike.
            if !template.is_quiet() && (royal || !faces) && last.replace(template) != Some(template)
            {
                new.checks.0[from].push(step);
            }
            if faces {
                continue;
            }
            if template.is_quiet() && becomes.is_none() {
                new.quiet.0[from].push(step);
                new.unmoves.0[to].push(step);
            } else {
                new.conversions.0[from].push(step);
            }
        }
        new
    }
}

/// Moves of the loser's royal: of all its squares at once where it leaps.
#[derive(Clone, Debug)]
pub(super) struct AxisRoyal<S, W> {
    /// Leaps by the difference of the bits, with the bits of origin.
    leaps: Vec<(i32, W)>,
    /// Other quiet moves: bits of origin and target.
    others: Vec<(u8, u8, Template<S>)>,
    /// Captures and promotions, with the bit of origin.
    pub(super) captures: Vec<(u8, Template<S>)>,
    /// Moves that give check, by the square of the attacked royal.
    checks: Vec<Vec<(u8, Template<S>)>>,
}

impl<S: SquareSet, W: SquareSet> AxisRoyal<S, W> {
    pub(super) fn new(game: &Game, kind: u8, axis: &Axis) -> Self {
        let checks = vec![vec![]; usize::from(game.grid.size())];
        let mut new = Self { leaps: vec![], others: vec![], captures: vec![], checks };
        for (wide, _, faces) in oriented(game, &game.pieces[usize::from(kind)], false) {
            let (Some(from), Some(to)) = (axis.bit(wide.from), axis.bit(wide.to)) else {
                // A facing move may leave the zone.
                if let Some(from) = axis.bit(wide.from).filter(|_| faces) {
                    let template = Step::<S, W>::new(&wide, None, axis).template;
                    new.checks[usize::from(wide.to)].push((from, template));
                }
                continue;
            };
            let template = Step::<S, W>::new(&wide, None, axis).template;
            for square in wide.take.squares() {
                new.checks[usize::from(square)].push((from, template));
            }
            if !wide.is_quiet() {
                if !faces {
                    new.captures.push((from, template));
                }
                continue;
            }
            let leaps = wide.all == 0
                && wide.one == 0
                && wide.from != wide.to
                && wide.empty == u128::bit(wide.from) | u128::bit(wide.to);
            if !leaps {
                new.others.push((from, to, template));
                continue;
            }
            let by = i32::from(to) - i32::from(from);
            match new.leaps.iter_mut().find(|(shift, _)| *shift == by) {
                Some((_, origins)) => *origins |= W::bit(from),
                None => new.leaps.push((by, W::bit(from))),
            }
        }
        new
    }

    /// Returns the squares from which the royal reaches one of `targets`, which are empty, by a
    /// quiet move.
    #[inline(always)]
    pub(super) fn before(&self, targets: W, own: S, enemy: S) -> W {
        let mut before = W::NONE;
        if targets.is_none() {
            return before;
        }
        for &(by, origins) in &self.leaps {
            before |= targets.shifted(-by) & origins;
        }
        for (from, to, template) in &self.others {
            if targets.has(*to) && template.path_is_open(own, enemy) {
                before |= W::bit(*from);
            }
        }
        before
    }

    /// Returns the squares from which the royal attacks the attacker's royal.
    pub(super) fn checks_on(&self, home: u8, own: S, enemy: S) -> W {
        let enemy = enemy & !S::bit(home);
        let mut found = W::NONE;
        for (from, template) in &self.checks[usize::from(home)] {
            let rest = template.take & !S::bit(home);
            if template.path_is_open(own, enemy) && (rest & !enemy).is_none() {
                found |= W::bit(*from);
            }
        }
        found
    }
}
