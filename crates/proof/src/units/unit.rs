//! A unit of work of a proof game, and its text format.

use crate::enumerate::{ClaimPlace, TreePlace};
use crate::search::ResidualCase;
use crate::units::error::ResultError;
use std::fmt;
use std::str::FromStr;

/// Text that stands for the end of a claim as the end of a unit.
const END: &str = "end";

/// Limit of claims, counts and times in texts of others, so that sums of them stay in range. No tree
/// has nearly as many claims.
pub(super) const NUMBER_MAX: u64 = 1 << 48;

/// A part of the tree. Each kind is self-contained: its result follows from its text and the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Walks the tree above the sync depth from a place onward, and names the claims as other
    /// units.
    Seek {
        /// Number of the retracted last move, from 1; 0 when none was retracted.
        part: u16,
        /// Start of the walk.
        place: TreePlace,
    },
    /// Enumerates and searches the claims of a range.
    Claims {
        /// Number of the retracted last move, as in [`Unit::Seek`].
        part: u16,
        /// Place at the first claim or before it.
        place: TreePlace,
        /// First claim.
        from: u64,
        /// One past the last claim.
        until: u64,
    },
    /// Enumerates and searches a part of one claim.
    Chunk {
        /// Number of the retracted last move, as in [`Unit::Seek`].
        part: u16,
        /// Place of the claim.
        place: TreePlace,
        /// Start of the unit in the claim.
        from: ClaimPlace,
        /// End of the unit in the claim; `None` for the end of the claim.
        until: Option<ClaimPlace>,
        /// If the strategies were not counted: the number of strategies per unit that the part
        /// should be divided into. 0 for a part that is small enough.
        size: u32,
    },
    /// Searches one case of one strategy.
    Case {
        /// Number of the retracted last move, as in [`Unit::Seek`].
        part: u16,
        /// Place of the claim.
        place: TreePlace,
        /// Start in the claim of the unit that found the strategy.
        base: ClaimPlace,
        /// Place of the strategy.
        at: ClaimPlace,
        /// Index of the strategy in that unit.
        index: u32,
        /// The case.
        case: ResidualCase,
    },
}

/// Returns the text of the end of a unit.
pub(super) fn end_text(until: Option<&ClaimPlace>) -> String {
    until.map_or_else(|| END.to_owned(), ToString::to_string)
}

/// Parses the text of the end of a unit.
pub(super) fn read_end(text: &str) -> Option<Option<ClaimPlace>> {
    match text {
        END => Some(None),
        text => Some(Some(text.parse().ok()?)),
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seek { part, place } => write!(f, "seek {part} {place}"),
            Self::Claims { part, place, from, until } => {
                write!(f, "claims {part} {place} {from} {until}")
            }
            Self::Chunk { part, place, from, until, size } => {
                write!(f, "piece {part} {place} {from} {} {size}", end_text(until.as_ref()))
            }
            Self::Case { part, place, base, at, index, case } => {
                write!(f, "case {part} {place} {base} {at} {index} {case}")
            }
        }
    }
}

impl FromStr for Unit {
    type Err = ResultError;

    fn from_str(text: &str) -> Result<Self, ResultError> {
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
            ["piece", part, place, from, until, size] => (|| {
                let (part, place, from) = (number(part)?, number(place)?, number(from)?);
                let (until, size) = (read_end(until)?, number(size)?);
                Some(Self::Chunk { part, place, from, until, size })
            })(),
            ["case", part, place, base, at, index, case] => (|| {
                let (part, place, base) = (number(part)?, number(place)?, number(base)?);
                let (at, index, case) = (number(at)?, number(index)?, number(case)?);
                Some(Self::Case { part, place, base, at, index, case })
            })(),
            _ => None,
        };
        unit.filter(Self::makes_sense).ok_or_else(|| ResultError::Unit(text.to_owned()))
    }
}

impl Unit {
    /// Returns the part of the run that the unit belongs to.
    pub(super) const fn part(&self) -> u16 {
        let (Self::Seek { part, .. }
        | Self::Claims { part, .. }
        | Self::Chunk { part, .. }
        | Self::Case { part, .. }) = self;
        *part
    }

    fn makes_sense(&self) -> bool {
        match self {
            Self::Seek { place, .. } => place.claims < NUMBER_MAX,
            Self::Claims { place, from, until, .. } => {
                place.claims <= *from && from < until && *until < NUMBER_MAX
            }
            Self::Chunk { place, from, until, .. } => {
                place.claims < NUMBER_MAX && until.as_ref().is_none_or(|until| from < until)
            }
            Self::Case { place, base, at, index, .. } => {
                place.claims < NUMBER_MAX && base <= at && *index < u32::MAX
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ResultError, Unit};

    #[test]
    fn units_are_read_as_they_are_written() {
        for text in [
            "seek 0 -@0:0000000000000000",
            "claims 1 17.0.3@128:0123456789abcdef 128 160",
            "piece 0 17.0.3@130:0123456789abcdef - end 250",
            "piece 0 17.0.3@130:0123456789abcdef 2/7.3/3 4/7 0",
            "case 0 17.0.3@130:0123456789abcdef - - 0 2:0.1.0/17-0-28!6-ff",
            "case 0 17.0.3@130:0123456789abcdef 2/7 2/7.1/3 8 2:0.1.0/17-0-28!6-ff",
        ] {
            assert_eq!(text.parse::<Unit>().unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "seek 0",
            "claims 0 -@4:0 3 9",
            "claims 0 -@0:0 9 9",
            "piece 0 -@0:0 1/2 end",
            "seek 0 -@18446744073709551615:0",
            "claims 0 -@0:0 0 18446744073709551615",
            "piece 0 -@18446744073709551615:0 - end 0",
            "piece 0 -@0:0 3/4 3/4 1",
            "case 0 -@0:0 1/2 0/2 3 2:0.1.0/17-0-28!6-ff",
        ] {
            assert!(matches!(wrong.parse::<Unit>(), Err(ResultError::Unit(_))), "{wrong}");
        }
    }
}
