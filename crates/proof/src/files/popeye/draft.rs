//! A problem while its commands are read, and the problem that it poses.

use super::{PopeyeFault, PopeyeTwin};
use crate::positions::{
    ConditionName, FairyProblem, FairyStart, PieceName, PlacedMan, Turns, set_play_title,
};
use crate::problem::Length;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// What a problem states so far.
#[derive(Clone, Debug, Default)]
pub(super) struct PopeyeDraft {
    pub title: Option<String>,
    /// Author, source and other text, each behind its keyword.
    pub comments: Vec<String>,
    /// True if only the twins are problems, not the diagram itself.
    pub zero: bool,
    /// Men of each command that sets some, with the question whether a stipulation came before.
    pub boards: Vec<(Vec<PlacedMan>, bool)>,
    pub conditions: Vec<ConditionName>,
    pub imitator_end: Option<Square>,
    pub goal: Option<PopeyeGoal>,
    pub white_begins: bool,
    pub no_castling: Option<Vec<Square>>,
    pub en_passant: Option<Square>,
    /// The games in which the sides begin as usual, and those in which they exchange.
    pub duplex: Duplex,
    /// Also the set play.
    pub set_play: bool,
}

/// Sides that begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Duplex {
    /// As the stipulation has it.
    #[default]
    Off,
    /// Both in turn.
    Both,
    /// The other one.
    Half,
}

/// A stipulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct PopeyeGoal {
    pub plies: u16,
    pub length: Length,
    pub turns: Turns,
    pub from_array: bool,
}

impl PopeyeDraft {
    /// Keeps text for readers.
    pub(super) fn add_text(&mut self, keyword: &str, text: &str) {
        if !keyword.is_empty() && !text.is_empty() {
            self.comments.push(format!("{keyword}: {text}"));
        }
    }

    pub(super) fn add_conditions(&mut self, names: Vec<ConditionName>) {
        for name in names {
            let known = self.conditions.iter().any(|known| known.name == name.name);
            if known && name.name == "Imitator" && self.goal.is_some() {
                self.imitator_end = name.squares.first().copied();
            } else if !known {
                self.conditions.push(name);
            }
        }
    }

    /// Returns the men that twins change: those of the diagram, which is the position B of `a=>b`, as in Popeye, whose
    /// board is empty after that stipulation.
    pub(super) fn board(&mut self) -> &mut Vec<PlacedMan> {
        let has_start = self.goal.is_some_and(|goal| !goal.from_array);
        let (starts, ends): (Vec<_>, Vec<_>) = std::mem::take(&mut self.boards)
            .into_iter()
            .partition(|(_, later)| has_start && !later);
        let at = starts.len();
        self.boards = starts;
        self.boards.push((laid_over(ends.into_iter().map(|(men, _)| men)), has_start));
        &mut self.boards[at].0
    }

    /// Returns the problem, twice if it is a duplex, and its set play before it.
    pub(super) fn pose(self, letter: Option<char>) -> Result<Vec<PopeyeTwin>, PopeyeFault> {
        let (duplex, has_set) = (self.duplex, self.set_play);
        let one = self.pose_one(letter)?;
        let mut other = one.clone();
        other.problem.start.turn = !one.problem.start.turn;
        other.problem.start.en_passant = None;
        let marked = |title: String| format!("{title} (duplex)");
        other.title = Some(other.title.map_or_else(|| "duplex".to_owned(), marked));
        let all = match duplex {
            Duplex::Off => vec![one],
            Duplex::Both => vec![one, other],
            Duplex::Half => vec![other],
        };
        if !has_set {
            return Ok(all);
        }
        let with_set = |actual: PopeyeTwin| {
            let problem = actual.problem.set_play()?;
            let title = set_play_title(actual.title.as_deref());
            let comments = actual.comments.clone();
            Ok([PopeyeTwin { problem, title: Some(title), comments }, actual])
        };
        Ok(all.into_iter().map(with_set).collect::<Result<Vec<_>, PopeyeFault>>()?.concat())
    }

    fn pose_one(self, letter: Option<char>) -> Result<PopeyeTwin, PopeyeFault> {
        let goal = self.goal.ok_or(PopeyeFault::NoStipulation)?;
        let is_start = |later: bool| !goal.from_array && !later;
        if !goal.from_array {
            let has = |start: bool| self.boards.iter().any(|(_, later)| is_start(*later) == start);
            if !has(true) || !has(false) {
                return Err(PopeyeFault::TwoPositions);
            }
        }
        let (starts, ends): (Vec<_>, Vec<_>) =
            self.boards.into_iter().partition(|(_, later)| is_start(*later));
        let men = laid_over(starts.into_iter().map(|(men, _)| men));
        let target = laid_over(ends.into_iter().map(|(men, _)| men));
        let mut conditions = self.conditions;
        let uses_b = men.iter().chain(&target).any(|man| man.on_b);
        if uses_b && !conditions.iter().any(|one| one.name == "AliceChess") {
            let alice = ConditionName { name: "AliceChess", variants: vec![], squares: vec![] };
            conditions.push(alice);
        }
        // In a helpgame Black makes the series, except from the array.
        let is_own = goal.turns.is_series() && !goal.turns.has_help();
        let white = goal.from_array || is_own || self.white_begins;
        let turn = if white { Color::White } else { Color::Black };
        let mut start = FairyStart::ARRAY;
        if !goal.from_array {
            let castling = castling(&men, self.no_castling.as_deref());
            start = FairyStart { men: Some(men), turn, castling, en_passant: self.en_passant };
        }
        let zero = if self.zero { "zeroposition " } else { "" };
        let title = match (self.title, letter) {
            (Some(title), Some(letter)) => Some(format!("{zero}{letter}) {title}")),
            (None, Some(letter)) => Some(format!("{zero}{letter})")),
            (title, None) => title,
        };
        let problem = FairyProblem {
            start,
            target,
            states_boards: true,
            imitator_end: self.imitator_end,
            plies: goal.plies,
            length: goal.length,
            turns: goal.turns,
            conditions,
            pieces: vec![],
            letters: vec![],
            uncolored: false,
            added: vec![],
        };
        Ok(PopeyeTwin { problem, title, comments: self.comments })
    }
}

/// Returns the men of several commands; a later man replaces an earlier one on its square.
fn laid_over(boards: impl Iterator<Item = Vec<PlacedMan>>) -> Vec<PlacedMan> {
    let mut all: Vec<PlacedMan> = vec![];
    for board in boards {
        all.retain(|known| !board.iter().any(|new| new.square == known.square));
        all.extend(board);
    }
    all
}

/// Returns the castling rights of kings and rooks that stand at home.
fn castling(men: &[PlacedMan], forbidden: Option<&[Square]>) -> u8 {
    let is_free = |square: Square| match forbidden {
        None => true,
        Some([]) => false,
        Some(listed) => !listed.contains(&square),
    };
    let stands = |square, color, role| {
        let piece = PieceName::Standard(role);
        let found =
            men.iter().any(|man| (man.square, man.color, man.piece) == (square, color, piece));
        found && is_free(square)
    };
    let right = |color: Color, rook: Square, king: Square| {
        u8::from(stands(king, color, Role::King) && stands(rook, color, Role::Rook))
    };
    right(Color::White, Square::H1, Square::E1)
        | right(Color::White, Square::A1, Square::E1) << 1
        | right(Color::Black, Square::H8, Square::E8) << 2
        | right(Color::Black, Square::A8, Square::E8) << 3
}
