//! Plain enumeration: all strategies that fit the numbers of moves on an empty board, without any rule of the solver.
//!
//! It shares no code with the enumerator of the solver, only the data types of strategies and facts of geometry. Its
//! order of decisions is another one: castling and final squares of the survivors, promotions of all pawns, then captor
//! and square for one victim after the other. Each decision is a function of the strategy, so nothing comes twice.
//! *Complete*: a leg costs what it costs on an empty board, and only strategies whose legs exceed the moves of a color are
//! left out. Their number grows by a large factor with each capture and each spare move, so there is a limit.

use crate::problem::Problem;
use crate::problem::castling::{Wing, castled_square, castling_rook};
use crate::problem::pawn::{behind, pawn_rank};
use crate::problem::piece::PieceId;
use crate::strategy::Strategy;
use crate::strategy::route::{End, MILESTONES_MAX, Milestone, Route};
use std::ops::ControlFlow;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// A capture: square, victim, en passant.
type Taking = (Square, PieceId, bool);

/// Decisions made so far about one piece.
#[derive(Clone, Debug, Default)]
struct Draft {
    castles: Option<Wing>,
    /// Captures before the promotion, by rank; all captures of a pawn that does not promote.
    early: Vec<Taking>,
    /// Promotion of a pawn.
    turn: Option<(Square, Role)>,
    /// Captures as an officer, in order.
    late: Vec<Taking>,
    /// The last square, once it is decided.
    end: Option<Square>,
    captor: Option<PieceId>,
}

/// Calls back with each strategy. Returns false if it stopped: after `nodes_max` nodes, or when a call breaks.
pub(crate) fn plain_strategies(
    problem: &Problem,
    nodes_max: u64,
    emit: &mut dyn FnMut(Strategy) -> ControlFlow<()>,
) -> bool {
    let mut walk = PlainWalk {
        problem,
        drafts: vec![Draft::default(); 32],
        squares: vec![],
        victims: vec![],
        nodes: nodes_max,
        emit,
    };
    for color in Color::ALL {
        for square in Square::all() {
            let piece = problem.diagram.at(square).filter(|piece| piece.color == color);
            walk.squares.extend(piece.map(|piece| (color, square, piece.role)));
        }
    }
    walk.castling(0).is_continue()
}

struct PlainWalk<'a> {
    problem: &'a Problem,
    drafts: Vec<Draft>,
    squares: Vec<(Color, Square, Role)>,
    victims: Vec<PieceId>,
    nodes: u64,
    emit: &'a mut dyn FnMut(Strategy) -> ControlFlow<()>,
}

impl PlainWalk<'_> {
    /// Castling of White, then of Black.
    fn castling(&mut self, at: usize) -> ControlFlow<()> {
        let Some(&color) = Color::ALL.get(at) else { return self.survivor(0) };
        for wing in [None, Some(Wing::King), Some(Wing::Queen)] {
            let rooks = Wing::ALL.map(|wing| castling_rook(color, wing));
            for piece in rooks.into_iter().chain([PieceId::king(color)]) {
                let takes_part = wing.is_some_and(|wing| {
                    piece == PieceId::king(color) || piece == castling_rook(color, wing)
                });
                self.drafts[piece.index()].castles = wing.filter(|_| takes_part);
            }
            self.castling(at + 1)?;
        }
        ControlFlow::Continue(())
    }

    /// The piece on each square of the diagram.
    fn survivor(&mut self, at: usize) -> ControlFlow<()> {
        if !self.is_within() {
            return self.count();
        }
        self.count()?;
        let Some(&(color, square, role)) = self.squares.get(at) else { return self.dead() };
        for piece in PieceId::of_color(color) {
            let promotes = piece.is_pawn() && !matches!(role, Role::Pawn | Role::King);
            if self.drafts[piece.index()].end.is_some() || piece.role() != role && !promotes {
                continue;
            }
            self.drafts[piece.index()].end = Some(square);
            if promotes {
                let rank = if color.is_white() { 7 } else { 0 };
                for file in 0..8 {
                    self.drafts[piece.index()].turn = Some((Square::at(file, rank), role));
                    self.survivor(at + 1)?;
                }
                self.drafts[piece.index()].turn = None;
            } else {
                self.survivor(at + 1)?;
            }
            self.drafts[piece.index()].end = None;
        }
        ControlFlow::Continue(())
    }

    /// The victims, once all survivors are known.
    fn dead(&mut self) -> ControlFlow<()> {
        self.victims =
            PieceId::all().filter(|one| self.drafts[one.index()].end.is_none()).collect();
        if self.victims.iter().any(|victim| victim.role() == Role::King) {
            return ControlFlow::Continue(());
        }
        self.promotion(0)
    }

    /// Promotions of victims.
    fn promotion(&mut self, at: usize) -> ControlFlow<()> {
        if !self.is_within() {
            return self.count();
        }
        let Some(&victim) = self.victims.get(at) else { return self.death(0) };
        self.promotion(at + 1)?;
        if victim.is_pawn() {
            let rank = if victim.color().is_white() { 7 } else { 0 };
            for square in (0..8).map(|file| Square::at(file, rank)) {
                for role in Role::PROMOTIONS {
                    self.drafts[victim.index()].turn = Some((square, role));
                    self.promotion(at + 1)?;
                }
            }
            self.drafts[victim.index()].turn = None;
        }
        ControlFlow::Continue(())
    }

    /// Captor, place in its order, and square of one victim after the other.
    fn death(&mut self, at: usize) -> ControlFlow<()> {
        if !self.is_within() {
            return self.count();
        }
        self.count()?;
        let Some(&victim) = self.victims.get(at) else { return self.leaf() };
        for captor in PieceId::of_color(!victim.color()) {
            self.drafts[victim.index()].captor = Some(captor);
            for square in Square::all() {
                self.drafts[victim.index()].end = Some(square);
                let taking = (square, victim, false);
                if captor.is_pawn() {
                    self.early(at, captor, taking)?;
                }
                if !captor.is_pawn() || self.drafts[captor.index()].turn.is_some() {
                    for place in 0..=self.drafts[captor.index()].late.len() {
                        self.drafts[captor.index()].late.insert(place, taking);
                        self.death(at + 1)?;
                        self.drafts[captor.index()].late.remove(place);
                    }
                }
            }
            // En passant the captor lands behind the double step.
            let stood = victim.origin().offset(0, if victim.color().is_white() { 2 } else { -2 });
            if let (true, true, Some(stood)) = (captor.is_pawn(), victim.is_pawn(), stood) {
                self.drafts[victim.index()].end = Some(stood);
                let landing = behind(victim.color(), stood);
                self.early(at, captor, (landing, victim, true))?;
            }
            self.drafts[victim.index()].end = None;
            self.drafts[victim.index()].captor = None;
        }
        ControlFlow::Continue(())
    }

    /// A capture as a pawn, whose place among the others follows from its rank.
    fn early(&mut self, at: usize, captor: PieceId, taking: Taking) -> ControlFlow<()> {
        let rank = |square| pawn_rank(captor.color(), square);
        let draft = &mut self.drafts[captor.index()];
        let place = draft.early.partition_point(|other| rank(other.0) < rank(taking.0));
        if rank(taking.0) < 2
            || draft.early.get(place).is_some_and(|other| rank(other.0) == rank(taking.0))
        {
            return ControlFlow::Continue(());
        }
        draft.early.insert(place, taking);
        self.death(at + 1)?;
        self.drafts[captor.index()].early.remove(place);
        ControlFlow::Continue(())
    }

    fn count(&mut self) -> ControlFlow<()> {
        self.nodes = self.nodes.saturating_sub(1);
        if self.nodes == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns true if each color has enough moves for those already known to be necessary.
    fn is_within(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let draft = |piece: PieceId| &self.drafts[piece.index()];
            let moves = PieceId::of_color(color).map(|piece| least(piece, draft(piece)));
            let files = PieceId::of_color(color).filter(|piece| piece.is_pawn());
            let files: u32 = files.map(|pawn| u32::from(files_left(pawn, draft(pawn)))).sum();
            // A pawn leaves its file by a capture.
            files + self.problem.diagram.by_color(!color).len() <= 16
                && moves.sum::<Option<u16>>().is_some_and(|sum| sum <= self.problem.budget(color))
        })
    }

    /// A complete strategy.
    fn leaf(&mut self) -> ControlFlow<()> {
        for color in Color::ALL {
            let own = PieceId::of_color(color);
            let moves = own.map(|piece| exact(piece, &self.drafts[piece.index()]));
            if moves.sum::<Option<u16>>().is_none_or(|sum| sum > self.problem.budget(color)) {
                return ControlFlow::Continue(());
            }
        }
        let Some(strategy) = self.strategy() else { return ControlFlow::Continue(()) };
        match strategy.check(&self.problem.diagram) {
            Ok(()) => (self.emit)(strategy),
            Err(_) => ControlFlow::Continue(()),
        }
    }

    fn strategy(&self) -> Option<Strategy> {
        let mut routes: [Route; 32] = std::array::from_fn(|_| Route::to(End::Rest(Square::A1)));
        for piece in PieceId::all() {
            let draft = &self.drafts[piece.index()];
            let mut milestones: Vec<Milestone> =
                draft.castles.map(Milestone::Castling).into_iter().collect();
            let capture = |&(square, victim, en_passant): &Taking| Milestone::Capture {
                square,
                victim,
                en_passant,
            };
            milestones.extend(draft.early.iter().map(capture));
            milestones
                .extend(draft.turn.map(|(square, kind)| Milestone::Promotion { square, kind }));
            milestones.extend(draft.late.iter().map(capture));
            if milestones.len() > MILESTONES_MAX {
                return None;
            }
            let square = draft.end?;
            let end = match draft.captor {
                None => End::Rest(square),
                Some(captor) => {
                    let other = &self.drafts[captor.index()];
                    let mut takings = other.early.iter().chain(&other.late);
                    let index = takings.position(|taking| taking.1 == piece)? as u8;
                    End::Dead { square, captor, index }
                }
            };
            routes[piece.index()] = Route { milestones: milestones.into_iter().collect(), end };
        }
        Some(Strategy::new(routes))
    }
}

/// Where a pawn ends as a pawn: the square of its promotion or its end, or its last capture so far.
fn goal(draft: &Draft) -> Option<Square> {
    let last = draft.early.last().map(|taking| taking.0);
    draft.turn.map(|turn| turn.0).or(draft.end).or(last)
}

/// Files between the origin of a pawn and that square.
fn files_left(pawn: PieceId, draft: &Draft) -> u8 {
    goal(draft).map_or(0, |square| square.file().abs_diff(pawn.origin().file()))
}

/// Least moves of what is decided; none where it cannot be.
fn least(piece: PieceId, draft: &Draft) -> Option<u16> {
    if !piece.is_pawn() {
        let castling = u16::from(draft.castles.is_some() && piece.role() == Role::King);
        let start = draft.castles.map_or(piece.origin(), |wing| castled_square(piece, wing));
        return Some(castling + officer(piece.role(), start, &draft.late, draft.end)?);
    }
    // A pawn gains a rank with each move, and one more with a double step.
    let rank = goal(draft).map_or(1, |square| pawn_rank(piece.color(), square));
    if rank < 1 + files_left(piece, draft) {
        return None;
    }
    let moves = match rank {
        0 => return None,
        1 => 0,
        2 => 1,
        more => u16::from(more) - 2,
    };
    let after = match draft.turn {
        Some((square, kind)) => officer(kind, square, &draft.late, draft.end)?,
        None => 0,
    };
    Some(moves + after)
}

/// Returns the number of moves of a complete route; `None` if no route exists.
fn exact(piece: PieceId, draft: &Draft) -> Option<u16> {
    if !piece.is_pawn() {
        return least(piece, draft);
    }
    let mut at = piece.origin();
    let mut moves = 0;
    for &(square, ..) in &draft.early {
        if at.file().abs_diff(square.file()) != 1 {
            return None;
        }
        let before = Square::at(at.file(), behind(piece.color(), square).rank());
        moves += run(piece.color(), at, before)? + 1;
        at = square;
    }
    let Some((square, kind)) = draft.turn else {
        return Some(moves + run(piece.color(), at, draft.end?)?);
    };
    Some(moves + run(piece.color(), at, square)? + officer(kind, square, &draft.late, draft.end)?)
}

/// Moves of a pawn straight ahead.
fn run(color: Color, from: Square, to: Square) -> Option<u16> {
    let (start, end) = (pawn_rank(color, from), pawn_rank(color, to));
    if from.file() != to.file() || end < start {
        return None;
    }
    let ranks = u16::from(end - start);
    Some(if start == 1 && ranks >= 2 { ranks - 1 } else { ranks })
}

/// Moves of an officer through its captures to its end, if that is decided.
fn officer(role: Role, start: Square, takings: &[Taking], end: Option<Square>) -> Option<u16> {
    let mut at = start;
    let mut moves = 0;
    for &(square, ..) in takings {
        // A capture is a move, so a piece that captures where it stands leaves the square and comes back.
        moves += if square == at { 2 } else { leg(role, at, square)? };
        at = square;
    }
    Some(moves + end.map_or(Some(0), |end| leg(role, at, end))?)
}

/// Moves of an officer on an empty board.
fn leg(role: Role, from: Square, to: Square) -> Option<u16> {
    let (dx, dy) = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
    let straight = dx == 0 || dy == 0;
    let diagonal = dx == dy;
    let moves = match role {
        _ if from == to => 0,
        Role::King => dx.max(dy),
        Role::Rook if straight => 1,
        Role::Queen if straight || diagonal => 1,
        Role::Rook | Role::Queen => 2,
        Role::Bishop if from.is_light() != to.is_light() => return None,
        Role::Bishop => 2 - u8::from(diagonal),
        // Two squares by one at most; the bound is that of the sum and of the larger part, with the right parity.
        Role::Knight => {
            let least = dx.max(dy).div_ceil(2).max((dx + dy).div_ceil(3));
            least + u8::from(least % 2 != (dx + dy) % 2)
        }
        Role::Pawn => return None,
    };
    Some(u16::from(moves))
}

#[cfg(test)]
mod tests;
