//! A case of a strategy that another team searches, and its text.

use crate::analyse::Assumptions;
use std::fmt;
use std::str::FromStr;

/// A case that a team leaves to another one. Together with its strategy it defines the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ResidualCase {
    /// Depth in the tree of cases; 0 for the whole strategy.
    pub(crate) depth: u32,
    /// Assumptions of the case.
    pub(crate) assumptions: Assumptions,
}

impl fmt::Display for ResidualCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.depth, self.assumptions)
    }
}

impl FromStr for ResidualCase {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (depth, assumptions) = text.split_once(':').ok_or(())?;
        Ok(Self { depth: depth.parse().map_err(|_| ())?, assumptions: assumptions.parse()? })
    }
}
