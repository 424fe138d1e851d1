//! The builder's work on a job's thread: the table for play, opened or built, then what EGTgen says
//! about it.

use crate::geometry::Color;
use crate::session::egt::{self, Cabinet, Failure, Kit, Row};
use crate::session::errand::{Domain, Ending, Kind, News};
use crate::session::job::{Stage, Status};
use crate::tables::{Board, Material, Table, egtgen};

/// Bytes of unpacked blocks that an opened table may keep.
const CACHE_BYTES: usize = 64 << 20;

/// Opens or builds the table, and puts it into the cabinet.
pub(super) fn build(
    kit: &Kit,
    material: &Material,
    cabinet: &Cabinet,
    rep2: bool,
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
            Some(table) => table,
            None => match egt::build(kit, material, stage, &tell) {
                Ok(table) => table,
                Err(Failure { status, why }) => return end(status, &why),
            },
        };
        for text in hardest(&mut table) {
            tell(Row { time: stage.clock.elapsed(), settled: 1, text });
        }
        cabinet.put(table, kit.is_seeded());
    }
    if rep2 {
        let written = egt::rep2(material, kit, stage)
            .is_ok_and(|text| std::fs::write("rep2.txt", text).is_ok());
        if !written && !stage.cancel.is_raised() {
            tracing::warn!("rep2.txt cannot be written");
        }
    }
    end(Status::Complete, "")
}

/// The table from the files of the folder, read block by block.
fn opened(kit: &Kit, material: &Material) -> Option<Table> {
    let folder = kit.folder.as_deref().filter(|_| !kit.is_seeded())?;
    let mut table = Table::empty(material, &kit.rules, &kit.armoury).ok()?;
    table.load(folder, false, CACHE_BYTES).ok()?;
    Some(table)
}

/// EGTgen's "maximin" positions, the longest wins with either side to move, by octal index.
fn hardest(table: &mut Table) -> Vec<String> {
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
pub(super) fn warm(board: Option<&Board>, kit: &Kit, cabinet: &Cabinet) {
    if let Some(board) = board.filter(|board| !board.rights.is_empty())
        && let Some(entry) = cabinet.holding(board, kit)
    {
        // Whether there is a value is seen when the answer is wanted.
        let _ = entry.table().moves(board);
    }
}
