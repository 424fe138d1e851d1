//! Experience file: for a position and a move, the score and depth of the earlier search that chose
//! the move.
//!
//! The file has a header of 16 bytes and records of 16 bytes, little-endian: the position's key
//! (keys are identical in every run), the move, the score in centipawns, the depth, the number of
//! searches in the record, and a checksum. Records with a wrong checksum are skipped and reported;
//! earlier builds wrote 0 in its place. Each search appends a record, so that a crash loses nothing. Reading
//! joins records of the same move: the deepest one counts, and the numbers of searches add up. A
//! last record that was cut short by a crash or a full disk is removed, because records appended
//! after it would not be read.

use super::ReadFile;
use super::error::SourceError;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use umbrail_chess::Move;
use umbrail_control::Unreadable;
use xxhash_rust::xxh3::xxh3_64;

const HEAD: &[u8; 16] = b"umbrail exp 1\n\0\0";
/// Beginning of the header in all versions.
const FAMILY: &[u8] = b"umbrail exp ";
const RECORD: usize = 16;

/// Experience with one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExperienceRecord {
    pub mv: Move,
    /// Score in centipawns, for the side that plays the move.
    pub score: i16,
    pub depth: u8,
    /// Number of searches that chose the move.
    pub count: u8,
}

/// Experience file with its contents.
#[derive(Debug)]
pub(crate) struct Experience {
    path: PathBuf,
    known: HashMap<u64, Vec<ExperienceRecord>>,
    /// Open for appending once there is a record to append.
    file: Option<File>,
    /// Bytes of the header and the whole records of the file.
    length: u64,
    /// Bytes of a truncated record that were removed at the end of the file.
    cut: u64,
    /// Number of records with a wrong checksum.
    damaged: usize,
    /// True if the last record could not be written and the error was reported.
    is_unwritten: bool,
}

impl Experience {
    /// Reads a file; a file that does not exist yet counts as empty.
    ///
    /// # Errors
    /// [`SourceError`] if the file cannot be read or is not an experience file.
    pub(crate) fn open(path: PathBuf, read: ReadFile<'_>) -> Result<Self, SourceError> {
        let (option, name) = ("Experience File", path.display().to_string());
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            // A link to nothing becomes a file at the first record.
            Err(error) if matches!(error.reason, Unreadable::Absent | Unreadable::Dangling) => {
                vec![]
            }
            Err(error) => return Err(SourceError::File { option, error }),
        };
        let records = match bytes.strip_prefix(HEAD) {
            Some(records) => records,
            None if HEAD.starts_with(&bytes) => &[],
            None => {
                let reason = match bytes.starts_with(FAMILY) {
                    true => "it is of another version of umbrail; this one reads version 1",
                    false => "expected a file that umbrail wrote",
                };
                let reason = reason.to_owned();
                return Err(SourceError::Format { option, path: name, reason });
            }
        };
        let cut = (bytes.len() % RECORD) as u64;
        let length = bytes.len() as u64 - cut;
        if cut > 0 {
            truncate(&path, length).map_err(|error| SourceError::Unreadable {
                option,
                path: name,
                error,
            })?;
        }
        let (known, file, is_unwritten) = (HashMap::new(), None, false);
        let mut experience = Self { path, known, file, length, cut, damaged: 0, is_unwritten };
        for record in records.as_chunks::<RECORD>().0 {
            match unpack(record) {
                Some((key, record)) => experience.join(key, record),
                None => experience.damaged += 1,
            }
        }
        Ok(experience)
    }

    /// Returns the defects that were found when the file was opened, if any.
    pub(crate) fn repair(&self) -> Option<SourceError> {
        let records = if self.damaged == 1 { "record is" } else { "records are" };
        let damaged =
            (self.damaged > 0).then(|| format!("{} damaged {records} not used", self.damaged));
        let cut = (self.cut > 0)
            .then(|| format!("the last record was cut short and is removed ({} bytes)", self.cut));
        let reasons: Vec<_> = damaged.into_iter().chain(cut).collect();
        (!reasons.is_empty()).then(|| SourceError::Format {
            option: "Experience File",
            path: self.path.display().to_string(),
            reason: reasons.join("; "),
        })
    }

    fn join(&mut self, key: u64, record: ExperienceRecord) {
        let moves = self.known.entry(key).or_default();
        match moves.iter_mut().find(|known| known.mv == record.mv) {
            None => moves.push(record),
            Some(known) => {
                known.count = known.count.saturating_add(record.count);
                if record.depth >= known.depth {
                    (known.score, known.depth) = (record.score, record.depth);
                }
            }
        }
    }

    /// Returns the experience with the position of this key.
    pub(crate) fn moves(&self, key: u64) -> &[ExperienceRecord] {
        self.known.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Adds the result of a search, also to the file.
    ///
    /// # Errors
    /// Reason why the file could not be written, once until a write succeeds; the result is kept
    /// for this session.
    pub(crate) fn learn(&mut self, key: u64, record: ExperienceRecord) -> Result<(), SourceError> {
        self.join(key, record);
        let written = self.append(&pack(key, record));
        let reported = std::mem::replace(&mut self.is_unwritten, written.is_err());
        match written {
            Err(error) if !reported => {
                let path = self.path.display().to_string();
                Err(SourceError::Unwritten { option: "Experience File", path, error })
            }
            _ => Ok(()),
        }
    }

    /// Appends a record, with the header before the first one, or leaves the file unchanged.
    fn append(&mut self, record: &[u8; RECORD]) -> io::Result<()> {
        if self.file.is_none() {
            let file = OpenOptions::new().append(true).create(true).open(&self.path);
            self.file = Some(file?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let bytes = if self.length == 0 { [*HEAD, *record].concat() } else { record.to_vec() };
        if let Err(error) = file.write_all(&bytes) {
            // The first error is the one to report.
            let _ = truncate(&self.path, self.length);
            return Err(error);
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

fn truncate(path: &Path, length: u64) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.set_len(length)
}

fn pack(key: u64, record: ExperienceRecord) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..10].copy_from_slice(&record.mv.bits().to_le_bytes());
    bytes[10..12].copy_from_slice(&record.score.to_le_bytes());
    (bytes[12], bytes[13]) = (record.depth, record.count);
    let sum = checksum(&bytes);
    bytes[14..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Returns the checksum of a record, which is not 0.
fn checksum(bytes: &[u8; RECORD]) -> u16 {
    let hash = xxh3_64(&bytes[..RECORD - 2]);
    (hash % u64::from(u16::MAX)) as u16 + 1
}

/// Returns the record; none if it is damaged.
fn unpack(bytes: &[u8; RECORD]) -> Option<(u64, ExperienceRecord)> {
    let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, s0, s1, depth, count, c0, c1] = *bytes;
    let sum = u16::from_le_bytes([c0, c1]);
    if sum != 0 && sum != checksum(bytes) {
        return None;
    }
    let mv = Move::from_bits(u16::from_le_bytes([m0, m1]))?;
    let score = i16::from_le_bytes([s0, s1]);
    let key = u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]);
    Some((key, ExperienceRecord { mv, score, depth, count }))
}

#[cfg(test)]
mod tests {
    use super::{Experience, ExperienceRecord};
    use crate::sources::read_at_once;
    use umbrail_chess::Move;
    use umbrail_chess::geometry::Square;

    fn record(score: i16, depth: u8) -> ExperienceRecord {
        ExperienceRecord { mv: Move::new(Square::E2, Square::E4), score, depth, count: 1 }
    }

    #[test]
    fn what_was_learned_is_read_again_and_joined() {
        let path = std::env::temp_dir().join(format!("umbrail-exp-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut experience = Experience::open(path.clone(), &read_at_once).unwrap();
        experience.learn(77, record(30, 9)).unwrap();
        experience.learn(77, record(-5, 4)).unwrap();
        drop(experience);
        let mut again = Experience::open(path.clone(), &read_at_once).unwrap();
        assert_eq!(again.moves(77), [ExperienceRecord { count: 2, ..record(30, 9) }]);
        assert!(again.moves(78).is_empty());
        again.learn(78, record(1, 1)).unwrap();
        drop(again);
        let mut bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.len(), 4 * 16, "one head and three records");
        bytes.truncate(3 * 16 + 5);
        std::fs::write(&path, &bytes).unwrap();
        let mut cut = Experience::open(path.clone(), &read_at_once).unwrap();
        assert!(cut.moves(78).is_empty() && cut.moves(77).len() == 1);
        let given = cut.repair().unwrap().to_string();
        assert!(
            given.ends_with("the last record was cut short and is removed (5 bytes)"),
            "{given}"
        );
        // The next record is appended where it will be read.
        cut.learn(79, record(2, 2)).unwrap();
        drop(cut);
        let repaired = Experience::open(path.clone(), &read_at_once).unwrap();
        assert!(repaired.repair().is_none());
        assert_eq!(repaired.moves(79), [record(2, 2)]);
        assert_eq!(std::fs::read(&path).unwrap().len(), 4 * 16);
        // Truncated header.
        std::fs::write(&path, &bytes[..7]).unwrap();
        let mut headless = Experience::open(path.clone(), &read_at_once).unwrap();
        assert!(headless.repair().is_some());
        headless.learn(80, record(3, 3)).unwrap();
        drop(headless);
        let repaired = Experience::open(path.clone(), &read_at_once).unwrap();
        assert_eq!(repaired.moves(80), [record(3, 3)]);
        std::fs::write(&path, b"something else entirely").unwrap();
        assert!(Experience::open(path.clone(), &read_at_once).is_err());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn damaged_records_are_skipped_and_other_versions_named() {
        let path = std::env::temp_dir().join(format!("umbrail-exp-sum-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut experience = Experience::open(path.clone(), &read_at_once).unwrap();
        experience.learn(77, record(30, 9)).unwrap();
        experience.learn(78, record(-5, 4)).unwrap();
        drop(experience);
        let whole = std::fs::read(&path).unwrap();
        for bit in 0..14 * 8 {
            let mut bytes = whole.clone();
            bytes[16 + bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &bytes).unwrap();
            let damaged = Experience::open(path.clone(), &read_at_once).unwrap();
            assert!(damaged.moves(77).is_empty() && damaged.moves(78).len() == 1, "{bit}");
            let given = damaged.repair().unwrap().to_string();
            assert!(given.ends_with("1 damaged record is not used"), "{given}");
        }
        // Records of earlier builds have no checksum.
        let mut bytes = whole.clone();
        bytes[30..32].fill(0);
        std::fs::write(&path, &bytes).unwrap();
        let old = Experience::open(path.clone(), &read_at_once).unwrap();
        assert!(old.moves(77).len() == 1 && old.repair().is_none());
        std::fs::write(&path, b"umbrail exp 2\n\0\0more").unwrap();
        let other = Experience::open(path.clone(), &read_at_once).unwrap_err().to_string();
        assert!(other.contains("another version of umbrail"), "{other}");
        std::fs::remove_file(&path).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_once() {
        let path = std::path::PathBuf::from("/dev/full");
        let nothing = |_: &std::path::Path| Ok(vec![]);
        let mut experience = Experience::open(path, &nothing).unwrap();
        let reported = experience.learn(1, record(1, 1)).unwrap_err().to_string();
        assert!(reported.contains("/dev/full") && reported.contains("No space left"), "{reported}");
        assert!(experience.learn(2, record(1, 1)).is_ok() && experience.moves(2).len() == 1);
    }
}
