//! Search for squares on which some piece must interpose, otherwise a king would stay in check
//! (rule A17).
//!
//! A slider arrives while its line to a king is blocked by pieces that leave later. If no other
//! order is possible, another piece has to block the line meanwhile, which may be a long detour.
//! Whichever piece it is, the strategy becomes much tighter.

use crate::analyse::legs::Goal;
use crate::distance::move_kind::MoveKind;
use crate::problem::castling::castled_square;
use crate::problem::man::{Man, MenSet};
use crate::search::context::SearchContext;
use crate::search::learn::interposition::Interposition;
use crate::search::learn::nogoods::NogoodStore;
use crate::search::node::SearchNode;
use crate::search::relax::feasibility::Feasibility;
use crate::search::relax::subset::SubsetRelaxation;
use crate::search::state::script::{Script, ScriptLeg};
use std::cmp::Reverse;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Limit of the test of a known interposition, as a multiple of its proof length.
const KNOWN_TIMES: u64 = 4;

/// Factor by which removing a piece may initially lengthen a proof.
const FEWER_TIMES: u64 = 5;

/// Factor by which leaving only one square empty may lengthen a proof.
const SQUARE_TIMES: u64 = 2;

/// Maximum number of squares between slider and king; on longer lines too many pieces might stand.
const BETWEEN_MAX: u32 = 3;

/// A strategy at its root, with the tools to test subsets of its pieces.
pub(crate) struct InterpositionFinder<'a> {
    pub(crate) context: SearchContext<'a>,
    pub(crate) root: SearchNode<'a>,
    pub(crate) store: &'a NogoodStore,
}

impl InterpositionFinder<'_> {
    /// Returns an interposition that other strategies needed and this one also needs.
    pub(crate) fn known(&mut self) -> Option<Interposition> {
        self.store.interpositions().into_iter().find(|interposition| {
            let most = KNOWN_TIMES * interposition.moves;
            self.open(interposition.men).contains(interposition.square)
                && self
                    .refute(interposition.men, Bitboard::of(interposition.square), most)
                    .is_some()
        })
    }

    /// Looks for an interposition whose proof takes at most `most` moves.
    ///
    /// Tested are a king's side, a slider of the other side that has to stand on a line with the
    /// king, and the slider's pawns, which cannot leave their files. Any other piece of the
    /// slider's side can only be the interposer.
    pub(crate) fn seek(&mut self, most: u64) -> Option<Interposition> {
        let script = self.context.script;
        let pairs: Vec<(Color, Man)> =
            Color::ALL.into_iter().flat_map(|color| lines(script, color)).collect();
        let each = most / (pairs.len() as u64).max(1);
        for (color, slider) in pairs {
            let pawns = MenSet::of_color(!color).men().filter(|man| man.is_pawn());
            let men = MenSet::of_color(color).with(slider) | pawns.collect();
            let men = MenSet(men.0 & !script.fixed.0);
            let Some(moves) = self.refute(men, Bitboard::FULL, each) else { continue };
            if let Some(interposition) = self.of_few(men, moves).or_else(|| self.of_all(men, moves))
            {
                self.store.record_interposition(interposition);
                return Some(interposition);
            }
        }
        None
    }

    /// Returns the interposition with a minimal subset of these pieces. Squares where the others of
    /// the king's side stand at times anyway are excluded.
    fn of_few(&mut self, men: MenSet, moves: u64) -> Option<Interposition> {
        let (men, moves) = self.fewer(men, moves, None);
        self.find(men, self.open(men), SQUARE_TIMES * moves)
    }

    /// Returns the interposition with all of these pieces: the king's own pieces cannot interpose
    /// because their routes leave no moves for it.
    fn of_all(&mut self, men: MenSet, moves: u64) -> Option<Interposition> {
        let Interposition { square, moves, .. } =
            self.find(men, self.open(men), SQUARE_TIMES * moves)?;
        let (men, moves) = self.fewer(men, moves, Some(square));
        Some(Interposition { men, square, moves })
    }

    /// Returns squares where no piece outside the set has a milestone and some such piece may
    /// stand. Only such a square gives cases.
    fn open(&self, men: MenSet) -> Bitboard {
        let relaxation = SubsetRelaxation::new(men, self.context.script);
        let others = MenSet(!relaxation.permanent().0).men();
        others.fold(relaxation.view.maybe, |open, man| open & !self.milestones(man))
    }

    /// Returns the squares where the legs of a piece begin and end.
    fn milestones(&self, man: Man) -> Bitboard {
        let of = |leg: &ScriptLeg| {
            let end = leg.goal.square().map_or(Bitboard::EMPTY, Bitboard::of);
            end.with(leg.start)
        };
        legs(self.context.script, man).fold(Bitboard::EMPTY, |all, leg| all | of(leg))
    }

    /// Returns the first of some squares that these pieces need, each tested with at most `most`
    /// moves. If they are feasible with several squares left empty, they are with each.
    fn find(&mut self, men: MenSet, squares: Bitboard, most: u64) -> Option<Interposition> {
        let square = squares.squares().next()?;
        let moves = self.refute(men, squares, most)?;
        if !squares.more_than_one() {
            return Some(Interposition { men, square, moves });
        }
        let half: Bitboard = squares.squares().take(squares.len() as usize / 2).collect();
        self.find(men, half, most).or_else(|| self.find(men, squares & !half, most))
    }

    /// Returns a smaller subset with a proof, if no outside piece stops anywhere, or on `square`;
    /// other strategies test it again. The proof may become longer, because a removed piece may
    /// wait at any time.
    fn fewer(&mut self, mut men: MenSet, moves: u64, square: Option<Square>) -> (MenSet, u64) {
        let empty = square.map_or(Bitboard::FULL, Bitboard::of);
        // A piece with a milestone on the square would stop there itself.
        let kept = |man: Man| square.is_some_and(|square| self.milestones(man).contains(square));
        let mut order: Vec<Man> = men.men().filter(|&man| !kept(man)).collect();
        order.sort_by_key(|man| Reverse(self.context.script.squares[man.index()].len()));
        let (most, mut last) = (FEWER_TIMES * moves, moves);
        // A proof that is too long with many pieces may be short with fewer.
        for _ in 0..2 {
            for &man in &order {
                if men.contains(man)
                    && let Some(moves) = self.refute(men.without(man), empty, most)
                {
                    (men, last) = (men.without(man), moves);
                }
            }
        }
        (men, last)
    }

    /// Returns the length of the proof that these pieces cannot finish if no outside piece ever
    /// stops on some squares; `None` if there is no proof within the limit.
    pub(crate) fn refute(&mut self, men: MenSet, empty: Bitboard, most: u64) -> Option<u64> {
        let (answer, moves) = self.ask(men, empty, most);
        (answer == Feasibility::Infeasible).then_some(moves)
    }

    /// Tests if these pieces can finish if no outside piece ever stops on some squares; also
    /// returns the moves that the test took.
    fn ask(&mut self, men: MenSet, empty: Bitboard, most: u64) -> (Feasibility, u64) {
        let mut relaxation =
            SubsetRelaxation::new(men, self.context.script).without_interposers(empty);
        let answer = relaxation.answer(&mut self.context, self.root, most);
        self.store.record_interposition_moves(relaxation.moves);
        (answer, relaxation.moves.max(1))
    }
}

/// Returns the enemy sliders that have to stand on a line, with a few squares between, to a square
/// where a king of this color has to be, or castles through.
fn lines(script: &Script, color: Color) -> Vec<(Color, Man)> {
    let king = Man::king(color);
    let mut royal = Bitboard::of(king.origin());
    for leg in legs(script, king) {
        royal |= match leg.goal {
            Goal::Castle(wing) => {
                let to = castled_square(king, wing);
                attacks::between(king.origin(), to).with(to)
            }
            _ => leg.goal.square().map_or(Bitboard::EMPTY, Bitboard::of),
        };
    }
    let looks = |man: &Man| {
        legs(script, *man).any(|leg| {
            let from = leg.goal.square().into_iter().chain([leg.start]);
            let slides =
                matches!(leg.move_kind, MoveKind::Bishop | MoveKind::Rook | MoveKind::Queen);
            slides
                && from.into_iter().any(|from| {
                    let seen = leg.move_kind.attacks(from, Bitboard::EMPTY) & royal;
                    seen.squares()
                        .any(|to| (1..=BETWEEN_MAX).contains(&attacks::between(from, to).len()))
                })
        })
    };
    let men = MenSet(MenSet::of_color(!color).0 & !script.fixed.0);
    men.men().filter(looks).map(|man| (color, man)).collect()
}

/// Returns the legs of a piece.
fn legs(script: &Script, man: Man) -> impl Iterator<Item = &ScriptLeg> {
    let legs = &script.legs[usize::from(script.first[man.index()])..];
    let last = legs.iter().position(|leg| leg.last).map_or(legs.len(), |last| last + 1);
    legs[..last].iter()
}
