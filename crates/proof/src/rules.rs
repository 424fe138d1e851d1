//! The deductions by name, so that each can be switched off and answers compared.

use std::fmt;
use std::str::FromStr;

macro_rules! rules {
    ($($name:ident = $text:literal, $description:literal, $special:literal;)*) => {
        /// A deduction that prunes. Results are the same without it, only later; the file that
        /// implements a rule says why it is admissible. The moves that change two pieces or two
        /// squares at once, where a deduction is most easily wrong, are named with each. `A` rules belong to the analysis of
        /// strategies, `B` rules to their search, `S` rules to the tree of strategies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Rule {
            $(#[doc = $description]
            ///
            /// Castling, capturing, en passant and promotion:
            #[doc = $special]
            $name,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its short name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// A short description.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => $description),* }
            }
        }
    };
}

rules! {
    StillPieces = "S1", "Pieces that can never move block every route, already during enumeration.",
        "Idle pieces only: a king or rook that castles, a captor, a captured piece and a pawn that \
         promotes have a milestone and are never still; capturing en passant is a capture, \
         being taken so a death. Squares guarded against kings count attacks in contact \
         alone.";
    PawnWalls = "S2", "Pawns that stay on their file block the pawns that face them.",
        "A wall survives on its file without a capture, of either kind, and does not promote. \
         A capture, en passant or not, ends the straight run of the pawn that goes by, so \
         only quiet parts of a route are stopped. Castling moves no pawn.";
    PawnCaptures = "S3", "Pawns need a capture for every file that they leave.",
        "A capture en passant moves a pawn one file like any other, and takes one piece. \
         Captures behind a promotion are an officer's: they leave fewer for the pawns. \
         Castling takes nothing.";
    UnanswerableChecks = "S4", "No piece stops where its check on a king that never moves could not be blocked.",
        "A king that castles moves, so it is not one of these. The checker may stop to be \
         taken there (a pawn taken en passant stands on the square of its double step) or to \
         rest with the last ply. A promoted piece checks from the last rank with its new type; \
         a captor checks from where it lands.";
    EventOrder = "S5", "A strategy whose events form a cycle has no game.",
        "Castling is one event of king and rook, and every square between them is empty then. \
         A capture is one event, the arrival of the captor and the death of the victim; en \
         passant on two squares. A promotion is an arrival after which the role is another.";
    SingleMoveLegs = "S6", "Without free moves, a leg of one move departs and arrives at once.",
        "A capture on the way would cost a move more, so undecided captures change nothing. A \
         pawn's single step and its capture are one move whatever the slack; a double step \
         when it is taken en passant, or when no move can be wasted. Castling is one event of \
         its own.";
    SquareExclusion = "S7", "Two pieces that stop on one square do so one after the other.",
        "The occupancies of both castled pieces begin and end with the castling. The victim's \
         ends with its death, the captor's begins there; en passant they are of different \
         squares. A promoted piece stays where it promoted.";
    CaptureRelay = "S8", "A square that passes from victim to captor is never empty in between.",
        "The captor arrives in the move that removes the victim. En passant the squares \
         differ, and nothing is joined. Promoting with a capture changes nothing; castling \
         takes nothing.";
    CastlingPaths = "S9", "An enemy attacks the king's castling path only before or after castling.",
        "The king's home, way and target are free of contact attacks at the castling; an \
         attacker that is taken there may come before. A capture en passant takes the \
         attacker from its own square. A promoted attacker attacks from where it stands with \
         its new type. Where the king captures, the attackers of that square are gone or come \
         later.";
    FixedPieces = "A1", "Pawns resting at home, officers without spare moves and blocked pieces never move.",
        "King and rook of a castling, captors and pawns that promote have milestones; \
         captured pieces do not survive: none of them is fixed. A pawn that a capture, en \
         passant included, could lead away is not shut in.";
    ConfinedPieces = "A2", "Pieces confined to few squares block the lines through them.",
        "Survivors only. The squares are those of all legs: after castling those from the \
         castled square on, after a promotion those of the new type, and the landing squares \
         of captures; a pawn taken en passant is no survivor.";
    RequiredSquares = "A3", "A square that lies on every path of a leg is visited.",
        "A leg ends at a capture's landing square, a promotion or the castled square, so no \
         required square reaches across it. A pawn that has captures to come or to spare may \
         go another way, and requires nothing. A castling requires the squares between king \
         and rook.";
    ForcedExcursions = "A7", "Two pieces never share a square: one comes before or after the other, or steps aside.",
        "As A3: the piece in the way may stand where another must pass, capture, promote, or \
         castle over. A piece that must be away and back is charged a round trip; one that \
         castles has left home for good and is not tested.";
    OpenExits = "A10", "Officers leave home through an open square.",
        "A king or rook that castles leaves by the castling, which is no exit. An officer \
         that captures on its first move goes through a gate or takes on one: a piece that \
         starts there has gone by then or is the victim. Pawns and promotions have no exit; a \
         promoted survivor enters its rest like any officer.";
    GuardedSquares = "A16", "A king does not step where it can be taken.",
        "Only fixed pieces guard, which neither castle, promote, capture nor are captured. A \
         castling whose way they guard is refused. The king may not take what a fixed piece \
         guards.";
    Interpositions = "A17", "Where a line to a king must be blocked, there is a case for each piece that can block it.",
        "A piece with a milestone on the square (capture, promotion, castled rest) makes no \
         case. It comes by a quiet move on one leg, en passant is none, and not before it \
         castles elsewhere than at home.";
    PairCollisions = "A18", "Any two pieces can finish their routes without meeting.",
        "Castling puts king and rook on their squares at once, as one step of the king. A \
         capture ends the victim's states at its last; en passant the step lands beyond it. \
         The kind after a promotion is that of the next leg, from the landing on. Checks \
         count by contact or along lines that no third piece can enter.";
    IdlePiecesProbing = "A19", "An idle piece moves or does not: both cases are tried.",
        "A piece with a milestone is not idle, so none that castles, captures, promotes or is \
         captured, en passant or not. Idle kings are tried first: one that stays cannot \
         answer checks.";
    TwoWayLegs = "A20", "A leg of two moves goes by one square or another: both cases are tried.",
        "Officers' legs only. They begin and end at captures, promotions and castled squares, \
         which are none of the two squares; every capture of the strategy is such an end, en \
         passant is a pawn's.";
    PromotionClasses = "A21", "Strategies that differ only in the types of captured promoted pieces fail together.",
        "Captured promoted pieces only: one that moves like a queen and gives no check stands \
         for every line piece. Their captures and the promotion itself stay where they are; \
         knights are no line pieces and keep strategies of their own. Castling and en passant \
         do not depend on the type.";
    FinishedPieces = "B1", "A piece that has finished its route blocks its square for the rest of the game.",
        "Finished are survivors without milestones ahead: a castling still to come, a capture \
         or a promotion is one. What a finished piece would have to capture en passant would be \
         a milestone as well.";
    FinishedPiecesSum = "B2", "The detours around all finished pieces together cost no more than the free moves.",
        "As B1; the sum counts walks, and a castling is the king's move alone.";
    SideRelaxation = "B3", "Each side can finish its routes when the other side is ignored.",
        "Castling moves two pieces of the side: both are looked at, since each of them may only \
         wait to be taken. A victim of the other side counts as present, en passant too; a \
         promotion is made with the move that reaches the last rank.";
    SubsetRelaxation = "B4", "Every tested subset of pieces can finish its routes when all other pieces are only counted.",
        "As B3 for the pieces of the subset. A rook that castles brings its king into the \
         subset; a rook outside counts as present, and the king's way must be free of attacks \
         by pieces of the subset. A victim or captor outside counts as present. Of two pawns \
         inside, a capture en passant answers the double step at once.";
    FailedPositions = "B5", "Positions that failed with as many plies left fail again.",
        "The key holds the squares and legs of all pieces, so castling, promotion and captures \
         still to come are part of it, and the pawn that may be taken en passant.";
}

/// A set of rules, by default all.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules(u64);

impl Default for Rules {
    fn default() -> Self {
        Self(u64::MAX)
    }
}

impl Rules {
    /// No rule at all: the slowest solver, and the reference for the others.
    pub const NONE: Self = Self(0);

    /// Whether the rule is on.
    #[inline]
    pub(crate) const fn has(self, rule: Rule) -> bool {
        self.0 >> rule as u8 & 1 != 0
    }

    /// The same set with a rule switched on or off.
    #[must_use]
    pub(crate) const fn set(self, rule: Rule, on: bool) -> Self {
        let bit = 1 << rule as u8;
        Self(if on { self.0 | bit } else { self.0 & !bit })
    }
}

/// A word of a rule list that names no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a rule, expected all, none or names to switch off such as -B1: {names}",
    names = Rule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(" ")
)]
pub struct UnknownRule(pub String);

impl FromStr for Rules {
    type Err = UnknownRule;

    /// Reads `all`, `none`, `-B1 -A7` (off) and `+B1` (on), from left to right, separated by blanks
    /// or commas.
    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|w| !w.is_empty());
        words.into_iter().try_fold(Self::default(), |rules, word| {
            if word.eq_ignore_ascii_case("all") {
                return Ok(Self::default());
            }
            if word.eq_ignore_ascii_case("none") {
                return Ok(Self::NONE);
            }
            let (name, on) = match word.strip_prefix('+') {
                Some(name) => (name, true),
                None => (word.strip_prefix('-').unwrap_or(word), false),
            };
            let known = Rule::ALL.iter().find(|rule| rule.name().eq_ignore_ascii_case(name));
            known.map(|&rule| rules.set(rule, on)).ok_or_else(|| UnknownRule(word.to_owned()))
        })
    }
}

impl fmt::Display for Rules {
    /// `all`, or the names that are off as `-B1,-A7`: what [`Rules::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let off = Rule::ALL.iter().filter(|&&rule| !self.has(rule));
        let names: Vec<String> = off.map(|rule| format!("-{}", rule.name())).collect();
        f.write_str(if names.is_empty() { "all" } else { "" })?;
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let off = Rule::ALL.iter().filter(|&&rule| !self.has(rule));
        f.debug_set().entries(off.map(|rule| format!("-{}", rule.name()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_switched_by_name() {
        let rules: Rules = "-B1, -a7".parse().unwrap();
        assert!(
            !rules.has(Rule::FinishedPieces)
                && !rules.has(Rule::ForcedExcursions)
                && rules.has(Rule::FixedPieces)
        );
        let rules: Rules = "none +A1".parse().unwrap();
        assert!(rules.has(Rule::FixedPieces) && !rules.has(Rule::FailedPositions));
        let error = "-Z9".parse::<Rules>().unwrap_err().to_string();
        assert!(error.starts_with("\"-Z9\" is not a rule, expected all, none or names"), "{error}");
        assert!(Rule::ALL.len() < 64);
    }
}
