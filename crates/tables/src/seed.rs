//! Seed files (EGTgen's `-f`): values that the user sets before the build.
//!
//! One position per line: the squares of White's pieces in the order of the endgame's name, then
//! Black's in reverse (the royal last), a blank, and a value. One square may be `**`, a wildcard
//! for that piece's square.
//!
//! ```text
//! b3e3d2a1 127
//! b3b2**b1 10
//! ```
//!
//! A value is about the position with Black to move. Under DTC 10 is checkmated, 11 mated in one,
//! and so on; under DTM 1 is checkmated. 0 is undecided (a checkmate becomes an ordinary position),
//! 126 and 127 (won for Black, stalemate) are positions that White never wins. Larger numbers than
//! EGTgen's are allowed. Every value applies to all symmetric images.
//!
//! Where EGTgen deviates from its manual, this module follows the manual. A value above 10 stays
//! (EGTgen tests it like a candidate when its level is reached, and may drop it), identical pieces
//! may come in any order, and a position where White's royal hangs is not changed.
//!
//! Blank lines, comments after `;` or `#`, and CR LF are accepted.

use super::catalog::Catalog;
use super::layout::{Layout, OTHERS_MAX};
use super::material::Material;
use super::material_key::MaterialKey;
use super::retrograde::{Seed, SeedValue};
use super::rules::Metric;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of, satisfy, space1, u32 as number};
use nom::combinator::{all_consuming, map, opt};
use nom::multi::many1;
use umbrail_chess::geometry::{Color, Square};

/// Line of a seed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedLine {
    /// Squares of White's pieces, then Black's in reverse; none is the wildcard.
    pub(crate) squares: Vec<Option<Square>>,
    /// Value as written.
    pub(crate) value: u32,
    /// Line number, from 1.
    pub(crate) line: usize,
}

/// Reason why a seed file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seeds, line {line}: {fault}")]
pub struct SeedError {
    /// Line number, from 1.
    pub line: usize,
    /// Fault of the line.
    pub fault: SeedFault,
}

/// Fault of a line of a seed file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedFault {
    /// The line has another form; with the wrong part.
    #[error("\"{0}\" must be squares and a value, such as b3e3d2a1 127")]
    Form(String),
    /// The number of squares is not the number of pieces.
    #[error("{squares} squares for the {pieces} pieces of {material}")]
    Squares {
        /// Number of squares.
        squares: usize,
        /// Number of pieces.
        pieces: usize,
        /// Name of the material.
        material: String,
    },
    /// The line has several wildcards.
    #[error("more than one wildcard **, expected at most one")]
    Wildcards,
    /// Two pieces stand on one square.
    #[error("two pieces on {0}")]
    Occupied(Square),
    /// A pawn stands on the first or the last rank.
    #[error("a pawn cannot stand on {0}")]
    PawnRank(Square),
    /// The value has no meaning under the metric.
    #[error(
        "value {value} has no meaning under {metric}, expected 0, {} to 125, 126 or 127",
        first_value(*metric)
    )]
    Value {
        /// Value as written.
        value: u32,
        /// Metric of the table.
        metric: Metric,
    },
}

/// Parses a seed file for a material under a metric.
///
/// # Errors
/// All faulty lines.
pub fn read(
    text: &str,
    material: &Material,
    metric: Metric,
) -> Result<Vec<SeedLine>, Vec<SeedError>> {
    let (mut lines, mut errors) = (Vec::new(), Vec::new());
    for (at, raw) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let content = raw.split([';', '#']).next().unwrap_or("").trim();
        if content.is_empty() {
            continue;
        }
        match line(content, at + 1, material, metric) {
            Ok(line) => lines.push(line),
            Err(fault) => errors.push(SeedError { line: at + 1, fault }),
        }
    }
    if errors.is_empty() { Ok(lines) } else { Err(errors) }
}

fn line(
    content: &str,
    line: usize,
    material: &Material,
    metric: Metric,
) -> Result<SeedLine, SeedFault> {
    type NomError<'a> = nom::error::Error<&'a str>;
    let square = map((one_of("abcdefgh"), one_of("12345678")), |(file, rank)| {
        Some(Square::at(file as u8 - b'a', rank as u8 - b'1'))
    });
    let place = alt((square, map(tag::<_, _, NomError<'_>>("**"), |_| None)));
    let value = (space1, opt(char('+')), number);
    let parsed = all_consuming((many1(place), value)).parse(content);
    let Ok((_, (squares, (_, _, value)))) = parsed else {
        let odd = content.split_whitespace().next().unwrap_or("");
        let known = |t: &str| {
            many1(satisfy::<_, _, NomError<'_>>(|c| "abcdefgh12345678*".contains(c)))
                .parse(t)
                .is_ok()
        };
        let part = if known(odd) { content } else { odd };
        return Err(SeedFault::Form(part.to_owned()));
    };
    if squares.len() != material.count() {
        return Err(SeedFault::Squares {
            squares: squares.len(),
            pieces: material.count(),
            material: material.to_string(),
        });
    }
    if squares.iter().filter(|s| s.is_none()).count() > 1 {
        return Err(SeedFault::Wildcards);
    }
    let mut given: Vec<Square> = squares.iter().flatten().copied().collect();
    given.sort_unstable();
    if let Some(pair) = given.windows(2).find(|p| p[0] == p[1]) {
        return Err(SeedFault::Occupied(pair[0]));
    }
    let pieces = material.side(Color::White).iter().chain(material.side(Color::Black).iter().rev());
    for (piece, square) in pieces.zip(&squares) {
        if let Some(square) = square.filter(|s| piece.pawn && matches!(s.rank(), 0 | 7)) {
            return Err(SeedFault::PawnRank(square));
        }
    }
    if value > STALEMATE || meaning(value, metric).is_none() {
        return Err(SeedFault::Value { value, metric });
    }
    Ok(SeedLine { squares, value, line })
}

/// Largest value of a seed: EGTgen's labels have seven bits, and the last two do not count plies.
const STALEMATE: u32 = 127;

/// Smallest value of a loss.
fn first_value(metric: Metric) -> u32 {
    if metric == Metric::Dtm { 1 } else { 10 }
}

fn meaning(value: u32, metric: Metric) -> Option<SeedValue> {
    let first = first_value(metric);
    match value {
        0 => Some(SeedValue::Undecided),
        126 | 127 => Some(SeedValue::Safe { stalemate: value == 127 }),
        n if n >= first => Some(SeedValue::Lost(2 * (n - first) as usize)),
        _ => None,
    }
}

/// Returns the cells that seed lines refer to, for "White wins" of a material.
pub(crate) fn cells(
    catalog: &Catalog,
    lines: &[SeedLine],
    material: &Material,
    key: &MaterialKey,
) -> Vec<Seed> {
    let layout = catalog.layout(key);
    let mut seeds = Vec::new();
    for line in lines {
        let Some(value) = meaning(line.value, catalog.rules.metric) else { continue };
        let choices: Vec<Square> = match line.squares.iter().any(Option::is_none) {
            true => Square::all().filter(|s| !line.squares.contains(&Some(*s))).collect(),
            false => vec![Square::A1],
        };
        for choice in choices {
            let squares: Vec<Square> = line.squares.iter().map(|s| s.unwrap_or(choice)).collect();
            add_images(catalog, &layout, material, &squares, value, &mut seeds);
        }
    }
    seeds
}

fn add_images(
    catalog: &Catalog,
    layout: &Layout,
    material: &Material,
    squares: &[Square],
    value: SeedValue,
    seeds: &mut Vec<Seed>,
) {
    let [white, black] = Color::ALL.map(|c| material.side(c));
    let reversed: Vec<Square> = squares[white.len()..].iter().rev().copied().collect();
    let pawn_off_board = |pieces: &[std::sync::Arc<crate::fairy::Piece>], at: &[Square]| {
        pieces.iter().zip(at).any(|(p, s)| p.pawn && matches!(s.rank(), 0 | 7))
    };
    if pawn_off_board(white, squares) || pawn_off_board(black, &reversed) {
        return;
    }
    for symmetry in layout.symmetry.members() {
        let home = symmetry.square(squares[0]);
        let Some(slice) = layout.homes.iter().position(|&h| h == home.number()) else {
            continue;
        };
        let side = |pieces: &[std::sync::Arc<crate::fairy::Piece>], at: &[Square]| {
            let kinds = pieces[1..].iter().filter_map(|p| catalog.number(p));
            let squares = at[1..].iter().map(|s| symmetry.square(*s).number());
            kinds.zip(squares).collect::<Vec<(usize, u8)>>()
        };
        let (mut ours, mut theirs) = (side(white, squares), side(black, &reversed));
        let pieces = catalog.arrange([&mut ours, &mut theirs]);
        debug_assert!(layout.others <= OTHERS_MAX);
        seeds.push(Seed {
            slice,
            word: layout.encode(&pieces),
            loser_royal: symmetry.square(reversed[0]).number(),
            value,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::fairy::PieceSet;
    use crate::{Material, Metric};

    fn refuses(text: &str, part: &str) {
        let material = Material::read("KQ.KR", &PieceSet::default()).unwrap();
        let errors = read(text, &material, Metric::Dtc).unwrap_err();
        assert!(errors[0].to_string().contains(part), "{}", errors[0]);
    }

    #[test]
    fn the_manuals_lines_are_read() {
        let material = Material::read("KQ.KR", &PieceSet::default()).unwrap();
        let text = "b3e3d2a1 127\r\nb3e3d2b1 10\n\nb3b2**b1 10 ; a comment\n";
        let lines = read(text, &material, Metric::Dtc).unwrap();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[2].squares.iter().filter(|s| s.is_none()).count(), 1);
        assert_eq!((lines[0].value, lines[2].line), (127, 4));
    }

    #[test]
    fn faults_are_named() {
        refuses("b3e3d2 10", "3 squares for the 4 pieces");
        refuses("b3**d2** 10", "more than one wildcard");
        refuses("b3e3d2i1 10", "b3e3d2i1");
        refuses("b3e3b3a1 10", "two pieces on b3");
        refuses("b3e3d2a1 7", "value 7");
        refuses("b3e3d2a1", "must be squares and a value");
        refuses("b3e3d2a1 99999999999", "must be squares");
    }
}
