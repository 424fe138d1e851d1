//! The builder's work on a job's thread: the table for play, opened or built, then what EGTgen says
//! about it.

use crate::geometry::Color;
use crate::session::egt::{self, Cabinet, Failure, Kit, Row, Site};
use crate::session::errand::{Domain, Ending, Kind, News};
use crate::session::job::{Stage, Status};
use crate::session::results::write_result;
use crate::tables::{FairyBoard, Material, Tablebase, egtgen};
use std::path::Path;

/// The word of the news that the table can be asked, though the job has not ended.
pub(super) const READY: &str = "ready";

/// Opens or builds the table, and puts it into the cabinet; `board` is looked up first, so that nobody waits
/// for the extra table of its castling rights. Counting for `rep2.txt` comes last.
pub(super) fn build(
    kit: &Kit,
    material: &Material,
    cabinet: &Cabinet,
    (board, rep2): (Option<&FairyBoard>, bool),
    stage: &Stage<'_>,
) -> Ending {
    let tell = |row: Row| {
        let ms = u64::try_from(row.time.as_millis()).unwrap_or(u64::MAX);
        let news = News::new(Domain::Egt, Kind::Progress);
        stage.news(news.with("time", ms).with("nodes", row.settled).saying(row.text));
    };
    let end =
        |status, why: &str| Ending { done: News::new(Domain::Egt, Kind::Done).saying(why), status };
    if cabinet.named(&material.to_string(), kit).is_none() {
        let mut table = match opened(kit, material) {
            Some((table, folder)) => {
                let text = format!("{material} is read from {}", folder.display());
                tell(Row { time: stage.clock.elapsed(), settled: 1, text });
                table
            }
            None => match built(kit, material, Site { stage, cabinet, tell: &tell }) {
                Ok(table) => table,
                Err(Failure { status, why }) => return end(status, &why),
            },
        };
        for text in hardest(&mut table) {
            tell(Row { time: stage.clock.elapsed(), settled: 1, text });
        }
        cabinet.put(table, kit.is_seeded());
    }
    warm(board, kit, cabinet);
    stage.news(News::new(Domain::Egt, Kind::Progress).with(READY, 1));
    if rep2 {
        let site = Site { stage, cabinet, tell: &|_| {} };
        let written = egt::rep2(material, kit, site)
            .is_ok_and(|text| write_result(Path::new("rep2.txt"), text.as_bytes()).is_ok());
        if !written && !stage.cancel.is_raised() {
            tracing::warn!("rep2.txt cannot be written");
        }
    }
    end(Status::Complete, "")
}

/// The table from the files of the folder, and the folder.
fn opened<'a>(kit: &'a Kit, material: &Material) -> Option<(Tablebase, &'a Path)> {
    let folder = kit.files()?;
    Some((egt::open(kit, material, folder).ok()?, folder))
}

/// The table in memory; where that does not do, in the files of the folder.
fn built(kit: &Kit, material: &Material, site: Site<'_>) -> Result<Tablebase, Failure> {
    match (egt::build(kit, material, site), kit.files()) {
        (Err(Failure { status: Status::Refused, .. }), Some(folder)) => {
            egt::build_into_folder(kit, material, folder, site).map(|(table, _)| table)
        }
        (built, _) => built,
    }
}

/// EGTgen's "maximin" positions, the longest wins with either side to move, by octal index.
fn hardest(table: &mut Tablebase) -> Vec<String> {
    let mut rows = vec![];
    for winner_moves in [true, false] {
        for board in table.hardest(Color::White, winner_moves, 1) {
            let plies = table.value(&board).ok().and_then(|v| v.signed_plies()).unwrap_or(0);
            if let Some(index) = egtgen::index(&board, table.material()) {
                let plies = plies.unsigned_abs();
                rows.push(format!("maximin\t{index:o}\t{plies} plies\t{}", board.to_fen()));
            }
        }
    }
    rows
}

/// Looks a board up once, so that the extra table of its castling rights is there when it is asked for.
fn warm(board: Option<&FairyBoard>, kit: &Kit, cabinet: &Cabinet) {
    if let Some(board) = board.filter(|board| !board.rights.is_empty())
        && let Some(entry) = cabinet.holding(board, kit)
    {
        // Whether there is a value is seen when the answer is wanted.
        let _ = entry.table().moves(board);
    }
}
