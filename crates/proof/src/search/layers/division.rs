//! The tasks of a layer: its parts, and slices of the parts that are large.

use crate::search::layers::piece::{SUBS, pieces_of, rows_in};
use crate::search::layers::reached::LayerPiece;
use crate::search::layers::step::{WHOLE, subs_of};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Tasks for each worker, if all had the same size.
const TASKS_FOR_EACH: usize = 4;

/// Tasks of a layer for which parts are divided at most: each slice costs bytes.
const TASKS_MAX: usize = 400;

/// Workers at most for which tasks are made.
pub(super) const WORKERS_MAX: usize = TASKS_MAX / TASKS_FOR_EACH;

/// What one task is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TaskPart {
    /// The part of the layer.
    pub(super) part: usize,
    /// Which slice of its positions, and of how many.
    pub(super) slice: [u16; 2],
    /// Which range of the slice.
    pub(super) range: [u32; 2],
    /// About how many positions that are.
    pub(super) size: usize,
}

impl TaskPart {
    /// Whether this range can be what is left of it: the end, but not all.
    pub(super) fn has(self, left: Option<[u32; 2]>) -> bool {
        let [begin, end] = self.range;
        left.is_none_or(|[from, until]| begin < from && from < until && until <= end)
    }
}

/// The positions of this task and of those that are left, about.
pub(super) fn rows_left(left: &VecDeque<TaskPart>, part: TaskPart) -> u64 {
    (left.iter().map(|part| part.size).sum::<usize>() + part.size) as u64
}

/// The tasks of a layer, the largest first: a long task that began last would be waited for. A part is divided when it is larger than 1.5 times
/// the even share of a task for this number of workers, and has more than `small` rows. Rows are counted, since those of a dense piece take fewer bytes.
///
/// Parts are uneven when few men choose them. A slice of a large one has the positions of some ways in which all men of that side stand, so that none is
/// taken twice; large pieces are divided in this way, and smaller ones are sent with each slice.
pub(super) fn tasks_of(
    parts: &[Vec<LayerPiece>],
    workers: usize,
    small: usize,
) -> VecDeque<TaskPart> {
    let rows = |pieces: &Vec<LayerPiece>| pieces.iter().map(|piece| rows_in(&piece.rows)).sum();
    let sizes: Vec<usize> = parts.iter().map(rows).collect();
    let share = sizes.iter().sum::<usize>() / (TASKS_FOR_EACH * workers).clamp(1, TASKS_MAX);
    let most = if workers > 1 { (share + share / 2).max(small) } else { usize::MAX };
    let mut tasks = vec![];
    for (part, &size) in sizes.iter().enumerate().filter(|(part, _)| !parts[*part].is_empty()) {
        let slices = size.div_ceil(most).clamp(1, SUBS) as u16;
        let (size, range) = (size / usize::from(slices), WHOLE);
        let task = |slice| TaskPart { part, slice: [slice, slices], range, size };
        tasks.extend((0..slices).map(task));
    }
    tasks.sort_by_key(|task| Reverse(task.size));
    tasks.into()
}

/// The pieces that a task needs.
pub(super) fn pieces_in(parts: &[Vec<LayerPiece>], task: TaskPart) -> Vec<&[u8]> {
    let subs = subs_of(task.slice);
    parts[task.part].iter().flat_map(|piece| pieces_of(&piece.rows, subs.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::{LayerPiece, tasks_of};

    const SMALL: usize = 2_000;

    #[test]
    fn large_parts_are_divided_and_empty_ones_left_out() {
        let part = |sizes: &[usize]| {
            let rows = |size: usize| (size as u32).to_le_bytes().to_vec();
            let piece = |&size: &usize| LayerPiece { from: 0, rows: rows(size).into() };
            sizes.iter().map(piece).collect::<Vec<_>>()
        };
        let parts = [part(&[SMALL / 2]), part(&[]), part(&[SMALL, 2 * SMALL]), part(&[SMALL / 4])];
        let tasks = |workers| {
            let each = tasks_of(&parts, workers, SMALL).into_iter();
            each.map(|task| (task.part, task.slice)).collect::<Vec<_>>()
        };
        assert_eq!(tasks(1), [(2, [0, 1]), (0, [0, 1]), (3, [0, 1])]);
        let slices = [(2, [0, 3]), (2, [1, 3]), (2, [2, 3]), (0, [0, 1]), (3, [0, 1])];
        assert_eq!(tasks(100), slices);
        let even = [part(&[100 * SMALL]), part(&[100 * SMALL]), part(&[300 * SMALL])];
        // 500 in 16 tasks are 31; half as much more is allowed.
        let slices =
            |part| tasks_of(&even, 4, SMALL).iter().filter(|task| task.part == part).count();
        assert_eq!([0, 1, 2].map(slices), [3, 3, 7]);
    }
}
