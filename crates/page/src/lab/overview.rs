//! All matches of the laboratory's folder: estimates with their errors, and a table.

use super::super::SharedPage;
use super::super::shell::Shell;
use super::{LabMatch, LabResults, elo_text, games, results, state_text};
use axum::extract::State;
use axum::http::HeaderMap;
use maud::{Markup, PreEscaped, html};
use umbrail_report::drawing::{Intervals, Measured};

pub(crate) async fn page(State(shared): State<SharedPage>, headers: HeaderMap) -> Markup {
    let found = results(&shared).await;
    let shell =
        Shell { title: "Laboratory", here: "/lab", script: Some("lab.js"), headers: &headers };
    let folder = shared.lab.display().to_string();
    shell.page(&html! {
        h1 { "Laboratory" }
        div #lab aria-live="off" {
            @match &found {
                Err(why) => { p.fault { (why) } }
                Ok(found) if found.matches.is_empty() => { (empty(&folder)) }
                Ok(found) => { (content(found, &folder)) }
            }
        }
    })
}

fn empty(folder: &str) -> Markup {
    html! {
        div.panel.wide {
            p { "There is no match in the folder " code { (folder) } "." }
            p { "The laboratory plays matches between two versions or two settings of the engine with fastchess. Start one at the shell, in that folder:" }
            pre { "umbrail lab sprt --xp 3 --book openings.epd" }
            p { "It appears here while it is played. " a href="/help/laboratory" { "How matches are played and read" } "; " a href="/help/xp" { "the experiments XP1 to XP10" } "." }
            p.hint { "Another folder is named with " code { "umbrail serve --lab FOLDER" } ". Two settings are compared on one position, without a match, under " a href="/play" { "Analysis" } "." }
        }
    }
}

fn content(found: &LabResults, folder: &str) -> Markup {
    let labels: Vec<String> =
        found.matches.iter().map(|one| format!("{} · {}", one.label, one.control)).collect();
    let rows: Vec<Measured<'_>> = found
        .matches
        .iter()
        .zip(&labels)
        .map(|(one, label)| Measured { label, value: one.elo, class: one.class })
        .collect();
    let plot = Intervals { label: "Elo of each match with its 95 % interval", rows: &rows };
    html! {
        p.verdict {
            (found.matches.len()) @if found.matches.len() == 1 { " match in " } @else { " matches in " } code { (folder) }
            @if found.is_at_work { ", one of them in progress" }
        }
        div.panel.scroll {
            (PreEscaped(plot.to_string()))
            p.hint { "Elo of DEV over BASE with 95 % intervals. An interval that holds 0 decides nothing." }
        }
        div.scroll {
            table.lab {
                thead { tr { th { "Match" } th.number { "Games" } th.number { "+ = −" } th.number { "Elo" } th.number { "LOS %" } th.number { "LLR" } th { "Read" } th { "State" } } }
                tbody { @for one in &found.matches { (line(one, found.is_at_work)) } }
            }
        }
    }
}

fn line(one: &LabMatch, is_at_work: bool) -> Markup {
    let [wins, losses, draws] = one.tally;
    html! {
        tr {
            td {
                @if one.name.is_empty() { (one.label) } @else { a href=(format!("/lab/{}", one.name)) { (one.label) } }
                " · " (one.control)
            }
            td.number { (games(one)) }
            td.number { (wins) " " (draws) " " (losses) }
            td.number { (elo_text(one)) }
            td.number { (one.los.map_or_else(String::new, |los| format!("{los:.1}"))) }
            td.number { (one.llr.map_or_else(String::new, |llr| format!("{llr:+.2}"))) }
            td class=(one.class) { (one.reading) }
            td { (state_text(one, is_at_work)) }
        }
    }
}
