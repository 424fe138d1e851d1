//! Translation of related kinds of puzzles to stenos.
//!
//! - *HAP* (M. Tilford 2006): `H` a human move (not of pawn, knight or rook), `A` an animal's, `P`
//!   a pawn's; `xP`, `xA`, `xH` captures of these; `0` castling; `P=A` promotion to a knight, `P=H`
//!   to an officer other than a knight or rook; `+`, `#`. Here a human is king, queen or bishop, an
//!   animal the knight (horse) or the rook (elephant), as in the published problems.
//! - *CCC* (N. Petrov 1987): `~` neither capture, castling nor check; `x` capture, `o`, `O`
//!   castling, each followed by `+` or `#` if it checks or mates.
//! - *Mushikui* (M.-T. Tsai 2011): the length of each move's notation: the vocabulary
//!   [`Vocabulary::Length`](super::Vocabulary::Length), which needs no translation.

/// A word that is unknown in a genre.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("word {number}, '{word}': expected {expected}")]
pub struct GenreError {
    /// The word.
    pub word: String,
    /// Number of the word, from 1.
    pub number: usize,
    /// Expected input.
    pub expected: &'static str,
}

fn translate(
    text: &str,
    expected: &'static str,
    word: impl Fn(&str) -> Option<String>,
) -> Result<String, GenreError> {
    let one = |(at, text): (usize, &str)| {
        let error = || GenreError { word: text.to_owned(), number: at + 1, expected };
        word(text).ok_or_else(error)
    };
    let turns: Result<Vec<String>, GenreError> =
        text.split_whitespace().enumerate().map(one).collect();
    Ok(turns?.join(" "))
}

/// Translates a HAP string, with words separated by blanks, to an Extended steno.
///
/// # Errors
/// Returns the first word that is not part of HAP.
pub fn hap(text: &str) -> Result<String, GenreError> {
    translate(text, "a word such as P, HxP, 0, P=A+ or A#", |word| {
        let (word, sign) = split_sign(word);
        let ending = match sign {
            Some('+') => "&+!#",
            Some(_) => "&#",
            None => "!+",
        };
        if word == "0" {
            return Some(format!("0{ending}"));
        }
        let (mover, victim) = match word.split_once('x') {
            Some((mover, victim)) => (mover, Some(victim)),
            None => (word, None),
        };
        let (mover, victim) = match mover.split_once('=') {
            // HxP=... does not exist; PxH=A promotes while capturing.
            Some(("P", to)) => (promotion(to)?, victim),
            Some(_) => return None,
            None => match victim.and_then(|victim| victim.split_once('=')) {
                Some((victim, to)) if mover == "P" => (promotion(to)?, Some(victim)),
                Some(_) => return None,
                None => (moving(mover)?, victim),
            },
        };
        let (kind, condition) = match victim {
            None => ("&-", ""),
            Some("P") => ("&x", "[xp]"),
            Some("A") => ("&x", "[xr|xn]"),
            Some("H") => ("&x", "[xq|xb]"),
            Some(_) => return None,
        };
        Some(format!("{mover}{kind}{ending}{condition}"))
    })
}

fn moving(letter: &str) -> Option<&'static str> {
    Some(match letter {
        "P" => "P!p",
        "H" => "~!P!N!R!0",
        "h" => "~!P!N!R",
        "A" => "~!P!K!Q!B!0",
        "K" => "K!0",
        _ => return None,
    })
}

fn promotion(letter: &str) -> Option<&'static str> {
    Some(match letter {
        "A" => "P!q!l&p",
        "H" => "P!r!n&p",
        _ => return None,
    })
}

/// Translates a CCC string to an Extended steno.
///
/// # Errors
/// Returns the first word that is not part of CCC.
pub fn ccc(text: &str) -> Result<String, GenreError> {
    translate(text, "~, x, o or O, perhaps with + or #", |word| {
        let (word, sign) = split_sign(word);
        let head = match word {
            "~" => "-!0",
            "x" | "o" | "O" => word,
            _ => return None,
        };
        let ending = match sign {
            Some('+') => "&+",
            Some(_) => "&#",
            None => "!+",
        };
        Some(format!("{head}{ending}"))
    })
}

fn split_sign(word: &str) -> (&str, Option<char>) {
    match word.strip_suffix(['+', '#']) {
        Some(bare) => (bare, word.chars().last()),
        None => (word, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{ccc, hap};
    use crate::{Steno, Vocabulary};

    #[test]
    fn words_become_turns() {
        assert_eq!(hap("P HxP").as_deref(), Ok("P!p&-!+ ~!P!N!R!0&x!+[xp]"));
        assert_eq!(hap("0 P=A+").as_deref(), Ok("0!+ P!q!l&p&-&+!#"));
        assert_eq!(ccc("~ x+ o #").unwrap_err().word, "#");
        assert_eq!(ccc("~ x+ o").as_deref(), Ok("-!0!+ x&+ o!+"));
        for text in [hap("A P PxH=A# h K").unwrap(), ccc("~# O x").unwrap()] {
            assert!(Steno::parse(&text, Vocabulary::Extended).is_ok(), "{text}");
        }
        assert_eq!(hap("P Q").unwrap_err().to_string().split(':').next(), Some("word 2, 'Q'"));
    }
}
