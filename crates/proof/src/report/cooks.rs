//! How solutions differ: only in the order of their moves, in moves of the same strategy, or in strategy.

use crate::problem::piece::letter;
use crate::report::Notation;
use crate::run::RunReport;
use crate::run::record::Success;
use std::collections::BTreeMap;
use std::fmt;
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position};

/// How two games of one strategy differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// The same moves in another order.
    Order,
    /// The same milestones, but some man goes another way to them.
    Way,
}

/// A strategy that can be played in several ways, with its games grouped.
#[derive(Clone, Debug, PartialEq)]
pub struct Cook<'a> {
    /// The strategy with all its games.
    pub success: &'a Success,
    /// How the games differ: in way as soon as two of them do.
    pub difference: Difference,
    /// Games that have the same moves in different orders, the first game's group first.
    pub groups: Vec<Vec<&'a [Move]>>,
    /// Half-move from which the first two games differ, from 1.
    pub(crate) parting: usize,
}

/// All cooks of a report, those that differ in way first.
pub fn cooks(report: &RunReport) -> Vec<Cook<'_>> {
    let mut all: Vec<Cook<'_>> = report.cooks().map(cook).collect();
    all.sort_by_key(|cook| std::cmp::Reverse(cook.difference));
    all
}

fn cook(success: &Success) -> Cook<'_> {
    let mut groups: Vec<(Vec<String>, Vec<&[Move]>)> = vec![];
    for game in &success.games {
        let moves = sorted(game);
        match groups.iter_mut().find(|(known, _)| *known == moves) {
            Some((_, group)) => group.push(game),
            None => groups.push((moves, vec![game])),
        }
    }
    let difference = if groups.len() > 1 { Difference::Way } else { Difference::Order };
    let parting = match success.games.as_slice() {
        [one, other, ..] => {
            one.iter().zip(other).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()))
                + 1
        }
        _ => 0,
    };
    Cook {
        success,
        difference,
        groups: groups.into_iter().map(|(_, group)| group).collect(),
        parting,
    }
}

/// The moves of a game, sorted.
fn sorted(game: &[Move]) -> Vec<String> {
    let mut moves: Vec<String> = written(game).into_iter().flatten().collect();
    moves.sort_unstable();
    moves
}

/// The moves of White and Black, written with the men that make them.
fn written(game: &[Move]) -> [Vec<String>; 2] {
    let mut position = Position::startpos();
    let mut sides = [vec![], vec![]];
    for &mv in game {
        let color = position.turn();
        let role = position.role_at(mv.from()).map_or('?', letter);
        let sign = if position.is_capture(mv) { 'x' } else { '-' };
        let kind = mv.promotion().map_or(String::new(), |kind| format!("={}", letter(kind)));
        let side = if color == Color::White { "w" } else { "b" };
        let castles = if position.is_castle(mv) { "0" } else { "" };
        sides[color.index()].push(format!(
            "{side}{role}{}{sign}{}{kind}{castles}",
            mv.from(),
            mv.to()
        ));
        position = position.after(mv);
    }
    sides
}

/// Moves of a side that only one of two games has, for each of them.
fn apart(one: &[String], other: &[String]) -> (Vec<String>, Vec<String>) {
    let count = |list: &[String]| {
        let mut counts: BTreeMap<String, i32> = BTreeMap::new();
        list.iter().for_each(|mv| *counts.entry(mv.clone()).or_default() += 1);
        counts
    };
    let (a, b) = (count(one), count(other));
    let more = |x: &BTreeMap<String, i32>, y: &BTreeMap<String, i32>| {
        x.iter()
            .filter(|(mv, n)| y.get(*mv).copied().unwrap_or(0) < **n)
            .map(|(mv, _)| mv[1..].trim_end_matches('0').to_owned())
            .collect::<Vec<_>>()
    };
    (more(&a, &b), more(&b, &a))
}

impl fmt::Display for Cook<'_> {
    /// `2 games, the same moves in another order from half-move 5 on`, or the moves that differ: `3
    /// games in 2 ways; White: Pa2-a3 Pa3-a4 or Pa2-a4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.success.games.len();
        let more = if self.success.complete { "" } else { " and perhaps more" };
        if self.difference == Difference::Order {
            let from = self.parting;
            return write!(
                f,
                "{games} games{more}, the same moves in another order from half-move {from} on"
            );
        }
        write!(f, "{games} games{more} in {} ways", self.groups.len())?;
        let games: Vec<[Vec<String>; 2]> = self
            .groups
            .iter()
            .filter_map(|group| group.first())
            .map(|game| written(game))
            .collect();
        let [one, other, ..] = games.as_slice() else { return Ok(()) };
        for color in Color::ALL {
            let (a, b) = apart(&one[color.index()], &other[color.index()]);
            let given = |moves: Vec<String>| {
                if moves.is_empty() { "nothing".to_owned() } else { moves.join(" ") }
            };
            if !a.is_empty() || !b.is_empty() {
                let name = if color.is_white() { "White" } else { "Black" };
                write!(f, "; {name}: {} or {}", given(a), given(b))?;
            }
        }
        Ok(())
    }
}

/// Lines that describe the first `most` strategies with several games, those that differ in way first: the kind of each,
/// and its shortest demonstration. They are cooks unless the author intends their games.
pub fn page(report: &RunReport, is_cooked: bool, notation: Notation, most: usize) -> Vec<String> {
    let [all_named, one_named] = match is_cooked {
        true => ["cook strategies", "cook"],
        false => ["strategies with several games", "strategy"],
    };
    let cooks = cooks(report);
    let alone = report.successes.len() - cooks.len();
    let mut lines = vec![];
    if cooks.is_empty() {
        return lines;
    }
    let orders = cooks.iter().filter(|cook| cook.difference == Difference::Order).count();
    let ways = cooks.len() - orders;
    lines.push(format!(
        "{all_named}: {} ({ways} in ways, {orders} only in the order of moves); strategies with one \
         game: {alone}",
        cooks.len()
    ));
    for cook in cooks.iter().take(most) {
        lines.push(format!("{one_named} {}: {cook}", cook.success.number));
        for group in cook.groups.iter().take(2) {
            // One game for each way, or two orders of the same moves.
            let shown = if cook.groups.len() == 1 { 2 } else { 1 };
            lines
                .extend(group.iter().take(shown).map(|game| format!("  {}", notation.write(game))));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::record::StrategyNumber;
    use crate::{Waypoints, game_of, project};

    fn success(games: &[&str]) -> Success {
        let games: Vec<Vec<Move>> = games.iter().map(|game| game_of(game).unwrap()).collect();
        Success {
            number: StrategyNumber { retraction: 0, claim: 1, index: 2 },
            strategy: project(&games[0]).unwrap(),
            needed: [0; 32],
            waypoints: Waypoints::default(),
            free: [0; 2],
            games,
            complete: true,
        }
    }

    #[test]
    fn a_different_order_is_distinguished_from_a_different_route() {
        let order = success(&["e4 e5 d4", "d4 e5 e4"]);
        assert_eq!(
            cook(&order).to_string(),
            "2 games, the same moves in another order from half-move 1 on"
        );
        let way = success(&["a3 e5 a4 e4", "a4 e5 Nf3 e4 Ng1", "a3 e6 a4 e5"]);
        let way = cook(&way);
        assert_eq!((way.difference, way.groups.len(), way.parting), (Difference::Way, 3, 1));
        assert!(
            way.to_string().starts_with("3 games in 3 ways; White: Pa2-a3 Pa3-a4 or "),
            "{way}"
        );
    }

    #[test]
    fn cooks_in_way_come_first_and_lone_games_are_counted() {
        let successes = vec![
            success(&["e4 e5 d4", "d4 e5 e4"]),
            success(&["e4 e5"]),
            success(&["a3 e6 a4 e5", "a4 e5 a5 a6"]),
        ];
        let report = RunReport { successes, ..RunReport::default() };
        let notation = Notation::default();
        let lines = page(&report, true, notation, 9);
        assert!(
            lines[0].starts_with("cook strategies: 2 (1 in ways, 1 only in the order of moves);")
        );
        assert!(lines[0].ends_with("one game: 1"));
        assert!(lines[1].starts_with("cook 1.2: 2 games in 2 ways"), "{lines:?}");
        let intended = page(&report, false, notation, 9);
        assert!(intended[0].starts_with("strategies with several games: 2 ("), "{intended:?}");
        assert!(intended[1].starts_with("strategy 1.2: 2 games in 2 ways"), "{intended:?}");
        assert_eq!(page(&RunReport::default(), true, notation, 9), [""; 0]);
        let first = page(&report, true, Notation { long: false, knight: 'N' }, 1);
        let last = first.last().unwrap();
        assert!(first[1].starts_with("cook 1.2") && last == "  1. a4 e5 2. a5 a6", "{first:?}");
        assert_eq!(first.iter().filter(|line| line.starts_with("cook 1.2")).count(), 1);
    }
}
