//! Tests of the views against the rules of chess.

use super::generate::list;
use super::make::{MadeMove, chess_move};
use super::{MoveEffect, MoveList, PieceMove};
use crate::analyse::cache::AnalysisCache;
use crate::analyse::legs::Goal;
use crate::analyse::{Analysis, Assumptions, Effort};
use crate::check::random::{STYLES, SplitMix, random_game};
use crate::problem::castling::castling_rook;
use crate::problem::piece::{PieceId, PieceMask};
use crate::problem::{Length, Problem};
use crate::rules::Rules;
use crate::search::blocked_maps::BlockedMaps;
use crate::search::bound::MoveBound;
use crate::search::context::{Blockade, SearchContext};
use crate::search::depth_first::budgets;
use crate::search::relax::subset::SubsetRelaxation;
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::view::{FullView, PositionView, SideView, SubsetView};
use crate::search::state::{GONE, NOBODY};
use crate::strategy::projection::project;
use umbrail_chess::geometry::Square;
use umbrail_chess::{Move, Position};
use umbrail_control::Cancel;

/// Calls `test` with the context and the game of a random problem, and its plies with `more` added.
fn with_problem(seed: u64, more: u16, test: &mut dyn FnMut(&mut SearchContext<'_>, &[Move], u16)) {
    let style = STYLES[seed as usize % STYLES.len()];
    let game = random_game(style, 6 + seed as usize % 34, seed);
    let strategy = project(&game).unwrap();
    let plies = game.len() as u16 + more;
    let problem = Problem { diagram: strategy.diagram().unwrap(), plies, length: Length::Exact };
    let (mut cache, mut blocked_maps) = (AnalysisCache::default(), BlockedMaps::default());
    let (rules, effort) = (Rules::default(), Effort::Quick);
    let analysis = Analysis { problem: &problem, strategy: &strategy, rules, effort };
    let plan = analysis.propagate(Assumptions::default(), &mut cache).unwrap();
    let compiled = CompiledPlan::new(&plan);
    let mut context = SearchContext {
        compiled: &compiled,
        distances: &cache.distances,
        blocked_maps: &mut blocked_maps,
        blockade: Blockade { on: true, sum: true },
        length: Length::Exact,
        cancel: &Cancel::default(),
    };
    test(&mut context, &game, plies);
}

/// Returns true if the strategy allows a legal move, by the rules of chess and the distance maps.
fn is_allowed(
    context: &mut SearchContext<'_>,
    board: &SearchBoard,
    bound: &MoveBound,
    spare: i16,
    (position, mv): (&Position, Move),
) -> bool {
    let compiled = context.compiled;
    let piece = PieceId::new(board.piece[mv.from().index()]);
    let m = piece.index();
    let number = usize::from(board.leg[m]);
    let leg = &compiled.legs[number];
    if position.is_en_passant(mv) || board.passing != NOBODY {
        let passes = position.is_en_passant(mv)
            && board.passing != NOBODY
            && compiled.passing_captor[usize::from(board.passing)] == piece.number();
        return passes
            && matches!(leg.goal, Goal::Capture { square, victim, en_passant: true, .. }
                if square == mv.to() && victim.number() == board.passing);
    }
    if compiled.fixed.contains(piece) || bound.finished.contains(piece) {
        return false;
    }
    match leg.goal {
        Goal::Castle(wing) => {
            return position.is_castle(mv)
                && mv.to() == castling_rook(piece.color(), wing).origin();
        }
        _ if position.is_castle(mv) => return false,
        Goal::Capture { square, victim, promotes, en_passant: false, .. }
            if position.is_capture(mv) =>
        {
            let v = victim.index();
            return square == mv.to()
                && board.piece[square.index()] == victim.number()
                && bound.need[v] == 0
                && compiled.legs[usize::from(board.leg[v])].last
                && promotes == mv.promotion();
        }
        Goal::Promote { square, kind } if mv.promotion().is_some() => {
            return square == mv.to() && Some(kind) == mv.promotion();
        }
        _ if position.is_capture(mv) || mv.promotion().is_some() => return false,
        Goal::Visit(square) if square == mv.to() => return true,
        _ => {}
    }
    let from = mv.from().index();
    let left =
        i32::from(context.blocked_maps.get(bound.map_id[m]).moves[from]) - 1 + i32::from(spare);
    let (map_id, forbidden) = if leg.goal == Goal::Leave {
        let next = &compiled.legs[number + 1];
        (context.blocked_map(next.map_id, bound.blocked & next.touched), next.forbidden)
    } else {
        (bound.map_id[m], leg.forbidden)
    };
    let needed = i32::from(context.blocked_maps.get(map_id).moves[mv.to().index()]);
    needed <= left && !forbidden.contains(mv.to())
}

#[test]
fn the_full_view_lists_the_legal_moves_that_the_strategy_allows() {
    let (mut listed, mut special) = (0, 0);
    for seed in 0..400 {
        with_problem(seed, seed as u16 % 3 * 2, &mut |context, _, plies| {
            let compiled = context.compiled;
            let mut dice = SplitMix::new(seed);
            let mut board = SearchBoard::initial(compiled, 0);
            let mut bound = MoveBound::new(context, &board, budgets(plies, 0)).unwrap();
            let mut position = Position::startpos();
            for ply in 0..plies {
                let us = board.turn.index();
                let spare = budgets(plies, ply)[us] - bound.rest[us];
                let mut choices = MoveList::new();
                list(context, FullView, &board, &bound, spare, &mut choices);
                let mut moves: Vec<String> = choices
                    .iter()
                    .map(|choice| format!("{:?}", chess_move(compiled, &board, choice)))
                    .collect();
                moves.sort_unstable();
                // A stop on the square of a visit is listed as the end of the leg and as a move
                // within it.
                moves.dedup();
                let legal = position.legal_moves();
                let mut expected: Vec<String> = legal
                    .iter()
                    .filter(|&&mv| is_allowed(context, &board, &bound, spare, (&position, mv)))
                    .map(|mv| format!("{mv:?}"))
                    .collect();
                expected.sort_unstable();
                assert_eq!(moves, expected, "seed {seed}, ply {ply}");
                listed += moves.len();
                special +=
                    choices.iter().filter(|choice| choice.effect != MoveEffect::Quiet).count();
                // Follows a move after which the routes can still be finished, if there is one.
                let first = dice.roll(choices.len().max(1));
                let (after, before) = (
                    choices[first.min(choices.len())..].iter(),
                    choices[..first.min(choices.len())].iter(),
                );
                let mut milestones: Vec<&PieceMove> = after.chain(before).collect();
                if dice.roll(2) == 0 {
                    milestones.sort_by_key(|choice| choice.effect == MoveEffect::Quiet);
                }
                let left = budgets(plies, ply + 1);
                let followed = milestones.into_iter().find(|choice| {
                    let mv = chess_move(compiled, &board, choice);
                    let mut next = bound.clone();
                    let mut made = MadeMove::make(compiled, FullView, &mut board, choice);
                    if made.update_bound(context, FullView, &mut board, &mut next, left) {
                        (position, bound) = (position.after(mv), next);
                        return true;
                    }
                    made.take_back::<FullView>(compiled, &mut board);
                    false
                });
                if followed.is_none() {
                    break;
                }
            }
        });
    }
    assert!(listed > 10_000 && special > 1000, "{listed} {special}");
}

/// A view with its position along a game.
struct Relaxed<V: PositionView> {
    view: V,
    board: SearchBoard,
    bound: MoveBound,
    /// Moves of the game made so far in the view.
    made: usize,
}

impl<V: PositionView> Relaxed<V> {
    /// Makes the next move of a game, or waits if its piece is not on the board of the view.
    fn follow(
        &mut self,
        context: &mut SearchContext<'_>,
        choice: &PieceMove,
        before: [i16; 2],
        after: [i16; 2],
    ) {
        let color = PieceId::new(choice.piece).color();
        if !self.view.contains(PieceId::new(choice.piece))
            || self.board.at[usize::from(choice.piece)] == GONE
        {
            assert_eq!(self.board.passing, NOBODY);
            assert!(self.bound.settle(context, &self.board, after));
            if V::ALTERNATES {
                assert!(!self.view.is_in_check(&self.board, color));
                self.board.wait();
            }
            return;
        }
        let spare = before[color.index()] - self.bound.rest[color.index()];
        let mut choices = MoveList::new();
        list(context, self.view, &self.board, &self.bound, spare, &mut choices);
        let is_it = |other: &PieceMove| {
            (other.piece, other.to, other.effect) == (choice.piece, choice.to, choice.effect)
        };
        assert!(choices.iter().any(is_it), "{choice:?} is not among {choices:?}");
        let mut made = MadeMove::make(context.compiled, self.view, &mut self.board, choice);
        assert!(made.update_bound(context, self.view, &mut self.board, &mut self.bound, after));
        self.made += 1;
    }
}

#[test]
fn partial_views_allow_the_moves_of_every_game() {
    let mut made = [0; 2];
    for seed in 0..400 {
        with_problem(seed, 0, &mut |context, game, plies| {
            let compiled = context.compiled;
            let mut dice = SplitMix::new(seed);
            let initial = SearchBoard::initial(compiled, 0);
            let left = budgets(plies, 0);
            let mut sides = umbrail_chess::geometry::Color::ALL.map(|color| {
                let board = initial.side(compiled, color, initial.side_key(compiled, color));
                let only = MoveBound::only(color, left[color.index()]);
                let bound =
                    MoveBound::of(context, &board, PieceMask::of_color(color), only).unwrap();
                Relaxed { view: SideView(color), board, bound, made: 0 }
            });
            let mut subsets = [(); 3].map(|()| {
                let pieces = PieceMask((dice.roll(1 << 16) | dice.roll(1 << 16) << 16) as u32);
                let relaxation = SubsetRelaxation::new(pieces, compiled);
                let (view, board): (SubsetView, _) =
                    (relaxation.view, relaxation.part_of_array(compiled));
                let bound = MoveBound::of(context, &board, view.pieces, left).unwrap();
                Relaxed { view, board, bound, made: 0 }
            });
            let mut board = initial;
            let mut bound = MoveBound::new(context, &board, left).unwrap();
            for (&mv, ply) in game.iter().zip(0..) {
                let [before, after] = [ply, ply + 1].map(|done| budgets(plies, done));
                let us = board.turn;
                let mut choices = MoveList::new();
                let spare = before[us.index()] - bound.rest[us.index()];
                list(context, FullView, &board, &bound, spare, &mut choices);
                let is_it = |choice: &&PieceMove| chess_move(compiled, &board, choice) == mv;
                let choice = choices.iter().find(is_it).expect("the game's move");
                let side = &mut sides[us.index()];
                side.follow(context, choice, before, MoveBound::only(us, after[us.index()]));
                for subset in &mut subsets {
                    subset.follow(context, choice, before, after);
                }
                let mut move_made = MadeMove::make(compiled, FullView, &mut board, choice);
                assert!(move_made.update_bound(context, FullView, &mut board, &mut bound, after));
            }
            assert_eq!(bound.rest, [0; 2]);
            for (side, c) in sides.iter().zip(0..) {
                assert_eq!(side.bound.rest[c], 0);
                made[0] += side.made;
            }
            for subset in &subsets {
                assert_eq!(subset.bound.rest, [0; 2]);
                made[1] += subset.made;
            }
        });
    }
    assert!(made.iter().all(|&made| made > 3000), "{made:?}");
}

#[test]
fn a_move_is_taken_back_in_every_view() {
    for seed in 0..60 {
        with_problem(seed, 2, &mut |context, _, plies| {
            let compiled = context.compiled;
            let board = SearchBoard::initial(compiled, 0);
            let bound = MoveBound::new(context, &board, budgets(plies, 0)).unwrap();
            takes_back(context, FullView, board.clone(), &bound, plies, seed);
            let pieces = PieceMask(0x5A3C_96F1_u32.rotate_left(seed as u32));
            let relaxation = SubsetRelaxation::new(pieces, compiled);
            let part = relaxation.part_of_array(compiled);
            let bound = MoveBound::of(context, &part, relaxation.view.pieces, budgets(plies, 0));
            takes_back(context, relaxation.view, part, &bound.unwrap(), plies, seed);
            let color = umbrail_chess::geometry::Color::ALL[seed as usize % 2];
            let side = board.side(compiled, color, board.side_key(compiled, color));
            let left = budgets(plies, 0);
            let bound = MoveBound::of(context, &side, PieceMask::of_color(color), left).unwrap();
            takes_back(context, SideView(color), side, &bound, plies, seed);
        });
    }
}

/// Makes and takes back every move of a random line.
fn takes_back<V: PositionView>(
    context: &mut SearchContext<'_>,
    view: V,
    mut board: SearchBoard,
    bound: &MoveBound,
    plies: u16,
    seed: u64,
) {
    let whole = |board: &SearchBoard| {
        let squares: Vec<Square> = board.occupied().squares().collect();
        (board.at, board.piece, board.leg, squares, board.passing, board.turn, board.key)
    };
    let (mut bound, mut dice) = (bound.clone(), SplitMix::new(seed));
    for _ in 0..plies {
        let mut choices = MoveList::new();
        list(context, view, &board, &bound, 2, &mut choices);
        if choices.is_empty() {
            return;
        }
        let before = whole(&board);
        for choice in &choices {
            let mut next = bound.clone();
            let mut made = MadeMove::make(context.compiled, view, &mut board, choice);
            made.update_bound(context, view, &mut board, &mut next, [i16::MAX; 2]);
            made.take_back::<V>(context.compiled, &mut board);
            assert_eq!(whole(&board), before, "{choice:?}");
        }
        let choice = &choices[dice.roll(choices.len())];
        let mut made = MadeMove::make(context.compiled, view, &mut board, choice);
        if !made.update_bound(context, view, &mut board, &mut bound, [i16::MAX; 2]) {
            return;
        }
    }
}
