//! `piecedef.ini`: EGTgen's file of piece definitions.
//!
//! One piece per line: a letter, a colon, and a list of moves separated by blanks. A move is two
//! numbers, ranks forward and files sideways. A second comma may follow, with signs in any order:
//! `s` slides, `c` captures only, `n` moves only, `*` stands for all eight symmetric images, `+`
//! for the four images under the two mirrors.
//!
//! ```text
//! N: 1,2,*
//! Q: 1,0,s* 1,1,s*
//! X: 1,1,c* 1,0,n*
//! L: 1,1,* 2,2,* 0,1,n+
//! ```
//!
//! Deviations accepted:
//! - blank lines, comments after `;` or `#`, blanks around the colon, CR LF and a byte order mark;
//! - a definition in Betza's notation after `=` in place of the list: `X = fmWfcF`;
//! - a letter defined more than once; its last definition counts.
//!
//! Everything else is an error that quotes the line number and the bad part. EGTgen silently drops
//! the rest of such a file; this parser drops nothing.
//!
//! `P` remains a pawn that promotes where its definition moves like a pawn (`Piece::defined`): `P
//! = fmWfcF` is the pawn of Shatranj, without a double step.

use super::betza::BetzaError;
use super::movement::MoveAtom;
use super::movement::images;
use super::piece::Piece;
use super::piece_set::PieceSet;
use nom::Parser;
use nom::bytes::complete::take_while;
use nom::character::complete::{char, i8 as number};
use nom::combinator::{all_consuming, opt};
use nom::sequence::{preceded, separated_pair};

/// Reason why a piece definition was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("piece definitions, line {line}: {fault}")]
pub struct PieceDefError {
    /// Line number, from 1.
    pub line: usize,
    /// Fault of the line.
    pub fault: PieceDefFault,
}

/// Fault of a line with a piece definition; the bad part is quoted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PieceDefFault {
    /// The line has characters of binary data.
    #[error("this is not text, expected lines such as N: 1,2,*")]
    Binary,
    /// The first character is not a letter.
    #[error("\"{0}\" is not a piece letter, expected one of A to Z or a to z")]
    Letter(char),
    /// The movement in Betza's notation is faulty.
    #[error(transparent)]
    Betza(#[from] BetzaError),
    /// No colon follows the letter.
    #[error("{} has no colon after the letter '{letter}'", quoted(line))]
    Colon {
        /// Line.
        line: String,
        /// Letter of the piece.
        letter: char,
    },
    /// The piece has no moves.
    #[error("piece '{0}' has no moves")]
    NoMoves(char),
    /// A move is faulty.
    #[error("{}: {fault}", quoted(token))]
    Move {
        /// Text of the move.
        token: String,
        /// Fault of the move.
        fault: MoveFault,
    },
}

/// Fault of one move of a piece definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveFault {
    /// The move is not a pair of numbers.
    #[error("expected ranks,files such as 1,2 or 1,2,s*")]
    Form,
    /// The step leaves every board, or is none.
    #[error("a move must be -7 to 7 ranks and files, not both 0")]
    Range,
    /// A sign is unknown.
    #[error("unknown sign '{0}', expected s c n * or +")]
    Sign(char),
    /// The move may neither capture nor not capture.
    #[error("a move that is capture-only and non-capture-only can do nothing")]
    Idle,
}

impl Piece {
    /// Returns the movement as in a line of `piecedef.ini`, without the letter; none for a ride of
    /// limited length and for moves that are no steps, which exist only in Betza's notation.
    pub fn piecedef(&self) -> Option<String> {
        if self.bent().is_empty() { write(self.steps()) } else { None }
    }
}

/// Writes the moves of a line; symmetric images of one step are written once. The format cannot
/// express a ride of limited length.
fn write(steps: &[MoveAtom]) -> Option<String> {
    if steps.iter().any(|step| (2..MoveAtom::SLIDE).contains(&step.reach)) {
        return None;
    }
    let mut left = steps.to_vec();
    let mut moves = vec![];
    while let Some(first) = left.first().copied() {
        let group = [("*", false), ("+", true)].into_iter().find_map(|(sign, mirrors)| {
            let all = images(first, mirrors);
            (all.len() > 1 && all.iter().all(|image| left.contains(image))).then_some((sign, all))
        });
        let (sign, all) = group.unwrap_or(("", vec![first]));
        left.retain(|step| !all.contains(step));
        // The image that goes forward, and to the right, represents all.
        let shown = all.iter().copied().max_by_key(|step| (step.dy, step.dx)).unwrap_or(first);
        let mut signs = String::new();
        if shown.reach > 1 {
            signs.push('s');
        }
        match (shown.capture, shown.quiet) {
            (true, false) => signs.push('c'),
            (false, true) => signs.push('n'),
            _ => {}
        }
        signs.push_str(sign);
        let comma = if signs.is_empty() { "" } else { "," };
        moves.push(format!("{},{}{comma}{signs}", shown.dy, shown.dx));
    }
    Some(moves.join(" "))
}

/// Parses a whole file of definitions.
///
/// # Errors
/// All faulty lines.
pub(crate) fn read(text: &str) -> Result<Vec<Piece>, Vec<PieceDefError>> {
    if let Some(at) = text.lines().position(|line| line.contains(is_binary)) {
        return Err(vec![PieceDefError { line: at + 1, fault: PieceDefFault::Binary }]);
    }
    let (mut pieces, mut errors) = (Vec::<Piece>::new(), Vec::new());
    for (at, raw) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = raw.split([';', '#']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        match define(line) {
            Ok(piece) => {
                pieces.retain(|known| known.letter != piece.letter);
                pieces.push(piece);
            }
            Err(fault) => errors.push(PieceDefError { line: at + 1, fault }),
        }
    }
    if errors.is_empty() { Ok(pieces) } else { Err(errors) }
}

impl PieceSet {
    /// Returns the built-in pieces overlaid by the definitions of a `piecedef.ini`.
    ///
    /// # Errors
    /// All faulty lines of the text.
    pub fn with_definitions(text: &str) -> Result<Self, Vec<PieceDefError>> {
        let mut piece_set = Self::default();
        for piece in read(text)? {
            piece_set.define(piece);
        }
        Ok(piece_set)
    }
}

/// Returns true for a character that does not occur in text. Invalid UTF-8 was replaced when the
/// file was read.
fn is_binary(symbol: char) -> bool {
    symbol == char::REPLACEMENT_CHARACTER || symbol.is_control() && !matches!(symbol, '\t' | '\r')
}

/// Maximum length of a quotation from a line, in characters.
const QUOTED_MAX: usize = 40;

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("\"{}...\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

fn define(line: &str) -> Result<Piece, PieceDefFault> {
    let mut chars = line.chars();
    let letter = chars.next().unwrap_or(' ');
    if !letter.is_ascii_alphabetic() {
        return Err(PieceDefFault::Letter(letter));
    }
    let rest = chars.as_str().trim_start();
    if let Some(betza) = rest.strip_prefix('=') {
        return Ok(Piece::defined(letter, super::betza::read(betza)?));
    }
    let list = rest
        .strip_prefix(':')
        .ok_or_else(|| PieceDefFault::Colon { line: line.to_owned(), letter })?;
    let mut steps = Vec::new();
    for token in list.split_whitespace() {
        let fault = |fault| PieceDefFault::Move { token: token.to_owned(), fault };
        steps.extend(moves(token).map_err(fault)?);
    }
    if steps.is_empty() {
        return Err(PieceDefFault::NoMoves(letter));
    }
    Ok(Piece::defined(letter, steps))
}

fn moves(token: &str) -> Result<Vec<MoveAtom>, MoveFault> {
    let coordinates = separated_pair(number::<_, nom::error::Error<&str>>, char(','), number);
    let signs = opt(preceded(char(','), take_while(|_| true)));
    let (_, ((dy, dx), signs)) =
        all_consuming((coordinates, signs)).parse(token).map_err(|_| MoveFault::Form)?;
    if !(-7..=7).contains(&dx) || !(-7..=7).contains(&dy) || (dx, dy) == (0, 0) {
        return Err(MoveFault::Range);
    }
    let mut step = MoveAtom::leap(dx, dy);
    let (mut all, mut some) = (false, false);
    for sign in signs.unwrap_or("").chars() {
        match sign {
            's' => step.reach = MoveAtom::SLIDE,
            'c' => step.quiet = false,
            'n' => step.capture = false,
            '*' => all = true,
            '+' => some = true,
            _ => return Err(MoveFault::Sign(sign)),
        }
    }
    if !step.quiet && !step.capture {
        return Err(MoveFault::Idle);
    }
    Ok(if all || some { images(step, !all) } else { vec![step] })
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::fairy::PieceSet;

    /// Nine definitions printed in EGTgen's manual.
    const MANUAL: &str = "N: 1,2 1,-2 2,1 2,-1 -2,1 -2,-1 -1,2 -1,-2\nB: 1,1,s*\nR: 1,0,s*\n\
        Q: 1,0,s* 1,1,s*\nK: 1,0,* 1,1,*\nA: 1,2,* 1,1,s*\nX: 1,1,c* 1,0,n*\n\
        L: 1,1,* 2,2,* 0,1,n+\n";

    fn refuses(text: &str, line: usize, part: &str) {
        let errors = read(text).unwrap_err();
        assert_eq!(errors[0].line, line, "{text}");
        assert!(errors[0].fault.to_string().contains(part), "{}", errors[0]);
    }

    #[test]
    fn the_manual_is_understood() {
        let pieces = read(MANUAL).unwrap();
        assert_eq!(pieces.len(), 8);
        let builtin = PieceSet::default();
        for piece in pieces.iter().filter(|p| "NBRQKAL".contains(p.letter)) {
            assert_eq!(piece.steps(), builtin.get(piece.letter).unwrap().steps());
        }
        assert_eq!(read("N: 1,2,*").unwrap()[0].steps(), pieces[0].steps());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let builtin = PieceSet::default();
        for piece in builtin.pieces().filter(|piece| !piece.pawn) {
            let line = piece.piecedef().unwrap();
            let again = read(&format!("{}: {line}", piece.letter)).unwrap();
            assert_eq!(again[0].steps(), piece.steps(), "{}: {line}", piece.letter);
        }
        assert_eq!(builtin.get('B').unwrap().piecedef().unwrap(), "1,1,s*");
        let one_sided = read("X: 1,0,n 2,1,c+ 1,-2").unwrap();
        let line = one_sided[0].piecedef().unwrap();
        assert_eq!(read(&format!("X: {line}")).unwrap()[0].steps(), one_sided[0].steps(), "{line}");
        assert_eq!(read("X = W3").unwrap()[0].piecedef(), None);
    }

    #[test]
    fn a_later_line_redefines() {
        let manual: PieceSet = PieceSet::with_definitions(
            "N: 1,2 1,-2 2,1 2,-1 -2,1 -2,-1 -1,2 -1,-2\nN: 1,2,*\nB: 1,1,s*\nR: 1,0,s*\n\
             Q: 1,0,s* 1,1,s*\nK: 1,0,* 1,1,*\nA: 1,2,* 1,1,s*\nX: 1,1,c* 1,0,n*\n\
             L: 1,1,* 2,2,* 0,1,n+\n",
        )
        .unwrap();
        assert!(manual.get('N').unwrap().moves_like(PieceSet::default().get('N').unwrap()));
        let pieces = read("X: 1,0,*\nY: 1,1,*\nX: 1,1,*").unwrap();
        assert_eq!(pieces.iter().map(|piece| piece.letter).collect::<String>(), "YX");
        assert_eq!(pieces[0].steps(), pieces[1].steps());
    }

    #[test]
    fn signs_come_in_any_order() {
        assert_eq!(read("R: 1,0,s*").unwrap(), read("R: 1,0,*s").unwrap());
        assert_eq!(read("R : 1,0,s* ; a comment\r\n").unwrap(), read("R = R").unwrap());
    }

    #[test]
    fn the_shipped_file_is_read() {
        let piece_set =
            PieceSet::with_definitions(include_str!("../../../../ini/piecedef.ini")).unwrap();
        let steps = |letter| piece_set.get(letter).map(|p| p.steps().len());
        assert_eq!([steps('Z'), steps('L'), steps('G')], [Some(16), Some(10), Some(8)]);
        assert!(piece_set.get('P').is_some_and(|p| p.pawn));
    }

    #[test]
    fn a_definition_of_p_that_moves_like_a_pawn_is_one() {
        let defined = |text: &str| read(text).unwrap().remove(0);
        let shatranj = defined("P: 1,0,n 1,1,c 1,-1,c");
        assert!(shatranj.pawn && !shatranj.double_step);
        assert_eq!(shatranj, defined("P = fmWfcF"));
        assert_eq!(shatranj.betza(), "fcFfmW");
        assert!(!shatranj.moves_like(PieceSet::default().get('P').unwrap()));
        for pawn in ["P = fW", "P = fmW", "P = fmWfcFfcW", "P = fmWfrcF"] {
            assert!(defined(pawn).pawn, "{pawn}");
        }
        let pieces = ["P = W", "P = fWfF", "P = fmW2fcF", "P = fmWcF", "P = fcF", "X = fmWfcF"];
        for piece in pieces.into_iter().chain(["P = fmFfcW", "P = fmWfcN"]) {
            assert!(!defined(piece).pawn, "{piece}");
        }
        let set = PieceSet::with_definitions("P = fmWfcF").unwrap();
        assert_eq!(PieceSet::with_definitions(&set.definitions()).unwrap(), set);
    }

    #[test]
    fn faults_quote_the_line_and_the_part() {
        refuses("N: 1,2,*\nZ: 1,1,s* 1,0s* 1,2,*", 2, "1,0s*");
        refuses("X: 1,0,q", 1, "'q'");
        refuses("X: 9,0", 1, "9,0");
        refuses("X: 0,0,*", 1, "0,0,*");
        refuses("X: 1,0,cn", 1, "can do nothing");
        refuses("X:", 1, "has no moves");
        refuses("X 1,0", 1, "colon");
        refuses("1: 1,0", 1, "not a piece letter");
        refuses("N: 1,2,*\n\u{fffd}\u{1}ELF", 2, "not text");
        refuses("N\0", 1, "not text");
        refuses(&format!("X: {}", "9".repeat(1000)), 1, "999...\"");
        refuses("X: 300,2", 1, "300,2");
        refuses("X = iN", 1, "column 1");
    }
}
