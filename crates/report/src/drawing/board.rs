//! Diagram as SVG.

use super::figure::Figure;
use std::fmt;

/// Side of a square, in the units of the drawing.
const SQUARE: usize = 100;

/// Arrow from the center of one square to that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow<'a> {
    /// Square at the tail, 0 for a1, 7 for h1, 63 for h8.
    pub from: u8,
    /// Square at the head.
    pub to: u8,
    /// Class for the color: `last`, `win`, `draw`, `loss` or another.
    pub class: &'a str,
}

/// Diagram; [`Display`](fmt::Display) writes it as one `svg` element that requires
/// [`symbols`](super::symbols) on the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Board<'a> {
    /// Placement field of a FEN; text after the first blank is ignored. A malformed placement is
    /// drawn as far as it can be read.
    pub placement: &'a str,
    /// Draws the board from Black's side.
    pub flipped: bool,
    /// Marked squares, each with a class.
    pub marked: &'a [(u8, &'a str)],
    /// Arrows, the last on top.
    pub arrows: &'a [Arrow<'a>],
    /// Figures of letters in upper case, in addition to those of the orthodox pieces or in place of
    /// them. They require [`fairy_symbols`](super::fairy_symbols) on the page.
    pub figures: &'a [(char, Figure)],
}

impl Board<'_> {
    /// Returns the pieces as text, for readers that do not see the drawing: `White Ka1 Qb1, Black Kd5 Rd4`.
    fn in_words(&self) -> String {
        let side = |name: &str, white: bool| {
            let mut of_side: Vec<(u8, char)> = pieces(self.placement)
                .filter(|(_, letter)| letter.is_uppercase() == white)
                .collect();
            let rank = |letter: char| {
                let letter = letter.to_ascii_uppercase();
                "KQRBN".find(letter).unwrap_or(if letter == 'P' { 6 } else { 5 })
            };
            of_side.sort_by_key(|(square, letter)| (rank(*letter), *square));
            let one = |(square, letter): (u8, char)| {
                let (file, rank) = (char::from(b'a' + square % 8), square / 8 + 1);
                format!(" {}{file}{rank}", letter.to_ascii_uppercase())
            };
            let list: String = of_side.into_iter().map(one).collect();
            (!list.is_empty()).then(|| format!("{name}{list}"))
        };
        let sides = [side("White", true), side("Black", false)];
        let sides: Vec<String> = sides.into_iter().flatten().collect();
        if sides.is_empty() { "empty board".to_owned() } else { sides.join(", ") }
    }

    /// Returns the upper left corner of a square in the drawing.
    fn corner(&self, square: u8) -> (usize, usize) {
        let (file, rank) = (usize::from(square % 8), usize::from(square / 8 % 8));
        let (x, y) = if self.flipped { (7 - file, rank) } else { (file, 7 - rank) };
        (x * SQUARE, y * SQUARE)
    }

    fn middle(&self, square: u8) -> (usize, usize) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2, y + SQUARE / 2)
    }
}

/// Returns the pieces of a placement with their squares.
fn pieces(placement: &str) -> impl Iterator<Item = (u8, char)> {
    let rows = placement.split(' ').next().unwrap_or("").split('/').take(8);
    rows.enumerate().flat_map(|(row, text)| {
        let mut file = 0;
        let place = move |letter: char| {
            if let Some(blank) = letter.to_digit(10) {
                file += blank as usize;
                return None;
            }
            let square = (file < 8).then(|| u8::try_from((7 - row) * 8 + file).ok()).flatten();
            file += 1;
            Some((square?, letter))
        };
        text.chars().filter_map(place).collect::<Vec<_>>()
    })
}

impl fmt::Display for Board<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = crate::escaped(&self.in_words());
        write!(f, r#"<svg class="board" viewBox="0 0 800 800" role="img" aria-label="{label}""#)?;
        if !self.figures.is_empty() {
            let one = |(letter, figure): &(char, Figure)| format!("{letter},{figure}");
            let all: Vec<String> = self.figures.iter().map(one).collect();
            write!(f, r#" data-figures="{}""#, crate::escaped(&all.join(";")))?;
        }
        f.write_str(">")?;
        f.write_str(r##"<rect class="light" width="800" height="800" fill="#efe0c4"/>"##)?;
        f.write_str(r##"<path class="dark" fill="#b48a64" d=""##)?;
        for square in (0..64).filter(|square| (square % 8 + square / 8) % 2 == 0) {
            let (x, y) = self.corner(square);
            write!(f, "M{x} {y}h100v100h-100z")?;
        }
        f.write_str(r#""/>"#)?;
        for (square, class) in self.marked {
            let (x, y) = self.corner(*square);
            write!(
                f,
                r##"<rect class="mark {class}" x="{x}" y="{y}" width="100" height="100" fill="#e2b93b" fill-opacity=".55"/>"##
            )?;
        }
        f.write_str(
            r##"<g class="names" font-family="sans-serif" font-size="17" fill="#5d4326">"##,
        )?;
        for line in 0..8u8 {
            let ((x, _), (_, y)) = (self.corner(line), self.corner(line * 8));
            let (file, rank) = (char::from(b'a' + line), line + 1);
            write!(f, r#"<text x="{}" y="794" text-anchor="end">{file}</text>"#, x + 96)?;
            write!(f, r#"<text x="5" y="{}">{rank}</text>"#, y + 20)?;
        }
        f.write_str(r#"</g><g class="men">"#)?;
        for (square, letter) in pieces(self.placement) {
            piece(f, self.corner(square), letter, self.figures)?;
        }
        f.write_str("</g>")?;
        for arrow in self.arrows {
            self.arrow(arrow, f)?;
        }
        f.write_str("</svg>")
    }
}

/// Returns a single piece, in upper case for White, for an `svg` element with the view box `0 0 100
/// 100`.
pub fn single_piece(letter: char, figures: &[(char, Figure)]) -> String {
    struct Alone<'a>(char, &'a [(char, Figure)]);
    impl fmt::Display for Alone<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            piece(f, (0, 0), self.0, self.1)
        }
    }
    Alone(letter, figures).to_string()
}

/// Draws a piece, in upper case for White; `pieces.js` draws the same.
fn piece(
    f: &mut fmt::Formatter<'_>,
    (x, y): (usize, usize),
    letter: char,
    figures: &[(char, Figure)],
) -> fmt::Result {
    let (color, fill, stroke) = match letter.is_uppercase() {
        true => ("white", "#fffdf6", "#1d1b18"),
        false => ("black", "#26231f", "#f4efe4"),
    };
    let role = letter.to_ascii_uppercase();
    let given = figures.iter().find(|(known, _)| *known == role).map(|(_, figure)| *figure);
    let figure = given.or_else(|| Figure::orthodox(role)).filter(|found| *found != Figure::LETTER);
    let (middle_x, middle_y) = (x + SQUARE / 2, y + SQUARE / 2);
    let width = if figure.is_some() { "3.5" } else { "4" };
    write!(
        f,
        r#"<g class="{color}" fill="{fill}" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round">"#
    )?;
    match figure {
        None => {
            let shown = crate::escaped(&role.to_string());
            write!(f, r#"<circle cx="{middle_x}" cy="{middle_y}" r="38"/>"#)?;
            let y = y + 68;
            write!(
                f,
                r#"<text x="{middle_x}" y="{y}" text-anchor="middle" font-family="sans-serif" font-weight="bold" font-size="52" fill="{stroke}" stroke="none">{shown}</text>"#
            )?;
        }
        Some(Figure { symbol, turn, mark: "" }) => {
            write!(f, r##"<use href="#man-{symbol}" x="{x}" y="{y}" width="100" height="100""##)?;
            if turn > 0 {
                write!(f, r#" transform="rotate({turn} {middle_x} {middle_y})""#)?;
            }
            f.write_str("/>")?;
        }
        Some(Figure { symbol, mark, .. }) => {
            let (left, below, right) = (x as i64 - 2, y + 6, x + 58);
            write!(
                f,
                r##"<use href="#man-{symbol}" x="{left}" y="{below}" width="94" height="94"/>"##
            )?;
            write!(
                f,
                r##"<use href="#man-{mark}" x="{right}" y="{y}" width="42" height="42" stroke-width="6"/>"##
            )?;
        }
    }
    f.write_str("</g>")
}

impl Board<'_> {
    fn arrow(&self, arrow: &Arrow<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((x1, y1), (x2, y2)) = (self.middle(arrow.from), self.middle(arrow.to));
        let (x1, y1, x2, y2) = (x1 as f64, y1 as f64, x2 as f64, y2 as f64);
        let length = (x2 - x1).hypot(y2 - y1);
        if length < 1.0 {
            return Ok(());
        }
        // Unit vector along the arrow.
        let (u, v) = ((x2 - x1) / length, (y2 - y1) / length);
        let at = |along: f64, across: f64| {
            let x = x1 + u * along - v * across;
            let y = y1 + v * along + u * across;
            format!("{x:.0} {y:.0}")
        };
        let neck = length - 42.0;
        let corners = [
            at(18.0, -8.0),
            at(neck, -8.0),
            at(neck, -24.0),
            at(length - 6.0, 0.0),
            at(neck, 24.0),
            at(neck, 8.0),
            at(18.0, 8.0),
        ];
        write!(
            f,
            r##"<path class="arrow {}" fill="#2f6f4f" fill-opacity=".8" d="M{}Z"/>"##,
            arrow.class,
            corners.join("L")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrow, Board, Figure, pieces, single_piece};

    #[test]
    fn a_board_is_read_aloud() {
        let words = |placement| Board { placement, ..Board::default() }.in_words();
        assert_eq!(words("8/P7/8/3k4/3r4/8/8/KQ1G4"), "White Ka1 Qb1 Gd1 Pa7, Black Kd5 Rd4");
        assert_eq!(words("8/8/8/8/8/8/8/8"), "empty board");
    }

    #[test]
    fn pieces_stand_where_the_placement_puts_them() {
        let found: Vec<_> = pieces("k6R/8/8/8/8/8/8/1Q5c w - - 0 1").collect();
        assert_eq!(found, [(56, 'k'), (63, 'R'), (1, 'Q'), (7, 'c')]);
        // A malformed placement is drawn as far as it can be read.
        assert_eq!(pieces("nonsense/9/").count(), 8);
        assert_eq!(pieces("").count(), 0);
    }

    #[test]
    fn a_board_has_its_pieces_and_fairy_pieces_are_letters() {
        let text = Board { placement: "k7/8/8/8/8/8/8/Q6<", ..Board::default() }.to_string();
        assert!(text.contains(r##"<use href="#man-Q" x="0" y="700""##), "{text}");
        let king = r##"<g class="black" fill="#26231f""##;
        assert!(text.contains(king) && text.contains(r##"<use href="#man-K" x="0" y="0""##));
        assert!(text.contains(">&lt;</text>"));
        assert!(!text.contains("style="));
        let flipped =
            Board { placement: "k7/8/8/8/8/8/8/Q7", flipped: true, ..Board::default() }.to_string();
        assert!(flipped.contains(r##"<use href="#man-Q" x="700" y="0""##));
    }

    #[test]
    fn a_piece_alone_is_drawn_as_on_a_board() {
        assert!(single_piece('q', &[]).contains(r##"<use href="#man-Q" x="0" y="0""##));
        assert!(single_piece('C', &[]).contains(r#"<circle cx="50" cy="50""#));
    }

    #[test]
    fn fairy_pieces_have_figures_where_these_are_given() {
        let figure = |name| Figure::named(name).unwrap();
        let figures = [('H', figure("nightrider")), ('C', figure("gnu")), ('N', figure("zebra"))];
        let board =
            Board { placement: "h7/8/8/8/8/8/8/C6N", figures: &figures, ..Board::default() };
        let text = board.to_string();
        assert!(text.contains(r#" data-figures="H,N,180,;C,camel,0,N;N,zebra,0,""#), "{text}");
        assert!(text.contains(r##"<use href="#man-N" x="0" y="0" width="100" height="100" transform="rotate(180 50 50)"/>"##));
        assert!(text.contains(r##"<use href="#man-camel" x="-2" y="706""##), "{text}");
        assert!(text.contains(r##"<use href="#man-zebra" x="700" y="700""##), "{text}");
        assert!(single_piece('h', &figures).contains("rotate(180"));
        assert!(single_piece('N', &[('N', Figure::LETTER)]).contains(">N</text>"));
    }

    #[test]
    fn arrows_and_marks_lie_on_their_squares() {
        let arrows =
            [Arrow { from: 0, to: 7, class: "win" }, Arrow { from: 3, to: 3, class: "no" }];
        let marked = [(63, "last")];
        let board = Board { arrows: &arrows, marked: &marked, ..Board::default() };
        let text = board.to_string();
        assert!(text.contains(r#"<rect class="mark last" x="700" y="0""#));
        assert!(text.contains(r#"class="arrow win""#) && !text.contains("arrow no"));
    }
}
