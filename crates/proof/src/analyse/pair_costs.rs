//! Costs of pairs of pieces, in the form that the search uses.

use crate::analyse::pair_graph::{NOWHERE, StateGraph};
use crate::problem::piece::PieceId;
use std::sync::Arc;

/// Costs of pairs for the search: the number of spare moves that two pieces will lose to each
/// other.
#[derive(Clone, Default)]
pub(crate) struct PairCosts {
    /// State graph of each piece, if it has one.
    graphs: Vec<Option<Arc<StateGraph>>>,
    /// Pieces with which each piece has costs.
    partners: Vec<Vec<Partner>>,
}

#[derive(Clone)]
struct Partner {
    piece: PieceId,
    /// Costs by pair of states: the total of one side, or those of the first and the second piece's
    /// side.
    costs: Arc<CostTable>,
    /// Factors of the piece's state and the partner's state in the index.
    own: usize,
    other: usize,
    /// Sides of the two cost tables.
    sides: [usize; 2],
}

impl PairCosts {
    pub(crate) fn new(graphs: &[(u32, Arc<StateGraph>)]) -> Self {
        let mut pair_costs = Self { graphs: vec![None; 32], partners: vec![Vec::new(); 32] };
        for (_, graph) in graphs {
            pair_costs.graphs[graph.piece.index()] = Some(Arc::clone(graph));
        }
        pair_costs
    }

    pub(crate) fn keep(&mut self, a: &StateGraph, b: &StateGraph, costs: &Arc<CostTable>) {
        let width = b.states.len() + 1;
        let sides = [a.piece.color().index(), b.piece.color().index()];
        for (piece, partner, own, other) in
            [(a.piece, b.piece, width, 1), (b.piece, a.piece, 1, width)]
        {
            let costs = Arc::clone(costs);
            self.partners[piece.index()].push(Partner { piece: partner, costs, own, other, sides });
        }
    }

    /// Returns true if a piece that has just moved and every other piece can still finish within
    /// these spare moves of each side. `place` returns a piece's leg and square, `None` if it is
    /// off the board.
    ///
    /// *Admissible*: see `narrow`; the costs are least costs over all joint paths to the end.
    #[inline]
    pub(crate) fn allows(
        &self,
        piece: usize,
        spare: [i16; 2],
        place: impl Fn(usize) -> Option<(usize, usize)>,
    ) -> bool {
        let Some(partners) = self.partners.get(piece) else { return true };
        let state = |piece: usize| {
            let (leg, square) = place(piece)?;
            let number = self.graphs[piece].as_ref()?.numbers.get(leg)?[square];
            (number != NOWHERE).then_some(usize::from(number))
        };
        let Some(own) = state(piece) else { return true };
        partners.iter().all(|partner| {
            let Some(other) = state(partner.piece.index()) else { return true };
            let i = own * partner.own + other * partner.other;
            let fits = |table: usize| {
                let costs = &partner.costs.of[table];
                costs.is_empty() || i16::from(costs[i]) <= spare[partner.sides[table]]
            };
            fits(0) && fits(1)
        })
    }
}

/// Least spare moves of both, by pair of states: the total for pieces of one side, otherwise those
/// of each.
pub(crate) struct CostTable {
    pub(crate) of: [Vec<u8>; 2],
}

impl CostTable {
    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.of[0].len() + self.of[1].len()
    }
}
