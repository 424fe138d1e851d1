//! Check of a problem while it is edited: counts, reasons why it is impossible, and the minimum
//! number of moves. It shows the result of `spg bounds` within a short time.

use super::super::SharedPage;
use super::super::words::capitalized;
use super::super::work::{ProofRequest, Records};
use axum::Json;
use axum::extract::{Query, State};
use umbrail_chess::geometry::{Color, Setup};
use umbrail_session::Command;
use umbrail_tasks::records::spg::{FreeMovesClass, SpgHistogram, SpgVerdict};
use umbrail_tasks::records::{StatusWord, TaskEnd};

/// Time limit for counting strategies while a problem is edited, in milliseconds.
const TIME_MS: u64 = 400;
/// Maximum time that a page waits for the check, in milliseconds; its script repeats the request if
/// that was not enough.
pub(super) const PAGE_MS: u64 = 25;

pub(crate) async fn check(
    State(shared): State<SharedPage>,
    Query(wish): Query<ProofRequest>,
) -> Json<Look> {
    Json(look(&shared, &wish, TIME_MS).await)
}

/// Check result that an editor shows.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct Look {
    /// Reason why the input cannot be read.
    pub(super) fault: Option<String>,
    /// Number of pieces of White and Black.
    pub(super) pieces: [u32; 2],
    /// Facts, each in a sentence.
    pub(super) reported: Vec<String>,
    /// Reasons why no game can reach the position.
    pub(super) reasons: Vec<String>,
    /// The time limit was reached before all strategies were counted.
    pub(super) late: bool,
    /// Number of strategies of the right length.
    pub(super) found: u64,
}

/// Returns the number of pieces of each color in a placement.
pub(super) fn pieces(fen: &str) -> [u32; 2] {
    let setup: Option<Setup> = fen.parse().ok();
    let letters = setup.map(|_| fen.split(' ').next().unwrap_or("").to_owned()).unwrap_or_default();
    let count = |is: fn(&char) -> bool| letters.chars().filter(is).count() as u32;
    [count(char::is_ascii_uppercase), count(char::is_ascii_lowercase)]
}

/// Returns the result of the check, as far as it is computed within this number of milliseconds.
pub(super) async fn look(shared: &SharedPage, wish: &ProofRequest, time_ms: u64) -> Look {
    let mut look = Look { pieces: pieces(&wish.fen), ..Look::default() };
    if wish.moves.trim().is_empty() {
        look.fault = wish.fen.parse::<Setup>().err().map(|error| error.to_string());
        return look;
    }
    // Only strategies have bounds; a short search says whether the program understands the problem.
    let mut task = wish.task(if wish.is_fairy() { "solve" } else { "bounds" });
    task.keys.extend([("time", time_ms.to_string()), ("threads", "1".to_owned())]);
    match shared.desk.ask(vec![Command::Task(task)]).await {
        Err(why) => look.fault = Some(why.to_string()),
        Ok(answer) if wish.is_fairy() => read_fairy(&answer, &mut look),
        Ok(answer) => read(&answer, plies(&wish.moves), &mut look),
    }
    look
}

/// Parses a length such as `23.0` or `22.5` as half-moves; invalid lengths are refused elsewhere.
fn plies(moves: &str) -> Option<u64> {
    let moves = moves.trim().replace(',', ".");
    let (whole, half) = moves.split_once('.').unwrap_or((&moves, "0"));
    let odd = match half {
        "0" => 0,
        "5" => 1,
        _ => return None,
    };
    whole.parse::<u64>().ok().filter(|whole| *whole < 1_000).map(|whole| 2 * whole + odd)
}

/// Reads the answer of a short search of a problem with conditions.
fn read_fairy(answer: &Records, look: &mut Look) {
    let end = answer.end::<TaskEnd>();
    let text = end.as_ref().and_then(|end| end.text.clone());
    match end.map(|end| end.status) {
        Some(StatusWord::Complete) => look.reported.extend(text.as_deref().map(capitalized)),
        Some(StatusWord::Error) => look.fault = text,
        _ => look.reported.push("The problem is understood; Solve searches its games".to_owned()),
    }
    look.fault = answer.fault().or(look.fault.take());
}

/// Reads the answer of `spg bounds` for a problem of this number of half-moves.
fn read(answer: &Records, plies: Option<u64>, look: &mut Look) {
    look.fault = answer.fault();
    let Some(end) = answer.end::<TaskEnd>() else { return };
    let reasons = answer.end::<SpgVerdict>().and_then(|verdict| verdict.reasons);
    look.reasons = reasons.iter().flatten().map(|reason| capitalized(reason)).collect();
    if !look.reasons.is_empty() {
        return;
    }
    let SpgHistogram { classes, .. } = answer.first().unwrap_or_default();
    let sum = |count: fn(&FreeMovesClass) -> u64| -> u64 { classes.iter().map(count).sum() };
    let (enumerated, left) = (sum(|class| class.enumerated), sum(|class| class.left));
    look.found = enumerated;
    if end.status != StatusWord::Complete {
        look.late = true;
        if enumerated == 0 {
            look.reported.push("The strategies are not counted yet".to_owned());
            return;
        }
        look.reported.push(format!("More than {enumerated} strategies have the right length"));
        return;
    }
    if left == 0 {
        look.reasons.push(match enumerated {
            0 => "No strategy has this length".to_owned(),
            _ => format!("All {enumerated} strategies of this length are refuted"),
        });
        return;
    }
    for color in Color::ALL {
        let free = classes.iter().filter(|class| class.left > 0);
        let free = free.map(|class| if color.is_white() { class.white } else { class.black });
        let free = free.max().unwrap_or(0);
        let name = capitalized(&color.to_string());
        let own = plies.map(|plies| if color.is_white() { plies.div_ceil(2) } else { plies / 2 });
        if let Some((own, free)) =
            own.zip(u64::try_from(free).ok()).filter(|(own, free)| free <= own)
        {
            look.reported.push(format!("{name} has made at least {} of {own} moves", own - free));
        }
        look.reported.push(match free {
            0 => format!("{name} has no move to spare"),
            1 => format!("{name} has 1 move to spare at most"),
            free => format!("{name} has {free} moves to spare at most"),
        });
    }
    look.reported.push(match left {
        1 => "1 strategy can be searched".to_owned(),
        left => format!("{left} strategies can be searched"),
    });
}

#[cfg(test)]
mod tests {
    use super::{Look, pieces, plies, read};

    fn look(lines: &[&str]) -> Look {
        let mut look = Look::default();
        read(&lines.iter().copied().collect(), Some(7), &mut look);
        look
    }

    #[test]
    fn pieces_are_counted_by_color() {
        assert_eq!(pieces("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR"), [16, 15]);
        assert_eq!(pieces("no diagram"), [0, 0]);
        assert_eq!([plies("2.5"), plies("23"), plies(" 3,0 ")], [Some(5), Some(46), Some(6)]);
        assert_eq!([plies("x"), plies("1.2"), plies("99999")], [None; 3]);
    }

    #[test]
    fn reasons_come_before_counts() {
        let kings =
            r#"{"t":"end","status":"complete","reasons":["white has 2 kings, expected one"]}"#;
        assert_eq!(look(&[kings]).reasons, ["White has 2 kings, expected one"]);
        let counted =
            r#"{"t":"histogram","classes":[{"white":2,"black":0,"enumerated":3,"left":1}]}"#;
        let reported = look(&[counted, r#"{"t":"end","status":"complete","reasons":[]}"#]).reported;
        let expected = [
            "White has made at least 2 of 4 moves",
            "White has 2 moves to spare at most",
            "Black has made at least 3 of 3 moves",
            "Black has no move to spare",
            "1 strategy can be searched",
        ];
        assert_eq!(reported, expected);
        let late = r#"{"t":"end","status":"limit","reasons":[]}"#;
        assert_eq!(
            look(&[counted, late]).reported,
            ["More than 3 strategies have the right length"]
        );
        assert_eq!(look(&[r#"{"t":"error","text":"no"}"#]).fault.as_deref(), Some("no"));
    }
}
