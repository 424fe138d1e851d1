//! Cost of a table, shown before it is built: the texts of `egt need`.

use super::super::SharedPage;
use super::super::page_error::PageError;
use super::super::words::grouped;
use super::{TableQuery, ask};
use axum::Json;
use axum::extract::{Query, State};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use umbrail_tasks::records::egt::NeedEnd;

/// Text of a table that fits the memory.
const FITS: &str = "It fits the memory that tables may take.";
/// Estimated time from which a count is announced before it begins, in milliseconds.
const ANNOUNCED_MS: u64 = 4_000;
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
pub(crate) struct Needs {
    fault: Option<String>,
    /// Name and text of each estimate.
    figures: Vec<(&'static str, String)>,
    /// Uses for which memory suffices.
    fits: String,
    /// The table cannot be built, not even to count wins.
    pub(super) lacks_memory: bool,
    /// Estimated time of one processor, in milliseconds.
    pub(super) estimate_ms: Option<u64>,
}

pub(crate) async fn needs(
    State(shared): State<SharedPage>,
    Query(wish): Query<NeedsQuery>,
) -> Json<Needs> {
    let rules = TableQuery { metric: wish.metric, piece: wish.piece };
    Json(of(&shared, &rules, wish.endgame.trim()).await)
}

/// Estimates the cost of this endgame.
pub(super) async fn of(shared: &SharedPage, rules: &TableQuery, endgame: &str) -> Needs {
    let fault = |why: PageError| Needs { fault: Some(why.to_string()), ..Needs::default() };
    if endgame.is_empty() {
        return Needs::default();
    }
    let request = match rules.request(shared, endgame) {
        Ok(request) => request,
        Err(why) => return fault(why),
    };
    let task = request.task("need");
    match ask(shared, &request, task, TIME_MS).await {
        Ok(answer) => answer.end().as_ref().map_or_else(Needs::default, reported),
        Err(why) => fault(why),
    }
}

fn reported(end: &NeedEnd) -> Needs {
    let mib = |bytes: u64| format!("about {} MiB", grouped(bytes.div_ceil(1 << 20)));
    let granted = mib(end.granted_bytes);
    let granted = granted.trim_start_matches("about ");
    let lacks_memory = end.counted_bytes > end.granted_bytes;
    let fits = match () {
        () if end.kept_bytes <= end.granted_bytes => FITS.to_owned(),
        () if !lacks_memory => format!(
            "Counting fits the memory that tables may take ({granted}). All distances do not, so a run writes them to files, from which they are read."
        ),
        () => format!(
            "It cannot be built: tables may take {granted} of memory. The option EGT Memory raises this: \
             umbrail serve --set \"EGT Memory={}\".",
            end.counted_bytes.div_ceil(1 << 20)
        ),
    };
    Needs {
        fault: None,
        lacks_memory,
        figures: vec![
            ("pieces", end.men.to_string()),
            ("tables on the way", end.tables.to_string()),
            ("positions of a side to move", grouped(end.positions)),
            ("memory to count wins", mib(end.counted_bytes)),
            ("memory to keep all distances", mib(end.kept_bytes)),
            ("time of one processor", duration(end.estimate_ms as f64 / 1_000.0)),
        ],
        fits,
        estimate_ms: Some(end.estimate_ms),
    }
}

impl Needs {
    /// Returns true if counting takes long enough to be announced before it begins.
    pub(super) fn is_long(&self, threads: usize) -> bool {
        self.estimate_ms.is_some_and(|ms| ms / threads.max(1) as u64 > ANNOUNCED_MS)
    }

    /// Returns what a table takes that is not built, in a phrase.
    pub(super) fn cost(&self) -> String {
        if let Some(why) = &self.fault {
            return why.clone();
        }
        let find = |name: &str| self.figures.iter().find(|(known, _)| *known == name);
        if self.lacks_memory {
            let memory = find("memory to count wins").map_or("", |(_, text)| text);
            return format!("it takes {memory}, more than tables may take here");
        }
        let time = find("time of one processor").map_or("", |(_, text)| text);
        let memory = find("memory to keep all distances").map_or("", |(_, text)| text);
        format!("{time} of one processor, {memory} to keep it")
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
            p class=(if needs.lacks_memory { "fault" } else { "hint" }) { (needs.fits) }
            table.figures { @for (name, text) in &needs.figures { tr { th { (name) } td { (text) } } } }
            p.hint { "Memory is estimated by the builder; time from the speed of an idle machine, for seven endgames within a factor of two. Other programs make it longer." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NeedEnd, duration, reported};

    #[test]
    fn results_are_explained_in_words() {
        let end = NeedEnd {
            count: 1,
            material: "KQ.KR".to_owned(),
            men: 4,
            tables: 6,
            positions: 7_500_000,
            counted_bytes: 20 << 20,
            kept_bytes: 2_000 << 20,
            granted_bytes: 100 << 20,
            estimate_ms: 100,
        };
        let needs = reported(&end);
        assert!(needs.fits.starts_with("Counting fits") && !needs.lacks_memory, "{needs:?}");
        let lacking =
            reported(&NeedEnd { counted_bytes: 200 << 20, granted_bytes: 100 << 20, ..end });
        assert!(lacking.lacks_memory && lacking.fits.contains("\"EGT Memory=200\""), "{lacking:?}");
        assert!(lacking.cost().ends_with("about 200 MiB, more than tables may take here"));
        assert!(needs.figures.contains(&("positions of a side to move", "7,500,000".to_owned())));
        assert!(
            needs.figures.contains(&("memory to keep all distances", "about 2,000 MiB".to_owned()))
        );
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
