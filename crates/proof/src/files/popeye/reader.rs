//! Reader of Popeye's input.

use super::draft::{Duplex, PopeyeDraft, PopeyeGoal};
use super::words::{
    Change, Command, OptionWord, Token, change, command, language, nearest_command, option,
    squares, tokens,
};
use super::{PopeyeError, PopeyeFault, PopeyeTwin};
use crate::files::board_change::{BoardChange, WholeBoard};
use crate::positions::{ConditionName, Language, PieceName, PlacedMan, Turns};
use crate::problem::Length;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Setup, Square};

/// Reader of one file.
pub(super) struct PopeyeReader<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    pub(super) at: usize,
    pub(super) language: Language,
}

impl<'a> PopeyeReader<'a> {
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

    pub(super) fn expected(token: Token<'_>, expected: &'static str) -> PopeyeError {
        Self::fault(token, PopeyeFault::Expected { expected, got: token.text.to_owned() })
    }

    pub(super) fn unsupported(token: Token<'_>, kind: &'static str) -> PopeyeError {
        Self::fault(token, PopeyeFault::Unsupported { kind, word: token.text.to_owned() })
    }

    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Result<Token<'a>, PopeyeError> {
        let token = self.peek().ok_or_else(|| PopeyeError {
            line: self.text.lines().count().max(1),
            column: 1,
            fault: PopeyeFault::End,
        })?;
        self.at += 1;
        Ok(token)
    }

    /// Returns the next word unless it is a command at the beginning of a line.
    pub(super) fn argument(&self) -> Option<Token<'a>> {
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
        let mut draft = PopeyeDraft::default();
        let mut states: Vec<(PopeyeDraft, Token<'a>)> = vec![];
        let mut zero = false;
        loop {
            let token = self.next()?;
            let Some(found) = command(token.text, self.language) else {
                let near = nearest_command(token.text, self.language);
                return Err(near.map_or_else(
                    || Self::expected(token, "a command such as pieces or stipulation"),
                    |near| Self::expected(token, near),
                ));
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
                        PopeyeDraft { zero, ..draft }
                            .pose(letter)
                            .map_err(|fault| Self::fault(token, fault))
                    });
                    let twins = named.collect::<Result<Vec<_>, _>>()?.concat();
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
        draft: &mut PopeyeDraft,
    ) -> Result<(), PopeyeError> {
        match found {
            Command::Text(keyword) => draft.add_text(keyword, &self.rest_of_line(token)),
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

    fn options(&mut self, draft: &mut PopeyeDraft) -> Result<(), PopeyeError> {
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
                OptionWord::SetPlay => draft.set_play = true,
                OptionWord::Duplex => draft.duplex = Duplex::Both,
                OptionWord::HalfDuplex => draft.duplex = Duplex::Half,
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

    fn stipulation(&mut self) -> Result<PopeyeGoal, PopeyeError> {
        let token = self.next()?;
        let unsupported = || Self::unsupported(token, "stipulation");
        let word = token.text.to_ascii_lowercase();
        let mut rest = word.as_str();
        let mut goal = PopeyeGoal {
            plies: 0,
            length: Length::Parity,
            turns: Turns::Alternating,
            from_array: true,
        };
        loop {
            if let Some(after) = rest.strip_prefix("ser-h") {
                (goal.turns, rest) = (Turns::SeriesHelp, after);
            } else if let Some(after) = rest.strip_prefix("pser-h") {
                (goal.turns, rest) = (Turns::ParryHelp, after);
            } else if let Some(after) = rest.strip_prefix("ser-") {
                (goal.turns, rest) = (Turns::Series, after);
            } else if let Some(after) = rest.strip_prefix("pser-") {
                (goal.turns, rest) = (Turns::Parry, after);
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
        let half = if goal.turns.is_series() && half != "0" { "" } else { half };
        let moves = moves.filter(|&moves| moves > 0 || !goal.turns.has_help());
        let (Some(moves), "0" | "5") = (moves, half) else {
            return Err(Self::expected(place, "a number of moves such as 4 or 4.5"));
        };
        goal.plies = match goal.turns {
            Turns::Alternating => 2 * moves + u16::from(half == "5"),
            series => moves + u16::from(series.has_help()),
        };
        Ok(goal)
    }

    fn twin(&mut self, base: PopeyeDraft, last: PopeyeDraft) -> Result<PopeyeDraft, PopeyeError> {
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
                Change::Stipulation => {
                    let goal = self.stipulation()?;
                    if !goal.from_array || draft.goal.is_some_and(|known| !known.from_array) {
                        return Err(Self::fault(token, PopeyeFault::OtherStipulation));
                    }
                    draft.goal = Some(goal);
                }
                Change::Condition => {
                    if !std::mem::replace(&mut resets, true) {
                        (draft.conditions, draft.imitator_end) = (vec![], None);
                    }
                    let names = self.conditions()?;
                    draft.add_conditions(names);
                }
                Change::Move => {
                    let [from, to] = [self.square()?, self.square()?];
                    // As in Popeye, the piece replaces another one there.
                    draft.board().retain(|man| from == to || man.square != to);
                    Self::changed(&mut draft, token, &BoardChange::Move(from, to))?;
                }
                Change::Exchange => {
                    let [one, other] = [self.square()?, self.square()?];
                    Self::changed(&mut draft, token, &BoardChange::Exchange(one, other))?;
                }
                Change::Remove => {
                    let token = self.next()?;
                    let gone =
                        squares(token.text).ok_or_else(|| Self::expected(token, "squares"))?;
                    Self::changed(&mut draft, token, &BoardChange::Remove(gone))?;
                }
                Change::Rotate => {
                    let token = self.next()?;
                    let turns = ["90", "180", "270"].iter().position(|one| *one == token.text);
                    let turns =
                        turns.ok_or_else(|| Self::expected(token, "the angle 90, 180 or 270"))?;
                    let whole = WholeBoard::Rotated(turns as u8 + 1);
                    Self::changed(&mut draft, token, &BoardChange::Whole(whole))?;
                }
                Change::Mirror => {
                    let token = self.next()?;
                    let corners: Vec<Square> = token
                        .text
                        .split(['<', '-', '>'])
                        .filter_map(|name| name.to_ascii_lowercase().parse().ok())
                        .collect();
                    let [one, other] = corners[..] else {
                        return Err(Self::expected(token, "corners such as a1<-->h1"));
                    };
                    let whole = WholeBoard::Mirrored(one, other);
                    Self::changed(&mut draft, token, &BoardChange::Whole(whole))?;
                }
                Change::Shift => {
                    let [from, to] = [self.square()?, self.square()?];
                    let by = |a: u8, b: u8| i32::from(b) - i32::from(a);
                    let files = by(from.file(), to.file());
                    let whole = WholeBoard::Shifted(files, by(from.rank(), to.rank()));
                    Self::changed(&mut draft, token, &BoardChange::Whole(whole))?;
                }
                Change::PolishType => {
                    let whole = WholeBoard::ColorsExchanged;
                    Self::changed(&mut draft, token, &BoardChange::Whole(whole))?;
                }
                Change::Substitute => {
                    let [old, new] = [self.piece_word()?, self.piece_word()?];
                    Self::changed(&mut draft, token, &BoardChange::Substitute(old, new))?;
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

    /// Changes the board of a twin.
    fn changed(
        draft: &mut PopeyeDraft,
        token: Token<'_>,
        change: &BoardChange,
    ) -> Result<(), PopeyeError> {
        let changed = change.apply(draft.board());
        changed.map_err(|fault| Self::fault(token, PopeyeFault::Board(fault.to_string())))
    }

    fn piece_word(&mut self) -> Result<PieceName, PopeyeError> {
        let token = self.next()?;
        self.piece(token.text).ok_or_else(|| Self::unsupported(token, "piece"))
    }

    fn square(&mut self) -> Result<Square, PopeyeError> {
        let token = self.next()?;
        let name = token.text.to_ascii_lowercase();
        name.parse().map_err(|_| Self::expected(token, "a square"))
    }
}
