//! The deductions by name, so that each can be switched off and answers compared.

use std::fmt;
use std::str::FromStr;

macro_rules! rules {
    ($($name:ident = $text:literal, $tells:literal;)*) => {
        /// A deduction that prunes. Results are the same without it, only later; the file that
        /// implements a rule says why it is admissible. `A` rules belong to the analysis of
        /// strategies, `B` rules to their search, `S` rules to the tree of strategies.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Rule {
            $(#[doc = $tells] $name,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its short name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// A short description.
            pub const fn tells(self) -> &'static str {
                match self { $(Self::$name => $tells),* }
            }
        }
    };
}

rules! {
    StillMen = "S1", "Men that can never move block every route, already during enumeration.";
    PawnWalls = "S2", "Pawns that stay on their file block the pawns that face them.";
    PawnCaptures = "S3", "Pawns need a capture for every file that they leave.";
    UnanswerableChecks = "S4", "No man stops where its check on a king that never moves could not be blocked.";
    EventOrder = "S5", "A strategy whose events form a cycle has no game.";
    SingleMoveLegs = "S6", "Without free moves, a leg of one move departs and arrives at once.";
    SquareExclusion = "S7", "Two men that stop on one square do so one after the other.";
    CaptureRelay = "S8", "A square that passes from victim to captor is never empty in between.";
    CastlingPaths = "S9", "An enemy attacks the king's castling path only before or after castling.";
    FixedMen = "A1", "Pawns resting at home, officers without spare moves and blocked men never move.";
    ConfinedMen = "A2", "Men confined to few squares block the lines through them.";
    RequiredSquares = "A3", "A square that lies on every path of a leg is visited.";
    ForcedExcursions = "A7", "Two men never share a square: one comes before or after the other, or steps aside.";
    OpenExits = "A10", "Officers leave home through an open square.";
    GuardedSquares = "A16", "A king does not step where it can be taken.";
    Interpositions = "A17", "Where a line to a king must be blocked, there is a case for each man that can block it.";
    PairCollisions = "A18", "Any two men can finish their routes without meeting.";
    IdleMenProbing = "A19", "An idle man moves or does not: both cases are tried.";
    TwoWayLegs = "A20", "A leg of two moves goes by one square or another: both cases are tried.";
    PromotionClasses = "A21", "Strategies that differ only in the types of captured promoted men fail together.";
    FinishedMen = "B1", "A man that has finished its route blocks its square for the rest of the game.";
    FinishedMenSum = "B2", "The detours around all finished men together cost no more than the free moves.";
    SideRelaxation = "B3", "Each side can finish its routes when the other side is ignored.";
    SubsetRelaxation = "B4", "Every tested subset of men can finish its routes when all other men are only counted.";
    FailedPositions = "B5", "Positions that failed with as many plies left fail again.";
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(pub String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        write!(
            f,
            "\"{}\" is no rule, expected all, none or names to switch off such as -B1: {}",
            self.0,
            names.join(" ")
        )
    }
}

impl std::error::Error for UnknownRule {}

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
            !rules.has(Rule::FinishedMen)
                && !rules.has(Rule::ForcedExcursions)
                && rules.has(Rule::FixedMen)
        );
        let rules: Rules = "none +A1".parse().unwrap();
        assert!(rules.has(Rule::FixedMen) && !rules.has(Rule::FailedPositions));
        let error = "-Z9".parse::<Rules>().unwrap_err().to_string();
        assert!(error.starts_with("\"-Z9\" is no rule, expected all, none or names"), "{error}");
        assert!(Rule::ALL.len() < 64);
    }
}
