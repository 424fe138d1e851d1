//! Checks that known games survive quick and deep analysis and the search.

use super::problem;
use crate::analyse::Effort;
use crate::search::options::SearchOptions;
use crate::search::strategy_searcher::StrategySearcher;
use crate::search::table::RefutationTable;
use crate::{Length, Problem, Rule, Rules, Strategy, game_of, project, san_of};
use std::sync::Arc;
use umbrail_chess::Move;

/// Known games, by name, plies and moves; the file names the sources.
const GAMES: &str = include_str!("../../../tests/golden/spg-games.tsv");

/// Checks that quick and deep analysis and the search keep the game.
fn keeps(name: &str, game: &[Move], rules: Rules) {
    let strategy = project(game).unwrap();
    for length in [Length::Exact, Length::Parity] {
        let problem = problem(game, length);
        let options = SearchOptions { rules, ..SearchOptions::default() };
        let mut player =
            StrategySearcher::new(&problem, Arc::new(RefutationTable::new(0)), options);
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
    use crate::PieceId;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::facts::check_facts;
    use crate::analyse::{Analysis, Assumptions};
    // The knight leaves and returns; the assumption that it stays is false for this game.
    let game = game_of("Nf3 a6 Ng1 a5").unwrap();
    let strategy = project(&game).unwrap();
    let problem = problem(&game, Length::Exact);
    let knight = PieceId::starting_on(umbrail_chess::geometry::Square::G1).unwrap();
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
    use crate::PieceId;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::{Analysis, Assumptions};
    // The knight takes on c2 with check and survives: the idle king must move.
    let text = "Sb8xPc2 c2-b4, Pc2 (Sb8), Pe2-e4";
    let strategy: Strategy = text.parse().unwrap();
    let diagram = strategy.diagram().unwrap();
    assert_eq!(strategy.check(&diagram), Ok(()));
    let problem = Problem { diagram, plies: 20, length: Length::Parity };
    for (rules, expected) in
        [(Rules::default(), true), (Rules::default().set(Rule::IdlePiecesProbing, false), false)]
    {
        let analysis =
            Analysis { problem: &problem, strategy: &strategy, rules, effort: Effort::Quick };
        let plan =
            analysis.propagate(Assumptions::default(), &mut AnalysisCache::default()).unwrap();
        assert_eq!(
            plan.assumptions.away.contains(PieceId::king(umbrail_chess::geometry::Color::White)),
            expected
        );
    }
}
