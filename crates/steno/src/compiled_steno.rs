//! A steno compiled for the search: a filter for each turn, what to keep between turns, and
//! what later turns demand.

use super::condition::{ColoredMan, Condition};
use super::filter::{Filter, Requirement, is_orthodox};
use super::game_history::GameHistory;
use super::lookahead::{Lookahead, apply_forced_moves, compute_lookaheads};
use super::mark::CastlingSide;
use super::parse::Steno;
use super::remark::Remark;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{PackedPosition, Position};

/// What must be kept of a game after some turns, so that equal futures look equal and no other do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateMask {
    /// Castling rights with these rooks.
    pub rooks: Bitboard,
    /// The en passant square.
    pub passing: bool,
    /// Which parts of the past.
    pub history: GameHistory,
}

impl StateMask {
    /// Everything.
    pub(crate) const ALL: Self =
        Self { rooks: Bitboard::FULL, passing: true, history: GameHistory::ALL };

    /// The position as far as it is kept.
    #[inline]
    pub(crate) fn pack(&self, position: &Position) -> PackedPosition {
        position.pack(self.rooks, self.passing)
    }
}

/// A steno made ready for the search.
#[derive(Clone, Debug)]
pub(crate) struct CompiledSteno {
    /// Where the game starts.
    pub start: Position,
    /// One for each turn.
    pub filters: Vec<Filter>,
    /// Before each turn, and after the last: what to keep.
    pub state_masks: Vec<StateMask>,
    /// Before each turn, and after the last: what later turns demand. All open without look-ahead.
    pub lookaheads: Vec<Lookahead>,
    /// Whether turn `k` must count captures and promotions.
    pub counts_men: Vec<bool>,
    /// What the look-ahead has derived, for people.
    pub remarks: Vec<Remark>,
    /// The first turn whose own marks contradict each other, from 0.
    pub contradiction: Option<usize>,
    /// After how many turns a checkpoint is wanted.
    pub checkpoint: Option<usize>,
}

impl CompiledSteno {
    /// Compiles a steno from this start. Without `lookahead` nothing is derived from later turns.
    ///
    /// With a checkpoint after turn c, turns up to c do not depend on the turns behind it, and everything
    /// that any later turn may ask is kept: only so may the later turns be changed when the game is
    /// taken up again.
    pub(crate) fn new(steno: &Steno, start: &Position, lookahead: bool) -> Self {
        let color = |turn: usize| if turn.is_multiple_of(2) { start.turn() } else { !start.turn() };
        let mut filters: Vec<Filter> = (steno.turns.iter().enumerate())
            .map(|(at, turn)| Filter::new(turn, start, color(at)))
            .collect();
        let checkpoint = steno.checkpoint();
        let contradiction = filters.iter().position(Filter::is_closed);
        let (state_masks, counts_men) = state_masks(&filters, start, checkpoint);
        let (mut remarks, mut lookaheads) =
            (Vec::new(), vec![Lookahead::default(); filters.len() + 1]);
        if lookahead {
            let horizon = |turn: usize| match checkpoint {
                Some(c) if turn < c => c,
                _ => steno.turns.len(),
            };
            apply_forced_moves(&mut filters, start, &horizon, &mut remarks);
            lookaheads = compute_lookaheads(&filters, start, checkpoint);
        }
        Self {
            start: *start,
            filters,
            state_masks,
            lookaheads,
            counts_men,
            remarks,
            contradiction,
            checkpoint,
        }
    }

    /// Number of turns.
    pub(crate) fn len(&self) -> usize {
        self.filters.len()
    }

    /// Whose turn this is.
    #[inline]
    pub(crate) fn color(&self, turn: usize) -> Color {
        if turn.is_multiple_of(2) { self.start.turn() } else { !self.start.turn() }
    }

    /// Expands a position before a turn: every move that satisfies it and after which the later turns
    /// can still be met. Returns how many moves were made.
    #[inline]
    pub(crate) fn each(
        &self,
        turn: usize,
        position: &Position,
        history: GameHistory,
        mut visit: impl FnMut(&super::successors::Successor),
    ) -> u64 {
        let lookahead = &self.lookaheads[turn + 1];
        let mover = position.turn();
        self.filters[turn].each(position, history, self.counts_men[turn], &mut |successor| {
            if lookahead.admits(successor, mover) {
                visit(successor);
            }
        })
    }
}

/// What to keep before each turn and after the last, and which turns must count men.
fn state_masks(
    filters: &[Filter],
    start: &Position,
    checkpoint: Option<usize>,
) -> (Vec<StateMask>, Vec<bool>) {
    let turns = filters.len();
    let color = |turn: usize| if turn.is_multiple_of(2) { start.turn() } else { !start.turn() };
    let mut masks =
        vec![
            StateMask { rooks: Bitboard::EMPTY, passing: false, history: GameHistory::default() };
            turns + 1
        ];
    let (mut rooks, mut counted) = (Bitboard::EMPTY, GameHistory::default());
    let mut counts_men = vec![false; turns];
    for turn in (0..turns).rev() {
        let filter = &filters[turn];
        for wing in CastlingSide::ALL {
            if filter.castling[wing.index()] {
                let rook = start.castling_rook(color(turn), wing == CastlingSide::Short);
                rooks |= rook.map_or(Bitboard::EMPTY, Bitboard::of);
            }
        }
        // In Chess960 castling can be the only legal move, so a test for stalemate asks for rights.
        if (filter.stalemate != Requirement::Free || filter.draw != Requirement::Free)
            && !is_orthodox(start)
        {
            rooks = Bitboard::FULL;
        }
        counted = counted.and(asked(filter));
        let mut history = counted;
        if filter.again != Requirement::Free {
            history = history.and(GameHistory::last_mask(color(turn)));
        }
        if filters.get(turn + 1).is_some_and(|next| next.again != Requirement::Free) {
            history = history.and(GameHistory::last_mask(color(turn + 1)));
        }
        masks[turn] = StateMask { rooks, passing: filter.admits_passing(), history };
        counts_men[turn] = !counted.is_empty();
    }
    if let Some(c) = checkpoint {
        masks[..=c].fill(StateMask::ALL);
        counts_men[..c].fill(true);
    }
    (masks, counts_men)
}

/// Which counters a turn's conditions ask for.
fn asked(filter: &Filter) -> GameHistory {
    let all = filter.conditions.iter().flat_map(|set| set.0.iter().flatten());
    all.fold(GameHistory::default(), |history, condition| {
        let join = |men: &[ColoredMan], mask: fn(Option<ColoredMan>) -> GameHistory| {
            men.iter().fold(history, |history, man| history.and(mask(Some(*man))))
        };
        match condition {
            Condition::Taken(men) => join(men, GameHistory::captured_mask),
            Condition::Promoted(men) if men.is_empty() => {
                history.and(GameHistory::promoted_mask(None))
            }
            Condition::Promoted(men) => join(men, GameHistory::promoted_mask),
            _ => history,
        }
    })
}
