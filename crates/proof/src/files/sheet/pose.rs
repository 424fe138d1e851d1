//! The problems of a sheet: a diagram with its lines, and its twins.

use super::clause::{Clause, LinePart, SheetGoal, clause, parts};
use super::twin_changes::{Letters, TwinChange, TwinFault, changes};
use super::twins::{LetterOrder, TwinBase, TwinText, UnreadTwin, split};
use super::{LENGTH, SheetEntry, SheetError};
use crate::positions::{
    ConditionName, FairyError, FairyProblem, FairyStart, PieceName, PlacedMan, Turns,
};
use crate::problem::{Length, PLIES_MAX};
use umbrail_chess::PieceLetters;
use umbrail_chess::geometry::{Color, Square};

/// A line of a problem with its place, from 1.
#[derive(Clone, Debug)]
pub(super) struct PlacedLine {
    pub text: String,
    pub line: usize,
    pub column: usize,
}

impl PlacedLine {
    /// Returns an error about a part of the line that begins at a byte.
    pub(super) fn error(&self, at: usize, what: String) -> SheetError {
        let before = self.text.get(..at).unwrap_or(&self.text);
        SheetError::new(self.line, self.column + before.chars().count(), what)
    }
}

/// Reason why a clause does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum StateFault {
    /// The length is beyond the limit.
    #[error("{0} half-moves are too many, at most {PLIES_MAX} are possible")]
    Long(u16),
    /// A second imitator is its square at the end, which is missing.
    #[error("expected the square of the imitator at the end")]
    Imitator,
    /// A series of a number of moves and a half.
    #[error("a series has a whole number of moves, such as ser-dia 5 or PG in 5.0")]
    HalfSeries,
    /// A condition that was stated before.
    #[error("the condition {0} is stated twice")]
    Twice(String),
}

/// What a problem states; twins change it.
#[derive(Clone, Debug)]
pub(super) struct SheetState {
    /// Pieces at the end and, if the problem has a start of its own, at the start.
    pub men: [Vec<PlacedMan>; 2],
    /// The start; its pieces are `men[1]`.
    pub start: Option<FairyStart>,
    pub goal: Option<SheetGoal>,
    pub intended: Option<usize>,
    pub conditions: Vec<ConditionName>,
    pub imitator_end: Option<Square>,
    pub states_boards: bool,
    /// The games in which the sides begin as usual, and those in which they exchange.
    pub duplex: [bool; 2],
    pub zero: bool,
    /// Also the set play.
    pub set_play: bool,
    /// Each piece at the end may have either color.
    pub uncolored: bool,
    /// One side makes all moves.
    pub series: bool,
    /// Shorter games do not count.
    pub exact: bool,
    /// Pieces on any further squares at the end.
    pub added: Vec<(Color, PieceName)>,
}

impl SheetState {
    /// Applies a clause. A condition replaces those of the diagram if it is the first of a twin.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn apply(&mut self, clause: Clause) -> Result<(), StateFault> {
        match clause {
            Clause::Goal(goal) => {
                if goal.plies > PLIES_MAX {
                    return Err(StateFault::Long(goal.plies));
                }
                self.goal = Some(goal);
            }
            Clause::Solutions(count) => self.intended = Some(count),
            Clause::Duplex { only } => self.duplex = [!only, true],
            Clause::SetPlay => self.set_play = true,
            Clause::ZeroPosition => self.zero = true,
            Clause::Series => self.series = true,
            Clause::Exact => self.exact = true,
            Clause::Uncolored => self.uncolored = true,
            Clause::Added(color, piece) => self.added.push((color, piece)),
            Clause::Condition(name) => {
                let known = self.conditions.iter().any(|known| known.name == name.name);
                if name.name == "Imitator" && known {
                    self.imitator_end = name.squares.first().copied();
                    return self.imitator_end.map(drop).ok_or(StateFault::Imitator);
                }
                if known && name.squares.is_empty() {
                    return Err(StateFault::Twice(name.to_string()));
                }
                self.conditions.push(name);
            }
        }
        Ok(())
    }

    /// Returns the length with the words of other lines: `series`, `exact`.
    ///
    /// # Errors
    /// A series cannot have this length.
    pub(super) fn whole_goal(&self) -> Result<Option<SheetGoal>, StateFault> {
        let Some(goal) = self.goal else { return Ok(None) };
        let goal = SheetGoal { exact: goal.exact || self.exact, ..goal };
        match self.series {
            false => Ok(Some(goal)),
            true => goal.in_series().map(Some).ok_or(StateFault::HalfSeries),
        }
    }

    pub(super) fn problem(
        &self,
        letters: &[(char, PieceName)],
        goal: SheetGoal,
        exchanged: bool,
    ) -> FairyProblem {
        let mut start = self.start.clone().unwrap_or(FairyStart::ARRAY);
        if self.start.is_some() {
            start.men = Some(self.men[1].clone());
        }
        if exchanged {
            (start.turn, start.en_passant) = (!start.turn, None);
        }
        FairyProblem {
            start,
            target: self.men[0].clone(),
            states_boards: self.states_boards,
            imitator_end: self.imitator_end,
            // A series helpgame has one more move, of the other side.
            plies: goal.plies + u16::from(goal.series && goal.kind.has_help()),
            length: if goal.exact { Length::Exact } else { Length::Parity },
            turns: if goal.series { goal.kind } else { Turns::Alternating },
            conditions: self.conditions.clone(),
            pieces: letters
                .iter()
                .map(|(_, piece)| *piece)
                .filter(|piece| !matches!(piece, PieceName::Any | PieceName::Anything))
                .collect(),
            letters: letters.to_vec(),
            uncolored: self.uncolored,
            added: self.added.clone(),
        }
    }
}

/// A problem with its twins before they are made.
pub(super) struct SheetTwins<'a> {
    pub state: SheetState,
    pub language: PieceLetters,
    pub pieces: &'a [(char, PieceName)],
    /// Lines of twins, each with its fault if it is none.
    pub lines: &'a [(PlacedLine, Option<UnreadTwin>)],
    /// Lines with clauses, for the places of errors.
    pub sources: &'a [PlacedLine],
    /// The entry that all twins share.
    pub entry: SheetEntry,
}

impl SheetTwins<'_> {
    /// Returns all problems of the diagram, each or why it is not read.
    pub(super) fn all(&self) -> Vec<Result<SheetEntry, SheetError>> {
        let mut twins: Vec<(char, Result<SheetState, SheetError>, usize)> = vec![];
        let mut order = LetterOrder::default();
        let has_letter = |(line, unread): &(PlacedLine, Option<UnreadTwin>)| {
            unread.is_some() || split(&line.text, 'b').is_some()
        };
        if !self.lines.iter().any(has_letter)
            && let Some((line, _)) = self.lines.first()
        {
            // Nothing says that the change is not one of the diagram itself.
            return vec![Err(line.error(0, without_letter(&line.text, 'b')))];
        }
        for (line, unread) in self.lines {
            match split(&line.text, order.expected()) {
                Some(texts) => {
                    for twin in texts {
                        self.begin_twins(twin.letter, &mut twins);
                        let changed = match order.accept(twin.letter) {
                            Ok(()) => self.changed(&twins, line, twin),
                            Err(why) => {
                                let at = twin.changes.at.saturating_sub(2);
                                Err(line.error(at, why.to_string()))
                            }
                        };
                        twins.push((twin.letter, changed, line.line));
                    }
                }
                None => self.unread(line, unread.as_ref(), &mut order, &mut twins),
            }
        }
        let lettered = !twins.is_empty();
        if twins.is_empty() {
            if self.state.zero {
                let what = "a zeroposition requires twins, such as \"a) Qd8->e8\"".to_owned();
                return vec![Err(SheetError::new(self.entry.line, 1, what))];
            }
            twins.push(('a', Ok(self.state.clone()), self.entry.line));
        }
        let mut entries = vec![];
        for (letter, state, line) in twins {
            let letter = lettered.then_some(letter);
            let titled = |error: SheetError| SheetError { title: self.title(letter), ..error };
            let state = match state {
                Ok(state) => state,
                Err(error) => {
                    entries.push(Err(titled(error)));
                    continue;
                }
            };
            for exchanged in [false, true] {
                if state.duplex[usize::from(exchanged)] {
                    let entry = self.entry_of(&state, letter, line, exchanged);
                    if let (true, Ok(actual)) = (state.set_play, &entry) {
                        entries.push(actual.set_play().map_err(&titled));
                    }
                    entries.push(entry.map_err(&titled));
                }
            }
        }
        // What is said of the lines above the diagram is said once.
        entries.iter_mut().flatten().skip(1).for_each(|entry| entry.warnings = vec![]);
        entries
    }

    /// Adds the diagram as a) before the first twin, unless the first twin is a) itself or the diagram alone is not a problem.
    fn begin_twins(
        &self,
        first: char,
        twins: &mut Vec<(char, Result<SheetState, SheetError>, usize)>,
    ) {
        if twins.is_empty() && first != 'a' && !self.state.zero {
            twins.push(('a', Ok(self.state.clone()), self.entry.line));
        }
    }

    /// Adds the error of a line that is not read: to a twin of its own if the line changes the diagram or begins with a
    /// letter, otherwise to the twin above it.
    fn unread(
        &self,
        line: &PlacedLine,
        unread: Option<&UnreadTwin>,
        order: &mut LetterOrder,
        twins: &mut Vec<(char, Result<SheetState, SheetError>, usize)>,
    ) {
        let next = order.expected();
        let (letter, what) = match (unread, twins.last_mut()) {
            (Some(UnreadTwin::Lettered(letter, what)), _) => (*letter, what.clone()),
            (Some(UnreadTwin::Other(what)), Some((_, state, _))) => {
                if state.is_ok() {
                    *state = Err(line.error(0, what.clone()));
                }
                return;
            }
            _ => (next, without_letter(&line.text, next)),
        };
        self.begin_twins(letter, twins);
        // Another fault of the line comes before that of its letter.
        let _ = order.accept(letter);
        twins.push((letter, Err(line.error(0, what)), line.line));
    }

    /// Returns the state of a twin.
    fn changed(
        &self,
        twins: &[(char, Result<SheetState, SheetError>, usize)],
        line: &PlacedLine,
        twin: TwinText<'_>,
    ) -> Result<SheetState, SheetError> {
        let fail = |what: String| line.error(twin.changes.at, what);
        let base = match twin.base {
            TwinBase::Diagram => None,
            TwinBase::Previous => Some(twins.last()),
            TwinBase::Letter(letter) => {
                // Of several twins with one letter, none is the one that it names.
                let named = || twins.iter().filter(|(known, ..)| *known == letter);
                Some(named().find(|(_, state, _)| state.is_err()).or_else(|| named().next()))
            }
        };
        let base = match base {
            None => &self.state,
            Some(None) => return Err(fail("there is no such twin to change".to_owned())),
            Some(Some((_, Ok(state), _))) => state,
            Some(Some((letter, Err(_), _))) => {
                return Err(fail(format!("twin {letter}), which it changes, cannot be read")));
            }
        };
        let changed = self.twin(base, twin.changes);
        changed.map_err(|(at, what)| line.error(at, format!("twin {}): {what}", twin.letter)))
    }

    /// Returns the title of a twin.
    fn title(&self, letter: Option<char>) -> Option<String> {
        let zero = if self.state.zero { "zeroposition " } else { "" };
        let words = [letter.map(|letter| format!("{zero}{letter})")), self.entry.title.clone()];
        let title = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        Some(title).filter(|title| !title.is_empty())
    }

    fn twin(&self, base: &SheetState, text: LinePart<'_>) -> Result<SheetState, (usize, String)> {
        let mut state = base.clone();
        state.zero = false;
        let letters = Letters { language: self.language, pieces: self.pieces };
        let found = changes(text, letters, &mut state.men);
        let found = found.map_err(|(at, fault): (usize, TwinFault)| (at, fault.to_string()))?;
        if state.start.is_none() && state.men[1] != base.men[1] {
            return Err((text.at, "the problem has no line Start:".to_owned()));
        }
        let mut replaced = false;
        for change in found {
            match change {
                TwinChange::NoConditions => {
                    (state.conditions, state.imitator_end) = (vec![], None);
                }
                TwinChange::Clause(clause) => {
                    if matches!(clause, Clause::Condition(_)) && !replaced {
                        (state.conditions, state.imitator_end, replaced) = (vec![], None, true);
                    }
                    state.apply(clause).map_err(|what| (text.at, what.to_string()))?;
                }
            }
        }
        Ok(state)
    }

    /// Returns the error about a problem that is not supported, at the condition if there is one.
    fn refused(&self, error: &FairyError, line: usize) -> SheetError {
        let name = match error {
            FairyError::Condition(name) | FairyError::Combination(_, name) => name.as_str(),
            _ => return SheetError::new(line, 1, error.to_string()),
        };
        let is_it = |part: &LinePart<'_>| match clause(part.text) {
            Ok(Some(Clause::Condition(found))) => found.to_string() == name,
            _ => ConditionName::read(part.text).is_ok_and(|found| found.to_string() == name),
        };
        let place = self.sources.iter().rev().find_map(|source| {
            let part = parts(&source.text).into_iter().rev().find(is_it)?;
            Some(source.error(part.at, error.to_string()))
        });
        place.unwrap_or_else(|| SheetError::new(line, 1, error.to_string()))
    }

    fn entry_of(
        &self,
        state: &SheetState,
        letter: Option<char>,
        line: usize,
        exchanged: bool,
    ) -> Result<SheetEntry, SheetError> {
        let goal = state.whole_goal();
        let goal = goal.map_err(|fault| SheetError::new(line, 1, fault.to_string()))?;
        let Some(goal) = goal else {
            return Err(SheetError::new(line, 1, format!("no length, expected {LENGTH}")));
        };
        if goal.from_array == Some(false) && state.start.is_none() {
            let what = "a=>b requires a line Start: with the first position".to_owned();
            return Err(SheetError::new(line, 1, what));
        }
        let problem = state.problem(self.pieces, goal, exchanged);
        problem.check().map_err(|error| self.refused(&error, line))?;
        let mut title = self.title(letter).unwrap_or_default();
        if exchanged {
            title += if title.is_empty() { "duplex" } else { " (duplex)" };
        }
        let title = Some(title).filter(|title| !title.is_empty());
        let is_exact = goal.exact;
        let mut entry = SheetEntry { line, title, problem, is_exact, ..self.entry.clone() };
        entry.intended = state.intended;
        Ok(entry)
    }
}

/// Returns the error message for a change without the letter of its twin.
fn without_letter(text: &str, next: char) -> String {
    format!(
        "\"{text}\" looks like a twin without its letter, expected a line such as \"{next}) Qd8->e8\""
    )
}
