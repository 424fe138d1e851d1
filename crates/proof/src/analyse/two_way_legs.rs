//! Legs of two moves that can pass one of two squares.

use crate::analyse::forbidden::ForbiddenSquares;
use crate::analyse::legs::Goal;
use crate::analyse::plan::StrategyPlan;
use crate::distance::cache::DistanceCache;
use crate::distance::move_kind::MoveKind;
use crate::problem::piece::PieceId;
use crate::strategy::waypoints::Waypoints;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// A leg of two moves, of a side without free moves, that passes one of two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TwoWayLeg {
    /// The piece.
    pub piece: PieceId,
    /// Number of the leg.
    pub leg: u8,
    /// The two squares.
    pub by: [Square; 2],
}

impl TwoWayLeg {
    /// Returns the consequence if the leg passes the square with this index: it does not stop on
    /// the other one.
    pub(crate) fn by(&self, index: usize) -> ForbiddenSquares {
        let squares = Bitboard::of(self.by[1 - index]);
        ForbiddenSquares { piece: self.piece, leg: self.leg, squares }
    }
}

/// Returns the squares that pieces must pass: those of visits, and those of tight legs of a side
/// without free moves.
///
/// A piece of such a side is one move nearer to the end of its leg after each of its moves, on a
/// square on which a path of the least number of moves can stop. If there is only one such square
/// at a distance, the piece passes it.
pub(crate) fn waypoints(plan: &StrategyPlan, distances: &DistanceCache) -> Waypoints {
    let mut waypoints = Waypoints::default();
    for sequence in &plan.sequences {
        let free = plan.free[sequence.piece.color().index()];
        if plan.assumptions.away.contains(sequence.piece) || sequence.piece.is_pawn() {
            continue;
        }
        // A visit splits a leg.
        let mut number = 0;
        for leg in &sequence.legs {
            let visit = match leg.goal {
                Goal::Visit(square) => Some(square),
                _ => None,
            };
            let moves = &distances.get(leg.map_id).moves;
            let between =
                leg.stops.without(leg.start).without(leg.target.square()) & !leg.forbidden;
            let tight = if free == 0 { moves[leg.start.index()] } else { 0 };
            for away in (1..tight).rev() {
                let mut squares = between.squares().filter(|square| moves[square.index()] == away);
                if let (Some(square), None) = (squares.next(), squares.next()) {
                    waypoints.add(sequence.piece, number, square);
                }
            }
            match visit {
                Some(square) => waypoints.add(sequence.piece, number, square),
                None => number += 1,
            }
        }
    }
    waypoints
}

/// Returns all such legs of a plan.
///
/// *Exactly one of the two squares is stopped on in every game*: a side without free moves makes
/// only the moves that its pieces need, so the leg takes two moves. After the first of them the
/// piece stands on a square on which a path of two moves can stop, and there are only these two.
pub(crate) fn two_way_legs(plan: &StrategyPlan, distances: &DistanceCache) -> Vec<TwoWayLeg> {
    let mut found = vec![];
    for sequence in &plan.sequences {
        let color: Color = sequence.piece.color();
        if plan.free[color.index()] != 0 || plan.assumptions.away.contains(sequence.piece) {
            continue;
        }
        for (number, leg) in sequence.legs.iter().enumerate() {
            let pawn = leg.move_kind == MoveKind::of(Role::Pawn, color);
            let moves = distances.get(leg.map_id).moves[leg.start.index()];
            if pawn || moves != 2 {
                continue;
            }
            let between =
                leg.stops.without(leg.start).without(leg.target.square()) & !leg.forbidden;
            let mut squares = between.squares();
            if let (Some(one), Some(other), None) = (squares.next(), squares.next(), squares.next())
            {
                found.push(TwoWayLeg {
                    piece: sequence.piece,
                    leg: number as u8,
                    by: [one, other],
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::facts::check_facts;
    use crate::analyse::{Analysis, Assumptions, Effort};
    use crate::{Length, Problem, Rule, Rules, game_of, project};

    #[test]
    fn a_game_belongs_to_exactly_one_case_and_pieces_go_by_their_squares() {
        // P0008164 of the Problem Database: White has no free moves, the queen goes to b6 via d4.
        let game = game_of("d4 e5 dxe5 d5 Qd4 Be6 Qb6 d4 Kd2 d3 Kc3 d2 a3 d1=N").unwrap();
        let strategy = project(&game).unwrap();
        let diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies: 14, length: Length::Exact };
        let mut cache = AnalysisCache::default();
        // Without the rule both paths stay open.
        let rules = Rules::default().set(Rule::TwoWayLegs, false);
        let analysis =
            Analysis { problem: &problem, strategy: &strategy, rules, effort: Effort::Deep };
        let plan = analysis.propagate(Assumptions::default(), &mut cache).unwrap();
        let known = waypoints(&plan, &cache.distances);
        let king = known.of(PieceId::new(4), 0).collect::<Vec<_>>();
        assert_eq!(king, [Square::at(3, 1)], "Ke1-d2-c3");
        let legs = two_way_legs(&plan, &cache.distances);
        assert!(legs.iter().any(|leg| leg.piece == PieceId::new(3)), "{legs:?}");
        let cases = analysis.cases(plan, 8, &mut cache);
        assert!((2..=8).contains(&cases.len()), "{}", cases.len());
        let fits =
            cases.iter().filter(|case| check_facts(case, &cache.distances, &game).is_ok()).count();
        assert_eq!(fits, 1);
    }
}
