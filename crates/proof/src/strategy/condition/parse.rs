//! Parser of conditions: recursive descent; every error has its column.

use crate::problem::castling::Wing;
use crate::problem::piece::{PieceId, letter};
use crate::strategy::condition::{
    Comparison, FateCondition, Formula, PathCondition, PathStep, Who,
};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// A syntax error and its column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("condition, column {column}: {what}")]
pub struct SyntaxError {
    /// Column in the text, from 1, counted in characters.
    pub column: usize,
    /// The error and the expected input.
    pub what: String,
}

/// A letter and a square, which name a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamedPiece {
    letter: char,
    square: Square,
}

/// Maximum depth of nested brackets, which bounds the recursion.
const DEPTH_MAX: usize = 200;

pub(crate) fn condition(text: &str) -> Result<Formula, SyntaxError> {
    let mut reader = ConditionReader { symbols: text.chars().collect(), at: 0, depth: 0 };
    let condition = reader.expression()?;
    reader.blanks();
    match reader.peek() {
        None => Ok(condition),
        Some(')') => Err(reader.error("')' closes no bracket")),
        Some(found) => Err(reader.error(format!("expected AND, OR or the end, found '{found}'"))),
    }
}

struct ConditionReader {
    symbols: Vec<char>,
    at: usize,
    depth: usize,
}

impl ConditionReader {
    fn error(&self, what: impl Into<String>) -> SyntaxError {
        SyntaxError { column: self.at + 1, what: what.into() }
    }

    fn error_at(&self, at: usize, what: impl Into<String>) -> SyntaxError {
        SyntaxError { column: at + 1, what: what.into() }
    }

    fn peek(&self) -> Option<char> {
        self.symbols.get(self.at).copied()
    }

    fn peek_after(&self, ahead: usize) -> Option<char> {
        self.symbols.get(self.at + ahead).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(symbol);
        self.at += usize::from(found);
        found
    }

    /// Consumes a whole word, in any case.
    fn eat_word(&mut self, word: &str) -> bool {
        self.blanks();
        let end = self.at + word.len();
        let same = self.symbols.get(self.at..end).is_some_and(|found| {
            found.iter().zip(word.chars()).all(|(a, b)| a.eq_ignore_ascii_case(&b))
        });
        let whole = !self.symbols.get(end).is_some_and(|next| next.is_alphanumeric());
        if same && whole {
            self.at = end;
        }
        same && whole
    }

    fn expression(&mut self) -> Result<Formula, SyntaxError> {
        let first = self.unary()?;
        let (and, or) = ("AND", "OR");
        let Some(word) = [and, or].into_iter().find(|word| self.eat_word(word)) else {
            return Ok(first);
        };
        let mut parts = vec![first, self.unary()?];
        loop {
            self.blanks();
            let before = self.at;
            match [and, or].into_iter().find(|word| self.eat_word(word)) {
                None => break,
                Some(next) if next == word => parts.push(self.unary()?),
                Some(_) => {
                    return Err(self.error_at(
                        before,
                        "AND and OR beside each other need brackets: ((A OR B) AND C) or (A OR (B AND C))",
                    ));
                }
            }
        }
        Ok(if word == and { Formula::And(parts) } else { Formula::Or(parts) })
    }

    fn unary(&mut self) -> Result<Formula, SyntaxError> {
        if self.depth == DEPTH_MAX {
            return Err(self.error("too many brackets and NOTs within each other"));
        }
        self.depth += 1;
        let parsed = self.unary_within();
        self.depth -= 1;
        parsed
    }

    fn unary_within(&mut self) -> Result<Formula, SyntaxError> {
        if self.eat_word("NOT") {
            return Ok(Formula::Not(Box::new(self.unary()?)));
        }
        self.blanks();
        let open = self.at;
        if self.eat('(') {
            let inner = self.expression()?;
            self.blanks();
            return match self.eat(')') {
                true => Ok(inner),
                false => Err(self.error_at(open, "this bracket is never closed")),
            };
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Formula, SyntaxError> {
        let head: String = self.symbols.iter().skip(self.at).take(3).collect();
        match head.to_ascii_lowercase().as_str() {
            "fm:" => {
                self.at += 3;
                let color = match self.peek() {
                    Some('w' | 'W') => Color::White,
                    Some('b' | 'B') => Color::Black,
                    _ => return Err(self.error("fm: must name w or b, as in fm:w>=5")),
                };
                self.at += 1;
                let (comparison, number) = self.comparison("fm")?;
                Ok(Formula::FreeMoves(color, comparison, number))
            }
            "cc:" | "ml:" => {
                self.at += 3;
                let counts = head.starts_with(['c', 'C']);
                let who = self.who()?;
                let (comparison, number) = self.comparison(if counts { "cc" } else { "ml" })?;
                Ok(match counts {
                    true => Formula::Captures(who, comparison, number),
                    false => Formula::Moves(who, comparison, number),
                })
            }
            _ => self.path(),
        }
    }

    fn comparison(&mut self, of: &str) -> Result<(Comparison, i32), SyntaxError> {
        self.blanks();
        let comparison = match (self.peek(), self.peek_after(1)) {
            (Some('<'), Some('=')) => Comparison::AtMost,
            (Some('>'), Some('=')) => Comparison::AtLeast,
            (Some('<'), _) => Comparison::Less,
            (Some('>'), _) => Comparison::More,
            (Some('='), _) => Comparison::Equal,
            _ => return Err(self.error(format!("{of} must be followed by one of < <= = >= >"))),
        };
        self.at += match comparison {
            Comparison::AtMost | Comparison::AtLeast => 2,
            _ => 1,
        };
        self.blanks();
        let from = self.at;
        while self.peek().is_some_and(|symbol| symbol.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.symbols[from..self.at].iter().collect();
        match digits.parse() {
            Ok(number) => Ok((comparison, number)),
            Err(_) => {
                Err(self.error_at(from, format!("{of} must be compared with a whole number")))
            }
        }
    }

    fn square_at(&self, ahead: usize) -> Option<Square> {
        let text: String = [self.peek_after(ahead)?, self.peek_after(ahead + 1)?].iter().collect();
        text.parse().ok()
    }

    fn square(&mut self) -> Result<Square, SyntaxError> {
        let square = self.square_at(0).ok_or_else(|| self.error("expected a square such as c4"))?;
        self.at += 2;
        Ok(square)
    }

    /// Returns the letter and the square that follow here.
    fn place(&self) -> Option<NamedPiece> {
        let letter = self.peek().filter(|symbol| "KQRBSNP".contains(*symbol))?;
        Some(NamedPiece { letter, square: self.square_at(1)? })
    }

    fn who(&mut self) -> Result<Who, SyntaxError> {
        let Some(place) = self.place() else {
            return Err(self.error(
                "expected a man by its first square (Sb1, Pa2, Kg1 for a king that castles), fm:, cc:, ml:, NOT or a bracket",
            ));
        };
        let who = self.named(place)?;
        self.at += 3;
        Ok(who)
    }

    fn named(&self, place: NamedPiece) -> Result<Who, SyntaxError> {
        let NamedPiece { letter: found, square } = place;
        let found = if found == 'N' { 'S' } else { found };
        if let Some(piece) =
            PieceId::starting_on(square).filter(|&piece| letter(piece.role()) == found)
        {
            return Ok(Who { piece, castled: None });
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                for piece in
                    [PieceId::king(color), crate::problem::castling::castling_rook(color, wing)]
                {
                    let who = Who { piece, castled: Some(wing) };
                    if letter(piece.role()) == found && home(&who) == square {
                        return Ok(who);
                    }
                }
            }
        }
        let what = match (found, PieceId::starting_on(square)) {
            ('K', _) => format!("no king starts on {square} or castles there"),
            (_, Some(piece)) => format!("{piece} starts on {square}, not {found}{square}"),
            (_, None) => format!("no piece starts on {square}"),
        };
        Err(self.error(what))
    }

    fn piece(&mut self) -> Result<PieceId, SyntaxError> {
        let start = self.at;
        let who = self.who()?;
        Ok(who.piece).and_then(|piece| match who.castled {
            None => Ok(piece),
            Some(_) => {
                Err(self.error_at(start, format!("name the piece by its first square, {piece}")))
            }
        })
    }

    fn path(&mut self) -> Result<Formula, SyntaxError> {
        let who = self.who()?;
        let mut path = PathCondition { who, segments: vec![], stays: false, fate: None };
        loop {
            // The manual prints blanks around the underscore; nothing else follows a blank here.
            let before = self.at;
            self.blanks();
            match (self.peek(), self.peek_after(1)) {
                (Some('_' | '|'), _) => path.segments.push(self.low_line()?),
                _ if self.at > before => {
                    self.at = before;
                    break;
                }
                (Some('-'), _) => {
                    self.at += 1;
                    path.segments.push(PathStep::To(self.square()?));
                }
                (Some('x'), _) => {
                    self.at += 1;
                    let (piece, square) = self.target()?;
                    path.segments.push(PathStep::Takes(piece, square));
                }
                (Some('='), _) => {
                    let promotes = self.promotion(&path)?;
                    path.segments.push(promotes);
                }
                _ => break,
            }
        }
        // `Kg1-g1-h2`: the first segment only repeats the castling of the name.
        if path.who.castled.is_some()
            && path.segments.first() == Some(&PathStep::To(home(&path.who)))
        {
            path.segments.remove(0);
        }
        path.stays = self.eat('<');
        if self.eat('.') {
            path.fate = Some(self.fate()?);
        }
        Ok(Formula::Path(path))
    }

    fn promotion(&mut self, path: &PathCondition) -> Result<PathStep, SyntaxError> {
        if !path.who.piece.is_pawn() {
            return Err(self.error(format!("{} is not a pawn and cannot promote", path.who.piece)));
        }
        self.at += 1;
        let kind = match self.peek() {
            Some('Q') => Role::Queen,
            Some('R') => Role::Rook,
            Some('B') => Role::Bishop,
            Some('S' | 'N') => Role::Knight,
            _ => return Err(self.error("a pawn becomes Q, R, B or S")),
        };
        self.at += 1;
        Ok(PathStep::Promotes(kind))
    }

    fn low_line(&mut self) -> Result<PathStep, SyntaxError> {
        self.at += 1;
        let two = matches!(self.peek(), Some('_' | '|'));
        self.at += usize::from(two);
        self.blanks();
        if self.eat('x') {
            let (piece, square) = self.target()?;
            return Ok(PathStep::TakesLater(piece, square));
        }
        let square = self.square()?;
        Ok(if two { PathStep::Visits(square) } else { PathStep::Reaches(square) })
    }

    /// Parses the object of a capture: a piece, a square, or both.
    fn target(&mut self) -> Result<(Option<PieceId>, Option<Square>), SyntaxError> {
        if self.place().is_none() {
            let wanted = "expected whom or where it captures: Qd8, b5 or Qd8 b5";
            let square = self.square().map_err(|_| self.error(wanted))?;
            return Ok((None, Some(square)));
        }
        let piece = self.piece()?;
        // A blank and a square give the place; the manual's bar is equivalent here (`xQd8|b5` is
        // read as the step `_b5`, which the capture on b5 satisfies as well).
        let spaced = self.peek() == Some(' ') && self.square_at(1).is_some();
        if !spaced {
            return Ok((Some(piece), None));
        }
        self.at += 1;
        Ok((Some(piece), Some(self.square()?)))
    }

    fn fate(&mut self) -> Result<FateCondition, SyntaxError> {
        let next_is_word = self.peek_after(1).is_some_and(char::is_alphanumeric);
        match self.peek() {
            Some('a') if !next_is_word => {
                self.at += 1;
                Ok(FateCondition::Alive)
            }
            Some('d') if !next_is_word => {
                self.at += 1;
                Ok(FateCondition::Dead)
            }
            Some(_) if self.place().is_some() => {
                let captor = self.piece()?;
                match self.eat(':') {
                    true => Ok(FateCondition::TakenBy(captor)),
                    false => Err(self.error("expected ':' after the capturing piece")),
                }
            }
            _ => {
                Err(self
                    .error("expected how it ends: .a (alive), .d (dead) or .Qd8: (taken by Qd8)"))
            }
        }
    }
}

/// Returns the castling square of a king or rook that is named by it.
fn home(who: &Who) -> Square {
    match who.castled {
        Some(wing) => crate::problem::castling::castled_square(who.piece, wing),
        None => who.piece.origin(),
    }
}
