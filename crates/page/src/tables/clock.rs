//! Counters of a FEN: the half-move clock, which a capture or a pawn move sets to 0, and the number of
//! the move.

/// Returns the half-moves since the last capture or pawn move, as the FEN states them.
pub(super) fn clock(fen: &str) -> u32 {
    fen.split_whitespace().nth(4).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Returns the number of pieces of a placement, and their squares and letters.
fn pieces(fen: &str) -> (usize, Vec<(usize, char)>) {
    let mut square = 0;
    let mut found = vec![];
    for letter in fen.split_whitespace().next().unwrap_or("").chars() {
        match letter.to_digit(10) {
            Some(blank) => square += blank as usize,
            None if letter == '/' => {}
            None => {
                found.push((square, letter));
                square += 1;
            }
        }
    }
    (found.len(), found)
}

/// Returns the FEN after a move, with counters derived from the FEN before it.
pub(super) fn ticked(before: &str, after: &str) -> String {
    let ((count_before, pieces_before), (count_after, pieces_after)) =
        (pieces(before), pieces(after));
    let pawns = |all: &[(usize, char)]| -> Vec<(usize, char)> {
        all.iter().copied().filter(|(_, letter)| letter.eq_ignore_ascii_case(&'p')).collect()
    };
    let zeroed = count_after < count_before || pawns(&pieces_before) != pawns(&pieces_after);
    let clock = if zeroed { 0 } else { clock(before) + 1 };
    let mut fields: Vec<String> = after.split_whitespace().map(str::to_owned).collect();
    if let Some(field) = fields.get_mut(4) {
        *field = clock.to_string();
    }
    let mut words = before.split_whitespace();
    let is_black = words.nth(1) == Some("b");
    let number: u32 = words.nth(3).and_then(|text| text.parse().ok()).unwrap_or(1);
    if let Some(field) = fields.get_mut(5) {
        *field = number.saturating_add(u32::from(is_black)).to_string();
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{clock, ticked};

    #[test]
    fn captures_and_pawns_set_the_clock_to_zero() {
        let before = "8/8/8/3k4/3r4/8/P7/KQ6 w - - 17 40";
        let quiet = "8/8/8/3k4/3r4/8/P7/K1Q5 b - - 0 1";
        assert_eq!(ticked(before, quiet), "8/8/8/3k4/3r4/8/P7/K1Q5 b - - 18 40");
        let black = "8/8/8/3k4/3r4/8/P7/KQ6 b - - 17 40";
        assert!(ticked(black, "8/8/8/4k3/3r4/8/P7/KQ6 w - - 0 1").ends_with(" w - - 18 41"));
        let pawn = "8/8/8/3k4/3r4/P7/8/KQ6 b - - 0 1";
        assert_eq!(clock(&ticked(before, pawn)), 0);
        let capture = "8/8/8/3k4/3Q4/8/P7/K7 b - - 0 1";
        assert_eq!(clock(&ticked(before, capture)), 0);
        assert_eq!((clock("8/8 w"), clock(before)), (0, 17));
        assert_eq!(ticked(before, "8/8 b"), "8/8 b");
    }
}
