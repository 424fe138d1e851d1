//! What the bounds of the search may assume of a condition.

/// Facts about the games of some rules. Each condition weakens those of orthodox chess where they
/// fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundFacts {
    /// Numbers of men after captures.
    pub captures: CaptureFacts,
    /// Squares that get their man of the target in one ply.
    pub missing: MissingFacts,
    /// Men reach the target by the steps of single men alone ([`super::RuleSet::man_steps`]), and
    /// keep their color.
    pub men_go_by_steps: bool,
    /// A pawn on its own second rank has never moved.
    pub home_pawns_never_moved: bool,
    /// A pawn changes its file by captures alone, and its rank by its own moves alone.
    pub pawns_move_as_usual: bool,
    /// Castling rights that ended can come back. Castling then belongs to the steps of single men
    /// instead of being a case of its own.
    pub rights_come_back: bool,
    /// Kings castle anywhere, with any rook.
    pub castles_anywhere: bool,
}

/// Numbers of men after captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CaptureFacts {
    /// Each capture removes exactly one man of the other side, and nothing else changes the number
    /// of men.
    Exact,
    /// Each capture removes at most one man of the other side, nothing else changes the number of
    /// men, and the captured man may stand on another square afterwards.
    AtMostOne,
    /// Each capture removes exactly one man, and nothing else changes the number of all men. Men
    /// may change their color.
    JointExact,
    /// A ply removes at most this number of men of both sides together. Men may change their color,
    /// and men that were removed may return if `returns`.
    Joint {
        /// Largest number of men that a ply removes.
        most: u16,
        /// True if the number of men may grow.
        returns: bool,
    },
}

/// Squares of the target that get their man in one ply. The last castling of a side fills one more if it can put
/// king and rook on their squares; any number of castlings fills one square for each rook and one for the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingFacts {
    /// A ply fills at most `own` squares of the mover's color, `other` of the other color, and
    /// `all` of both.
    Colors {
        /// Squares of the mover's men.
        own: u16,
        /// Squares of the other side's men.
        other: u16,
        /// Squares of both sides together.
        all: u16,
    },
    /// A ply may change the color of any number of men, but puts men of their kind on at most this
    /// number of squares.
    Kinds(u16),
}

impl BoundFacts {
    /// Facts of orthodox chess, and of conditions that only forbid moves or change check.
    pub(crate) const ORTHODOX: Self = Self {
        captures: CaptureFacts::Exact,
        missing: MissingFacts::Colors { own: 1, other: 0, all: 1 },
        men_go_by_steps: true,
        home_pawns_never_moved: true,
        pawns_move_as_usual: true,
        rights_come_back: false,
        castles_anywhere: false,
    };

    /// Gives up all facts about single men: numbers and missing squares stay.
    pub(crate) fn give_up_steps(&mut self) {
        (self.men_go_by_steps, self.home_pawns_never_moved) = (false, false);
        self.pawns_move_as_usual = false;
    }

    /// Weakens the facts about numbers of men.
    pub(crate) fn weaken_captures(&mut self, to: CaptureFacts) {
        use CaptureFacts::{AtMostOne, Exact, Joint, JointExact};
        self.captures = match (self.captures, to) {
            (Exact, other) | (other, Exact) => other,
            (one, other) if one == other => one,
            (Joint { most: a, returns: b }, Joint { most: c, returns: d }) => {
                Joint { most: a.max(c), returns: b || d }
            }
            (Joint { most, returns }, _) | (_, Joint { most, returns }) => Joint { most, returns },
            (AtMostOne | JointExact, AtMostOne | JointExact) => Joint { most: 1, returns: false },
        };
    }

    /// Lets a ply fill more squares: of the mover's men, of the other side's, and of both together.
    pub(crate) fn fill_more(&mut self, own: u16, other: u16, all: u16) {
        if let MissingFacts::Colors { own: a, other: b, all: c } = &mut self.missing {
            (*a, *b, *c) = (*a + own, *b + other, *c + all);
        }
    }

    /// Lets a man that fills a square have either color.
    pub(crate) fn fill_either_color(&mut self) {
        if let MissingFacts::Colors { own, other, all } = &mut self.missing {
            (*own, *other) = (*all, *all);
        }
    }

    /// Lets any number of men change their color.
    pub(crate) fn fill_kinds_only(&mut self) {
        self.missing = match self.missing {
            MissingFacts::Colors { all, .. } => MissingFacts::Kinds(all),
            kinds => kinds,
        };
    }
}
