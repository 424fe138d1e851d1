//! Comparison of the search with the slow twin, which uses only the rules of chess.

mod known_games;
mod teams;

use crate::analyse::Effort;
use crate::check::twin::all_games;
use crate::search::options::SearchOptions;
use crate::search::strategy_searcher::StrategySearcher;
use crate::search::table::RefutationTable;
use crate::{Diagram, Length, Problem, Rule, Rules, Strategy, game_of, project, san_of, verify};
use std::collections::BTreeMap;
use std::sync::Arc;
use umbrail_chess::{Move, Position};
use umbrail_control::{Cancel, Gauge};

fn end_of(game: &[Move]) -> Diagram {
    Diagram::of(&game.iter().fold(Position::startpos(), |position, &mv| position.after(mv)))
}

fn problem(game: &[Move], length: Length) -> Problem {
    Problem { diagram: end_of(game), plies: game.len() as u16, length }
}

/// Returns all games by the twin, by strategy.
fn by_strategy(problem: &Problem) -> BTreeMap<Strategy, Vec<Vec<Move>>> {
    let mut parts: BTreeMap<Strategy, Vec<Vec<Move>>> = BTreeMap::new();
    for plies in problem.lengths() {
        for game in all_games(&Problem { plies, ..*problem }) {
            parts.entry(project(&game).unwrap()).or_default().push(game);
        }
    }
    parts
}

fn all() -> SearchOptions {
    SearchOptions { games_max: usize::MAX, ..SearchOptions::default() }
}

/// Checks that the search of every strategy with a game returns the twin's games of that strategy.
fn check_against_twin(game: &[Move], options: SearchOptions, mib: usize) {
    for length in [Length::Exact, Length::Parity] {
        let problem = problem(game, length);
        let mut player =
            StrategySearcher::new(&problem, Arc::new(RefutationTable::new(mib)), options);
        for (number, (strategy, mut expected)) in by_strategy(&problem).into_iter().enumerate() {
            let played = player.play(&strategy, number as u64, &Cancel::default());
            assert!(played.complete && !played.enough);
            let mut found = played.games;
            found.iter().for_each(|game| assert_eq!(verify(&problem, game), Ok(())));
            expected.sort();
            found.sort();
            assert_eq!(
                found.len(),
                expected.len(),
                "{length:?} {} {strategy} {:?}",
                san_of(game).join(" "),
                options.rules
            );
            assert_eq!(found, expected, "{length:?} {strategy}");
        }
    }
}

/// Returns a random game, which depends on the seed only.
fn random_game(seed: u64, plies: usize) -> Vec<Move> {
    let mut state = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut position = Position::startpos();
    let mut game = Vec::new();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let captures: Vec<Move> =
            moves.iter().copied().filter(|&mv| position.is_capture(mv)).collect();
        let pick = (state >> 11) as usize;
        let mv = if state & 3 == 0 && !captures.is_empty() {
            captures[pick % captures.len()]
        } else {
            moves[pick % moves.len()]
        };
        position = position.after(mv);
        game.push(mv);
    }
    game
}

#[test]
fn all_games_of_short_random_diagrams_are_found() {
    for seed in 0..24 {
        check_against_twin(&random_game(seed, 3 + seed as usize % 3), all(), 1);
    }
}

#[test]
fn longer_games_than_needed_lose_their_tempo_in_every_way() {
    // A knight's move and back, spare pawn moves, a switchback: more than one move too many.
    for text in ["Nf3 Nf6 Ng1 Ng8", "a3 Nc6 a4 Nb8", "e4 e5 Ke2 Ke7 Ke1", "Nc3 d5 Nxd5 Qxd5"] {
        check_against_twin(&game_of(text).unwrap(), all(), 1);
    }
}

#[test]
fn no_rule_changes_the_games() {
    for seed in 100..106 {
        let game = random_game(seed, 5);
        for &rule in Rule::ALL {
            let options = SearchOptions { rules: Rules::default().set(rule, false), ..all() };
            check_against_twin(&game, options, 1);
        }
        check_against_twin(&game, SearchOptions { rules: Rules::NONE, ..all() }, 1);
    }
}

#[test]
fn cases_partition_the_games() {
    // Few enough moves for a case to probe every idle piece.
    for trial_max in [1, 5] {
        let options = SearchOptions { trial_max, ..all() };
        for text in ["Nf3 Nf6 Ng1 Ng8", "a3 Nc6 a4 Nb8", "e4 e5 Ke2 Ke7 Ke1", "Nc3 d5 Nxd5 Qxd5"] {
            check_against_twin(&game_of(text).unwrap(), options, 1);
        }
        for seed in 300..306 {
            check_against_twin(&random_game(seed, 5), options, 1);
        }
    }
}

#[test]
fn the_size_of_the_table_changes_nothing() {
    for seed in 200..206 {
        let game = random_game(seed, 5);
        for mib in [0, 1, 64] {
            check_against_twin(&game, all(), mib);
        }
    }
}

/// Checks that neither analysis nor search loses the known game.
fn follow(text: &str) {
    let game = game_of(text).unwrap();
    let strategy = project(&game).unwrap();
    for length in [Length::Exact, Length::Parity] {
        let problem = problem(&game, length);
        let mut player = StrategySearcher::new(
            &problem,
            Arc::new(RefutationTable::new(0)),
            SearchOptions::default(),
        );
        for effort in [Effort::Quick, Effort::Deep] {
            if let Err(lost) = player.follow(&strategy, &game, effort) {
                panic!("{text}: {lost}");
            }
        }
    }
}

#[test]
fn a_capture_at_home_can_open_a_way() {
    // Bf1 never moves, but White castles over its square.
    follow("Nf3 Nf6 a3 Nd5 a4 Ne3 a5 Nxf1 a6 Ng3 axb7 Nh5 O-O");
}

#[test]
fn a_piece_may_visit_its_death_square_earlier() {
    // Bc8 captures on c6 between the first visit of Sb8 and its death there.
    follow("e4 Nc6 Nc3 Nb8 Nb5 d6 Nd4 Bd7 Nc6 Bxc6 a3 Bd5 Bb5+ Nc6 Bxc6+");
}

#[test]
fn a_capture_en_passant_follows_its_double_step_at_once() {
    follow("e4 a6 e5 d5 exd6 Nf6");
    check_against_twin(&game_of("e4 a6 e5 d5 exd6").unwrap(), all(), 1);
}

#[test]
fn the_type_of_a_captured_promoted_piece_may_stay_open() {
    for kind in ["Q", "R", "B", "N"] {
        follow(&format!("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8={kind} Qxa8"));
    }
    // A queen or a rook on h8 would give check, a bishop does not.
    follow("h4 g5 hxg5 h6 gxh6 Bg7 hxg7 Nf6 gxh8=B Nh5 Bg7 Nxg7");
    let style = crate::check::random::GameStyle::Promotions;
    let mut taken = 0;
    for seed in 0..16 {
        let game = crate::check::random::random_game(style, 60, seed);
        let strategy = project(&game).unwrap();
        if strategy.of_any_kinds().is_none() {
            continue;
        }
        taken += 1;
        let problem = problem(&game, Length::Exact);
        let mut player = StrategySearcher::new(
            &problem,
            Arc::new(RefutationTable::new(0)),
            SearchOptions::default(),
        );
        for effort in [Effort::Quick, Effort::Deep] {
            if let Err(lost) = player.follow(&strategy, &game, effort) {
                panic!("seed {seed}: {lost}");
            }
        }
    }
    assert!(taken >= 4, "{taken}");
}

#[test]
fn strategies_that_differ_in_kinds_fail_together() {
    // Black has no time to take on a8, whatever the piece there.
    let strategies = ["Q", "R", "B", "N"].map(|kind| {
        let text = format!("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8={kind} Qxa8");
        project(&game_of(&text).unwrap()).unwrap()
    });
    let short = game_of("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6").unwrap();
    let problem = Problem {
        diagram: strategies[0].diagram().unwrap(),
        plies: short.len() as u16,
        length: Length::Exact,
    };
    let by_kinds = |rules| {
        let options = SearchOptions { rules, ..all() };
        let mut player =
            StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), options);
        strategies.each_ref().map(|strategy| {
            let played = player.play(strategy, 0, &Cancel::default());
            assert!(played.complete && played.games.is_empty());
            played.refused.is_some_and(|refused| refused.rule == Some(Rule::PromotionClasses))
        })
    };
    assert_eq!(by_kinds(Rules::default()), [true, true, true, false]);
    assert_eq!(by_kinds(Rules::default().set(Rule::PromotionClasses, false)), [false; 4]);
}

#[test]
fn a_game_with_one_kind_is_found_where_others_fail() {
    // Only a bishop on h8 does not give check.
    let text = "h4 g5 hxg5 h6 gxh6 Bg7 hxg7 Nf6 gxh8=B Nh5 Bg7 Nxg7";
    let game = game_of(text).unwrap();
    let problem = problem(&game, Length::Exact);
    let mut player = StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), all());
    let strategy = project(&game).unwrap();
    let (common, pieces) = strategy.of_any_kinds().unwrap();
    assert_eq!((common == strategy, pieces.len()), (false, 1));
    for number in 0..2 {
        let played = player.play(&strategy, number, &Cancel::default());
        assert!(played.complete && played.games.contains(&game));
    }
}

#[test]
fn a_promoted_piece_may_come_back() {
    follow("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=N g6 Nb6 Bg7 Na8");
}

#[test]
fn a_captor_may_make_way_for_castling_and_come_back() {
    // The bishop captures on b8, where the rook must pass, leaves and returns.
    follow("d3 c5 Bf4 Qa5+ Nd2 d5 Bxb8 Bd7 Bf4 O-O-O Bb8");
    follow("e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O");
    follow("d4 d5 Nc3 Nc6 Bf4 Bf5 Qd3 Qd6 O-O-O O-O-O");
}

#[test]
fn a_strategy_is_cooked_at_its_second_game() {
    let game = game_of("e4 e5 Nf3 Nf6").unwrap();
    let problem = problem(&game, Length::Exact);
    let mut player = StrategySearcher::new(
        &problem,
        Arc::new(RefutationTable::new(1)),
        SearchOptions::default(),
    );
    let played = player.play(&project(&game).unwrap(), 0, &Cancel::default());
    assert!(played.enough && !played.complete);
    assert_eq!(played.games.len(), 2);
    assert_ne!(played.games[0], played.games[1]);
}

#[test]
fn a_stopped_or_limited_search_is_incomplete() {
    let game = game_of("Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8 e4 e5").unwrap();
    let problem = problem(&game, Length::Exact);
    let options = SearchOptions { moves_max: 50, ..all() };
    let mut player = StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), options);
    let played = player.play(&project(&game).unwrap(), 0, &Cancel::default());
    assert!(!played.complete && !played.enough);
    let cancel = Cancel::default();
    cancel.raise();
    let mut player = StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), all());
    assert!(!player.play(&project(&game).unwrap(), 0, &cancel).complete);
}

#[test]
fn moves_are_counted_while_they_are_made() {
    let game = game_of("Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8 e4 e5").unwrap();
    let problem = problem(&game, Length::Exact);
    for moves_max in [100, 256, 1000, 5000] {
        let options = SearchOptions { moves_max, trial_max: 300, ..all() };
        let mut player =
            StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), options);
        let gauge = Arc::new(Gauge::default());
        player.count(Arc::clone(&gauge));
        let played = player.play(&project(&game).unwrap(), 0, &Cancel::default());
        assert_eq!(gauge.get(), played.moves);
    }
    // The view is read during the search, which is then stopped.
    let options = SearchOptions { trial_max: u64::MAX, rules: Rules::NONE, ..all() };
    let mut player = StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), options);
    let (gauge, cancel) = (Arc::new(Gauge::default()), Cancel::default());
    player.count(Arc::clone(&gauge));
    let played = std::thread::scope(|scope| {
        let playing = scope.spawn(|| player.play(&project(&game).unwrap(), 0, &cancel));
        while gauge.get() == 0 && !playing.is_finished() {
            std::thread::yield_now();
        }
        cancel.raise();
        playing.join().unwrap()
    });
    assert!(played.moves >= 256 && gauge.get() == played.moves);
}
