//! Boards with fairy pieces, as the first field of a FEN.

use super::fairy_problem::{PieceName, PlacedMan};
use umbrail_chess::geometry::Setup;

/// Letters that mean an orthodox piece; S is a knight in many problems.
const ORTHODOX: &str = "KQRBNPS";

/// Writes the boards of a game as placements. A fairy piece has the letter that the problem gives it, or else the
/// first free letter, those of its name first. Boards of Alice Chess are not distinguished.
pub fn placements(boards: &[Vec<PlacedMan>], letters: &[(char, PieceName)]) -> Vec<String> {
    let mut known = letters.to_vec();
    let mut letter_of = |piece: PieceName| {
        if let Some((letter, _)) = known.iter().find(|(_, other)| *other == piece) {
            return *letter;
        }
        let letter = match piece {
            PieceName::Standard(role) => role.letter(),
            PieceName::Fairy(name) => {
                let is_free = |letter: &char| {
                    let taken = known.iter().any(|(other, _)| other.eq_ignore_ascii_case(letter));
                    !taken && !ORTHODOX.contains(*letter)
                };
                let of_name = name.chars().filter(char::is_ascii_alphabetic);
                let mut offered = of_name.map(|c| c.to_ascii_uppercase()).chain('A'..='Z');
                offered.find(is_free).unwrap_or('X')
            }
        };
        known.push((letter, piece));
        letter
    };
    let written = |men: &Vec<PlacedMan>| {
        let mut setup = Setup::default();
        setup.clear_board();
        for man in men {
            setup.put(man.square, man.color, letter_of(man.piece));
        }
        setup.placement()
    };
    boards.iter().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::men_of;

    #[test]
    fn boards_have_the_letters_of_the_problem_or_free_ones() {
        let names = |word: &str| PieceName::named(word).unwrap();
        let given = [('G', names("grasshopper")), ('N', names("nightrider"))];
        let text = "4k3/2g5/8/3N4/8/8/8/4K1G1";
        let setup: Setup = text.parse().unwrap();
        let men = men_of(&setup, &given, Default::default()).unwrap();
        assert_eq!(placements(&[men.clone()], &given), [text]);
        // Without letters, pieces take free ones of their names, the same on all boards.
        let unnamed = placements(&[men.clone(), men], &[]);
        assert_eq!(unnamed[0], "4k3/2g5/8/3I4/8/8/8/4K1G1");
        assert_eq!(unnamed[0], unnamed[1]);
    }
}
