//! Names and letters of pieces in messages and files.

use super::fairy::piece_of;
use super::fairy_problem::PieceName;
use super::names::{Language, listed_pieces, nearest_of, piece_named, piece_of_letters};
use umbrail_chess::Role;

/// Returns the English letters of a fairy piece.
pub(crate) fn letters_of_piece(name: &str) -> Option<&'static str> {
    piece_of(name).map(|piece| piece.letters[2])
}

impl PieceName {
    /// Returns the piece of an English name; case, spaces and hyphens do not matter. `neutral` may stand before it.
    /// `any` and `anything` leave open what stands on a square at the end.
    pub fn named(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "any" | "any piece" => return Some(Self::Any),
            "anything" => return Some(Self::Anything),
            other => {
                if let Some(base) = other.strip_prefix("neutral ") {
                    return Self::named(base)?.neutral();
                }
            }
        }
        let role =
            Role::ALL.into_iter().find(|role| format!("{role:?}").eq_ignore_ascii_case(name));
        role.map(Self::Standard).or_else(|| piece_named(name).map(|piece| Self::Fairy(piece.name)))
    }

    /// Returns the neutral piece of the same kind; `None` if there is none.
    pub fn neutral(self) -> Option<Self> {
        match self {
            Self::Standard(role) => Some(Self::Neutral(role)),
            Self::Fairy(name) => Some(Self::NeutralFairy(name)),
            _ => None,
        }
    }

    /// Returns true if both sides move and capture the piece.
    pub fn is_neutral(self) -> bool {
        matches!(self, Self::Neutral(_) | Self::NeutralFairy(_))
    }

    /// Reads `LETTER=NAME`, such as `G=grasshopper`.
    pub fn assigned(text: &str) -> Option<(char, Self)> {
        let (letter, name) = text.split_once('=')?;
        let mut letters = letter.trim().chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic)?;
        let piece = Self::named(name)?;
        letters.next().is_none().then_some((letter, piece))
    }

    /// Returns why a letter cannot get a meaning besides those that are given: it has another one.
    pub fn conflict(given: &[(char, Self)], (letter, piece): (char, Self)) -> Option<String> {
        let is_same = |known: &char| known.eq_ignore_ascii_case(&letter);
        let (_, other) = given.iter().find(|(known, other)| is_same(known) && *other != piece)?;
        Some(format!("{letter} cannot be both {} and {}", other.word(), piece.word()))
    }

    /// Returns the fairy piece that letters mean in a language.
    pub fn of_letters(letters: &str, language: Language) -> Option<Self> {
        piece_of_letters(letters, language).map(|piece| Self::Fairy(piece.name))
    }

    /// Returns the name of the piece in English.
    pub fn word(self) -> String {
        match self {
            Self::Standard(role) => format!("{role:?}").to_lowercase(),
            Self::Fairy(name) => name.to_owned(),
            Self::Any => "piece of any kind".to_owned(),
            Self::Anything => "piece of any kind and color".to_owned(),
            Self::Neutral(role) => format!("neutral {}", Self::Standard(role).word()),
            Self::NeutralFairy(name) => format!("neutral {name}"),
        }
    }

    /// Returns the message about a name that is no piece, with the nearest ones.
    pub fn unknown(name: &str) -> String {
        let chess = Role::ALL.map(|role| format!("{role:?}").to_lowercase());
        let others =
            listed_pieces().into_iter().flat_map(|one| [one.name, one.others[0], one.others[1]]);
        let others: Vec<&str> = others.collect();
        let names = others.iter().copied().chain(chess.iter().map(String::as_str));
        let nearest = nearest_of(name, names);
        match nearest.is_empty() {
            true => format!("the piece {name} is not known"),
            false => {
                format!("the piece {name} is not known, did you mean {}?", nearest.join(" or "))
            }
        }
    }
}

/// Letters that stand for neutral pieces, in the order in which they are given; none means a piece in any language.
pub(super) const NEUTRAL_LETTERS: [char; 9] = ['Z', 'Y', 'W', 'V', 'U', 'O', 'M', 'J', 'I'];

/// Replaces the sign `=` and the letter after it by a letter that means the neutral piece, and adds its meaning.
///
/// # Errors
/// The letter that is no piece, or for which no letter is left.
pub fn without_neutral_signs(
    fen: &str,
    letters: &mut Vec<(char, PieceName)>,
) -> Result<String, char> {
    let mut text = String::with_capacity(fen.len());
    let mut signs = fen.chars();
    while let Some(sign) = signs.next() {
        if sign != '=' {
            text.push(sign);
            continue;
        }
        let letter = signs.next().unwrap_or('=').to_ascii_uppercase();
        let given = letters.iter().find(|(known, _)| known.eq_ignore_ascii_case(&letter));
        let base = given.map(|(_, piece)| *piece);
        let base = base.or_else(|| {
            Role::from_letter(if letter == 'S' { 'N' } else { letter }).map(PieceName::Standard)
        });
        let piece = base.and_then(PieceName::neutral).ok_or(letter)?;
        let known = letters.iter().find(|(_, known)| *known == piece).map(|(letter, _)| *letter);
        let free = |letter: &char| !letters.iter().any(|(known, _)| known == letter);
        let free = known.or_else(|| NEUTRAL_LETTERS.into_iter().find(free)).ok_or(letter)?;
        if known.is_none() {
            letters.push((free, piece));
        }
        text.push(free);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_piece_has_its_neighbors() {
        let unknown = PieceName::unknown("grashoper");
        assert_eq!(unknown, "the piece grashoper is not known, did you mean grasshopper?");
    }

    #[test]
    fn neutral_pieces_have_names_and_letters() {
        let knight = PieceName::Neutral(Role::Knight);
        assert_eq!(PieceName::assigned("Z=neutral knight"), Some(('Z', knight)));
        let bishop = PieceName::Neutral(Role::Bishop);
        let conflict = |other: char| PieceName::conflict(&[('Z', knight)], (other, bishop));
        assert_eq!(
            conflict('z').as_deref(),
            Some("z cannot be both neutral knight and neutral bishop")
        );
        assert_eq!(conflict('Y'), None);
        assert_eq!(PieceName::conflict(&[('Z', knight)], ('Z', knight)), None);
        assert_eq!(
            PieceName::named("Neutral Grasshopper"),
            Some(PieceName::NeutralFairy("grasshopper"))
        );
        assert_eq!(PieceName::named(&knight.word()), Some(knight));
        assert_eq!(PieceName::named("neutral any"), None);
        let mut letters = vec![];
        let text = without_neutral_signs("=N7/8/8/8/8/8/1=b6/k1K4=n w", &mut letters).unwrap();
        assert_eq!(text, "Z7/8/8/8/8/8/1Y6/k1K4Z w");
        assert_eq!(letters, [('Z', knight), ('Y', bishop)]);
        assert_eq!(without_neutral_signs("=G7/8", &mut vec![]), Err('G'));
    }
}
