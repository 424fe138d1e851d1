//! Open claims of the tree. A claim is finished when it is enumerated and all its strategies are
//! searched.

use crate::run::record::ClaimRecord;
use std::collections::HashMap;
use std::sync::Mutex;
use umbrail_control::lock;

/// An unfinished claim.
#[derive(Debug, Default)]
struct OpenClaim {
    waiting: u64,
    enumerated: bool,
    dropped: bool,
    record: ClaimRecord,
}

/// Open claims of one part.
#[derive(Debug, Default)]
pub(crate) struct OpenClaims(Mutex<HashMap<u64, OpenClaim>>);

impl OpenClaims {
    fn with<R>(&self, look: impl FnOnce(&mut HashMap<u64, OpenClaim>) -> R) -> R {
        look(&mut lock(&self.0))
    }

    /// Registers a queued strategy of the claim.
    pub(crate) fn found(&self, claim: u64) {
        self.with(|open| {
            let open = open.entry(claim).or_default();
            open.waiting += 1;
            open.record.counts.enumerated += 1;
        });
    }

    /// Registers that the claim is enumerated. Returns its record if none of its strategies is
    /// queued.
    pub(crate) fn enumerated(&self, claim: u64) -> Option<ClaimRecord> {
        self.with(|open| {
            open.entry(claim).or_default().enumerated = true;
            Self::close(open, claim)
        })
    }

    /// Registers that a strategy of the claim was searched or dropped; `enter` adds its result.
    /// Returns the record of the claim if it is finished.
    pub(crate) fn played(
        &self,
        claim: u64,
        dropped: bool,
        enter: impl FnOnce(&mut ClaimRecord),
    ) -> Option<ClaimRecord> {
        self.with(|open| {
            let one = open.entry(claim).or_default();
            one.waiting = one.waiting.saturating_sub(1);
            one.dropped |= dropped;
            enter(&mut one.record);
            Self::close(open, claim)
        })
    }

    fn close(open: &mut HashMap<u64, OpenClaim>, claim: u64) -> Option<ClaimRecord> {
        let one = open.get(&claim)?;
        if !one.enumerated || one.waiting > 0 {
            return None;
        }
        let mut one = open.remove(&claim)?;
        one.record.claim = claim;
        (!one.dropped).then_some(one.record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_finished_when_it_is_enumerated_and_searched() {
        let claims = OpenClaims::default();
        claims.found(3);
        claims.found(3);
        assert_eq!(claims.played(3, false, |record| record.counts.searched += 1), None);
        assert_eq!(claims.enumerated(3), None);
        let done = claims.played(3, false, |record| record.counts.searched += 1).unwrap();
        assert_eq!((done.claim, done.counts.enumerated, done.counts.searched), (3, 2, 2));
        let empty = claims.enumerated(4).expect("a claim without strategies");
        assert_eq!(empty.claim, 4);
        claims.found(5);
        claims.enumerated(5);
        assert_eq!(claims.played(5, true, |_| {}), None, "a dropped strategy leaves it unfinished");
    }
}
