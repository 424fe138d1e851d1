//! Tools for composers: explaining, converting and reducing a steno.

use super::compiled_steno::CompiledSteno;
use super::explain::derived;
use super::game::Game;
use super::parse::{Steno, StenoError, Turn};
use super::remark::Remark;
use super::{
    BigUint, StenoEnd, StenoEvent, StenoOutcome, StenoParams, StenoRequest, Vocabulary, solve,
};
use umbrail_control::{Control, Stopped};

/// Returns the deductions of the lookahead about a steno in words, first restrictions first.
pub fn explain(request: &StenoRequest) -> Vec<Remark> {
    let compiled = CompiledSteno::new(&request.steno, &request.start, true);
    let mut remarks = derived(&compiled);
    remarks.extend(compiled.remarks);
    remarks.sort_by_key(|remark| (remark.turn, remark.because));
    remarks.dedup();
    remarks
}

/// Returns the turn (from 1) that rules out every game of a steno without games: no game satisfies
/// the turns up to it, but some game satisfies those before it. The search itself ends earlier, at
/// a turn that later ones have ruled out.
///
/// # Errors
/// Returns [`Stopped`] if the control or `moves_max` of the parameters stops the search.
pub fn dead_turn(
    request: &StenoRequest,
    params: &StenoParams,
    control: &Control<'_, StenoEvent>,
) -> Result<usize, Stopped> {
    let quick =
        StenoParams { games_max: 0, enough: Some(1), unfinished_every: None, ..params.clone() };
    let (mut possible, mut dead) = (0, request.steno.turns.len());
    while possible + 1 < dead {
        let middle = possible.midpoint(dead);
        let mut steno = request.steno.clone();
        steno.turns.truncate(middle);
        steno.resumes = false;
        steno.turns.iter_mut().for_each(|turn| turn.checkpoint = false);
        let text = steno.to_string();
        let prefix = StenoRequest {
            steno,
            text,
            resume: None,
            reusable_layers: None,
            intended: None,
            ..request.clone()
        };
        let answer = solve(&prefix, &quick, control);
        control.check()?;
        match answer.ended {
            StenoEnd::Enough => possible = middle,
            StenoEnd::Complete if answer.count == BigUint::ZERO => dead = middle,
            StenoEnd::Complete => possible = middle,
            StenoEnd::Stopped | StenoEnd::Moves | StenoEnd::Positions(_) => return Err(Stopped),
        }
    }
    Ok(dead)
}

/// A steno of another vocabulary for a known game.
#[derive(Clone, Debug)]
pub struct Converted {
    /// Request in the new vocabulary.
    pub request: StenoRequest,
    /// Outcome of solving it.
    pub answer: StenoOutcome,
    /// Turns, from 1, whose mark could not be kept, with all possible marks.
    pub replaced: Vec<(usize, Vec<char>)>,
}

/// Converts the steno of a known game to another vocabulary. Each mark is kept if it still
/// describes the move, or becomes its counterpart; otherwise the rarest true mark replaces it.
/// Conditions are kept. The result is solved again.
///
/// # Errors
/// Returns a [`StenoError`] only if this program wrote a string that it cannot parse.
pub fn convert(
    request: &StenoRequest,
    game: &Game,
    to: Vocabulary,
    params: &StenoParams,
    control: &Control<'_, StenoEvent>,
) -> Result<Converted, StenoError> {
    let from = request.steno.vocabulary;
    let mut text = String::new();
    let mut replaced = Vec::new();
    for (at, ((_, _, played), turn)) in game.played().zip(&request.steno.turns).enumerate() {
        let holds = |symbol: char| {
            to.read(symbol).is_some() && played.is_described_by(symbol, to, request.strict)
        };
        let mut kept = String::new();
        for literal in &turn.literals {
            let Some(symbol) = from.symbol(literal.mark) else { continue };
            let counterpart = candidates(symbol).into_iter();
            if literal.negated {
                // A denied mark that is missing in the new vocabulary, or that is now true, is
                // dropped.
                let mut denied = counterpart.filter(|&symbol| to.read(symbol).is_some());
                if let Some(symbol) = denied.next().filter(|&symbol| !holds(symbol)) {
                    kept.push('!');
                    kept.push(symbol);
                }
            } else if let Some(symbol) = counterpart.into_iter().find(|&symbol| holds(symbol)) {
                kept.push_str(if kept.is_empty() { "" } else { "&" });
                kept.push(symbol);
            }
        }
        if kept.is_empty() || kept.starts_with('!') {
            let all = played.marks(to, request.strict);
            // The vocabulary lists its weakest mark first and those of special moves last.
            let strongest = all.iter().rev().find(|mark| !"x-".contains(**mark)).or(all.first());
            let symbol = strongest.copied().unwrap_or('~');
            kept.insert(0, if kept.is_empty() { symbol } else { '~' });
            replaced.push((at + 1, all));
        }
        text.push_str(&kept);
        turn.conditions.iter().for_each(|set| text.push_str(&set.to_string()));
    }
    let mut converted = StenoRequest::new(&text, to, request.start)?;
    if request.strict {
        converted = converted.strict();
    }
    let answer = solve(&converted, params, control);
    Ok(Converted { request: converted, answer, replaced })
}

/// Returns the possible counterparts of a character in other vocabularies, itself first.
fn candidates(symbol: char) -> Vec<char> {
    let more: &[char] = match symbol {
        'L' => &['B'],
        'B' => &['L'],
        '0' | 'o' | 'O' => &['O', 'o'],
        '=' => &['/', 'p'],
        '/' => &['='],
        'q' => &['Q', '='],
        'r' => &['R', '='],
        'n' => &['N', '='],
        'l' => &['B', '='],
        'p' => &['='],
        _ => &[],
    };
    std::iter::once(symbol).chain(more.iter().copied()).collect()
}

/// Result of a reduction.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// A shortest remaining string that is still unique; the given one if nothing can be dropped.
    pub text: String,
    /// Dropped parts: the turn, from 1, and the part.
    pub dropped: Vec<(usize, String)>,
    /// Parts whose removal admits other games, or could not be decided in time.
    pub needed: Vec<(usize, String)>,
    /// True if the given string is unique.
    pub unique: bool,
}

/// Drops joined marks, denied marks and conditions, one by one, while the solution remains the only
/// one. Conditions are dropped first, then denied marks, then joined ones, each from the last turn
/// to the first; one mark of each turn remains.
///
/// # Errors
/// Returns [`Stopped`] if the control stops the search.
pub fn reduce(
    request: &StenoRequest,
    params: &StenoParams,
    control: &Control<'_, StenoEvent>,
) -> Result<Reduced, Stopped> {
    let quick = StenoParams { enough: Some(2), games_max: 2, ..params.clone() };
    let is_unique = |steno: &Steno| {
        let text = steno.to_string();
        // A checkpoint belongs to the original string.
        let trial = StenoRequest { steno: steno.clone(), text, resume: None, ..request.clone() };
        let answer = solve(&trial, &quick, control);
        let unique = answer.ended == StenoEnd::Complete && answer.count == BigUint::from(1u32);
        control.check().map(|()| unique)
    };
    let mut best = request.steno.clone();
    best.resumes = false;
    best.turns.iter_mut().for_each(|turn| turn.checkpoint = false);
    let mut result = Reduced {
        text: best.to_string(),
        dropped: Vec::new(),
        needed: Vec::new(),
        unique: is_unique(&best)?,
    };
    if !result.unique {
        return Ok(result);
    }
    for kind in [StenoPart::Condition, StenoPart::Denied, StenoPart::Joined] {
        for at in (0..best.turns.len()).rev() {
            for part in (0..kind.count(&best.turns[at])).rev() {
                let mut trial = best.clone();
                let Some(words) = kind.drop(&mut trial, at, part) else { continue };
                if is_unique(&trial)? {
                    best = trial;
                    result.dropped.push((at + 1, words));
                } else {
                    result.needed.push((at + 1, words));
                }
            }
        }
    }
    result.text = best.to_string();
    Ok(result)
}

/// A kind of part that may be dropped.
#[derive(Clone, Copy, PartialEq)]
enum StenoPart {
    Condition,
    Denied,
    Joined,
}

impl StenoPart {
    fn count(self, turn: &Turn) -> usize {
        if self == Self::Condition { turn.conditions.len() } else { turn.literals.len() }
    }

    /// Removes the part and returns its text; `None` if it must stay.
    fn drop(self, steno: &mut Steno, at: usize, part: usize) -> Option<String> {
        let vocabulary = steno.vocabulary;
        let turn = &mut steno.turns[at];
        if self == Self::Condition {
            return Some(turn.conditions.remove(part).to_string());
        }
        let literal = *turn.literals.get(part)?;
        if literal.negated != (self == Self::Denied) || turn.literals.len() == 1 {
            return None;
        }
        turn.literals.remove(part);
        // A turn cannot begin with a denied mark.
        if turn.literals.iter().all(|literal| literal.negated) {
            return None;
        }
        turn.literals.sort_by_key(|literal| literal.negated);
        let symbol = vocabulary.symbol(literal.mark).unwrap_or('~');
        Some(format!("{}{symbol}", if literal.negated { "!" } else { "&" }))
    }
}
