//! Explanation of the marks of a steno while it is typed: the texts of `steno explain`.

use super::super::SharedPage;
use super::super::work::StenoRequest;
use super::ask;
use axum::Json;
use axum::extract::{Query, State};
use serde::Serialize;
use umbrail_tasks::records::steno::{StenoRemark, StenoTurn};

/// Time limit for the look-ahead, in milliseconds.
const TIME_MS: u64 = 1_000;

/// A steno as far as it can be read.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Reading {
    /// Error, and its column, from 1, if there is one.
    pub(super) fault: Option<String>,
    pub(super) column: Option<usize>,
    /// One entry for each half-move: the mark, and its meaning.
    pub(super) turns: Vec<[String; 2]>,
    /// Consequences for earlier turns.
    pub(super) remarks: Vec<String>,
}

pub(crate) async fn read(
    State(shared): State<SharedPage>,
    Query(wish): Query<StenoRequest>,
) -> Json<Reading> {
    Json(reading(&shared, &wish).await)
}

pub(super) async fn reading(shared: &SharedPage, wish: &StenoRequest) -> Reading {
    let mut reading = Reading::default();
    if wish.text.trim().is_empty() {
        return reading;
    }
    let answer = match ask(shared, wish, "explain", &[], TIME_MS).await {
        Ok(answer) => answer,
        Err(why) => return Reading { fault: Some(why.to_string()), ..reading },
    };
    reading.turns = answer.all().map(|turn: StenoTurn| [turn.mark, turn.text]).collect();
    let remark = |StenoRemark { turn, because, text }| {
        format!("After turn {turn}: {text} (because of turn {because})")
    };
    reading.remarks = answer.all().map(remark).collect();
    reading.fault = answer.fault();
    reading.column = reading.fault.as_deref().and_then(column);
    reading
}

/// Returns the column that an error names.
fn column(fault: &str) -> Option<usize> {
    let (_, rest) = fault.split_once("column ")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::column;

    #[test]
    fn the_column_of_a_fault_is_found() {
        assert_eq!(column("column 5: '?' is not a mark"), Some(5));
        assert_eq!(column("no steno"), None);
    }
}
