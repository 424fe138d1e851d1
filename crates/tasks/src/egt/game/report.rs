//! `egt piece-report`: a piece alone, with each partner and against each defender, as a table, as
//! JSON and as a page with heat maps.

use super::super::piece::{read, text};
use super::super::work::run;
use super::super::{Failure, end, notify};
use super::GameInputs;
use super::longest::exported;
use super::tables::Endgame;
use crate::records::egt::{EgtEnd, PieceEndingRecord};
use crate::results::write_result;
use std::fmt::Write;
use std::path::PathBuf;
use umbrail_chess::geometry::Color;
use umbrail_report::{HtmlPage, escaped};
use umbrail_session::domain::Task;
use umbrail_session::message::Completion;
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::table_store::TableConfig;
use umbrail_session::task_error::TaskError;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::game::{Game, PieceEnding, Share, piece_endings};
use umbrail_tables::{Grid, SquareSet};

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:64em;margin:2em auto;padding:0 1em}\
table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right}th:first-child,\
td:first-child{text-align:left}figure{display:inline-block;margin:0 1.5em 1em 0}\
figcaption{font-size:.9em}svg{width:15em;border:1px solid #555}svg text{font-size:.3px;\
text-anchor:middle}";

pub(super) fn report(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let letter = inputs.letter;
    let movement = inputs.game.pieces().iter().find(|piece| piece.letter == letter);
    let movement = movement.map(|piece| piece.movement.clone()).unwrap_or_default();
    let endings = piece_endings(&inputs.game, letter).map_err(|error| error.to_string())?;
    let endings: Vec<_> = endings
        .into_iter()
        .map(|(role, material)| (role, Endgame::with(&inputs, material)))
        .collect();
    let [html, epd] = ["html", "epd"].map(|key| inputs.task.key(key).map(PathBuf::from));
    let game = inputs.game.clone();
    Ok(run(move |job| {
        let mut found = vec![];
        let mut left_out = vec![];
        let mut status = Status::Complete;
        let mut positions = String::new();
        for (number, (role, endgame)) in endings.iter().enumerate() {
            // The report contains all endings that can be examined.
            let tables = match endgame.tables(job) {
                Ok(tables) => tables,
                Err(failure) if failure.status == Status::Stopped => {
                    status = Status::Stopped;
                    left_out.extend(endings[number..].iter().map(|(_, endgame)| endgame.name()));
                    break;
                }
                Err(failure) => {
                    status = Status::Limit;
                    job.message(super::note(format!("left out: {}", failure.why)));
                    left_out.push(endgame.name());
                    continue;
                }
            };
            let ending = tables.piece_ending(letter, *role);
            if epd.is_some() {
                positions += &exported(&tables)?;
            }
            let record = record(&ending, &game.grid);
            let mut message = notify::result(&record).with("material", record.material.as_str());
            if found.is_empty() {
                message.page.push(format!("{letter} = {movement} on {}", game.grid));
                message.page.push(HEADING.to_owned());
            }
            message.page.extend(rows(&record));
            job.message(message);
            found.push(ending);
        }
        let shown = |file: &PathBuf| file.display().to_string();
        let [file, epd_file] = [&html, &epd].map(|file| file.as_ref().map(shown));
        let count = found.len() as u64;
        let mut done = end(&EgtEnd {
            count,
            file,
            epd: epd_file,
            left_out: left_out.clone(),
            ..EgtEnd::default()
        });
        if !left_out.is_empty() {
            done.page.push(format!("not examined: {}", left_out.join(", ")));
        }
        if let Some(path) = &html {
            let text = page(letter, &movement, &game, &found, &left_out);
            write_result(path, text.as_bytes()).map_err(Failure::refused)?;
            done.page.push(format!("wrote {}", path.display()));
        }
        if let Some(path) = &epd {
            write_result(path, positions.as_bytes()).map_err(Failure::refused)?;
            let lines = positions.lines().count();
            done.page.push(format!("wrote {lines} positions to {}", path.display()));
        }
        Ok(Completion { done, status })
    }))
}

/// Returns the letter of the piece that a task names. A movement in place of a letter is defined as
/// a piece.
pub(super) fn letter(task: &Task, config: &mut TableConfig) -> Result<char, TaskError> {
    let text = text(task)?;
    let mut letters = text.trim().chars();
    if let (Some(letter @ 'A'..='Z'), None) = (letters.next(), letters.next()) {
        return Ok(letter);
    }
    if task.key("rules").is_some() {
        return Err(TaskError::expects(task.verb, "the letter of a piece of the game"));
    }
    let piece = read(&text)?;
    let definitions =
        format!("{}{} = {}", config.piece_set.definitions(), piece.letter, piece.betza());
    let set = PieceSet::with_definitions(&definitions);
    config.piece_set = set.map_err(|errors| TaskError::all(&errors))?;
    Ok(piece.letter)
}

/// Heading of the table for people.
const HEADING: &str =
    "ending      White wins  Black loses  longest  Black wins  zugzwangs  (shares with the move)";

/// Returns the rows of an ending for people.
fn rows(record: &PieceEndingRecord) -> Vec<String> {
    let percent =
        |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.2} %"));
    let PieceEndingRecord { material, longest_plies, zugzwangs, .. } = record;
    let mut rows = vec![format!(
        "{material:<11} {:>10}  {:>11}  {longest_plies:>7}  {:>10}  {zugzwangs:>9}",
        percent(record.white_wins_percent),
        percent(record.black_loses_percent),
        percent(record.black_wins_percent),
    )];
    if let (Some(same), Some(other)) = (record.same_color_percent, record.other_color_percent) {
        rows.push(format!("            pieces on one color win {same:.2} %, on two {other:.2} %"));
    }
    if !record.fortress_squares.is_empty() {
        let squares = record.fortress_squares.join(" ");
        rows.push(format!("            the other king mostly holds on {squares}"));
    }
    rows
}

fn record(ending: &PieceEnding, grid: &Grid) -> PieceEndingRecord {
    let statistics = &ending.statistics;
    let [white, black] = &statistics.sides;
    let share = |count: u64, color: Color| {
        let legal = statistics.legal[color.index()].full_board;
        rounded(Share { legal, count }.percent())
    };
    let zugzwangs = statistics.zugzwangs;
    let colors = |number: usize| ending.colors.and_then(|colors| rounded(colors[number].percent()));
    PieceEndingRecord {
        material: statistics.material.clone(),
        role: ending.role.name().to_owned(),
        white_wins_percent: share(white.won.full_board, Color::White),
        black_loses_percent: share(white.lost.full_board, Color::Black),
        black_wins_percent: share(black.won.full_board, Color::Black),
        longest_plies: statistics.max_win(Color::White) as u64,
        longest: white.longest_win.clone(),
        zugzwangs: zugzwangs.wtm_draw_btm_loss + zugzwangs.wtm_loss_btm_draw + zugzwangs.full_point,
        fortress_squares: ending.fortress.iter().map(|&square| grid.name(square)).collect(),
        same_color_percent: colors(0),
        other_color_percent: colors(1),
        piece_percent: map(&ending.by_piece, grid),
        king_percent: map(&ending.by_king, grid),
    }
}

fn rounded(share: Option<f64>) -> Option<f64> {
    share.map(|share| (share * 100.0).round() / 100.0)
}

/// Returns the shares of all squares by their names, without those that never occur.
fn map(shares: &[Share], grid: &Grid) -> std::collections::BTreeMap<String, f64> {
    let named = (0u8..)
        .zip(shares)
        .filter_map(|(square, share)| Some((grid.name(square), rounded(share.percent())?)));
    named.collect()
}

/// Returns the page: a table of all endings, and heat maps of each. It names those that are left
/// out.
fn page(
    letter: char,
    movement: &str,
    game: &Game,
    endings: &[PieceEnding],
    left_out: &[String],
) -> String {
    let title = format!("{letter} = {movement} on {}", game.grid);
    let mut body = format!("<h1>{}</h1>\n<table><tr><th>ending", escaped(&title));
    body += "<th>White to move wins<th>Black to move loses<th>longest win, plies";
    body += "<th>Black to move wins<th>mutual zugzwangs</tr>\n";
    let percent =
        |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.2} %"));
    for ending in endings {
        let record = record(ending, &game.grid);
        let _ = writeln!(
            body,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
            escaped(&record.material),
            percent(record.white_wins_percent),
            percent(record.black_loses_percent),
            record.longest_plies,
            percent(record.black_wins_percent),
            record.zugzwangs
        );
    }
    body += "</table>\n";
    if !left_out.is_empty() {
        let _ = writeln!(body, "<p>Not examined: {}</p>", escaped(&left_out.join(", ")));
    }
    for ending in endings {
        let record = record(ending, &game.grid);
        let _ = writeln!(body, "<h2>{}</h2>", escaped(&record.material));
        for row in rows(&record).iter().skip(1) {
            let _ = writeln!(body, "<p>{}</p>", escaped(row.trim()));
        }
        if let Some(fen) = &record.longest {
            let _ = writeln!(body, "<p>A longest win: {}</p>", escaped(fen));
        }
        let captions = [
            (&ending.by_piece, format!("White to move wins, by the square of {letter}")),
            (&ending.by_king, "Black to move loses, by the square of Black's king".to_owned()),
        ];
        for (shares, caption) in captions {
            let map = heat_map(shares, &game.grid);
            let _ = writeln!(body, "<figure>{map}<figcaption>{caption}</figcaption></figure>");
        }
    }
    HtmlPage { title: &title, style: STYLE, body: &body, script: "" }.to_string()
}

/// Draws the share of each square: darker is larger.
fn heat_map(shares: &[Share], grid: &Grid) -> String {
    let (width, height) = (grid.width(), grid.height());
    let mut out = format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\">");
    for square in grid.squares().squares() {
        let (x, y) = (square % width, height - 1 - square / width);
        let share = shares[usize::from(square)].percent();
        let (fill, text) = match share {
            Some(share) => {
                (format!("hsl(210 70% {:.0}%)", 95.0 - share * 0.55), format!("{share:.0}"))
            }
            None => ("#ccc".to_owned(), String::new()),
        };
        let name = grid.name(square);
        let detail = share.map_or("never".to_owned(), |share| format!("{share:.2} %"));
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" fill=\"{fill}\">\
             <title>{name}: {detail}</title></rect>\
             <text x=\"{x}.5\" y=\"{y}.6\">{text}</text>"
        );
    }
    out + "</svg>"
}
