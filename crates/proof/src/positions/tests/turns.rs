//! Series with checks that are answered, and with a last move of the other side: published games, and random ones against
//! a plain enumeration.

use super::admissible::sets;
use super::*;
use crate::files::popeye;
use crate::positions::fairy_game::replay_fairy;
use crate::positions::fairy_problem::PreparedProblem;
use crate::positions::turns::NextTurn;
use umbrail_chess::SplitMix64;

/// Positions after all moves, with the units left.
fn nexts(
    turns: Turns,
    mover: Color,
    before: &SearchPosition<()>,
    units: u16,
) -> Vec<(SearchPosition<()>, u16)> {
    let mut found = vec![];
    let visited = Orthodox.successors(before, MoveClass::All, |mv, mut next| {
        let checks = || Orthodox.in_check(&next, !before.turn);
        let follow = turns.after(mover, before.turn, units, checks);
        if let Some(NextTurn { turn, units }) = follow
            && Orthodox.is_legal(before, &mv, &next)
        {
            if turn == before.turn {
                (next.turn, next.en_passant) = (turn, None);
            }
            found.push((next, units));
        }
        Ok(())
    });
    assert!(visited.is_ok());
    found
}

/// Counts games by trying every move.
fn plain(
    turns: Turns,
    mover: Color,
    before: &SearchPosition<()>,
    units: u16,
    target: &[Man; 64],
) -> u128 {
    match units {
        0 => u128::from(before.men() == target),
        _ => {
            let nexts = nexts(turns, mover, before, units).into_iter();
            nexts.map(|(next, left)| plain(turns, mover, &next, left, target)).sum()
        }
    }
}

#[test]
fn all_orders_of_turns_are_counted_as_by_plain_enumeration() {
    // Promotions, captures, castling and many checks.
    let start = "r3k2r/1P4P1/8/8/8/8/1p2Q1p1/R3K2R w KQkq - 0 1";
    let mut numbers = SplitMix64::new(7);
    let mut replies = 0;
    for turns in [Turns::Series, Turns::SeriesHelp, Turns::Parry, Turns::ParryHelp] {
        for (units, first) in [(2, "w"), (3, "w"), (3, "b")] {
            let from: SearchPosition<()> = position(&start.replace(" w ", &format!(" {first} ")));
            for _ in 0..6 {
                let Some((end, plies)) = random_end(turns, &from, units, &mut numbers) else {
                    continue;
                };
                replies += usize::from(turns.parries() && plies > units);
                let expected = plain(turns, from.turn, &from, units, end.men());
                assert!(expected > 0);
                for set in sets().into_iter().chain([BoundSet::ALL]) {
                    let way = Way { set, threads: 2, ..Way::default() };
                    let target = TargetBoard::new(*end.men());
                    let found = count(Orthodox, from, target, (units, turns), way, 0).0;
                    assert_eq!(found, expected, "{turns:?} {units} {set:?}");
                }
            }
        }
    }
    assert!(replies > 5, "{replies}");
}

/// Plays random moves; gives back the end and the number of moves, or `None` if there is no move.
fn random_end(
    turns: Turns,
    start: &SearchPosition<()>,
    units: u16,
    numbers: &mut SplitMix64,
) -> Option<(SearchPosition<()>, u16)> {
    let (mut position, mut left, mut plies) = (*start, units, 0);
    while left > 0 {
        let nexts = nexts(turns, start.turn, &position, left);
        // Checks are wanted: a reply follows.
        let checks: Vec<_> = nexts.iter().filter(|(next, _)| next.turn != start.turn).collect();
        let mut at = |count: usize| usize::try_from(numbers.below(count as u64)).unwrap_or(0);
        (position, left) = match (checks.is_empty(), nexts.is_empty()) {
            (_, true) => return None,
            (false, _) => *checks[at(checks.len())],
            (true, _) => nexts[at(nexts.len())],
        };
        plies += 1;
    }
    Some((position, plies))
}

#[test]
fn published_series_have_their_games() {
    for (text, games) in [
        (
            // M. Kirtley, StrateGems 47, 2009, no. 9 (Popeye's EXAMPLES/pseries.inp).
            "BeginProblem\npieces black kh5 qh4 ra8h8 bc8 sb8g8 pa7b7c7d7f7g7h7\n\
             white ke1 qd1 ra1h1 bc1f1 sb1g1 pa2b2c2d2e2h2\nstipulation pser-hdia10\nEndProblem\n",
            &[
                "1.f2-f4 2.f4-f5 3.f5-f6 4.f6*e7 5.e7*f8=R + Ke8-e7 6.Rf8-e8 + Ke7-f6 7.Re8-e6 + Kf6-f5 \
               8.g2-g4 + Kf5*g4 9.Re6-e4 + Kg4-h5 10.Re4-h4 + Qd8*h4 +",
            ][..],
        ),
        (
            // Popeye's REGRESSIONS/4_59_to_4_61.inp no. 7.
            "BeginProblem\nfors K7/4k3/3p4/8/8/8/8/b7\nstip pser-a=>b28\nfors 7K/8/5k2/8/8/8/3p4/8\n\
             Condition VogtlaenderChess\nEndProblem\n",
            &["1.Ka8-b7 2.Kb7-c6 3.Kc6-d5 4.Kd5-e4 5.Ke4-f5 6.Kf5-g6 7.Kg6-h7 8.Kh7-h8 + Ke7-f6 \
               9.Kh8-g8 10.Kg8-f8 11.Kf8-e8 12.Ke8-d7 13.Kd7-c6 14.Kc6-c5 + d6-d5 15.Kc5-c4 + d5-d4 \
               16.Kc4-b3 17.Kb3-a2 18.Ka2*a1 19.Ka1-b2 20.Kb2-c3 + d4-d3 21.Kc3-d2 22.Kd2-e2 + d3-d2 \
               23.Ke2-f3 24.Kf3-g4 25.Kg4-h5 26.Kh5-h6 27.Kh6-h7 28.Kh7-h8"][..],
        ),
        (
            // Popeye's REGRESSIONS/4_55_to_4_57.inp no. 15, without set play.
            "BeginProblem\nfors rsbqkbsr/pppppppp/8/8/8/8/PPPPPPPP/RSBQKBSR\nstip ser-ha=>b2\n\
             fors rsbqkbsr/pppppppp/8/8/8/P7/1PPPPPPP/RSBQKBSR\nEndProblem\n",
            &[
                "1.Sb8-a6 2.Sa6-b8 a2-a3",
                "1.Sb8-c6 2.Sc6-b8 a2-a3",
                "1.Sg8-f6 2.Sf6-g8 a2-a3",
                "1.Sg8-h6 2.Sh6-g8 a2-a3",
            ][..],
        ),
    ] {
        let problem = popeye::read(text).unwrap().pop().unwrap().problem;
        let PreparedProblem { rules, start, target, .. } = problem.prepare().unwrap();
        let size = (problem.plies, problem.turns);
        let (found, lines, _) = count(&rules, start, target.clone(), size, Way::default(), 9);
        let replayed = lines.iter().map(|line| {
            let size = (problem.turns, problem.plies);
            replay_fairy(&rules, &start, &target, size, line).expect("it replays").text
        });
        let mut replayed: Vec<String> = replayed.collect();
        replayed.sort();
        assert_eq!(
            (found, replayed),
            (games.len() as u128, games.iter().map(ToString::to_string).collect())
        );
    }
}
