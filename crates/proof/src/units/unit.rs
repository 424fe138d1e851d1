//! A unit of work of a proof game, and its text.

use crate::enumerate::TreePlace;
use crate::search::LeftCase;
use std::fmt;
use std::str::FromStr;

/// A part of the tree. Each kind is complete in itself: its result follows from its text and the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Walks the tree above the sync depth from a place on, and names the claims as other units.
    Seek {
        /// Number of the retracted last move, from 1; 0 when none was retracted.
        part: u16,
        /// Where it begins.
        place: TreePlace,
    },
    /// Enumerates and searches the claims of a range.
    Claims {
        /// As above.
        part: u16,
        /// A place at the first claim or before it.
        place: TreePlace,
        /// The first claim.
        from: u64,
        /// The claim behind the last one.
        until: u64,
    },
    /// Searches some strategies of one claim.
    Piece {
        /// As above.
        part: u16,
        /// A place at the claim or before it.
        place: TreePlace,
        /// The claim.
        claim: u64,
        /// Index of its first strategy.
        from: u32,
        /// Index behind the last one; [`u32::MAX`] for all others.
        until: u32,
    },
    /// Searches one case of one strategy.
    Case {
        /// As above.
        part: u16,
        /// A place at the claim or before it.
        place: TreePlace,
        /// The claim.
        claim: u64,
        /// Index of the strategy.
        index: u32,
        /// The case.
        case: LeftCase,
    },
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seek { part, place } => write!(f, "seek {part} {place}"),
            Self::Claims { part, place, from, until } => {
                write!(f, "claims {part} {place} {from} {until}")
            }
            Self::Piece { part, place, claim, from, until } => {
                write!(f, "piece {part} {place} {claim} {from} {until}")
            }
            Self::Case { part, place, claim, index, case } => {
                write!(f, "case {part} {place} {claim} {index} {case}")
            }
        }
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is no unit of a proof game");
        fn number<N: FromStr>(word: &str) -> Option<N> {
            word.parse().ok()
        }
        let words: Vec<&str> = text.split(' ').collect();
        let unit = match words.as_slice() {
            ["seek", part, place] => {
                number(part).zip(number(place)).map(|(part, place)| Self::Seek { part, place })
            }
            ["claims", part, place, from, until] => (|| {
                let (part, place) = (number(part)?, number(place)?);
                Some(Self::Claims { part, place, from: number(from)?, until: number(until)? })
            })(),
            ["piece", part, place, claim, from, until] => (|| {
                let (part, place, claim) = (number(part)?, number(place)?, number(claim)?);
                let (from, until) = (number(from)?, number(until)?);
                Some(Self::Piece { part, place, claim, from, until })
            })(),
            ["case", part, place, claim, index, case] => (|| {
                let (part, place, claim) = (number(part)?, number(place)?, number(claim)?);
                Some(Self::Case { part, place, claim, index: number(index)?, case: number(case)? })
            })(),
            _ => None,
        };
        unit.filter(Self::makes_sense).ok_or_else(wrong)
    }
}

impl Unit {
    /// The part of the run that it belongs to.
    pub(super) const fn part(&self) -> u16 {
        let (Self::Seek { part, .. }
        | Self::Claims { part, .. }
        | Self::Piece { part, .. }
        | Self::Case { part, .. }) = self;
        *part
    }

    fn makes_sense(&self) -> bool {
        // Strategies before a place are those of the claim that it lies in.
        let leads_to = |place: &TreePlace, claim: u64, index: u32| match place.index {
            0 => place.claims <= claim,
            before => place.claims == claim && before <= index,
        };
        match self {
            Self::Seek { place, .. } => place.index == 0,
            Self::Claims { place, from, until, .. } => {
                place.index == 0 && place.claims <= *from && from < until
            }
            Self::Piece { place, claim, from, until, .. } => {
                leads_to(place, *claim, *from) && from < until
            }
            Self::Case { place, claim, index, .. } => {
                leads_to(place, *claim, *index) && *index < u32::MAX
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn units_are_read_as_they_are_written() {
        for text in [
            "seek 0 -@0:0000000000000000",
            "claims 1 17.0.3@128:0123456789abcdef 128 160",
            "piece 0 17.0.3@128:0123456789abcdef 130 8 4294967295",
            "piece 0 17.0.3.9.1@130+7:0123456789abcdef 130 8 4294967295",
            "case 0 17.0.3@128:0123456789abcdef 130 8 2:0.1.0/17-0-28!6-ff",
        ] {
            assert_eq!(text.parse::<Unit>().unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "seek 0",
            "claims 0 -@4:0 3 9",
            "claims 0 -@0:0 9 9",
            "piece 0 -@0:0 1 2 x",
            "case 0 -@0:0 1 2 3",
        ] {
            assert!(wrong.parse::<Unit>().unwrap_err().contains("is no unit"), "{wrong}");
        }
    }
}
