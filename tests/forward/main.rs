//! A second builder of endgame tables, the slow twin of the fast one: it goes forward, from each position to the
//! positions after its moves, again and again until nothing changes, with moves made here and with nothing of the
//! program but the table it is held against. It knows promotions, castling and en passant.
//!
//! What takes minutes, four men and the time that both builders take, is asked for:
//!
//!     cargo test --release --test forward -- --ignored --nocapture

mod known;
mod place;

use known::{Known, Shelf};
use place::Place;
use std::collections::HashMap;
use std::time::Instant;
use umbrail::control::{Cancel, Clock, Control, Pool, Progress};
use umbrail::fairy::Armoury;
use umbrail::tables::{Fact, Material, Metric, Rules, Table, Value};

fn table(name: &str) -> Table {
    let armoury = Armoury::default();
    let material = Material::read(name, &armoury).expect("an endgame");
    let rules = Rules::orthodox(Metric::Dtm);
    let mut table = Table::empty(&material, &rules, &armoury).expect("a table");
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(1).expect("a thread");
    let tell = |_: Fact| {};
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &tell);
    table.build(&control).expect("it is built");
    table
}

fn told(value: Value) -> u8 {
    match value {
        Value::Draw => 0,
        Value::Win(plies) | Value::Loss(plies) => u8::try_from(plies + 1).expect("a short win"),
    }
}

/// Every position, or one of so many, of a solved endgame is in the table with the same value, or in neither.
fn agrees(shelf: &Shelf, name: &str, table: &Table, stride: usize) -> usize {
    let known = shelf.known.values().find(|known| known.name == name).expect("it is solved");
    let mut count = 0;
    for index in (0..known.values.len()).step_by(stride) {
        let place = known.place(index);
        let setup = place.setup();
        if setup.men().count() < place.count {
            continue;
        }
        let board = table.board(&setup);
        assert_eq!(board.is_ok(), place.is_legal(), "{}", place.fen());
        let Ok(board) = board else { continue };
        count += 1;
        let value = table.value(&board).expect("its material is there");
        assert_eq!(told(value), known.values[known.index(&place)], "{}", place.fen());
    }
    count
}

#[test]
fn three_men_are_worth_what_the_slow_builder_says() {
    let mut shelf = Shelf::default();
    for name in ["KN.K", "KB.K", "KR.K", "KQ.K", "KP.K"] {
        shelf.solve(name, false);
        let fast = table(name);
        let count = agrees(&shelf, name, &fast, 1);
        assert!(count > 300_000, "{name}: {count}");
    }
    // White's longest wins in plies.
    let longest = |name: &str| shelf.known.values().find(|k| k.name == name).map(|k| k.longest);
    assert_eq!(["KQ.K", "KR.K", "KP.K"].map(longest), [Some(20), Some(32), Some(56)]);
    castling_agrees(&shelf);
}

/// A rook that may still castle: values follow forward from those without the right.
fn castling_agrees(shelf: &Shelf) {
    let fast = table("KR.K");
    let known = shelf.known.values().find(|known| known.name == "KR.K").expect("it is solved");
    for rook in [0, 7] {
        let mut places: Vec<Place> = (0..64)
            .flat_map(|royal| [(true, royal), (false, royal)])
            .map(|(white, royal)| {
                let mut place = known.place(0);
                (place.men[0].at, place.men[1].at, place.men[2].at) = (4, rook, royal);
                (place.white, place.castles) = (white, Some(rook));
                place
            })
            .collect();
        places.retain(|place| place.is_legal());
        let number = |place: &Place| (place.white, place.men[2].at);
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
                        None => shelf.value(next, known),
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
            let value = told(fast.value(&board).expect("it is answered"));
            assert_eq!(value, values.get(&number(place)).copied().unwrap_or(0), "{}", place.fen());
            let without = Place { castles: None, ..*place };
            better += usize::from(value != shelf.value(&without, known));
        }
        assert!(places.len() > 60 && better > 0, "castling shortens {better} wins");
    }
}

/// Places with the men of KP.KP where a pawn has just passed another one that may take it.
fn passants() -> Vec<Place> {
    let empty = Known::new("KP.KP", false).place(0);
    let mut places = Vec::new();
    for (file, side) in (0..8).flat_map(|file| [(file, -1), (file, 1)]) {
        if !(0..8).contains(&(file + side)) {
            continue;
        }
        for (white, black) in (0..64).flat_map(|white| (0..64).map(move |black| (white, black))) {
            let mut place = empty;
            // Black has just gone from the seventh rank to the fifth.
            (place.men[0].at, place.men[2].at) = (white, black);
            (place.men[1].at, place.men[3].at) = (32 + file + side, 32 + file);
            place.passed = Some(40 + file);
            let behind = [40 + file, 48 + file];
            if place.men.iter().all(|man| !behind.contains(&man.at)) {
                places.push(place);
                places.push(place.turned().sorted());
            }
        }
    }
    places
}

#[test]
fn short_wins_around_en_passant_are_those_of_a_search() {
    let shelf = Shelf::default();
    let fast = table("KP.KP");
    let (mut short, mut long, mut changed) = (0, 0, 0);
    for (number, place) in passants().iter().enumerate() {
        let board = fast.board(&place.fen().parse().expect("a FEN"));
        let Ok(board) = board else { continue };
        let value = fast.value(&board).expect("its material is there");
        match value {
            Value::Win(plies @ 1..=9) => {
                short += 1;
                let plies = plies as u8;
                assert!(shelf.mates_within(place, plies), "{}", place.fen());
                assert!(plies < 3 || !shelf.mates_within(place, plies - 2), "{}", place.fen());
                let without = Place { passed: None, ..*place };
                changed += usize::from(!shelf.mates_within(&without, plies));
            }
            Value::Loss(plies @ 0..=8) => {
                short += 1;
                let plies = plies as u8;
                assert!(shelf.mated_within(place, plies), "{}", place.fen());
                assert!(plies < 2 || !shelf.mated_within(place, plies - 2), "{}", place.fen());
            }
            _ if number % 97 == 0 => {
                long += 1;
                assert!(!shelf.mates_within(place, 5), "{}", place.fen());
                assert!(!shelf.mated_within(place, 4), "{}", place.fen());
            }
            _ => {}
        }
    }
    println!("{short} short wins, {changed} by en passant only, {long} others");
    assert!(short > 150 && changed > 80 && long > 500, "{short} {changed} {long}");
}

/// Seconds of the processor that this process has had, as Linux tells it; elsewhere those of the clock.
fn seconds(since: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or("").split(' ');
    let ticks: Vec<f64> = fields.skip(12).take(2).filter_map(|field| field.parse().ok()).collect();
    if ticks.len() == 2 { (ticks[0] + ticks[1]) / 100.0 } else { since.elapsed().as_secs_f64() }
}

/// The time of both builders, on one thread each; the slow one stores no mirrors of four men.
#[test]
#[ignore = "takes minutes"]
fn going_forward_takes_its_time() {
    const ROUNDS: u32 = 20;
    let start = Instant::now();
    let mut shelf = Shelf::default();
    let mut compare = |names: &[&str], folded: bool| {
        let begun = seconds(start);
        names.iter().for_each(|name| shelf.solve(name, folded));
        let slow = seconds(start) - begun;
        let begun = seconds(start);
        for _ in 0..ROUNDS {
            names.iter().for_each(|name| drop(table(name)));
        }
        let quick = (seconds(start) - begun) / f64::from(ROUNDS);
        for name in names {
            agrees(&shelf, name, &table(name), if folded { 101 } else { 1 });
        }
        let (names, times) = (names.join(" "), slow / quick);
        println!("{names}: forward {slow:.2} s, retrograde {quick:.4} s, {times:.0} times");
    };
    compare(&["KN.K", "KB.K", "KR.K", "KQ.K", "KP.K"], false);
    compare(&["KQQ.K"], true);
    compare(&["KBN.K"], true);
}
