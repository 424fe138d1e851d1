//! Strategies that can be played in several ways, grouped by the difference.

use super::super::words::counted;
use super::super::work::Run;
use maud::{Markup, html};
use serde_json::Value;

/// Kinds of differences: the word of the record, and a heading.
const KINDS: [(&str, &str); 2] =
    [("order", "The order of moves differs"), ("way", "The route of a piece differs")];

/// Lists all cooks of a run that has ended. Where games of a strategy are on the page, a button
/// shows the difference on the board: arrows of the first game in one color, of the second in
/// another.
pub(super) fn cooks(run: &Run) -> Markup {
    let all = run.end().and_then(|end| end["cooks"].as_array());
    let all: Vec<&Value> = all.into_iter().flatten().collect();
    let others = all.iter().filter(|cook| KINDS.iter().all(|(word, _)| cook["differ"] != *word));
    let others: Vec<&Value> = others.copied().collect();
    html! {
        @for (word, heading) in KINDS {
            @let of_kind: Vec<&Value> = all.iter().copied().filter(|cook| cook["differ"] == word).collect();
            (group(heading, &of_kind))
        }
        (group("Other differences", &others))
    }
}

fn group(heading: &str, cooks: &[&Value]) -> Markup {
    html! {
        @if !cooks.is_empty() {
            section.cooks {
                h2 { (heading) }
                p.hint { (cooks.len()) @if cooks.len() == 1 { " strategy" } @else { " strategies" } " can be played in several ways." }
                @for cook in cooks {
                    @let number = cook["number"].as_str().unwrap_or("");
                    details.cook open[cooks.len() < 4] {
                        summary { "Strategy " (number) " in several ways: " (counted(cook["games"].as_u64().unwrap_or(0), "game")) ", " (counted(cook["ways"].as_u64().unwrap_or(0), "way")) }
                        pre { (cook["text"].as_str().unwrap_or("")) }
                        button.scripted type="button" data-cook=(number) { "Show the difference on the board" }
                    }
                }
            }
        }
    }
}
