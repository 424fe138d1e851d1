//! Strategies that can be played in several ways, grouped by the difference.

use super::super::words::counted;
use super::super::work::Run;
use maud::{Markup, html};
use umbrail_tasks::records::spg::{CookDifference, SpgCook, SpgVerdict};

/// Kinds of differences with their headings.
const KINDS: [(CookDifference, &str); 3] = [
    (CookDifference::Order, "The order of moves differs"),
    (CookDifference::Way, "The route of a piece differs"),
    (CookDifference::Other, "Other differences"),
];

/// Lists all cooks of a run that has ended. Where games of a strategy are on the page, a button
/// shows the difference on the board: arrows of the first game in one color, of the second in
/// another.
pub(super) fn cooks(run: &Run) -> Markup {
    let verdict = run.records.end::<SpgVerdict>();
    let all = verdict.and_then(|verdict| verdict.cooks).unwrap_or_default();
    html! {
        @for (difference, heading) in KINDS {
            @let of_kind: Vec<&SpgCook> = all.iter().filter(|cook| cook.differ == difference).collect();
            (group(heading, &of_kind))
        }
    }
}

fn group(heading: &str, cooks: &[&SpgCook]) -> Markup {
    html! {
        @if !cooks.is_empty() {
            section.cooks {
                h2 { (heading) }
                p.hint { (cooks.len()) @if cooks.len() == 1 { " strategy" } @else { " strategies" } " can be played in several ways." }
                @for cook in cooks {
                    details.cook open[cooks.len() < 4] {
                        summary { "Strategy " (cook.strategy_number) " in several ways: " (counted(cook.games, "game")) ", " (counted(cook.ways, "way")) }
                        pre { (cook.text) }
                        button.scripted type="button" data-cook=(cook.strategy_number) { "Show the difference on the board" }
                    }
                }
            }
        }
    }
}
