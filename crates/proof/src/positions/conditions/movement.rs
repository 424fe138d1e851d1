//! Men that move as other men.
//!
//! - *Annan*, *Nanna*: a man with a man of its own side directly behind it (Annan) or in front of it (Nanna) moves
//!   as that man does by its kind, instead of its own way.
//! - *FaceToFace*, *BackToBack*: the same with an enemy man in front of it, or behind it.
//! - *Bolero*: officers make moves without capture as the man whose file of the array they stand on (a, h rook; b, g
//!   knight; c, f bishop; d queen; e king); captures in their own way. *BoleroInverse*: captures as the file
//!   says, other moves in their own way.
//! - *TransmutedKings*, also of one side: a king that is attacked moves as the attacking men only.
//!   *ReflectiveKings*: also in its own way.
//! - *TransmissionMenace*: a man that an enemy man attacks by its kind may also move as that man.
//!
//! In front is up the board for White, down for Black. A pawn that reaches its last rank promotes.
//! Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact, and a ply fills one square; nothing is known about single men.

use crate::positions::board::ManKind;
use crate::positions::fairy::{
    FairyCondition, FairyPosition, FairyRules, Mover, Movers, Traits, up,
};
use crate::positions::rules::BoundFacts;
use umbrail_chess::geometry::Square;

/// Movement that depends on other men or on the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    /// As the man in front (1) or behind (-1): of the own side or the enemy's.
    Neighbor {
        /// 1 for the square in front, -1 for the one behind.
        ahead: i32,
        /// True for an enemy man.
        enemy: bool,
    },
    /// As the file says: moves without capture, or captures.
    Bolero {
        /// True if captures are made as the file says.
        inverse: bool,
    },
    /// Attacked kings, of these sides, as their attackers; also in their own way if `adds`.
    Kings {
        /// White, Black.
        sides: [bool; 2],
        /// True if the own way stays.
        adds: bool,
    },
    /// Attacked men also as their attackers.
    Transmission,
}

/// Kinds by file of the array.
const FILES: [ManKind; 8] = [
    ManKind::ROOK,
    ManKind::KNIGHT,
    ManKind::BISHOP,
    ManKind::QUEEN,
    ManKind::KING,
    ManKind::BISHOP,
    ManKind::KNIGHT,
    ManKind::ROOK,
];

/// Returns the kinds of enemy men that attack a man by their kinds.
pub(super) fn attacking_kinds(
    rules: &FairyRules,
    position: &FairyPosition,
    at: Square,
) -> Vec<ManKind> {
    let theirs = position.by_color(!position.at(at).color());
    let mut kinds: Vec<ManKind> = vec![];
    for from in theirs {
        let kind = position.at(from).kind();
        if !kinds.contains(&kind) && rules.attacks_as(position, kind, from, at) {
            kinds.push(kind);
        }
    }
    kinds
}

impl FairyCondition for Movement {
    fn traits(&self) -> Traits {
        Traits { movers: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.give_up_steps();
    }

    fn movers(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        from: Square,
        movers: &mut Movers,
    ) {
        let man = position.at(from);
        let color = man.color();
        match *self {
            Self::Neighbor { ahead, enemy } => {
                let neighbor = from.offset(0, ahead * up(color)).map(|at| position.at(at));
                let neighbor = neighbor.filter(|other| !other.is_none());
                if let Some(other) = neighbor.filter(|other| (other.color() != color) == enemy) {
                    movers.clear();
                    movers.push(Mover::both(other.kind()));
                }
            }
            Self::Bolero { inverse } => {
                if man.kind() != ManKind::PAWN && man.kind() != rules.king {
                    let of_file = FILES[usize::from(from.file())];
                    movers.clear();
                    movers.push(Mover { kind: of_file, quiet: !inverse, captures: inverse });
                    movers.push(Mover { kind: man.kind(), quiet: inverse, captures: !inverse });
                }
            }
            Self::Kings { sides, adds } => {
                if man.kind() == rules.king && sides[color.index()] {
                    let kinds = attacking_kinds(rules, position, from);
                    if !kinds.is_empty() {
                        if !adds {
                            movers.clear();
                        }
                        extend(movers, kinds);
                    }
                }
            }
            Self::Transmission => extend(movers, attacking_kinds(rules, position, from)),
        }
    }
}

pub(super) fn extend(movers: &mut Movers, kinds: Vec<ManKind>) {
    for kind in kinds {
        if !movers.iter().any(|mover| mover.kind == kind) && !movers.is_full() {
            movers.push(Mover::both(kind));
        }
    }
}
