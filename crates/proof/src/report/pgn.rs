//! Games as PGN, which every chess program reads.

use crate::check::verify::san_of;
use crate::problem::Problem;
use crate::report::{Credits, length};
use umbrail_chess::Move;

/// One game, with the problem and the strategy in tags of their own. Lines are at most 80 columns wide.
pub fn game(
    problem: &Problem,
    credits: &Credits<'_>,
    number: usize,
    strategy: &str,
    game: &[Move],
) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::new();
    let event = credits.title.unwrap_or("Proof game");
    for (tag, value) in [
        ("Event", event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", number.to_string()),
        ("White", "?".to_owned()),
        ("Black", "?".to_owned()),
        ("Result", "*".to_owned()),
        ("Diagram", problem.diagram.to_string()),
        ("Stipulation", format!("PG in {}", length(usize::from(problem.plies)))),
        ("Strategy", strategy.to_owned()),
    ] {
        text.push_str(&format!("[{tag} \"{}\"]\n", escape(&value)));
    }
    text.push('\n');
    let mut line = String::new();
    let mut words: Vec<String> = vec![];
    for (ply, san) in san_of(game).into_iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san);
    }
    words.push("*".to_owned());
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > 80 {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    text.push_str(&line);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagram, Length, game_of};

    #[test]
    fn tags_and_moves() {
        let problem = Problem { diagram: Diagram::array(), plies: 4, length: Length::Exact };
        let moves = game_of("Nf3 Nf6 Ng1 Ng8").unwrap();
        let credits = Credits { title: Some("A \"joke\""), comments: &[] };
        let text = game(&problem, &credits, 1, "-", &moves);
        assert!(text.starts_with("[Event \"A \\\"joke\\\"\"]\n"));
        assert!(text.contains("[Stipulation \"PG in 2.0\"]\n"));
        assert!(text.ends_with("\n\n1. Nf3 Nf6 2. Ng1 Ng8 *\n"), "{text}");
    }
}
