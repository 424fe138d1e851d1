//! Betza's notation for piece movement, in the subset that XBoard's `piece` command uses for
//! leapers, riders and their compounds.
//!
//! Understood are
//! - atoms `W F D N A H L C J Z G` and the compounds `B R Q K`, or `(x,y)` for any leap;
//!   `L` and `C` are both the camel, `J` and `Z` both the zebra;
//! - a repeated letter (`NN`, `WW`) for a rider, a digit for a limited range (`W3`), `0` for an
//!   unlimited one;
//! - directions `f b l r v s` in front of an atom, in pairs for one diagonal (`flF`) or one of the
//!   eight leaps (`ffN` narrow, `fsN` wide), and `h` for a half (`fhN` is the four forward leaps);
//! - `m` moves only, `c` captures only; without either a step does both.
//!
//! Lame leaps (`n` in front of a leaper), hoppers (`p`, `g`), initial moves (`i`) and multi-leg
//! moves are refused by name; the pawn is the letter `P` of the piece set.

use super::movement::{MoveAtom, images, tidy};
use std::fmt;

/// Why a text is no movement in (this subset of) Betza's notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetzaError {
    /// The part that was not understood.
    pub token: String,
    /// Its column, from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for BetzaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" at column {} of the Betza notation: expected {}",
            self.token, self.column, self.expected
        )
    }
}

impl std::error::Error for BetzaError {}

/// Reads a movement; the steps come sorted.
///
/// # Errors
/// [`BetzaError`] with the part that was not understood.
pub(crate) fn read(text: &str) -> Result<Vec<MoveAtom>, BetzaError> {
    let chars: Vec<char> = text.trim().chars().collect();
    let fail = |at: usize, expected| BetzaError {
        token: chars.get(at).map_or_else(|| "end".to_owned(), char::to_string),
        column: at + 1,
        expected,
    };
    let mut steps = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        while at < chars.len() && chars[at].is_ascii_lowercase() {
            at += 1;
        }
        let modifiers = &chars[start..at];
        if let Some(bad) = modifiers.iter().position(|c| !"fblrvshmc".contains(*c)) {
            return Err(fail(start + bad, "one of the modifiers f b l r v s h m c"));
        }
        let &letter = chars.get(at).ok_or_else(|| fail(at, "an atom such as W, F or N"))?;
        at += 1;
        let mut atoms = match letter {
            'W' => vec![(1, 0, 1)],
            'F' => vec![(1, 1, 1)],
            'D' => vec![(2, 0, 1)],
            'N' => vec![(1, 2, 1)],
            'A' => vec![(2, 2, 1)],
            'H' => vec![(3, 0, 1)],
            'L' | 'C' => vec![(1, 3, 1)],
            'J' | 'Z' => vec![(2, 3, 1)],
            'G' => vec![(3, 3, 1)],
            'K' => vec![(1, 0, 1), (1, 1, 1)],
            'R' => vec![(1, 0, MoveAtom::SLIDE)],
            'B' => vec![(1, 1, MoveAtom::SLIDE)],
            'Q' => vec![(1, 0, MoveAtom::SLIDE), (1, 1, MoveAtom::SLIDE)],
            '(' => {
                let close = chars[at..].iter().position(|&c| c == ')');
                let inside: String = chars[at..at + close.unwrap_or(0)].iter().collect();
                let mut numbers = inside.split(',').map(|n| n.trim().parse::<i8>().ok());
                let leap = (numbers.next().flatten(), numbers.next().flatten(), numbers.next());
                let (Some(x @ 0..=7), Some(y @ 0..=7), None) = leap else {
                    return Err(fail(at - 1, "a leap (x,y) with 0 to 7 squares each way"));
                };
                at += close.unwrap_or(0) + 1;
                vec![(x, y, 1)]
            }
            _ => return Err(fail(at - 1, "an atom such as W, F or N")),
        };
        if (atoms[0].0, atoms[0].1) == (0, 0) {
            return Err(fail(at - 1, "a leap that leaves its square"));
        }
        let mut reach = None;
        if chars.get(at) == Some(&letter) && letter.is_ascii_uppercase() {
            reach = Some(MoveAtom::SLIDE);
            at += 1;
        }
        if let Some(digit) = chars.get(at).and_then(|c| c.to_digit(10)) {
            reach =
                Some(if digit == 0 { MoveAtom::SLIDE } else { (digit as u8).min(MoveAtom::SLIDE) });
            at += 1;
        }
        if let Some(reach) = reach {
            atoms.iter_mut().for_each(|atom| atom.2 = reach);
        }
        let moves = modifiers.contains(&'m');
        let captures = modifiers.contains(&'c');
        let (capture, quiet) = (captures || !moves, moves || !captures);
        let ways: String = modifiers.iter().filter(|c| !"mc".contains(**c)).collect();
        for (x, y, reach) in atoms {
            let before = steps.len();
            let step = MoveAtom { reach, capture, quiet, ..MoveAtom::leap(x, y) };
            steps.extend(images(step, false).into_iter().filter(|s| points(&ways, s.dx, s.dy)));
            if steps.len() == before {
                return Err(fail(start, "directions that this atom has"));
            }
        }
    }
    if steps.is_empty() {
        return Err(fail(0, "a movement such as WD or fmWfcF"));
    }
    tidy(&mut steps);
    Ok(steps)
}

/// True when one of the directions in `ways` (none means all) covers the step.
fn points(ways: &str, dx: i8, dy: i8) -> bool {
    if ways.is_empty() {
        return true;
    }
    let half = |way: char| match way {
        'f' => dy > 0,
        'b' => dy < 0,
        'r' => dx > 0,
        'l' => dx < 0,
        'v' => dy != 0,
        _ => dx != 0,
    };
    let upright = |way: char| matches!(way, 'f' | 'b' | 'v');
    let oblique = dx != 0 && dy != 0 && dx.abs() != dy.abs();
    let leans = |way: char| if upright(way) { dy.abs() > dx.abs() } else { dx.abs() > dy.abs() };
    let chars: Vec<char> = ways.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let (way, next) = (chars[at], chars.get(at + 1).copied());
        let covered = match next {
            Some('h') => {
                at += 1;
                half(way)
            }
            // Two letters across each other: one diagonal, or (for a knight-like atom) the
            // wide pair `fs` and the single leaps `fl`, `lf`, …, whose first letter leads.
            Some(other) if upright(way) != upright(other) && dx != 0 && dy != 0 => {
                at += 1;
                let wide = if other == 's' || other == 'v' { !leans(way) } else { leans(way) };
                half(way) && half(other) && (!oblique || wide)
            }
            Some(other) if other == way && oblique => {
                at += 1;
                half(way) && leans(way)
            }
            _ => half(way) && (!oblique || leans(way)),
        };
        if covered {
            return true;
        }
        at += 1;
    }
    false
}

/// Writes steps in Betza's notation: whole orbits by their letter, single steps with directions.
pub(super) fn write(steps: &[MoveAtom]) -> String {
    let mut left: Vec<MoveAtom> = steps.to_vec();
    let mut text = String::new();
    while let Some(&step) = left.first() {
        let (a, b) = (step.dx.abs().min(step.dy.abs()), step.dx.abs().max(step.dy.abs()));
        let atom = match (a, b) {
            (0, 1) => "W".to_owned(),
            (1, 1) => "F".to_owned(),
            (0, 2) => "D".to_owned(),
            (1, 2) => "N".to_owned(),
            (2, 2) => "A".to_owned(),
            (0, 3) => "H".to_owned(),
            (1, 3) => "C".to_owned(),
            (2, 3) => "Z".to_owned(),
            (3, 3) => "G".to_owned(),
            _ => format!("({a},{b})"),
        };
        let mode = match (step.capture, step.quiet) {
            (true, false) => "c",
            (false, true) => "m",
            _ => "",
        };
        let range = match step.reach {
            1 => String::new(),
            MoveAtom::SLIDE => "0".to_owned(),
            n => n.to_string(),
        };
        let orbit = images(step, false);
        let ways = if orbit.iter().all(|s| left.contains(s)) {
            left.retain(|s| !orbit.contains(s));
            String::new()
        } else {
            left.remove(0);
            ways(step)
        };
        text.push_str(&format!("{ways}{mode}{atom}{range}"));
    }
    text
}

fn ways(step: MoveAtom) -> String {
    let up = if step.dy > 0 { "f" } else { "b" };
    let side = if step.dx > 0 { "r" } else { "l" };
    match (step.dx, step.dy) {
        (0, _) => up.to_owned(),
        (_, 0) => side.to_owned(),
        (x, y) if x.abs() > y.abs() => format!("{side}{up}"),
        _ => format!("{up}{side}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    fn count(text: &str, steps: usize) {
        assert_eq!(read(text).map(|s| s.len()), Ok(steps), "{text}");
    }

    #[test]
    fn movements_have_the_right_number_of_steps() {
        count("K", 8);
        count("BN", 12);
        count("fmWfcF", 3);
        count("FAsmW", 10);
        count("fbNF", 8);
        count("fhN", 4);
        count("ffN", 2);
        count("fsN", 2);
        count("NN", 8);
        count("(1,6)", 8);
        count("flF", 1);
    }

    #[test]
    fn a_contained_step_is_dropped() {
        assert_eq!(read("QK"), read("Q"));
        assert_eq!(read("WW"), read("R"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["BN", "fmWfcF", "FAsmW", "fbNF", "NN", "W3", "(1,6)", "lfN", "cKmN"] {
            let steps = read(text).unwrap();
            assert_eq!(read(&write(&steps)), Ok(steps), "{text}");
        }
    }

    #[test]
    fn faults_are_named_with_their_column() {
        for (text, column) in [("nN", 1), ("WX", 2), ("fm", 3), ("", 1), ("(1,9)", 1), ("fpR", 2)] {
            assert_eq!(read(text).unwrap_err().column, column, "{text}");
        }
    }
}
