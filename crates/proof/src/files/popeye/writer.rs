//! Problems as Popeye's input, with English words.

use crate::positions::{
    FairyProblem, FairyStart, PieceName, PlacedMan, Turns, is_condition_of_game, letters_of_piece,
};
use crate::problem::Length;
use crate::report::length;
use std::fmt::Write as _;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// Reason why Popeye has no words for a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Popeye has no words for {0}")]
pub struct NotInPopeye(pub String);

/// Writes one problem, from `BeginProblem` to `EndProblem`.
///
/// # Errors
/// The first part of the problem that Popeye's input cannot express.
pub fn write(problem: &FairyProblem, title: Option<&str>) -> Result<String, NotInPopeye> {
    let no = |what: &str| Err(NotInPopeye(what.to_owned()));
    let has_start = problem.start.men.is_some();
    let of_game = problem.conditions.iter().find(|one| is_condition_of_game(one.name));
    if let Some(condition) = of_game {
        return no(&format!("the condition {condition}"));
    }
    if problem.uncolored {
        return no("pieces without a color");
    }
    if !problem.added.is_empty() {
        return no("pieces that stand anywhere");
    }
    let start = problem.start.men.as_deref().unwrap_or_default();
    let stands =
        |piece: &PieceName| start.iter().chain(&problem.target).any(|man| man.piece == *piece);
    if let Some(piece) = problem.pieces.iter().find(|piece| !stands(piece)) {
        let letters = letters(*piece)?;
        return no(&format!("promotions to a piece that stands on no diagram ({letters})"));
    }
    let is_alice = problem.conditions.iter().any(|one| one.name == "AliceChess");
    if is_alice && !problem.states_boards {
        return no("pieces on either board; --board-b names the squares of board B");
    }
    let mut text = "BeginProblem\n".to_owned();
    if let Some(title) = title {
        let _ = writeln!(text, "title {}", title.replace(['\n', '\r'], " "));
    }
    for condition in &problem.conditions {
        let _ = writeln!(text, "condition {condition}");
    }
    options(&mut text, problem);
    if has_start {
        pieces(&mut text, start)?;
    }
    let _ = writeln!(text, "stipulation {}", stipulation(problem));
    pieces(&mut text, &problem.target)?;
    if let Some(square) = problem.imitator_end {
        let _ = writeln!(text, "condition Imitator {square}");
    }
    text.push_str("EndProblem\n");
    Ok(text)
}

fn stipulation(problem: &FairyProblem) -> String {
    let order = match problem.turns {
        Turns::Alternating => "",
        Turns::Series => "ser-",
        Turns::SeriesHelp => "ser-h",
        Turns::Parry => "pser-",
        Turns::ParryHelp => "pser-h",
    };
    let exact = if problem.length == Length::Exact { "exact-" } else { "" };
    let goal = if problem.start.men.is_some() { "a=>b" } else { "dia" };
    let moves = match problem.turns {
        Turns::Alternating => length(usize::from(problem.plies)),
        series => (problem.plies - u16::from(series.has_help())).to_string(),
    };
    format!("{order}{exact}{goal}{moves}")
}

/// Writes who begins, and the castlings and the en passant capture that the start does not show.
fn options(text: &mut String, problem: &FairyProblem) {
    let FairyStart { men, turn, castling, en_passant } = &problem.start;
    let mut words = vec![];
    // White begins from the array and in a series; otherwise Black does.
    let is_own = problem.turns.is_series() && !problem.turns.has_help();
    let usual = match men.is_none() || is_own {
        true => Color::White,
        false => Color::Black,
    };
    if *turn != usual {
        words.push(if usual.is_white() { "HalfDuplex" } else { "WhiteToPlay" }.to_owned());
    }
    let rooks = [Square::H1, Square::A1, Square::H8, Square::A8];
    let lost = (0..4).filter(|right| castling & (1 << right) == 0).map(|right| rooks[right]);
    let is_rook = |square: &Square| {
        let rook = PieceName::Standard(Role::Rook);
        men.iter().flatten().any(|man| man.square == *square && man.piece == rook)
    };
    let lost: String = lost.filter(is_rook).map(|square| square.to_string()).collect();
    if !lost.is_empty() {
        words.push(format!("NoCastling {lost}"));
    }
    if let Some(square) = en_passant {
        words.push(format!("EnPassant {square}"));
    }
    if !words.is_empty() {
        let _ = writeln!(text, "option {}", words.join(" "));
    }
}

/// Returns Popeye's English letters of a piece.
fn letters(piece: PieceName) -> Result<String, NotInPopeye> {
    match piece {
        PieceName::Standard(role) | PieceName::Neutral(role) => Ok(match role {
            Role::Knight => "S".to_owned(),
            role => role.letter().to_string(),
        }),
        PieceName::Fairy(name) | PieceName::NeutralFairy(name) => {
            let letters = letters_of_piece(name);
            letters.map(str::to_uppercase).ok_or_else(|| NotInPopeye(format!("the piece {name}")))
        }
        PieceName::Any | PieceName::Anything => Err(NotInPopeye("pieces of any kind".to_owned())),
    }
}

/// Writes the men of a position, those of a kind together.
fn pieces(text: &mut String, men: &[PlacedMan]) -> Result<(), NotInPopeye> {
    let mut word = "pieces";
    for side in ["white", "black", "neutral"] {
        let side_of = |man: &PlacedMan| match man.color {
            _ if man.piece.is_neutral() => "neutral",
            Color::White => "white",
            Color::Black => "black",
        };
        let mut words = vec![];
        for on_b in [false, true] {
            let mut kinds: Vec<(String, String)> = vec![];
            for man in men.iter().filter(|man| (side_of(man), man.on_b) == (side, on_b)) {
                let letters = letters(man.piece)?;
                match kinds.iter_mut().find(|(known, _)| *known == letters) {
                    Some((_, squares)) => squares.push_str(&man.square.to_string()),
                    None => kinds.push((letters, man.square.to_string())),
                }
            }
            if on_b && !kinds.is_empty() {
                words.push("AliceB".to_owned());
            }
            words.extend(kinds.into_iter().map(|(letters, squares)| letters + &squares));
        }
        if !words.is_empty() {
            let _ = writeln!(text, "{word} {side} {}", words.join(" "));
            word = "      ";
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::files::sheet;

    fn of_sheet(text: &str) -> FairyProblem {
        sheet::read(text).remove(0).unwrap().problem
    }

    /// The fields that Popeye's input keeps, with the men sorted by square.
    fn essence(problem: &FairyProblem) -> String {
        let mut men = [problem.start.men.clone(), Some(problem.target.clone())];
        men.iter_mut().flatten().for_each(|men| men.sort_by_key(|man| man.square.index()));
        let FairyStart { turn, castling, en_passant, .. } = &problem.start;
        let FairyProblem { plies, length, turns, conditions, imitator_end, .. } = problem;
        format!(
            "{men:?} {turn:?} {castling} {en_passant:?} {plies} {length:?} {turns:?} {conditions:?} {imitator_end:?}"
        )
    }

    #[test]
    fn what_is_written_is_read_again() {
        let end = "r3k2r/8/8/8/4P3/8/8/R3K2R";
        for text in [
            "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR\n1.5\nCondition: Circe RexInclusive\n",
            "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR\n1.5\nexact\n",
            "4k3/8/8/8/8/4P3/8/4K2R\nser-a=>b 2\nStart: 4k3/8/8/8/8/8/4P3/4K1R1 w - -\n",
            "4k3/8/8/8/8/4P3/8/4K2R\nser-a=>b 2\nStart: 4k3/8/8/8/8/8/4P3/4K1R1 b - -\n",
            &format!("{end}\na=>b 1.0\nStart: r3k2r/8/8/8/8/8/4P3/R3K2R w Kq -\n"),
            &format!("{end}\na=>b 1.5\nStart: r3k2r/8/8/8/4P3/8/8/R3K2R b Qk e3\n"),
            "4k3/8/8/6G1/8/8/8/4K3\na=>b 1.0\nStart: 4k3/8/8/8/8/8/8/G3K3 w - -\nPiece: G=grasshopper\n",
        ] {
            let problem = of_sheet(text);
            let written = write(&problem, Some("A title")).unwrap();
            let twins = read(&written).unwrap_or_else(|why| panic!("{written}: {why}"));
            assert_eq!(twins.len(), 1);
            assert_eq!(essence(&twins[0].problem), essence(&problem), "{written}");
            assert_eq!(
                twins[0].title.as_deref(),
                Some(written.contains("HalfDuplex"))
                    .map(|duplex| { if duplex { "A title (duplex)" } else { "A title" } })
            );
        }
    }

    #[test]
    fn all_that_is_read_is_written() {
        for text in [
            "BeginProblem\npieces white Kh5 Pa7c7 black Kd7 Pc2h2\nstipulation a=>b5.5\npieces white Kh5 black Kd7\nEndProblem",
            "BeginProblem\npieces white Ke1 Sg1 black Kf7 Qd8\nstipulation dia2.5\ncondition Alice\nEndProblem",
            "BeginProblem\ncondition Imitator a1\npieces white Ke1 black Ke8\nstipulation pser-ha=>b3\npieces white Ke2 black Ke7\ncondition Imitator b2\nEndProblem",
        ] {
            let problem = &read(text).unwrap()[0].problem;
            let written = write(problem, None).unwrap();
            assert_eq!(essence(&read(&written).unwrap()[0].problem), essence(problem), "{written}");
        }
    }

    #[test]
    fn what_popeye_does_not_know_is_named() {
        let refused = |more: &str| {
            let text = format!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR\n0.5\n{more}\n");
            write(&of_sheet(&text), None).unwrap_err().to_string()
        };
        assert_eq!(refused("no checks"), "Popeye has no words for the condition NoChecks");
        assert!(
            refused("Piece: G=grasshopper")
                .contains("promotions to a piece that stands on no diagram (G)")
        );
        assert_eq!(refused("color the pieces"), "Popeye has no words for pieces without a color");
    }
}
