//! The ledger of one match: a line for each game, written the moment the game is over.
//!
//! A match may be played in several *segments*, because it was stopped or killed. Each game is booked by its opening
//! (counted from 1 in the shuffled book) and by the color of DEV, so the same game is never counted twice, and what is
//! missing can be read from the file alone. A line that a kill left without its end is cut off.

use super::sprt::PairCounts;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Name of the file in the folder of the match.
pub(super) const FILE: &str = "games.txt";

/// Points of DEV in one game, doubled: 0 lost, 1 drawn, 2 won.
pub(super) type HalfPoints = u8;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameResult {
    /// Number of the opening in the shuffled book, from 1.
    pub(super) opening: u32,
    /// DEV had White.
    pub(super) dev_white: bool,
    /// Doubled points of DEV.
    pub(super) half_points: HalfPoints,
    /// How the game ended, in the match runner's words.
    pub(super) reason: String,
}

impl GameResult {
    /// The side that lost on time: true for DEV, false for BASE; none when the game ended otherwise.
    pub(super) fn flagged_dev(&self) -> Option<bool> {
        let white = self.reason.strip_suffix(" loses on time")? == "White";
        Some(white == self.dev_white)
    }

    fn line(&self) -> String {
        let color = if self.dev_white { "white" } else { "black" };
        format!("{} {color} {} {}\n", self.opening, self.half_points, self.reason)
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.splitn(4, ' ');
        let opening = words.next()?.parse().ok()?;
        let dev_white = match words.next()? {
            "white" => true,
            "black" => false,
            _ => return None,
        };
        let half_points = words.next()?.parse().ok().filter(|points| *points <= 2)?;
        Some(Self { opening, dev_white, half_points, reason: words.next()?.to_owned() })
    }
}

/// The games that a match folder has booked, in the order in which they ended. The file may be written to meanwhile, and
/// is left as it is; what is no whole line is not read.
pub(super) fn booked(folder: &Path) -> Vec<GameResult> {
    let bytes = std::fs::read(folder.join(FILE)).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().filter_map(GameResult::read).collect()
}

/// The games of a match, in memory and on disk.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    games: BTreeMap<(u32, bool), GameResult>,
}

impl Ledger {
    /// Reads the ledger of a match folder; one that is absent is empty.
    ///
    /// # Errors
    /// Names the file and the line that cannot be read.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let path = folder.join(FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => vec![],
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            let file = OpenOptions::new().write(true).open(&path);
            let cut = file.and_then(|file| file.set_len(whole as u64));
            cut.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut ledger = Self { path, games: BTreeMap::new() };
        for (at, line) in text.lines().enumerate() {
            let game = GameResult::read(line).ok_or_else(|| {
                format!(
                    "{}:{}: expected OPENING white|black 0|1|2 REASON, got \"{line}\"",
                    ledger.path.display(),
                    at + 1
                )
            })?;
            ledger.games.entry((game.opening, game.dev_white)).or_insert(game);
        }
        Ok(ledger)
    }

    /// Books a game, on disk first. A game that is booked already is not counted again.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(super) fn book(&mut self, game: GameResult) -> Result<(), String> {
        if self.games.contains_key(&(game.opening, game.dev_white)) {
            return Ok(());
        }
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        let written = file.and_then(|mut file: File| file.write_all(game.line().as_bytes()));
        written.map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.games.insert((game.opening, game.dev_white), game);
        Ok(())
    }

    /// All games, by opening.
    pub(super) fn games(&self) -> impl Iterator<Item = &GameResult> {
        self.games.values()
    }

    /// Openings of which both games are booked.
    pub(super) fn pairs(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        for white in self.games.values().filter(|game| game.dev_white) {
            if let Some(black) = self.games.get(&(white.opening, false)) {
                counts.add(usize::from(white.half_points + black.half_points));
            }
        }
        counts
    }

    /// The games that are missing beside a booked one: opening, and the color that DEV has in the missing game.
    pub(super) fn halves(&self) -> Vec<(u32, bool)> {
        let lonely =
            |&&(opening, white): &&(u32, bool)| !self.games.contains_key(&(opening, !white));
        self.games.keys().filter(lonely).map(|&(opening, white)| (opening, !white)).collect()
    }

    /// First opening after all that were played.
    pub(super) fn next_opening(&self) -> u32 {
        self.games.keys().next_back().map_or(1, |&(opening, _)| opening + 1)
    }

    /// Wins, losses and draws of DEV.
    pub(super) fn tally(&self) -> [u32; 3] {
        let count =
            |points| self.games.values().filter(|game| game.half_points == points).count() as u32;
        [count(2), count(0), count(1)]
    }

    /// Games lost on time, by DEV and by BASE.
    pub(super) fn time_losses(&self) -> [u32; 2] {
        let count =
            |dev| self.games.values().filter(|game| game.flagged_dev() == Some(dev)).count();
        [count(true) as u32, count(false) as u32]
    }
}

#[cfg(test)]
mod tests {
    use super::{FILE, GameResult, Ledger};

    fn game(opening: u32, dev_white: bool, half_points: u8) -> GameResult {
        GameResult { opening, dev_white, half_points, reason: "White loses on time".to_owned() }
    }

    #[test]
    fn a_game_is_booked_at_once_and_a_torn_line_is_cut() {
        let folder = std::env::temp_dir().join(format!("umbrail-ledger-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut ledger = Ledger::open(&folder).unwrap();
        for game in [game(1, true, 2), game(1, false, 1), game(2, false, 0)] {
            ledger.book(game).unwrap();
        }
        let path = folder.join(FILE);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [whole.as_slice(), b"3 white 2 Whi"].concat()).unwrap();
        let mut again = Ledger::open(&folder).unwrap();
        assert_eq!(again.games().count(), 3);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        assert_eq!(again.pairs().0, [0, 0, 0, 1, 0]);
        assert_eq!((again.halves(), again.next_opening()), (vec![(2, true)], 3));
        assert_eq!((again.tally(), again.time_losses()), ([1, 1, 1], [1, 2]));
        again.book(game(2, true, 2)).unwrap();
        again.book(game(2, true, 0)).unwrap();
        assert_eq!((again.pairs().0, again.halves()), ([0, 0, 1, 1, 0], vec![]));
        std::fs::write(&path, "1 white 2 mate\nrubbish\n").unwrap();
        let why = Ledger::open(&folder).unwrap_err();
        assert!(why.contains("games.txt:2") && why.contains("rubbish"), "{why}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
