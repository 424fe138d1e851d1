//! Each bound off against on, and all against a plain enumeration without bounds and table.

use super::{ARRAY, Case, Way, legal, men_of, position};
use crate::positions::board::Man;
use crate::positions::bounds::BoundSet;
use crate::positions::problem::TargetBoard;
use crate::positions::rules::{Orthodox, PositionOf, RuleSet};
use crate::positions::turns::Turns;
use umbrail_chess::SplitMix64;

/// Counts games by trying every move.
pub(super) fn plain<R: RuleSet>(
    rules: &R,
    before: &PositionOf<R>,
    target: &[Man; 64],
    plies: u16,
    turns: Turns,
) -> u128 {
    if plies == 0 {
        return u128::from(rules.is_target(before, &TargetBoard::new(*target)));
    }
    let nexts = legal(rules, before, turns).into_iter();
    let goes_on = |next: &PositionOf<R>| {
        turns == Turns::Alternating || plies == 1 || !rules.in_check(next, !before.turn)
    };
    let nexts = nexts.filter(|(_, next)| goes_on(next));
    nexts.map(|(_, next)| plain(rules, &next, target, plies - 1, turns)).sum()
}

/// Each bound off, and all of them.
pub(super) fn sets() -> Vec<BoundSet> {
    let all = BoundSet::ALL;
    let none = BoundSet {
        number: false,
        missing: false,
        army: false,
        pawn_captures: false,
        pawn_quiet: false,
        castling: false,
        frozen: false,
    };
    vec![
        BoundSet { number: false, ..all },
        BoundSet { missing: false, ..all },
        BoundSet { army: false, ..all },
        BoundSet { pawn_captures: false, ..all },
        BoundSet { pawn_quiet: false, ..all },
        BoundSet { castling: false, ..all },
        BoundSet { frozen: false, ..all },
        BoundSet { number: true, ..none },
        BoundSet { missing: true, ..none },
        BoundSet { army: true, castling: true, ..none },
    ]
}

#[test]
fn short_games_are_counted_as_by_plain_enumeration() {
    for (start, plies, turns) in [
        (ARRAY, 3, Turns::Alternating),
        (ARRAY, 4, Turns::Series),
        ("r3k2r/p3p1p1/8/1P6/1p6/8/P3P1P1/R3K2R w KQkq - 0 1", 3, Turns::Alternating),
        ("r3k2r/p3p1p1/8/1P6/1p6/8/P3P1P1/R3K2R b KQkq - 0 1", 4, Turns::Alternating),
        ("4k3/P4pp1/8/4P3/3p4/8/1PP4p/4K3 w - - 0 1", 4, Turns::Alternating),
        ("4k3/P4pp1/8/4P3/3p4/8/1PP4p/4K3 b - - 0 1", 3, Turns::Series),
    ] {
        let from: PositionOf<Orthodox> = position(start);
        let mut numbers = SplitMix64::new(u64::from(plies));
        for _ in 0..12 {
            let target = random_end(&from, plies, turns, &mut numbers);
            let placement = placement(&target);
            let case = Case { start, target: &placement, plies, turns };
            let expected = plain(&Orthodox, &from, &target, plies, turns);
            assert!(expected > 0);
            assert_eq!(case.solve(Orthodox, Way::default(), 2).0, expected, "{start} {placement}");
            for set in sets() {
                let way = Way { set, ..Way::default() };
                assert_eq!(case.solve(Orthodox, way, 0).0, expected, "{placement} {set:?}");
            }
        }
    }
}

#[test]
fn each_bound_off_changes_no_number() {
    let from = |start, target, plies, turns| Case { start, target, plies, turns };
    let (alternating, series) = (Turns::Alternating, Turns::Series);
    for (case, expected) in [
        (from(ARRAY, "rn1qkbnr/ppp1pppp/3p4/5b2/8/N4N2/PPPPPPPP/R1BQKB1R", 4, alternating), 2),
        (from(ARRAY, "rnbqkbnr/ppp1pppp/8/3p4/2P5/8/PP1PPPPP/RNBQKBNR", 2, alternating), 1),
        (from("7r/8/8/8/p7/8/K7/8 w - - 0 1", "7r/8/8/8/K7/8/8/8", 2, series), 1),
        (
            from(
                "8/P1Pk1P2/8/3P3K/8/8/2p4p/8 b - - 0 1",
                "Q7/2Pk1P2/8/3P3K/8/8/2p5/7q",
                4,
                alternating,
            ),
            0,
        ),
    ] {
        let mut nodes_with_all = 0;
        for set in std::iter::once(BoundSet::ALL).chain(sets()) {
            let (games, _, nodes) = case.solve(Orthodox, Way { set, ..Way::default() }, 0);
            assert_eq!(games, expected, "{} {set:?}", case.target);
            match set == BoundSet::ALL {
                true => nodes_with_all = nodes,
                // A bound that excludes nothing would pass every other test.
                false => assert!(nodes >= nodes_with_all, "{nodes} {nodes_with_all} {set:?}"),
            }
        }
    }
}

#[test]
fn bounds_exclude_most_positions() {
    let nodes = |target, plies, set| {
        Case::dia(target, plies).solve(Orthodox, Way { set, ..Way::default() }, 0).2
    };
    let all = BoundSet::ALL;
    let massacre = |set| nodes("2b1kbnr/p1p1pppp/8/8/8/8/P2P1PPP/RNBQKBNR", 13, set);
    let (every, wider) = (massacre(all), massacre(BoundSet { frozen: false, ..all }));
    assert!(every < wider && every < 100_000, "{every} {wider}");
    // A quiet pawn move, and a capture by a pawn.
    let quiet = |set| nodes("rnbqkbnr/p1pp1ppp/8/8/8/2P3P1/PPP2P1P/RNBQKBNR", 10, set);
    let (every, wider) = (quiet(all), quiet(BoundSet { pawn_quiet: false, ..all }));
    assert!(every < wider, "{every} {wider}");
    let capture = |set| nodes("r1bqkb1r/pppppppp/8/8/8/2P5/P1PPPPPP/R1BQKBNR", 12, set);
    let (every, wider) = (capture(all), capture(BoundSet { pawn_captures: false, ..all }));
    assert!(every < wider, "{every} {wider}");
}

/// Returns the board after random legal moves.
fn random_end(
    start: &PositionOf<Orthodox>,
    plies: u16,
    turns: Turns,
    numbers: &mut SplitMix64,
) -> [Man; 64] {
    'again: loop {
        let mut position = *start;
        for left in (0..plies).rev() {
            let mut nexts = legal(&Orthodox, &position, turns);
            if turns == Turns::Series {
                nexts.retain(|(_, next)| left == 0 || !Orthodox.in_check(next, !position.turn));
            }
            if nexts.is_empty() {
                continue 'again;
            }
            position = nexts[numbers.below(nexts.len() as u64) as usize].1;
        }
        return *position.men();
    }
}

/// Returns the placement field of a FEN.
fn placement(men: &[Man; 64]) -> String {
    let mut setup = umbrail_chess::geometry::Setup::default();
    for square in umbrail_chess::geometry::Square::all() {
        let man = men[square.index()];
        if !man.is_none() {
            setup.put(square, man.color(), man.role().letter());
        }
    }
    let placement = setup.placement();
    assert_eq!(men_of(&placement.parse().unwrap()), *men);
    placement
}
