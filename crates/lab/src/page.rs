//! The page of a run: one HTML file without anything from elsewhere. A bar with its 95 % interval for
//! each match, the verdict beside what was expected, the key statistics against the baseline's, and
//! the table.

use super::error::LabError;
use super::journal::{Journal, RIVAL, Row};
use super::records::LabRecord;
use super::results::{LabMatch, LabPoint};
use super::transcript::BOUND;
use super::verdict::{expected, reading, verdict};
use super::view::{class, with_courses};
use std::fmt::Write as _;
use std::path::Path;
use umbrail_control::write_whole;
use umbrail_report::drawing::{Course, CoursePoint, Intervals, Measured};
use umbrail_report::{HtmlPage, escaped};

const FILE: &str = "lab.html";
const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:66rem;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
td,th{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:left}td.n,th.n{text-align:right}
.gains{color:#186a3b}.loses{color:#a93226}.open,.few{color:#666}
svg:not(.bar){display:block;width:100%;height:auto}h3{font-size:1rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1c1c1e}td,th{border-color:#3a3a3c}
.gains{color:#58d68d}.loses{color:#ec7063}.open,.few{color:#999}}";

/// Writes the page into the folder.
pub(super) fn write(folder: &Path, journal: &Journal) -> Result<(), LabError> {
    let path = folder.join(FILE);
    if journal.rows.is_empty() {
        return Err(LabError::NoMatch(folder.to_owned()));
    }
    let text = render(&journal.rows, &with_courses(folder)?);
    write_whole(&path, |out| out.write_all(text.as_bytes()))?;
    umbrail_control::print_error!("wrote {}", path.display());
    // People read the line above, on standard error; scripts get a record.
    umbrail_server::print_record(&LabRecord::File { file: path.display().to_string() }, "");
    Ok(())
}

fn render(rows: &[Row], matches: &[(LabMatch, Vec<LabPoint>)]) -> String {
    let mut page = "<h1>Umbrail laboratory</h1>\n".to_owned();
    page.push_str("<p>Elo of DEV over BASE with 95 % intervals. An interval that holds 0 decides nothing.</p>\n");
    page.push_str("<h2>Results</h2>\n");
    page.push_str(&bars(rows));
    page.push_str(&verdicts(rows));
    page.push_str(&courses(matches));
    page.push_str("<h2>Key statistics</h2>\n");
    page.push_str(&keys(rows));
    page.push_str("<h2>Matches</h2>\n");
    page.push_str(&table(rows));
    HtmlPage { title: "Umbrail laboratory", style: STYLE, body: &page, script: "" }.to_string()
}

/// One line per match: a point and its interval.
fn bars(rows: &[Row]) -> String {
    let labels: Vec<String> =
        rows.iter().map(|row| format!("{} · {}", row.label, row.control)).collect();
    let measured: Vec<Measured<'_>> = rows
        .iter()
        .zip(&labels)
        .map(|(row, label)| Measured { label, value: row.interval(), class: class(row) })
        .collect();
    format!("{}\n", Intervals { label: "Elo by match", rows: &measured })
}

/// Log-likelihood ratio of each sequential test that still has its folder.
fn courses(matches: &[(LabMatch, Vec<LabPoint>)]) -> String {
    let mut text = String::new();
    for (one, course) in matches {
        let ratio =
            |point: &LabPoint| Some(CoursePoint { at: point.games, value: point.llr?, half: 0.0 });
        let points: Vec<CoursePoint> = course.iter().filter_map(ratio).collect();
        if points.len() < 2 {
            continue;
        }
        let (low, high) = one.hypotheses;
        let _ = writeln!(
            text,
            "<h3>{} · {}, hypotheses {low} and {high}</h3>\n{}",
            escaped(&one.label),
            escaped(&one.control),
            Course {
                label: "log-likelihood ratio over games",
                unit: "games",
                points: &points,
                bounds: &[(BOUND, "H1"), (-BOUND, "H0")]
            }
        );
    }
    match text.is_empty() {
        true => text,
        false => format!("<h2>Log-likelihood ratio over games</h2>\n{text}"),
    }
}

fn verdicts(rows: &[Row]) -> String {
    let mut text = String::from(
        "<h2>Verdicts</h2>\n<table><tr><th>what</th><th>expected by the plan</th><th>read</th><th>verdict</th></tr>\n",
    );
    let mut labels: Vec<&str> = vec![];
    // A gauntlet has opponents, not experiments.
    for row in rows.iter().filter(|row| !row.label.starts_with(RIVAL)) {
        if !labels.contains(&row.label.as_str()) {
            labels.push(&row.label);
        }
    }
    if labels.is_empty() {
        return String::new();
    }
    for label in labels {
        let of_label: Vec<&Row> = rows.iter().filter(|row| row.label == label).collect();
        let read: Vec<String> =
            of_label.iter().map(|row| format!("{} {}", row.control, reading(row).word())).collect();
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(label),
            expected(label),
            escaped(&read.join(", ")),
            verdict(&of_label)
        );
    }
    text.push_str("</table>\n");
    text
}

/// The statistics of each arm, with a bar for how often the first move was the one that cut.
fn keys(rows: &[Row]) -> String {
    let mut text = String::from(
        "<table><tr><th>what</th><th class=\"n\">table hits %</th><th class=\"n\">fail high %</th>\
         <th class=\"n\">by the first move %</th><th></th><th class=\"n\">repeated root searches %</th>\
         <th class=\"n\">nps</th></tr>\n",
    );
    let shown =
        |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.2}"));
    for row in rows {
        let (Some(first), Some(nps)) = (row.first_fail_high, row.nps) else { continue };
        let width = (first - 50.0).clamp(0.0, 50.0) * 4.0;
        let _ = writeln!(
            text,
            "<tr><td>{} · {}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{first:.2}</td>\
             <td><svg class=\"bar\" width=\"200\" height=\"10\"><rect width=\"{width:.1}\" height=\"10\" fill=\"currentColor\" \
             opacity=\".5\"/></svg></td><td class=\"n\">{}</td><td class=\"n\">{nps:.0}</td></tr>",
            escaped(&row.label),
            escaped(&row.control),
            shown(row.tt_hit),
            shown(row.fail_high),
            shown(row.researches)
        );
    }
    text.push_str("</table>\n");
    text
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "<table><tr><th>what</th><th>control</th><th class=\"n\">games</th><th class=\"n\">+</th>\
         <th class=\"n\">=</th><th class=\"n\">−</th><th class=\"n\">Elo</th><th class=\"n\">LOS %</th>\
         <th class=\"n\">LLR</th><th>test</th><th class=\"n\">lost on time</th><th>pairs 0..2</th><th>match</th></tr>\n",
    );
    for row in rows {
        let llr = row.llr.map_or_else(String::new, |llr| format!("{llr:+.2}"));
        let elo = match row.interval() {
            Some((elo, error)) => format!("{elo:+.1} ± {error:.1}"),
            None => "too few games".to_owned(),
        };
        let los = row.los.map_or_else(String::new, |los| format!("{los:.1}"));
        let flags = match row.time_losses.zip(row.base_time_losses) {
            Some((dev, base)) => format!("{dev} : {base}"),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n {}\">{elo}</td><td class=\"n\">{los}</td>\
             <td class=\"n\">{llr}</td><td>{}</td><td class=\"n\">{flags}</td><td>{}</td><td>{}</td></tr>",
            escaped(&row.label),
            escaped(&row.control),
            row.games,
            row.wins,
            row.draws,
            row.losses,
            class(row),
            escaped(&row.decision),
            escaped(&row.pairs.replace('/', " ")),
            escaped(row.id.get(..8).unwrap_or_default())
        );
    }
    text.push_str("</table>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::{Row, render};

    #[test]
    fn every_match_has_its_bar_its_verdict_and_its_line() {
        let row = |label: &str, elo: f64| Row {
            label: label.to_owned(),
            control: "nodes=5000".to_owned(),
            elo: Some(elo),
            error: Some(10.0),
            games: 1_000,
            ..Row::default()
        };
        let page =
            render(&[row("control", 0.0), row("XP3 LMRCons", -25.0), row("<odd>", f64::NAN)], &[]);
        assert_eq!(page.matches("<circle").count(), 2, "no bar without a number");
        assert!(page.contains("XP3 LMRCons") && page.contains("-25.0 ± 10.0"));
        assert!(page.contains("stays off: it loses") && page.contains("&lt;odd&gt;"));
        assert!(!page.contains("http"), "nothing is fetched");
        let rivals = render(&[row("against-Stash", 30.0)], &[]);
        assert!(rivals.contains("<circle") && !rivals.contains("Verdicts"));
    }
}
