//! Both builders side by side.

use crate::solver::ForwardTables;
use std::time::Instant;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{BuildEvent, Material, Metric, Rules, TableValue, Tablebase};

/// The table of the fast builder, with one thread.
pub(crate) fn table(name: &str) -> Tablebase {
    table_of(name, &PieceSet::default())
}

/// The same with pieces of one's own.
pub(crate) fn table_of(name: &str, piece_set: &PieceSet) -> Tablebase {
    let material = Material::read(name, piece_set).expect("an endgame");
    let rules = Rules::orthodox(Metric::Dtm);
    let mut table = Tablebase::empty(&material, &rules, piece_set).expect("a table");
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(1).expect("a thread");
    let notify = |_: BuildEvent| {};
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    table.build(&control).expect("it is built");
    table
}

/// A value as the slow builder writes it.
pub(crate) fn reported(value: TableValue) -> u8 {
    match value {
        TableValue::Draw => 0,
        TableValue::Win(plies) | TableValue::Loss(plies) => {
            u8::try_from(plies + 1).expect("a short win")
        }
    }
}

/// Every `stride`-th position of a solved endgame is in the table with the same value, or in neither.
pub(crate) fn agrees(
    tables: &ForwardTables,
    name: &str,
    table: &Tablebase,
    stride: usize,
) -> usize {
    let known = tables.known.values().find(|known| known.name == name).expect("it is solved");
    let mut count = 0;
    for index in (0..known.values.len()).step_by(stride) {
        let place = known.place(index);
        let setup = place.setup();
        if setup.pieces().count() < place.count {
            continue;
        }
        let board = table.board(&setup);
        assert_eq!(board.is_ok(), place.is_legal(), "{}", place.fen());
        let Ok(board) = board else { continue };
        count += 1;
        let value = table.value(&board).expect("its material is there");
        assert_eq!(reported(value), known.values[known.index(&place)], "{}", place.fen());
    }
    count
}
