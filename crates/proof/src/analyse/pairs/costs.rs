//! The costs of pairs of men, as the search uses them.

use crate::analyse::pairs::graph::{NOWHERE, StateGraph};
use crate::problem::man::Man;
use std::sync::Arc;

/// The costs of pairs, for search: how many spare moves two men will lose to each other from here.
#[derive(Clone, Default)]
pub(crate) struct PairCosts {
    /// By man: its state graph, if it has one.
    graphs: Vec<Option<Arc<StateGraph>>>,
    /// By man: the men with which it has costs.
    partners: Vec<Vec<Partner>>,
}

#[derive(Clone)]
struct Partner {
    man: Man,
    /// By pair of states: costs of one side in all, or of the first and the second man's side.
    costs: Arc<CostTable>,
    /// Factors of the man's state and the partner's state in the index.
    own: usize,
    other: usize,
    /// The sides of the two cost tables.
    sides: [usize; 2],
}

impl PairCosts {
    pub(crate) fn new(graphs: &[(u32, Arc<StateGraph>)]) -> Self {
        let mut pair_costs = Self { graphs: vec![None; 32], partners: vec![Vec::new(); 32] };
        for (_, graph) in graphs {
            pair_costs.graphs[graph.man.index()] = Some(Arc::clone(graph));
        }
        pair_costs
    }

    pub(crate) fn keep(&mut self, a: &StateGraph, b: &StateGraph, costs: &Arc<CostTable>) {
        let width = b.states.len() + 1;
        let sides = [a.man.color().index(), b.man.color().index()];
        for (man, partner, own, other) in [(a.man, b.man, width, 1), (b.man, a.man, 1, width)] {
            let costs = Arc::clone(costs);
            self.partners[man.index()].push(Partner { man: partner, costs, own, other, sides });
        }
    }

    /// Whether a man that has just moved and every other man can still finish within these spare
    /// moves of each side. `place` gives a man's leg and square, none when it is gone.
    ///
    /// *Admissible*: see `narrow`; the costs are least costs over all joint walks to the end.
    #[inline]
    pub(crate) fn allows(
        &self,
        man: usize,
        spare: [i16; 2],
        place: impl Fn(usize) -> Option<(usize, usize)>,
    ) -> bool {
        let Some(partners) = self.partners.get(man) else { return true };
        let state = |man: usize| {
            let (leg, square) = place(man)?;
            let number = self.graphs[man].as_ref()?.numbers.get(leg)?[square];
            (number != NOWHERE).then_some(usize::from(number))
        };
        let Some(own) = state(man) else { return true };
        partners.iter().all(|partner| {
            let Some(other) = state(partner.man.index()) else { return true };
            let i = own * partner.own + other * partner.other;
            let fits = |table: usize| {
                let costs = &partner.costs.of[table];
                costs.is_empty() || i16::from(costs[i]) <= spare[partner.sides[table]]
            };
            fits(0) && fits(1)
        })
    }
}

/// Least spare moves of both, by pair of states: for men of one side in all, else of each.
pub(crate) struct CostTable {
    pub(crate) of: [Vec<u8>; 2],
}

impl CostTable {
    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.of[0].len() + self.of[1].len()
    }
}
