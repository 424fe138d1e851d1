//! A place in the tree, from which a walk can begin without the walk before it.
//!
//! Seekers of one process share one walk. Processes cannot, so a unit of work names the place where it
//! begins: the decisions that lead there by their numbers, and what a walk from the root would have counted.
//! Claims with many strategies are divided below the sync depth too, see [`ClaimPlace`].

use crate::enumerate::claim_place::ClaimPlace;
use std::fmt;
use std::str::FromStr;

/// The numbers of the decisions from the root to a node at the sync depth or above it, with the counters of a walk that comes to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreePlace {
    /// The number of each decision among its alternatives; empty for the root.
    pub(super) path: Vec<u32>,
    /// Claims met before; the claim that it lies in is not counted.
    pub(crate) claims: u64,
    /// The digest of the decisions before.
    pub(super) digest: u64,
}

impl fmt::Display for TreePlace {
    /// `17.0.3@128:0123456789abcdef`; the root is `-@0:0000000000000000`.
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

/// Where a walk is, where it begins, and where it ends.
#[derive(Debug, Default)]
pub(crate) struct PlaceTracker {
    /// The last node at the sync depth or above it.
    pub(super) here: TreePlace,
    /// The decisions below it.
    pub(super) within: ClaimPlace,
    /// The way to the beginning, until it is reached.
    pub(super) start: Option<Vec<u32>>,
    /// The way from there to the first decisions within the claim, until it is reached.
    pub(super) first: Option<ClaimPlace>,
    /// Where the walk ends within the claim.
    pub(super) until: Option<ClaimPlace>,
    /// The number of the first strategy that the walk comes to.
    pub(super) before: u32,
    /// Places below the sync depth are noted too.
    pub(super) is_deep: bool,
    /// The walk has come to its end within the claim.
    pub(super) is_past: bool,
    /// The tree has no such beginning.
    pub(super) is_lost: bool,
}

impl PlaceTracker {
    /// The place of the node that was entered last.
    pub(crate) fn here(&self) -> TreePlace {
        self.here.clone()
    }

    /// The place of the strategy at hand within its claim, when places below the sync depth are noted.
    pub(crate) fn of_strategy(&self) -> Option<ClaimPlace> {
        self.is_deep.then(|| self.within.clone())
    }

    /// A claim is taken: gives the number of its first strategy that the walk comes to.
    pub(crate) fn take_before(&mut self) -> u32 {
        std::mem::take(&mut self.before)
    }

    /// The first branch of the root to be walked.
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
