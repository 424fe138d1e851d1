//! Betza's notation for piece movement, as XBoard 4.9 reads it in its `piece` command and the
//! Interactive Diagram of chessvariants.com on its pages: everything that needs no memory of the
//! game.
//!
//! Accepted:
//! - atoms `W F D N A H C J Z L G` and the compounds `B R Q K`, or `(x,y)` for any leap;
//!   `C` and `J` are both the camel, `Z` and `L` both the zebra;
//! - a repeated atom (`NN`, `WW`) for a rider, a number for a limited range (`W3`), `0` for an
//!   unlimited one;
//! - directions `f b l r v s h` in front of an atom (`directions`);
//! - `m` moves only, `c` captures only; without either, or with both, a step does both;
//! - the modes `p g n j o z q`, and moves of several legs, with `a y t` (`legs`).
//!
//! Deviations from XBoard; XBoard reads these texts differently:
//! - `m` and `c` may precede the directions, as in Betza's `mfW`; XBoard ignores directions after
//!   them.
//! - A repeated atom is a rider, as in Betza's first notation. XBoard reads `NN` as `N`.
//! - Modes may come in any order; XBoard 4.9 ignores one that is out of order.
//! - XBoard has no `(x,y)`, `z` or `q`.
//!
//! [`write`] uses only the last of these; `write_for_xboard` has no text for such a move. Modifiers
//! and atoms that need more than the placement are refused by name. The letter `P` of the piece set
//! is the pawn.

mod directions;
mod legs;
mod prefixes;
#[cfg(test)]
mod tests;
mod write;
mod write_legs;

use self::directions::AtomShape;
use super::expand::is_bounded;
use super::movement::MoveAtom;
use super::moves::Movement;
use legs::LegText;
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

/// Parses a movement; the moves are sorted.
///
/// # Errors
/// [`BetzaError`] with the part that was not recognized.
pub(crate) fn read(text: &str) -> Result<Movement, BetzaError> {
    let mut reader = Reader { chars: text.trim().chars().collect(), at: 0 };
    let mut movement = Movement::default();
    while reader.at < reader.chars.len() {
        reader.group(&mut movement)?;
    }
    if movement == Movement::default() {
        return Err(reader.fault(0, "a movement such as WD or fmWfcF"));
    }
    let movement = movement.tidy();
    if !is_bounded(&movement.bent) {
        return Err(reader.fault(0, "a movement with fewer ways: its legs branch too often"));
    }
    Ok(movement)
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
    fn group(&mut self, movement: &mut Movement) -> Result<(), BetzaError> {
        let mut legs = vec![LegText::default()];
        while let Some(&letter) = self.chars.get(self.at).filter(|c| c.is_ascii_lowercase()) {
            match letter {
                'a' => legs.push(LegText { start: self.at + 1, ..LegText::default() }),
                'f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h' | 'm' | 'c' | 'p' | 'g' | 'n' | 'j'
                | 'o' | 'z' | 'q' | 'y' | 't' => {
                    if let Some(leg) = legs.last_mut() {
                        leg.letters.push((self.at, letter));
                    }
                }
                _ => return Err(self.fault(self.at, unsupported(letter))),
            }
            self.at += 1;
        }
        let atom = self.ranged_atom()?;
        match legs.as_slice() {
            [leg] if leg.is_simple() => {
                let set = self.directions(leg, atom.shape)?;
                let (quiet, capture) = leg.uses(true);
                movement.steps.extend(atom.shape.steps(atom.leap, set).map(|(dx, dy)| MoveAtom {
                    dx,
                    dy,
                    reach: atom.reach,
                    capture,
                    quiet,
                }));
            }
            _ => movement.bent.extend(self.bent(&legs, atom)?),
        }
        Ok(())
    }

    /// Returns the directions of a leg.
    fn directions(
        &self,
        leg: &LegText,
        shape: AtomShape,
    ) -> Result<directions::DirectionSet, BetzaError> {
        let letters = leg.directions();
        let ways: Vec<char> = letters.iter().map(|(_, letter)| *letter).collect();
        directions::read(&ways, shape).map_err(|fault| {
            let at = letters.get(fault.letter).map_or(self.at, |(at, _)| *at);
            self.fault(at, fault.expected)
        })
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
            return Atom::named(letter).ok_or_else(|| self.fault(start, expected_atom(letter)));
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
        'i' => "no initial move (i): a piece moves alike wherever it stands",
        'd' => "no capture of own pieces (d)",
        'e' => "no capture en passant (e): only the pawn P has it",
        'u' => "no move that puts the captured piece back (u)",
        'x' => "no move of another piece (x)",
        _ => "one of the modifiers f b l r v s h m c p g n j o z q a y t",
    }
}

/// Describes the atom expected in place of this letter.
fn expected_atom(letter: char) -> &'static str {
    match letter {
        'O' => "an atom that needs no memory of the game: castling (O) does",
        'I' => "an atom that moves its own piece: I exchanges two pieces",
        'U' => "an atom with a direction: U goes to every square",
        'X' | 'Y' => {
            "a leap such as (1,3): X and Y lengthen the atom before them only in the Diagram"
        }
        '[' => "the notation with a (again), such as FyafsF: brackets are only the Diagram's",
        _ => "an atom such as W, F or N",
    }
}
