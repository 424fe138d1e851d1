//! Fills the sliding-attack table that `chess::magic` looks things up in, once per build.
//!
//! The table is data computed from the rules of movement; writing it here keeps the program free of
//! start-up work and of a check on every look-up.

use std::path::Path;
use std::{env, fs};

include!("src/magic_numbers.in");

type Directions = [(i32, i32); 4];
const ROOK: Directions = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: Directions = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// Squares a slider reaches; `stop_early` leaves out the last square of each ray, whose occupation
/// never matters.
fn slide(square: usize, occupied: u64, directions: &Directions, stop_early: bool) -> u64 {
    let on_board = |x: i32, y: i32| (0..8).contains(&x) && (0..8).contains(&y);
    let mut reached = 0;
    for (dx, dy) in directions {
        let (mut x, mut y) = ((square % 8) as i32 + dx, (square / 8) as i32 + dy);
        while on_board(x, y) {
            if stop_early && !on_board(x + dx, y + dy) {
                break;
            }
            let bit = 1u64 << (y * 8 + x);
            reached |= bit;
            if occupied & bit != 0 {
                break;
            }
            (x, y) = (x + dx, y + dy);
        }
    }
    reached
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/magic_numbers.in");
    let mut table: Vec<u64> = Vec::new();
    for (directions, magics) in [(ROOK, ROOK_MAGICS), (BISHOP, BISHOP_MAGICS)] {
        for (square, magic) in magics.into_iter().enumerate() {
            let mask = slide(square, 0, &directions, true);
            let bits = mask.count_ones();
            let base = table.len();
            table.resize(base + (1 << bits), 0);
            let mut blockers = 0u64;
            loop {
                let slot = (blockers.wrapping_mul(magic) >> (64 - bits)) as usize;
                table[base + slot] = slide(square, blockers, &directions, false);
                blockers = blockers.wrapping_sub(mask) & mask;
                if blockers == 0 {
                    break;
                }
            }
        }
    }
    let bytes: Vec<u8> = table.iter().flat_map(|attacks| attacks.to_ne_bytes()).collect();
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("slider_attacks.bin"), bytes).expect("OUT_DIR is writable");
}
