//! Enumerations whose values are words: one vocabulary for options, keys, archives and runs of units.

use crate::problem::Length;
use crate::problem::retraction::Retraction;
use crate::run::parameters::policies::{Collisions, SolverChoice, StopAt, TwoWaySplitting};

/// An enumeration whose values have one word each.
pub trait Words: Copy + PartialEq + 'static {
    /// Word of each value.
    const WORDS: &'static [&'static str];
    /// Values in the order of the words.
    const VALUES: &'static [Self];
    /// Words of other programs, each before the word that it means. They are compared by their
    /// letters only.
    const SYNONYMS: &'static [(&'static str, &'static str)];

    /// Returns the index of the value.
    fn place(self) -> usize {
        Self::VALUES.iter().position(|&value| value == self).unwrap_or(0)
    }

    /// Returns the word of the value.
    fn word(self) -> &'static str {
        Self::WORDS.get(self.place()).copied().unwrap_or("")
    }

    /// Returns the value of a word, exactly as [`Self::word`] returns it.
    fn of_word(word: &str) -> Option<Self> {
        let place = Self::WORDS.iter().position(|&known| known == word)?;
        Self::VALUES.get(place).copied()
    }
}

macro_rules! words {
    ($type:ident: $($word:literal = $value:ident),*; $($theirs:literal means $ours:literal),*) => {
        impl Words for $type {
            const WORDS: &'static [&'static str] = &[$($word),*];
            const VALUES: &'static [Self] = &[$(Self::$value),*];
            const SYNONYMS: &'static [(&'static str, &'static str)] = &[$(($theirs, $ours)),*];

            fn word(self) -> &'static str {
                // A value without a word does not compile.
                match self { $(Self::$value => $word),* }
            }
        }
    };
}

words! { StopAt: "complete" = Complete, "counted" = Counted, "cooked" = Cooked, "first" = First; }
// Stelvio's `default` is its rule, not the default of this program.
words! {
    Collisions: "adaptive" = Adaptive, "by-men" = ByPieces, "on" = On, "off" = Off;
    "default" means "by-men"
}
words! { TwoWaySplitting: "none" = None, "probe" = Probe, "always" = Always; }
words! {
    Retraction: "check" = Check, "never" = Never, "always" = Always;
    "in check" means "check", "default" means "check", "on" means "check", "off" means "never",
    "none" means "never"
}
words! { SolverChoice: "auto" = Auto, "strategies" = Strategies, "positions" = Positions, "both" = Both; }
words! { Length: "parity" = Parity, "exact" = Exact; }

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trips<T: Words + std::fmt::Debug>() {
        assert_eq!(T::WORDS.len(), T::VALUES.len());
        for (&word, &value) in T::WORDS.iter().zip(T::VALUES) {
            assert_eq!(value.word(), word);
            assert_eq!(T::of_word(word), Some(value));
        }
        for (theirs, ours) in T::SYNONYMS {
            assert!(T::of_word(theirs).is_none() && T::of_word(ours).is_some(), "{theirs}");
        }
    }

    #[test]
    fn words_and_values_correspond() {
        round_trips::<StopAt>();
        round_trips::<Collisions>();
        round_trips::<TwoWaySplitting>();
        round_trips::<Retraction>();
        round_trips::<Length>();
        round_trips::<SolverChoice>();
        assert_eq!(Collisions::of_word("default"), None);
    }
}
