//! What the engine remembers of its own games: for a position and a move, the score and depth of the
//! search that chose it.
//!
//! The file is a head of 16 bytes and records of 16 bytes, little-endian: the position's key (the keys
//! of this program are the same in every run), the move, the score in centipawns, the depth, and how
//! many searches it sums up. New records are appended after each search, so that a crash loses nothing; when a file is
//! opened, records of the same move are joined: the deeper one counts, and counts add up.

use super::ReadFile;
use super::error::SourceError;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use umbrail_chess::Move;
use umbrail_control::Unreadable;

const HEAD: &[u8; 16] = b"umbrail exp 1\n\0\0";
const RECORD: usize = 16;

/// What is remembered of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExperienceRecord {
    pub mv: Move,
    /// Centipawns, for the side that plays the move.
    pub score: i16,
    pub depth: u8,
    /// Searches that chose it.
    pub count: u8,
}

/// An experience file.
#[derive(Debug)]
pub(crate) struct Experience {
    path: PathBuf,
    known: HashMap<u64, Vec<ExperienceRecord>>,
    /// Open for appending once there is something to append.
    file: Option<File>,
    /// The file exists and has its head.
    headed: bool,
}

impl Experience {
    /// Reads a file; one that does not exist yet is empty.
    ///
    /// # Errors
    /// What is wrong with the file, naming it.
    pub(crate) fn open(path: PathBuf, read: ReadFile<'_>) -> Result<Self, SourceError> {
        let (option, name) = ("Experience File", path.display().to_string());
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.reason == Unreadable::Absent => vec![],
            Err(error) => return Err(SourceError::File { option, error }),
        };
        let mut experience =
            Self { path, known: HashMap::new(), file: None, headed: !bytes.is_empty() };
        if bytes.is_empty() {
            return Ok(experience);
        }
        let Some(records) = bytes.strip_prefix(HEAD) else {
            let reason = "expected a file that umbrail wrote".to_owned();
            return Err(SourceError::Format { option, path: name, reason });
        };
        // A last record that a crash cut short is left alone.
        for record in records.as_chunks::<RECORD>().0 {
            if let Some((key, record)) = unpack(record) {
                experience.join(key, record);
            }
        }
        Ok(experience)
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

    /// What is remembered of the position with this key.
    pub(crate) fn moves(&self, key: u64) -> &[ExperienceRecord] {
        self.known.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Remembers the result of a search, in the file too.
    ///
    /// # Errors
    /// Why the file could not be written; it is remembered for this session all the same.
    pub(crate) fn learn(&mut self, key: u64, record: ExperienceRecord) -> std::io::Result<()> {
        self.join(key, record);
        if self.file.is_none() {
            let file = OpenOptions::new().append(true).create(true).open(&self.path);
            self.file = Some(file?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        if !std::mem::replace(&mut self.headed, true) {
            file.write_all(HEAD)?;
        }
        file.write_all(&pack(key, record))
    }
}

fn pack(key: u64, record: ExperienceRecord) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..10].copy_from_slice(&record.mv.bits().to_le_bytes());
    bytes[10..12].copy_from_slice(&record.score.to_le_bytes());
    (bytes[12], bytes[13]) = (record.depth, record.count);
    bytes
}

fn unpack(bytes: &[u8; RECORD]) -> Option<(u64, ExperienceRecord)> {
    let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, s0, s1, depth, count, ..] = *bytes;
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
        let cut = Experience::open(path.clone(), &read_at_once).unwrap();
        assert!(cut.moves(78).is_empty() && cut.moves(77).len() == 1);
        std::fs::write(&path, b"something else entirely").unwrap();
        assert!(Experience::open(path.clone(), &read_at_once).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
