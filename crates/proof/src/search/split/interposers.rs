//! Squares on which somebody must stand, or a king would be in check for good (rule A17).
//!
//! A slider arrives while its line to a king is shut by men who go away later. If nothing of this can be done in
//! another order, somebody else has to shut the line meanwhile, and that may be a long way round: whoever it is,
//! the strategy becomes much tighter than it looked.

use crate::analyse::legs::Goal;
use crate::distance::move_kind::MoveKind;
use crate::problem::castling::castled_square;
use crate::problem::man::{Man, MenSet};
use crate::search::bound::BlockedMaps;
use crate::search::learn::interposition::Interposition;
use crate::search::learn::nogoods::NogoodStore;
use crate::search::node::SearchNode;
use crate::search::relax::answers::Feasibility;
use crate::search::relax::subset::{SubsetContext, SubsetRelaxation};
use crate::search::state::script::{Script, ScriptLeg};
use std::cmp::Reverse;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// A known shield may take so many times the moves that it took when it was found.
const KNOWN_TIMES: u64 = 4;

/// Leaving a man out may make a proof so many times longer at first.
const FEWER_TIMES: u64 = 5;

/// Leaving nothing but a square empty may make it so many times longer.
const SQUARE_TIMES: u64 = 2;

/// Lines with more squares between slider and king are not looked at: anybody might stand there.
const BETWEEN_MAX: u32 = 3;

/// A strategy at the array, and who is asked.
pub(crate) struct InterpositionFinder<'a> {
    pub(crate) context: &'a SubsetContext<'a>,
    pub(crate) array: SearchNode<'a>,
    pub(crate) blocked_maps: &'a mut BlockedMaps,
    pub(crate) store: &'a NogoodStore,
}

impl InterpositionFinder<'_> {
    /// A shield that other strategies needed and this one needs too.
    pub(crate) fn known(&mut self) -> Option<Interposition> {
        self.store.interpositions().into_iter().find(|interposition| {
            let most = KNOWN_TIMES * interposition.moves;
            self.open(interposition.men).contains(interposition.square)
                && self
                    .refute(interposition.men, Bitboard::of(interposition.square), most)
                    .is_some()
        })
    }

    /// Looks for a shield that takes so many moves at most to be seen.
    ///
    /// Asked are a king's side, with a slider of the other side that has to stand on a line with the king, and the
    /// slider's pawns, who cannot go astray. Whoever else is of the slider's side may only be the shield.
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

    /// The square where somebody has to stand beside as few of these men as need him. Where the others of the king's
    /// side stand anyway at times, no such square may be left.
    fn of_few(&mut self, men: MenSet, moves: u64) -> Option<Interposition> {
        let (men, moves) = self.fewer(men, moves, None);
        self.find(men, self.open(men), SQUARE_TIMES * moves)
    }

    /// The same beside all of them: the king's own men cannot be the shield as they have other things to do.
    fn of_all(&mut self, men: MenSet, moves: u64) -> Option<Interposition> {
        let Interposition { square, moves, .. } =
            self.find(men, self.open(men), SQUARE_TIMES * moves)?;
        let (men, moves) = self.fewer(men, moves, Some(square));
        Some(Interposition { men, square, moves })
    }

    /// Where nobody but these men has a milestone, and somebody else may stand: only of such a square cases can be made.
    fn open(&self, men: MenSet) -> Bitboard {
        let relaxation = SubsetRelaxation::new(men, self.context.script);
        let others = MenSet(!relaxation.permanent().0).men();
        others.fold(relaxation.maybe, |open, man| open & !self.milestones(man))
    }

    /// Where the legs of a man begin and end.
    fn milestones(&self, man: Man) -> Bitboard {
        let of = |leg: &ScriptLeg| {
            let end = leg.goal.square().map_or(Bitboard::EMPTY, Bitboard::of);
            end.with(leg.start)
        };
        legs(self.context.script, man).fold(Bitboard::EMPTY, |all, leg| all | of(leg))
    }

    /// The first of some squares without which these men cannot do, each asked with so many moves at most. If they can
    /// do without several, they can without each.
    fn find(&mut self, men: MenSet, squares: Bitboard, most: u64) -> Option<Interposition> {
        let square = squares.squares().next()?;
        let moves = self.refute(men, squares, most)?;
        if !squares.more_than_one() {
            return Some(Interposition { men, square, moves });
        }
        let half: Bitboard = squares.squares().take(squares.len() as usize / 2).collect();
        self.find(men, half, most).or_else(|| self.find(men, squares & !half, most))
    }

    /// The same men without those who have nothing to do with it, as other strategies will ask them again, if nobody
    /// else stops anywhere, or on a square. The proof may be longer on the way there, because who is left out may wait at
    /// any time.
    fn fewer(&mut self, mut men: MenSet, moves: u64, square: Option<Square>) -> (MenSet, u64) {
        let empty = square.map_or(Bitboard::FULL, Bitboard::of);
        // Whoever has a milestone on the square would be one who stops there.
        let kept = |man: Man| square.is_some_and(|square| self.milestones(man).contains(square));
        let mut order: Vec<Man> = men.men().filter(|&man| !kept(man)).collect();
        order.sort_by_key(|man| Reverse(self.context.script.squares[man.index()].len()));
        let (most, mut last) = (FEWER_TIMES * moves, moves);
        // What is too long with many men may be short with fewer.
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

    /// How many moves it took to show that these men cannot go their ways if nobody else ever stops on some
    /// squares; none if it cannot be shown so.
    pub(crate) fn refute(&mut self, men: MenSet, empty: Bitboard, most: u64) -> Option<u64> {
        let (answer, moves) = self.ask(men, empty, most);
        (answer == Feasibility::Infeasible).then_some(moves)
    }

    /// Whether these men can go their ways if nobody else ever stops on some squares, and the moves that it took.
    fn ask(&mut self, men: MenSet, empty: Bitboard, most: u64) -> (Feasibility, u64) {
        let mut relaxation =
            SubsetRelaxation::new(men, self.context.script).without_interposers(empty);
        let SearchNode { board, bound, plies } = self.array;
        let answer =
            relaxation.answer(self.context, (board, bound, plies), self.blocked_maps, most);
        self.store.record_interposition_moves(relaxation.moves);
        (answer, relaxation.moves.max(1))
    }
}

/// The enemy sliders that have to stand where nothing but a few squares parts them from where a king of this color
/// has to be, or castles through.
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

/// The legs of a man.
fn legs(script: &Script, man: Man) -> impl Iterator<Item = &ScriptLeg> {
    let legs = &script.legs[usize::from(script.first[man.index()])..];
    let last = legs.iter().position(|leg| leg.last).map_or(legs.len(), |last| last + 1);
    legs[..last].iter()
}
