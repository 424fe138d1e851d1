//! The worker that does tasks of another one's case.

use crate::analyse::{Effort, StrategyPlan};
use crate::search::depth_first::{SearchContext, StrategySearch};
use crate::search::layers::message::LayerTask;
use crate::search::layers::probe::PROBING_MIN;
use crate::search::layers::row::{RowFormat, digest_of};
use crate::search::layers::shared_case::SharedCase;
use crate::search::layers::step::StepResult;
use crate::search::player::Player;
use crate::search::split::left_case::LeftCase;
use crate::search::state::script::Script;
use crate::strategy::Strategy;
use umbrail_control::Cancel;

/// Where a helper gets tasks, and where their answers go.
pub(crate) trait TaskDesk {
    /// The answer to the task at hand, none when this worker cannot do it; and the next task, if one comes soon.
    fn answer(&mut self, result: Option<StepResult>) -> Option<LayerTask>;
}

impl Player {
    /// The plans of a case, in the same order on every machine; none when analysis refutes it.
    pub(super) fn plans_of(&mut self, strategy: &Strategy, case: LeftCase) -> Vec<StrategyPlan> {
        match self.plan(strategy, case.assumptions, Effort::Deep) {
            Ok(plan) => self.cases_of(strategy, plan, Effort::Deep),
            Err(_) => vec![],
        }
    }

    /// Does tasks of one case until there is none of it for a while. Gives the task of another case, if one came.
    pub(crate) fn do_tasks(
        &mut self,
        first: LayerTask,
        shared: &SharedCase,
        cancel: &Cancel,
        desk: &mut dyn TaskDesk,
    ) -> Option<LayerTask> {
        let case = first.case.clone();
        let plans = self.plans_of(&case.strategy, case.case);
        let plan = usize::try_from(case.plan).ok().and_then(|at| plans.get(at));
        let Some(script) = plan.map(Script::new) else { return desk.answer(None) };
        if digest_of(&script, self.problem.plies) != case.digest {
            return desk.answer(None);
        }
        let (mut options, mut next) = (self.options, Some(first));
        options.moves_max = u64::MAX;
        let setting = SearchContext {
            problem: &self.problem,
            script: &script,
            distances: &self.cache.distances,
            table: &self.table,
            options: &options,
            number: shared.number,
            shared_cache: shared.cache.as_ref(),
            searching: None,
            cancel,
            view: None,
            gauge: self.gauge.as_deref(),
        };
        let search = StrategySearch::new(&setting, &mut self.blocked_maps, &self.store);
        let Some(mut search) = search else { return desk.answer(None) };
        // It knows nothing yet.
        search.probing = PROBING_MIN;
        let format = RowFormat::new(&script, search.root_board(), &search.needs());
        while let Some(task) = next.take() {
            if task.case != case {
                return Some(task);
            }
            search.ask_these(&task.patterns);
            let pieces: Vec<&[u8]> = task.pieces.iter().map(Vec::as_slice).collect();
            match search.step(&format, &pieces, task.shape) {
                Ok(result) => next = desk.answer(result),
                Err(_) => return None,
            }
        }
        None
    }
}
