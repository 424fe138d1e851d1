//! Tests of entries, replacement, and torn reads.

use super::{
    Entry, Ordering, Position, TranspositionTable, Word, read, score_from_tt, score_to_tt,
    table_key, write,
};
use crate::policy::Replacement;
use crate::score::{Bound, DECISIVE, MATE, TABLE_WIN};
use umbrail_chess::Move;
use umbrail_chess::geometry::Square;

fn entry(depth: i32) -> Entry {
    let best = Some(Move::new(Square::E2, Square::E4));
    Entry { best, value: -123, eval: Some(45), depth, bound: Bound::Lower, pv: true }
}

#[test]
fn what_is_stored_is_found() {
    let tt = TranspositionTable::new(1);
    tt.store(77, entry(9), Replacement::Base);
    assert_eq!(tt.probe(77), Some(entry(9)));
    assert_eq!(tt.probe(78), None);
    let checked = Entry { best: None, eval: None, bound: Bound::Exact, ..entry(3) };
    tt.store(77, checked, Replacement::Base);
    assert_eq!(tt.probe(77), Some(Entry { best: entry(9).best, ..checked }));
}

#[test]
fn touching_keeps_the_entries() {
    let tt = TranspositionTable::new(40);
    let keys: Vec<u64> = (0..1_000).map(|at| at << 54 | at).collect();
    keys.iter().for_each(|&key| tt.store(key, entry(9), Replacement::Base));
    tt.touch();
    assert!(keys.iter().all(|&key| tt.probe(key) == Some(entry(9))));
}

#[test]
fn the_shallowest_of_a_line_makes_room_and_age_counts() {
    let tt = TranspositionTable::new(1);
    let keys: Vec<u64> = (1..=5).collect();
    for (&key, depth) in keys.iter().zip([9, 3, 8, 7, 5]) {
        tt.store(key, entry(depth), Replacement::Base);
    }
    assert_eq!(tt.probe(2), None);
    for _ in 0..2 {
        tt.next_generation();
    }
    tt.store(6, entry(1), Replacement::Base);
    tt.store(7, entry(1), Replacement::Base);
    assert!(tt.probe(6).is_some() || tt.probe(7).is_some());
    assert!(tt.probe(5).is_none(), "the shallowest old entry is gone");
}

impl Word for loom::sync::atomic::AtomicU64 {
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    fn put(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// Two writers and a reader access one entry, in every order that the memory model allows: the
/// reader gets a consistent entry or none.
#[test]
fn a_torn_entry_is_never_believed() {
    use loom::sync::atomic::AtomicU64;
    let torn = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let seen = std::sync::Arc::clone(&torn);
    // Three preemptions cover every order of two writes of two words and a read; all of them
    // take a minute (`LOOM_MAX_PREEMPTIONS=9`).
    let mut model = loom::model::Builder::new();
    model.preemption_bound = model.preemption_bound.or(Some(3));
    model.check(move || {
        let entry = loom::sync::Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let writers = [(0x1111_0000, 5), (0x2222_0000, 9)].map(|(key, data)| {
            let entry = loom::sync::Arc::clone(&entry);
            loom::thread::spawn(move || write(&entry, key, data))
        });
        for (key, data) in [(0x1111_0000, 5), (0x2222_0000, 9)] {
            assert!(read(&entry, key).is_none_or(|found| found == data));
        }
        for writer in writers {
            writer.join().unwrap();
        }
        let both = [read(&entry, 0x1111_0000), read(&entry, 0x2222_0000)];
        assert!(matches!(both, [None, None] | [Some(5), None] | [None, Some(9)]));
        if both == [None, None] {
            seen.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(torn.load(Ordering::Relaxed) > 0, "the model has torn entries to refuse");
}

#[test]
fn mates_are_counted_from_where_they_are_seen() {
    assert_eq!(score_to_tt(MATE - 7, 4), MATE - 3);
    assert_eq!(score_from_tt(score_to_tt(MATE - 7, 4), 2, 0), MATE - 5);
    assert_eq!(score_to_tt(-MATE + 7, 4), -MATE + 3);
    assert_eq!(score_to_tt(99, 4), 99);
    assert_eq!(score_from_tt(score_to_tt(TABLE_WIN - 7, 7), 2, 0), TABLE_WIN - 2);
    assert_eq!(score_from_tt(score_to_tt(7 - TABLE_WIN, 7), 2, 0), 2 - TABLE_WIN);
}

#[test]
fn mates_behind_the_fifty_move_draw_are_not_decisive() {
    assert_eq!(score_from_tt(MATE - 9, 0, 91), MATE - 9, "mate with the hundredth half-move");
    assert_eq!(score_from_tt(MATE - 9, 0, 92), DECISIVE);
    assert_eq!(score_from_tt(9 - MATE, 3, 92), -DECISIVE);
    assert_eq!(score_from_tt(TABLE_WIN - 9, 0, 92), DECISIVE);
}

#[test]
fn the_fifty_move_counter_takes_part_in_the_key() {
    let key = |halfmoves| {
        let fen = format!("8/8/4k3/8/3p4/8/3PK3/4R3 w - - {halfmoves} 80");
        let setup: umbrail_chess::geometry::Setup = fen.parse().unwrap();
        table_key(&Position::try_from(&setup).unwrap())
    };
    assert_eq!(key(0), key(13));
    assert_ne!(key(13), key(14));
    assert_eq!(key(14), key(21));
    assert_ne!(key(21), key(22));
    assert_ne!(key(14), key(99));
}
