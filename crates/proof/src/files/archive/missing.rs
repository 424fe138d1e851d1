//! What is missing in an archive for a complete run: parts, claims, and the shards to which they belong.

use super::{Archive, ArchiveError, Header};
use crate::problem::census::Census;
use crate::problem::retraction::{self, of_part};
use crate::run::record::EnumeratedTree;
use std::collections::BTreeSet;

/// A part of which something is missing.
struct OpenPart {
    part: u16,
    /// The number of its claims, 0 where that is not known.
    claims: u64,
    /// Claims that are not finished; none where their number is not known.
    open: Option<Vec<u64>>,
}

impl Archive {
    /// What is missing for a complete run: parts that were not enumerated completely, and claims.
    ///
    /// # Errors
    /// When the header does not name a problem.
    pub fn missing(&self, header: &Header) -> Result<Vec<String>, ArchiveError> {
        let reported = |OpenPart { part, claims, open }: OpenPart| {
            let of = of_part(part);
            let Some(open) = open else {
                return format!("the strategies{of} were not enumerated completely");
            };
            let some: Vec<String> = open.iter().take(8).map(u64::to_string).collect();
            let more = if open.len() > 8 { ", …" } else { "" };
            let (count, some) = (open.len(), some.join(", "));
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
        let mut missing = BTreeSet::new();
        for part in self.open_parts(header)? {
            match part.open {
                Some(open) => missing.extend(open.iter().map(|claim| claim % shards.max(1))),
                None => return Ok((0..shards).collect()),
            }
        }
        Ok(missing)
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
            let Some(&EnumeratedTree { claims, .. }) = self.parts.get(&part) else {
                found.push(OpenPart { part, claims: 0, open: None });
                continue;
            };
            let done: BTreeSet<u64> =
                self.claims.range((part, 0)..(part + 1, 0)).map(|((_, claim), _)| *claim).collect();
            let open: Vec<u64> = (0..claims).filter(|claim| !done.contains(claim)).collect();
            if !open.is_empty() {
                found.push(OpenPart { part, claims, open: Some(open) });
            }
        }
        Ok(found)
    }
}
