//! Messages of the module: statistics, moves and probes.

use umbrail_chess::geometry::Color;
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message, Value};
use umbrail_tables::{ColorClass, Count, Metric, Statistics, TableValue, ValuedMove};

/// Creates a named value of a record.
fn named(key: &str, value: impl Into<Value>) -> (String, Value) {
    (key.to_owned(), value.into())
}

fn number(count: usize) -> Value {
    Value::from(count as u64)
}

/// Creates a result whose JSON object has this kind.
pub(super) fn result(record: &'static str) -> Message {
    Message { record: Some(record), ..Message::new(Domain::Egt, Kind::Result) }
}

/// Writes all statistics: a page for people, one object for JSON, the main figures for every
/// dialect.
pub(super) fn statistics(s: &Statistics) -> Message {
    let [white, black] = &s.sides;
    let max = [
        ("wtm_win", s.max_win(Color::White)),
        ("btm_loss", s.max_loss(Color::White)),
        ("btm_win", s.max_win(Color::Black)),
        ("wtm_loss", s.max_loss(Color::Black)),
    ];
    let counts = [
        ("wtm_legal", s.legal[0]),
        ("btm_legal", s.legal[1]),
        ("wtm_win", white.won),
        ("btm_loss", white.lost),
        ("btm_win", black.won),
        ("wtm_loss", black.lost),
        ("btm_stalemate", white.stalemate),
        ("wtm_stalemate", black.stalemate),
    ];
    let group = |pick: fn(&Count) -> u64| {
        Value::Record(counts.iter().map(|(key, count)| named(key, pick(count))).collect())
    };
    let zugzwangs = [
        ("wtm_draw_btm_loss", s.zugzwangs.wtm_draw_btm_loss),
        ("wtm_loss_btm_draw", s.zugzwangs.wtm_loss_btm_draw),
        ("full_point", s.zugzwangs.full_point),
    ];
    let histograms = [
        ("wtm_win", &white.won_in),
        ("btm_loss", &white.lost_in),
        ("btm_win", &black.won_in),
        ("wtm_loss", &black.lost_in),
    ];
    let histogram = |list: &[u64]| {
        let cells = list.iter().enumerate().filter(|(_, count)| **count > 0);
        Value::Record(cells.map(|(ply, count)| named(&ply.to_string(), *count)).collect())
    };
    let longest = [
        ("wtm_win", &white.longest_win),
        ("btm_loss", &white.longest_loss),
        ("btm_win", &black.longest_win),
        ("wtm_loss", &black.longest_loss),
    ];
    let mut message = result("statistics");
    let material = s.material.as_str();
    message = message.with("material", material).with("metric", s.metric.name());
    let max_record = max.iter().map(|(key, ply)| (key.to_string(), number(*ply))).collect();
    message.data = vec![
        ("max", Value::Record(max_record)),
        ("full_board", group(|c| c.full_board)),
        ("unique", group(|c| c.unique)),
        ("zugzwangs", Value::Record(zugzwangs.iter().map(|(k, n)| named(k, *n)).collect())),
        (
            "histogram",
            Value::Record(
                histograms.iter().map(|(key, h)| ((*key).to_owned(), histogram(h))).collect(),
            ),
        ),
        (
            "longest",
            Value::Record(
                longest.iter().filter_map(|(key, fen)| Some(named(key, fen.as_deref()?))).collect(),
            ),
        ),
    ];
    let within: Vec<_> = Color::ALL.iter().flat_map(|&color| s.within_fifty(color)).collect();
    let within = max.iter().zip(within).map(|((key, _), count)| named(key, count)).collect();
    message.data.push(("within_50_moves", Value::Record(within)));
    if !s.classes.is_empty() {
        let class = |class: &ColorClass| {
            let counts = [
                ("wtm_legal", class.legal[0]),
                ("btm_legal", class.legal[1]),
                ("wtm_win", class.won[0]),
                ("btm_loss", class.lost[0]),
                ("btm_win", class.won[1]),
                ("wtm_loss", class.lost[1]),
            ];
            let counts = counts.iter().map(|(key, count)| named(key, *count)).collect();
            (class.name.clone(), Value::Record(counts))
        };
        message.data.push(("color_classes", Value::Record(s.classes.iter().map(class).collect())));
    }
    let shown = max.iter().map(|(key, ply)| format!("{key} {ply}")).collect::<Vec<_>>().join(" ");
    message.text = Some(shown);
    message.page = page(s);
    message
}

/// Returns the page of statistics for people.
pub(super) fn page(s: &Statistics) -> Vec<String> {
    let mut page = vec![format!("{} ({})", s.material, s.metric)];
    let percent = |part: u64, whole: u64| {
        if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
    };
    for color in Color::ALL {
        let (side, other) = (&s.sides[color.index()], !color);
        let (won, lost) = (side.won.full_board, side.lost.full_board);
        let [to_move, waiting] = [color, other].map(|c| s.legal[c.index()].full_board);
        let stalemates = side.stalemate.full_board;
        if won == 0 && lost == 0 {
            page.push(format!(
                "{color} never wins; {other} to move is stalemated in {stalemates} of {waiting}"
            ));
            continue;
        }
        page.push(format!(
            "{color} to move wins {won} of {to_move} ({:.2} %){}",
            percent(won, to_move),
            longest(won, s.max_win(color))
        ));
        page.push(format!(
            "{other} to move loses {lost} of {waiting} ({:.2} %){}, {stalemates} stalemates",
            percent(lost, waiting),
            longest(lost, s.max_loss(color))
        ));
        if won > 0 {
            let within = percent(s.within_fifty(color)[0], won);
            page.push(format!("{color} wins within 50 moves: {within:.2} % of the wins"));
        }
        page.extend(side.longest_win.iter().map(|fen| format!("longest {color} win: {fen}")));
    }
    let z = s.zugzwangs;
    let none = [z.wtm_draw_btm_loss, z.wtm_loss_btm_draw, z.full_point] == [0; 3];
    page.push(match none {
        true => "mutual zugzwangs: none".to_owned(),
        false => format!(
        "mutual zugzwangs: {} in which White to move only draws and Black to move loses, {} in which Black to move only \
         draws and White to move loses, {} in which whoever moves loses",
        z.wtm_draw_btm_loss, z.wtm_loss_btm_draw, z.full_point
    )});
    for class in &s.classes {
        page.push(format!(
            "{}: White to move wins {:.2} %, Black to move wins {:.2} %",
            class.name,
            percent(class.won[0], class.legal[0]),
            percent(class.won[1], class.legal[1])
        ));
    }
    page
}

/// Describes the longest of these wins or losses, as the end of a sentence.
fn longest(count: u64, plies: usize) -> String {
    match count {
        0 => String::new(),
        _ => format!(", longest {plies} plies ({} moves)", plies.div_ceil(2)),
    }
}

/// Maximum width of a bar of a histogram, in characters.
const BAR: u64 = 50;
/// Maximum number of bars of a histogram; longer wins share bars.
const BARS: usize = 40;

/// Returns the histograms of wins for people: a bar for each length, or for several lengths where
/// there are many.
pub(super) fn histogram(s: &Statistics) -> Vec<String> {
    let mut page = vec![];
    for color in Color::ALL {
        let counts = &s.sides[color.index()].won_in;
        let plies = s.max_win(color);
        if counts.iter().all(|count| *count == 0) {
            continue;
        }
        let step = (plies + 1).div_ceil(BARS);
        let sums: Vec<u64> = counts.chunks(step).map(|part| part.iter().sum()).collect();
        let most = sums.iter().copied().max().unwrap_or(1).max(1);
        page.push(format!("wins of {color} with the move, by plies:"));
        for (at, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0) {
            let (first, last) = (at * step, (at * step + step - 1).min(plies));
            let name = if first == last { first.to_string() } else { format!("{first}-{last}") };
            let bar = "#".repeat((sum * BAR).div_ceil(most) as usize);
            page.push(format!("{name:>9} {sum:>12} {bar}"));
        }
    }
    page
}

/// Returns the message on one move and its result, for the side that makes the move.
pub(super) fn a_move(choice: &ValuedMove, metric: Metric, best: bool) -> Message {
    let mut message = result("move")
        .with("move", choice.mv.to_string().as_str())
        .with("wdl", Value::Number(choice.value.wdl().into()))
        .with("dtx", choice.value.signed_plies().map_or(Value::Null, Value::Number))
        .with("kind", metric.name());
    if best {
        message = message.with("best", 1);
    }
    let mark = if best { "  best" } else { "" };
    message.page =
        vec![format!("{:<6} {}{mark}", choice.mv.to_string(), worth(choice.value, metric))];
    message
}

/// Describes a value for the side to move.
pub(super) fn worth(value: TableValue, metric: Metric) -> String {
    let unit = match metric {
        Metric::Dtm => "to mate",
        Metric::Dtc => "to mate or conversion",
        Metric::Dtz => "to mate, capture or pawn move",
        Metric::Level => "by EGTgen's count",
    };
    let plies = value.signed_plies().unwrap_or(0).abs();
    let word = if plies == 1 { "ply" } else { "plies" };
    match value {
        TableValue::Draw => "draws".to_owned(),
        TableValue::Win(_) => format!("wins in {plies} {word} {unit}"),
        TableValue::Loss(_) => format!("loses in {plies} {word} {unit}"),
    }
}
