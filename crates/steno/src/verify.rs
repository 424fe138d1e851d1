//! Independent verifier: tests if a game fits a text.
//!
//! Everything here is written from the rules of the game alone, character by character and move by
//! move. This module shares no code with the parser, the masks or the search. Each game that the
//! solver lists must pass here, and `match` and `marks` use this module.

use super::vocabulary::Vocabulary;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::san::bare_san;
use umbrail_chess::{Move, Position, Role};

/// Reason why a game does not fit a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The text cannot be parsed; the parser reports the column.
    #[error("the text is not a steno")]
    Unreadable,
    /// The game has another number of half-moves than the text has turns.
    #[error("the game has {moves} half-moves, the steno {turns}")]
    Length {
        /// Half-moves played.
        moves: usize,
        /// Turns described.
        turns: usize,
    },
    /// The half-move with this number, from 0, is not legal, or the game was over.
    #[error("half-move {} is not legal there", .0 + 1)]
    Illegal(usize),
    /// The half-move with this number does not satisfy this part of its turn.
    #[error("half-move {ply} does not satisfy {1}", ply = .0 + 1)]
    Prints(usize, String),
}

impl Mismatch {
    /// Returns the half-move, from 0, at which game and text diverge.
    pub fn ply(&self) -> usize {
        match self {
            Self::Unreadable => 0,
            Self::Length { moves, turns } => *moves.min(turns),
            Self::Illegal(ply) | Self::Prints(ply, _) => *ply,
        }
    }
}

/// A move of a game with all facts that a mark may depend on.
#[derive(Debug)]
pub(crate) struct PlayedMove {
    before: Position,
    after: Position,
    mv: Move,
    role: Role,
    /// Target square of the piece; in castling, of the king.
    to: Square,
    /// Square where this player's previous move ended.
    last: Option<Square>,
    san: String,
}

impl PlayedMove {
    /// Creates the record of a legal move, given where the player's previous move ended.
    pub(crate) fn new(before: &Position, mv: Move, last: Option<Square>) -> Self {
        let role = before.role_at(mv.from()).unwrap_or(Role::King);
        let to = if before.is_castle(mv) {
            let file = if mv.to().file() > mv.from().file() { 6 } else { 2 };
            Square::at(file, mv.from().rank())
        } else {
            mv.to()
        };
        Self {
            before: *before,
            after: before.after(mv),
            mv,
            role,
            to,
            last,
            san: bare_san(before, mv),
        }
    }

    /// Returns the target square of the piece; in castling, of the king.
    pub(crate) fn ends_on(&self) -> Square {
        self.to
    }

    fn is_castling(&self) -> bool {
        self.before.is_castle(self.mv)
    }

    fn is_short(&self) -> bool {
        self.is_castling() && self.mv.to().file() > self.mv.from().file()
    }

    fn check_sign(&self) -> &'static str {
        match (self.after.in_check(), self.after.legal_moves().is_empty()) {
            (true, true) => "#",
            (true, false) => "+",
            _ => "",
        }
    }

    /// Returns true if this character, a mark of this vocabulary, describes the move. `strict`: in
    /// PGN, `+` does not describe a mate.
    pub(crate) fn is_described_by(
        &self,
        symbol: char,
        vocabulary: Vocabulary,
        strict: bool,
    ) -> bool {
        let sign = self.check_sign();
        match symbol {
            '~' | '.' => return true,
            '#' if vocabulary != Vocabulary::Length => return sign == "#",
            '+' if vocabulary != Vocabulary::Length => {
                let mate_excluded = strict && vocabulary == Vocabulary::Pgn;
                return sign == "+" || sign == "#" && !mate_excluded;
            }
            _ => {}
        }
        let stalemate = sign.is_empty() && self.after.legal_moves().is_empty();
        match vocabulary {
            Vocabulary::Length => symbol.to_digit(10) == Some((self.san.len() + sign.len()) as u32),
            Vocabulary::Pgn => match symbol {
                '/' => stalemate || cannot_mate(&self.after),
                'O' | '-' => self.is_castling(),
                _ => !self.is_castling() && self.san.contains(symbol),
            },
            Vocabulary::Classic | Vocabulary::Extended => {
                let symbol = match (symbol, vocabulary) {
                    ('0', Vocabulary::Classic) => 'O',
                    (other, _) => other,
                };
                self.is_described_classically(symbol, stalemate)
            }
        }
    }

    fn is_described_classically(&self, symbol: char, stalemate: bool) -> bool {
        let (from, to) = (self.mv.from(), self.to);
        let dx = i32::from(to.file()) - i32::from(from.file());
        let dy = i32::from(to.rank()) - i32::from(from.rank());
        let captures = self.before.is_capture(self.mv);
        match symbol {
            'a'..='h' => to.file() == symbol as u8 - b'a',
            '1'..='8' => to.rank() == symbol as u8 - b'1',
            'L' => self.role == Role::Bishop,
            'P' | 'N' | 'B' | 'R' | 'Q' | 'K' => self.role.letter() == symbol,
            'l' => self.mv.promotion() == Some(Role::Bishop),
            'q' | 'r' | 'n' => {
                self.mv.promotion().is_some_and(|role| role.letter().to_ascii_lowercase() == symbol)
            }
            'p' => self.mv.promotion().is_some(),
            'x' => captures,
            '-' => !captures,
            '%' => self.before.is_en_passant(self.mv),
            'o' => self.is_short(),
            'O' => self.is_castling() && !self.is_short(),
            '0' => self.is_castling(),
            '=' => stalemate,
            '_' => dy == 0,
            '|' => dx == 0,
            '/' => dx != 0 && dx == dy,
            '\\' => dx != 0 && dx == -dy,
            '^' => dy > 0,
            'v' => dy < 0,
            '>' => dx > 0,
            '<' => dx < 0,
            '"' => self.last == Some(from),
            _ => false,
        }
    }

    /// Returns all marks of a vocabulary that describe the move, in its usual order.
    pub(crate) fn marks(&self, vocabulary: Vocabulary, strict: bool) -> Vec<char> {
        let describes = |symbol: &char| self.is_described_by(*symbol, vocabulary, strict);
        vocabulary.symbols().chars().filter(describes).collect()
    }
}

/// Returns true if no mate is possible: bare kings, one knight, or bishops all on squares of one
/// color.
fn cannot_mate(position: &Position) -> bool {
    let (mut knights, mut light, mut dark) = (0, 0, 0);
    for square in Square::all() {
        match position.role_at(square) {
            Some(Role::Pawn | Role::Rook | Role::Queen) => return false,
            Some(Role::Knight) => knights += 1,
            Some(Role::Bishop) if square.is_light() => light += 1,
            Some(Role::Bishop) => dark += 1,
            _ => {}
        }
    }
    matches!((knights, light, dark), (0, _, 0) | (0, 0, _) | (1, 0, 0))
}

/// Returns the letters that describe a piece in conditions: a bishop has two.
fn letters(role: Role, square: Square, color: Color) -> String {
    let text = match role {
        Role::Bishop => if square.is_light() { "BL" } else { "BD" }.to_owned(),
        other => other.letter().to_string(),
    };
    if color.is_white() { text } else { text.to_ascii_lowercase() }
}

/// Captures and promotions so far.
#[derive(Default)]
struct ReplayHistory {
    last: [Option<Square>; 2],
    captured: String,
    promoted: String,
}

/// Checks that a game, given by its moves from this position, fits a text.
///
/// # Errors
/// Returns the first [`Mismatch`].
pub(crate) fn fits(
    text: &str,
    vocabulary: Vocabulary,
    strict: bool,
    start: &Position,
    moves: &[Move],
) -> Result<(), Mismatch> {
    let turns = turns(text, vocabulary).ok_or(Mismatch::Unreadable)?;
    let (mut position, mut past) = (*start, ReplayHistory::default());
    for (ply, (&mv, turn)) in moves.iter().zip(&turns).enumerate() {
        if cannot_mate(&position) || !position.legal_moves().contains(&mv) {
            return Err(Mismatch::Illegal(ply));
        }
        let mover = position.turn();
        let played = PlayedMove::new(&position, mv, past.last[mover.index()]);
        for &(negated, symbol, prime) in &turn.marks {
            let holds = match prime {
                true => played.is_described_classically(symbol.to_ascii_lowercase(), false),
                false => played.is_described_by(symbol, vocabulary, strict),
            };
            if holds == negated {
                let what = format!("{}{symbol}", if negated { "!" } else { "" });
                return Err(Mismatch::Prints(ply, what));
            }
        }
        let mut victim = None;
        if position.is_en_passant(mv) {
            victim = Some(letters(Role::Pawn, mv.to(), !mover));
        } else if let Some(piece) = position.piece_at(mv.to()).filter(|piece| piece.color != mover)
        {
            victim = Some(letters(piece.role, mv.to(), !mover));
        }
        past.captured.extend(victim.iter().map(String::as_str));
        if let Some(role) = mv.promotion() {
            past.promoted.push_str(&letters(role, mv.to(), mover));
        }
        for set in &turn.sets {
            let holds = |one: &str| condition(one, &played, &past, victim.as_deref());
            if !set.split('|').any(|list| list.split('&').all(holds)) {
                return Err(Mismatch::Prints(ply, format!("[{set}]")));
            }
        }
        past.last[mover.index()] = Some(played.ends_on());
        position = played.after;
    }
    if moves.len() == turns.len() {
        Ok(())
    } else {
        Err(Mismatch::Length { moves: moves.len(), turns: turns.len() })
    }
}

fn condition(text: &str, played: &PlayedMove, past: &ReplayHistory, victim: Option<&str>) -> bool {
    let Some(sign) = text.chars().next() else { return false };
    let rest = &text[sign.len_utf8()..];
    let all_of = |rest: &str, list: &str| {
        let count = |text: &str, letter| text.chars().filter(|&c| c == letter).count();
        rest.chars().all(|letter| count(list, letter) >= count(rest, letter))
    };
    let named = |square: Square, place: &str| {
        let name = square.to_string();
        place.chars().all(|symbol| name.contains(symbol))
    };
    let pawns = |color: Color| played.after.pieces(color, Role::Pawn).squares();
    let rank = || rest.chars().next().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
    match sign {
        'x' => victim
            .is_some_and(|victim| victim.to_ascii_uppercase().contains(&rest.to_ascii_uppercase())),
        'X' => all_of(rest, &past.captured),
        '=' if rest.is_empty() => !past.promoted.is_empty(),
        '=' => all_of(rest, &past.promoted),
        '^' => pawns(Color::White).any(|pawn| u32::from(pawn.rank()) + 1 >= rank()),
        'v' => pawns(Color::Black).any(|pawn| u32::from(pawn.rank()) < rank()),
        '@' => named(played.mv.from(), rest),
        '-' => {
            (Bitboard::FULL & !played.after.occupied())
                .squares()
                .filter(|&s| named(s, rest))
                .count()
                == Square::all().filter(|&square| named(square, rest)).count()
        }
        letter => Square::all().filter(|&square| named(square, rest)).any(|square| {
            let piece = played.after.piece_at(square);
            piece.is_some_and(|piece| letters(piece.role, square, piece.color).contains(letter))
        }),
    }
}

/// A turn as written.
struct Written {
    /// Marks of the turn: negated, the character, followed by a prime.
    marks: Vec<(bool, char, bool)>,
    sets: Vec<String>,
}

/// Splits the text into turns, leniently; valid text is split as in the parser.
fn turns(text: &str, vocabulary: Vocabulary) -> Option<Vec<Written>> {
    let mut depth = 0;
    let mut symbols = Vec::new();
    for symbol in text.chars() {
        match symbol {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth > 0 || symbol.is_whitespace() => {}
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => symbols.push('-'),
            '“' | '”' | '„' | '″' => symbols.push('"'),
            other => symbols.push(other),
        }
    }
    let mut turns: Vec<Written> = Vec::new();
    let (mut joined, mut negated) = (false, false);
    let mut at = symbols.into_iter().peekable();
    while let Some(symbol) = at.next() {
        match symbol {
            '$' => {}
            '&' => joined = true,
            '!' => (joined, negated) = (true, true),
            '[' => {
                let set = at.by_ref().take_while(|&symbol| symbol != ']').collect();
                turns.last_mut()?.sets.push(set);
            }
            _ => {
                let primed = vocabulary.has_primes() && "QRNL".contains(symbol);
                let prime = primed && at.next_if_eq(&'\'').is_some();
                if !joined {
                    turns.push(Written { marks: Vec::new(), sets: Vec::new() });
                }
                turns.last_mut()?.marks.push((negated, symbol, prime));
                (joined, negated) = (false, false);
            }
        }
    }
    Some(turns)
}

#[cfg(test)]
mod tests;
