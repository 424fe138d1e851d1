//! The manifest of a build: what of its log is valid. It is written as a whole after each step, so
//! that a killed build goes on after its last finished step.

use super::super::slice::{SliceCounts, SymmetryCount};
use super::error::PagedError;
use std::path::{Path, PathBuf};
use umbrail_control::write_whole;
use xxhash_rust::xxh3::xxh3_64;

/// First bytes of the file.
const MAGIC: &[u8; 8] = b"UMBRUN1\n";
/// Beginning of the first bytes in all versions.
const FAMILY: &[u8] = b"UMBRUN";

/// State of a build.
#[derive(Clone, Default)]
pub(super) struct Manifest {
    /// The table, and the size of its windows in words.
    pub(super) identity: Vec<u8>,
    /// Counts of each slice that is prepared.
    pub(super) prepared: Vec<Option<SliceCounts>>,
    /// Last finished ply; ply 0 is finished when all slices are prepared.
    pub(super) ply: u64,
    /// Offset, length and checksum of each index in the log.
    pub(super) indices: Vec<[u64; 3]>,
    /// Length of the log.
    pub(super) length: u64,
}

impl Manifest {
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let mut put = |number: u64| out.extend(number.to_le_bytes());
        put(self.identity.len() as u64);
        for &byte in &self.identity {
            put(byte.into());
        }
        put(self.prepared.len() as u64);
        for counts in &self.prepared {
            put(counts.is_some().into());
            if let Some(counts) = counts {
                numbers(counts).into_iter().for_each(&mut put);
            }
        }
        put(self.ply);
        put(self.indices.len() as u64);
        self.indices.iter().flatten().for_each(|&number| put(number));
        put(self.length);
        let sum = xxh3_64(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(body) != u64::from_le_bytes(*sum) {
            return None;
        }
        let (numbers, rest) = body.strip_prefix(MAGIC)?.as_chunks::<8>();
        let mut numbers = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let mut next = || numbers.next();
        let mut manifest = Self::default();
        for _ in 0..next()? {
            manifest.identity.push(next()?.try_into().ok()?);
        }
        for _ in 0..next()? {
            let known = next()? != 0;
            let counts = if known { Some(counts(&mut next)?) } else { None };
            manifest.prepared.push(counts);
        }
        manifest.ply = next()?;
        for _ in 0..next()? {
            manifest.indices.push([next()?, next()?, next()?]);
        }
        manifest.length = next()?;
        (rest.is_empty() && next().is_none()).then_some(manifest)
    }

    /// Writes the file.
    pub(super) fn write(&self, path: &Path) -> Result<(), PagedError> {
        let bytes = self.to_bytes();
        let written = write_whole(path, |out| out.write_all(&bytes));
        written.map_err(|error| PagedError::Io(error.path, error.source))
    }

    /// Reads the file of this table, if it exists.
    pub(super) fn read(path: &Path, identity: &[u8]) -> Result<Option<Self>, PagedError> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| PagedError::Io(path.to_owned(), error))?,
        };
        let path = || -> PathBuf { path.to_owned() };
        if bytes.len() > MAGIC.len() && bytes.starts_with(FAMILY) && !bytes.starts_with(MAGIC) {
            let why = "it is the manifest of another version of this program".to_owned();
            return Err(PagedError::Foreign(path(), why));
        }
        let manifest = Self::from_bytes(&bytes).ok_or_else(|| {
            PagedError::Damaged(path(), "it is not the whole manifest of a build".to_owned())
        })?;
        if manifest.identity != identity {
            let why = "it is the manifest of other pieces, rules or windows".to_owned();
            return Err(PagedError::Foreign(path(), why));
        }
        Ok(Some(manifest))
    }
}

fn numbers(counts: &SliceCounts) -> [u64; 8] {
    let SliceCounts { attacker_legal: a, loser_legal: b, stalemate: c, .. } = counts;
    let checks = [counts.loser_in_check, counts.attacker_in_check];
    [a.placements, a.kept, b.placements, b.kept, c.placements, c.kept, checks[0], checks[1]]
}

fn counts(next: &mut impl FnMut() -> Option<u64>) -> Option<SliceCounts> {
    let mut sum = || Some(SymmetryCount { placements: next()?, kept: next()? });
    let (attacker_legal, loser_legal, stalemate) = (sum()?, sum()?, sum()?);
    let (loser_in_check, attacker_in_check) = (next()?, next()?);
    let rest = SliceCounts::default();
    Some(SliceCounts {
        attacker_legal,
        loser_legal,
        stalemate,
        loser_in_check,
        attacker_in_check,
        ..rest
    })
}

#[cfg(test)]
mod tests {
    use super::{Manifest, SliceCounts};

    #[test]
    fn only_a_whole_manifest_is_read() {
        let counts = SliceCounts { loser_in_check: 77, ..SliceCounts::default() };
        let manifest = Manifest {
            identity: vec![1, 200, 3],
            prepared: vec![None, Some(counts)],
            ply: 5,
            indices: vec![[1, 2, 3], [4, 5, 6]],
            length: 99,
        };
        let bytes = manifest.to_bytes();
        let read = Manifest::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes);
        assert_eq!(read.prepared[1].map(|counts| counts.loser_in_check), Some(77));
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(
                Manifest::from_bytes(&bad).is_none() && Manifest::from_bytes(&bad[..at]).is_none()
            );
        }
    }
}
