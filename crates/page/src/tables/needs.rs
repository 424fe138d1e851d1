//! Cost of a table, shown before it is built: the texts of `egt need`.

use super::super::SharedPage;
use super::super::words::grouped;
use super::super::work::Answer;
use super::{TableQuery, ask};
use axum::Json;
use axum::extract::{Query, State};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Time limit for an answer, in milliseconds.
const TIME_MS: u64 = 2_000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NeedsQuery {
    endgame: String,
    metric: String,
    piece: String,
}

/// Estimates in words.
#[derive(Debug, Default, Serialize)]
pub(super) struct Needs {
    fault: Option<String>,
    /// Name and text of each estimate.
    figures: Vec<(&'static str, String)>,
    /// Uses for which memory suffices.
    fits: String,
}

pub(crate) async fn needs(
    State(shared): State<SharedPage>,
    Query(wish): Query<NeedsQuery>,
) -> Json<Value> {
    let rules = TableQuery { metric: wish.metric, piece: wish.piece };
    Json(json!(of(&shared, &rules, wish.endgame.trim()).await))
}

/// Estimates the cost of this endgame.
pub(super) async fn of(shared: &SharedPage, rules: &TableQuery, endgame: &str) -> Needs {
    let fault = |why: String| Needs { fault: Some(why), ..Needs::default() };
    if endgame.is_empty() {
        return Needs::default();
    }
    let request = match rules.request(shared, endgame) {
        Ok(request) => request,
        Err(why) => return fault(why),
    };
    let task = request.task("need");
    match ask(shared, &request, task, TIME_MS).await {
        Ok(answer) => reported(&answer),
        Err(why) => fault(why),
    }
}

fn reported(answer: &Answer) -> Needs {
    let Some(end) = answer.record("end").filter(|end| end["men"].is_u64()) else {
        return Needs::default();
    };
    let number = |key: &str| end[key].as_u64().unwrap_or(0);
    let [counted, kept, granted] = ["counted_bytes", "kept_bytes", "granted_bytes"].map(number);
    let mib = |bytes: u64| format!("about {} MiB", grouped(bytes.div_ceil(1 << 20)));
    let fits = match () {
        () if kept <= granted => "It fits the memory that tables may take.",
        () if counted <= granted => {
            "Counting fits the memory that tables may take; keeping all distances does not."
        }
        () => "It does not fit the memory that tables may take.",
    };
    Needs {
        fault: None,
        figures: vec![
            ("pieces", number("men").to_string()),
            ("tables on the way", number("tables").to_string()),
            ("positions of a side to move", grouped(number("positions"))),
            ("memory to count wins", mib(counted)),
            ("memory to keep all distances", mib(kept)),
            ("time of one processor", duration(end["seconds"].as_f64().unwrap_or(0.0))),
        ],
        fits: fits.to_owned(),
    }
}

/// Formats a duration in a suitable unit; the estimate is rough.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "under a second".to_owned(),
        s if s < 120.0 => format!("about {s:.0} seconds"),
        s if s < 7_200.0 => format!("about {:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("about {:.0} hours", s / 3_600.0),
        s => format!("about {:.0} days", s / 86_400.0),
    }
}

/// Writes the estimates as a table; the script writes an equal one.
pub(super) fn table(needs: &Needs) -> Markup {
    html! {
        @if let Some(fault) = &needs.fault { p.fault { (fault) } }
        @if !needs.figures.is_empty() {
            table.figures { @for (name, text) in &needs.figures { tr { th { (name) } td { (text) } } } }
            p.hint { (needs.fits) " Memory is estimated by the builder; time is estimated from a measured speed, correct within a factor of two for seven endgames." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, duration, reported};
    use serde_json::json;

    #[test]
    fn results_are_explained_in_words() {
        let end = json!({"t": "end", "men": 4, "tables": 6, "positions": 7_500_000, "counted_bytes": 20 << 20,
            "kept_bytes": 2_000u64 << 20, "granted_bytes": 100 << 20, "seconds": 0.1});
        let needs = reported(&Answer { records: vec![end] });
        assert!(needs.fits.starts_with("Counting fits"), "{needs:?}");
        assert!(needs.figures.contains(&("positions of a side to move", "7,500,000".to_owned())));
        assert!(
            needs.figures.contains(&("memory to keep all distances", "about 2,000 MiB".to_owned()))
        );
        assert!(reported(&Answer::default()).figures.is_empty());
        let reported = [0.5, 60.0, 600.0, 9_000.0, 1e6].map(duration);
        assert_eq!(
            reported,
            [
                "under a second",
                "about 60 seconds",
                "about 10 minutes",
                "about 2 hours",
                "about 12 days"
            ]
        );
    }
}
