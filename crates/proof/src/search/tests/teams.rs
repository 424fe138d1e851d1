//! Tests of several players on one strategy.

use super::{all, problem};
use crate::analyse::Effort;
use crate::search::depth_first::{SearchSetting, StrategySearch};
use crate::search::moves::MoveList;
use crate::search::options::SearchOptions;
use crate::search::searching_table::SearchingTable;
use crate::search::state::compiled::CompiledPlan;
use crate::search::strategy_searcher::{StrategySearcher, TeamContext};
use crate::search::table::RefutationTable;
use crate::search::{TeamSearch, search_with_team};
use crate::{Length, Strategy, game_of, project};
use std::sync::Arc;
use umbrail_chess::Move;
use umbrail_control::Cancel;

/// Returns the positions of a game except the first, as players see them, with the plies left
/// there.
fn places_of(
    player: &mut StrategySearcher,
    strategy: &Strategy,
    game: &[Move],
) -> Vec<(u128, u16)> {
    let plan = player.analyse(strategy, Effort::Quick).unwrap();
    let (compiled, cancel) = (CompiledPlan::new(&plan), Cancel::default());
    let setting = SearchSetting {
        problem: &player.problem,
        compiled: &compiled,
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
            search.unmake(&made);
        }
        searching.push((search.key(), left));
    }
    searching
}

#[test]
fn players_avoid_each_others_positions_before_the_sync_half_move() {
    let game = game_of("Nf3 Nf6 Nc3 Nc6 Ng1 Ng8").unwrap();
    let (problem, strategy) = (problem(&game, Length::Exact), project(&game).unwrap());
    let player = |sync_plies| {
        let options = SearchOptions { sync_plies, ..all() };
        StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), options)
    };
    // The order in which the games are found shows the order of moves when some positions are
    // marked.
    let found = |taken: &[(u128, u16)], sync_plies| {
        let searching = SearchingTable::default();
        taken.iter().for_each(|&(key, left)| searching.enter(key, left));
        let context = TeamContext { searching: Some(&searching), ..TeamContext::default() };
        let (mut player, cancel) = (player(sync_plies), Cancel::default());
        let games = player.attempt(&strategy, 0, &cancel, Effort::Quick, u64::MAX, context).games;
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
    // If all positions are marked, every move is still tried.
    assert_eq!(sorted(found(&searching[..5], 0)), sorted(usual));
}

#[test]
fn a_team_finds_what_one_player_finds() {
    let mut called = 0;
    for text in ["Nf3 Nf6 Nc3 Nc6 Ng1 Ng8", "e4 e5 Ke2 Ke7 Ke1 Ke8", "Nc3 d5 Nxd5 Qxd5 a3 Qd8"] {
        let game = game_of(text).unwrap();
        let problem = problem(&game, Length::Exact);
        let strategy = project(&game).unwrap();
        let options = SearchOptions { trial_max: 20, ..all() };
        let mut side_relaxation =
            StrategySearcher::new(&problem, Arc::new(RefutationTable::new(1)), all());
        let mut expected = side_relaxation.play(&strategy, 0, &Cancel::default()).games;
        let table = Arc::new(RefutationTable::new(1));
        let mut players: Vec<StrategySearcher> =
            (0..3).map(|_| StrategySearcher::new(&problem, Arc::clone(&table), options)).collect();
        let played = search_with_team(&mut players, &strategy, 0, &Cancel::default(), &|_| ());
        let mut found = played.games;
        expected.sort();
        found.sort();
        assert!(played.complete);
        assert_eq!(found, expected, "{text}");
        // This also holds if one player announces a search and another joins it.
        let (call, received) = std::sync::mpsc::channel::<Arc<TeamSearch>>();
        let (one, others) = players.split_at_mut(1);
        let (joined, mut found) = std::thread::scope(|scope| {
            let other = scope.spawn(move || {
                let joined = |call: Arc<TeamSearch>| {
                    call.join(&mut others[0]);
                    call.joined()
                };
                received.recv().map_or(0, joined)
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
