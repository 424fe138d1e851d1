//! Castling rights of orthodox kings and rooks.

use umbrail_chess::geometry::{Color, Square};

/// Castling rights as a set: bits 1 and 2 are White's short and long one, 4 and 8 Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rights(u8);

impl Rights {
    /// Empty set of rights.
    pub(crate) const NONE: Self = Self(0);
    const ALL: [(char, Color, Square, Square); 4] = [
        ('K', Color::White, Square::E1, Square::H1),
        ('Q', Color::White, Square::E1, Square::A1),
        ('k', Color::Black, Square::E8, Square::H8),
        ('q', Color::Black, Square::E8, Square::A8),
    ];

    /// Parses a FEN field of `KQkq`, of the rooks' files (`HAha`), or `-`; none for anything else.
    pub(crate) fn read(field: &str) -> Option<Self> {
        let mut set = 0;
        if field != "-" {
            for letter in field.chars() {
                let usual = match letter {
                    'H' => 'K',
                    'A' => 'Q',
                    'h' => 'k',
                    'a' => 'q',
                    other => other,
                };
                let at = Self::ALL.iter().position(|r| r.0 == usual)?;
                set |= 1 << at;
            }
        }
        Some(Self(set))
    }

    /// Returns true when there is no right.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns color, king's square and rook's square of each right.
    pub(crate) fn each(self) -> impl Iterator<Item = (Color, Square, Square)> {
        let held = move |(at, _): &(usize, &(char, Color, Square, Square))| self.0 >> at & 1 != 0;
        Self::ALL.iter().enumerate().filter(held).map(|(_, &(_, c, k, r))| (c, k, r))
    }

    /// Returns the remaining rights after a move from or to these squares.
    pub(crate) fn after(self, from: Square, to: Square) -> Self {
        let mut left = self.0;
        for (at, &(_, _, king, rook)) in Self::ALL.iter().enumerate() {
            if [from, to].contains(&king) || [from, to].contains(&rook) {
                left &= !(1 << at);
            }
        }
        Self(left)
    }

    /// Returns the FEN field.
    pub(crate) fn field(self) -> String {
        if self.is_empty() {
            return "-".to_owned();
        }
        let held = |(at, r): (usize, &(char, Color, Square, Square))| {
            (self.0 >> at & 1 != 0).then_some(r.0)
        };
        Self::ALL.iter().enumerate().filter_map(held).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Rights;

    #[test]
    fn both_manners_of_letters_are_read() {
        for (field, usual) in [("KQkq", "KQkq"), ("HAha", "KQkq"), ("Ah", "Qk"), ("-", "-")] {
            assert_eq!(Rights::read(field).map(Rights::field).as_deref(), Some(usual), "{field}");
        }
        assert_eq!(Rights::read("F"), None);
    }
}
