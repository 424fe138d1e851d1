//! A second builder of endgame tables, the slow twin of the fast one: it goes forward, from each position to the
//! positions after its moves, again and again until nothing changes, with moves made here and with nothing of the
//! program but the table it is held against. It knows promotions, castling and en passant.
//!
//! What takes minutes, four men and the time that both builders take, is a bench of the same name.

mod position;
mod solver;
mod twins;

use position::ForwardPosition;
use solver::{ForwardTable, ForwardTables};
use std::collections::HashMap;
use twins::{agrees, reported, table, table_of};
use umbrail_tables::TableValue;
use umbrail_tables::fairy::PieceSet;

#[test]
fn three_pieces_agree_with_the_slow_builder() {
    let mut tables = ForwardTables::default();
    for name in ["KN.K", "KB.K", "KR.K", "KQ.K", "KP.K"] {
        tables.solve(name, false);
        let fast = table(name);
        let count = agrees(&tables, name, &fast, 1);
        assert!(count > 300_000, "{name}: {count}");
    }
    // White's longest wins in plies.
    let longest = |name: &str| tables.known.values().find(|k| k.name == name).map(|k| k.longest);
    assert_eq!(["KQ.K", "KR.K", "KP.K"].map(longest), [Some(20), Some(32), Some(56)]);
    castling_agrees(&tables);
}

/// A pawn that goes one square at a time, as in Shatranj, is defined by its steps.
#[test]
fn a_pawn_without_double_step_agrees_with_the_slow_builder() {
    let mut tables = ForwardTables::default();
    for name in ["KN.K", "KB.K", "KR.K", "KQ.K"] {
        tables.solve(name, false);
    }
    tables.solve_table(ForwardTable { double_steps: false, ..ForwardTable::new("KP.K", false) });
    let pieces = PieceSet::with_definitions("P: 1,0,n 1,1,c 1,-1,c").expect("a definition");
    let slow = table_of("KP.K", &pieces);
    assert!(agrees(&tables, "KP.K", &slow, 1) > 300_000);
    let place = "8/8/8/8/8/8/4P3/K1k5 w - - 0 1".parse().expect("a FEN");
    let [usual, single] = [table("KP.K"), slow].map(|table| {
        reported(table.value(&table.board(&place).expect("a legal board")).expect("it is answered"))
    });
    assert_ne!(usual, single, "the double step matters");
}

/// A rook that may still castle: values follow forward from those without the right.
fn castling_agrees(tables: &ForwardTables) {
    let fast = table("KR.K");
    let known = tables.known.values().find(|known| known.name == "KR.K").expect("it is solved");
    for rook in [0, 7] {
        let mut places: Vec<ForwardPosition> = (0..64)
            .flat_map(|royal| [(true, royal), (false, royal)])
            .map(|(white, royal)| {
                let mut place = known.place(0);
                (place.pieces[0].at, place.pieces[1].at, place.pieces[2].at) = (4, rook, royal);
                (place.white, place.castles) = (white, Some(rook));
                place
            })
            .collect();
        places.retain(|place| place.is_legal());
        let number = |place: &ForwardPosition| (place.white, place.pieces[2].at);
        let mut values: HashMap<(bool, i8), u8> = HashMap::new();
        for ply in 0..60 {
            let mut found = Vec::new();
            for place in places.iter().filter(|place| !values.contains_key(&number(place))) {
                let mut after = Vec::new();
                place.moves(&mut after);
                let after: Vec<u8> = after
                    .iter()
                    .map(|next| match next.castles {
                        Some(_) => values.get(&number(next)).copied().unwrap_or(0),
                        None => tables.value(next, known),
                    })
                    .collect();
                let lost = after.iter().filter(|&&v| v % 2 == 1).min();
                let value = match lost {
                    Some(lost) => lost + 1,
                    None if after.is_empty() => u8::from(place.in_check()),
                    None if after.contains(&0) => 0,
                    None => after.iter().max().map_or(0, |most| most + 1),
                };
                if value == ply + 1 {
                    found.push((number(place), value));
                }
            }
            values.extend(found);
        }
        let mut better = 0;
        for place in &places {
            let board = fast.board(&place.fen().parse().expect("a FEN")).expect("a legal board");
            let value = reported(fast.value(&board).expect("it is answered"));
            assert_eq!(value, values.get(&number(place)).copied().unwrap_or(0), "{}", place.fen());
            let without = ForwardPosition { castles: None, ..*place };
            better += usize::from(value != tables.value(&without, known));
        }
        assert!(places.len() > 60 && better > 0, "castling shortens {better} wins");
    }
}

/// Places with the men of KP.KP where a pawn has just passed another one that may take it.
fn passants() -> Vec<ForwardPosition> {
    let empty = ForwardTable::new("KP.KP", false).place(0);
    let mut places = Vec::new();
    for (file, side) in (0..8).flat_map(|file| [(file, -1), (file, 1)]) {
        if !(0..8).contains(&(file + side)) {
            continue;
        }
        for (white, black) in (0..64).flat_map(|white| (0..64).map(move |black| (white, black))) {
            let mut place = empty;
            // Black has just gone from the seventh rank to the fifth.
            (place.pieces[0].at, place.pieces[2].at) = (white, black);
            (place.pieces[1].at, place.pieces[3].at) = (32 + file + side, 32 + file);
            place.passed = Some(40 + file);
            let behind = [40 + file, 48 + file];
            if place.pieces.iter().all(|piece| !behind.contains(&piece.at)) {
                places.push(place);
                places.push(place.turned().sorted());
            }
        }
    }
    places
}

#[test]
fn short_wins_around_en_passant_are_those_of_a_search() {
    let tables = ForwardTables::default();
    let fast = table("KP.KP");
    let (mut short, mut long, mut changed) = (0, 0, 0);
    for (number, place) in passants().iter().enumerate() {
        let board = fast.board(&place.fen().parse().expect("a FEN"));
        let Ok(board) = board else { continue };
        let value = fast.value(&board).expect("its material is there");
        match value {
            TableValue::Win(plies @ 1..=9) => {
                short += 1;
                let plies = plies as u8;
                assert!(tables.mates_within(place, plies), "{}", place.fen());
                assert!(plies < 3 || !tables.mates_within(place, plies - 2), "{}", place.fen());
                let without = ForwardPosition { passed: None, ..*place };
                changed += usize::from(!tables.mates_within(&without, plies));
            }
            TableValue::Loss(plies @ 0..=8) => {
                short += 1;
                let plies = plies as u8;
                assert!(tables.mated_within(place, plies), "{}", place.fen());
                assert!(plies < 2 || !tables.mated_within(place, plies - 2), "{}", place.fen());
            }
            _ if number % 97 == 0 => {
                long += 1;
                assert!(!tables.mates_within(place, 5), "{}", place.fen());
                assert!(!tables.mated_within(place, 4), "{}", place.fen());
            }
            _ => {}
        }
    }
    println!("{short} short wins, {changed} by en passant only, {long} others");
    assert!(short > 150 && changed > 80 && long > 500, "{short} {changed} {long}");
}
