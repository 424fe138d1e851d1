//! Betza's notation for piece movement, as XBoard 4.9 reads it in its `piece` command: leapers,
//! riders and their compounds.
//!
//! Accepted:
//! - atoms `W F D N A H C J Z L G` and the compounds `B R Q K`, or `(x,y)` for any leap;
//!   `C` and `J` are both the camel, `Z` and `L` both the zebra;
//! - a repeated atom (`NN`, `WW`) for a rider, a number for a limited range (`W3`), `0` for an
//!   unlimited one;
//! - directions `f b l r v s h` in front of an atom (`directions`);
//! - `m` moves only, `c` captures only; without either, or with both, a step does both.
//!
//! Deviations from XBoard; XBoard reads these texts differently:
//! - `m` and `c` may precede the directions, as in Betza's `mfW`; XBoard ignores directions after
//!   them.
//! - A repeated atom is a rider, as in Betza's first notation. XBoard reads `NN` as `N`.
//! - XBoard has no `(x,y)`.
//!
//! [`write`] uses only the last of these, `(x,y)`; `write_for_xboard` has no text for such a
//! leap. XBoard modifiers that no [`MoveAtom`] expresses are refused by name. The letter `P` of the
//! piece set is the pawn.

mod directions;
#[cfg(test)]
mod tests;
mod write;

use self::directions::AtomShape;
use super::movement::{MoveAtom, tidy};
pub(super) use write::{write, write_for_xboard};

/// Reason why a text is not a movement in (this subset of) Betza's notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{token}\" at column {column} of the Betza notation: expected {expected}")]
pub struct BetzaError {
    /// Part that was not recognized.
    pub token: String,
    /// Column of that part, from 1.
    pub column: usize,
    /// Expected text at that column.
    pub expected: &'static str,
}

/// Leaps of an atom, before its directions: file and rank distance, repetition limit, and the leaps
/// that are its images.
#[derive(Clone, Copy, Debug)]
struct Atom {
    shape: AtomShape,
    /// Smaller distance, then the larger one.
    leap: (i8, i8),
    reach: u8,
}

impl Atom {
    fn leaper(leap: (i8, i8)) -> Self {
        let leap = (leap.0.min(leap.1), leap.0.max(leap.1));
        Self { shape: AtomShape::of(leap), leap, reach: 1 }
    }

    fn named(letter: char) -> Option<Self> {
        let slider = |atom: Self| Self { reach: MoveAtom::SLIDE, ..atom };
        let royal = Self { shape: AtomShape::Royal, ..Self::leaper((1, 1)) };
        Some(match letter {
            'W' => Self::leaper((0, 1)),
            'F' => Self::leaper((1, 1)),
            'D' => Self::leaper((0, 2)),
            'N' => Self::leaper((1, 2)),
            'A' => Self::leaper((2, 2)),
            'H' => Self::leaper((0, 3)),
            'C' | 'J' => Self::leaper((1, 3)),
            'Z' | 'L' => Self::leaper((2, 3)),
            'G' => Self::leaper((3, 3)),
            'R' => slider(Self::leaper((0, 1))),
            'B' => slider(Self::leaper((1, 1))),
            'K' => royal,
            'Q' => slider(royal),
            _ => return None,
        })
    }
}

/// Parses a movement; the steps are sorted.
///
/// # Errors
/// [`BetzaError`] with the part that was not recognized.
pub(crate) fn read(text: &str) -> Result<Vec<MoveAtom>, BetzaError> {
    let mut reader = Reader { chars: text.trim().chars().collect(), at: 0 };
    let mut steps = Vec::new();
    while reader.at < reader.chars.len() {
        reader.group(&mut steps)?;
    }
    if steps.is_empty() {
        return Err(reader.fault(0, "a movement such as WD or fmWfcF"));
    }
    tidy(&mut steps);
    Ok(steps)
}

/// Text with a read position.
struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn fault(&self, at: usize, expected: &'static str) -> BetzaError {
        let token = self.chars.get(at).map_or_else(|| "end".to_owned(), char::to_string);
        BetzaError { token, column: at + 1, expected }
    }

    /// Parses modifiers and their atom.
    fn group(&mut self, steps: &mut Vec<MoveAtom>) -> Result<(), BetzaError> {
        let (mut moves, mut captures) = (false, false);
        let mut letters = Vec::new();
        while let Some(&letter) = self.chars.get(self.at).filter(|c| c.is_ascii_lowercase()) {
            match letter {
                'm' => moves = true,
                'c' => captures = true,
                'f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h' => letters.push((self.at, letter)),
                _ => return Err(self.fault(self.at, unsupported(letter))),
            }
            self.at += 1;
        }
        let atom = self.ranged_atom()?;
        let ways: Vec<char> = letters.iter().map(|(_, letter)| *letter).collect();
        let set = directions::read(&ways, atom.shape).map_err(|fault| {
            let at = letters.get(fault.letter).map_or(self.at, |(at, _)| *at);
            self.fault(at, fault.expected)
        })?;
        let (capture, quiet) = (captures || !moves, moves || !captures);
        steps.extend(atom.shape.steps(atom.leap, set).map(|(dx, dy)| MoveAtom {
            dx,
            dy,
            reach: atom.reach,
            capture,
            quiet,
        }));
        Ok(())
    }

    /// Parses an atom with its range.
    fn ranged_atom(&mut self) -> Result<Atom, BetzaError> {
        let start = self.at;
        let mut atom = self.atom()?;
        let name = &self.chars[start..self.at];
        if self.chars[self.at..].starts_with(name) {
            self.at += name.len();
            atom.reach = MoveAtom::SLIDE;
        }
        let digits = self.chars[self.at..].iter().take_while(|c| c.is_ascii_digit()).count();
        if digits > 0 {
            let number: String = self.chars[self.at..self.at + digits].iter().collect();
            self.at += digits;
            // A number too large for the type also exceeds the board.
            atom.reach = match number.parse::<u8>().unwrap_or(MoveAtom::SLIDE) {
                0 => MoveAtom::SLIDE,
                range => range.min(MoveAtom::SLIDE),
            };
        }
        Ok(atom)
    }

    fn atom(&mut self) -> Result<Atom, BetzaError> {
        let start = self.at;
        let &letter =
            self.chars.get(start).ok_or_else(|| self.fault(start, "an atom such as W, F or N"))?;
        self.at += 1;
        if letter != '(' {
            return Atom::named(letter)
                .ok_or_else(|| self.fault(start, "an atom such as W, F or N"));
        }
        let length = self.chars[self.at..].iter().position(|&c| c == ')').unwrap_or(0);
        let inside: String = self.chars[self.at..self.at + length].iter().collect();
        let mut numbers = inside.split(',').map(|n| n.trim().parse::<i8>().ok());
        let leap = (numbers.next().flatten(), numbers.next().flatten(), numbers.next());
        let (Some(x @ 0..=7), Some(y @ 0..=7), None) = leap else {
            return Err(self.fault(start, "a leap (x,y) with 0 to 7 squares each way"));
        };
        if (x, y) == (0, 0) {
            return Err(self.fault(start, "a leap that leaves its square"));
        }
        self.at += length + 1;
        Ok(Atom::leaper((x, y)))
    }
}

/// Describes a modifier that the pieces of this program cannot have.
fn unsupported(letter: char) -> &'static str {
    match letter {
        'n' => "no lame leap (n): pieces leap, or ride over empty squares",
        'p' | 'g' => "no hopper (p, g): pieces leap, or ride over empty squares",
        'j' => "no jump over the first square (j)",
        'i' => "no initial move (i): a piece moves alike wherever it stands",
        'a' | 'y' => "no move of several legs (a, y)",
        'd' | 't' => "no capture of own pieces (d) and no test of the hurdle (t)",
        'e' => "no capture en passant (e): only the pawn P has it",
        'o' => "no board without edges (o)",
        _ => "one of the modifiers f b l r v s h m c",
    }
}
