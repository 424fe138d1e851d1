//! A place in the tree from which a walk can start without the part before it.
//!
//! Seekers of one process share one walk. Processes cannot, so a unit of work names the place where
//! it begins: the indices of the decisions that lead there, and the counters that a walk from the
//! root would have. Claims with many strategies are also divided below the sync depth, see
//! [`ClaimPlace`](crate::enumerate::ClaimPlace).

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
