//! Formula whose models are choices of one true mark for each move.

use super::super::game::Game;
use super::super::verify::PlayedMove;
use super::super::vocabulary::Vocabulary;
use super::{ComposeError, ComposeOptions};
use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use umbrail_chess::Move;

/// All choices that have not been refuted.
pub(super) struct Formula {
    solver: BasicSolver,
    /// Possible marks of each turn, with their variables.
    choices: Vec<Vec<(char, Lit)>>,
    /// `counters[j]` implies that at least `j + 1` turns are marked `~`.
    counters: Vec<Lit>,
}

impl Formula {
    pub(super) fn new(
        game: &Game,
        vocabulary: Vocabulary,
        options: &ComposeOptions,
    ) -> Result<Self, ComposeError> {
        if game.moves.is_empty() {
            return Err(ComposeError::Empty);
        }
        let mut solver = BasicSolver::default();
        let mut choices = Vec::new();
        for (at, (_, marks)) in game.marks(vocabulary, false).into_iter().enumerate() {
            let wished =
                |mark: &char| options.only.as_ref().is_none_or(|only| only.contains(*mark));
            let mut usable: Vec<char> = marks.iter().copied().filter(wished).collect();
            if let Some(&Some(mark)) = options.fixed.get(at) {
                if !marks.contains(&mark) {
                    return Err(ComposeError::Fixed(at + 1, mark));
                }
                usable = vec![mark];
            }
            if usable.is_empty() {
                return Err(ComposeError::Only(at + 1));
            }
            let row: Vec<(char, Lit)> = usable
                .into_iter()
                .map(|mark| (mark, Lit::new(solver.new_var_default(), true)))
                .collect();
            let mut some: Vec<Lit> = row.iter().map(|(_, lit)| *lit).collect();
            for (number, &(_, one)) in row.iter().enumerate() {
                for &(_, other) in &row[..number] {
                    solver.add_clause_reuse(&mut vec![!one, !other]);
                }
            }
            solver.add_clause_reuse(&mut some);
            choices.push(row);
        }
        let counters = if options.many_any { count_any(&mut solver, &choices) } else { Vec::new() };
        Ok(Self { solver, choices, counters })
    }

    /// Returns a choice that is still possible, with at least `least_any` turns marked `~`.
    pub(super) fn next(&mut self, least_any: Option<usize>) -> Option<String> {
        let mut assumed = Vec::new();
        if let Some(least) = least_any.filter(|&least| least > 0) {
            assumed.push(*self.counters.get(least - 1)?);
        }
        if self.solver.solve_limited(&assumed) != lbool::TRUE {
            return None;
        }
        let chosen = |row: &Vec<(char, Lit)>| {
            let is_true = |(_, lit): &&(char, Lit)| self.solver.value_lit(*lit) == lbool::TRUE;
            row.iter().find(is_true).map(|(mark, _)| *mark)
        };
        self.choices.iter().map(chosen).collect()
    }

    /// Adds the clause that some turn has a mark that this other game does not satisfy there.
    pub(super) fn exclude(&mut self, game: &Game, vocabulary: Vocabulary, cook: &[Move]) {
        let cook = Game { start: game.start, moves: cook.to_vec() };
        let mut clause = Vec::new();
        for (row, (_, _, played)) in self.choices.iter().zip(cook.played()) {
            let played: PlayedMove = played;
            let missed =
                |(mark, _): &&(char, Lit)| !played.is_described_by(*mark, vocabulary, false);
            clause.extend(row.iter().filter(missed).map(|(_, lit)| *lit));
        }
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Excludes this choice.
    pub(super) fn ban(&mut self, text: &str) {
        let used = self.choices.iter().zip(text.chars()).filter_map(|(row, symbol)| {
            row.iter().find(|(mark, _)| *mark == symbol).map(|(_, lit)| !*lit)
        });
        let mut clause: Vec<Lit> = used.collect();
        self.solver.add_clause_reuse(&mut clause);
    }
}

/// Adds counter variables: number `j` may be true only if at least `j + 1` turns are marked `~` (a
/// sequential counter, one direction).
fn count_any(solver: &mut BasicSolver, choices: &[Vec<(char, Lit)>]) -> Vec<Lit> {
    let mut before: Vec<Lit> = Vec::new();
    for row in choices {
        let any = row.iter().find(|(mark, _)| *mark == '~').map(|(_, lit)| *lit);
        let mut here = Vec::new();
        for least in 0..=before.len() {
            let counter = Lit::new(solver.new_var_default(), true);
            // At least `j + 1` up to here requires `j + 1` before, or `j` before and this one.
            let direct = before.get(least).copied();
            let mut enough: Vec<Lit> = std::iter::once(!counter).chain(direct).collect();
            match any {
                Some(any) => {
                    enough.push(any);
                    solver.add_clause_reuse(&mut enough);
                    if least > 0 {
                        let mut with: Vec<Lit> =
                            [!counter, before[least - 1]].into_iter().chain(direct).collect();
                        solver.add_clause_reuse(&mut with);
                    }
                }
                None => {
                    solver.add_clause_reuse(&mut enough);
                }
            }
            here.push(counter);
        }
        before = here;
    }
    before
}
