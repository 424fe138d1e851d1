//! Clauses of a stipulation: `PG in 5.5`, `ser-dia5`, `a=>b 4.5`, `2 solutions`, `duplex`, and names of conditions.
//!
//! A line has one clause, or several between commas, semicolons or brackets: `PG in 9.0 (Circe), 2 solutions`.

use super::length::length_of;
use crate::positions::{ConditionName, NameError, PieceName, Turns};
use umbrail_chess::geometry::Color;

/// A part of a line with its place in it, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinePart<'a> {
    pub text: &'a str,
    pub at: usize,
}

/// A stipulation that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Clause {
    /// A length, perhaps with a kind of game.
    Goal(SheetGoal),
    /// Number of intended solutions.
    Solutions(usize),
    /// Also the games in which the other side begins, or these alone.
    Duplex { only: bool },
    /// Also the set play.
    SetPlay,
    /// The diagram alone is not a problem.
    ZeroPosition,
    /// One side makes all moves; the length counts its moves.
    Series,
    /// Shorter games do not count.
    Exact,
    /// Each piece may have either color.
    Uncolored,
    /// A piece that stands on any further square.
    Added(Color, PieceName),
    /// A condition.
    Condition(ConditionName),
}

/// Length and kind of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SheetGoal {
    pub plies: u16,
    /// Shorter games do not count.
    pub exact: bool,
    /// One side makes all moves; `plies` is their number.
    pub series: bool,
    /// Order of turns of a series; meaningless otherwise.
    pub kind: Turns,
    /// The length is a number without words, which counts half-moves.
    pub halves: bool,
    /// `a=>b`, with a start of its own, or `dia`, from the initial position.
    pub from_array: Option<bool>,
}

/// Splits a line at commas before a space, semicolons and brackets.
pub(super) fn parts(text: &str) -> Vec<LinePart<'_>> {
    let mut all = vec![];
    let mut from = 0;
    let ends = |at: usize, symbol: char| match symbol {
        ';' | '(' | ')' | '[' | ']' => true,
        ',' => text[at + 1..].starts_with(char::is_whitespace),
        _ => false,
    };
    let cuts = text.char_indices().filter(|&(at, symbol)| ends(at, symbol)).map(|(at, _)| at);
    for cut in cuts.chain([text.len()]) {
        let piece = &text[from..cut];
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            all.push(LinePart { text: trimmed, at: from + piece.len() - piece.trim_start().len() });
        }
        from = cut + 1;
    }
    all
}

/// Words for solutions, in front of which a number stands.
const SOLUTIONS: &str = "solution solutions sol sols lösung lösungen loesungen lsg";
/// Numbers as words, from two on.
const NUMBERS: [&[&str]; 3] =
    [&["two", "zwei", "deux"], &["three", "drei", "trois"], &["four", "vier", "quatre"]];
/// Words for pieces whose colors are to be found.
const UNCOLORED: [&str; 5] = [
    "color the pieces",
    "colour the pieces",
    "färbe die steine",
    "färbe alle steine",
    "colorier les pièces",
];
/// Words in front of conditions.
const CONDITIONS: &str = "condition conditions bedingung bedingungen";

/// Reads one clause; `None` if it is none.
///
/// # Errors
/// The name of a condition that is not known, after a word that announces one.
pub(super) fn clause(text: &str) -> Result<Option<Clause>, NameError> {
    let text = text.trim().trim_end_matches('.');
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    if UNCOLORED.contains(&lower.as_str()) {
        return Ok(Some(Clause::Uncolored));
    }
    let known = match words.as_slice() {
        ["add", article @ .., color, name]
            if matches!(article, [] | ["a" | "an" | "one"])
                && piece_without_square(name).is_some() =>
        {
            let color = match *color {
                "white" => Some(Color::White),
                "black" => Some(Color::Black),
                _ => None,
            };
            color.zip(piece_without_square(name)).map(|(color, piece)| Clause::Added(color, piece))
        }
        ["series" | "serie" | "serien" | "série"] | ["series", "moves"] => Some(Clause::Series),
        ["exact" | "exakt"] | ["exact", "length"] => Some(Clause::Exact),
        ["duplex"] => Some(Clause::Duplex { only: false }),
        ["halfduplex" | "half-duplex"] | ["half", "duplex"] => Some(Clause::Duplex { only: true }),
        ["setplay" | "set-play" | "satzspiel"] | ["set", "play"] => Some(Clause::SetPlay),
        ["zeroposition" | "zero-position" | "nullstellung"] | ["zero", "position"] => {
            Some(Clause::ZeroPosition)
        }
        [count, noun] if SOLUTIONS.split(' ').any(|known| known == *noun) => {
            let word = NUMBERS.iter().position(|names| names.contains(count)).map(|at| at + 2);
            word.or_else(|| count.parse().ok().filter(|&n| n > 0)).map(Clause::Solutions)
        }
        _ => goal(&lower).map(Clause::Goal),
    };
    if known.is_some() {
        return Ok(known);
    }
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let first = first.trim_end_matches(':').to_lowercase();
    if CONDITIONS.split(' ').any(|known| known == first) && !rest.is_empty() {
        return ConditionName::read(rest.trim()).map(Clause::Condition).map(Some);
    }
    Ok(None)
}

/// Reads the name of a piece that is one of chess or a fairy piece.
fn piece_without_square(name: &str) -> Option<PieceName> {
    PieceName::named(name).filter(|piece| !matches!(piece, PieceName::Any | PieceName::Anything))
}

/// Words for a game between two positions.
const ARROWS: [&str; 4] = ["a=>b", "a→b", "a->b", "a⇒b"];

/// Returns true if a text begins with the kind of a game.
fn is_kind(text: &str) -> bool {
    text.starts_with("dia") || ARROWS.iter().any(|arrow| text.starts_with(arrow))
}

/// Reads a length with words in front of it. In a series, each move is one half-move.
fn goal(lower: &str) -> Option<SheetGoal> {
    let mut rest = lower.trim();
    for word in ["stipulation:", "stipulation ", "forderung:", "forderung ", "enonce "] {
        rest = rest.strip_prefix(word).map_or(rest, str::trim_start);
    }
    let (mut series, mut exact, mut parries, mut has_help) = (false, false, false, false);
    loop {
        rest = if let Some(after) = strip_word(rest, &["ser", "series", "serie", "serien", "série"])
        {
            series = true;
            after
        } else if let Some(after) = strip_word(rest, &["pser"]) {
            (series, parries) = (true, true);
            after
        } else if let Some(after) = strip_word(rest, &["parry"]) {
            parries = true;
            after
        } else if let Some(after) = strip_word(rest, &["help"]).filter(|_| series) {
            has_help = true;
            after
        } else if let Some(after) = strip_word(rest, &["exact", "exakt"]) {
            exact = true;
            after
        } else {
            break;
        };
    }
    if let Some(after) = rest.strip_prefix('h').filter(|after| series && is_kind(after)) {
        (has_help, rest) = (true, after);
    }
    let kind = match (parries, has_help) {
        (false, false) => Turns::Series,
        (false, true) => Turns::SeriesHelp,
        (true, false) => Turns::Parry,
        (true, true) => Turns::ParryHelp,
    };
    if parries && !series {
        return None;
    }
    let mut from_array = None;
    for arrow in ARROWS {
        if let Some(after) = rest.strip_prefix(arrow) {
            (from_array, rest) = (Some(false), after.trim_start());
            // A number alone counts moves behind a kind of game.
            let number = rest.strip_prefix("in ").unwrap_or(rest);
            let moves = length_of(&format!("pg in {number}"))?;
            let goal =
                SheetGoal { plies: moves, exact, series: false, kind, halves: false, from_array };
            return if series { goal.in_series() } else { Some(goal) };
        }
    }
    if rest.starts_with("dia") {
        from_array = Some(true);
    }
    let halves = rest.bytes().all(|byte| byte.is_ascii_digit());
    let plies = length_of(rest)?;
    let goal = SheetGoal { plies, exact, series: false, kind, halves, from_array };
    if series { goal.in_series() } else { Some(goal) }
}

impl SheetGoal {
    /// Returns the series of this length: each of its moves is a half-move, and a length in moves must be whole.
    pub(super) fn in_series(self) -> Option<Self> {
        match self {
            Self { series: true, .. } => Some(self),
            Self { halves: true, .. } => Some(Self { series: true, ..self }),
            Self { plies, .. } if plies.is_multiple_of(2) => {
                Some(Self { plies: plies / 2, series: true, ..self })
            }
            _ => None,
        }
    }
}

/// Removes a word and the hyphen or blank after it.
fn strip_word<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let end = text.find(['-', ' ', '.'])?;
    words.contains(&&text[..end]).then(|| text[end..].trim_start_matches(['-', ' ', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Clause> {
        clause(text).unwrap()
    }

    #[test]
    fn kinds_of_games_have_their_lengths() {
        let goal = |plies, [exact, series]: [bool; 2], from_array| {
            Some((plies, exact, series, from_array))
        };
        let read = |text| match read(text) {
            Some(Clause::Goal(SheetGoal { plies, exact, series, from_array, .. })) => {
                Some((plies, exact, series, from_array))
            }
            other => {
                assert_eq!(other, None);
                None
            }
        };
        for (text, expected) in [
            ("PG in 5.5", goal(11, [false, false], None)),
            ("dia5.5", goal(11, [false, false], Some(true))),
            ("exact-dia 4", goal(8, [true, false], Some(true))),
            ("ser-dia5", goal(5, [false, true], Some(true))),
            ("Series PG in 12.0", goal(12, [false, true], None)),
            ("ser-a=>b 12", goal(12, [false, true], Some(false))),
            ("a=>b 4.5", goal(9, [false, false], Some(false))),
            ("a=>b5.5", goal(11, [false, false], Some(false))),
            ("exact-ser-dia 3", goal(3, [true, true], Some(true))),
            ("Stipulation: a→b 2.5", goal(5, [false, false], Some(false))),
            ("ser 12", goal(12, [false, true], None)),
            ("ser-dia 4.5", None),
            ("PG 17¼", None),
            ("h#3", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn series_have_their_order_of_turns() {
        for (text, expected) in [
            ("ser-dia5", Some((5, Turns::Series))),
            ("pser-dia5", Some((5, Turns::Parry))),
            ("ser-hdia 5", Some((5, Turns::SeriesHelp))),
            ("pser-ha=>b 3", Some((3, Turns::ParryHelp))),
            ("ser-ha=>b2", Some((2, Turns::SeriesHelp))),
            ("parry series PG in 4.0", Some((4, Turns::Parry))),
            ("series help PG in 4.0", Some((4, Turns::SeriesHelp))),
            ("parry PG in 4.0", None),
            ("hdia5", None),
        ] {
            let found = match read(text) {
                Some(Clause::Goal(goal)) => Some((goal.plies, goal.kind)),
                _ => None,
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn other_clauses_are_read() {
        assert_eq!(read("2 solutions"), Some(Clause::Solutions(2)));
        assert_eq!(read("zwei Lösungen"), Some(Clause::Solutions(2)));
        assert_eq!(read("0 solutions"), None);
        assert_eq!(read("Duplex"), Some(Clause::Duplex { only: false }));
        assert_eq!(read("half-duplex"), Some(Clause::Duplex { only: true }));
        assert_eq!(read("series"), Some(Clause::Series));
        assert_eq!(read("Set play"), Some(Clause::SetPlay));
        assert_eq!(read("Exact"), Some(Clause::Exact));
        assert_eq!(read("zero position"), Some(Clause::ZeroPosition));
        assert_eq!(read("Colour the pieces."), Some(Clause::Uncolored));
        let queen = PieceName::Standard(umbrail_chess::Role::Queen);
        assert_eq!(read("Add a black queen"), Some(Clause::Added(Color::Black, queen)));
        assert_eq!(read("add black Qe4"), None);
        let named = |text: &str| match read(text) {
            Some(Clause::Condition(name)) => name.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(named("Condition Circe RexInclusive"), "Circe RexInclusive");
        let wrong = clause("Condition: Circe Nonsense").unwrap_err().to_string();
        assert_eq!(wrong, "\"Nonsense\" is no variant of Circe");
    }

    #[test]
    fn a_line_is_split_at_its_signs_but_not_in_numbers() {
        let texts = |text| parts(text).iter().map(|part| (part.at, part.text)).collect::<Vec<_>>();
        assert_eq!(
            texts("PG in 9,0 (Circe), 2 solutions"),
            [(0, "PG in 9,0"), (11, "Circe"), (19, "2 solutions")]
        );
        assert_eq!(texts("3,5; 4,0"), [(0, "3,5"), (5, "4,0")]);
    }
}
