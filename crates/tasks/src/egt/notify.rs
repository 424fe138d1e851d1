//! Messages of the module: statistics, moves and probes.

use crate::records::egt::{
    ByOutcome, ClassCounts, EgtCounts, EgtStatistics, LongestByOutcome, ProbedMove, ZugzwangCounts,
};
use crate::records::{self, TaskRecord};
use umbrail_chess::geometry::Color;
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message, Value};
use umbrail_tables::{ColorClass, Count, Metric, Statistics, TableValue, ValuedMove};

/// Creates a result that holds this record.
pub(super) fn result<R: TaskRecord>(record: &R) -> Message {
    records::message(Domain::Egt, Kind::Result, record)
}

/// Returns the record of statistics.
fn record(s: &Statistics) -> EgtStatistics {
    let [white, black] = &s.sides;
    let counts = |pick: fn(&Count) -> u64| EgtCounts {
        wtm_legal: pick(&s.legal[0]),
        btm_legal: pick(&s.legal[1]),
        wtm_win: pick(&white.won),
        btm_loss: pick(&white.lost),
        btm_win: pick(&black.won),
        wtm_loss: pick(&black.lost),
        btm_stalemate: pick(&white.stalemate),
        wtm_stalemate: pick(&black.stalemate),
    };
    let histogram = |list: &[u64]| {
        let cells = (0..).zip(list.iter().copied());
        cells.filter(|(_, count)| *count > 0).collect()
    };
    let class = |class: &ColorClass| {
        let counts = ClassCounts {
            wtm_legal: class.legal[0],
            btm_legal: class.legal[1],
            wtm_win: class.won[0],
            btm_loss: class.lost[0],
            btm_win: class.won[1],
            wtm_loss: class.lost[1],
        };
        (class.name.clone(), counts)
    };
    let [[wtm_win, btm_loss], [btm_win, wtm_loss]] = Color::ALL.map(|color| s.within_fifty(color));
    EgtStatistics {
        material: s.material.clone(),
        metric: s.metric.name().to_owned(),
        max: max(s),
        full_board: counts(|count| count.full_board),
        unique: counts(|count| count.unique),
        zugzwangs: ZugzwangCounts {
            wtm_draw_btm_loss: s.zugzwangs.wtm_draw_btm_loss,
            wtm_loss_btm_draw: s.zugzwangs.wtm_loss_btm_draw,
            full_point: s.zugzwangs.full_point,
        },
        histogram: ByOutcome {
            wtm_win: histogram(&white.won_in),
            btm_loss: histogram(&white.lost_in),
            btm_win: histogram(&black.won_in),
            wtm_loss: histogram(&black.lost_in),
        },
        longest: LongestByOutcome {
            wtm_win: white.longest_win.clone(),
            btm_loss: white.longest_loss.clone(),
            btm_win: black.longest_win.clone(),
            wtm_loss: black.longest_loss.clone(),
        },
        within_50_moves: ByOutcome { wtm_win, btm_loss, btm_win, wtm_loss },
        color_classes: (!s.classes.is_empty()).then(|| s.classes.iter().map(class).collect()),
    }
}

/// Returns the longest win or loss of each outcome, in plies.
fn max(s: &Statistics) -> ByOutcome<u64> {
    ByOutcome {
        wtm_win: s.max_win(Color::White) as u64,
        btm_loss: s.max_loss(Color::White) as u64,
        btm_win: s.max_win(Color::Black) as u64,
        wtm_loss: s.max_loss(Color::Black) as u64,
    }
}

/// Writes all statistics: a page for people, one object for JSON, the main figures for every
/// dialect.
pub(super) fn statistics(s: &Statistics) -> Message {
    let ByOutcome { wtm_win, btm_loss, btm_win, wtm_loss } = max(s);
    let mut message = result(&record(s))
        .with("material", s.material.as_str())
        .with("metric", s.metric.name())
        .printing(format!(
            "wtm_win {wtm_win} btm_loss {btm_loss} btm_win {btm_win} wtm_loss {wtm_loss}"
        ));
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
/// `fen` is the position after it.
pub(super) fn a_move(choice: &ValuedMove, metric: Metric, best: bool, fen: String) -> Message {
    let record = ProbedMove {
        mv: choice.mv.to_string(),
        wdl: choice.value.wdl().into(),
        plies: choice.value.signed_plies(),
        metric: metric.name().to_owned(),
        best: best.then_some(1),
        fen,
    };
    let mut message = result(&record)
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
