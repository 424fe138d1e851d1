//! Composition: one mark for each move of a game, such that the game is the only solution, or a
//! proof that none is possible.
//!
//! Method: lazy constraints. Every choice of one true mark per move is a model of a small formula.
//! A model is tried; each other game that fits it (a cook) gives the clause "at least one turn has
//! a mark that the cook does not satisfy", and the formula is solved again. The loop ends with a
//! choice without cooks, or when no choice is left: then no string of single marks has this game as
//! its only solution. A choice that cannot be decided within its limits is banned; "none" is then
//! no longer a proof.
//!
//! Cooks are found by leaving the game as late as possible, so most clauses are short.

mod formula;

use super::compiled_steno::CompiledSteno;
use super::game::Game;
use super::game_history::GameHistory;
use super::parse::Steno;
use super::vocabulary::Vocabulary;
use super::{BigUint, StenoEnd, StenoEvent, StenoOutcome, StenoParams, StenoRequest, solve};
use formula::Formula;
use std::collections::HashSet;
use umbrail_chess::{Move, PackedPosition, Position};
use umbrail_control::{Control, Stopped};

/// Options of the composer.
#[derive(Clone, Debug, Default)]
pub struct ComposeOptions {
    /// True to maximize the number of `~`.
    pub many_any: bool,
    /// Allowed marks; `None` for the whole vocabulary.
    pub only: Option<String>,
    /// Required mark of each turn, if any. May be shorter than the game.
    pub fixed: Vec<Option<char>>,
    /// Maximum number of choices to try.
    pub trials_max: Option<usize>,
}

/// Reason why a composition cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// The game has no moves.
    #[error("the game has no moves")]
    Empty,
    /// The requested mark does not describe the move of this turn, from 1.
    #[error("turn {0}: '{1}' does not describe the move")]
    Fixed(usize, char),
    /// None of the requested marks describes the move of this turn, from 1.
    #[error("turn {0}: none of the allowed marks describes the move")]
    Only(usize),
}

/// Outcome of a composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComposeResult {
    /// This string has the game as its only solution.
    Found {
        /// The string.
        text: String,
        /// True if the number of `~` is provably maximal, or was not to be maximized.
        best: bool,
    },
    /// Provably no string has the game as its only solution.
    None,
    /// Undecided: stopped, out of trials, or some choices could not be decided.
    Open,
}

/// Result of a composition, with counts of the work.
#[derive(Clone, Debug)]
pub struct Composed {
    /// Outcome.
    pub verdict: ComposeResult,
    /// Number of choices tried.
    pub trials: usize,
    /// Number of cooks found.
    pub cooks: usize,
    /// Number of choices that could not be decided within their limits.
    pub banned: usize,
    /// True if the composition ended because of a stop, time or the trial limit.
    pub stopped: bool,
}

/// Composes a steno for a game. `params` limits the search for each trial; its lookahead and memory
/// are used unchanged.
///
/// # Errors
/// Returns a [`ComposeError`] if the options contradict the game.
pub fn compose(
    game: &Game,
    vocabulary: Vocabulary,
    options: &ComposeOptions,
    params: &StenoParams,
    control: &Control<'_, StenoEvent>,
) -> Result<Composed, ComposeError> {
    let mut formula = Formula::new(game, vocabulary, options)?;
    let mut composed =
        Composed { verdict: ComposeResult::Open, trials: 0, cooks: 0, banned: 0, stopped: false };
    let mut least_any = None;
    loop {
        let out_of_trials = options.trials_max.is_some_and(|max| composed.trials >= max);
        if out_of_trials || control.check().is_err() {
            composed.stopped = true;
            return Ok(composed);
        }
        let Some(text) = formula.next(least_any) else {
            let proved = composed.banned == 0;
            composed.verdict = match composed.verdict {
                ComposeResult::Found { text, .. } => ComposeResult::Found { text, best: proved },
                _ if proved => ComposeResult::None,
                other => other,
            };
            return Ok(composed);
        };
        composed.trials += 1;
        match trial(game, vocabulary, &text, params, control) {
            Err(Stopped) => composed.stopped = true,
            Ok(Trial::Unique) if options.many_any => {
                let count = text.chars().filter(|&mark| mark == '~').count();
                least_any = Some(count + 1);
                composed.verdict = ComposeResult::Found { text, best: count == game.moves.len() };
            }
            Ok(Trial::Unique) => {
                composed.verdict = ComposeResult::Found { text, best: true };
                return Ok(composed);
            }
            Ok(Trial::Cooked(cooks)) => {
                composed.cooks += cooks.len();
                cooks.iter().for_each(|cook| formula.exclude(game, vocabulary, cook));
            }
            Ok(Trial::Undecided) => {
                composed.banned += 1;
                formula.ban(&text);
            }
        }
    }
}

/// Outcome of a trial.
enum Trial {
    Unique,
    Cooked(Vec<Vec<Move>>),
    Undecided,
}

/// Number of moves of the depth-first search for cooks, after which the layered search replaces it.
const COOK_SEARCH_MOVES: u64 = 200_000;
/// Maximum number of cooks that one trial collects; more enlarge the formula without excluding much
/// more.
const COOKS_MAX: usize = 24;

fn trial(
    game: &Game,
    vocabulary: Vocabulary,
    text: &str,
    params: &StenoParams,
    control: &Control<'_, StenoEvent>,
) -> Result<Trial, Stopped> {
    let Ok(steno) = Steno::parse(text, vocabulary) else { return Ok(Trial::Undecided) };
    let compiled = CompiledSteno::new(&steno, &game.start, true);
    let mut cook_search = CookSearch {
        compiled: &compiled,
        game: &game.moves,
        dead: HashSet::new(),
        cooks: Vec::new(),
        left: COOK_SEARCH_MOVES,
        control,
    };
    let exhausted = cook_search.along()?;
    if !cook_search.cooks.is_empty() {
        return Ok(Trial::Cooked(cook_search.cooks));
    }
    if exhausted {
        return Ok(Trial::Unique);
    }
    let Ok(mut request) = StenoRequest::new(text, vocabulary, game.start) else {
        return Ok(Trial::Undecided);
    };
    request.intended = Some(game.moves.clone());
    let limits = StenoParams { enough: Some(2), games_max: COOKS_MAX, ..params.clone() };
    let quiet = |_: StenoEvent| {};
    let inner =
        Control::new(control.cancel.clone(), control.clock, control.progress, control.pool, &quiet);
    let answer: StenoOutcome = solve(&request, &limits, &inner);
    control.check()?;
    Ok(match answer.ended {
        _ if !answer.games.is_empty() => Trial::Cooked(answer.games),
        StenoEnd::Complete if answer.count == BigUint::from(1u32) => Trial::Unique,
        _ => Trial::Undecided,
    })
}

/// Search for other games that leaves the given one as late as possible.
struct CookSearch<'a> {
    compiled: &'a CompiledSteno,
    game: &'a [Move],
    /// Positions that lead to no end.
    dead: HashSet<(usize, PackedPosition, GameHistory)>,
    cooks: Vec<Vec<Move>>,
    left: u64,
    control: &'a Control<'a, StenoEvent>,
}

impl CookSearch<'_> {
    /// Searches for cooks that leave the game at its last move, then at the one before, and so on;
    /// one for each move that leaves it. Returns true if all were searched.
    fn along(&mut self) -> Result<bool, Stopped> {
        let mut states = vec![(self.compiled.start, GameHistory::default())];
        for (turn, &mv) in self.game.iter().enumerate() {
            let (position, history) = states[turn];
            let mut next = None;
            self.compiled.each(turn, &position, history, |successor| {
                if successor.mv == mv {
                    next = Some((successor.after, successor.history));
                }
            });
            match next {
                Some(next) => states.push(next),
                // The game does not fit its own marks: impossible, but then there is nothing to
                // search.
                None => return Ok(false),
            }
        }
        for turn in (0..self.game.len()).rev() {
            let (position, history) = states[turn];
            let mut steps = Vec::new();
            self.left = self.left.saturating_sub(self.compiled.each(
                turn,
                &position,
                history,
                |successor| {
                    if successor.mv != self.game[turn] {
                        steps.push((successor.mv, successor.after, successor.history));
                    }
                },
            ));
            for (mv, after, history) in steps {
                let mut line = self.game[..turn].to_vec();
                line.push(mv);
                if self.complete(turn + 1, &after, history, &mut line)? {
                    self.cooks.push(line);
                    if self.cooks.len() >= COOKS_MAX {
                        return Ok(false);
                    }
                }
                if self.left == 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Tries to complete a line; returns true if it is complete.
    fn complete(
        &mut self,
        turn: usize,
        position: &Position,
        history: GameHistory,
        line: &mut Vec<Move>,
    ) -> Result<bool, Stopped> {
        if turn == self.compiled.len() {
            return Ok(true);
        }
        if self.left == 0 {
            return Ok(false);
        }
        let mask = self.compiled.state_masks[turn];
        let key = (turn, mask.pack(position), history.masked(mask.history));
        if self.dead.contains(&key) {
            return Ok(false);
        }
        self.control.check()?;
        let mut steps = Vec::new();
        let made = self.compiled.each(turn, position, history, |successor| {
            steps.push((successor.mv, successor.after, successor.history));
        });
        self.left = self.left.saturating_sub(made.max(1));
        for (mv, after, history) in steps {
            line.push(mv);
            if self.complete(turn + 1, &after, history, line)? {
                return Ok(true);
            }
            line.pop();
        }
        if self.left > 0 {
            self.dead.insert(key);
        }
        Ok(false)
    }
}
