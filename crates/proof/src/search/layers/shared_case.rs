//! What the workers of one process share of the cases whose tasks they do.

use crate::search::layers::message::CaseOfTask;
use crate::search::relax::cache::SharedCache;
use std::collections::VecDeque;
use std::sync::Mutex;
use umbrail_control::lock;

/// Cases that are remembered: their tasks come mixed.
const CASES_MAX: usize = 4;

/// One case, as all workers of the process do its tasks.
#[derive(Clone, Debug)]
pub(crate) struct SharedCase {
    /// The number of the case in the players' common table, where no other strategy has it.
    pub(crate) number: u64,
    /// The results of relaxations, which take long to find, and which all workers need.
    pub(crate) cache: Option<SharedCache>,
}

/// The cases of which tasks came last, the latest at the end.
#[derive(Debug, Default)]
pub(crate) struct SharedCases(Mutex<VecDeque<(CaseOfTask, SharedCase)>>);

impl SharedCases {
    /// The case of a task; a new one gets this number, which no strategy has that uses the players' table.
    pub(crate) fn of(&self, case: &CaseOfTask, number: impl FnOnce() -> u64) -> SharedCase {
        let mut cases = lock(&self.0);
        let known = cases.iter().position(|(other, _)| other == case);
        let (case, shared) = known.and_then(|at| cases.remove(at)).unwrap_or_else(|| {
            (case.clone(), SharedCase { number: number(), cache: Some(SharedCache::default()) })
        });
        if cases.len() >= CASES_MAX {
            cases.pop_front();
        }
        cases.push_back((case, shared.clone()));
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::layers::NumberInRun;
    use crate::search::split::left_case::LeftCase;
    use crate::{game_of, project};

    #[test]
    fn the_last_cases_are_remembered() {
        let strategy = project(&game_of("e4 e5").unwrap()).unwrap();
        let case = |plan| {
            let (number, case) = (NumberInRun::default(), LeftCase::default());
            CaseOfTask { number, strategy: strategy.clone(), case, plan, digest: 1 }
        };
        let (cases, mut next) = (SharedCases::default(), 0);
        let mut number_of = |plan| {
            let number = || {
                next += 1;
                next
            };
            cases.of(&case(plan), number).number
        };
        assert_eq!([0, 1, 2, 3].map(&mut number_of), [1, 2, 3, 4]);
        assert_eq!(number_of(0), 1);
        assert_eq!(number_of(4), 5, "the case that was not used longest is forgotten");
        assert_eq!([0, 1, 3].map(&mut number_of), [1, 6, 4]);
    }
}
