//! Steno-Chess: marks explained while they are typed, the page of a run, and the composer's bench.

mod bench;
mod edit;
mod read;
mod run;

pub(super) use bench::bench;
pub(super) use edit::{begin, edit};
pub(super) use read::read;
pub(super) use run::run;

use super::SharedPage;
use super::work::{DeskError, Records, StenoRequest};
use maud::{Markup, html};
use umbrail_session::Command;
use umbrail_steno::Vocabulary;

/// Runs a verb on a steno within this time limit.
async fn ask(
    shared: &SharedPage,
    wish: &StenoRequest,
    verb: &'static str,
    keys: &[(&'static str, String)],
    time_ms: u64,
) -> Result<Records, DeskError> {
    let mut task = wish.task(verb);
    task.keys.extend(keys.iter().cloned());
    task.keys.extend([("time", time_ms.to_string()), ("threads", "1".to_owned())]);
    shared.stenos.ask(vec![Command::Task(task)]).await
}

/// Returns a description that adds to the name.
fn remark(vocabulary: &str) -> &'static str {
    match vocabulary {
        "length" => " – mushikui: only how long each move is written",
        "pgn" => " – signs of the move as a game file has it",
        "hap" | "ccc" => " – read, and written as extended",
        _ => "",
    }
}

/// Writes a selection among the vocabularies, and the genres that are written in Extended.
fn vocabularies(chosen: &str) -> Markup {
    let named = Vocabulary::ALL.iter().map(|vocabulary| vocabulary.name());
    let chosen = if chosen.is_empty() { Vocabulary::default().name() } else { chosen };
    html! {
        label { "Vocabulary"
            select name="vocabulary" {
                @for word in named.chain(["hap", "ccc"]) {
                    option value=(word) selected[word == chosen] { (word) (remark(word)) }
                }
            }
        }
    }
}
