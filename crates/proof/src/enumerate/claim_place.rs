//! A place among the strategies of a claim, and the parts of the claim after it.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A decision below the sync depth: its index among its alternatives, from 0, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlaceDecision {
    /// Index of the decision; equal to `of` for the place after the last alternative.
    pub(super) number: u32,
    pub(super) of: u32,
}

/// A place among the strategies of a claim: the decisions that lead from the claim to it.
///
/// Places are ordered as in a walk; a node precedes everything below it. A place is a position
/// between strategies, so no node is required there: a place without strategies denotes the start
/// of those after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClaimPlace {
    pub(in crate::enumerate) decisions: Vec<PlaceDecision>,
}

impl PartialOrd for ClaimPlace {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ClaimPlace {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers().cmp(other.numbers())
    }
}

impl fmt::Display for ClaimPlace {
    /// Writes `3/9.0/4` for the fourth of nine alternatives, and below it the first of four. The
    /// claim itself is `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.decisions.is_empty() {
            return f.write_str("-");
        }
        for (depth, decision) in self.decisions.iter().enumerate() {
            let point = if depth == 0 { "" } else { "." };
            write!(f, "{point}{}/{}", decision.number, decision.of)?;
        }
        Ok(())
    }
}

impl FromStr for ClaimPlace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let decision = |word: &str| {
            let (number, of) = word.split_once('/')?;
            let decision = PlaceDecision { number: number.parse().ok()?, of: of.parse().ok()? };
            (decision.number <= decision.of).then_some(decision)
        };
        let decisions = match text {
            "-" => Some(vec![]),
            text => text.split('.').map(decision).collect(),
        };
        Ok(Self { decisions: decisions.ok_or(())? })
    }
}

impl ClaimPlace {
    /// Returns true for the claim itself, before all of its strategies.
    pub(crate) fn is_beginning(&self) -> bool {
        self.decisions.is_empty()
    }

    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.decisions.iter().map(|decision| decision.number)
    }

    /// Returns the place after this one and everything below it; `None` for the claim itself.
    pub(crate) fn behind(&self) -> Option<Self> {
        let mut behind = self.clone();
        behind.decisions.last_mut()?.number += 1;
        Some(behind)
    }

    /// Divides the section from this place to `until`, or to the end of the claim, by the depth of
    /// the branches. Returns the places where the parts begin; the first is this place. The list is
    /// empty if nothing is left. The first part contains the node itself and what follows below its
    /// parent, the next part what follows its parent, and so on. The sizes of the parts are
    /// unknown.
    pub(crate) fn left_by_depth(&self, until: Option<&Self>) -> Vec<Self> {
        let mut places = vec![];
        for depth in (0..self.decisions.len().max(1)).rev() {
            let mut place =
                Self { decisions: self.decisions.iter().take(depth + 1).copied().collect() };
            let is_parent = depth + 1 < self.decisions.len();
            if let Some(last) = place.decisions.last_mut() {
                last.number += u32::from(is_parent);
                if last.number >= last.of {
                    continue;
                }
            }
            if until.is_some_and(|until| place >= *until) {
                break;
            }
            places.push(if places.is_empty() { self.clone() } else { place });
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::ClaimPlace;

    fn place(text: &str) -> ClaimPlace {
        text.parse().unwrap()
    }

    #[test]
    fn places_are_read_as_they_are_written_and_ordered_as_they_are_walked() {
        let ordered =
            ["-", "0/9", "0/9.1/2", "0/9.2/2", "1/9", "1/9.0/7", "1/9.0/7.3/4", "8/9", "9/9"];
        for text in ordered {
            assert_eq!(place(text).to_string(), text);
        }
        assert!(ordered.windows(2).all(|two| place(two[0]) < place(two[1])));
        for wrong in ["", "1", "1/", "3/2", "1/2.", "-/1", "a/2"] {
            assert!(wrong.parse::<ClaimPlace>().is_err(), "{wrong}");
        }
    }

    fn left(at: &str, until: &str) -> Vec<String> {
        let until = (until != "end").then(|| place(until));
        place(at).left_by_depth(until.as_ref()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_left_is_divided_by_depth() {
        assert_eq!(left("1/3.0/2.4/7", "end"), ["1/3.0/2.4/7", "1/3.1/2", "2/3"]);
        assert_eq!(left("1/3.1/2.4/7", "end"), ["1/3.1/2.4/7", "2/3"]);
        assert_eq!(left("0/4", "end"), ["0/4"]);
        assert_eq!(left("-", "end"), ["-"]);
        // After the last alternative of a node; nothing is left.
        assert_eq!(left("1/3.2/2", "end"), ["1/3.2/2"]);
        assert_eq!(left("2/3.2/2", "end"), [""; 0]);
        // Another unit begins there.
        assert_eq!(left("0/4.1/3", "2/4"), ["0/4.1/3", "1/4"]);
        assert_eq!(left("0/4.1/3", "1/4"), ["0/4.1/3"]);
        assert_eq!(left("0/4.1/3", "0/4.2/3"), ["0/4.1/3"]);
        assert_eq!(left("0/4.2/2", "1/4"), [""; 0]);
    }

    /// The parts are contiguous, and the first one begins at the start of the rest.
    #[test]
    fn parts_follow_each_other() {
        for number in 0..5 * 4 * 3 {
            let at = format!("{}/5.{}/4.{}/3", number / 12, number / 3 % 4, number % 3 + 1);
            let parts = left(&at, "4/5.2/4");
            assert!(parts.first().is_none_or(|first| *first == at));
            assert!(parts.windows(2).all(|two| place(&two[0]) < place(&two[1])), "{parts:?}");
            assert!(parts.iter().all(|part| place(part) < place("4/5.2/4")));
            assert_eq!(parts.is_empty(), place(&at) >= place("4/5.1/4.3/3"), "{at}: {parts:?}");
        }
    }
}
