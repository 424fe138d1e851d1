//! What is done with whole tables: build, count, save, check, compare.

use super::super::errand::{Domain, Ending, Errand, Kind, News, Surroundings, Value, Work};
use super::super::job::{Stage, Status};
use super::super::results::write_result;
use super::build::{Failure, Row, Site, build, build_into_folder, count, count_each, save};
use super::cabinet::{Cabinet, Entry};
use super::kit::{Kit, ReadText};
use super::{ended, failed, subject, tell};
use crate::geometry::Color;
use crate::geometry::Setup;
use crate::tables::{
    Compression, FairyBoard, Material, Metric, Rules, Stalemate, Statistics, SyzygyError,
    Tablebase, egtgen, survey,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Rows are told this often at most.
const ROW_GAP: Duration = Duration::from_millis(500);
/// A survey of more endgames than this is refused.
const SURVEY_MAX: usize = 10_000;
/// A line of best play ends after so many plies.
const LINE_PLIES: usize = 2000;

type Outcome = Result<Ending, Failure>;

pub(super) fn prepare(
    errand: &Errand,
    around: &Surroundings,
    kit: Kit,
    cabinet: Cabinet,
    read: ReadText<'_>,
) -> Result<Work, String> {
    let verb = errand.verb;
    if verb == "survey" {
        let letters: Vec<char> = errand.key("letters").unwrap_or("QRBN").chars().collect();
        let names = survey::expand(subject(errand, 0)?, &letters, SURVEY_MAX)
            .map_err(|error| error.to_string())?;
        let mut materials: Vec<Material> = Vec::new();
        for name in &names {
            let material = kit.material(name)?;
            // K?? gives KQR and KRQ, which are one endgame.
            if materials.iter().all(|known| known.canonical() != material.canonical()) {
                materials.push(material);
            }
        }
        return Ok(run(move |stage| survey(&materials, &kit, &cabinet, stage)));
    }
    let endgame = around.options.tables.endgame.as_str();
    let name = match subject(errand, 0) {
        Err(_) if !endgame.is_empty() => endgame,
        other => other?,
    };
    let material = kit.material(name)?;
    kit.seeds(&material, read)?;
    let number = |key: &str| match errand.key(key).map(str::parse::<usize>) {
        None => Ok(1),
        Some(Ok(number)) if number > 0 => Ok(number),
        _ => Err(format!("{key} wants a number from 1")),
    };
    match verb {
        "build" => Ok(run(move |stage| {
            let (entry, statistics) = built(&material, &kit, &cabinet, stage)?;
            let mut done = ended(1).with("endgame", entry.name.as_str());
            if let Some(statistics) = statistics {
                for color in Color::ALL {
                    let key = if color.is_white() { "white" } else { "black" };
                    done = done.with(key, statistics.max_win(color) as u64);
                }
            }
            Ok(complete(done))
        })),
        "stats" => {
            let csv = errand.key("csv").map(PathBuf::from);
            Ok(run(move |stage| {
                let statistics = statistics(&material, &kit, &cabinet, stage)?;
                if let Some(file) = csv {
                    write_result(&file, statistics.to_csv().as_bytes())
                        .map_err(Failure::refused)?;
                }
                stage.news(tell::statistics(&statistics));
                let mut done = ended(1);
                done.record = None;
                Ok(complete(done))
            }))
        }
        "save" | "load" => {
            let folder = PathBuf::from(subject(errand, 1)?);
            let effort = match errand.key("effort") {
                None | Some("work") => Compression::Working,
                Some("ship") => Compression::Shipping,
                Some(other) => return Err(format!("effort wants work or ship, got \"{other}\"")),
            };
            Ok(run(move |stage| {
                if verb == "load" {
                    load(&material, &kit, &cabinet, &folder)
                } else {
                    let saved = match kept(&material, &kit, &cabinet) {
                        Some(entry) => {
                            let saved = stage.pool.install(|| entry.table().save(&folder, effort));
                            saved.map_err(|error| Failure::refused(error.to_string()))?
                        }
                        None => {
                            let tell = rows(stage);
                            let site = Site { stage, cabinet: &cabinet, tell: &tell };
                            save(&kit, &material, (&folder, effort), site)?
                        }
                    };
                    for (name, bytes) in &saved {
                        stage
                            .news(tell::result().with("file", name.as_str()).with("bytes", *bytes));
                    }
                    Ok(complete(ended(saved.len() as u64)))
                }
            }))
        }
        "verify" => {
            let stride = number("stride")?;
            let syzygy = errand.key("syzygy").map(PathBuf::from);
            Ok(run(move |stage| {
                verify(&material, &kit, &cabinet, stride, syzygy.as_deref(), stage)
            }))
        }
        "compare" => {
            let other = match errand.subject.get(1) {
                Some(name) => kit.material(name)?,
                None => material.clone(),
            };
            let mut usual = kit.clone();
            if errand.subject.len() < 2 {
                usual.rules = Rules::orthodox(kit.rules.metric);
                if usual.rules == kit.rules {
                    return Err(
                        "compare wants a second endgame, or rules such as null 1".to_owned()
                    );
                }
            }
            Ok(run(move |stage| {
                let one = statistics(&material, &kit, &cabinet, stage)?;
                let mut two = statistics(&other, &usual, &cabinet, stage)?;
                if usual.rules != kit.rules {
                    two.material.push_str(" by the usual rules");
                }
                let lines = survey::compare(&one, &two);
                for line in &lines {
                    stage.news(tell::result().with("difference", line.as_str()));
                }
                Ok(complete(ended(lines.len() as u64)))
            }))
        }
        "listing" => {
            let board = listed_board(errand, around, &kit, &material)?;
            let mut kit = kit;
            if errand.key("metric").is_none() {
                kit.rules.metric = Metric::Level;
            }
            Ok(run(move |stage| listing(&material, &board, &kit, &cabinet, stage)))
        }
        "maximin" => Ok(run(move |stage| maximin(&material, &kit, &cabinet, stage))),
        "report" => {
            let file = errand.key("html").map(PathBuf::from);
            Ok(run(move |stage| report(&material, &kit, &cabinet, file, stage)))
        }
        "rep2" => Ok(run(move |stage| {
            let site = Site { stage, cabinet: &cabinet, tell: &|_| {} };
            let text = rep2(&material, &kit, site)?;
            let mut news = tell::result();
            news.page = text.lines().map(str::to_owned).collect();
            news.data = vec![("rep2", text.as_str().into())];
            stage.news(news);
            Ok(complete(ended(1)))
        })),
        _ => Err(format!("{verb} cannot be done here")),
    }
}

fn run(work: impl FnOnce(&Stage<'_>) -> Outcome + Send + 'static) -> Work {
    Box::new(move |stage| work(stage).unwrap_or_else(|failure| failed(stage, &failure)))
}

fn complete(done: News) -> Ending {
    Ending { done, status: Status::Complete }
}

/// The table of a material, built when it is not there yet.
fn entry(
    material: &Material,
    kit: &Kit,
    cabinet: &Cabinet,
    stage: &Stage<'_>,
) -> Result<Arc<Entry>, Failure> {
    if let Some(entry) = kept(material, kit, cabinet) {
        return Ok(entry);
    }
    let tell = rows(stage);
    Ok(cabinet.put(build(kit, material, Site { stage, cabinet, tell: &tell })?, kit.is_seeded()))
}

/// The table of a material and its statistics: in memory, or in the files of the folder for kept tables.
fn built(
    material: &Material,
    kit: &Kit,
    cabinet: &Cabinet,
    stage: &Stage<'_>,
) -> Result<(Arc<Entry>, Option<Statistics>), Failure> {
    let (Some(folder), None) = (kit.files(), kept(material, kit, cabinet)) else {
        let entry = entry(material, kit, cabinet, stage)?;
        let statistics = entry.table().statistics();
        return Ok((entry, statistics));
    };
    let tell = rows(stage);
    let site = Site { stage, cabinet, tell: &tell };
    let (table, statistics) = build_into_folder(kit, material, folder, site)?;
    Ok((cabinet.put(table, false), statistics))
}

/// The table of a material, if it is kept in memory.
fn kept(material: &Material, kit: &Kit, cabinet: &Cabinet) -> Option<Arc<Entry>> {
    // Of a table that is read from its files there are no statistics.
    cabinet.named(&material.to_string(), kit).filter(|entry| entry.table().is_in_memory())
}

/// Tells a row now and then.
fn rows<'a>(stage: &'a Stage<'_>) -> impl Fn(Row) + Sync + 'a {
    let last = Mutex::new(Duration::ZERO);
    move |row: Row| {
        let Ok(mut last) = last.lock() else { return };
        if row.time < *last + ROW_GAP {
            return;
        }
        *last = row.time;
        let ms = u64::try_from(row.time.as_millis()).unwrap_or(u64::MAX);
        let news = News::new(Domain::Egt, Kind::Progress);
        stage.news(news.with("time", ms).with("nodes", row.settled).saying(row.text));
    }
}

/// The statistics of a material: of its table when that is kept, else of one that is let go at once.
fn statistics(
    material: &Material,
    kit: &Kit,
    cabinet: &Cabinet,
    stage: &Stage<'_>,
) -> Result<Statistics, Failure> {
    let named = cabinet.named(&material.to_string(), kit);
    let statistics = match named.filter(|entry| entry.table().is_in_memory()) {
        Some(entry) => entry.table().statistics(),
        None => {
            let tell = rows(stage);
            count(kit, material, Site { stage, cabinet, tell: &tell })?.statistics()
        }
    };
    statistics.ok_or_else(|| Failure::refused(format!("{material} has no statistics")))
}

fn load(material: &Material, kit: &Kit, cabinet: &Cabinet, folder: &std::path::Path) -> Outcome {
    let refused = |why: String| Failure::refused(why);
    let mut table = Tablebase::empty(material, &kit.rules, &kit.piece_set)
        .map_err(|error| refused(error.to_string()))?;
    table.load(folder, true, 0).map_err(|error| refused(error.to_string()))?;
    let entry = cabinet.put(table, false);
    Ok(complete(ended(1).with("endgame", entry.name.as_str())))
}

fn verify(
    material: &Material,
    kit: &Kit,
    cabinet: &Cabinet,
    stride: usize,
    syzygy: Option<&std::path::Path>,
    stage: &Stage<'_>,
) -> Outcome {
    let entry = entry(material, kit, cabinet, stage)?;
    let tell = |()| {};
    let control = stage.control(&tell);
    let verdict = match syzygy {
        Some(folder) => match entry.table().verify_with_syzygy(folder, stride, &control) {
            Err(SyzygyError::Stopped) => None,
            Err(error) => return Err(Failure::refused(error.to_string())),
            Ok(verdict) => Some(verdict),
        },
        None => entry.table().verify(stride, &control).ok(),
    };
    let Some(verdict) = verdict else {
        return Ok(Ending { done: ended(0), status: Status::Stopped });
    };
    for fault in &verdict.faults {
        stage.news(tell::result().with("fault", fault.as_str()));
    }
    let done = ended(verdict.fault_count).with("checked", verdict.checked);
    let status = if verdict.fault_count == 0 { Status::Complete } else { Status::NotAsRequired };
    Ok(Ending { done, status })
}

/// The board that shall be listed: by octal index, as FEN, or that on the desk.
fn listed_board(
    errand: &Errand,
    around: &Surroundings,
    kit: &Kit,
    material: &Material,
) -> Result<FairyBoard, String> {
    if let Some(text) = errand.key("index") {
        let board = u64::from_str_radix(text, 8).ok().and_then(|i| egtgen::board(i, material));
        let wants = format!("index wants two octal digits for each man of {material}");
        return board.ok_or_else(|| format!("{wants}, got \"{text}\""));
    }
    let setup: Setup = match errand.key("fen") {
        Some(fen) => fen.parse().map_err(|error| format!("{error}"))?,
        None => around.desk.setup(),
    };
    FairyBoard::read(&setup, &kit.piece_set, kit.royals(Some(material)))
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

fn listing(
    material: &Material,
    board: &FairyBoard,
    kit: &Kit,
    cabinet: &Cabinet,
    stage: &Stage<'_>,
) -> Outcome {
    let entry = entry(material, kit, cabinet, stage)?;
    let listing = entry.table().listing(board);
    let listing = listing.map_err(|error| Failure::refused(error.to_string()))?;
    let mut news = tell::result();
    news.page = listing.to_string().lines().map(str::to_owned).collect();
    news.data = vec![("listing", listing.to_string().as_str().into())];
    stage.news(news);
    Ok(complete(ended(listing.moves.len() as u64)))
}

fn maximin(material: &Material, kit: &Kit, cabinet: &Cabinet, stage: &Stage<'_>) -> Outcome {
    let entry = entry(material, kit, cabinet, stage)?;
    let mut table = entry.table();
    let refused = |error: crate::tables::ProbeError| Failure::refused(error.to_string());
    let mut count = 0;
    for winner in Color::ALL {
        for winner_moves in [true, false] {
            for board in table.hardest(winner, winner_moves, 1) {
                let value = table.value(&board).map_err(refused)?;
                let line = table.line(&board, LINE_PLIES).map_err(refused)?;
                let moves: Vec<_> = line.iter().map(ToString::to_string).collect();
                let (side, plies) = (winner.to_string(), value.signed_plies().unwrap_or(0));
                let mut news = tell::result()
                    .with("winner", side.as_str())
                    .with("fen", board.to_fen().as_str())
                    .with("plies", Value::Number(plies.abs()));
                if let Some(index) = egtgen::index(&board, material) {
                    news = news.with("octal", format!("{index:o}").as_str());
                }
                let text = moves.join(" ");
                news.data = vec![("line", text.as_str().into())];
                stage.news(news.saying(text));
                count += 1;
            }
        }
    }
    Ok(complete(ended(count)))
}

fn survey(materials: &[Material], kit: &Kit, cabinet: &Cabinet, stage: &Stage<'_>) -> Outcome {
    let mut heading = tell::result();
    heading.page = vec![survey::HEADING.to_owned()];
    let mut first = Some(heading);
    let site = Site { stage, cabinet, tell: &|_| {} };
    count_each(kit, materials, site, &mut |statistics| {
        let mut news = tell::statistics(statistics);
        news.page = first.take().map_or_else(Vec::new, |heading| heading.page);
        news.page.push(survey::row(statistics));
        stage.news(news);
    })?;
    Ok(complete(ended(materials.len() as u64)))
}

fn report(
    material: &Material,
    kit: &Kit,
    cabinet: &Cabinet,
    file: Option<PathBuf>,
    stage: &Stage<'_>,
) -> Outcome {
    let Some(file) = file else {
        let statistics = statistics(material, kit, cabinet, stage)?;
        stage.news(tell::statistics(&statistics));
        return Ok(complete(ended(1)));
    };
    let entry = entry(material, kit, cabinet, stage)?;
    let page = entry.table().report_html();
    let page = page.map_err(|error| Failure::refused(error.to_string()))?.unwrap_or_default();
    let shown = file.display().to_string();
    write_result(&file, page.as_bytes()).map_err(Failure::refused)?;
    Ok(complete(ended(1).with("file", shown.as_str())))
}

/// EGTgen's report, which counts in its own way.
pub(in super::super) fn rep2(
    material: &Material,
    kit: &Kit,
    site: Site<'_>,
) -> Result<String, Failure> {
    let mut kit = kit.clone();
    let metric = if kit.rules.metric == Metric::Dtm { Metric::Dtm } else { Metric::Level };
    let stalemate_wins = kit.rules.stalemate == Stalemate::Win;
    // A table from a file has no list of its stalemates.
    kit.folder = None;
    kit.rules = Rules::egtgen(metric, kit.rules.null_move, stalemate_wins);
    let mut table = build(&kit, material, site)?;
    table.rep2().ok_or_else(|| Failure::refused(format!("{material} has no statistics")))
}
