//! What the long tests share: building, verifying, and numbers that are the same on every run.
#![allow(dead_code, reason = "each test program uses a part")]

use std::time::Instant;
use umbrail_chess::geometry::Setup;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{BuildEvent, FairyBoard, Material, Metric, Rules, Tablebase};

pub(crate) fn with_control<R>(work: impl FnOnce(&Control<'_, BuildEvent>) -> R) -> R {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(2).unwrap();
    work(&Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {}))
}

pub(crate) fn build_with(name: &str, rules: &Rules, piece_set: &PieceSet) -> Tablebase {
    let material = Material::read(name, piece_set).unwrap();
    let mut table = Tablebase::empty(&material, rules, piece_set).unwrap();
    with_control(|control| table.build(control)).unwrap();
    table
}

pub(crate) fn build(name: &str, metric: Metric) -> Tablebase {
    build_with(name, &Rules::orthodox(metric), &PieceSet::default())
}

pub(crate) fn board(table: &Tablebase, fen: &str) -> FairyBoard {
    table.board(&fen.parse::<Setup>().unwrap()).unwrap()
}

pub(crate) fn verifies(table: &mut Tablebase, stride: usize) {
    let verdict = with_control(|control| table.verify(stride, control)).unwrap();
    assert!(verdict.checked > 0);
    assert_eq!(verdict.faults, [""; 0]);
}
