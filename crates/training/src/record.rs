//! Game records: a start position, and each move with its score.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{CastlingMode, Move, PackedPosition, Position};
use umbrail_control::{claim_for_writing, fallibly, read_own};
use xxhash_rust::xxh3::xxh3_64;

/// First bytes of a game file.
const MAGIC: &[u8; 16] = b"umbrail games 1\n";

/// Largest size of a game file, bytes: some 70 million games of 100 moves.
pub(crate) const GAMES_BYTES_MAX: u64 = 32 << 30;

/// Length of a record before its moves, bytes: plies, outcome, kind of end, position, side to move,
/// counters.
const HEAD: usize = 2 + 1 + 1 + 32 + 1 + 1 + 2;

/// Length of one move with its score, bytes.
const PLY: usize = 4;

/// Length of the checksum, bytes.
const CHECK: usize = 4;

/// Result of a game, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black wins.
    Loss = 0,
    /// Draw.
    Draw = 1,
    /// White wins.
    Win = 2,
}

/// Move that was played, and the score of the search that chose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Move that was played.
    pub best: Move,
    /// Score for the side to move, centipawns; a mate is ±([`GameRecord::MATE`] minus the moves to
    /// mate).
    pub score: i16,
}

/// Record of one game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Position after the random opening.
    pub start: Position,
    /// Result of the game.
    pub outcome: GameResult,
    /// True if the result was adjudicated by scores before the rules ended the game.
    pub adjudicated: bool,
    /// Moves of the game, 1 to 65,535.
    pub plies: Vec<Ply>,
}

impl PartialEq for GameRecord {
    fn eq(&self, other: &Self) -> bool {
        self.start.is_same(&other.start)
            && (self.outcome, self.adjudicated) == (other.outcome, other.adjudicated)
            && self.plies == other.plies
    }
}

/// Reason why bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The bytes end before the record.
    #[error("the record is cut off")]
    Short,
    /// The checksum does not match.
    #[error("the checksum of the record does not match")]
    Damaged,
    /// The checksum matches, but a field has an invalid value.
    #[error("the record has a value that is never written")]
    Invalid,
    /// The checksum matches, but a move is not legal.
    #[error("the record has an illegal move")]
    IllegalMove,
}

impl GameRecord {
    /// Score of a mate in 0 moves.
    pub const MATE: i16 = 32_000;

    /// Encodes the record; see [`GameFile`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + PLY * self.plies.len() + CHECK);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        bytes.push(self.outcome as u8);
        bytes.push(u8::from(self.adjudicated));
        let packed = self.start.pack(Bitboard::FULL, true);
        packed.0.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.push(u8::from(self.start.turn() == Color::Black));
        bytes.push(self.start.halfmoves().min(255) as u8);
        bytes.extend(self.start.fullmoves().to_le_bytes());
        for ply in &self.plies {
            bytes.extend(ply.best.bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        bytes.extend((xxh3_64(&bytes) as u32).to_le_bytes());
        bytes
    }

    /// Decodes the record at the start of the bytes; also returns its length.
    ///
    /// # Errors
    /// [`RecordError`] if the bytes do not start with a whole record.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, usize), RecordError> {
        let two = |at: usize| Some(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
        let count = usize::from(two(0).ok_or(RecordError::Short)?);
        let end = HEAD + PLY * count;
        let record = bytes.get(..end).ok_or(RecordError::Short)?;
        let check = bytes.get(end..end + CHECK).ok_or(RecordError::Short)?;
        if check != (xxh3_64(record) as u32).to_le_bytes() {
            return Err(RecordError::Damaged);
        }
        let word = |at: usize| {
            let bytes = record[at..at + 8].try_into().unwrap_or([0; 8]);
            u64::from_le_bytes(bytes)
        };
        let packed = PackedPosition([word(4), word(12), word(20), word(28)]);
        let turn = if record[36] == 1 { Color::Black } else { Color::White };
        let fullmoves = two(38).ok_or(RecordError::Short)?;
        // An unpacked position has no valid key, so the position is rebuilt from its setup.
        let setup = packed.unpack(turn).with_counters(u16::from(record[37]), fullmoves).to_setup();
        // Rights of Chess960 are there only when the game was one of Chess960.
        let start = Position::from_setup(&setup, CastlingMode::Chess960);
        let start = start.map_err(|_| RecordError::Invalid)?;
        let outcome = match record[2] {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            2 => GameResult::Win,
            _ => return Err(RecordError::Invalid),
        };
        // Positions are made from the moves without further checks.
        let mut position = start;
        let plies = record[HEAD..].as_chunks::<PLY>().0.iter().map(|&[m0, m1, s0, s1]| {
            let best = Move::from_bits(u16::from_le_bytes([m0, m1])).ok_or(RecordError::Invalid)?;
            if !position.is_legal(best) {
                return Err(RecordError::IllegalMove);
            }
            position = position.after(best);
            Ok(Ply { best, score: i16::from_le_bytes([s0, s1]) })
        });
        let plies = plies.collect::<Result<Vec<_>, _>>()?;
        let adjudicated = record[3] != 0;
        Ok((Self { start, outcome, adjudicated, plies }, end + CHECK))
    }
}

/// Game file, open for appending.
///
/// All numbers are little-endian. The file starts with the 16 bytes `umbrail games 1\n`; records
/// follow:
///
/// | bytes | contents |
/// |---|---|
/// | 2 | number of plies `n` |
/// | 1 | result for White: 0 loss, 1 draw, 2 win |
/// | 1 | 1 if adjudicated by scores |
/// | 32 | start position ([`PackedPosition`]) |
/// | 1 | 1 if Black moves first |
/// | 1 | half-moves since the last capture or pawn move |
/// | 2 | number of the first move |
/// | 4 `n` | move ([`Move::bits`]) and score for the side to move, centipawns, 16 bits each |
/// | 4 | lower half of the XXH3 hash of the record up to here |
///
/// A record is appended with one call. A killed process therefore loses its current game and may
/// leave one truncated record, which [`GameFile::open`] removes. A file has one writer
/// ([`claim_for_writing`]): a second process that continued from the same game would repeat every
/// game.
#[derive(Debug)]
pub struct GameFile {
    file: File,
    games: u64,
}

impl GameFile {
    /// Opens or creates a file; counts its games and removes a truncated record at its end.
    ///
    /// # Errors
    /// Error of the operating system; `ResourceBusy` if the file is already open for appending;
    /// `InvalidData` if the file is of another kind or damaged before its end.
    pub fn open(path: &Path) -> io::Result<Self> {
        match std::fs::metadata(path) {
            Ok(data) if !data.is_file() => {
                return Err(io::Error::other("it is not a file of games"));
            }
            Ok(data) if data.len() > GAMES_BYTES_MAX => {
                let gib = GAMES_BYTES_MAX >> 30;
                return Err(io::Error::other(format!("it is larger than {gib} GiB")));
            }
            _ => {}
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        if !claim_for_writing(&file) {
            let why = "another process is adding games to it; stop that one, or use another seed";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
        }
        let mut bytes = vec![];
        fallibly(|| Read::by_ref(&mut file).take(GAMES_BYTES_MAX).read_to_end(&mut bytes))?;
        let mut games = 0;
        if bytes.is_empty() {
            file.write_all(MAGIC)?;
        } else {
            let whole = read_games(path, &bytes, |_| games += 1)?;
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok(Self { file, games })
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Appends games with one call.
    ///
    /// # Errors
    /// Error of the operating system.
    pub fn append(&mut self, games: &[GameRecord]) -> io::Result<()> {
        let bytes: Vec<u8> = games.iter().flat_map(GameRecord::to_bytes).collect();
        self.file.write_all(&bytes)?;
        self.games += games.len() as u64;
        Ok(())
    }

    /// Reads every game of a file; a truncated record at its end is skipped.
    ///
    /// # Errors
    /// As for [`GameFile::open`], except `ResourceBusy`.
    pub fn read(path: &Path, visit: impl FnMut(GameRecord)) -> io::Result<()> {
        let bytes = read_own(path, GAMES_BYTES_MAX)?;
        if bytes.is_empty() {
            return Ok(());
        }
        read_games(path, &bytes, visit).map(|_| ())
    }
}

/// Visits all games; returns the length of the magic bytes and the whole records.
pub(crate) fn read_games(
    path: &Path,
    bytes: &[u8],
    mut visit: impl FnMut(GameRecord),
) -> io::Result<usize> {
    let fault = |what: String| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {what}", path.display()))
    };
    if !bytes.starts_with(MAGIC) {
        return Err(fault("expected a file of umbrail's games".to_owned()));
    }
    let mut at = MAGIC.len();
    while at < bytes.len() {
        match GameRecord::from_bytes(&bytes[at..]) {
            Ok((game, length)) => {
                visit(game);
                at += length;
            }
            Err(RecordError::Short) => break,
            Err(error) => return Err(fault(format!("at byte {at}: {error}"))),
        }
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::{GameFile, GameRecord, GameResult, Ply, RecordError};
    use std::path::PathBuf;
    use umbrail_chess::{Position, parse_uci};

    fn game(moves: &str) -> GameRecord {
        let start = Position::startpos();
        let mut position = start;
        let mut plies = vec![];
        for (number, text) in (0..).zip(moves.split(' ')) {
            let best = parse_uci(&position, text).unwrap();
            position = position.after(best);
            plies.push(Ply { best, score: 17 - 5 * number });
        }
        GameRecord { start, outcome: GameResult::Win, adjudicated: false, plies }
    }

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("umbrail-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let one = game("e2e4 e7e5 g1f3");
        let bytes = one.to_bytes();
        let (read, length) = GameRecord::from_bytes(&bytes).unwrap();
        assert_eq!((read.start.key(), length), (one.start.key(), bytes.len()));
        assert_eq!(read, one);
        for at in 2..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(GameRecord::from_bytes(&damaged), Err(RecordError::Damaged), "byte {at}");
        }
        for end in 0..bytes.len() {
            assert_eq!(GameRecord::from_bytes(&bytes[..end]), Err(RecordError::Short));
        }
    }

    #[test]
    fn a_forged_record_with_an_illegal_move_is_refused() {
        let mut forged = game("e2e4 e7e5 g1f3");
        forged.plies[2].best = forged.plies[0].best;
        assert_eq!(GameRecord::from_bytes(&forged.to_bytes()), Err(RecordError::IllegalMove));
    }

    #[test]
    fn a_cut_record_is_removed_and_the_file_goes_on() {
        let (path, games) = (path("cut"), [game("e2e4 c7c5"), game("d2d4 d7d5 c2c4")]);
        let mut file = GameFile::open(&path).unwrap();
        file.append(&games).unwrap();
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut file = GameFile::open(&path).unwrap();
        assert_eq!(file.games(), 1);
        file.append(&games[1..]).unwrap();
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        let mut read = vec![];
        GameFile::read(&path, |game| read.push(game)).unwrap();
        assert_eq!(read, games);
        std::fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_open_is_not_opened_once_more() {
        let path = path("twice");
        let mut file = GameFile::open(&path).unwrap();
        let error = GameFile::open(&path).unwrap_err();
        assert!(error.to_string().contains("another process is adding games"), "{error}");
        file.append(&[game("e2e4")]).unwrap();
        drop(file);
        assert_eq!(GameFile::open(&path).unwrap().games(), 1);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let path = path("other");
        std::fs::write(&path, "a diary").unwrap();
        assert!(GameFile::open(&path).unwrap_err().to_string().contains("expected a file of"));
        assert_eq!(std::fs::read(&path).unwrap(), b"a diary");
        std::fs::remove_file(&path).unwrap();
    }
}
