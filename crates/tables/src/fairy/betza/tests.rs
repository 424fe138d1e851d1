//! Tests of reading as XBoard does, and of writing text that XBoard reads back.

use super::BetzaError;
use crate::fairy::movement::{MoveAtom, tidy};
use std::collections::HashMap;
use umbrail_chess::SplitMix64;

/// Reads a movement of steps only.
fn read(text: &str) -> Result<Vec<MoveAtom>, BetzaError> {
    let movement = super::read(text)?;
    assert_eq!(movement.bent, [], "{text}");
    Ok(movement.steps)
}

fn write(steps: &[MoveAtom]) -> String {
    super::write(steps, &[])
}

fn write_for_xboard(steps: &[MoveAtom]) -> Option<String> {
    super::write_for_xboard(steps, &[])
}

/// Returns text and steps of White's piece, as XBoard reads it.
fn xboard() -> HashMap<&'static str, Vec<(i8, i8)>> {
    let golden = include_str!("../../../tests/golden/xboard-prefixes.tsv");
    let lines = golden.lines().filter(|line| !line.starts_with('#'));
    let step = |step: &str| {
        let (dx, dy) = step.split_once(',').unwrap();
        (dx.parse().unwrap(), dy.parse().unwrap())
    };
    lines
        .map(|line| {
            let (text, steps) = line.split_once('\t').unwrap();
            let mut steps: Vec<(i8, i8)> = steps.split(' ').map(step).collect();
            steps.sort_unstable();
            (text, steps)
        })
        .collect()
}

fn directions(text: &str) -> Vec<(i8, i8)> {
    read(text).unwrap_or_else(|e| panic!("{text}: {e}")).iter().map(|s| (s.dx, s.dy)).collect()
}

fn count(text: &str, steps: usize) {
    assert_eq!(read(text).map(|s| s.len()), Ok(steps), "{text}");
}

#[test]
fn every_prefix_is_read_as_xboard_reads_it() {
    let xboard = xboard();
    assert!(xboard.len() > 400);
    for (text, steps) in xboard {
        assert_eq!(directions(text), steps, "{text}");
    }
}

#[test]
fn the_second_of_two_letters_is_the_long_side_of_a_knight_leap() {
    assert_eq!(directions("flN"), [(-2, 1)]);
    assert_eq!(directions("lfN"), [(-1, 2)]);
    assert_eq!(read("fsN"), read("flNfrN"));
    assert_eq!(directions("hrN"), [(-2, 1), (-1, -2), (1, 2), (2, -1)]);
    assert_eq!(directions("fsK"), [(-1, 1), (1, 1)]);
    assert_eq!(read("WfbNbbF"), read("WfNbNbF"));
}

#[test]
fn modes_may_stand_before_or_behind_directions() {
    assert_eq!(read("mfWcfF"), read("fmWfcF"));
    assert_eq!(read("mcW"), read("W"));
    assert!(read("mhrN").unwrap().iter().all(|step| step.quiet && !step.capture));
}

#[test]
fn movements_have_the_right_number_of_steps() {
    count("K", 8);
    count("BN", 12);
    count("fmWfcF", 3);
    count("FAsmW", 10);
    count("fbNF", 8);
    count("NN", 8);
    count("(1,6)", 8);
    count("fl(1,6)", 1);
    count("(0,5)", 4);
}

#[test]
fn a_repeated_atom_and_a_number_are_ranges() {
    assert_eq!(read("NN"), read("N0"));
    assert_eq!(read("(1,2)(2,1)"), read("N"));
    assert_eq!(read("(1,2)(1,2)"), read("NN"));
    assert_eq!(read("W12"), read("R"));
    assert_eq!(read("W999"), read("W7"));
    assert_eq!(read("B3"), read("F3"));
}

#[test]
fn a_contained_step_is_dropped() {
    assert_eq!(read("QK"), read("Q"));
    assert_eq!(read("WW"), read("R"));
}

#[test]
fn faults_are_named_with_their_column() {
    let faults = [
        ("nW", 1, "two squares"),
        ("fpF", 2, "a ride after p"),
        ("fgN", 2, "a ride after p"),
        ("mimW", 2, "initial"),
        ("mdW", 2, "own pieces"),
        ("WuR", 2, "captured piece back"),
        ("jW", 1, "before a leap"),
        ("jjR2", 1, "before a leap"),
        ("ajD2jjD", 5, "before a leap"),
        ("cacacK", 5, "two captures"),
        ("aaaaaaK", 7, "six legs"),
        ("aaaaaQ", 1, "fewer ways"),
        ("WmpaampaQ", 1, "fewer ways"),
        ("zW", 1, "a rider"),
        ("zN0", 1, "straight or diagonal"),
        ("qR", 1, "oblique"),
        ("zqB", 2, "not both"),
        ("zafR", 1, "several legs"),
        ("afyW", 3, "before the last"),
        ("aftW", 3, "before the last"),
        ("gpR", 2, "one of the letters"),
        ("afrN", 2, "oblique leap"),
        ("aN", 2, "oblique leap"),
        ("WO", 2, "castling"),
        ("I", 1, "exchanges"),
        ("U", 1, "every square"),
        ("FX", 2, "lengthen"),
        ("[F?R]", 1, "brackets"),
        ("feF", 2, "en passant"),
        ("W1M", 3, "an atom"),
        ("fm", 3, "an atom"),
        ("", 1, "a movement"),
        ("(1,9)", 1, "0 to 7"),
        ("(0,0)", 1, "leaves"),
        ("(1,2", 1, "0 to 7"),
        ("WhN", 2, "hl or hr"),
        ("mhN", 2, "hl or hr"),
        ("hlfN", 3, "no direction"),
    ];
    for (text, column, part) in faults {
        let error = read(text).unwrap_err();
        assert_eq!(error.column, column, "{text}");
        assert!(error.expected.contains(part), "{text}: {error}");
    }
}

/// Parses a text as XBoard does, by looking up each prefix in the list. No rule is needed, since
/// the writer uses only prefixes from the list.
fn read_by_list(text: &str, list: &HashMap<&str, Vec<(i8, i8)>>) -> Vec<MoveAtom> {
    let mut steps = vec![];
    let mut rest = text;
    while !rest.is_empty() {
        let letter = rest.find(|c: char| c.is_ascii_uppercase()).expect("an atom");
        let end = rest[letter + 1..].find(|c: char| !c.is_ascii_digit());
        let end = end.map_or(rest.len(), |end| letter + 1 + end);
        let (prefix, atom) = (rest[..letter].replace(['m', 'c'], ""), &rest[letter..=letter]);
        let (like, leap, listed) = match atom {
            "W" => ("W", (0, 1), (0, 1)),
            "D" => ("W", (0, 2), (0, 1)),
            "H" => ("W", (0, 3), (0, 1)),
            "F" => ("F", (1, 1), (1, 1)),
            "A" => ("F", (2, 2), (1, 1)),
            "G" => ("F", (3, 3), (1, 1)),
            "N" => ("N", (1, 2), (1, 2)),
            "C" => ("N", (1, 3), (1, 2)),
            "Z" => ("N", (2, 3), (1, 2)),
            _ => panic!("{atom} in {text}"),
        };
        let longer = |d: i8| {
            let long = if d.abs() == listed.1 { leap.1 } else { leap.0 };
            if d == 0 { 0 } else { long * d.signum() }
        };
        let (moves, captures) = (rest[..letter].contains('m'), rest[..letter].contains('c'));
        let reach = match &rest[letter + 1..end] {
            "" => 1,
            "0" => MoveAtom::SLIDE,
            range => range.parse().unwrap(),
        };
        steps.extend(list[format!("{prefix}{like}").as_str()].iter().map(|&(dx, dy)| MoveAtom {
            dx: longer(dx),
            dy: longer(dy),
            reach,
            capture: captures || !moves,
            quiet: moves || !captures,
        }));
        rest = &rest[end..];
    }
    tidy(&mut steps);
    steps
}

/// Returns random steps as in a definition: few or many leaps up to `edge` squares long, with all
/// ranges and modes, and symmetric parts.
fn random_steps(numbers: &mut SplitMix64, edge: u64) -> Vec<MoveAtom> {
    let mut below = |limit: u64| i8::try_from(numbers.below(limit)).unwrap();
    let most = [3, 6, 20, 60][below(4) as usize];
    let mut steps = vec![];
    for _ in 0..=below(most) {
        let side = 2 * edge + 1;
        let edge = i8::try_from(edge).unwrap();
        let (dx, dy) = (below(side) - edge, below(side) - edge);
        if (dx, dy) == (0, 0) {
            continue;
        }
        let reach = [1, 1, 7, 1 + below(7) as u8][below(4) as usize];
        let mode = below(4);
        let step = MoveAtom { dx, dy, reach, capture: mode != 1, quiet: mode != 2 };
        let images = [
            vec![(dx, dy)],
            vec![(dx, dy), (-dx, dy)],
            vec![(dx, dy), (-dx, -dy), (-dx, dy), (dx, -dy)],
            vec![(dx, dy), (dy, -dx), (-dx, -dy), (-dy, dx)],
        ];
        let images = &images[below(4) as usize];
        steps.extend(images.iter().map(|&(dx, dy)| MoveAtom { dx, dy, ..step }));
    }
    tidy(&mut steps);
    steps
}

#[test]
fn what_is_written_is_read_back() {
    let mut numbers = SplitMix64::new(31);
    for _ in 0..20_000 {
        let steps = random_steps(&mut numbers, 7);
        if !steps.is_empty() {
            assert_eq!(read(&write(&steps)), Ok(steps.clone()), "{}", write(&steps));
        }
    }
}

#[test]
fn xboard_reads_back_what_is_written_for_it() {
    let list = xboard();
    let mut numbers = SplitMix64::new(32);
    let mut reported = 0;
    for round in 0..20_000 {
        let steps = random_steps(&mut numbers, if round % 10 == 0 { 7 } else { 3 });
        let Some(text) = write_for_xboard(&steps) else {
            let far = steps.iter().any(|step| step.dx.abs() > 3 || step.dy.abs() > 3);
            assert!(far || write(&steps).len() > 511, "{}", write(&steps));
            continue;
        };
        assert_eq!(read_by_list(&text, &list), steps, "{text}");
        assert!(text.len() <= 511);
        reported += usize::from(!steps.is_empty());
    }
    assert!(reported > 10_000, "{reported}");
}

#[test]
fn every_set_of_directions_of_an_atom_is_reported_to_xboard() {
    let list = xboard();
    for leap in [(0, 1), (1, 1), (1, 2), (2, 3)] {
        for set in 1..=255_u8 {
            let leap_at = |n: u8| {
                let (a, b) = if n.is_multiple_of(2) { leap } else { (leap.1, leap.0) };
                (0..n / 2).fold((a, b), |(dx, dy), _| (dy, -dx))
            };
            let chosen = (0..8).filter(|n| set >> n & 1 != 0).map(leap_at);
            let mut steps: Vec<_> = chosen.map(|(dx, dy)| MoveAtom::leap(dx, dy)).collect();
            tidy(&mut steps);
            let text = write_for_xboard(&steps).unwrap();
            assert_eq!(read_by_list(&text, &list), steps, "{text}");
        }
    }
}

/// Returns a random text with all modes; most are movements, some are refused.
fn random_text(numbers: &mut SplitMix64) -> String {
    let mut pick = |list: &[&str]| list[numbers.below(list.len() as u64) as usize].to_owned();
    let directions =
        ["", "", "f", "b", "s", "v", "l", "fr", "fs", "bl", "fl", "hr", "rf", "lb", "bs"];
    let modes = ["", "", "", "m", "c", "mc", "p", "g", "n", "j", "o", "y", "t", "cp", "mp", "cpo"];
    let mut text = pick(&directions) + &pick(&modes) + &pick(&["", "", "", "n", "o", "z", "q"]);
    for _ in 0..[0, 0, 0, 1, 1, 1, 2]
        [pick(&["0", "1", "2", "3", "4", "5", "6"]).parse::<usize>().unwrap()]
    {
        text += &format!("a{}{}", pick(&directions), pick(&modes));
    }
    text + &pick(&[
        "W", "F", "D", "N", "A", "H", "C", "Z", "G", "B", "R", "Q", "K", "(1,4)", "(0,5)",
    ]) + &pick(&["", "", "", "0", "2", "3"])
}

#[test]
fn moves_of_all_kinds_are_written_and_read_back() {
    let mut numbers = SplitMix64::new(33);
    let (mut bent, mut refused, mut shown) = (0, 0, 0);
    for _ in 0..20_000 {
        let text = (0..=numbers.below(2)).map(|_| random_text(&mut numbers)).collect::<String>();
        let Ok(movement) = super::read(&text) else {
            refused += 1;
            continue;
        };
        bent += usize::from(!movement.bent.is_empty());
        let written = super::write(&movement.steps, &movement.bent);
        assert_eq!(super::read(&written).as_ref(), Ok(&movement), "{text}: {written}");
        if let Some(line) = super::write_for_xboard(&movement.steps, &movement.bent) {
            assert_eq!(super::read(&line).as_ref(), Ok(&movement), "{text}: {line}");
            shown += 1;
        }
    }
    assert!(bent > 4_000 && refused > 3_000 && shown > 3_000, "{bent} {refused} {shown}");
}

#[test]
fn bent_moves_have_short_forms() {
    for text in [
        "nN",
        "gQ",
        "mRcpR".trim_start_matches("mR"),
        "yafsF",
        "afsW",
        "afsK",
        "cafmF",
        "caK",
        "mcabK",
        "zB",
        "qN0",
        "oR",
        "jjR",
        "pR3",
        "fsgB",
        "afafsmW",
        "nA",
        "fpafmQ",
        "gafmQ",
    ] {
        let movement = super::read(text).unwrap();
        let written = super::write(&movement.steps, &movement.bent);
        assert!(written.len() <= text.len(), "{text}: {written}");
    }
}

#[test]
fn short_forms_are_found() {
    for text in ["fmWfcF", "fbN", "hrC", "fhN", "vZ", "lfN", "W3", "(1,6)", "fs(2,4)2"] {
        let written = write(&read(text).unwrap());
        assert!(written.len() <= text.len(), "{text}: {written}");
    }
    assert_eq!(write(&read("flNfrN").unwrap()), "fsN");
}
