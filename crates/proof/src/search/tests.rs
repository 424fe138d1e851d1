//! The search against the slow twin, which uses the rules of chess and nothing else.

use crate::analyse::Effort;
use crate::check::twin::all_games;
use crate::search::depth_first::{SearchContext, StrategySearch};
use crate::search::options::PlayerOptions;
use crate::search::player::Player;
use crate::search::state::moves::MoveList;
use crate::search::state::script::Script;
use crate::search::table::RefutationTable;
use crate::search::team::context::TeamContext;
use crate::search::team::searching::SearchingTable;
use crate::search::{TeamSearch, search_with_team};
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

/// All games by the twin, by strategy.
fn by_strategy(problem: &Problem) -> BTreeMap<Strategy, Vec<Vec<Move>>> {
    let mut parts: BTreeMap<Strategy, Vec<Vec<Move>>> = BTreeMap::new();
    for plies in problem.lengths() {
        for game in all_games(&Problem { plies, ..*problem }) {
            parts.entry(project(&game).unwrap()).or_default().push(game);
        }
    }
    parts
}

fn all() -> PlayerOptions {
    PlayerOptions { games_max: usize::MAX, ..PlayerOptions::default() }
}

/// Every strategy that has a game gives, when searched, the twin's games of that strategy.
fn check_against_twin(game: &[Move], options: PlayerOptions, mib: usize) {
    for length in [Length::Exact, Length::Parity] {
        let problem = problem(game, length);
        let mut player = Player::new(&problem, Arc::new(RefutationTable::new(mib)), options);
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

/// A random game; the same for the same seed.
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
            let options = PlayerOptions { rules: Rules::default().set(rule, false), ..all() };
            check_against_twin(&game, options, 1);
        }
        check_against_twin(&game, PlayerOptions { rules: Rules::NONE, ..all() }, 1);
    }
}

#[test]
fn cases_partition_the_games() {
    // Few enough moves for a case that every idle man is probed.
    for trial_max in [1, 5] {
        let options = PlayerOptions { trial_max, ..all() };
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

/// The known game is lost neither in analysis nor in search.
fn follow(text: &str) {
    let game = game_of(text).unwrap();
    let strategy = project(&game).unwrap();
    for length in [Length::Exact, Length::Parity] {
        let problem = problem(&game, length);
        let mut player =
            Player::new(&problem, Arc::new(RefutationTable::new(0)), PlayerOptions::default());
        for effort in [Effort::Quick, Effort::Deep] {
            if let Err(lost) = player.follow(&strategy, &game, effort) {
                panic!("{text}: {lost}");
            }
        }
    }
}

#[test]
fn a_capture_at_home_can_open_a_way() {
    // Bf1 never moves, yet White castles over its square.
    follow("Nf3 Nf6 a3 Nd5 a4 Ne3 a5 Nxf1 a6 Ng3 axb7 Nh5 O-O");
}

#[test]
fn a_man_may_visit_its_death_square_earlier() {
    // Bc8 captures on c6 between the first visit of Sb8 and its death there.
    follow("e4 Nc6 Nc3 Nb8 Nb5 d6 Nd4 Bd7 Nc6 Bxc6 a3 Bd5 Bb5+ Nc6 Bxc6+");
}

#[test]
fn a_capture_en_passant_follows_its_double_step_at_once() {
    follow("e4 a6 e5 d5 exd6 Nf6");
    check_against_twin(&game_of("e4 a6 e5 d5 exd6").unwrap(), all(), 1);
}

#[test]
fn it_may_be_open_what_a_promoted_man_is_that_is_taken() {
    for kind in ["Q", "R", "B", "N"] {
        follow(&format!("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8={kind} Qxa8"));
    }
    // A queen or a rook on h8 would give check, a bishop does not.
    follow("h4 g5 hxg5 h6 gxh6 Bg7 hxg7 Nf6 gxh8=B Nh5 Bg7 Nxg7");
    let style = crate::check::random::GameStyle::Promotions;
    let mut taken = 0;
    for seed in 0..40 {
        let game = crate::check::random::random_game(style, 60, seed);
        let strategy = project(&game).unwrap();
        if strategy.of_any_kinds().is_none() {
            continue;
        }
        taken += 1;
        let problem = problem(&game, Length::Exact);
        let mut player =
            Player::new(&problem, Arc::new(RefutationTable::new(0)), PlayerOptions::default());
        for effort in [Effort::Quick, Effort::Deep] {
            if let Err(lost) = player.follow(&strategy, &game, effort) {
                panic!("seed {seed}: {lost}");
            }
        }
    }
    assert!(taken >= 10, "{taken}");
}

#[test]
fn strategies_that_differ_in_kinds_fail_together() {
    // Black has no time to take on a8, whatever stands there.
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
        let options = PlayerOptions { rules, ..all() };
        let mut player = Player::new(&problem, Arc::new(RefutationTable::new(1)), options);
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
    let mut player = Player::new(&problem, Arc::new(RefutationTable::new(1)), all());
    let strategy = project(&game).unwrap();
    let (common, men) = strategy.of_any_kinds().unwrap();
    assert_eq!((common == strategy, men.len()), (false, 1));
    for number in 0..2 {
        let played = player.play(&strategy, number, &Cancel::default());
        assert!(played.complete && played.games.contains(&game));
    }
}

#[test]
fn a_promoted_man_may_come_back() {
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
    let mut player =
        Player::new(&problem, Arc::new(RefutationTable::new(1)), PlayerOptions::default());
    let played = player.play(&project(&game).unwrap(), 0, &Cancel::default());
    assert!(played.enough && !played.complete);
    assert_eq!(played.games.len(), 2);
    assert_ne!(played.games[0], played.games[1]);
}

#[test]
fn a_stopped_or_limited_search_is_incomplete() {
    let game = game_of("Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8 e4 e5").unwrap();
    let problem = problem(&game, Length::Exact);
    let options = PlayerOptions { moves_max: 50, ..all() };
    let mut player = Player::new(&problem, Arc::new(RefutationTable::new(1)), options);
    let played = player.play(&project(&game).unwrap(), 0, &Cancel::default());
    assert!(!played.complete && !played.enough);
    let cancel = Cancel::default();
    cancel.raise();
    let mut player = Player::new(&problem, Arc::new(RefutationTable::new(1)), all());
    assert!(!player.play(&project(&game).unwrap(), 0, &cancel).complete);
}

#[test]
fn moves_are_counted_while_they_are_made() {
    let game = game_of("Nf3 Nf6 Nc3 Nc6 Ng1 Ng8 Nb1 Nb8 e4 e5").unwrap();
    let problem = problem(&game, Length::Exact);
    for moves_max in [100, 256, 1000, 5000] {
        let options = PlayerOptions { moves_max, trial_max: 300, ..all() };
        let mut player = Player::new(&problem, Arc::new(RefutationTable::new(1)), options);
        let gauge = Arc::new(Gauge::default());
        player.count(Arc::clone(&gauge));
        let played = player.play(&project(&game).unwrap(), 0, &Cancel::default());
        assert_eq!(gauge.get(), played.moves);
    }
    // The view is read during the search, which is then stopped.
    let options = PlayerOptions { trial_max: u64::MAX, rules: Rules::NONE, ..all() };
    let mut player = Player::new(&problem, Arc::new(RefutationTable::new(1)), options);
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

/// Known games, by name, plies and moves; the sources are named in the file.
const GAMES: &str = include_str!("../../tests/golden/spg-games.tsv");

/// Quick and deep analysis and the search keep the game.
fn keeps(name: &str, game: &[Move], rules: Rules) {
    let strategy = project(game).unwrap();
    for length in [Length::Exact, Length::Parity] {
        let problem = problem(game, length);
        let options = PlayerOptions { rules, ..PlayerOptions::default() };
        let mut player = Player::new(&problem, Arc::new(RefutationTable::new(0)), options);
        for effort in [Effort::Quick, Effort::Deep] {
            if let Err(lost) = player.follow(&strategy, game, effort) {
                panic!("{name} {length:?} {effort:?}: {lost}: {}", san_of(game).join(" "));
            }
        }
    }
}

#[test]
fn no_published_game_is_lost() {
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (name, moves) = (fields.next().unwrap(), fields.nth(1).unwrap());
        keeps(name, &game_of(moves).unwrap(), Rules::default());
    }
}

#[test]
fn no_tight_random_game_is_lost() {
    use crate::check::random::{GameStyle, STYLES, random_game};
    for style in STYLES {
        let count = if matches!(style, GameStyle::Tight(_)) { 40 } else { 4 };
        for seed in 0..count {
            let game = random_game(style, 12 + seed as usize % 30, seed);
            keeps(&format!("{style:?} {seed}"), &game, Rules::default());
        }
    }
}

#[test]
fn a_false_fact_is_noticed() {
    use crate::Man;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::facts::check_facts;
    use crate::analyse::{Analysis, Assumptions};
    // The knight goes out and comes back; the assumption that it stays is false for this game.
    let game = game_of("Nf3 a6 Ng1 a5").unwrap();
    let strategy = project(&game).unwrap();
    let problem = problem(&game, Length::Exact);
    let knight = Man::starting_on(umbrail_chess::geometry::Square::G1).unwrap();
    let mut cache = AnalysisCache::default();
    let analysis = Analysis {
        problem: &problem,
        strategy: &strategy,
        rules: Rules::default(),
        effort: Effort::Quick,
    };
    let plan = analysis.propagate(Assumptions::default(), &mut cache).unwrap();
    assert_eq!(check_facts(&plan, &cache.distances, &game), Ok(()));
    let mut stay = Assumptions::default();
    stay.stay = stay.stay.with(knight);
    let plan = analysis.propagate(stay, &mut cache).unwrap();
    let untrue = check_facts(&plan, &cache.distances, &game).unwrap_err();
    assert_eq!(untrue.to_string(), "ply 0: Sg1 never moves");
    let mut plan = analysis.propagate(Assumptions::default(), &mut cache).unwrap();
    plan.sequences[knight.index()].legs[0].forbidden = umbrail_chess::geometry::Bitboard::FULL;
    assert!(
        check_facts(&plan, &cache.distances, &game)
            .unwrap_err()
            .to_string()
            .starts_with("ply 1: Sg1 does")
    );
}

#[test]
fn a_king_that_is_checked_at_home_steps_aside() {
    use crate::Man;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::{Analysis, Assumptions};
    // The knight takes on c2 with check and lives on: the idle king must move.
    let text = "Sb8xPc2 c2-b4, Pc2 (Sb8), Pe2-e4";
    let strategy: Strategy = text.parse().unwrap();
    let diagram = strategy.diagram().unwrap();
    assert_eq!(strategy.check(&diagram), Ok(()));
    let problem = Problem { diagram, plies: 20, length: Length::Parity };
    for (rules, expected) in
        [(Rules::default(), true), (Rules::default().set(Rule::IdleMenProbing, false), false)]
    {
        let analysis =
            Analysis { problem: &problem, strategy: &strategy, rules, effort: Effort::Quick };
        let plan =
            analysis.propagate(Assumptions::default(), &mut AnalysisCache::default()).unwrap();
        assert_eq!(
            plan.assumptions.away.contains(Man::king(umbrail_chess::geometry::Color::White)),
            expected
        );
    }
}

/// The positions of a game but the first, as players see them, and the plies left there.
fn places_of(player: &mut Player, strategy: &Strategy, game: &[Move]) -> Vec<(u128, u16)> {
    let plan = player.analyse(strategy, Effort::Quick).unwrap();
    let (script, cancel) = (Script::new(&plan), Cancel::default());
    let setting = SearchContext {
        problem: &player.problem,
        script: &script,
        distances: &player.cache.distances,
        table: &player.table,
        options: &player.options,
        number: 0,
        shared_cache: None,
        searching: None,
        cancel: &cancel,
        view: None,
        gauge: None,
    };
    let mut search =
        StrategySearch::new(&setting, &mut player.blocked_maps, &player.store).unwrap();
    let mut searching = Vec::new();
    for (&mv, left) in game.iter().zip((0..game.len() as u16).rev()) {
        let mut choices = MoveList::new();
        search.list(&mut choices);
        for choice in &choices {
            let made = search.make(choice);
            if search.last_move() == Some(mv) {
                break;
            }
            search.unmake(choice, &made.undo);
        }
        searching.push((search.board.key, left));
    }
    searching
}

#[test]
fn players_avoid_each_others_positions_before_the_sync_half_move() {
    let game = game_of("Nf3 Nf6 Nc3 Nc6 Ng1 Ng8").unwrap();
    let (problem, strategy) = (problem(&game, Length::Exact), project(&game).unwrap());
    let player = |sync_plies| {
        let options = PlayerOptions { sync_plies, ..all() };
        Player::new(&problem, Arc::new(RefutationTable::new(1)), options)
    };
    // The order in which the games are found shows the order of moves, when some positions are
    // marked.
    let found = |taken: &[(u128, u16)], sync_plies| {
        let searching = SearchingTable::default();
        taken.iter().for_each(|&(key, left)| searching.enter(key, left));
        let team = TeamContext { searching: Some(&searching), ..TeamContext::default() };
        let (mut player, cancel) = (player(sync_plies), Cancel::default());
        let games = player.attempt(&strategy, 0, &cancel, Effort::Quick, u64::MAX, team).games;
        if sync_plies == 0 {
            assert_eq!(format!("{searching:?}"), "0 positions", "all marks are removed");
        }
        games
    };
    let usual = found(&[], 0);
    let searching = places_of(&mut player(0), &strategy, &usual[0]);
    let sorted = |mut games: Vec<Vec<Move>>| {
        games.sort();
        games
    };
    for (at, &place) in (1..).zip(&searching[..4]) {
        let other = found(&[place], 0);
        assert_ne!(other[0], usual[0], "the position after {at} half-moves is marked");
        assert_eq!(sorted(other.clone()), sorted(usual.clone()));
        assert_eq!(found(&[place], at)[0], other[0], "that is before the half-move");
        if at > 1 {
            assert_eq!(found(&[place], at - 1)[0], usual[0], "that is beyond it");
        }
    }
    // When all positions are marked, everything is tried all the same.
    assert_eq!(sorted(found(&searching[..5], 0)), sorted(usual));
}

#[test]
fn a_team_finds_what_one_player_finds() {
    let mut called = 0;
    for text in ["Nf3 Nf6 Nc3 Nc6 Ng1 Ng8", "e4 e5 Ke2 Ke7 Ke1 Ke8", "Nc3 d5 Nxd5 Qxd5 a3 Qd8"] {
        let game = game_of(text).unwrap();
        let problem = problem(&game, Length::Exact);
        let strategy = project(&game).unwrap();
        let options = PlayerOptions { trial_max: 20, ..all() };
        let mut side_relaxation = Player::new(&problem, Arc::new(RefutationTable::new(1)), all());
        let mut expected = side_relaxation.play(&strategy, 0, &Cancel::default()).games;
        let table = Arc::new(RefutationTable::new(1));
        let mut players: Vec<Player> =
            (0..3).map(|_| Player::new(&problem, Arc::clone(&table), options)).collect();
        let played = search_with_team(&mut players, &strategy, 0, &Cancel::default(), &|_| ());
        let mut found = played.games;
        expected.sort();
        found.sort();
        assert!(played.complete);
        assert_eq!(found, expected, "{text}");
        // The same when one player announces a search and another joins it.
        let (call, heard) = std::sync::mpsc::channel::<Arc<TeamSearch>>();
        let (one, others) = players.split_at_mut(1);
        let (joined, mut found) = std::thread::scope(|scope| {
            let other = scope.spawn(move || {
                let joined = |call: Arc<TeamSearch>| {
                    call.join(&mut others[0]);
                    call.joined()
                };
                heard.recv().map_or(0, joined)
            });
            let announce = |open: &Arc<TeamSearch>| call.send(Arc::clone(open)).unwrap();
            let played = search_with_team(one, &strategy, 1, &Cancel::default(), &announce);
            drop(call);
            assert!(played.complete);
            (other.join().unwrap(), played.games)
        });
        found.sort();
        called += u32::from(joined >= 1);
        assert_eq!(found, expected, "{text}");
    }
    assert!(called >= 2, "two of these take longer than a trial");
}
