//! The builder's work on a job's thread: opens or builds the table for play, then writes EGTgen's
//! report on it.

use super::{BuildContext, Failure};
use crate::results::write_result;
use std::path::Path;
use umbrail_chess::geometry::Color;
use umbrail_session::Work;
use umbrail_session::build_progress::{BuildProgress, BuildRow};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::{JobContext, JobReport};
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::status::Status;
use umbrail_session::table_store::{TableCache, TableConfig, TableRequest};
use umbrail_tables::{FairyBoard, Material, Tablebase, egtgen};

/// Returns the work of [`table`].
pub(super) fn work(request: TableRequest) -> Work {
    Box::new(move |job| table(&request, job))
}

/// Opens or builds the table, and puts it into the cache. Counting for `rep2.txt` comes last.
fn table(request: &TableRequest, job: &JobContext<'_>) -> Completion {
    let TableRequest { config, material, cache, board, rep2, pieces } = request;
    let notify = |row: BuildRow| (job.notify)(JobReport::Table(BuildProgress::Row(row)));
    let end = |status, why: &str| Completion {
        done: Message::new(Domain::Egt, Kind::Done).printing(why),
        status,
    };
    if cache.named(&material.to_string(), config).is_none() {
        if let Some(text) = pieces {
            notify(BuildRow { time: job.clock.elapsed(), settled: 1, text: text.clone() });
        }
        let damage = cache.damage(&material.to_string(), config);
        if let Some(why) = &damage {
            let text = format!("{why}; {material} is built");
            notify(BuildRow { time: job.clock.elapsed(), settled: 1, text });
        }
        let kept = if damage.is_some() { None } else { opened(config, material) };
        let mut table = match kept {
            Some((table, folder)) => {
                let text = format!("{material} is read from {}", folder.display());
                notify(BuildRow { time: job.clock.elapsed(), settled: 1, text });
                table
            }
            None => match built(config, material, BuildContext { job, cache, notify: &notify }) {
                Ok(table) => table,
                Err(Failure { status, why }) => return end(status, &why),
            },
        };
        for text in hardest(&mut table) {
            notify(BuildRow { time: job.clock.elapsed(), settled: 1, text });
        }
        cache.put(table, config.is_seeded());
    }
    warm(board.as_ref(), config, cache);
    (job.notify)(JobReport::Table(BuildProgress::Ready));
    if *rep2 {
        let site = BuildContext { job, cache, notify: &|_| {} };
        let written = super::rep2(material, config, site).and_then(|text| {
            let written = write_result(Path::new("rep2.txt"), text.as_bytes());
            written.map_err(Failure::refused)
        });
        if let Err(Failure { status, why }) = written {
            return end(status, &why);
        }
    }
    end(Status::Complete, "")
}

/// Returns the table from the files of the folder, and the folder.
fn opened<'a>(config: &'a TableConfig, material: &Material) -> Option<(Tablebase, &'a Path)> {
    let folder = config.files()?;
    Some((super::open(config, material, folder).ok()?, folder))
}

/// Builds the table in memory, or in the files of the folder if memory does not suffice.
fn built(
    config: &TableConfig,
    material: &Material,
    site: BuildContext<'_>,
) -> Result<Tablebase, Failure> {
    match (super::build(config, material, site), config.files()) {
        (Err(Failure { status: Status::Refused, .. }), Some(folder)) => {
            super::build_into_folder(config, material, folder, site).map(|(table, _)| table)
        }
        (built, _) => built,
    }
}

/// Returns EGTgen's "maximin" positions, the longest wins with either side to move, by octal index.
fn hardest(table: &mut Tablebase) -> Vec<String> {
    let mut rows = vec![];
    for winner_moves in [true, false] {
        for board in table.hardest(Color::White, winner_moves, 1) {
            let plies = table.value(&board).ok().and_then(|v| v.signed_plies()).unwrap_or(0);
            if let Some(index) = egtgen::index(&board, table.material()) {
                let plies = plies.unsigned_abs();
                let unit = egtgen::unit(table.rules().metric);
                rows.push(format!("maximin\t{index:o}\t{plies} plies{unit}\t{}", board.to_fen()));
            }
        }
    }
    rows
}

/// Looks a board up once, so that the extra table for its castling rights exists when it is needed.
fn warm(board: Option<&FairyBoard>, config: &TableConfig, cache: &TableCache) {
    if let Some(board) = board.filter(|board| !board.rights.is_empty())
        && let Some(entry) = cache.holding(board, config)
    {
        // An error is reported when the value is needed.
        let _ = entry.table().moves(board);
    }
}
