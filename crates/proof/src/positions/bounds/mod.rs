//! Bounds: a position is cut if some side has too few moves or captures left for its target.
//!
//! | bound | a position is cut if |
//! |---|---|
//! | number | a side has lost too many men, or has more to lose than the other side has moves |
//! | quiet | (in the search) a side with as many captures due as moves left makes a quiet move |
//! | missing | more squares of a side lack their man than it has moves; castling may fill two |
//! | army | the cheapest assignment of men to the target costs more moves than are left |
//! | pawn captures | pawns must change files more often than men are to be captured |
//! | quiet pawn moves | pawns must go straight more often than the side has quiet moves |
//! | frozen | (in the distances) pawns that stand at home at the start and at the end are walls |
//!
//! *Admissible*: the assignment ignores all other men, and men left over cost nothing, so that any
//! of them may be captured anywhere. Castling is a case of its own: king and rook stand on their
//! squares after castling, which costs one move, and come before all other moves of the two. The
//! three costs are separate bounds and are never added.

mod assignment;
mod distances;
mod memo;
mod needs;
mod set;

pub(crate) use set::BoundSet;

use self::assignment::least_assignment;
use self::distances::{ArmyCosts, Cost, CostRow, MEN_MAX};
use self::memo::ArmyMemo;
use self::needs::{ArmyNeeds, LeastCosts};
use super::board::{CastlingRights, Man, ManKind, keys};
use super::problem::TargetBoard;
use super::rules::{
    BoundFacts, CaptureFacts, CastlingWay, MissingFacts, MoveClass, PositionOf, RuleSet,
};
use super::turns::Turns;
use arrayvec::ArrayVec;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// The bounds of one target.
#[derive(Debug)]
pub(crate) struct Bounds {
    set: BoundSet,
    facts: BoundFacts,
    turns: Turns,
    /// The side that begins, which makes a series.
    mover: Color,
    costs: [ArmyCosts; 2],
    memos: [ArmyMemo; 2],
    /// For each side, true if its castling can put king and rook on their squares of the target.
    castling_fills_two: [bool; 2],
}

/// Men that each side has still to lose, at most where colors of the target are open; `None` if it has lost too many
/// already.
#[inline]
fn losses_due<R: RuleSet>(target: &TargetBoard, position: &PositionOf<R>) -> Option<[u16; 2]> {
    let due = |color: Color| {
        let now = position.by_color(color).len() as u16;
        now.checked_sub(target.counts[color.index()])
    };
    Some([due(Color::White)?, due(Color::Black)?])
}

/// Men of both sides together that are still to be lost; `None` if too few are left.
#[inline]
fn joint_losses<R: RuleSet>(target: &TargetBoard, position: &PositionOf<R>) -> Option<u16> {
    let least = target.counts[0] + target.counts[1] + target.either();
    (position.occupied().len() as u16).checked_sub(least)
}

impl Bounds {
    /// Prepares the bounds, with a memory of this size for the needs of armies.
    pub(crate) fn new<R: RuleSet>(
        rules: &R,
        target: &TargetBoard,
        start: &PositionOf<R>,
        turns: Turns,
        set: BoundSet,
        memo_bytes: u64,
    ) -> Self {
        let facts = rules.bound_facts();
        let walls = match set.frozen && facts.home_pawns_never_moved {
            true => frozen_pawns(target, start.men()),
            false => Bitboard::EMPTY,
        };
        let costs = |color| match facts.men_go_by_steps {
            true => ArmyCosts::new(rules, color, &target.army(color), walls),
            false => ArmyCosts::default(),
        };
        let memos = [(); 2].map(|()| ArmyMemo::new(memo_bytes / 2));
        let castled = |color| facts.castles_anywhere || has_castled(rules, target, color);
        let castling_fills_two = Color::ALL.map(castled);
        Self {
            set,
            facts,
            turns,
            mover: start.turn,
            costs: Color::ALL.map(costs),
            memos,
            castling_fills_two,
        }
    }

    /// Returns the moves that may belong to a game: captures alone where no quiet move is left, quiet
    /// moves alone where nothing is to be captured; `None` if more is to be captured than possible.
    pub(crate) fn class<R: RuleSet>(
        &self,
        target: &TargetBoard,
        position: &PositionOf<R>,
        plies: u16,
    ) -> Option<MoveClass> {
        if !self.set.number {
            return Some(MoveClass::All);
        }
        let left = self.turns.moves_left(self.mover, position.turn, plies);
        let (captures, left) = match self.facts.captures {
            CaptureFacts::Exact | CaptureFacts::AtMostOne if target.either() == 0 => {
                let (us, them) = (position.turn.index(), (!position.turn).index());
                (losses_due::<R>(target, position)?[them], left[us])
            }
            CaptureFacts::Exact | CaptureFacts::JointExact => {
                (joint_losses::<R>(target, position)?, left[0] + left[1])
            }
            CaptureFacts::AtMostOne | CaptureFacts::Joint { .. } => return Some(MoveClass::All),
        };
        match captures {
            0 if self.facts.captures != CaptureFacts::AtMostOne => Some(MoveClass::Quiet),
            _ if captures > left => None,
            _ if captures == left => Some(MoveClass::Captures),
            _ => Some(MoveClass::All),
        }
    }

    fn numbers_fit<R: RuleSet>(
        &self,
        target: &TargetBoard,
        position: &PositionOf<R>,
        left: [u16; 2],
    ) -> bool {
        let plies = left[0] + left[1];
        match self.facts.captures {
            CaptureFacts::Exact | CaptureFacts::AtMostOne => {
                let open = target.either();
                let joint = joint_losses::<R>(target, position);
                losses_due::<R>(target, position)
                    .is_some_and(|due| due[0] <= left[1] + open && due[1] <= left[0] + open)
                    && (open == 0 || joint.is_some_and(|due| due <= plies))
            }
            CaptureFacts::JointExact => {
                joint_losses::<R>(target, position).is_some_and(|due| due <= plies)
            }
            CaptureFacts::Joint { most, returns } => {
                let due = joint_losses::<R>(target, position);
                due.map_or(returns, |due| due <= most.saturating_mul(plies))
            }
        }
    }

    fn missing_fits<R: RuleSet>(
        &self,
        target: &TargetBoard,
        position: &PositionOf<R>,
        left: [u16; 2],
    ) -> bool {
        let plies = left[0] + left[1];
        let castles = Color::ALL.map(|color| {
            let may = self.castling_fills_two[color.index()]
                && (self.facts.rights_come_back
                    || position.rights.has(CastlingRights::both(color)));
            u16::from(may)
        });
        match self.facts.missing {
            MissingFacts::Colors { own, other, all } => {
                let missing = target.missing(position.men()).map(u16::from);
                let fits =
                    |us: usize| missing[us] <= own * left[us] + other * left[1 - us] + castles[us];
                let both = all * plies + castles[0] + castles[1];
                fits(0) && fits(1) && missing[0] + missing[1] <= both
            }
            MissingFacts::Kinds(all) => {
                target.missing_kinds(position.men()) <= all * plies + castles[0] + castles[1]
            }
        }
    }

    /// Returns true unless a bound shows that no game of `plies` moves leads from the position to
    /// the target. Castling rights that cannot be used any more are removed: positions that differ
    /// in nothing else have the same games.
    ///
    /// `before` is the position one move earlier, which passed.
    #[inline]
    pub(crate) fn admits<R: RuleSet>(
        &self,
        target: &TargetBoard,
        before: Option<&PositionOf<R>>,
        position: &mut PositionOf<R>,
        plies: u16,
    ) -> bool {
        let left = self.turns.moves_left(self.mover, position.turn, plies);
        if self.set.number && !self.numbers_fit::<R>(target, position, left)
            || self.set.missing && !self.missing_fits::<R>(target, position, left)
        {
            return false;
        }
        if !self.set.army || !self.facts.men_go_by_steps {
            return true;
        }
        let due = losses_due::<R>(target, position);
        Color::ALL.into_iter().all(|color| {
            let both = CastlingRights::both(color);
            let is_known = before.is_some_and(|before| {
                before.army(color) == position.army(color)
                    && before.rights.0 & both.0 == position.rights.0 & both.0
                    && color == position.turn
            });
            let due = due.filter(|_| target.either() == 0);
            is_known || self.admits_army::<R>(position, color, left[color.index()], due)
        })
    }

    fn admits_army<R: RuleSet>(
        &self,
        position: &mut PositionOf<R>,
        color: Color,
        left: u16,
        due: Option<[u16; 2]>,
    ) -> bool {
        let has_rights =
            !self.facts.rights_come_back && position.rights.has(CastlingRights::both(color));
        if has_rights && !self.set.castling {
            return true;
        }
        let men = position.by_color(color).len() as usize;
        if men > MEN_MAX || self.costs[color.index()].men > MEN_MAX {
            return true;
        }
        let needs = self.needs::<R>(position, color);
        // Captures of this side.
        let captures = due
            .filter(|_| self.facts.captures == CaptureFacts::Exact)
            .map(|due| due[1 - color.index()]);
        let fits = |costs: LeastCosts| {
            u16::from(costs.moves) <= left
                && captures.is_none_or(|captures| {
                    let quiet = left.saturating_sub(captures);
                    (!self.set.pawn_captures || u16::from(costs.captures) <= captures)
                        && (!self.set.pawn_quiet || u16::from(costs.quiet) <= quiet)
                })
        };
        let [none, wings @ ..] = needs.0;
        let mut admits = fits(none);
        if !has_rights {
            return admits;
        }
        for (kingside, costs) in [true, false].into_iter().zip(wings) {
            let right = CastlingRights::one(color, kingside);
            if position.rights.has(right) {
                match fits(costs) {
                    true => admits = true,
                    false => position.rights = position.rights.without(right),
                }
            }
        }
        admits
    }

    fn needs<R: RuleSet>(&self, position: &PositionOf<R>, color: Color) -> ArmyNeeds {
        let rights = match self.facts.rights_come_back {
            true => 0,
            false => position.rights.0 & CastlingRights::both(color).0,
        };
        let key = position.army(color) ^ keys::of_rights(rights);
        let memo = &self.memos[color.index()];
        memo.get(key).unwrap_or_else(|| {
            let needs = self.evaluate::<R>(position, color);
            memo.set(key, needs);
            needs
        })
    }

    fn evaluate<R: RuleSet>(&self, position: &PositionOf<R>, color: Color) -> ArmyNeeds {
        let men: ArrayVec<(ManKind, Square), MEN_MAX> = position
            .by_color(color)
            .squares()
            .take(MEN_MAX)
            .map(|square| (position.at(square).kind(), square))
            .collect();
        let none = self.assign(color, &men, 0);
        let wing = |kingside| {
            if self.facts.rights_come_back
                || !position.rights.has(CastlingRights::one(color, kingside))
            {
                return LeastCosts::IMPOSSIBLE;
            }
            let rank = if color.is_white() { 0 } else { 7 };
            let (king, rook, from) = if kingside { (6, 5, 7) } else { (2, 3, 0) };
            let mut castled = men.clone();
            for (kind, square) in &mut castled {
                match (*kind, square.file()) {
                    (ManKind::KING, 4) if square.rank() == rank => *square = Square::at(king, rank),
                    (ManKind::ROOK, file) if file == from && square.rank() == rank => {
                        *square = Square::at(rook, rank);
                    }
                    _ => {}
                }
            }
            self.assign(color, &castled, 1)
        };
        ArmyNeeds([none, wing(true), wing(false)])
    }

    /// Returns the least costs of an army, after this number of moves.
    fn assign(&self, color: Color, men: &[(ManKind, Square)], made: u8) -> LeastCosts {
        let costs = &self.costs[color.index()];
        let mut least = Cost::ALL.map(|cost| {
            let is_needed = match cost {
                Cost::Moves => true,
                Cost::Captures => self.set.pawn_captures && self.facts.pawns_move_as_usual,
                Cost::Quiet => self.set.pawn_quiet && self.facts.pawns_move_as_usual,
            };
            if !is_needed {
                return 0;
            }
            let columns: ArrayVec<&CostRow, MEN_MAX> =
                men.iter().map(|&(kind, square)| costs.of(kind, square, cost)).collect();
            least_assignment(costs.men, &columns)
        });
        least[0] = least[0].saturating_add(made);
        LeastCosts::of(least)
    }
}

/// Returns true if the target has a king on its square after castling, and a man on the rook's, or may have them.
fn has_castled<R: RuleSet>(rules: &R, target: &TargetBoard, color: Color) -> bool {
    target.is_open()
        || [true, false].map(|kingside| CastlingWay::of(color, kingside)).iter().any(|way| {
            let (king, rook) = (target.men[way.king_to.index()], target.men[way.rook_to.index()]);
            !king.is_none() && !rook.is_none() && rules.is_king(king)
        })
}

/// Returns the squares of pawns on their own second rank at the start and at the end. Such a pawn
/// never moved and was never captured, since no other pawn can replace it.
fn frozen_pawns(target: &TargetBoard, start: &[Man; 64]) -> Bitboard {
    let is_frozen = |square: &Square| {
        let man = target.men[square.index()];
        let home = if man.color().is_white() { 1 } else { 6 };
        !man.is_none()
            && man.kind() == ManKind::PAWN
            && square.rank() == home
            && start[square.index()] == man
    };
    Square::all().filter(is_frozen).collect()
}
