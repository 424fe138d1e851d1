//! Plays the longest wins of endgames out against best defence, with either side to move and for
//! either color, and fails unless each takes exactly the plies that its table says:
//!
//!     cargo run --release -p umbrail-tables --example longest_win -- KQ.KR KBN.K KBB.KN KP.K
//!
//! Letters of EGTgen's built-in pieces may be used: `KA.KR`, `KS.K`.

use std::process::ExitCode;
use std::time::Instant;
use umbrail_chess::geometry::Color;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{BuildEvent, Material, Metric, Rules, TableValue, Tablebase};

fn build(name: &str) -> Result<Tablebase, String> {
    let piece_set = PieceSet::default();
    let material = Material::read(name, &piece_set).map_err(|error| error.to_string())?;
    let mut table = Tablebase::empty(&material, &Rules::orthodox(Metric::Dtm), &piece_set)
        .map_err(|error| error.to_string())?;
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(2).map_err(|error| error.to_string())?;
    let notify = |_: BuildEvent| {};
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    table.build(&control).map_err(|_| "stopped".to_owned())?;
    Ok(table)
}

/// Plays one win out; the plies that were stated and those that were made.
fn play(table: &Tablebase, board: &umbrail_tables::FairyBoard) -> Result<(usize, usize), String> {
    let mut board = board.clone();
    let stated = match table.value(&board).map_err(|error| error.to_string())? {
        TableValue::Win(plies) | TableValue::Loss(plies) => plies,
        TableValue::Draw => return Err(format!("{} is a draw", board.to_fen())),
    };
    let mut made = 0;
    while made <= stated {
        let Some(choice) = table.best(&board).map_err(|error| error.to_string())? else { break };
        board = board.after(&choice.mv);
        made += 1;
    }
    if !board.in_check() {
        return Err(format!("{} is not mate", board.to_fen()));
    }
    Ok((stated, made))
}

fn check(name: &str) -> Result<(), String> {
    let mut table = build(name)?;
    for winner in Color::ALL {
        for moves in [true, false] {
            for board in table.hardest(winner, moves, 1) {
                let (stated, made) = play(&table, &board)?;
                let who = if moves { "to move" } else { "not to move" };
                println!("{name}: {winner} wins, {who}: {stated} plies, played {made}");
                if stated != made {
                    return Err(format!("{}: {stated} plies became {made}", board.to_fen()));
                }
            }
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    for name in std::env::args().skip(1) {
        if let Err(why) = check(&name) {
            eprintln!("{name}: {why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
