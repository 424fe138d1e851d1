//! Synthetic games: `6.gxf8=N#`, or `White's sixth move is gxf8=N mate`. The task is to find a game with these moves.
//!
//! A sentence becomes a steno in the vocabulary of the notation: every move is `~` but the stated ones, which have all
//! characters of their notation and no others. A letter of a captured piece after `x` (`gxNf8`) and an origin are
//! conditions. En passant (`exd6 e.p.`) has no character in the notation, and a sentence with it uses the vocabulary
//! Extended.
//!
//! A move that is stated without a sign gives no check; a letter or number of departure must be that of the notation, so
//! `Nd2` is no move for which two knights compete.

/// Reason why a sentence is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SyntheticError {
    /// There is no move.
    #[error(
        "expected a move with its number, such as 6.gxf8=N#, 5...Rh1#, or \"White's sixth move is gxf8=N mate\""
    )]
    NoMove,
    /// A word is neither a move nor part of a sentence.
    #[error("word {number}, \"{word}\": expected {expected}")]
    Word {
        /// The word.
        word: String,
        /// Number of the word, from 1.
        number: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// A move is stated twice.
    #[error("two moves have the same number: {0}")]
    Twice(String),
    /// The number of the move is too large.
    #[error("move {0} is too late, at most {MOVES_MAX} moves are possible")]
    Late(usize),
}

/// Limit of the number of a move.
const MOVES_MAX: usize = 60;

/// A move as a sentence states it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StatedMove {
    /// Letter of the piece that moves, `P` for a pawn.
    piece: char,
    /// Castling on the king's wing, or on the queen's.
    castling: Option<bool>,
    from_file: Option<char>,
    from_rank: Option<char>,
    captures: bool,
    captured: Option<char>,
    to: Option<(char, char)>,
    promotion: Option<char>,
    sign: Sign,
    passing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    None,
    Check,
    Mate,
}

impl Sign {
    /// Removes a sign from the end of a move, and returns it.
    fn cut_from(text: &mut String) -> Self {
        for (end, sign) in [("++", Self::Mate), ("#", Self::Mate), ("+", Self::Check)] {
            if let Some(rest) = text.strip_suffix(end) {
                text.truncate(rest.len());
                return sign;
            }
        }
        Self::None
    }
}

/// Translates a sentence to a steno. Returns the steno and the name of its vocabulary.
///
/// # Errors
/// The first word that is not read.
pub(super) fn translate(text: &str) -> Result<(String, &'static str), SyntheticError> {
    let stated = read(text)?;
    let last = stated.iter().map(|(ply, _)| *ply).max().ok_or(SyntheticError::NoMove)?;
    let extended = stated.iter().any(|(_, mv)| mv.passing);
    let turns = (0..=last).map(|ply| match stated.iter().find(|(at, _)| *at == ply) {
        None => "~".to_owned(),
        Some((_, mv)) if extended => mv.extended(ply % 2 == 0),
        Some((_, mv)) => mv.notation(ply % 2 == 0),
    });
    Ok((turns.collect::<Vec<_>>().join(" "), if extended { "extended" } else { "pgn" }))
}

/// Numbers in words.
const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
/// Words of a sentence without a meaning of their own.
const FILLERS: &str = "a an the game proof synthetic find is was with ends end ending that which move moves plays \
    played on at by in of and also gives giving half";

/// Reads the moves with their half-moves, from 0.
fn read(text: &str) -> Result<Vec<(usize, StatedMove)>, SyntheticError> {
    let text =
        text.replace("...", "… ").replace("..", "… ").replace(['"', '\u{201c}', '\u{201d}'], " ");
    let mut words = vec![];
    for word in text.split([' ', ',', ';', '\n', '\t']).filter(|word| !word.is_empty()) {
        words.extend(split_number(word));
    }
    let mut white = None;
    let mut number: Option<usize> = None;
    let mut found: Vec<(usize, StatedMove)> = vec![];
    for (at, word) in words.iter().enumerate() {
        let fail = |expected| SyntheticError::Word { word: word.clone(), number: at + 1, expected };
        let lower = word.to_lowercase();
        let bare = lower.trim_end_matches(['.', ':', '!', '?', '…']);
        let stem =
            ["'s", "\u{2019}s"].iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
        match stem {
            "white" => white = Some(true),
            "black" => white = Some(false),
            "mate" | "checkmate" | "check" => {
                let (_, mv) = found.last_mut().ok_or_else(|| fail("a move before it"))?;
                mv.sign = if stem == "check" { Sign::Check } else { Sign::Mate };
            }
            "ep" | "e.p" => {
                let (_, mv) = found.last_mut().ok_or_else(|| fail("a move before it"))?;
                mv.passing = true;
            }
            _ if FILLERS.split_whitespace().any(|filler| filler == stem) => {}
            _ => {
                if let Some(n) = number_of(stem) {
                    if n == 0 || n > MOVES_MAX {
                        return Err(SyntheticError::Late(n));
                    }
                    number = Some(n);
                    match () {
                        () if word.ends_with('…') => white = Some(false),
                        () if word.ends_with('.') => white = Some(true),
                        () => {}
                    }
                    continue;
                }
                let mv = StatedMove::read(word)
                    .ok_or_else(|| fail("a move in short notation, such as gxf8=N# or gxNf8"))?;
                let number =
                    number.take().ok_or_else(|| fail("the number of the move before it"))?;
                let white = white.take().unwrap_or(true);
                let ply = 2 * (number - 1) + usize::from(!white);
                if found.iter().any(|(known, _)| *known == ply) {
                    return Err(SyntheticError::Twice(word.clone()));
                }
                found.push((ply, mv));
            }
        }
    }
    match number {
        Some(_) => Err(SyntheticError::NoMove),
        None => Ok(found),
    }
}

/// Splits `6.gxf8=N#` into number and move.
fn split_number(word: &str) -> Vec<String> {
    let digits = word.len() - word.trim_start_matches(|symbol: char| symbol.is_ascii_digit()).len();
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
    match digits > 0 && dots > 0 && dots < rest.len() {
        true => vec![word[..digits + dots].to_owned(), rest[dots..].to_owned()],
        false => vec![word.to_owned()],
    }
}

/// Returns the number of `6`, `6th` or `sixth`.
fn number_of(word: &str) -> Option<usize> {
    let ordinal = ORDINALS.iter().position(|one| *one == word).map(|at| at + 1);
    let ends = ["st", "nd", "rd", "th"];
    let digits = ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    ordinal.or_else(|| digits.parse().ok())
}

impl StatedMove {
    /// Reads short notation, with the letter of a captured piece after `x` if it is stated.
    fn read(word: &str) -> Option<Self> {
        let mut text = word.trim_end_matches([',', ';', '!', '?']).to_owned();
        let mut mv = Self {
            piece: 'P',
            castling: None,
            from_file: None,
            from_rank: None,
            captures: false,
            captured: None,
            to: None,
            promotion: None,
            sign: Sign::None,
            passing: false,
        };
        // Either may come first: exd6+ e.p., exd6e.p.+.
        mv.sign = Sign::cut_from(&mut text);
        if let Some(rest) = ["e.p.", "e.p", "ep"].iter().find_map(|end| text.strip_suffix(end)) {
            mv.passing = true;
            text.truncate(rest.len());
        }
        text.truncate(text.trim_end_matches('.').len());
        if mv.sign == Sign::None {
            mv.sign = Sign::cut_from(&mut text);
        }
        match text.replace(['0', 'o'], "O").as_str() {
            "O-O" => return Some(Self { castling: Some(true), piece: 'K', ..mv }),
            "O-O-O" => return Some(Self { castling: Some(false), piece: 'K', ..mv }),
            _ => {}
        }
        let letter = |symbol: char| match symbol {
            'S' => Some('N'),
            'K' | 'Q' | 'R' | 'B' | 'N' => Some(symbol),
            _ => None,
        };
        let mut symbols: Vec<char> = text.chars().collect();
        if let Some(promoted) = symbols.last().copied().and_then(letter).filter(|one| *one != 'K') {
            symbols.pop();
            if matches!(symbols.last(), Some('=' | '/')) {
                symbols.pop();
            }
            mv.promotion = Some(promoted);
        }
        let rank = symbols.pop().filter(|one| ('1'..='8').contains(one))?;
        let file = symbols.pop().filter(|one| ('a'..='h').contains(one))?;
        mv.to = Some((file, rank));
        let mut rest = symbols.into_iter().peekable();
        if let Some(piece) =
            rest.peek().copied().and_then(|one| letter(one).or((one == 'P').then_some('P')))
        {
            mv.piece = piece;
            rest.next();
        }
        mv.from_file = rest.next_if(|one| ('a'..='h').contains(one));
        mv.from_rank = rest.next_if(|one| ('1'..='8').contains(one));
        mv.captures = rest.next_if(|one| matches!(one, 'x' | ':' | '*' | '×')).is_some();
        if mv.captures {
            mv.captured = rest.next_if(|one| letter(*one).is_some() || *one == 'P');
            mv.captured = mv.captured.map(|one| letter(one).unwrap_or('P'));
        } else {
            rest.next_if(|one| *one == '-');
        }
        let is_read = rest.next().is_none();
        // A pawn promotes on the last rank and nowhere else, and captures from a file that is named.
        let promotes = mv.piece == 'P' && matches!(rank, '1' | '8');
        let fits = mv.promotion.is_some() == promotes
            && (mv.piece != 'P' || mv.captures == mv.from_file.is_some_and(|from| from != file))
            && (!mv.passing || mv.piece == 'P' && mv.captures);
        (is_read && fits).then_some(mv)
    }

    /// The turn in the vocabulary of the notation.
    fn notation(&self, white: bool) -> String {
        let sign = match self.sign {
            Sign::None => "!+",
            Sign::Check => "&+!#",
            Sign::Mate => "&#",
        };
        let (Some((file, rank)), None) = (self.to, self.castling) else {
            return format!("O{sign}{}", self.conditions(white));
        };
        let mut marks = vec![];
        let mut wanted = vec![file, rank];
        wanted.extend(self.shown_origin().into_iter().flatten());
        if self.piece != 'P' {
            wanted.push(self.piece);
        }
        wanted.extend(self.promotion);
        for symbol in "abcdefgh12345678KQRNB".chars() {
            match wanted.contains(&symbol) {
                true => marks.insert(0, format!("&{symbol}")),
                false => marks.push(format!("!{symbol}")),
            }
        }
        marks.push(if self.captures { "&x" } else { "!x" }.to_owned());
        marks.push(if self.promotion.is_some() { "&=" } else { "!=" }.to_owned());
        let marks = marks.concat();
        format!("{}{sign}{}", marks.trim_start_matches('&'), self.conditions(white))
    }

    /// File and rank of departure as short notation shows them: none for a pawn's step.
    fn shown_origin(&self) -> [Option<char>; 2] {
        match (self.piece, self.captures) {
            ('P', false) => [None, None],
            ('P', true) => [self.from_file, None],
            _ => [self.from_file, self.from_rank],
        }
    }

    /// The turn in the vocabulary Extended.
    fn extended(&self, white: bool) -> String {
        let sign = match self.sign {
            Sign::None => "!+",
            Sign::Check => "&+!#",
            Sign::Mate => "&#",
        };
        let (Some((file, rank)), None) = (self.to, self.castling) else {
            let wing = if self.castling == Some(true) { 'o' } else { 'O' };
            return format!("{wing}{sign}");
        };
        let kind = match (self.promotion, self.passing, self.captures) {
            (Some(promoted), _, captures) => {
                let promoted = if promoted == 'B' { 'l' } else { promoted.to_ascii_lowercase() };
                format!("&{promoted}{}", if captures { "&x" } else { "&-" })
            }
            (None, true, _) => "&%".to_owned(),
            (None, false, true) => "!p&x".to_owned(),
            (None, false, false) => "!p!0&-".to_owned(),
        };
        format!("{}&{file}&{rank}{kind}{sign}{}", self.piece, self.conditions(white))
    }

    /// Conditions on origin and captured piece, and on the king after castling.
    fn conditions(&self, white: bool) -> String {
        let mut all = vec![];
        if let Some(kingside) = self.castling {
            let rank = if white { '1' } else { '8' };
            let king = if white { 'K' } else { 'k' };
            all.push(format!("{king}{}{rank}", if kingside { 'g' } else { 'c' }));
        }
        let from: String = self.from_file.into_iter().chain(self.from_rank).collect();
        if !from.is_empty() {
            all.push(format!("@{from}"));
        }
        all.extend(self.captured.map(|captured| format!("x{captured}")));
        if all.is_empty() { String::new() } else { format!("[{}]", all.join("&")) }
    }
}

#[cfg(test)]
mod tests;
