//! Clauses of a line, applied to a problem.

use super::clause::{Clause, LinePart, clause, parts};
use super::pose::SheetState;
use crate::positions::ConditionName;

/// Reason why clauses are not read.
pub(super) enum ClauseFault {
    /// A part is no clause.
    Unknown,
    /// A second length.
    Length(u16),
    /// A part is known, but wrong.
    Wrong(String),
}

/// Reads the name of a condition: in full, or also its beginning where a word announces a condition.
pub(super) fn named(text: &str, announced: bool) -> Option<Clause> {
    let name = match announced {
        true => ConditionName::read(text).ok(),
        false => ConditionName::read_whole(text),
    };
    name.map(Clause::Condition)
}

/// Reads a length with another clause behind it and no comma between them, `PG in 1.0 Circe`; `None` if no length is in
/// front.
///
/// # Errors
/// The place of what follows the length and is no clause.
fn goal_and_rest(part: LinePart<'_>, announced: bool) -> Result<Option<(Clause, Clause)>, usize> {
    let LinePart { text, at } = part;
    let ends = text.char_indices().filter(|(_, symbol)| symbol.is_whitespace());
    for (end, _) in ends.collect::<Vec<_>>().into_iter().rev() {
        let Ok(Some(goal @ Clause::Goal(_))) = clause(&text[..end]) else { continue };
        let rest = text[end..].trim();
        let found = clause(rest).ok().flatten().or_else(|| named(rest, announced));
        let place = at + text.len() - text[end..].trim_start().len();
        return found.map(|found| Some((goal, found))).ok_or(place);
    }
    Ok(None)
}

/// Reads all clauses of a line into a state. A length may be stated twice. Conditions that are not announced by a
/// keyword have their full names.
///
/// # Errors
/// The place of the first part that is not read, in bytes, and why.
pub(super) fn apply_clauses(
    text: &str,
    announced: bool,
    state: &mut SheetState,
) -> Result<(), (usize, ClauseFault)> {
    for part in parts(text) {
        let wrong = |what: String| (part.at, ClauseFault::Wrong(what));
        let known = clause(part.text).map_err(|why| wrong(why.to_string()))?;
        let found = match known.or_else(|| named(part.text, announced)) {
            Some(found) => found,
            None => match goal_and_rest(part, announced) {
                Ok(Some((goal, rest))) => {
                    apply_one(goal, part.at, state)?;
                    rest
                }
                Ok(None) => return Err((part.at, ClauseFault::Unknown)),
                Err(at) => return Err((at, ClauseFault::Unknown)),
            },
        };
        apply_one(found, part.at, state)?;
    }
    Ok(())
}

/// Applies a clause, unless it is a second length.
fn apply_one(found: Clause, at: usize, state: &mut SheetState) -> Result<(), (usize, ClauseFault)> {
    let wrong = |what: String| (at, ClauseFault::Wrong(what));
    match (&found, state.goal) {
        (Clause::Goal(goal), Some(known)) if known.plies != goal.plies => {
            Err((at, ClauseFault::Length(goal.plies)))
        }
        _ => state.apply(found).map_err(|why| wrong(why.to_string())),
    }
}
