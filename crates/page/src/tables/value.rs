//! Table value of a position of few pieces, for the analysis beside the search.

use super::super::SharedPage;
use super::super::position::{endgame, in_table};
use super::super::run_page::quoted;
use super::choice::{class, outcome};
use super::{TableQuery, ask, is_late, needs};
use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use umbrail_chess::geometry::Setup;
use umbrail_tasks::records::egt::{ProbeEnd, ProbedMove};

/// Maximum number of pieces of a table.
const PIECES_MAX: usize = 6;
/// Estimated time of a table that is built when its value is asked for, in milliseconds.
const QUICK_MS: u64 = 3_000;
/// Time limit for such a table, and for one that is only looked up, in milliseconds.
const BUILD_MS: u64 = 8_000;
const LOOK_UP_MS: u64 = 300;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ValueQuery {
    fen: String,
}

/// Value of a position, or the reason why it is not known.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct TableValue {
    /// Endgame of the position; null if no table can have it.
    endgame: Option<String>,
    /// Value for the side to move, or the reason why there is none.
    text: String,
    /// `win`, `draw` or `loss` of the side to move; empty without a value.
    class: &'static str,
    /// Address of the position's page, or of the page that builds the table.
    address: String,
}

pub(crate) async fn value(
    State(shared): State<SharedPage>,
    Query(wish): Query<ValueQuery>,
) -> Json<TableValue> {
    Json(of(&shared, wish.fen.trim()).await.unwrap_or_default())
}

/// Returns the address where a position is looked at: in its table, or in the analysis, which shows what the table takes.
/// `None` if the position is illegal.
pub(crate) async fn value_address(shared: &SharedPage, fen: &str) -> Option<String> {
    let found = of(shared, fen).await?;
    let is_known = !found.class.is_empty();
    Some(if is_known { found.address } else { format!("/play?fen={}", quoted(fen)) })
}

/// Returns the value of a position; `None` if no table has it.
async fn of(shared: &SharedPage, fen: &str) -> Option<TableValue> {
    let setup: Setup = fen.parse().ok()?;
    let endgame = endgame(&setup, PIECES_MAX)?;
    let rules = TableQuery::default();
    let request = rules.request(shared, &endgame).ok()?;
    let needed = needs::of(shared, &rules, &endgame).await;
    let is_quick = needed.estimate_ms.is_some_and(|ms| ms <= QUICK_MS);
    let mut task = request.task("probe");
    task.subject.clear();
    task.keys.push(("fen", fen.to_owned()));
    let time = if is_quick { BUILD_MS } else { LOOK_UP_MS };
    let answer = match ask(shared, &request, task, time).await {
        Ok(answer) => Some(answer),
        // The position is illegal.
        Err(_) if is_quick => return None,
        // The table does not fit the memory.
        Err(_) => None,
    };
    let found = answer.filter(|answer| !is_late(answer));
    let found = found.and_then(|answer| Some((answer.end::<ProbeEnd>()?, answer)));
    Some(match found {
        Some((end, answer)) => {
            let name = if fen.split_whitespace().nth(1) == Some("b") { "Black" } else { "White" };
            let is_over = answer.all::<ProbedMove>().next().is_none();
            TableValue {
                address: in_table(&endgame, fen),
                endgame: Some(endgame),
                text: outcome(&end, name, is_over),
                class: class(end.wdl),
            }
        }
        None => TableValue {
            text: match needed.lacks_memory {
                true => format!("{endgame} cannot be built here: {}", needed.cost()),
                false => format!("{endgame} is not built: {}", needed.cost()),
            },
            address: format!("/tables?endgame={endgame}&fen={}", quoted(fen)),
            endgame: Some(endgame),
            class: "",
        },
    })
}
