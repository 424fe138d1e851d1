//! Comparison of the views with the former generators and make-moves.

use super::board::SearchBoard;
use super::generate::list;
use super::make::{MadeMove, chess_move};
use super::moves::{ManMove, MoveList};
use super::reference::{self, FormerSubset};
use super::tests::with_problem;
use super::view::{FullView, SideView, SubsetView};
use super::{GONE, NOBODY};
use crate::check::random::SplitMix;
use crate::problem::man::MenSet;
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::depth_first::budgets;
use crate::search::relax::subset::SubsetRelaxation;
use umbrail_chess::geometry::Color;

fn text(choices: &MoveList) -> String {
    format!("{choices:?}")
}

fn state(board: &SearchBoard, bound: &MoveBound) -> String {
    let at: Vec<_> =
        (0..32).filter(|&m| board.at[m] != GONE).map(|m| (m, board.at[m], board.leg[m])).collect();
    format!(
        "{at:?} {:?} {:?} {} {:?} {:x} | {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        board.man,
        board.by_color,
        board.passing,
        board.turn,
        board.key,
        bound.map_id,
        bound.need,
        bound.rest,
        bound.plain,
        bound.finished,
        bound.blocked,
        bound.alive
    )
}

/// Compares the common functions with the former ones along a random walk in each view.
#[test]
fn the_views_agree_with_the_former_searches() {
    let mut counts = [0u64; 6];
    for seed in 0..700 {
        for more in [0, 4] {
            with_problem(seed, more, &mut |context, _, plies| {
                let mut dice = SplitMix::new(seed * 5 + u64::from(more));
                for _ in 0..4 {
                    full_walk(context, plies, &mut dice, &mut counts);
                    side_walk(context, plies, &mut dice, &mut counts);
                    subset_walk(context, plies, &mut dice, &mut counts);
                }
            });
        }
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

fn pick(choices: &MoveList, dice: &mut SplitMix) -> ManMove {
    // Milestones come first and are rare.
    let most = if dice.roll(2) == 0 { choices.len().min(2) } else { choices.len() };
    choices[dice.roll(most)]
}

fn full_walk(
    context: &mut SearchContext<'_>,
    plies: u16,
    dice: &mut SplitMix,
    counts: &mut [u64; 6],
) {
    let script = context.script;
    let mut board = SearchBoard::array(script, 0);
    let Some(mut bound) = MoveBound::new(context, &board, budgets(plies, 0)) else { return };
    for ply in 0..plies {
        let left = budgets(plies, ply);
        let spare = left[board.turn.index()] - bound.rest[board.turn.index()];
        let mut new = MoveList::new();
        list(context, FullView, &board, &bound, spare, &mut new);
        let mut old = MoveList::new();
        let tools = (context.distances, &mut *context.blocked_maps);
        reference::full_list(script, &board, &bound, spare, tools, &mut old);
        assert_eq!(text(&new), text(&old));
        counts[0] += new.len() as u64;
        if new.is_empty() {
            return;
        }
        let left = budgets(plies, ply + 1);
        let choice = pick(&new, dice);
        let before = state(&board, &bound);
        let (mut old_board, mut old_bound) = (board.clone(), bound.clone());
        let old = reference::full_make(context, &mut old_board, &mut old_bound, &choice, left);
        assert_eq!(chess_move(script, &board, &choice), old.mv);
        let mut next = bound.clone();
        let mut made = MadeMove::make(script, FullView, &mut board, &choice);
        let alive = made.update_bound(context, FullView, &mut board, &mut next, left);
        assert_eq!(alive, old.alive);
        if alive {
            assert_eq!(state(&board, &next), state(&old_board, &old_bound));
            counts[1] += 1;
        }
        made.take_back::<FullView>(script, &mut board);
        assert_eq!(state(&board, &bound), before);
        old_board.unmake(script, usize::from(choice.man), &old.undo);
        assert_eq!(state(&old_board, &bound), before);
        if !alive {
            return;
        }
        let mut made = MadeMove::make(script, FullView, &mut board, &choice);
        assert!(made.update_bound(context, FullView, &mut board, &mut bound, left));
    }
}

fn side_walk(
    context: &mut SearchContext<'_>,
    plies: u16,
    dice: &mut SplitMix,
    counts: &mut [u64; 6],
) {
    let script = context.script;
    let color = Color::ALL[dice.roll(2)];
    let array = SearchBoard::array(script, 0);
    let key = array.side_key(script, color);
    let mut board = array.side(script, color, key);
    let view = SideView(color);
    let mut left = budgets(plies, 0)[color.index()];
    let men = MenSet::of_color(color);
    let Some(mut bound) = MoveBound::of(context, &board, men, MoveBound::only(color, left)) else {
        return;
    };
    while left > 0 {
        let spare = left - bound.rest[color.index()];
        let (mut new, mut old) = (MoveList::new(), MoveList::new());
        list(context, view, &board, &bound, spare, &mut new);
        reference::side_list(color, context, &board, &bound, spare, &mut old);
        assert_eq!(text(&new), text(&old));
        counts[2] += new.len() as u64;
        if new.is_empty() {
            return;
        }
        left -= 1;
        let choice = pick(&new, dice);
        let before = state(&board, &bound);
        let (mut old_board, mut old_bound) = (board.clone(), bound.clone());
        let old =
            reference::side_make(color, context, &mut old_board, &mut old_bound, &choice, left);
        let mut next = bound.clone();
        let mut made = MadeMove::make(script, view, &mut board, &choice);
        let alive =
            made.update_bound(context, view, &mut board, &mut next, MoveBound::only(color, left));
        assert_eq!(alive, old.alive);
        if alive {
            assert_eq!(board.key, key_after(&before, old.key), "the key of the side");
            old_board.turn = color;
            old_board.key = board.key;
            assert_eq!(state(&board, &next), state(&old_board, &old_bound));
            counts[3] += 1;
        }
        made.take_back::<SideView>(script, &mut board);
        assert_eq!(state(&board, &bound), before);
        if !alive {
            return;
        }
        let mut made = MadeMove::make(script, view, &mut board, &choice);
        assert!(made.update_bound(
            context,
            view,
            &mut board,
            &mut bound,
            MoveBound::only(color, left)
        ));
    }
}

/// Returns a former key with a change.
fn key_after(before: &str, change: u128) -> u128 {
    let key = before.split(" | ").next().unwrap().rsplit(' ').next().unwrap();
    u128::from_str_radix(key, 16).unwrap() ^ change
}

fn subset_walk(
    context: &mut SearchContext<'_>,
    plies: u16,
    dice: &mut SplitMix,
    counts: &mut [u64; 6],
) {
    let script = context.script;
    let some = (dice.roll(1 << 16) | dice.roll(1 << 16) << 16) as u32;
    let more = (dice.roll(1 << 16) | dice.roll(1 << 16) << 16) as u32;
    let men = MenSet(if dice.roll(2) == 0 { some | more } else { some });
    let relaxation = SubsetRelaxation::new(men, script);
    let (view, former) = (relaxation.view, FormerSubset(relaxation.view));
    let mut board = relaxation.part_of_array(script);
    let mut left = budgets(plies, 0);
    let Some(mut bound) = MoveBound::of(context, &board, view.men, left) else { return };
    for _ in 0..plies {
        let us = board.turn.index();
        let spare = left[us] - bound.rest[us];
        let (mut new, mut old) = (MoveList::new(), MoveList::new());
        list(context, view, &board, &bound, spare, &mut new);
        if board.passing == NOBODY {
            former.list(context, &board, &bound, spare, &mut old);
        } else {
            old.extend(reference::subset_take_in_passing(script, &board));
        }
        assert_eq!(text(&new), text(&old));
        counts[4] += new.len() as u64;
        if board.passing == NOBODY && (new.is_empty() || dice.roll(3) == 0) {
            left[us] -= 1;
            if !bound.settle(context, &board, left) {
                return;
            }
            board.wait();
            continue;
        }
        if new.is_empty() {
            return;
        }
        left[us] -= 1;
        let choice = pick(&new, dice);
        let before = state(&board, &bound);
        let mut old_board = board.clone();
        let old = former.make(context, &mut old_board, &bound, left, &choice);
        let mut next = bound.clone();
        let mut made = MadeMove::make(script, view, &mut board, &choice);
        let alive = made.update_bound(context, view, &mut board, &mut next, left);
        assert_eq!(alive, old.alive);
        if alive {
            assert_eq!(state(&board, &next), state(&old_board, &old.new));
            counts[5] += 1;
        }
        made.take_back::<SubsetView>(script, &mut board);
        assert_eq!(state(&board, &bound), before);
        for &(man, square) in old.removed.iter().flatten() {
            old_board.appear(script, man, square);
        }
        old_board.unmake(script, usize::from(choice.man), &old.undo);
        assert_eq!(state(&old_board, &bound), before);
        if !alive {
            return;
        }
        let mut made = MadeMove::make(script, view, &mut board, &choice);
        assert!(made.update_bound(context, view, &mut board, &mut bound, left));
    }
}
