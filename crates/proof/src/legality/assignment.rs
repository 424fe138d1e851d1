//! Cheapest assignment of rows to columns, by shortest augmenting paths (Kuhn and Munkres).

/// Cost of an assignment that is impossible. Sums of sixteen stay far below the range.
pub(super) const NEVER: i32 = 10_000;

/// Returns the least sum of costs if each row gets a column of its own. There are at least as many
/// columns as rows.
pub(super) fn least_sum(costs: &[Vec<i32>]) -> i32 {
    let rows = costs.len();
    let columns = costs.first().map_or(0, Vec::len);
    // Potentials of rows and columns; column 0 and row 0 stand for "none".
    let (mut of_row, mut of_column) = (vec![0; rows + 1], vec![0; columns + 1]);
    let mut owner = vec![0; columns + 1];
    for row in 1..=rows {
        owner[0] = row;
        let mut at = 0;
        let mut least = vec![i32::MAX; columns + 1];
        let mut before = vec![0; columns + 1];
        let mut used = vec![false; columns + 1];
        while owner[at] != 0 {
            used[at] = true;
            let (mut delta, mut next) = (i32::MAX, 0);
            for column in (1..=columns).filter(|&column| !used[column]) {
                let reduced =
                    costs[owner[at] - 1][column - 1] - of_row[owner[at]] - of_column[column];
                if reduced < least[column] {
                    (least[column], before[column]) = (reduced, at);
                }
                if least[column] < delta {
                    (delta, next) = (least[column], column);
                }
            }
            for column in 0..=columns {
                if used[column] {
                    of_row[owner[column]] += delta;
                    of_column[column] -= delta;
                } else if least[column] != i32::MAX {
                    least[column] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            owner[at] = owner[before[at]];
            at = before[at];
        }
    }
    (1..=columns).filter(|&c| owner[c] != 0).map(|c| costs[owner[c] - 1][c - 1]).sum()
}

#[cfg(test)]
mod tests {
    use super::least_sum;

    #[test]
    fn the_cheapest_columns_are_distinct() {
        let costs = vec![vec![1, 2, 9], vec![1, 5, 9], vec![3, 3, 3]];
        assert_eq!(least_sum(&costs), 6);
        assert_eq!(least_sum(&[]), 0);
        assert_eq!(least_sum(&[vec![7, 4]]), 4);
    }
}
