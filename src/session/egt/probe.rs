//! `egt probe`: the value of one position and of its moves, or of every line of a text.

use super::super::errand::{Domain, Ending, Errand, Kind, News, Surroundings, Value, Work};
use super::super::job::{Stage, Status};
use super::build::{Failure, Site, build, build_also};
use super::cabinet::Cabinet;
use super::kept::{open, tell as tell_kept};
use super::kit::Kit;
use super::{ended, failed, tell};
use crate::geometry::Setup;
use crate::tables::{
    BuildOptions, BuildRequest, FairyBoard, Material, Metric, TableValue as Worth, Tablebase,
};

pub(super) fn prepare(
    errand: &Errand,
    around: &Surroundings,
    kit: Kit,
    cabinet: Cabinet,
) -> Result<Work, String> {
    let fen = errand.key("fen");
    if let (None, Some(text)) = (fen, errand.text.clone()) {
        return Ok(Box::new(move |stage| batch(&text, &kit, stage)));
    }
    let setup: Setup = match fen {
        Some(fen) => fen.parse().map_err(|error| format!("{error}"))?,
        None => around.desk.setup(),
    };
    let endgame = around.options.tables.endgame.as_str();
    let endgame = if endgame.is_empty() { None } else { Some(kit.material(endgame)?) };
    let board = read(&setup, &kit, endgame.as_ref())?;
    let halfmoves = setup.halfmoves.into();
    Ok(Box::new(move |stage| one(&board, halfmoves, &kit, &cabinet, stage)))
}

fn read(setup: &Setup, kit: &Kit, endgame: Option<&Material>) -> Result<FairyBoard, String> {
    FairyBoard::read(setup, &kit.piece_set, kit.royals(endgame))
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

/// One position with all its moves; its table is built and kept when there is none.
fn one(
    board: &FairyBoard,
    halfmoves: usize,
    kit: &Kit,
    cabinet: &Cabinet,
    stage: &Stage<'_>,
) -> Ending {
    let entry = match cabinet.holding(board, kit) {
        Some(entry) => entry,
        None => match opened_or_built(&Tablebase::material_of(board), kit, cabinet, stage) {
            Ok(table) => cabinet.put(table, kit.is_seeded()),
            Err(failure) => return failed(stage, &failure),
        },
    };
    let table = entry.table();
    let (value, moves, best) = match (table.value(board), table.moves(board), table.best(board)) {
        (Ok(value), Ok(moves), Ok(best)) => (value, moves, best.map(|choice| choice.mv)),
        (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => {
            return failed(stage, &Failure::refused(error.to_string()));
        }
    };
    for choice in &moves {
        let is_best = best.as_ref() == Some(&choice.mv);
        stage.news(tell::a_move(choice, kit.rules.metric, is_best));
    }
    let plies = value.signed_plies().map_or(Value::Null, Value::Number);
    let mut done = ended(moves.len() as u64)
        .with("fen", board.to_fen().as_str())
        .with("wdl", Value::Number(value.wdl().into()))
        .with(kit.rules.metric.name(), plies);
    if kit.rules.metric == Metric::Dtz {
        done = done.with("wdl50", Value::Number(value.wdl50(halfmoves).into()));
    }
    if let Some(best) = best {
        done = done.with("best", best.to_string().as_str());
    }
    Ending { done, status: Status::Complete }
}

/// The table of a material: from the files of the folder, or built.
fn opened_or_built(
    material: &Material,
    kit: &Kit,
    cabinet: &Cabinet,
    stage: &Stage<'_>,
) -> Result<Tablebase, Failure> {
    if let Some(folder) = kit.files() {
        let opened = open(kit, material, folder);
        tell_kept(opened.as_ref().map(|_| ()), (material, kit.rules.metric), folder, stage);
        if let Ok(table) = opened {
            return Ok(table);
        }
    }
    build(kit, material, Site { stage, cabinet, tell: &|_| {} })
}

/// Every line of the text, in order, under DTM and DTC, and under DTZ with the fifty-move rule when
/// that is asked for; tables are read from the folder, or built, as they are needed. A line that is no position has its error
/// in its place, and spoils the exit status.
fn batch(text: &str, kit: &Kit, stage: &Stage<'_>) -> Ending {
    let bare = kit.material("K.K").map_err(Failure::refused);
    let mut tables = match bare.and_then(|bare| empty(&bare, kit, false, stage)) {
        Ok(tables) => tables,
        Err(failure) => return failed(stage, &failure),
    };
    let (mut count, mut status) = (0, Status::Complete);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let setup = line.parse::<Setup>().map_err(|error| Failure::refused(error.to_string()));
        let halfmoves = setup.as_ref().map_or(0, |setup| setup.halfmoves.into());
        let values = setup
            .and_then(|setup| read(&setup, kit, None).map_err(Failure::refused))
            .and_then(|board| values(&mut tables, &board, kit, stage));
        count += 1;
        let news = tell::result().with("fen", line);
        match values {
            Ok(Looked { worths, best }) => {
                let mut news = news.with("wdl", Value::Number(worths[0].wdl().into()));
                for (worth, key) in worths.iter().zip(["dtm", "dtc", "dtz"]) {
                    news = news.with(key, worth.signed_plies().map_or(Value::Null, Value::Number));
                }
                if let Some(worth) = worths.get(2) {
                    news = news.with("wdl50", Value::Number(worth.wdl50(halfmoves).into()));
                }
                stage.news(match best {
                    Some(best) => news.with("best", best.as_str()),
                    None => news,
                });
            }
            Err(failure) if failure.status == Status::Stopped => {
                status = Status::Stopped;
                break;
            }
            Err(failure) => {
                status = Status::Refused;
                stage.news(news.with("error", failure.why.as_str()));
            }
        }
    }
    let mut done = News::new(Domain::Egt, Kind::Done).with("count", count);
    done.record = None;
    Ending { done, status }
}

/// What the tables say of one line.
struct Looked {
    /// The value in each table.
    worths: Vec<Worth>,
    /// The best move by the last of them.
    best: Option<String>,
}

/// Tables without anything in them under each metric that a batch tells; with the seeds of the material, or without.
fn empty(
    material: &Material,
    kit: &Kit,
    seeded: bool,
    stage: &Stage<'_>,
) -> Result<Vec<Tablebase>, Failure> {
    let zeroing = (kit.rules.metric == Metric::Dtz).then_some(Metric::Dtz);
    let metrics = [Metric::Dtm, Metric::Dtc].into_iter().chain(zeroing);
    let table = |metric| {
        let mut kit = kit.clone();
        kit.rules.metric = metric;
        let mut request = BuildRequest::new(material, &kit.piece_set, &kit.rules);
        if seeded {
            let seeds = kit.seeds(material, &|path| stage.read_text(path));
            request.seeds = seeds.map_err(Failure::refused)?;
        }
        let folder = kit.files().map(std::path::Path::to_owned);
        let options = BuildOptions { folder, ..BuildOptions::unlimited() };
        Tablebase::new(request, options).map_err(|error| Failure::refused(error.to_string()))
    };
    metrics.map(table).collect()
}

fn values(
    tables: &mut Vec<Tablebase>,
    board: &FairyBoard,
    kit: &Kit,
    stage: &Stage<'_>,
) -> Result<Looked, Failure> {
    let refused = |error: crate::tables::ProbeError| Failure::refused(error.to_string());
    let material = Tablebase::material_of(board);
    // Seeds are those of one material, and what they change goes for no other.
    if kit.is_seeded() && tables.first().is_none_or(|table| *table.material() != material) {
        *tables = empty(&material, kit, true, stage)?;
    }
    let mut worths = vec![];
    for number in 0..tables.len() {
        if tables[number].value(board).is_err() {
            build_also(tables, number, &material, kit, stage)?;
        }
        worths.push(tables[number].value(board).map_err(refused)?);
    }
    let best = match tables.last() {
        Some(table) => table.best(board).map_err(refused)?.map(|choice| choice.mv.to_string()),
        None => None,
    };
    Ok(Looked { worths, best })
}
