//! A steno compiled for the search: a filter for each turn, the state to keep between turns, and
//! the demands of later turns.

use super::condition::{ColoredPiece, Condition};
use super::filter::{Filter, Requirement, is_orthodox};
use super::game_history::GameHistory;
use super::lookahead::{Lookahead, apply_forced_moves, compute_lookaheads};
use super::mark::CastlingSide;
use super::parse::Steno;
use super::remark::Remark;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{PackedPosition, Position};

/// State to keep of a game after some turns, so that exactly the positions with equal futures are
/// equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateMask {
    /// Rooks whose castling rights are kept.
    pub rooks: Bitboard,
    /// True if the en passant square is kept.
    pub passing: bool,
    /// Parts of the past that are kept.
    pub history: GameHistory,
}

impl StateMask {
    /// Everything is kept.
    pub(crate) const ALL: Self =
        Self { rooks: Bitboard::FULL, passing: true, history: GameHistory::ALL };

    /// Returns the kept part of the position.
    #[inline]
    pub(crate) fn pack(&self, position: &Position) -> PackedPosition {
        position.pack(self.rooks, self.passing)
    }
}

/// A steno compiled for the search.
#[derive(Clone, Debug)]
pub(crate) struct CompiledSteno {
    /// Start position of the game.
    pub start: Position,
    /// Filters, one per turn.
    pub filters: Vec<Filter>,
    /// State to keep before each turn, and after the last.
    pub state_masks: Vec<StateMask>,
    /// Demands of later turns before each turn, and after the last. All are open without lookahead.
    pub lookaheads: Vec<Lookahead>,
    /// True if turn `k` must count captures and promotions.
    pub counts_pieces: Vec<bool>,
    /// Deductions of the lookahead, for display.
    pub remarks: Vec<Remark>,
    /// First turn whose own marks contradict each other, from 0.
    pub contradiction: Option<usize>,
    /// Number of turns after which a checkpoint is saved.
    pub checkpoint: Option<usize>,
}

impl CompiledSteno {
    /// Compiles a steno from this start. Without `lookahead` nothing is derived from later turns.
    ///
    /// With a checkpoint after turn c, turns up to c do not depend on the turns after it, and
    /// everything that any later turn may need is kept. Only then may the later turns be changed
    /// when the game is continued.
    pub(crate) fn new(steno: &Steno, start: &Position, lookahead: bool) -> Self {
        let color = |turn: usize| if turn.is_multiple_of(2) { start.turn() } else { !start.turn() };
        let mut filters: Vec<Filter> = (steno.turns.iter().enumerate())
            .map(|(at, turn)| Filter::new(turn, start, color(at)))
            .collect();
        let checkpoint = steno.checkpoint();
        let contradiction = filters.iter().position(Filter::is_closed);
        let (state_masks, counts_pieces) = state_masks(&filters, start, checkpoint);
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
            counts_pieces,
            remarks,
            contradiction,
            checkpoint,
        }
    }

    /// Returns the number of turns.
    pub(crate) fn len(&self) -> usize {
        self.filters.len()
    }

    /// Returns the player of a turn.
    #[inline]
    pub(crate) fn color(&self, turn: usize) -> Color {
        if turn.is_multiple_of(2) { self.start.turn() } else { !self.start.turn() }
    }

    /// Expands a position before a turn: calls back with every move that satisfies the turn and
    /// leaves the later turns possible. Returns the number of moves made.
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
        self.filters[turn].each(position, history, self.counts_pieces[turn], &mut |successor| {
            if lookahead.admits(successor, mover) {
                visit(successor);
            }
        })
    }
}

/// Computes the state to keep before each turn and after the last, and the turns that must count
/// captured and promoted pieces.
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
    let mut counts_pieces = vec![false; turns];
    for turn in (0..turns).rev() {
        let filter = &filters[turn];
        for wing in CastlingSide::ALL {
            if filter.castling[wing.index()] {
                let rook = start.castling_rook(color(turn), wing == CastlingSide::Short);
                rooks |= rook.map_or(Bitboard::EMPTY, Bitboard::of);
            }
        }
        // In Chess960 castling can be the only legal move, so a test for stalemate needs castling
        // rights.
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
        counts_pieces[turn] = !counted.is_empty();
    }
    if let Some(c) = checkpoint {
        masks[..=c].fill(StateMask::ALL);
        counts_pieces[..c].fill(true);
    }
    (masks, counts_pieces)
}

/// Returns the counters that a turn's conditions need.
fn asked(filter: &Filter) -> GameHistory {
    let all = filter.conditions.iter().flat_map(|set| set.0.iter().flatten());
    all.fold(GameHistory::default(), |history, condition| {
        let join = |pieces: &[ColoredPiece], mask: fn(Option<ColoredPiece>) -> GameHistory| {
            pieces.iter().fold(history, |history, piece| history.and(mask(Some(*piece))))
        };
        match condition {
            Condition::Taken(pieces) => join(pieces, GameHistory::captured_mask),
            Condition::Promoted(pieces) if pieces.is_empty() => {
                history.and(GameHistory::promoted_mask(None))
            }
            Condition::Promoted(pieces) => join(pieces, GameHistory::promoted_mask),
            _ => history,
        }
    })
}
