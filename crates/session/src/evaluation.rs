//! The static evaluation as `eval` shows it: the value, the value of each piece, and that of each output bucket.

use super::event::{Facts, PieceValue};
use umbrail_chess::Position;
use umbrail_chess::geometry::Square;
use umbrail_search as search;
use umbrail_search::{Score, WIN_MODEL};

/// Describes the static value for the side to move, search centipawns, and the evaluation that it comes from.
pub(super) fn evaluation(
    position: &Position,
    value: i32,
    network: Option<&search::Network>,
) -> (Facts, Vec<String>) {
    let is_quiet = !position.in_check();
    let handwritten = search::evaluate(position);
    let network = network.filter(|_| is_quiet);
    let pieces = network.map_or_else(Vec::new, |network| {
        let values = network.piece_values(position);
        values.into_iter().map(|(at, cp)| PieceValue { square: at.to_string(), cp }).collect()
    });
    let facts = Facts::Evaluation {
        cp: is_quiet.then_some(value),
        handwritten_cp: is_quiet.then_some(handwritten),
        network: network.map(ToString::to_string),
        pieces,
        buckets: network.map_or_else(Vec::new, |network| network.bucket_values(position)),
    };
    if !is_quiet {
        return (facts, vec!["Evaluation: none (in check)".to_owned()]);
    }
    let sign = if position.turn().is_white() { 1 } else { -1 };
    let white = |value: i32| {
        let shown = match WIN_MODEL.shown(Score::Cp(sign * value), position) {
            Score::Cp(cp) => cp,
            Score::Mate(_) => sign * value,
        };
        let pawns = f64::from(shown) / 100.0;
        format!("{pawns:+.2} pawns for White ({:+} search centipawns)", sign * value)
    };
    let page = match network {
        None => vec![format!("Evaluation: {}, without searching, written by hand", white(value))],
        Some(network) => {
            let mut page = vec![
                format!("Evaluation: {}, without searching, network {network}", white(value)),
                format!("Written by hand: {}", white(handwritten)),
                String::new(),
                "Value of each piece, search centipawns for White: the evaluation less that without the piece"
                    .to_owned(),
            ];
            page.extend(board(network, position));
            page.push(String::new());
            page.push(format!("Value by output bucket: {}", buckets(network, position)));
            page
        }
    };
    (facts, page)
}

/// Returns the board with the value of each piece below its letter.
fn board(network: &search::Network, position: &Position) -> Vec<String> {
    let values = network.piece_values(position);
    let setup = position.to_setup();
    let ruler = format!("+{}", "-------+".repeat(8));
    let mut lines = vec![ruler.clone()];
    for rank in (0..8).rev() {
        let [mut letters, mut numbers] = ["|"; 2].map(str::to_owned);
        for file in 0..8 {
            let square = Square::at(file, rank);
            let letter = setup.piece(square).map_or(' ', |(color, letter)| {
                if color.is_white() { letter } else { letter.to_ascii_lowercase() }
            });
            let value = values.iter().find(|(at, _)| *at == square);
            let value = value.map_or_else(String::new, |(_, cp)| format!("{cp:+}"));
            letters.push_str(&format!("{letter:^7}|"));
            numbers.push_str(&format!("{value:^7}|"));
        }
        lines.extend([letters, numbers, ruler.clone()]);
    }
    lines
}

/// Returns the value for White of each output bucket; the one in use has a star.
fn buckets(network: &search::Network, position: &Position) -> String {
    let sign = if position.turn().is_white() { 1 } else { -1 };
    let used = search::features::bucket(position.occupied().len(), network.buckets());
    let each = network.bucket_values(position).into_iter().enumerate().map(|(at, value)| {
        let star = if at == used { "*" } else { "" };
        format!("{:+}{star}", sign * value)
    });
    each.collect::<Vec<_>>().join(" ")
}
