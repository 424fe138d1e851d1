//! Rules of a game as text: a board, rules, and one line for each piece.
//!
//! ```text
//! name = xiangqi
//! board = 9x10
//! stalemate = loses
//! facing = forbidden
//! K general = W; zone d1-f3
//! P soldier = fW from 1-5; fsW from 6-10; zone a4-a5 c4-c5 e4-e5 g4-g5 i4-i5 6-10
//! ```
//!
//! Keys:
//! - `name`, `board` (files x ranks, `c` for a cylinder), `holes` (squares);
//! - `stalemate` (`draws`, `loses`), `bare` (`plays`, `loses`, `loses-unless-it-bares`), `facing`
//!   (`allowed`, `forbidden`), `fifty-moves` (`none`, `draw`: the rule of chess);
//! - `start` (initial position), `source`, and `not-modelled`, which may be repeated.
//!
//! A line of a piece is its capital letter, its name, and parts divided by `;`: movements in Betza's
//! notation, each with `from SQUARES` if it is not for all of them; `zone SQUARES`;
//! `promotes LETTERS on SQUARES`, with `forced on SQUARES` if the piece may stay as it is elsewhere;
//! `twice from SQUARES` for a pawn's double step. Squares are `d1`, rectangles `d1-f3` and ranks `4`
//! or `6-10`, as White sees the board. Text after `#` is a comment.

use super::definition::{
    BareRoyal, Game, GameRules, GameRulesError, MovementPart, PieceSpec, Promotion,
};
use crate::fairy::{Piece, PieceSet};
use crate::grid::{Grid, GridError, SquareSet};
use std::sync::Arc;

/// Rules that come with the program.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name, such as `xiangqi`.
    pub name: &'static str,
    text: &'static str,
}

/// All rules that come with the program.
pub const PRESETS: &[Preset] = &[
    Preset { name: "capablanca", text: include_str!("presets/capablanca.ini") },
    Preset { name: "gardner", text: include_str!("presets/gardner.ini") },
    Preset { name: "gothic", text: include_str!("presets/gothic.ini") },
    Preset { name: "grand", text: include_str!("presets/grand.ini") },
    Preset { name: "losalamos", text: include_str!("presets/losalamos.ini") },
    Preset { name: "makruk", text: include_str!("presets/makruk.ini") },
    Preset { name: "shatranj", text: include_str!("presets/shatranj.ini") },
    Preset { name: "xiangqi", text: include_str!("presets/xiangqi.ini") },
];

/// Reason why a text has no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesFileError {
    /// A line is faulty.
    #[error("line {line}: {fault}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Fault.
        fault: RulesFault,
    },
    /// A key is missing.
    #[error("the line \"{0}\" is missing")]
    Missing(&'static str),
    /// The pieces do not fit together.
    #[error(transparent)]
    Game(#[from] GameRulesError),
}

/// Fault of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesFault {
    /// The line has no equals sign.
    #[error("\"{0}\" is not of the form key = value")]
    Form(String),
    /// A key is unknown.
    #[error(
        "unknown key \"{0}\", expected name, board, holes, stalemate, bare, facing, fifty-moves, start, \
         source, not-modelled or a capital letter"
    )]
    Key(String),
    /// A value is not possible.
    #[error("{key} is \"{got}\", expected {expected}")]
    Value {
        /// Key.
        key: &'static str,
        /// Value.
        got: String,
        /// Possible values.
        expected: &'static str,
    },
    /// The board is not possible, or a square is not on it.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A movement is faulty.
    #[error("{0}")]
    Movement(String),
    /// A part of a piece's line is incomplete.
    #[error("\"{0}\": expected {1}")]
    Part(String, &'static str),
    /// A letter is defined twice.
    #[error("the letter {0} is defined twice")]
    Twice(char),
}

impl Preset {
    /// Returns the text of the rules.
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns the rules of this name, in upper or lower case.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(name))
    }
}

/// Line of a piece before the board is known.
struct PieceLine {
    line: usize,
    letter: char,
    name: String,
    text: String,
}

impl Game {
    /// Reads the rules of a game.
    ///
    /// # Errors
    /// [`RulesFileError`] with the line.
    pub fn read(text: &str) -> Result<Self, RulesFileError> {
        let mut name = None;
        let mut grid = None;
        let mut holes = None;
        let (mut source, mut start, mut not_modelled) = (String::new(), String::new(), vec![]);
        let mut rules = GameRules::default();
        let mut lines: Vec<PieceLine> = vec![];
        for (number, whole) in (1..).zip(text.lines()) {
            let at = |fault: RulesFault| RulesFileError::Line { line: number, fault };
            let line = whole.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (key, value) =
                line.split_once('=').ok_or_else(|| at(RulesFault::Form(line.to_owned())))?;
            let (key, value) = (key.trim(), value.trim());
            let bad =
                |key, expected| at(RulesFault::Value { key, got: value.to_owned(), expected });
            match key {
                "name" => name = Some(value.to_owned()),
                "board" => grid = Some(value.parse::<Grid>().map_err(|e| at(e.into()))?),
                "holes" => holes = Some((number, value)),
                "start" => start = value.to_owned(),
                "source" => source = value.to_owned(),
                "not-modelled" => not_modelled.push(value.to_owned()),
                "stalemate" => {
                    rules.stalemate_loses = match value {
                        "draws" => false,
                        "loses" => true,
                        _ => return Err(bad("stalemate", "draws or loses")),
                    }
                }
                "bare" => {
                    rules.bare = match value {
                        "plays" => BareRoyal::Plays,
                        "loses" => BareRoyal::Loses,
                        "loses-unless-it-bares" => BareRoyal::LosesUnlessItBares,
                        _ => return Err(bad("bare", "plays, loses or loses-unless-it-bares")),
                    }
                }
                "fifty-moves" => {
                    rules.fifty_moves = match value {
                        "none" => false,
                        "draw" => true,
                        _ => return Err(bad("fifty-moves", "none or draw")),
                    }
                }
                "facing" => {
                    rules.facing = match value {
                        "allowed" => false,
                        "forbidden" => true,
                        _ => return Err(bad("facing", "allowed or forbidden")),
                    }
                }
                _ => {
                    let (letter, name) = key.split_once(' ').unwrap_or((key, ""));
                    let mut letters = letter.chars();
                    let (Some(letter @ 'A'..='Z'), None) = (letters.next(), letters.next()) else {
                        return Err(at(RulesFault::Key(key.to_owned())));
                    };
                    if lines.iter().any(|line| line.letter == letter) {
                        return Err(at(RulesFault::Twice(letter)));
                    }
                    let (name, text) = (name.trim().to_owned(), value.to_owned());
                    lines.push(PieceLine { line: number, letter, name, text });
                }
            }
        }
        let mut grid = grid.ok_or(RulesFileError::Missing("board = 8x8"))?;
        let name = name.ok_or(RulesFileError::Missing("name = NAME"))?;
        if let Some((line, value)) = holes {
            let at = |fault: RulesFault| RulesFileError::Line { line, fault };
            let holes = squares(value, &grid).map_err(at)?;
            grid = grid.without(holes).map_err(|error| at(error.into()))?;
        }
        let mut movements: Vec<Movements> = vec![];
        let mut specs = vec![];
        for line in &lines {
            let at = |fault: RulesFault| RulesFileError::Line { line: line.line, fault };
            let (moves, spec) = piece(line, &grid).map_err(at)?;
            movements.push(moves);
            specs.push(spec);
        }
        for (spec, moves) in specs.iter_mut().zip(&movements) {
            spec.parts =
                moves.iter().map(|(piece, from)| MovementPart { piece, from: *from }).collect();
        }
        let game = Self::new(name, grid, rules, specs)?;
        Ok(Self { source, start, not_modelled, ..game })
    }
}

/// Movements of a piece, with the squares where each applies.
type Movements = Vec<(Arc<Piece>, u128)>;

/// Reads the parts of a piece's line; its movements are beside the rest.
fn piece<'a>(line: &PieceLine, grid: &Grid) -> Result<(Movements, PieceSpec<'a>), RulesFault> {
    let all = grid.squares();
    let mut spec = PieceSpec {
        letter: line.letter,
        name: line.name.clone(),
        movement: line.text.clone(),
        parts: vec![],
        zone: all,
        promotion: None,
        double_step: 0,
    };
    let mut moves = vec![];
    for part in line.text.split(';').map(str::trim) {
        let incomplete = |expected| RulesFault::Part(part.to_owned(), expected);
        let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
        match word {
            "zone" => spec.zone = squares(rest, grid)?,
            "promotes" => {
                let expected = "promotes LETTERS on SQUARES, and forced on SQUARES if needed";
                let (letters, on) = rest.split_once(" on ").ok_or_else(|| incomplete(expected))?;
                let (zone, forced) = match on.split_once(" forced on ") {
                    Some((zone, forced)) => (squares(zone, grid)?, squares(forced, grid)?),
                    None => (squares(on, grid)?, squares(on, grid)?),
                };
                let letters = letters.trim().to_owned();
                spec.promotion = Some(Promotion { letters, zone, forced });
            }
            "twice" => {
                let from = rest.strip_prefix("from ");
                let from = from.ok_or_else(|| incomplete("twice from SQUARES"))?;
                spec.double_step = squares(from, grid)?;
            }
            _ => {
                let from = match rest.strip_prefix("from ") {
                    Some(from) => squares(from, grid)?,
                    None if rest.is_empty() => all,
                    None => return Err(incomplete("a movement, and from SQUARES")),
                };
                moves.push((movement(word)?, from));
            }
        }
    }
    Ok((moves, spec))
}

/// Reads a movement in Betza's notation.
fn movement(text: &str) -> Result<Arc<Piece>, RulesFault> {
    let set = PieceSet::with_definitions(&format!("X = {text}"));
    let set = set.map_err(|errors| {
        let fault = errors.first().map(|error| error.fault.to_string());
        RulesFault::Movement(fault.unwrap_or_default())
    })?;
    set.get('X').cloned().ok_or_else(|| RulesFault::Movement(format!("\"{text}\" has no moves")))
}

/// Reads a list of squares, rectangles and ranks.
fn squares(text: &str, grid: &Grid) -> Result<u128, RulesFault> {
    let mut set = 0;
    for word in text.split_whitespace() {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        if let (Ok(first), Ok(last)) = (first.parse::<u8>(), last.parse::<u8>()) {
            if !(1..=grid.height()).contains(&first) || !(first..=grid.height()).contains(&last) {
                return Err(RulesFault::Part(word.to_owned(), "ranks of the board, such as 6-8"));
            }
            set |= grid.ranks(first..=last);
            continue;
        }
        let (first, last) = (grid.square(first)?, grid.square(last)?);
        let side = |square: u8| (square % grid.width(), square / grid.width());
        let ((a, b), (c, d)) = (side(first), side(last));
        let inside = |square: &u8| {
            let (file, rank) = side(*square);
            (a.min(c)..=a.max(c)).contains(&file) && (b.min(d)..=b.max(d)).contains(&rank)
        };
        set |= grid.squares().squares().filter(inside).fold(0, |set, s| set | u128::bit(s));
    }
    if set == 0 {
        return Err(RulesFault::Part(
            text.to_owned(),
            "squares such as d1-f3 or ranks such as 6-8",
        ));
    }
    Ok(set)
}
