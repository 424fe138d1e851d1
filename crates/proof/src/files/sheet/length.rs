//! The length of a problem, as problemists write it.

/// A number of half-moves: `65`, or in moves `32.5`, `32,5`, `17½`, `PG in 23.0`, `dia23.0`, `23.0 moves`,
/// `BP in 2,5 Zügen`. A
/// whole number counts half-moves when it stands alone, and moves behind words such as `PG in`.
pub fn length_of(text: &str) -> Option<u16> {
    let halved = with_decimal_half(text);
    let text = halved.as_deref().unwrap_or(text).trim().trim_end_matches('.');
    if is_signed(text) {
        return None;
    }
    let start = text.find(|symbol: char| symbol.is_ascii_digit())?;
    let (before, rest) = text.split_at(start);
    let end =
        rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    let before = before.trim().trim_end_matches('-').trim_end().to_lowercase();
    let known = |words: &str| {
        words.split([' ', '-', '_', ':', '(']).filter(|word| !word.is_empty()).all(|word| {
            matches!(
                word,
                "pg" | "spg"
                    | "bp"
                    | "pj"
                    | "in"
                    | "en"
                    | "dia"
                    | "exact"
                    | "proof"
                    | "game"
                    | "shortest"
                    | "length"
                    | "moves"
                    | "plies"
                    | "half"
                    | "halfmoves"
                    | "ply"
                    | "move"
                    | "zuege"
                    | "züge"
                    | "zügen"
                    | "zuegen"
                    | "coups"
            )
        })
    };
    let after = after.trim().to_lowercase();
    let after = after.trim_end_matches([')', '.', '!', '?']);
    if !known(&before) || !known(after) {
        return None;
    }
    let plies = match number.split_once(['.', ',']) {
        // `1.50` is 1.5.
        Some((moves, fraction)) => {
            let half = match fraction.trim_end_matches('0') {
                "" if !fraction.is_empty() => 0,
                "5" => 1,
                _ => return None,
            };
            moves.parse::<u16>().ok()?.checked_mul(2)?.checked_add(half)?
        }
        None => {
            let whole = number.parse::<u16>().ok()?;
            let halves = before.is_empty() || before == "length" || before == "plies";
            if halves && !after.starts_with("move") { whole } else { whole.checked_mul(2)? }
        }
    };
    Some(plies)
}

/// The text with `17½` and `17 1/2` written as `17.5`; none without such a half.
fn with_decimal_half(text: &str) -> Option<String> {
    let half = ["½", " 1/2"].into_iter().find_map(|half| Some((text.find(half)?, half)));
    let (at, half) = half?;
    let (before, after) = (text[..at].trim_end(), &text[at + half.len()..]);
    let digits = before.trim_end_matches(|symbol: char| symbol.is_ascii_digit());
    // `2.17½` is no length, and neither is `½` alone.
    let whole = digits.len() < before.len() && !digits.ends_with(['.', ',', '/']);
    whole.then(|| format!("{before}.5{after}"))
}

/// Whether a number has a minus, which is no dash behind a word such as `dia-6.5`.
fn is_signed(text: &str) -> bool {
    let Some(start) = text.find(|symbol: char| symbol.is_ascii_digit()) else { return false };
    let before = text[..start].trim_end();
    let adjacent = before.len() == start;
    before
        .strip_suffix(['-', '\u{2212}'])
        .is_some_and(|word| word.is_empty() || adjacent && word.ends_with(char::is_whitespace))
}
