//! Reader of Popeye's input.

use super::words::{Change, Command, OptionWord, Token, change, color, command, language};
use super::words::{option, tokens};
use super::{PopeyeError, PopeyeFault, PopeyeTwin};
use crate::positions::{
    ConditionName, FairyProblem, FairyStart, Language, PieceName, PlacedMan, Turns,
};
use crate::problem::Length;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Setup, Square};

/// What a problem states so far.
#[derive(Clone, Debug, Default)]
struct Draft {
    title: Option<String>,
    /// Men of each command that sets some, with the question whether a stipulation came before.
    boards: Vec<(Vec<PlacedMan>, bool)>,
    conditions: Vec<ConditionName>,
    imitator_end: Option<Square>,
    goal: Option<Goal>,
    white_begins: bool,
    no_castling: Option<Vec<Square>>,
    en_passant: Option<Square>,
}

/// A stipulation.
#[derive(Clone, Copy, Debug)]
struct Goal {
    plies: u16,
    length: Length,
    turns: Turns,
    from_array: bool,
}

pub(super) struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
    language: Language,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, PopeyeError> {
        let tokens = tokens(text);
        let mut reader = Self { text, tokens, at: 0, language: Language::English };
        let first = reader.next()?;
        let expected = "BeginProblem, AnfangProblem or DebutProbleme";
        reader.language = language(first.text).ok_or_else(|| Self::expected(first, expected))?;
        Ok(reader)
    }

    fn fault(token: Token<'_>, fault: PopeyeFault) -> PopeyeError {
        PopeyeError { line: token.line, column: token.column, fault }
    }

    fn expected(token: Token<'_>, expected: &'static str) -> PopeyeError {
        Self::fault(token, PopeyeFault::Expected { expected, got: token.text.to_owned() })
    }

    fn unsupported(token: Token<'_>, kind: &'static str) -> PopeyeError {
        Self::fault(token, PopeyeFault::Unsupported { kind, word: token.text.to_owned() })
    }

    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Result<Token<'a>, PopeyeError> {
        let token = self.peek().ok_or_else(|| PopeyeError {
            line: self.text.lines().count().max(1),
            column: 1,
            fault: PopeyeFault::End,
        })?;
        self.at += 1;
        Ok(token)
    }

    /// Returns the next word unless it is a command at the beginning of a line.
    fn argument(&self) -> Option<Token<'a>> {
        self.peek()
            .filter(|token| !(token.is_first && command(token.text, self.language).is_some()))
    }

    /// Takes the rest of the line of a word.
    fn rest_of_line(&mut self, token: Token<'_>) -> String {
        let line = self.text.lines().nth(token.line - 1).unwrap_or_default();
        let from = token.column - 1 + token.text.chars().count();
        while self.peek().is_some_and(|next| next.line == token.line) {
            self.at += 1;
        }
        line.chars().skip(from).collect::<String>().trim().to_owned()
    }

    pub(super) fn all(mut self) -> Result<Vec<PopeyeTwin>, PopeyeError> {
        let mut twins = vec![];
        loop {
            let (mut found, last) = self.problem()?;
            twins.append(&mut found);
            if last {
                return Ok(twins);
            }
        }
    }

    /// Reads one problem with its twins. Returns true after the last one.
    fn problem(&mut self) -> Result<(Vec<PopeyeTwin>, bool), PopeyeError> {
        let mut draft = Draft::default();
        let mut states: Vec<(Draft, Token<'a>)> = vec![];
        let mut zero = false;
        loop {
            let token = self.next()?;
            let Some(found) = command(token.text, self.language) else {
                return Err(Self::expected(token, "a command such as pieces or stipulation"));
            };
            match found {
                Command::Twin | Command::ZeroPosition => {
                    if states.is_empty() {
                        states.push((draft.clone(), token));
                    }
                    zero |= found == Command::ZeroPosition;
                    let base = states[0].0.clone();
                    let last = states[states.len() - 1].0.clone();
                    states.push((self.twin(base, last)?, token));
                }
                Command::End | Command::Next => {
                    if states.is_empty() {
                        states.push((draft, token));
                    }
                    let several = states.len() > 1;
                    let skipped = usize::from(zero);
                    let twins = states.into_iter().skip(skipped).enumerate();
                    let named = twins.map(|(at, (draft, token))| {
                        let letter = several.then(|| char::from(b'a' + (at % 26) as u8));
                        draft.pose(letter).map_err(|fault| Self::fault(token, fault))
                    });
                    let twins = named.collect::<Result<Vec<_>, _>>()?;
                    return Ok((twins, found == Command::End));
                }
                Command::Begin => return Err(Self::expected(token, "EndProblem before")),
                other => self.command(other, token, &mut draft)?,
            }
        }
    }

    fn command(
        &mut self,
        found: Command,
        token: Token<'a>,
        draft: &mut Draft,
    ) -> Result<(), PopeyeError> {
        match found {
            Command::Text => drop(self.rest_of_line(token)),
            Command::Title => {
                let title = self.rest_of_line(token);
                draft.title.get_or_insert(title);
            }
            Command::Pieces => {
                let men = self.pieces()?;
                draft.boards.push((men, draft.goal.is_some()));
            }
            Command::Forsyth => {
                let men = self.forsyth()?;
                draft.boards.push((men, draft.goal.is_some()));
            }
            Command::Array => {
                let setup: Setup = Setup::START_FEN.parse().unwrap_or_default();
                let man = |(square, color, letter)| PlacedMan {
                    square,
                    color,
                    piece: PieceName::Standard(Role::from_letter(letter).unwrap_or(Role::Pawn)),
                    on_b: false,
                };
                let men = setup.pieces().map(man).collect();
                draft.boards.push((men, draft.goal.is_some()));
            }
            Command::Condition => {
                let names = self.conditions()?;
                draft.add_conditions(names);
            }
            Command::Option => self.options(draft)?,
            Command::Stipulation => draft.goal = Some(self.stipulation()?),
            _ => return Err(Self::unsupported(token, "command")),
        }
        Ok(())
    }

    fn conditions(&mut self) -> Result<Vec<ConditionName>, PopeyeError> {
        let mut words: Vec<Token<'a>> = vec![];
        let mut names = vec![];
        while let Some(token) = self.argument() {
            words.push(token);
            let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
            match ConditionName::read_all(&texts, self.language) {
                Ok(read) => names = read,
                // Another command may follow on the line.
                Err((at, why)) => {
                    if at > 0 && command(token.text, self.language).is_some() {
                        break;
                    }
                    return Err(Self::fault(words[at], why.into()));
                }
            }
            self.at += 1;
        }
        match names.is_empty() {
            true => Err(Self::expected(self.next()?, "a condition")),
            false => Ok(names),
        }
    }

    fn options(&mut self, draft: &mut Draft) -> Result<(), PopeyeError> {
        while let Some(token) = self.argument() {
            let Some(word) = option(token.text, self.language) else {
                if command(token.text, self.language).is_some() {
                    break;
                }
                return Err(Self::unsupported(token, "option"));
            };
            self.at += 1;
            match word {
                OptionWord::WhiteToPlay => draft.white_begins = true,
                OptionWord::Ignored => {}
                OptionWord::Limit => {
                    let number = self.next()?;
                    if !number.text.bytes().all(|b| b.is_ascii_digit() || b == b':') {
                        return Err(Self::expected(number, "a number"));
                    }
                }
                OptionWord::NoCastling | OptionWord::EnPassant => {
                    let listed = self.argument().and_then(|token| squares(token.text));
                    if listed.is_some() {
                        self.at += 1;
                    }
                    match word {
                        OptionWord::NoCastling => {
                            draft.no_castling = Some(listed.unwrap_or_default())
                        }
                        _ => draft.en_passant = listed.and_then(|all| all.first().copied()),
                    }
                }
            }
        }
        Ok(())
    }

    fn stipulation(&mut self) -> Result<Goal, PopeyeError> {
        let token = self.next()?;
        let unsupported = || Self::unsupported(token, "stipulation");
        let word = token.text.to_ascii_lowercase();
        let mut rest = word.as_str();
        let mut goal =
            Goal { plies: 0, length: Length::Parity, turns: Turns::Alternating, from_array: true };
        loop {
            if let Some(after) = rest.strip_prefix("ser-") {
                (goal.turns, rest) = (Turns::Series, after);
            } else if let Some(after) = rest.strip_prefix("exact-") {
                (goal.length, rest) = (Length::Exact, after);
            } else {
                break;
            }
        }
        if let Some(after) = rest.strip_prefix("dia") {
            rest = after;
        } else if let Some(after) = rest.strip_prefix("a=>b") {
            (goal.from_array, rest) = (false, after);
        } else {
            return Err(unsupported());
        }
        let (number, place) = match rest.is_empty() {
            true => {
                let next = self.next()?;
                (next.text.to_owned(), next)
            }
            false => (rest.to_owned(), token),
        };
        let (moves, half) = number.split_once('.').unwrap_or((&number, "0"));
        let moves: Option<u16> = moves.parse().ok().filter(|&moves| moves < 100);
        let (Some(moves), "0" | "5") = (moves, half) else {
            return Err(Self::expected(place, "a number of moves such as 4 or 4.5"));
        };
        goal.plies = match goal.turns {
            Turns::Series => moves,
            Turns::Alternating => 2 * moves + u16::from(half == "5"),
        };
        Ok(goal)
    }

    fn pieces(&mut self) -> Result<Vec<PlacedMan>, PopeyeError> {
        let mut men = vec![];
        let mut side = None;
        let mut on_b = false;
        while let Some(token) = self.argument() {
            if let Some(found) = color(token.text, self.language) {
                if found == 2 {
                    return Err(Self::unsupported(token, "color"));
                }
                (side, on_b) = (Some(Color::ALL[found]), false);
            } else if token.text.eq_ignore_ascii_case("AliceB") {
                on_b = true;
            } else if token.text.eq_ignore_ascii_case("AliceA") {
                on_b = false;
            } else if let Some((letters, list)) = split(token.text) {
                let Some(color) = side else {
                    return Err(Self::expected(token, "a color before pieces"));
                };
                let piece = self.piece(letters).ok_or_else(|| Self::unsupported(token, "piece"))?;
                // As in Popeye, a later man replaces an earlier one.
                men.retain(|known: &PlacedMan| !list.contains(&known.square));
                let man = |square| PlacedMan { square, color, piece, on_b };
                men.extend(list.into_iter().map(man));
            } else if command(token.text, self.language).is_some() && side.is_some() {
                break;
            } else {
                return Err(Self::expected(token, "a color, or pieces such as Ke1 or Pa2b2"));
            }
            self.at += 1;
        }
        Ok(men)
    }

    fn piece(&self, letters: &str) -> Option<PieceName> {
        const STANDARD: [[&str; 6]; 3] = [
            ["p", "c", "f", "t", "d", "r"],
            ["b", "s", "l", "t", "d", "k"],
            ["p", "s", "b", "r", "q", "k"],
        ];
        let own = &STANDARD[self.language as usize];
        let standard = own.iter().position(|one| letters.eq_ignore_ascii_case(one));
        match standard {
            Some(at) => Some(PieceName::Standard(Role::ALL[at])),
            None => PieceName::of_letters(letters, self.language),
        }
    }

    fn forsyth(&mut self) -> Result<Vec<PlacedMan>, PopeyeError> {
        let token = self.next()?;
        let mut men = vec![];
        let mut at: usize = 0;
        let mut letters = token.text.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter == '/' {
                continue;
            }
            if let Some(first) = letter.to_digit(10) {
                let mut count = first as usize;
                while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                    count = count * 10 + digit as usize;
                    letters.next();
                }
                at = at.saturating_add(count);
                continue;
            }
            if letter == '=' {
                return Err(Self::unsupported(token, "color"));
            }
            let name: String = match letter {
                '.' => letters.by_ref().take(2).collect(),
                one => one.to_string(),
            };
            let piece = self.piece(&name).ok_or_else(|| Self::unsupported(token, "piece"))?;
            let is_white = name.chars().next().is_some_and(|first| first.is_uppercase());
            if at >= 64 {
                return Err(Self::expected(token, "a position of 64 squares"));
            }
            let square = Square::at((at % 8) as u8, 7 - (at / 8) as u8);
            let color = if is_white { Color::White } else { Color::Black };
            men.push(PlacedMan { square, color, piece, on_b: false });
            at += 1;
        }
        match at > 64 {
            true => Err(Self::expected(token, "a position of 64 squares")),
            false => Ok(men),
        }
    }

    fn twin(&mut self, base: Draft, last: Draft) -> Result<Draft, PopeyeError> {
        let mut draft = base;
        let mut resets = false;
        while let Some(token) = self.argument() {
            let Some(found) = change(token.text, self.language) else {
                if command(token.text, self.language).is_some() {
                    break;
                }
                return Err(Self::unsupported(token, "change of a twin"));
            };
            self.at += 1;
            match found {
                Change::Continued => draft = last.clone(),
                Change::Stipulation => draft.goal = Some(self.stipulation()?),
                Change::Condition => {
                    if !std::mem::replace(&mut resets, true) {
                        (draft.conditions, draft.imitator_end) = (vec![], None);
                    }
                    let names = self.conditions()?;
                    draft.add_conditions(names);
                }
                Change::Move | Change::Exchange => {
                    let [from, to] = [self.square()?, self.square()?];
                    draft.displace(from, to, found == Change::Exchange);
                }
                Change::Remove => {
                    let token = self.next()?;
                    let gone =
                        squares(token.text).ok_or_else(|| Self::expected(token, "squares"))?;
                    draft.board().retain(|man| !gone.contains(&man.square));
                }
                Change::Add => {
                    let men = self.pieces()?;
                    let board = draft.board();
                    board.retain(|man| !men.iter().any(|new| new.square == man.square));
                    board.extend(men);
                }
            }
        }
        Ok(draft)
    }

    fn square(&mut self) -> Result<Square, PopeyeError> {
        let token = self.next()?;
        let name = token.text.to_ascii_lowercase();
        name.parse().map_err(|_| Self::expected(token, "a square"))
    }
}

impl Draft {
    fn add_conditions(&mut self, names: Vec<ConditionName>) {
        for name in names {
            let known = self.conditions.iter().any(|known| known.name == name.name);
            if known && name.name == "Imitator" && self.goal.is_some() {
                self.imitator_end = name.squares.first().copied();
            } else if !known {
                self.conditions.push(name);
            }
        }
    }

    /// Returns the men that twins change.
    fn board(&mut self) -> &mut Vec<PlacedMan> {
        if self.boards.is_empty() {
            self.boards.push((vec![], false));
        }
        &mut self.boards[0].0
    }

    fn displace(&mut self, from: Square, to: Square, exchange: bool) {
        let board = self.board();
        if !exchange {
            board.retain(|man| man.square != to);
        }
        for man in board {
            if man.square == from {
                man.square = to;
            } else if man.square == to {
                man.square = from;
            }
        }
    }

    fn pose(self, letter: Option<char>) -> Result<PopeyeTwin, PopeyeFault> {
        let goal = self.goal.ok_or(PopeyeFault::NoStipulation)?;
        let mut target = vec![];
        let mut men = vec![];
        let first_is_start = self.boards.iter().all(|(_, later)| *later);
        for (at, (board, later)) in self.boards.into_iter().enumerate() {
            let is_start = !goal.from_array && (!later || first_is_start && at == 0);
            let side = if is_start { &mut men } else { &mut target };
            side.retain(|known: &PlacedMan| !board.iter().any(|new| new.square == known.square));
            side.extend(board);
        }
        let mut conditions = self.conditions;
        let uses_b = men.iter().chain(&target).any(|man| man.on_b);
        if uses_b && !conditions.iter().any(|one| one.name == "AliceChess") {
            let alice = ConditionName { name: "AliceChess", variants: vec![], squares: vec![] };
            conditions.push(alice);
        }
        let white = goal.from_array || goal.turns == Turns::Series || self.white_begins;
        let turn = if white { Color::White } else { Color::Black };
        let mut start = FairyStart::ARRAY;
        let mut shown = Setup::START_FEN.to_owned();
        if !goal.from_array {
            let castling = castling(&men, self.no_castling.as_deref());
            shown = placement(&men, turn);
            start = FairyStart { men: Some(men), turn, castling, en_passant: self.en_passant };
        }
        let title = match (self.title, letter) {
            (Some(title), Some(letter)) => Some(format!("{letter}) {title}")),
            (None, Some(letter)) => Some(format!("{letter})")),
            (title, None) => title,
        };
        let problem = FairyProblem {
            start,
            target,
            states_boards: true,
            imitator_end: self.imitator_end,
            plies: goal.plies,
            length: goal.length,
            turns: goal.turns,
            conditions,
            pieces: vec![],
        };
        Ok(PopeyeTwin { problem, title, start: shown })
    }
}

/// Returns the castling rights of kings and rooks that stand at home.
fn castling(men: &[PlacedMan], forbidden: Option<&[Square]>) -> u8 {
    let is_free = |square: Square| match forbidden {
        None => true,
        Some([]) => false,
        Some(listed) => !listed.contains(&square),
    };
    let stands = |square, color, role| {
        let piece = PieceName::Standard(role);
        let found =
            men.iter().any(|man| (man.square, man.color, man.piece) == (square, color, piece));
        found && is_free(square)
    };
    let right = |color: Color, rook: Square, king: Square| {
        u8::from(stands(king, color, Role::King) && stands(rook, color, Role::Rook))
    };
    right(Color::White, Square::H1, Square::E1)
        | right(Color::White, Square::A1, Square::E1) << 1
        | right(Color::Black, Square::H8, Square::E8) << 2
        | right(Color::Black, Square::A8, Square::E8) << 3
}

/// Returns a placement as a FEN; a fairy piece has the first letter of its name.
fn placement(men: &[PlacedMan], turn: Color) -> String {
    let mut setup = Setup::default();
    setup.turn = turn;
    for man in men {
        let letter = match man.piece {
            PieceName::Standard(role) => role.letter(),
            PieceName::Fairy(name) => name.chars().next().unwrap_or('x'),
        };
        setup.put(man.square, man.color, letter);
    }
    setup.to_string()
}

/// Splits `Pa2b2` into letters and squares.
fn split(word: &str) -> Option<(&str, Vec<Square>)> {
    let letters = if word.len() % 2 == 1 { 1 } else { 2 };
    let is_split = word.is_ascii() && word.len() > letters;
    if !is_split {
        return None;
    }
    let (letters, list) = word.split_at(letters);
    Some((letters, squares(list)?))
}

fn squares(text: &str) -> Option<Vec<Square>> {
    let text = text.to_ascii_lowercase();
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok()?.parse().ok());
    pairs.collect::<Option<Vec<Square>>>().filter(|all| !all.is_empty())
}
