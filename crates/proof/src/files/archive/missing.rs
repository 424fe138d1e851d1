//! What is missing in an archive for a complete run: parts, claims, and the shards to which they belong.

use super::{Archive, ArchiveError, Header};
use crate::problem::census::Census;
use crate::problem::retraction::{self, of_part};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of shards that are distinguished. An archive made by hand may state any number.
const SHARDS_MAX: u64 = 1 << 20;

/// A part of which something is missing.
struct OpenPart {
    part: u16,
    /// The number of its claims; none where it is not known. An archive made by hand may state any number, so
    /// claims are counted, and never listed as a whole.
    claims: Option<u64>,
    /// Finished claims below that number.
    done: BTreeSet<u64>,
}

impl OpenPart {
    /// Number of claims that are not finished.
    fn open(&self) -> u64 {
        self.claims.map_or(0, |claims| claims - self.done.len() as u64)
    }

    /// The shards, of this number, of which a claim is not finished.
    fn missed(&self, shards: u64) -> Vec<u64> {
        let Some(claims) = self.claims else { return (0..shards).collect() };
        let mut done: BTreeMap<u64, u64> = BTreeMap::new();
        for claim in &self.done {
            *done.entry(claim % shards).or_default() += 1;
        }
        let is_missed =
            |shard: &u64| done.get(shard).copied().unwrap_or(0) < (claims - shard).div_ceil(shards);
        (0..shards.min(claims)).filter(is_missed).collect()
    }
}

impl Archive {
    /// What is missing for a complete run: parts that were not enumerated completely, and claims.
    ///
    /// # Errors
    /// When the header does not name a problem.
    pub fn missing(&self, header: &Header) -> Result<Vec<String>, ArchiveError> {
        let reported = |part: OpenPart| {
            let of = of_part(part.part);
            let Some(claims) = part.claims else {
                return format!("the strategies{of} were not enumerated completely");
            };
            let open = (0..claims).filter(|claim| !part.done.contains(claim));
            let some: Vec<String> = open.take(8).map(|claim| claim.to_string()).collect();
            let count = part.open();
            let (some, more) = (some.join(", "), if count > 8 { ", …" } else { "" });
            format!("{count} of {claims} claims{of} ({some}{more})")
        };
        Ok(self.open_parts(header)?.into_iter().map(reported).collect())
    }

    /// The shards, of this number, to which something belongs that is missing for a complete run. While it is not known how
    /// many claims a part has, all shards miss some.
    ///
    /// # Errors
    /// When the header does not name a problem.
    pub fn missing_shards(
        &self,
        header: &Header,
        shards: u64,
    ) -> Result<BTreeSet<u64>, ArchiveError> {
        let shards = shards.clamp(1, SHARDS_MAX);
        Ok(self.open_parts(header)?.iter().flat_map(|part| part.missed(shards)).collect())
    }

    /// The parts of which something is missing.
    fn open_parts(&self, header: &Header) -> Result<Vec<OpenPart>, ArchiveError> {
        let problem = header.problem()?;
        if Census::of(&problem).is_err() {
            return Ok(vec![]);
        }
        let wanted: Vec<u16> = match retraction::earlier(&problem, header.retraction()) {
            // A part that the census refuses has no claims.
            Some(parts) => (0u16..)
                .zip(&parts)
                .filter(|(_, part)| Census::of(&part.problem).is_ok())
                .map(|(at, _)| at + 1)
                .collect(),
            None => vec![0],
        };
        let mut found = Vec::new();
        for part in wanted {
            let claims = self.parts.get(&part).map(|tree| tree.claims);
            let listed = self.claims.range((part, 0)..(part + 1, 0)).map(|((_, claim), _)| *claim);
            let done = listed.filter(|claim| claims.is_none_or(|claims| *claim < claims)).collect();
            let part = OpenPart { part, claims, done };
            if claims.is_none() || part.open() > 0 {
                found.push(part);
            }
        }
        Ok(found)
    }
}
