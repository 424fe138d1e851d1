//! The list of runs on the first page.

use super::run_page;
use super::words::capitalized;
use super::work::{Run, RunState};
use maud::{Markup, PreEscaped, html};
use std::time::Duration;
use umbrail_report::drawing::Board;
use umbrail_tasks::date;

/// Writes the table of runs, the latest first. A script adds the filter.
pub(super) fn table(runs: &[Run]) -> Markup {
    html! {
        h2 { "Runs" }
        label.scripted { "Show runs with" input #filter type="search" autocomplete="off"; }
        table.runs {
            thead { tr { th { "Run" } th { "What" } th { "Started" } th { "Time" } th { "State" } } }
            tbody { @for run in runs { (row(run)) } }
        }
    }
}

fn row(run: &Run) -> Markup {
    let address = run_page::address(run);
    // 2026-11-23 12:31 in the list; the seconds do not help.
    let started = run.started.map(|moment| date(moment)[..16].to_owned());
    html! {
        tr {
            td {
                a href=(address) {
                    @if let Some(placement) = run.request.diagram() {
                        span.thumb { (PreEscaped(Board { placement, ..Board::default() }.to_string())) }
                    }
                    (run.id)
                }
            }
            td { (run.request.title()) }
            td.date { @if let Some(started) = &started { time datetime=(started.replace(' ', "T") + "Z") { (started) } } }
            td.number { @if let Some(elapsed) = run.elapsed() { (duration(elapsed)) } }
            td {
                div.state {
                    span { (verdict(run)) }
                    @match &run.state {
                        RunState::AtWork => { (run_page::button(run, "stop", "Pause")) }
                        state => {
                            @if state.can_resume() { (run_page::button(run, "resume", "Resume")) }
                            (run_page::button(run, "remove", "Remove"))
                        }
                    }
                }
            }
        }
    }
}

/// Returns the result of a run, or its state.
fn verdict(run: &Run) -> String {
    let text = run.result().filter(|_| run.state == RunState::Done);
    text.map_or_else(|| run_page::state(run), |text| capitalized(&text))
}

/// Formats a time: `0.4 s`, `12:05`, `3:07:41`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, _) => format!("{:.1} s", time.as_secs_f64()),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn times_are_short() {
        let of = |millis| duration(Duration::from_millis(millis));
        assert_eq!([of(420), of(725_000), of(11_261_000)], ["0.4 s", "12:05", "3:07:41"]);
    }
}
