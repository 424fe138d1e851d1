//! Test of the first quiet move after a quiet table move.

use super::update::is_first_quiet;
use umbrail_chess::geometry::Square;
use umbrail_chess::{Move, Role};

#[test]
fn the_first_quiet_move_behind_a_quiet_table_move_is_the_first() {
    let [table, other] =
        [(Square::G1, Square::F3), (Square::B1, Square::C3)].map(|(a, b)| Move::new(a, b));
    assert!(is_first_quiet(&[], None));
    assert!(is_first_quiet(&[(Role::Knight, table)], Some(table)));
    assert!(!is_first_quiet(&[(Role::Knight, table)], None));
    assert!(!is_first_quiet(&[(Role::Knight, table), (Role::Knight, other)], Some(table)));
}
