//! Thousands of corrupted inputs: piece definitions and seeds give errors or tables, never a crash.
//! `tests/hostile.rs` covers endgames and files. The random numbers have fixed seeds, so that
//! failures are reproducible.

#[path = "../../tests/common/spoilt.rs"]
mod spoilt;

use crate::fairy::{Piece, PieceSet, betza};
use crate::{BuildOptions, BuildRequest, Material, Metric, Rules, Tablebase, seed};
use spoilt::spoilt;
use umbrail_chess::SplitMix64;

#[test]
fn spoilt_piece_definitions_are_read_or_refused_by_line() {
    let text = include_str!("../../../../ini/piecedef.ini");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
    let mut numbers = SplitMix64::new(11);
    let (mut read, mut refused) = (0, 0);
    for round in 0..4000 {
        let line = lines[numbers.below(lines.len() as u64) as usize];
        match PieceSet::with_definitions(&spoilt(line, |limit| numbers.below(limit))) {
            Err(errors) => {
                refused += 1;
                assert!(errors[0].to_string().contains("line "), "round {round}: {}", errors[0]);
            }
            // Accepted pieces are usable: the builder's move tables compile without a fault.
            Ok(piece_set) if round % 20 == 0 => {
                read += 1;
                for piece in piece_set.pieces().filter(|piece| !piece.pawn) {
                    let _ = crate::move_tables::MoveTables::new(piece, true).attacked(27, 0);
                }
            }
            Ok(_) => read += 1,
        }
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
}

#[test]
fn spoilt_betza_is_read_or_refused() {
    let mut numbers = SplitMix64::new(12);
    let mut refused = 0;
    for _ in 0..1500 {
        let text = [
            "FAsmW",
            "fmWfcF",
            "NCZ",
            "K2",
            "mRcB",
            "(1,4)",
            "W3nD",
            "frlbsvN",
            "KNADcaKmcabK",
            "FyafsF",
            "mRcpR",
            "zBqN0",
        ];
        let text = spoilt(text[numbers.below(12) as usize], |limit| numbers.below(limit));
        match betza::read(&text) {
            Ok(steps) => {
                let piece = Piece::new('X', "", steps);
                let _ = (piece.symmetry(), piece.is_color_bound(), piece.betza());
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn spoilt_seeds_are_read_or_refused() {
    let piece_set = PieceSet::default();
    let material = Material::read("KR.K", &piece_set).unwrap();
    let mut numbers = SplitMix64::new(14);
    let (mut sown, mut refused) = (0, 0);
    for _ in 0..1500 {
        let line = ["b3e3a1 127", "b3**b1 10", "a1a2a3 0", "c2h8a1 126 ; x", "d4d5d6 14"];
        let text = spoilt(line[numbers.below(5) as usize], |limit| numbers.below(limit));
        match seed::read(&text, &material, Metric::Dtc) {
            Err(errors) => {
                refused += 1;
                assert!(!errors.is_empty());
            }
            Ok(lines) => {
                sown += 1;
                if sown % 40 == 0 {
                    let rules = Rules::orthodox(Metric::Dtc);
                    let seeds = lines;
                    let request =
                        BuildRequest { seeds, ..BuildRequest::new(&material, &piece_set, &rules) };
                    let mut table = Tablebase::new(request, BuildOptions::unlimited()).unwrap();
                    super::with_control(|control| table.build(control)).unwrap();
                }
            }
        }
    }
    assert!(sown > 100 && refused > 100, "{sown} {refused}");
}
