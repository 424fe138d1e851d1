//! The search in layers against the search depth first and the slow twin.

mod probes;

use crate::search::layers::layered::search_in_layers;
use crate::search::layers::*;
use crate::search::options::PlayerOptions;
use crate::search::player::Player;
use crate::search::split::left_case::LeftCase;
use crate::search::table::RefutationTable;
use crate::{Length, Problem, Strategy, game_of, project};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, TaskAnswer, TaskBoard};

/// A board whose tasks are done at once, by two other players in turn, which share what they know. Some tasks and answers are lost, some
/// come twice.
struct OtherPlayers {
    players: RefCell<[Player; 2]>,
    cases: SharedCases,
    answers: RefCell<Vec<TaskAnswer>>,
    done: RefCell<u64>,
    /// Of these, what other tasks have left.
    rests: RefCell<u64>,
    lossy: bool,
}

/// One task, and its answer.
struct OneTask(Option<Vec<u8>>);

impl TaskDesk for OneTask {
    fn answer(&mut self, result: Option<StepResult>) -> Option<LayerTask> {
        self.0 = result.map(|result| answer_bytes(&result));
        None
    }
}

impl TaskBoard for OtherPlayers {
    fn helpers(&self) -> usize {
        1
    }

    fn offer(&self, number: u64, task: &[u8]) -> bool {
        *self.done.borrow_mut() += 1;
        let done = *self.done.borrow();
        if self.lossy && done.is_multiple_of(5) {
            return false;
        }
        let mut answer = OneTask(None);
        let task = LayerTask::read(task).unwrap();
        *self.rests.borrow_mut() += u64::from(task.shape.range[0] > 0);
        let case = self.cases.of(&task.case, || done << 30);
        let player = &mut self.players.borrow_mut()[(done % 2) as usize];
        player.do_tasks(task, &case, &Cancel::default(), &mut answer);
        let worker = format!("helper {}", done % 3);
        let mut bytes = answer.0;
        if self.lossy && done.is_multiple_of(7) {
            bytes = None;
        }
        if self.lossy
            && done.is_multiple_of(4)
            && let Some(bytes) = &mut bytes
        {
            bytes[0] ^= 1;
        }
        let answer = TaskAnswer { number, worker, bytes };
        if self.lossy && done.is_multiple_of(3) {
            self.answers.borrow_mut().push(answer.clone());
        }
        self.answers.borrow_mut().push(answer);
        true
    }

    fn answers(&self, _: Duration) -> Vec<TaskAnswer> {
        std::mem::take(&mut self.answers.borrow_mut())
    }
}

fn player(problem: &Problem, games_max: usize) -> Player {
    let options = PlayerOptions { games_max, ..PlayerOptions::default() };
    Player::new(problem, Arc::new(RefutationTable::new(4)), options)
}

fn sorted(mut games: Vec<Vec<Move>>) -> Vec<Vec<Move>> {
    games.sort();
    games
}

fn problem(game: &[Move], length: Length) -> Problem {
    let end = game.iter().fold(Position::startpos(), |position, &mv| position.after(mv));
    Problem { diagram: crate::Diagram::of(&end), plies: game.len() as u16, length }
}

/// Both searches find the same games of a strategy; gives their number and that of the tasks.
fn compare(problem: &Problem, strategy: &Strategy, sizes: LayerSizes, lossy: bool) -> (usize, u64) {
    let expected = player(problem, usize::MAX).play(strategy, 0, &Cancel::default());
    assert!(expected.complete);
    let players = [(); 2].map(|()| player(problem, usize::MAX));
    let board = OtherPlayers {
        players: RefCell::new(players),
        cases: SharedCases::default(),
        answers: RefCell::default(),
        done: RefCell::new(0),
        rests: RefCell::new(0),
        lossy,
    };
    let case = LeftCase::default();
    let of = LayeredCase { number: NumberInRun::default(), strategy, key: 7, case, sizes };
    for board in [None, Some(&board as &dyn TaskBoard)] {
        let mut own = player(problem, usize::MAX);
        let played = search_in_layers(&mut own, &of, &Cancel::default(), board);
        assert!(played.complete && !played.enough);
        assert_eq!(sorted(played.games), sorted(expected.games.clone()), "{strategy}");
    }
    let tasks = *board.done.borrow();
    assert!(tasks < 500 || *board.rests.borrow() > 0, "no task of {tasks} has reached its limit");
    (expected.games.len(), tasks)
}

/// Sizes with which everything is a task.
const TINY: LayerSizes =
    LayerSizes { learning_moves: 1, alone: 0, small: 1, part: 1, bytes: 1 << 30 };

/// Games whose strategies have many games, captures, castling, promotion, and en passant.
const GAMES: [&str; 5] = [
    "Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1",
    "e4 d5 exd5 Qxd5 Nc3 Qd8 d4 Bf5 Bf4",
    "g4 e5 Bg2 Bc5 Nf3 Nf6 O-O O-O",
    "e4 Nf6 e5 d5 exd6 exd6 Nf3 Be7",
    "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=Q",
];

#[test]
fn layers_find_all_games_and_no_others() {
    let (mut games, mut tasks) = (0, 0);
    for text in GAMES {
        let game = game_of(text).unwrap();
        let strategy = project(&game).unwrap();
        for length in [Length::Exact, Length::Parity] {
            for (sizes, lossy) in [(LayerSizes::default(), false), (TINY, false), (TINY, true)] {
                let of = compare(&problem(&game, length), &strategy, sizes, lossy);
                (games, tasks) = (games + of.0, tasks + of.1);
            }
        }
    }
    assert!(games > 600 && tasks > 120, "{games} games, {tasks} tasks");
}

#[test]
fn no_more_games_are_found_than_are_wanted_and_a_stop_leaves_it_open() {
    let game = game_of(GAMES[0]).unwrap();
    let (problem, strategy) = (problem(&game, Length::Exact), project(&game).unwrap());
    let case = LeftCase::default();
    let of = LayeredCase {
        number: NumberInRun::default(),
        strategy: &strategy,
        key: 7,
        case,
        sizes: TINY,
    };
    let played = search_in_layers(&mut player(&problem, 3), &of, &Cancel::default(), None);
    assert_eq!((played.games.len(), played.enough, played.complete), (3, true, false));
    let stopped = Cancel::default();
    stopped.raise();
    let played = search_in_layers(&mut player(&problem, usize::MAX), &of, &stopped, None);
    assert!(!played.complete && !played.enough);
    let sizes = LayerSizes { bytes: 9, ..TINY };
    let (games, tasks) = compare(&problem, &strategy, sizes, false);
    assert!(
        games > 0 && tasks < 9,
        "a case whose layers do not fit is searched depth first: {tasks} tasks"
    );
    let mut few = player(&problem, usize::MAX);
    few.options.moves_max = 40;
    let played = search_in_layers(&mut few, &of, &Cancel::default(), None);
    assert!(!played.complete && played.moves >= 40);
}

/// A strategy without a game that only a search refutes: a diagram, half-moves, and the strategy.
const REFUTED: (&str, u16, &str) = (
    "rn1q1bn1/ppp1p1pQ/3pb3/3r1p1p/5N2/P1P4P/1PkPPPP1/RNB1K2R",
    38,
    "Sb1-f4, Qd1-h7, Bf1 (Ke8), Sg1-b1, Pa2-a3, Pc2-c3, Ph2-h3, Bc8-e6, Ke8xBf1 f1-c2, Rh8-d5, Pd7-d6, Pf7-f5, Ph7-h5",
);

#[test]
fn layers_are_dropped_when_they_need_too_much_memory_and_are_missed_only_when_there_is_a_game() {
    let diagram = crate::Diagram::from_setup(&REFUTED.0.parse().unwrap()).unwrap();
    let refuted = Problem { diagram, plies: REFUTED.1, length: Length::Exact };
    let strategy: Strategy = REFUTED.2.parse().unwrap();
    let tasks = |bytes| {
        let sizes = LayerSizes { bytes, part: 20, ..TINY };
        compare(&refuted, &strategy, sizes, false).1
    };
    // All layers together have more than a million bytes, the largest one less than a third of that.
    let all = tasks(1 << 30);
    let few = tasks(1 << 16);
    assert!(few > 0 && 2 * few < all, "a layer is too large: {few} of {all} tasks");
    // What tasks leave depends on time, so their number does.
    let dropped = tasks(400_000);
    assert!(4 * dropped > 3 * all, "nothing is missed: {dropped} of {all} tasks");
    for text in ["d3 d6 Bd2 Bd7 Nc3 Nc6", "h4 a5 Rh3 Ra6"] {
        let game = game_of(text).unwrap();
        let problem = Problem { plies: 8, ..problem(&game, Length::Exact) };
        for bytes in [60, 200, 1_000, 1 << 30] {
            let sizes = LayerSizes { bytes, ..TINY };
            assert!(compare(&problem, &project(&game).unwrap(), sizes, false).0 > 100);
        }
    }
}
