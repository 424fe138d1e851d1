//! Pictures of the pieces of an endgame.

use super::definitions::read;
use umbrail_report::drawing::Figure;
use umbrail_tables::fairy::PieceSet;

/// Returns the figures of the letters of an endgame that are not orthodox pieces: by the moves of
/// the piece, and its letter for a piece without a picture.
pub(super) fn figures(endgame: &str, set: &PieceSet) -> Vec<(char, Figure)> {
    let mut letters: Vec<char> = endgame.chars().filter(char::is_ascii_uppercase).collect();
    letters.sort_unstable();
    letters.dedup();
    let usual = PieceSet::default();
    let is_usual = |letter: char| {
        let [here, there] = [set, &usual].map(|set| set.get(letter));
        "KQRBNP".contains(letter)
            && here.zip(there).is_some_and(|(here, there)| here.moves_like(there))
    };
    letters.retain(|letter| !is_usual(*letter));
    let figure = |letter: char| {
        let name = set.get(letter).and_then(|piece| piece.common_name());
        (letter, name.and_then(Figure::named).unwrap_or(Figure::LETTER))
    };
    letters.into_iter().map(figure).collect()
}

/// Returns the figures of an endgame whose pieces are defined by these lines.
pub(super) fn figures_of(endgame: &str, definitions: &str) -> Vec<(char, Figure)> {
    figures(endgame, &read(definitions).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::figures_of;
    use umbrail_report::drawing::Figure;

    #[test]
    fn letters_have_the_figures_of_their_moves() {
        let named = |name| Figure::named(name).unwrap();
        assert!(figures_of("KQP.KR", "").is_empty());
        assert_eq!(
            figures_of("KA.KH", ""),
            [('A', named("archbishop")), ('H', named("nightrider"))]
        );
        let own = figures_of("KN.KXV", "N = C\nX = (2,5)\nV = RN");
        assert_eq!(own, [('N', named("camel")), ('V', named("chancellor")), ('X', Figure::LETTER)]);
    }
}
