//! Endgame tables in the Syzygy format (Ronald de Man, 2013), read by the `shakmaty-syzygy`
//! package.
//!
//! Below the root a position is probed for win, draw or loss, and only if its last move was a
//! capture or a pawn move, because the tables do not take the fifty-move counter into account. At
//! the root the distance to the next such move selects the moves, so that a win always makes
//! progress.

use super::error::SourceError;
use super::foreign;
use shakmaty::Chess;
use shakmaty_syzygy::{Dtz, Tablebase, Wdl};
use umbrail_chess::{Move, Position};

/// Open tables.
pub(crate) struct Tables {
    tables: Tablebase<Chess>,
    pieces: u32,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tables({} men)", self.pieces)
    }
}

/// Result of a position with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TableVerdict {
    Loss,
    /// Loss that the fifty-move rule turns into a draw.
    SavedLoss,
    Draw,
    /// Win that the fifty-move rule turns into a draw.
    SpoiledWin,
    Win,
}

impl From<Wdl> for TableVerdict {
    fn from(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Loss => Self::Loss,
            Wdl::BlessedLoss => Self::SavedLoss,
            Wdl::Draw => Self::Draw,
            Wdl::CursedWin => Self::SpoiledWin,
            Wdl::Win => Self::Win,
        }
    }
}

impl Tables {
    /// Opens all tables in a list of folders with the path separator of the operating system.
    ///
    /// # Errors
    /// [`SourceError`] if a folder cannot be read or no folder has a table.
    pub(crate) fn open(folders: &str) -> Result<Self, SourceError> {
        let mut tables = Tablebase::new();
        let mut found = 0;
        for folder in std::env::split_paths(folders) {
            found += tables.add_directory(&folder).map_err(|error| SourceError::Unreadable {
                option: "SyzygyPath",
                path: folder.display().to_string(),
                error,
            })?;
        }
        if found == 0 {
            return Err(SourceError::Format {
                option: "SyzygyPath",
                path: folders.to_owned(),
                reason: "expected .rtbw and .rtbz files, found none".to_owned(),
            });
        }
        let pieces = tables.max_pieces() as u32;
        Ok(Self { tables, pieces })
    }

    /// Returns the largest number of pieces of any table.
    pub(crate) fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the result of a position whose last move was a capture or a pawn move.
    pub(crate) fn verdict(&self, position: &Position) -> Option<TableVerdict> {
        if position.halfmoves() > 0 || may_castle(position) {
            return None;
        }
        let foreign = foreign::position(position)?;
        Some(self.tables.probe_wdl_after_zeroing(&foreign).ok()?.into())
    }

    /// Returns the root moves that keep the result of the position, with that result: the fastest
    /// wins, or the longest losses. None if any move is missing from the tables.
    pub(crate) fn best_moves(
        &self,
        position: &Position,
        moves: &[Move],
        fifty: bool,
    ) -> Option<(Vec<Move>, TableVerdict)> {
        if may_castle(position) || position.occupied().len() > self.pieces {
            return None;
        }
        let ranked: Option<Vec<(i32, Move)>> = (moves.iter())
            .map(|&mv| Some((rank(self.distance(position, mv)?, position.halfmoves(), fifty), mv)))
            .collect();
        let ranked = ranked?;
        let best = ranked.iter().map(|&(rank, _)| rank).max()?;
        let kept = ranked.into_iter().filter(|&(rank, _)| rank == best).map(|(_, mv)| mv);
        let verdict = match best {
            WON.. => TableVerdict::Win,
            1.. => TableVerdict::SpoiledWin,
            0 => TableVerdict::Draw,
            _ if best <= -WON => TableVerdict::Loss,
            _ => TableVerdict::SavedLoss,
        };
        Some((kept.collect(), verdict))
    }

    /// Returns the plies from the root position over this move to the next capture or pawn move of
    /// the winner; negative if the other side wins, 0 for a draw.
    fn distance(&self, position: &Position, mv: Move) -> Option<i32> {
        let next = position.after(mv);
        if next.is_mate() {
            return Some(1);
        }
        let foreign = foreign::position(&next)?;
        if next.halfmoves() == 0 {
            let wdl = self.tables.probe_wdl_after_zeroing(&foreign).ok()?;
            return Some(-Dtz::before_zeroing(wdl).0);
        }
        let Dtz(plies) = self.tables.probe_dtz(&foreign).ok()?.ignore_rounding();
        Some(-plies - plies.signum())
    }
}

fn may_castle(position: &Position) -> bool {
    use umbrail_chess::geometry::Color;
    Color::ALL.into_iter().any(|color| {
        [false, true].into_iter().any(|side| position.castling_rook(color, side).is_some())
    })
}

/// Lowest rank of wins that the fifty-move rule does not affect.
const WON: i32 = 10_000;

/// Returns the rank of a move by its distance: wins before spoiled wins before draws before saved
/// losses before losses; short wins and long losses first.
fn rank(distance: i32, halfmoves: u16, fifty: bool) -> i32 {
    let used = i32::from(halfmoves);
    let in_time = !fifty || distance.abs() + used <= 100;
    match distance {
        0 => 0,
        1.. if in_time => 2 * WON - distance,
        1.. => WON - 1_000 - distance,
        _ if in_time => -2 * WON - distance,
        _ => -WON + 1_000 - distance,
    }
}

#[cfg(test)]
mod tests {
    use super::{TableVerdict, Tables, rank};
    use umbrail_chess::geometry::Setup;
    use umbrail_chess::{Position, to_uci};

    fn position(fen: &str) -> Position {
        Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap()
    }

    fn tables() -> Tables {
        Tables::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/syzygy")).unwrap()
    }

    #[test]
    fn verdicts_are_those_of_the_tables() {
        for (fen, verdict) in [
            ("8/8/8/8/8/2k5/4P3/K7 b - - 0 1", TableVerdict::Draw),
            ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", TableVerdict::Draw),
            ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", TableVerdict::Loss),
            ("8/8/8/8/8/2k5/8/K6R w - - 0 1", TableVerdict::Win),
        ] {
            assert_eq!(tables().verdict(&position(fen)), Some(verdict), "{fen}");
        }
        let later = position("8/8/8/8/8/2k5/8/K6R w - - 3 9");
        assert_eq!(tables().verdict(&later), None, "the counter runs");
    }

    #[test]
    fn the_root_keeps_a_win_and_nothing_else() {
        // Every move keeps the win; some lose time.
        let position = position("4k3/8/4K3/8/4P3/8/8/8 w - - 0 1");
        let moves: Vec<_> = position.legal_moves().into_iter().collect();
        let (kept, verdict) = tables().best_moves(&position, &moves, true).unwrap();
        assert_eq!(verdict, TableVerdict::Win);
        let kept: Vec<_> = kept.iter().map(|&mv| to_uci(&position, mv, false)).collect();
        assert!(!kept.is_empty() && kept.len() < moves.len(), "{kept:?}");
    }

    #[test]
    fn ranks_go_from_short_wins_to_short_losses() {
        let order = [(1, 0), (9, 0), (80, 40), (101, 0), (0, 9), (-90, 40), (-101, 0), (-9, 0)];
        let ranks = order.map(|(distance, halfmoves)| rank(distance, halfmoves, true));
        assert!(ranks[0] > ranks[1] && ranks[1] > ranks[2] && ranks[2] > ranks[4]);
        assert!(ranks[3] > ranks[4] && ranks[4] > ranks[5] && ranks[5] > ranks[7]);
        assert!(rank(80, 40, false) > rank(80, 40, true), "without the rule it is a win");
    }

    #[test]
    fn folders_without_tables_are_named() {
        assert!(Tables::open("no/such/folder").unwrap_err().to_string().contains("no/such/folder"));
        assert!(Tables::open(env!("CARGO_MANIFEST_DIR")).unwrap_err().to_string().contains("rtbw"));
    }
}
