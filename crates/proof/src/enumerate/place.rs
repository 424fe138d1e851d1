//! A place in the tree above the sync depth, from which a walk can begin without the walk before it.
//!
//! Seekers of one process share one walk. Processes cannot, so a unit of work names the place where it
//! begins: the decisions that lead there by their numbers, and what a walk from the root would have counted.

use crate::enumerate::tree::TreeWalk;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

/// The numbers of the decisions from the root to a node, with the counters of a walk that comes to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreePlace {
    /// The number of each decision among its alternatives; empty for the root.
    path: Vec<u32>,
    /// Claims met before.
    pub(crate) claims: u64,
    /// The digest of the decisions before.
    digest: u64,
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

/// What a walk does with a branch above the sync depth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    /// It lies before the place where the walk begins.
    Before,
    /// It leads to that place, and was counted by the walk before.
    Leads,
    /// It is walked.
    Walked,
}

/// Where a walk is, and the rest of the way to its beginning.
#[derive(Debug, Default)]
pub(crate) struct PlaceTracker {
    here: TreePlace,
    /// The way to the beginning, until it is reached.
    start: Option<Vec<u32>>,
    /// The tree has no such place.
    pub(crate) is_lost: bool,
}

impl PlaceTracker {
    /// The place of the node that was entered last.
    pub(crate) fn here(&self) -> TreePlace {
        self.here.clone()
    }

    /// The first branch of the root to be walked.
    pub(crate) fn first(&self) -> usize {
        self.start.as_ref().and_then(|start| start.first()).map_or(0, |&first| first as usize)
    }
}

impl TreeWalk<'_> {
    /// Lets the walk begin at a place.
    pub(crate) fn begin_at(&mut self, place: &TreePlace) {
        (self.sought.claims, self.sought.digest) = (place.claims, place.digest);
        self.places.start = Some(place.path.clone()).filter(|path| !path.is_empty());
    }

    /// Comes to the branch with this number below a node at `depth`.
    ///
    /// The state of a node depends on the decisions that lead to it alone, so a walk that skips what
    /// lies before its place meets the same claims in the same order.
    pub(super) fn branch(&mut self, depth: u8, number: usize) -> ControlFlow<(), Branch> {
        if depth >= self.options.sync_depth {
            return ControlFlow::Continue(Branch::Walked);
        }
        let (depth, number) = (usize::from(depth), number as u32);
        let mut branch = Branch::Walked;
        if let Some(start) = &self.places.start {
            match start.get(depth).map(|wanted| number.cmp(wanted)) {
                Some(std::cmp::Ordering::Less) => return ControlFlow::Continue(Branch::Before),
                Some(std::cmp::Ordering::Equal) if depth + 1 < start.len() => {
                    branch = Branch::Leads
                }
                Some(std::cmp::Ordering::Equal) => self.places.start = None,
                _ => {
                    self.places.is_lost = true;
                    return ControlFlow::Break(());
                }
            }
        }
        let here = &mut self.places.here;
        here.path.truncate(depth);
        here.path.push(number);
        (here.claims, here.digest) = (self.sought.claims, self.sought.digest);
        ControlFlow::Continue(branch)
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
        for wrong in ["", "1.2", "1.2@3", "a@1:2", "1.@1:2", "1@x:2", "1@1:g"] {
            assert!(wrong.parse::<TreePlace>().is_err(), "{wrong}");
        }
    }
}
