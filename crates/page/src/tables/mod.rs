//! Endgame tables: statistics, a board with the value of every move, custom pieces, and surveys.

mod board;
mod capitals;
mod choice;
mod choose;
mod clock;
mod counted;
mod definitions;
mod figures;
mod heat;
mod line;
mod needs;
mod piece;
mod played;
mod positions;
mod run;
mod setup;
mod statistics;
mod survey;
mod value;

pub(super) use board::board;
pub(super) use choose::{begin, choose, open};
pub(super) use counted::Counted;
pub(super) use line::line;
pub(super) use needs::needs;
pub(super) use piece::{designer, look};
pub(super) use positions::{export, positions};
pub(super) use run::run;
pub(super) use setup::setup;
pub(super) use statistics::statistics;
pub(super) use survey::{begin_survey, survey, survey_run};
pub(super) use value::{value, value_address};

use super::SharedPage;
use super::page_error::PageError;
use super::run_page::quoted;
use super::work::{Records, TableRequest};
use definitions::PieceFile;
use maud::{Markup, html};
use serde::Deserialize;
use umbrail_session::{Command, Task};
use umbrail_tasks::records::TaskEnd;

/// Parameters of addresses of tables beside the endgame.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TableQuery {
    /// Metric of wins.
    metric: String,
    /// Lines that define pieces in the format of `piecedef.ini`; empty for the built-in pieces.
    piece: String,
}

/// Metrics: word, and unit.
const METRICS: [(&str, &str); 3] = [
    ("dtm", "moves to mate"),
    ("dtc", "moves to the conversion"),
    ("dtz", "moves to zeroing (fifty-move rule)"),
];

/// Maximum length of an endgame, in letters.
const ENDGAME_LENGTH_MAX: usize = 16;

/// Returns true for an endgame such as `KQ.KR`, or a pattern such as `K?.K?`.
fn is_endgame(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphabetic() || byte == b'.' || byte == b'?';
    (1..=ENDGAME_LENGTH_MAX).contains(&text.len()) && text.bytes().all(plain)
}

impl TableQuery {
    fn metric(&self) -> &'static str {
        let known = METRICS.iter().find(|(word, _)| *word == self.metric);
        known.map_or(METRICS[0].0, |(word, _)| word)
    }

    /// Returns the query part of an address with these parameters.
    fn query(&self) -> String {
        let metric = format!("metric={}", self.metric());
        match self.piece.trim().is_empty() {
            true => metric,
            false => format!("{metric}&piece={}", quoted(self.piece.trim())),
        }
    }

    /// Returns the request to the tables.
    ///
    /// # Errors
    /// The error in the endgame or in the pieces.
    fn request(&self, shared: &SharedPage, endgame: &str) -> Result<TableRequest, PageError> {
        if !is_endgame(endgame) {
            return Err(PageError::Endgame(endgame.to_owned()));
        }
        let file = PieceFile::of(&shared.folder, &self.piece)?;
        Ok(TableRequest {
            endgame: endgame.to_owned(),
            metric: self.metric().to_owned(),
            pieces: file.path,
            piece: self.piece.trim().to_owned(),
            folder: file.tables,
        })
    }
}

/// Runs a verb on tables, with those of the folder available, within a time limit.
async fn ask(
    shared: &SharedPage,
    request: &TableRequest,
    mut task: Task,
    time_ms: u64,
) -> Result<Records, PageError> {
    task.keys.push(("time", time_ms.to_string()));
    let commands = vec![request.folder_command(), Command::Task(task)];
    let answer = shared.tables.ask(&request.endgame, commands).await?;
    match answer.fault() {
        Some(fault) => Err(PageError::Refused(fault)),
        None => Ok(answer),
    }
}

/// Returns true when the time limit was too short for an answer.
fn is_late(answer: &Records) -> bool {
    answer.end::<TaskEnd>().is_some_and(|end| end.status.is_early())
}

/// Writes a selection among the metrics.
fn metrics(chosen: &str) -> Markup {
    html! {
        label { "Wins are counted in"
            select name="metric" {
                @for (word, what) in METRICS { option value=(word) selected[word == chosen] { (what) } }
            }
        }
    }
}

/// Converts plies to moves of the side that moves first.
fn moves(plies: u64) -> u64 {
    plies.div_ceil(2)
}

/// Formats a share in percent, never rounded to 0 or 100.
fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    match (part, format!("{share:.1}")) {
        (1.., text) if text == "0.0" => "under 0.1 %".to_owned(),
        (_, text) if text == "100.0" && part < whole => "over 99.9 %".to_owned(),
        (_, text) => format!("{text} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_endgame, percent};

    #[test]
    fn endgames_are_letters_and_a_dot() {
        assert!(is_endgame("KQ.KR") && is_endgame("K?.K?") && is_endgame("KQKR"));
        assert!(
            !is_endgame("")
                && !is_endgame("../x")
                && !is_endgame("K Q")
                && !is_endgame(&"K".repeat(17))
        );
    }

    #[test]
    fn shares_are_not_rounded_to_all_or_nothing() {
        assert_eq!(percent(1, 2), "50.0 %");
        assert_eq!(percent(0, 2), "0.0 %");
        assert_eq!(percent(2, 2), "100.0 %");
        assert_eq!(percent(1, 10_000), "under 0.1 %");
        assert_eq!(percent(9_999, 10_000), "over 99.9 %");
    }
}
