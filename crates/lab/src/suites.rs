//! Test positions at fixed nodes: `bm` and `am` are solved or not, points in `c0` add up (the Strategic
//! Test Suite writes `c0 "f5=100, Bf2=46"`). Fixed nodes make the result the same on every machine.

use super::error::LabError;
use super::records::LabRecord;
use std::path::{Path, PathBuf};
use std::time::Instant;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, DroppedCastling, Move, Position, parse_san};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress, read_file, read_text};
use umbrail_search::{Engine, Limits, SearchParams, SearchRequest, solve};
use umbrail_session::Options;
use umbrail_session::castling_note::castling_note;

/// What a position asks for.
#[derive(Debug, PartialEq)]
enum Goal {
    Best(Vec<Move>),
    Avoid(Vec<Move>),
    Points(Vec<(Move, u32)>),
}

/// Prints a line for each file.
pub(super) fn run(
    files: &[PathBuf],
    nodes: u64,
    every: usize,
    options: &Options,
) -> Result<(), LabError> {
    for file in files {
        let line = search(file, nodes, every, options)?;
        let file = file.display().to_string();
        let text = format!("{file}: {line}\n");
        umbrail_server::print_record(&LabRecord::Suite { file, text: line }, &text);
    }
    Ok(())
}

fn search(file: &Path, nodes: u64, every: usize, options: &Options) -> Result<String, LabError> {
    let text = read_text(file, &|| false)?;
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines.step_by(every).collect();
    let mode = CastlingMode::of(options.chess960);
    // The first one is enough: in a suite of Chess960 most positions have such rights.
    if let Some(dropped) = lines.iter().find_map(|line| dropped(line, mode)) {
        umbrail_control::print_error!("umbrail: {}: {}", file.display(), castling_note(dropped));
    }
    let goals: Vec<(Position, Goal)> = lines.iter().filter_map(|line| read(line, mode)).collect();
    if goals.is_empty() {
        return Err(LabError::Empty { path: file.to_owned(), expected: "EPD with bm, am or c0" });
    }
    let unread = lines.len() - goals.len();
    let pool = Pool::new(1)?;
    let (mut solved, mut asked, mut points, mut most) = (0, 0, 0, 0);
    for (position, goal) in &goals {
        let best = best_move(position, nodes, &options.search, &pool);
        match goal {
            Goal::Points(moves) => {
                most += moves.iter().map(|&(_, points)| points).max().unwrap_or(0);
                points += moves.iter().find(|(mv, _)| Some(*mv) == best).map_or(0, |found| found.1);
            }
            Goal::Best(moves) => {
                asked += 1;
                solved += u32::from(best.is_some_and(|mv| moves.contains(&mv)));
            }
            Goal::Avoid(moves) => {
                asked += 1;
                solved += u32::from(best.is_some_and(|mv| !moves.contains(&mv)));
            }
        }
    }
    let mut printed = vec![];
    if asked > 0 {
        printed.push(format!("solved {solved}/{asked}"));
    }
    if most > 0 {
        let share = 100.0 * f64::from(points) / f64::from(most);
        printed.push(format!("{share:.1} % of {most} points"));
    }
    let skipped = match unread {
        0 => String::new(),
        _ => format!("; {unread} of {} lines are not test positions", lines.len()),
    };
    Ok(format!("{} at {nodes} nodes{skipped}", printed.join(", ")))
}

fn best_move(position: &Position, nodes: u64, params: &SearchParams, pool: &Pool) -> Option<Move> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let request = SearchRequest {
        position: *position,
        history: vec![],
        limits,
        root_moves: None,
        multipv: 1,
    };
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let control = Control::new(Cancel::default(), &clock, &progress, pool, &|_| {});
    let engine = Engine::new(params.hash_mib);
    engine.configure(params, &|path| read_file(path, &|| false));
    solve(&engine, &request, params, &control).best
}

/// The four fields of a position, and the operations after them.
fn split(line: &str) -> Option<(Setup, &str)> {
    let mut words = line.splitn(5, ' ');
    let fields: Vec<&str> = words.by_ref().take(4).collect();
    Some((fields.join(" ").parse().ok()?, words.next()?))
}

/// Castling rights that a line states and the castling rules do not have.
fn dropped(line: &str, mode: CastlingMode) -> Option<DroppedCastling> {
    let (setup, _) = split(line)?;
    DroppedCastling::of(&setup, &Position::from_setup(&setup, mode).ok()?)
}

/// Four fields of a position, then operations that each end with a semicolon.
fn read(line: &str, mode: CastlingMode) -> Option<(Position, Goal)> {
    let (setup, operations) = split(line)?;
    let position = Position::from_setup(&setup, mode).ok()?;
    let operand = |name: &str| {
        let mut all = operations.split(';').map(str::trim);
        all.find_map(|operation| Some(operation.strip_prefix(name)?.strip_prefix(' ')?.trim()))
    };
    let moves = |text: &str| -> Vec<Move> {
        text.split_whitespace().filter_map(|san| parse_san(&position, san).ok()).collect()
    };
    if let Some(points) = operand("c0").filter(|text| text.contains('=')) {
        let valued = points.trim_matches('"').split(',').filter_map(|part| {
            let (san, points) = part.trim().rsplit_once('=')?;
            Some((parse_san(&position, san.trim()).ok()?, points.trim().parse().ok()?))
        });
        let valued: Vec<_> = valued.collect();
        if !valued.is_empty() {
            return Some((position, Goal::Points(valued)));
        }
    }
    let (best, avoid) = (operand("bm").map(moves), operand("am").map(moves));
    let goal = match (best, avoid) {
        (Some(best), _) if !best.is_empty() => Goal::Best(best),
        (_, Some(avoid)) if !avoid.is_empty() => Goal::Avoid(avoid),
        _ => return None,
    };
    Some((position, goal))
}

#[cfg(test)]
mod tests {
    use super::{CastlingMode, Goal, Options, dropped, search};

    fn goal(line: &str, mode: CastlingMode) -> Option<Goal> {
        super::read(line, mode).map(|(_, goal)| goal)
    }

    #[test]
    fn operations_are_read() {
        let line =
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";";
        let read = |line| goal(line, CastlingMode::Standard);
        assert!(matches!(read(line), Some(Goal::Best(moves)) if moves.len() == 1));
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"e4=10, e3=4\";";
        assert!(matches!(read(line), Some(Goal::Points(moves)) if moves.len() == 2));
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - am e4 Kd1;";
        assert!(matches!(read(line), Some(Goal::Avoid(moves)) if moves.len() == 2));
        assert!(read("4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";").is_none());
        assert!(read("nonsense").is_none());
    }

    #[test]
    fn castling_of_chess960_solves_no_position_of_standard_chess() {
        let line = "4k3/8/8/8/8/8/8/R4K1R w KQ - bm O-O;";
        assert_eq!(goal(line, CastlingMode::Standard), None);
        assert!(dropped(line, CastlingMode::Standard).is_some());
        let read = goal(line, CastlingMode::Chess960);
        assert!(matches!(read, Some(Goal::Best(moves)) if moves.len() == 1));
        assert_eq!(dropped(line, CastlingMode::Chess960), None);
    }

    #[test]
    fn a_mate_in_one_is_solved() {
        let file = std::env::temp_dir().join(format!("umbrail-suite-{}.epd", std::process::id()));
        let suite =
            "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#;\n";
        std::fs::write(&file, suite).unwrap();
        assert_eq!(
            search(&file, 5_000, 1, &Options::default()).unwrap(),
            "solved 1/2 at 5000 nodes"
        );
        assert_eq!(
            search(&file, 5_000, 2, &Options::default()).unwrap(),
            "solved 1/1 at 5000 nodes"
        );
        std::fs::write(&file, format!("garbage\n{suite}")).unwrap();
        assert_eq!(
            search(&file, 5_000, 1, &Options::default()).unwrap(),
            "solved 1/2 at 5000 nodes; 1 of 3 lines are not test positions",
            "l8"
        );
        std::fs::write(&file, "nothing\n").unwrap();
        assert!(search(&file, 5_000, 1, &Options::default()).is_err());
        std::fs::remove_file(file).unwrap();
    }
}
