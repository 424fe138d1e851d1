//! A board on which games can be stepped through, move by move.

use maud::{Markup, PreEscaped, Render, html};
use umbrail_chess::geometry::{Setup, Square};
use umbrail_chess::{Position, parse_uci};
use umbrail_report::drawing::{Board, Figure};

/// Writes the board with its buttons, which are hidden as long as there is no game. The board shows
/// this diagram until a move is chosen.
pub(super) fn stepper(fen: &str, figures: &[(char, Figure)], has_game: bool) -> Markup {
    let board = Board { placement: fen, figures, ..Board::default() }.to_string();
    let steps = [
        ("first", "To the beginning", "«"),
        ("back", "A move back", "‹"),
        ("on", "A move on", "›"),
        ("last", "To the end", "»"),
    ];
    html! {
        div.side {
            div.editor.stepper #board tabindex="0" role="group" aria-label="Diagram; the arrow keys step through the game" data-fen=(fen) {
                (PreEscaped(board))
            }
            div.controls.scripted.steps hidden[!has_game] {
                @for (step, name, sign) in steps {
                    button type="button" data-step=(step) aria-label=(name) title=(name) { (sign) }
                }
            }
            p.status aria-live="polite" #status {}
        }
    }
}

/// Formats moves in standard notation with their numbers: `1.e4 e5 2.Nf3`.
pub(super) fn numbered(moves: &[String]) -> String {
    let one = |(ply, san): (usize, &String)| match ply % 2 {
        0 => format!("{}.{san}", ply / 2 + 1),
        _ => san.clone(),
    };
    moves.iter().enumerate().map(one).collect::<Vec<_>>().join(" ")
}

/// A game from the initial position.
#[derive(Default)]
pub(super) struct StepGame<'a> {
    /// Moves in standard notation.
    pub(super) moves: &'a [String],
    /// Moves in coordinates.
    pub(super) uci: &'a [String],
    /// Placements before the first move and after each move, where the moves alone do not determine them.
    pub(super) boards: &'a [String],
    /// Number of the strategy; empty for none.
    pub(super) number: &'a str,
    /// Marks under the moves, if there are any.
    pub(super) marks: &'a [String],
    /// Note on the game; empty for none.
    pub(super) note: &'a str,
    /// Another game of this strategy, in coordinates; moves that differ from it are marked.
    pub(super) other: Option<&'a [String]>,
}

/// Returns, for each move of a game, whether it differs from the move of another game at that
/// index.
fn differing(game: &[String], other: &[String]) -> Vec<bool> {
    game.iter().enumerate().map(|(ply, text)| other.get(ply) != Some(text)).collect()
}

impl Render for StepGame<'_> {
    fn render(&self) -> Markup {
        let (boards, squares) = match self.boards {
            [] => boards(self.uci).unwrap_or_default(),
            given => (
                given.join(","),
                given.windows(2).map(|two| changed(&two[0], &two[1])).collect::<Vec<_>>().join(","),
            ),
        };
        let differs = self.other.map(|other| differing(self.uci, other));
        let differs = |ply: usize| differs.as_ref().is_some_and(|all| all.get(ply) == Some(&true));
        html! {
            section.game data-boards=(boards) data-moves=(squares) data-number=(self.number) {
                p.moves {
                    @for (ply, text) in self.moves.iter().enumerate() {
                        @if ply % 2 == 0 { span.number { (ply / 2 + 1) ". " } }
                        button.differs[differs(ply)] type="button" data-ply=(ply + 1) data-san=(text) {
                            (text)
                            @if let Some(mark) = self.marks.get(ply) { small.mono { (mark) } }
                        }
                        " "
                    }
                }
                @if !self.note.is_empty() { p.hint { (self.note) } }
            }
        }
    }
}

/// Returns the squares on which two placements differ, one after another.
fn changed(before: &str, after: &str) -> String {
    let [before, after] = [before, after].map(|text| text.parse::<Setup>().unwrap_or_default());
    let differ = Square::all().filter(|square| before.piece(*square) != after.piece(*square));
    differ.map(|square| square.to_string()).collect()
}

/// Returns the placements of a game from the initial position, separated by commas, and the squares
/// of its moves.
fn boards(moves: &[String]) -> Option<(String, String)> {
    let mut position = Position::startpos();
    let placement = |position: &Position| {
        position.to_setup().to_string().split(' ').next().unwrap_or("").to_owned()
    };
    let mut boards = vec![placement(&position)];
    for text in moves {
        let mv = parse_uci(&position, text).ok()?;
        position = position.after(mv);
        boards.push(placement(&position));
    }
    Some((boards.join(","), moves.join(",")))
}

#[cfg(test)]
mod tests {
    use super::{boards, differing, numbered};

    fn texts<const N: usize>(moves: [&str; N]) -> [String; N] {
        moves.map(str::to_owned)
    }

    #[test]
    fn moves_are_numbered_by_pairs() {
        assert_eq!(numbered(&texts(["e4", "e5", "Nf3"])), "1.e4 e5 2.Nf3");
    }

    #[test]
    fn moves_that_differ_are_those_at_the_same_place() {
        let differ = differing(&texts(["e2e4", "e7e5", "g1f3"]), &texts(["e2e4", "e7e6"]));
        assert_eq!(differ, [false, true, true]);
    }

    #[test]
    fn squares_that_a_move_changes_are_marked() {
        let (before, after) = ("4k3/8/8/3p4/4P3/8/8/4K3", "4k3/3p4/8/3P4/8/8/8/4K3");
        assert_eq!(super::changed(before, after), "e4d5d7");
    }

    #[test]
    fn a_game_has_a_board_for_each_move_and_one_before() {
        let (boards, moves) = boards(&texts(["e2e4", "e7e5"])).unwrap();
        assert_eq!((boards.split(',').count(), moves.as_str()), (3, "e2e4,e7e5"));
        assert!(boards.ends_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"));
        assert!(super::boards(&texts(["e2e5"])).is_none());
    }
}
