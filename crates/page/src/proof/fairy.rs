//! Fairy conditions and pieces, each with a sentence, as the editor lists them.

use super::super::work::ProofRequest;
use maud::{Markup, html};
use umbrail_report::drawing::Figure;

/// Conditions by family. Each has a name, as `--condition` reads it, and its meaning.
const CONDITIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "Rebirth",
        &[
            ("Circe", "a captured piece returns to its home square if that is empty"),
            ("Circe RexInclusive", "Circe in which kings are reborn, too"),
            (
                "MirrorCirce",
                "a captured piece returns to the home square of the other side's piece",
            ),
            ("PWC", "a captured piece is put on the square that the capturer left"),
            ("CouscousCirce", "a captured piece returns to the home square of its capturer"),
            ("Circe Assassin", "Circe; a piece on the home square disappears"),
            (
                "Circe Parrain",
                "a captured piece returns after the next move, moved by that move's vector",
            ),
            ("Circe Cage", "a captured piece is put on a square where it cannot move"),
            ("DangerCirce", "an attacked piece may move to its home square"),
            ("AntiCirce", "a capturing piece goes to its home square, which must be empty"),
            ("AntiCirce Cheylan", "Anticirce without captures on the own home square"),
        ],
    ),
    (
        "Moves and captures",
        &[
            ("MonochromChess", "moves stay on the color of their square"),
            ("BichromChess", "moves change the color of their square"),
            ("GridChess", "each move leaves its cell of two by two squares"),
            ("KoeKo", "a piece that moves must touch another piece afterwards"),
            (
                "AlphabeticChess",
                "the piece on the first square, by a1, a2 … h8, that can move must move",
            ),
            ("DuellistChess", "the piece that moved last moves again as long as it can"),
            ("FuddledMen", "a piece does not move twice in succession"),
            ("BackHome", "a side that can move a piece back to its first square must do so"),
            ("LosingChess", "captures are compulsory, and kings are ordinary pieces"),
            ("WhiteMustCapture", "White captures if possible; BlackMustCapture for Black"),
            ("NoCapture", "there are no captures"),
            ("Lortap", "a piece that its own side guards does not capture"),
            ("MultiCaptures", "a piece is captured only if two pieces could capture it"),
            ("Make&TakeChess", "a capture begins with a move in the manner of the captured piece"),
            (
                "Take&MakeChess",
                "a capture continues with a move in the manner of the captured piece",
            ),
            (
                "Breton",
                "with a captured piece, a piece of this kind of the capturing side vanishes, too",
            ),
        ],
    ),
    (
        "Attack and check",
        &[
            ("Madrasi", "pieces of a kind that attack each other are paralyzed"),
            ("Isardam", "pieces of a kind may not attack each other"),
            ("TransmissionMenace", "an attacked piece also moves as its attackers do"),
            ("AnnanChess", "a piece moves as the piece of its side behind it"),
            ("NannaChess", "a piece moves as the piece of its side in front of it"),
            ("FaceToFace", "a piece moves as the enemy's piece in front of it"),
            ("ChecklessChess", "only mates give check"),
            ("VogtlaenderChess", "a side is in check if it attacks the other king"),
            ("ExtinctionChess", "the last piece of each kind is royal"),
            ("TransmutedKings", "a king in check moves only as the pieces that attack it"),
        ],
    ),
    (
        "Colors and kinds",
        &[
            ("AndernachChess", "a capturing piece changes its color"),
            ("AntiAndernachChess", "a piece that moves without a capture changes its color"),
            ("Tibet", "a black piece that captures one of another kind becomes white"),
            ("Masand", "a piece that gives check changes the color of all pieces that it observes"),
            (
                "Hypervolage",
                "a piece changes its color when it moves to the other color of squares",
            ),
            ("EinsteinChess", "pieces become weaker by a move and stronger by a capture"),
            (
                "ChameleonChess",
                "a piece becomes the next of queen, knight, bishop, rook with each move",
            ),
            ("NorskSjakk", "queens and knights, rooks and bishops change with each move"),
            ("Influencer", "a piece that moved turns adjacent enemy pieces into pawns"),
        ],
    ),
    (
        "Board and array",
        &[
            ("Hole e4", "the listed squares do not exist"),
            ("Wormholes a3h6", "a piece that moves to one of the squares moves on to another one"),
            ("Imitator e4", "a neutral block repeats each move's vector"),
            ("Leofamily", "leo, pao, vao and mao in place of queen, rook, bishop and knight"),
            ("MarineChess", "pieces that capture as locusts do"),
        ],
    ),
];

/// Fairy pieces of the list, each with a letter, its name and its moves.
const PIECES: &[(char, &str, &str)] = &[
    ('G', "grasshopper", "over one piece on a queen's line, to the square behind it"),
    ('H', "nightrider", "knight's moves in one direction, as far as the squares are empty"),
    ('A', "princess", "bishop and knight"),
    ('C', "empress", "rook and knight"),
    ('M', "amazon", "queen and knight"),
    ('L', "camel", "leaps of three squares and one"),
    ('Z', "zebra", "leaps of three squares and two"),
    ('W', "wazir", "one square as a rook"),
    ('F', "fers", "one square as a bishop"),
    ('X', "leo", "moves as a queen, captures over one piece"),
];

/// Figures of pieces that Popeye names in its own way.
const FIGURES: &[(&str, &str)] = &[
    ("fers", "ferz"),
    ("princess", "archbishop"),
    ("empress", "chancellor"),
    ("grashopper", "grasshopper"),
];

/// Returns the letters of a problem, in upper case, with the names of their pieces.
pub(super) fn letters(wish: &ProofRequest) -> Vec<(char, String)> {
    let letter = |text: String| {
        let (letter, name) = text.split_once('=')?;
        let letter = letter.trim().chars().next().filter(char::is_ascii_alphabetic)?;
        Some((letter.to_ascii_uppercase(), name.trim().to_ascii_lowercase()))
    };
    wish.piece_list().filter_map(letter).collect()
}

/// Returns the figures of the letters of a problem.
pub(super) fn figures(wish: &ProofRequest) -> Vec<(char, Figure)> {
    let figure = |(letter, name): (char, String)| {
        let known = FIGURES.iter().find(|(other, _)| *other == name);
        let figure = Figure::named(known.map_or(&*name, |(_, own)| own));
        (letter, figure.unwrap_or(Figure::LETTER))
    };
    letters(wish).into_iter().map(figure).collect()
}

/// Writes the fields and lists. With a script, a click adds a condition or a piece to its field.
pub(super) fn fields(wish: &ProofRequest) -> Markup {
    html! {
        details #fairy open[wish.is_fairy()] {
            summary { "Fairy chess and other starts" }
            label { "Fairy conditions" input name="rules" value=(wish.rules) placeholder="Circe RexInclusive; GridChess" spellcheck="false" autocomplete="off"; }
            details {
                summary { "The conditions" }
                p.hint { "Names are those of Popeye. Several are separated by semicolons. The " a href="/help/proof#fairy-conditions" { "guide" } " lists all of them." }
                @for (family, conditions) in CONDITIONS {
                    h2 { (family) }
                    ul.marklist {
                        @for (name, meaning) in *conditions {
                            li { button.mono.small type="button" data-to="rules" data-add=(name) { (name) } " " (meaning) }
                        }
                    }
                }
            }
            label { "Fairy pieces" input name="pieces" value=(wish.pieces) placeholder="G=grasshopper; H=nightrider" spellcheck="false" autocomplete="off"; }
            details {
                summary { "The pieces" }
                p.hint { "Pawns promote to these pieces, too. In the diagram they are letters: " span.mono { "G" } " for White, " span.mono { "g" } " for Black. With a script, they can be typed on the board." }
                ul.marklist {
                    @for (letter, name, moves) in PIECES {
                        li { button.mono.small type="button" data-to="pieces" data-add=(format!("{letter}={name}")) { (letter) "=" (name) } " " (moves) }
                    }
                }
            }
            label { "First position (FEN with the side to move)" input name="start" value=(wish.start) placeholder="the initial position" spellcheck="false" autocomplete="off"; }
            label.check { input type="checkbox" name="series" value="on" checked[!wish.series.is_empty()]; " Series: the side to move makes all moves" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CONDITIONS, PIECES, figures};
    use crate::work::ProofRequest;
    use umbrail_proof::Length;
    use umbrail_proof::positions::{ConditionName, FairyProblem, FairyStart, PieceName, Turns};

    #[test]
    fn every_condition_and_piece_is_supported() {
        let names = CONDITIONS.iter().flat_map(|(_, list)| list.iter());
        for (name, _) in names {
            let condition = ConditionName::read(name).unwrap_or_else(|why| panic!("{name}: {why}"));
            let problem = FairyProblem {
                start: FairyStart::ARRAY,
                target: vec![],
                states_boards: false,
                imitator_end: None,
                plies: 1,
                length: Length::Exact,
                turns: Turns::Alternating,
                conditions: vec![condition],
                pieces: vec![],
                letters: vec![],
                uncolored: false,
                added: vec![],
            };
            problem.check().unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        for (letter, name, _) in PIECES {
            assert!(PieceName::named(name).is_some(), "{name}");
            assert!(!"KQRBNPS".contains(*letter), "{name}");
        }
    }

    #[test]
    fn pieces_with_a_picture_have_it() {
        let wish = ProofRequest {
            pieces: "G=grasshopper; c = Empress;X=leo".into(),
            ..ProofRequest::default()
        };
        let figures = figures(&wish);
        let text: Vec<String> =
            figures.iter().map(|(letter, figure)| format!("{letter}:{figure}")).collect();
        assert_eq!(text, ["G:Q,180,", "C:R,0,N", "X:,0,"]);
    }
}
