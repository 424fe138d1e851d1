//! A place in the tree from which a walk can start without the part before it.
//!
//! Seekers of one process share one walk. Processes cannot, so a unit of work names the place where
//! it begins: the indices of the decisions that lead there, and the counters that a walk from the
//! root would have. Claims with many strategies are also divided below the sync depth, see
//! [`ClaimPlace`].

use crate::enumerate::claim_place::ClaimPlace;
use std::fmt;
use std::str::FromStr;

/// Indices of the decisions from the root to a node at or above the sync depth, with the counters
/// of a walk that reaches it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreePlace {
    /// Index of each decision among its alternatives; empty for the root.
    pub(super) path: Vec<u32>,
    /// Claims met before this place, without the claim that contains it.
    pub(crate) claims: u64,
    /// Digest of the decisions before this place.
    pub(super) digest: u64,
}

impl fmt::Display for TreePlace {
    /// Writes `17.0.3@128:0123456789abcdef`; the root is `-@0:0000000000000000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<String> = self.path.iter().map(u32::to_string).collect();
        let path = if path.is_empty() { "-".to_owned() } else { path.join(".") };
        write!(f, "{path}@{}:{:016x}", self.claims, self.digest)
    }
}

impl FromStr for TreePlace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (path, rest) = text.split_once('@').ok_or(())?;
        let (claims, digest) = rest.split_once(':').ok_or(())?;
        let number = |word: &str| word.parse::<u32>().map_err(|_| ());
        let path = match path {
            "-" => vec![],
            path => path.split('.').map(number).collect::<Result<_, _>>()?,
        };
        let claims = claims.parse().map_err(|_| ())?;
        let digest = u64::from_str_radix(digest, 16).map_err(|_| ())?;
        Ok(Self { path, claims, digest })
    }
}

/// Current place of a walk, its start and its end.
#[derive(Debug, Default)]
pub(crate) struct PlaceTracker {
    /// Last node at or above the sync depth.
    pub(super) here: TreePlace,
    /// Decisions below that node.
    pub(super) within: ClaimPlace,
    /// Path to the start, until it is reached.
    pub(super) start: Option<Vec<u32>>,
    /// Path from there to the first decisions within the claim, until it is reached.
    pub(super) first: Option<ClaimPlace>,
    /// End of the walk within the claim.
    pub(super) until: Option<ClaimPlace>,
    /// Number of the first strategy that the walk reaches.
    pub(super) before: u32,
    /// True if places below the sync depth are also recorded.
    pub(super) is_deep: bool,
    /// True if the walk has reached its end within the claim.
    pub(super) is_past: bool,
    /// True if the tree lacks the requested start.
    pub(super) is_lost: bool,
}

impl PlaceTracker {
    /// Returns the place of the node that was entered last.
    pub(crate) fn here(&self) -> TreePlace {
        self.here.clone()
    }

    /// Returns the place of the current strategy within its claim, if places below the sync depth
    /// are recorded.
    pub(crate) fn of_strategy(&self) -> Option<ClaimPlace> {
        self.is_deep.then(|| self.within.clone())
    }

    /// Enters a claim, and returns the number of its first strategy that the walk reaches.
    pub(crate) fn take_before(&mut self) -> u32 {
        std::mem::take(&mut self.before)
    }

    /// Returns the first branch of the root to walk.
    pub(crate) fn first_end(&self) -> usize {
        self.start.as_ref().and_then(|start| start.first()).map_or(0, |&first| first as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::TreePlace;

    #[test]
    fn places_are_read_as_they_are_written() {
        for text in ["-@0:0000000000000000", "17.0.3@128:0123456789abcdef"] {
            assert_eq!(text.parse::<TreePlace>().unwrap().to_string(), text);
        }
        for wrong in ["", "1.2", "1.2@3", "a@1:2", "1.@1:2", "1@x:2", "1@1:g", "1@1+9:2"] {
            assert!(wrong.parse::<TreePlace>().is_err(), "{wrong}");
        }
    }
}
