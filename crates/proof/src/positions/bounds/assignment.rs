//! Cheapest assignment of different men to all men of the target.
//!
//! Shortest augmenting paths with potentials (Kuhn, Munkres; in the form of Jonker and Volgenant,
//! Computing 38, 1987). Most men have an obvious place, so a greedy start leaves few to augment.

use super::distances::{CostRow, FAR, MEN_MAX};

/// Sum that no assignment of possible costs reaches.
const IMPOSSIBLE: i32 = 10_000;

/// Number of a row or column that does not exist.
const NONE: usize = usize::MAX;

/// Returns the least sum of costs if each of the first `rows` rows is assigned to a column of its
/// own, at most [`FAR`]; [`FAR`] if that is impossible. `columns[j][i]` is the cost of row `i` in
/// column `j`.
pub(super) fn least_assignment(rows: usize, columns: &[&CostRow]) -> u8 {
    if rows > columns.len() || columns.len() > MEN_MAX {
        return FAR;
    }
    let mut potentials = [0; MEN_MAX];
    let mut owners = [NONE; MEN_MAX];
    let mut waiting = 0_u32;
    for row in 0..rows {
        let mut least = FAR;
        for column in columns {
            least = least.min(column[row]);
        }
        if least == FAR {
            return FAR;
        }
        potentials[row] = i32::from(least);
        let free = (0..columns.len()).find(|&at| owners[at] == NONE && columns[at][row] == least);
        match free {
            Some(at) => owners[at] = row,
            None => waiting |= 1 << row,
        }
    }
    let mut shifts = [0; MEN_MAX];
    while waiting != 0 {
        let row = waiting.trailing_zeros() as usize;
        waiting &= waiting - 1;
        augment(row, columns, &mut potentials, &mut shifts, &mut owners);
    }
    let sum: i32 = (0..columns.len())
        .filter(|&at| owners[at] != NONE)
        .map(|at| cost(columns, at, owners[at]))
        .sum();
    u8::try_from(sum).unwrap_or(FAR)
}

fn cost(columns: &[&CostRow], column: usize, row: usize) -> i32 {
    match columns[column][row] {
        FAR => IMPOSSIBLE,
        possible => i32::from(possible),
    }
}

/// Assigns one more row, along the cheapest path of reassignments.
fn augment(
    row: usize,
    columns: &[&CostRow],
    potentials: &mut [i32; MEN_MAX],
    shifts: &mut [i32; MEN_MAX],
    owners: &mut [usize; MEN_MAX],
) {
    let count = columns.len();
    let mut reached = [i32::MAX; MEN_MAX];
    let mut before = [NONE; MEN_MAX];
    let mut done = [false; MEN_MAX];
    let (mut at_row, mut at) = (row, NONE);
    loop {
        let mut delta = i32::MAX;
        let mut next = NONE;
        for column in 0..count {
            if done[column] {
                continue;
            }
            let reduced = cost(columns, column, at_row) - potentials[at_row] - shifts[column];
            if reduced < reached[column] {
                (reached[column], before[column]) = (reduced, at);
            }
            if reached[column] < delta {
                (delta, next) = (reached[column], column);
            }
        }
        // Rows are at most as many as columns, so a column is left.
        potentials[row] += delta;
        for column in 0..count {
            if done[column] {
                potentials[owners[column]] += delta;
                shifts[column] -= delta;
            } else {
                reached[column] -= delta;
            }
        }
        (at, done[next]) = (next, true);
        if owners[at] == NONE {
            break;
        }
        at_row = owners[at];
    }
    while at != NONE {
        let earlier = before[at];
        owners[at] = if earlier == NONE { row } else { owners[earlier] };
        at = earlier;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_chess::SplitMix64;

    /// Tries every assignment.
    fn plain(rows: usize, columns: &[CostRow], row: usize, used: u32) -> u32 {
        if row == rows {
            return 0;
        }
        let free = (0..columns.len()).filter(|&at| used & 1 << at == 0);
        free.filter(|&at| columns[at][row] != FAR)
            .map(|at| u32::from(columns[at][row]) + plain(rows, columns, row + 1, used | 1 << at))
            .min()
            .unwrap_or(100_000)
    }

    #[test]
    fn random_assignments_equal_those_of_plain_enumeration() {
        let mut numbers = SplitMix64::new(7);
        let mut impossible = 0;
        for round in 0..4_000 {
            let count = 1 + numbers.below(6) as usize;
            let rows = numbers.below(count as u64 + 1) as usize;
            let columns: Vec<CostRow> = (0..count)
                .map(|_| {
                    std::array::from_fn(|_| match numbers.below(4) {
                        0 => FAR,
                        _ => numbers.below(if round % 2 == 0 { 4 } else { 30 }) as u8,
                    })
                })
                .collect();
            let expected = u8::try_from(plain(rows, &columns, 0, 0)).unwrap_or(FAR);
            let columns: Vec<&CostRow> = columns.iter().collect();
            assert_eq!(least_assignment(rows, &columns), expected, "{rows} {columns:?}");
            impossible += u32::from(expected == FAR);
        }
        assert!((100..3_000).contains(&impossible), "{impossible}");
    }

    #[test]
    fn more_targets_than_men_are_impossible() {
        assert_eq!(least_assignment(1, &[]), FAR);
        assert_eq!(least_assignment(0, &[]), 0);
    }
}
