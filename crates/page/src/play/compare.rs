//! Searches to a fixed depth, for one or two configurations, and their results side by side.

use super::super::SharedPage;
use super::super::page_error::PageError;
use super::super::words::grouped;
use super::super::work::Desk;
use super::configuration::configured;
use super::live::LINES_MAX;
use super::number::number;
use maud::{Markup, html};
use std::sync::Arc;
use std::time::Duration;
use umbrail_chess::geometry::Color;
use umbrail_protocol::records::{LineRecord, Record, ScoreBound};
use umbrail_session::{Base, Command, Diagram, Go, Options};

/// Maximum and default search depth of a page, in plies.
const DEPTH_MAX: u32 = 40;
pub(super) const DEPTH: u32 = 12;
/// Time limit for each side of a page.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Fields of the form.
pub(super) struct CompareForm<'a> {
    pub(super) fen: &'a str,
    pub(super) depth: &'a str,
    pub(super) lines: &'a str,
    pub(super) left: &'a str,
    pub(super) right: &'a str,
}

/// Result of one search.
pub(super) struct Search {
    name: &'static str,
    settings: String,
    /// Best line of each depth.
    pub(super) depths: Vec<LineRecord>,
    /// All lines of the last depth.
    lines: Vec<LineRecord>,
}

/// Searches with each configuration.
///
/// # Errors
/// Another page is searching, or a field cannot be used.
pub(super) async fn search(
    shared: &SharedPage,
    wish: &CompareForm<'_>,
) -> Result<Vec<Search>, PageError> {
    // One page at a time: two searches at once would slow each other down.
    let _turn =
        Arc::clone(&shared.searches).try_acquire_owned().map_err(|_| PageError::Searching)?;
    let sides: &[(&'static str, &str)] = match wish.right.trim() {
        "" => &[("Search", wish.left)],
        right => &[("Left", wish.left), ("Right", right)],
    };
    let mut searched = vec![];
    for (name, settings) in sides {
        let options = configured(&shared.options, settings)?;
        searched.push(one(options, wish, name, settings).await?);
    }
    Ok(searched)
}

async fn one(
    mut options: Options,
    wish: &CompareForm<'_>,
    name: &'static str,
    settings: &str,
) -> Result<Search, PageError> {
    let depth = number("depth", wish.depth, DEPTH, DEPTH_MAX)?;
    let lines = number("lines", wish.lines, 1, LINES_MAX)? as usize;
    options.multipv = lines;
    let desk = Desk::new(options)?;
    let go = Go { depth: Some(depth), movetime: Some(TIME_MAX), ..Go::default() };
    let base = Base::Setup(Diagram::of_fen(wish.fen));
    let commands = vec![Command::Position { base, moves: vec![] }, Command::Go(go)];
    let answer = desk.ask(commands).await?;
    if let Some(fault) = answer.fault() {
        return Err(PageError::Refused(fault));
    }
    let reported = answer.read().filter_map(|record| match record {
        Record::Line(line) => Some(line),
        _ => None,
    });
    let reported: Vec<LineRecord> = reported.collect();
    let mut depths: Vec<LineRecord> = vec![];
    for line in reported.iter().filter(|line| line.multipv == 1 && line.bound == ScoreBound::Exact)
    {
        depths.retain(|known| known.depth != line.depth);
        depths.push(line.clone());
    }
    let last = depths.last().map(|line| line.depth);
    let lines: Vec<LineRecord> = (1..=lines)
        .filter_map(|number| {
            let of = |line: &&LineRecord| line.multipv == number && Some(line.depth) == last;
            reported.iter().rfind(of).cloned()
        })
        .collect();
    Ok(Search { name, settings: settings.trim().replace('\n', ", "), depths, lines })
}

/// Returns White's share of the evaluation bar, in thousandths: a score of four pawns is ten to one.
pub(super) fn whites(line: &LineRecord, turn: Color) -> u64 {
    let cp = match (line.mate, line.cp) {
        // Mate in 0: the side to move is mated.
        (Some(moves), _) => {
            if moves <= 0 {
                -10_000
            } else {
                10_000
            }
        }
        (None, cp) => cp.unwrap_or(0),
    };
    let cp = if turn == Color::Black { -cp } else { cp };
    let share = 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 400.0));
    (share * 1000.0).round() as u64
}

/// Formats a score from White's view: `+0.35`, `mate in 3` for White, `mated in 3` for Black.
fn score(line: &LineRecord, turn: Color) -> String {
    let sign = if turn == Color::Black { -1 } else { 1 };
    match (line.mate, line.cp) {
        (Some(0), _) => "checkmate".to_owned(),
        (Some(moves), _) if moves * sign < 0 => format!("mated in {}", moves.abs()),
        (Some(moves), _) => format!("mate in {}", moves.abs()),
        (None, Some(0)) => "0.00".to_owned(),
        (None, Some(cp)) => {
            format!("{:+.2}", f64::from(cp * sign) / 100.0).replace('-', "\u{2212}")
        }
        (None, None) => String::new(),
    }
}

/// Returns the first move of a line in coordinates.
pub(super) fn first_move(line: &LineRecord) -> &str {
    line.uci.first().map_or("", String::as_str)
}

/// Returns the first depth at which the searches prefer different moves.
fn parting(searched: &[Search]) -> Option<u32> {
    let [left, right] = searched else { return None };
    let differ = |one: &&LineRecord| {
        let other = right.depths.iter().find(|other| other.depth == one.depth);
        other.is_some_and(|other| first_move(other) != first_move(one))
    };
    left.depths.iter().find(differ).map(|one| one.depth)
}

/// Writes a line on one row, as far as there is room.
fn moves_cell(line: &LineRecord) -> Markup {
    let moves = line.moves.join(" ");
    html! { td.one-row title=(moves) { (moves) } }
}

/// Shows the searches of a position with this side to move.
pub(super) fn results(found: &[Search], turn: Color) -> Markup {
    let parts = parting(found);
    html! {
        @if found.len() == 2 {
            p.verdict {
                @match parts {
                    Some(depth) => { "They prefer different moves, for the first time at depth " (depth) }
                    None => { "They prefer the same move at every depth" }
                }
            }
        }
        p.hint { "Scores are from White’s view." }
        div {
            @for search in found {
                div.found {
                    h2 { (search.name) @if !search.settings.is_empty() { ": " code { (search.settings) } } }
                    @if search.lines.len() > 1 {
                        table { @for line in &search.lines { tr { td.number { (score(line, turn)) } (moves_cell(line)) } } }
                    }
                    table {
                        thead { tr { th.number { "Depth" } th.number { "Score" } th.number { "Nodes" } th.number { "ms" } th { "Line" } } }
                        tbody {
                            @for line in &search.depths {
                                tr.parting[Some(line.depth) == parts] {
                                    td.number { (line.depth) }
                                    td.number { (score(line, turn)) }
                                    td.number { (grouped(line.nodes)) }
                                    td.number { (line.elapsed_ms) }
                                    (moves_cell(line))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Color, LineRecord, ScoreBound, Search, parting, score, whites};

    fn line(cp: Option<i32>, mate: Option<i32>) -> LineRecord {
        LineRecord {
            depth: 1,
            multipv: 1,
            cp,
            mate,
            bound: ScoreBound::Exact,
            wdl: None,
            nodes: 0,
            elapsed_ms: 0,
            uci: vec![],
            moves: vec![],
        }
    }

    #[test]
    fn scores_are_those_of_white_in_pawns_or_moves() {
        let both = |cp, mate| [Color::White, Color::Black].map(|turn| score(&line(cp, mate), turn));
        assert_eq!(both(Some(35), None), ["+0.35", "−0.35"]);
        assert_eq!(both(Some(0), None), ["0.00", "0.00"]);
        assert_eq!(both(None, Some(3)), ["mate in 3", "mated in 3"]);
        assert_eq!(both(None, Some(-2)), ["mated in 2", "mate in 2"]);
        assert_eq!(both(None, Some(0)), ["checkmate", "checkmate"]);
    }

    #[test]
    fn the_bar_is_white_as_far_as_white_is_better() {
        let both =
            |cp, mate| [Color::White, Color::Black].map(|turn| whites(&line(cp, mate), turn));
        assert_eq!(both(Some(0), None), [500, 500]);
        assert_eq!(both(Some(400), None), [909, 91]);
        assert_eq!(both(None, Some(-3)), [0, 1000]);
        // The side to move is mated.
        assert_eq!(both(None, Some(0)), [0, 1000]);
    }

    #[test]
    fn searches_part_where_their_first_moves_differ() {
        let search = |moves: &[&str]| {
            let depth = |(depth, text): (u32, &&str)| {
                let uci = vec![(*text).to_owned()];
                LineRecord { depth, uci, ..line(None, None) }
            };
            let depths = (1..).zip(moves).map(depth).collect();
            Search { name: "", settings: String::new(), depths, lines: vec![] }
        };
        let left = search(&["e2e4", "d2d4", "e2e4"]);
        assert_eq!(parting(&[left, search(&["e2e4", "e2e4", "c2c4"])]), Some(2));
        assert_eq!(parting(&[search(&["e2e4"]), search(&["e2e4", "d2d4"])]), None);
        assert_eq!(parting(&[search(&["e2e4"])]), None);
    }
}
