//! Lazy SMP: every worker searches the whole tree, and the workers help each other through the
//! shared table.
//!
//! The scheme is Daniel Homan's and Martin Sedlák's of 2013. The first worker reports; the
//! others fill the table and stop with the first. In the end all vote for the move.

use super::engine::Engine;
use super::handicap::Handicap;
use super::limits::{SearchParams, SearchRequest};
use super::policy::Policies;
use super::root::WorkerResult;
use super::score::{Bound, Score, Value};
use super::sources::Library;
use super::sources::experience::ExperienceRecord;
use super::sources::hints::Hints;
use super::sources::probe::{RankedMove, SyzygyProbe};
use super::vote::elect;
use super::worker::{NodeTotal, Shared, Worker};
use super::{Ended, PvLine, SearchAnswer, SearchInfo};
use umbrail_chess::Move;
use umbrail_control::Control;
use umbrail_control::lock;

/// Runs the ordinary search.
pub(super) fn play(
    engine: &Engine,
    request: &SearchRequest,
    params: &SearchParams,
    control: &Control<'_, SearchInfo>,
) -> SearchAnswer {
    let moves = root_moves(request);
    if moves.is_empty() {
        return SearchAnswer { best: None, ponder: None, line: None, ended: Ended::Complete };
    }
    let library = engine.library();
    if let Some(mv) = library.book_move(request, params, &moves, engine.random()) {
        return book_answer(mv, engine, control);
    }
    let syzygy = library.tables.clone().map(|tables| SyzygyProbe::new(tables, params));
    let moves = rank(moves, request, syzygy.as_ref(), params.contempt, control);
    let best_rank = moves.iter().take_while(|root| root.rank == moves[0].rank).count();
    let handicap = Handicap::new(params, &request.position);
    let policies = Policies::from(&params.experiments);
    let allowance = engine.time().allot(request, params, policies.time, moves.len() == 1);
    if let Some(hard) = allowance.hard() {
        control.clock.limit(hard);
    }
    engine.tt().next_generation();
    let shared = Shared {
        control,
        tt: engine.tt(),
        request,
        policies,
        constants: params.constants,
        hints: Hints::gather(&request.position, &library),
        syzygy,
        draw: -params.contempt,
        done: control.cancel.child(),
        nodes: NodeTotal::new(allowance.node_limit(), handicap.map_or(u64::MAX, Handicap::nodes)),
        allowance,
        lines: request.multipv.max(handicap.map_or(1, Handicap::candidates)),
    };
    let thread_states = engine.thread_states(control.pool.size());
    let thread_states = &*thread_states;
    let mut results = control.pool.broadcast(|index| {
        let mut state = lock(&thread_states[index]);
        let node = control.pool.node_of(index);
        let network = library.network.as_ref().map(|network| engine.network_on(node, network));
        let worker = Worker::new(&shared, index, &mut state, network.as_ref());
        let result = worker.deepen(&moves);
        if index == 0 {
            shared.done.raise();
        }
        result
    });
    let changes = results.first().map_or(0, |result| result.late_changes);
    let is_unstable = control.progress.nodes.get() == 0 || changes >= 2;
    let nodes = shared.nodes.reported();
    let score = results.first().filter(|it| it.line.is_some()).map(|it| it.value);
    engine.time().settle(&shared.allowance, &request.limits, nodes, score, is_unstable);
    engine.count(results.iter().map(|result| &result.statistics));
    if let (Some(handicap), Some(result)) = (handicap, results.first_mut()) {
        // A weak level keeps the result that the endgame tables give.
        let lines = result.lines.iter().take(best_rank);
        let scores: Vec<_> = lines.map(|scored| scored.value).collect();
        let chosen = handicap.choose(&scores, || engine.random());
        if let Some(scored) = result.lines.get(chosen) {
            result.line = Some(PvLine { multipv: 1, ..scored.line.clone() });
        }
    }
    // A limit of depth and several lines are those of the first worker.
    let is_vote = handicap.is_none() && request.multipv <= 1 && request.limits.depth.is_none();
    let elected = if is_vote { elect(&results) } else { 0 };
    let answer = answer(results, elected, moves[0].mv, control);
    if let Some(tables) = &library.tables {
        tables.take_faults().into_iter().for_each(|why| control.notify(SearchInfo::Fault(why)));
    }
    if handicap.is_none() && !request.limits.infinite {
        remember(&library, request, &answer, control);
    }
    answer
}

/// Answers with a move from the book.
fn book_answer(mv: Move, engine: &Engine, control: &Control<'_, SearchInfo>) -> SearchAnswer {
    let line = PvLine {
        depth: 1,
        seldepth: 1,
        multipv: 1,
        score: Score::Cp(0),
        bound: Bound::Exact,
        nodes: 0,
        time: control.clock.elapsed(),
        hashfull: engine.tt().hashfull(),
        tbhits: 0,
        pv: vec![mv],
    };
    answer_with(line, control)
}

/// Reports a line and answers with its first move.
pub(super) fn answer_with(line: PvLine, control: &Control<'_, SearchInfo>) -> SearchAnswer {
    control.notify(SearchInfo::Depth(line.clone()));
    SearchAnswer {
        best: line.pv.first().copied(),
        ponder: line.pv.get(1).copied(),
        line: Some(line),
        ended: Ended::Complete,
    }
}

/// Smallest depth of a search that is recorded as experience, plies.
const EXPERIENCE_DEPTH: u32 = 8;

/// Appends the result of a search to the experience file, if there is one.
fn remember(
    library: &Library,
    request: &SearchRequest,
    answer: &SearchAnswer,
    control: &Control<'_, SearchInfo>,
) {
    let (Some(experience), Some(best), Some(line)) =
        (&library.experience, answer.best, &answer.line)
    else {
        return;
    };
    if line.depth < EXPERIENCE_DEPTH || line.pv.first() != Some(&best) {
        return;
    }
    let score = match line.score {
        Score::Cp(cp) => cp.clamp(-30_000, 30_000) as i16,
        Score::Mate(moves) => 30_000 * moves.signum() as i16,
    };
    let record = ExperienceRecord { mv: best, score, depth: line.depth.min(255) as u8, count: 1 };
    if let Err(why) = lock(experience).learn(request.position.key(), record) {
        control.notify(SearchInfo::Fault(why.to_string()));
    }
}

pub(super) fn root_moves(request: &SearchRequest) -> Vec<Move> {
    let legal = request.position.legal_moves();
    let wanted = |mv: &Move| request.root_moves.as_ref().is_none_or(|moves| moves.contains(mv));
    legal.into_iter().filter(wanted).collect()
}

/// Ranks the root moves by the endgame tables, the best first; without tables all ranks are equal.
/// Keeps whole ranks, as many as the reported lines need: a move that loses the result of the best
/// one is searched only as a further line.
fn rank(
    moves: Vec<Move>,
    request: &SearchRequest,
    syzygy: Option<&SyzygyProbe>,
    contempt: Value,
    control: &Control<'_, SearchInfo>,
) -> Vec<RankedMove> {
    let ranked = syzygy.and_then(|syzygy| syzygy.rank(&request.position, &moves, -contempt));
    let Some(mut ranked) = ranked else {
        let unranked = |mv| RankedMove { mv, rank: 0, value: None };
        return moves.into_iter().map(unranked).collect();
    };
    control.progress.table_hits.add(ranked.len() as u64);
    ranked.sort_by_key(|root| std::cmp::Reverse(root.rank));
    let last = ranked[request.multipv.clamp(1, ranked.len()) - 1].rank;
    ranked.retain(|root| root.rank >= last);
    ranked
}

/// Returns the answer of the elected worker. Reports its line if the first worker has another one.
fn answer(
    mut results: Vec<WorkerResult>,
    elected: usize,
    first: Move,
    control: &Control<'_, SearchInfo>,
) -> SearchAnswer {
    let nodes = control.progress.nodes.get();
    if elected >= results.len() {
        return SearchAnswer { best: Some(first), ponder: None, line: None, ended: Ended::Stopped };
    }
    let ended = results[0].ended;
    let result = results.swap_remove(elected);
    let line = result.line.map(|line| PvLine { nodes: nodes.max(line.nodes), ..line });
    if let Some(line) = line.as_ref().filter(|_| elected > 0) {
        control.notify(SearchInfo::Depth(line.clone()));
    }
    let pv = line.as_ref().map_or(&[] as &[Move], |line| &line.pv);
    SearchAnswer {
        best: pv.first().copied().or(Some(first)),
        ponder: pv.get(1).copied(),
        ended,
        line,
    }
}
