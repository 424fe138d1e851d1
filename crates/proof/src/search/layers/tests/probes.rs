//! Patterns that are found in samples, against a search that has no patterns.

use super::REFUTED;
use crate::problem::man::{Man, MenSet};
use crate::rules::Rule;
use crate::search::depth_first::{SearchContext, StrategySearch};
use crate::search::layers::piece::Packer;
use crate::search::layers::row::RowFormat;
use crate::search::layers::step::StepShape;
use crate::search::options::PlayerOptions;
use crate::search::player::Player;
use crate::search::split::left_case::LeftCase;
use crate::search::state::script::Script;
use crate::search::table::RefutationTable;
use crate::{Diagram, Length, Problem, Rules, Strategy};
use std::sync::Arc;
use umbrail_chess::geometry::Color;
use umbrail_control::Cancel;

/// Calls `then` with a search of the case that has no game, at the array.
fn with_search<T>(rules: Rules, then: impl FnOnce(&mut StrategySearch<'_>, &RowFormat) -> T) -> T {
    let diagram = Diagram::from_setup(&REFUTED.0.parse().unwrap()).unwrap();
    let problem = Problem { diagram, plies: REFUTED.1, length: Length::Exact };
    let strategy: Strategy = REFUTED.2.parse().unwrap();
    let options = PlayerOptions { rules, ..PlayerOptions::default() };
    let mut player = Player::new(&problem, Arc::new(RefutationTable::new(4)), options);
    let plans = player.plans_of(&strategy, LeftCase::default());
    let script = Script::new(&plans[0]);
    let setting = SearchContext {
        problem: &player.problem,
        script: &script,
        distances: &player.cache.distances,
        table: &player.table,
        options: &options,
        number: 7,
        shared_cache: None,
        searching: None,
        cancel: &Cancel::default(),
        view: None,
        gauge: None,
    };
    let search = StrategySearch::new(&setting, &mut player.blocked_maps, &player.store);
    let mut search = search.unwrap();
    // Patterns are not tested in the first thousand moves of a search.
    search.moves = 100_000;
    let format = RowFormat::new(&script, search.root_board(), &search.needs());
    then(&mut search, &format)
}

/// Half-moves before the layer that is looked at.
const HALF_MOVES: u16 = 14;

/// The positions of that layer.
fn large_layer(search: &mut StrategySearch<'_>, format: &RowFormat) -> Vec<u8> {
    let (mut rows, mut ply) = (vec![], 0);
    format.write(search.script(), search.root_board(), &mut rows);
    while ply < HALF_MOVES {
        let piece = Packer::new(format.widths()).pack(&rows);
        let shape = StepShape::whole(ply, 2, 1, MenSet::ALL);
        let reached = search.step(format, &[&piece], shape).unwrap().unwrap();
        rows.clear();
        assert!(Packer::new(format.widths()).unpack(&reached.pieces[0], &mut rows));
        ply += 2;
    }
    rows
}

#[test]
fn what_patterns_of_a_sample_refute_has_no_game() {
    let plain = Rules::default().set(Rule::SubsetRelaxation, false);
    let rows = with_search(plain, large_layer);
    let refuted = with_search(Rules::default(), |search, format| {
        search.drop_patterns();
        search.try_patterns(format, &rows, HALF_MOVES, 400_000);
        assert!(!search.tallies().is_empty(), "patterns were found");
        let each = rows.chunks_exact(format.width());
        let refuted = each.filter(|row| search.refutes(format, row, HALF_MOVES));
        refuted.map(<[u8]>::to_vec).collect::<Vec<_>>()
    });
    assert!(refuted.len() > 100, "{}", refuted.len());
    with_search(plain, |search, format| {
        for row in refuted.iter().step_by(refuted.len() / 20) {
            if search.set_out(format, row, HALF_MOVES) == Some(true) {
                assert_eq!(search.play(), Ok(false));
            }
        }
    });
}

#[test]
fn advised_patterns_come_first_and_those_not_advised_keep_what_they_know() {
    let plain = Rules::default().set(Rule::SubsetRelaxation, false);
    let rows = with_search(plain, large_layer);
    let set = |men: &[Man]| men.iter().copied().collect::<MenSet>();
    let kings = set(&[Man::king(Color::White), Man::king(Color::Black)]);
    let king = set(&[Man::king(Color::White)]);
    with_search(Rules::default(), |search, format| {
        let men = |search: &StrategySearch<'_>| {
            search.tallies().into_iter().map(|(men, _)| men).collect::<Vec<_>>()
        };
        search.drop_patterns();
        search.ask_these(&[king, kings]);
        assert_eq!(men(search), [king, kings]);
        let mut tested = 0;
        // A pattern that was tested at few positions counts as new, and stays.
        search.ask_these(&[kings]);
        assert_eq!(men(search), [kings, king]);
        while tested < 25_000 {
            for row in rows.chunks_exact(format.width()) {
                search.refutes(format, row, HALF_MOVES);
            }
            tested += rows.len() / format.width();
        }
        let known = search.tallies();
        assert!(known[0].1.refuted > 5_000 && known[0].1.moves > 0, "{known:?}");
        search.ask_these(&[king]);
        assert_eq!(men(search), [king]);
        search.ask_these(&[kings, king]);
        assert_eq!(men(search), [kings, king]);
        assert_eq!(search.tallies()[0], known[0]);
    });
}
