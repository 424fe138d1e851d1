//! The observer of a run: samples its windows now and then, and makes snapshots.

use super::posed::PosedProblem;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position, Role};
use umbrail_control::Progress;
use umbrail_proof::report::{Notation, ProblemVerdict, Verdict, length, text};
use umbrail_proof::run::{
    Activity, Matching, NodeDecision, PlayTotals, PlayerView, ProgressStep, RunMonitor, RunReport,
    STEPS_MAX, Success, WorkerView,
};
use umbrail_proof::{PieceId, letter};
use umbrail_session::snapshot::{FoundStrategy, PlayerPage, SeekStep, SeekerPage, Snapshot, short};

/// What is remembered between two looks.
pub(super) struct Observer<'a> {
    posed: &'a PosedProblem,
    problem: (usize, usize),
    began: Instant,
    /// For each seeker the path at the last look, and since when each of its steps was seen.
    steps: Vec<Vec<(ProgressStep, Instant)>>,
    /// Strategies with games by number of the first.
    found: Vec<Success>,
    counting: bool,
}

impl<'a> Observer<'a> {
    pub(super) fn new(posed: &'a PosedProblem, problem: (usize, usize)) -> Self {
        let (began, counting) = (Instant::now(), posed.params.histogram);
        Self { posed, problem, began, steps: vec![], found: vec![], counting }
    }

    /// A strategy has games, or has more of them now.
    pub(super) fn meet(&mut self, success: &Success) {
        match self.found.iter_mut().find(|known| known.strategy == success.strategy) {
            Some(known) => *known = success.clone(),
            None => self.found.push(success.clone()),
        }
    }

    /// The snapshot of a running run.
    pub(super) fn look(&mut self, watch: &RunMonitor, progress: &Progress) -> Snapshot {
        let totals = watch.totals();
        let workers = watch.workers();
        if self.posed.seek_path {
            workers.iter().for_each(|worker| worker.trail.ask());
        }
        let lists = lists(&workers);
        let searching = workers.iter().filter(|worker| worker.plays()).enumerate();
        let players: Vec<PlayerPage> =
            searching.flat_map(|(at, worker)| players(at, worker, &lists)).collect();
        let seeking = workers.iter().filter(|worker| worker.seeks()).enumerate();
        let seekers = seeking.map(|(at, worker)| self.seeker(at, worker, &lists)).collect();
        let moves = totals.moves + players.iter().map(|player| player.moves).sum::<u64>();
        Snapshot {
            queued: progress.queued.get(),
            cache: (totals.table_entries * progress.fullness.get() / 1000, totals.table_entries),
            taken: totals.taken,
            moves,
            histogram: histogram(&totals.finished),
            players,
            seekers,
            ..self.still(&totals)
        }
    }

    /// The snapshot of a run that is over.
    pub(super) fn end(
        &mut self,
        watch: &RunMonitor,
        progress: &Progress,
        report: &RunReport,
        verdict: &Verdict,
    ) -> Snapshot {
        self.found.clone_from(&report.successes);
        let mut snapshot = self.look(watch, progress);
        snapshot.solutions = report.count() as u64;
        snapshot.queued = 0;
        // Pages of players that are done show the strategy that succeeded.
        if let (Some(success), Some(shown)) = (report.successes.first(), snapshot.found.first()) {
            let matchings = Color::ALL.map(|color| Matching::of(&success.strategy, color));
            let lists = lists(&watch.workers());
            for player in snapshot.players.iter_mut().filter(|player| player.pieces[0].is_empty()) {
                player.pieces.clone_from(&shown.pieces);
                player.free = Some(shown.free.clone());
                player.matchings = named(matchings, &lists);
            }
        }
        snapshot.moves = report.counts.moves;
        snapshot.verdict = Some(verdict.text.clone());
        snapshot.partial = verdict.word == ProblemVerdict::Partial;
        snapshot.shorter = verdict.shorter.map(length);
        snapshot
    }

    /// What does not come from the workers.
    fn still(&self, totals: &PlayTotals) -> Snapshot {
        let problem = totals.part.as_ref().map_or(self.posed.problem, |part| part.problem);
        let retracted = totals.part.as_ref().filter(|part| !part.tail.is_empty());
        let games = |one: &Success| one.games.len();
        Snapshot {
            board: problem.diagram.board().lines().map(|row| row.replace('.', " ")).collect(),
            pieces: problem.diagram.piece_counts(),
            length: length(usize::from(problem.plies)),
            problem: self.problem,
            title: self.posed.title.clone(),
            retracted: retracted.map(|stretch| {
                (text::last_moves(&problem.diagram, &stretch.tail), stretch.number, stretch.of)
            }),
            time: self.began.elapsed(),
            counting: self.counting,
            // Pages are those of Stelvio, whose solutions are in long notation.
            found: self
                .found
                .iter()
                .map(|one| found(one, Notation { long: true, ..self.posed.notation }))
                .collect(),
            solutions: self.found.iter().map(games).sum::<usize>() as u64,
            cooks: self.found.iter().filter(|one| games(one) > 1).count() as u64,
            ..Snapshot::default()
        }
    }

    fn seeker(&mut self, at: usize, worker: &WorkerView, lists: &[Vec<Matching>; 2]) -> SeekerPage {
        if self.steps.len() <= at {
            self.steps.resize_with(at + 1, Vec::new);
        }
        let old = std::mem::take(&mut self.steps[at]);
        let now = Instant::now();
        let path = if self.posed.seek_path { worker.trail.steps() } else { vec![] };
        let mut same = true;
        for (depth, step) in path.iter().enumerate() {
            let known = old.get(depth).filter(|(known, _)| {
                same &= (known.decision, known.number) == (step.decision, step.number);
                same
            });
            let since = step.since.and_then(|since| now.checked_sub(since));
            self.steps[at].push((*step, since.or(known.map(|known| known.1)).unwrap_or(now)));
        }
        let sync = usize::from(self.posed.params.sync_depth);
        let mut steps = vec![];
        for (depth, (step, since)) in self.steps[at].iter().enumerate() {
            let seconds = now.saturating_duration_since(*since).as_secs();
            let below = depth > sync;
            let line = |kind, text| SeekStep { seconds, kind, text, below };
            match step.decision {
                NodeDecision::Ends(castling, matchings) => {
                    for color in Color::ALL {
                        let own = matchings[color.index()];
                        steps.push(line("Pawn matching", listed(own, &lists[color.index()])));
                    }
                    let [white, black] = castling.map(|wing| match wing {
                        None => "no castling",
                        Some(umbrail_proof::Wing::King) => "0-0",
                        Some(umbrail_proof::Wing::Queen) => "0-0-0",
                    });
                    let text = format!("white {white}, black {black} {}", place(step));
                    steps.push(line("Ends of the others", text));
                }
                NodeDecision::Promotion(pawn, square, kind) => {
                    let text =
                        format!("{}={square}{} {}", colored(pawn), letter(kind), place(step));
                    steps.push(line("Promotion variant", text));
                }
                NodeDecision::Capture { captor, victim, square, en_passant } => {
                    let kind = if captor.is_pawn() { "Pawn capture" } else { "Assassin" };
                    let passing = if en_passant { " e.p." } else { "" };
                    let (captor, victim) = (colored(captor), colored(victim));
                    let text = format!("{captor}x[{victim}]{square}{passing} {}", place(step));
                    steps.push(line(kind, text));
                }
            }
        }
        let matchings = path.first().and_then(|step| match step.decision {
            NodeDecision::Ends(_, matchings) => Some(matchings),
            _ => None,
        });
        let counts = worker.trail.tally();
        steps.truncate(STEPS_MAX);
        SeekerPage {
            name: (at + 1).to_string(),
            running: worker.activity() == Activity::Seeking,
            matchings: matchings.map_or_else(Default::default, |own| named(own, lists)),
            kept: counts.kept,
            found: counts.found,
            nodes: counts.nodes,
            percent: 100.0 * worker.trail.share(),
            steps,
        }
    }
}

/// What can become of the pawns, from the first seeker that has listed it.
fn lists(workers: &[Arc<WorkerView>]) -> Arc<[Vec<Matching>; 2]> {
    let all = workers.iter().map(|worker| worker.trail.matchings());
    all.into_iter().find(|lists| !lists[0].is_empty()).unwrap_or_default()
}

/// `{P,P,-,P,P,P,P,P} (3/9)`, or without the numbers when there is no list.
fn listed(matching: Matching, list: &[Matching]) -> String {
    match list.iter().position(|known| *known == matching) {
        Some(at) => format!("{matching} ({}/{})", at + 1, list.len()),
        None => matching.to_string(),
    }
}

fn named(matchings: [Matching; 2], lists: &[Vec<Matching>; 2]) -> [String; 2] {
    Color::ALL.map(|color| listed(matchings[color.index()], &lists[color.index()]))
}

/// `wPg2`.
fn colored(piece: PieceId) -> String {
    format!("{}{piece}", if piece.color().is_white() { 'w' } else { 'b' })
}

/// `(3/6)`; without the total when it is not known.
fn place(step: &ProgressStep) -> String {
    match step.of {
        u32::MAX => format!("({})", short(u64::from(step.number))),
        of => format!("({}/{of})", step.number),
    }
}

/// A page for the player with this index, or for each of its threads.
fn players(at: usize, worker: &WorkerView, lists: &[Vec<Matching>; 2]) -> Vec<PlayerPage> {
    let views = worker.views();
    let many = views.len() > 1;
    let page = |(thread, view): (usize, &Arc<PlayerView>)| {
        let name = if many { format!("{}.{}", at + 1, thread + 1) } else { (at + 1).to_string() };
        let Activity::Playing { taken, strategy, .. } = worker.activity() else {
            return PlayerPage { name, ..PlayerPage::default() };
        };
        let seen = view.seen();
        PlayerPage {
            name,
            matchings: named(Color::ALL.map(|color| Matching::of(&strategy, color)), lists),
            free: seen.needed.map(|_| format!("{}+{}", seen.free[0], seen.free[1])),
            path: letters(&seen.path),
            taken,
            case: seen.case,
            moves: seen.moves,
            pieces: text::columns(&strategy, &seen.needed.unwrap_or_default(), &seen.waypoints),
        }
    };
    views.iter().enumerate().map(page).collect()
}

/// Moves as letter and target: `Pe4 Sf6`.
fn letters(path: &[Move]) -> Vec<String> {
    let mut position = Position::startpos();
    let spell = |&mv: &Move| {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        let to = match position.is_castle(mv) {
            false => mv.to(),
            true => {
                let file = if mv.to().file() > mv.from().file() { 6 } else { 2 };
                umbrail_chess::geometry::Square::at(file, mv.from().rank())
            }
        };
        position = position.after(mv);
        format!("{}{to}", letter(role))
    };
    path.iter().map(spell).collect()
}

fn histogram(played: &BTreeMap<(i32, i32), u64>) -> Vec<(String, u64)> {
    let mut rows: Vec<_> = played.iter().collect();
    rows.sort_by_key(|&(&(white, black), _)| std::cmp::Reverse((white + black, white)));
    rows.into_iter().map(|((white, black), &count)| (format!("{white}+{black}"), count)).collect()
}

fn found(success: &Success, notation: Notation) -> FoundStrategy {
    FoundStrategy {
        pieces: text::columns(&success.strategy, &success.needed, &success.waypoints),
        free: format!("{}+{}", success.free[0], success.free[1]),
        paths: Color::ALL.map(|color| text::paths(success, color)),
        games: success.games.iter().map(|game| notation.write(game)).collect(),
    }
}

/// Period of sampling.
pub(super) const LOOK: Duration = Duration::from_millis(250);

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_control::{Cancel, Clock, Control, Pool};
    use umbrail_proof::run::{Params, Persistence, RunControl, solve};
    use umbrail_proof::{Diagram, Length, Problem};

    fn posed(placement: &str, plies: u16) -> PosedProblem {
        let diagram = Diagram::from_setup(&placement.parse().unwrap()).unwrap();
        let problem = Problem { diagram, plies, length: Length::Parity };
        PosedProblem::new(problem, Params::default())
    }

    fn ended(
        posed: &PosedProblem,
        number: (usize, usize),
        run_control: &RunControl,
        progress: &Progress,
        report: &RunReport,
    ) -> Snapshot {
        let verdict = Verdict::of(&posed.problem, &posed.params, report);
        Observer::new(posed, number).end(&run_control.watch, progress, report, &verdict)
    }

    #[test]
    fn a_run_that_was_watched_shows_its_seekers_players_and_games() {
        let posed = posed("rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R", 3);
        let run_control = RunControl::default();
        run_control.watch.open();
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let pool = Pool::new(2).unwrap();
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
        let report =
            solve(&posed.problem, &posed.params, &run_control, Persistence::default(), &control);
        let snapshot = ended(&posed, (1, 3), &run_control, &progress, &report);
        assert_eq!(snapshot.board[7], "RSBQKB R");
        assert_eq!((snapshot.pieces, snapshot.length.as_str()), ([16, 16], "1.5"));
        assert_eq!((snapshot.players.len(), snapshot.seekers.len()), (2, 2));
        assert_eq!((snapshot.solutions, snapshot.cooks), (1, 0));
        assert_eq!(snapshot.found[0].paths, ["Sg1-f3, Pf2-f4", "Pf7-f5"]);
        assert_eq!(snapshot.found[0].games, ["1.Pf2-f4 Pf7-f5 2.Sg1-f3"]);
        assert_eq!(snapshot.found[0].pieces[0][7], " 1 Sg1-f3");
        assert_eq!(snapshot.players[0].pieces, snapshot.found[0].pieces, "what succeeded is shown");
        assert_eq!(snapshot.players[1].free.as_deref(), Some("0+0"));
        assert_eq!(snapshot.histogram, [("0+0".to_owned(), 1)]);
        assert_eq!(snapshot.taken, 1);
        assert!(snapshot.verdict.unwrap().starts_with("C+: exactly one proof game in 1.5"));
    }

    #[test]
    fn players_and_seekers_are_numbered_by_themselves() {
        let mut posed = posed("rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R", 3);
        let params = &mut posed.params;
        (params.seekers, params.players, params.threads_per_strategy) = (2, 2, 3);
        let run_control = RunControl::default();
        run_control.watch.open();
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let pool = Pool::new(4).unwrap();
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
        let keeping = Persistence::default();
        let report = solve(&posed.problem, &posed.params, &run_control, keeping, &control);
        let snapshot = ended(&posed, (1, 1), &run_control, &progress, &report);
        let players: Vec<&str> = snapshot.players.iter().map(|page| page.name.as_str()).collect();
        assert_eq!(players, ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]);
        let seekers: Vec<&str> = snapshot.seekers.iter().map(|page| page.name.as_str()).collect();
        assert_eq!(seekers, ["1", "2"]);
    }

    #[test]
    fn a_retraction_is_reported_as_a_move() {
        let mate = posed("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR", 4);
        let parts = umbrail_proof::earlier(&mate.problem, mate.params.retraction).unwrap();
        let reported: Vec<String> =
            parts.iter().map(|part| text::last_moves(&part.problem.diagram, &part.tail)).collect();
        assert!(reported.contains(&"Qd8-h4".to_owned()), "{reported:?}");
        assert_eq!(letters(&[Move::new("g1".parse().unwrap(), "f3".parse().unwrap())]), ["Sf3"]);
    }
}
