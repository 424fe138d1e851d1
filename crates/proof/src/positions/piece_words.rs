//! Names and letters of pieces in messages and files.

use super::fairy::piece_of;
use super::fairy_problem::PieceName;
use super::names::{listed_pieces, nearest_of};
use umbrail_chess::Role;

/// Returns the English letters of a fairy piece.
pub(crate) fn letters_of_piece(name: &str) -> Option<&'static str> {
    piece_of(name).map(|piece| piece.letters[2])
}

impl PieceName {
    /// Returns the name of the piece in English.
    pub fn word(self) -> String {
        match self {
            Self::Standard(role) => format!("{role:?}").to_lowercase(),
            Self::Fairy(name) => name.to_owned(),
            Self::Any => "piece of any kind".to_owned(),
            Self::Anything => "piece of any kind and color".to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_piece_has_its_neighbors() {
        let unknown = PieceName::unknown("grashoper");
        assert_eq!(unknown, "the piece grashoper is not known, did you mean grasshopper?");
    }
}
