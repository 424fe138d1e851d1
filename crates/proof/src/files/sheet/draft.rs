//! A problem of a sheet while its lines are read.

use super::apply::{ClauseFault, apply_clauses};
use super::clause::{Clause, SheetGoal, clause, parts};
use super::lines::{clause_hint, is_of_twin, is_text, not_understood, unread_twin};
use super::pose::{PlacedLine, SheetState, SheetTwins};
use super::twins::UnreadTwin;
use super::unclear::{UnclearAt, UnclearLine, unclear};
use super::{
    LENGTH, SETTINGS, SheetEntry, SheetError, SheetSetting, contradiction, length_of, meant,
    taken_as_text,
};
use crate::positions::{ConditionName, FairyStart, PieceName, Turns, castling_of, men_of};
use crate::strategy::condition::Condition;
use umbrail_chess::PieceLetters;
use umbrail_chess::geometry::{Bitboard, Color, Setup, SetupError};

/// Stands for a length that is not stated.
const NO_GOAL: SheetGoal = SheetGoal {
    plies: 0,
    exact: false,
    series: false,
    kind: Turns::Series,
    halves: false,
    from_array: None,
};

/// A problem that is being read.
pub(super) struct Draft {
    /// The placement with its place.
    placement: PlacedLine,
    setup: Setup,
    pub(super) comments: Vec<String>,
    pub(super) title: Option<String>,
    /// Lines right above the diagram that are no comments.
    pub(super) above: Vec<UnclearAt>,
    /// Lines of text above the diagram that have no sign of a comment.
    pub(super) unmarked: Vec<String>,
    turn: Option<Color>,
    state: SheetState,
    pieces: Vec<(char, PieceName)>,
    start: Option<PlacedLine>,
    /// Squares of Alice's board B at the end and at the start.
    boards: [Bitboard; 2],
    twins: Vec<(PlacedLine, Option<UnreadTwin>)>,
    /// Lines with clauses.
    sources: Vec<PlacedLine>,
    conditions: Option<(String, Condition)>,
    settings: Vec<SheetSetting>,
    error: Option<SheetError>,
}

impl Draft {
    /// Begins with the line of a diagram.
    ///
    /// # Errors
    /// What is wrong with the diagram.
    pub(super) fn begin(text: &str, line: usize, column: usize) -> Result<Self, SheetError> {
        let mut words = text.split_whitespace();
        let placement = words.next().unwrap_or("");
        let setup: Setup = placement.parse().map_err(|error| {
            SheetError::new(line, column + offset(placement, &error), error.to_string())
        })?;
        let mut rest: Vec<&str> = words.collect();
        let turn = rest.first().and_then(|word| match *word {
            "w" => Some(Color::White),
            "b" => Some(Color::Black),
            _ => None,
        });
        if turn.is_some() {
            // Side to move, castling, en passant and two optional counters do not belong to a
            // diagram.
            let fields = if rest.len() >= 5 { 5 } else { rest.len().min(3) };
            rest.drain(..fields);
        }
        let mut draft = Self {
            placement: PlacedLine { text: placement.to_owned(), line, column },
            setup,
            comments: vec![],
            title: None,
            above: vec![],
            unmarked: vec![],
            turn,
            state: SheetState {
                men: [vec![], vec![]],
                start: None,
                goal: None,
                intended: None,
                conditions: vec![],
                imitator_end: None,
                states_boards: false,
                duplex: [true, false],
                zero: false,
                set_play: false,
                uncolored: false,
                series: false,
                exact: false,
                added: vec![],
            },
            pieces: vec![],
            start: None,
            boards: [Bitboard::EMPTY; 2],
            twins: vec![],
            sources: vec![],
            conditions: None,
            settings: vec![],
            error: None,
        };
        if let Some(first) = rest.first() {
            let at = first.as_ptr() as usize - text.as_ptr() as usize;
            let rest = &text[at..];
            // Twins may follow the length on the line.
            let is_label = |word: &&str| {
                let bare = word.trim_start_matches(['+', '(']);
                matches!(bare.as_bytes(), [b'a'..=b'z', b')', ..])
            };
            let twin = rest.split_whitespace().find(is_label);
            let twin = twin.map(|word| word.as_ptr() as usize - rest.as_ptr() as usize);
            let (length, twins) = rest.split_at(twin.unwrap_or(rest.len()));
            for part in [length, twins] {
                let at = part.as_ptr() as usize - text.as_ptr() as usize;
                let column = column + text[..at].chars().count();
                if !part.trim().is_empty() {
                    draft.add(part.trim(), line, column);
                }
            }
        }
        Ok(draft)
    }

    fn fail(&mut self, error: SheetError) {
        self.error.get_or_insert(error);
    }

    /// Adds one more line of the problem.
    pub(super) fn add(&mut self, text: &str, line: usize, column: usize) {
        if let Some((keyword, value)) = text.split_once(':') {
            let keyword = keyword.trim().to_ascii_lowercase();
            let value = value.trim();
            let before = text.chars().count() - value.chars().count();
            let placed = PlacedLine { text: value.to_owned(), line, column: column + before };
            if self.keyword(&keyword, placed) {
                return;
            }
            if let Some(meant) = meant(&keyword) {
                let what = format!("\"{keyword}:\" is no keyword, expected {meant}:");
                self.fail(SheetError::new(line, column, what));
                return;
            }
        }
        let placed = PlacedLine { text: text.to_owned(), line, column };
        if is_text(text) {
            return self.comments.push(text.to_owned());
        }
        let is_length = length_of(text).is_some();
        if self.state.goal.is_none() && !is_length && text.parse::<f64>().is_ok_and(f64::is_finite)
        {
            self.fail(placed.error(0, format!("expected {LENGTH}, got {text}")));
            return;
        }
        let seems = unclear(text);
        match seems {
            Some(UnclearLine::Twin) => match clause(text) {
                Ok(Some(zero @ Clause::ZeroPosition)) => drop(self.state.apply(zero)),
                _ => self.twins.push((placed, unread_twin(text, true))),
            },
            Some(seems @ UnclearLine::Diagram) => {
                self.fail(UnclearAt { seems, text: text.to_owned(), line, column }.error());
            }
            _ => self.clauses(&placed, seems),
        }
    }

    /// Applies the clauses of a line.
    fn clauses(&mut self, placed: &PlacedLine, seems: Option<UnclearLine>) {
        self.sources.push(placed.clone());
        let before = self.state.clone();
        let Err((at, fault)) = apply_clauses(&placed.text, false, &mut self.state) else { return };
        let error = match fault {
            ClauseFault::Unknown if is_of_twin(&placed.text, !self.twins.is_empty()) => {
                self.state = before;
                return self.twins.push((placed.clone(), unread_twin(&placed.text, false)));
            }
            ClauseFault::Unknown => {
                let part = parts(&placed.text).into_iter().rev().find(|part| part.at <= at);
                let part = part.and_then(|part| part.text.get(at - part.at..));
                let what = not_understood(
                    &placed.text,
                    part.unwrap_or(&placed.text),
                    seems.map(|seems| seems.to_string()),
                );
                placed.error(at, what)
            }
            ClauseFault::Length(plies) => {
                let seems = UnclearLine::Length { plies, bare: false };
                let PlacedLine { text, line, column } = placed.clone();
                UnclearAt { seems, text, line, column }.error()
            }
            ClauseFault::Wrong(what) => placed.error(at, what),
        };
        self.fail(error);
    }

    /// Reads the value of a keyword. Returns false if the word is none.
    fn keyword(&mut self, keyword: &str, placed: PlacedLine) -> bool {
        let value = placed.text.as_str();
        match keyword {
            "strategyconditions" | "conditions" => match value.parse() {
                Ok(condition) => self.conditions = Some((value.to_owned(), condition)),
                // Names of fairy conditions may stand there, too.
                Err(_)
                    if keyword == "conditions"
                        && apply_clauses(value, true, &mut self.state).is_ok() => {}
                Err(error) => {
                    let (line, column) = (placed.line, placed.column + error.column - 1);
                    let what = match keyword {
                        "conditions" => format!(
                            "expected fairy conditions, as behind Condition:, or conditions on strategies, as behind StrategyConditions:, got \"{value}\""
                        ),
                        _ if ConditionName::read_whole(value).is_some() => format!(
                            "StrategyConditions: {}; a fairy condition stands behind Condition:",
                            error.what
                        ),
                        _ => format!("StrategyConditions: {}", error.what),
                    };
                    self.fail(SheetError::new(line, column, what));
                }
            },
            "title" => self.title = Some(value.to_owned()),
            "condition" | "stipulation" => {
                self.sources.push(placed.clone());
                if let Err((at, fault)) = apply_clauses(value, true, &mut self.state) {
                    let part = parts(value).into_iter().find(|part| part.at == at);
                    let part = part.map_or("", |part| part.text);
                    let what = match fault {
                        ClauseFault::Wrong(what) => what,
                        ClauseFault::Length(_) => format!("{part} is a second length"),
                        ClauseFault::Unknown if keyword == "condition" => {
                            let known = ConditionName::read(part);
                            known.map_or_else(|why| why.to_string(), |name| name.to_string())
                        }
                        ClauseFault::Unknown => {
                            format!("expected {LENGTH}, got \"{part}\"{}", clause_hint(part))
                        }
                    };
                    self.fail(placed.error(at, what));
                }
            }
            "piece" => match PieceName::assigned(value) {
                Some(piece) => match PieceName::conflict(&self.pieces, piece) {
                    None => self.pieces.push(piece),
                    Some(why) => self.fail(placed.error(0, why)),
                },
                None => {
                    let what = match value.split_once('=') {
                        Some((letter, name)) if letter.trim().len() == 1 && !name.is_empty() => {
                            PieceName::unknown(name.trim())
                        }
                        _ => format!(
                            "expected a letter and a piece, such as G=grasshopper, got \"{value}\""
                        ),
                    };
                    self.fail(placed.error(0, what));
                }
            },
            "start" => self.start = Some(placed),
            "board-b" | "start-board-b" => {
                let text = value.replace([' ', ','], "").to_ascii_lowercase();
                let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
                let squares: Option<Bitboard> =
                    pairs.map(|pair| pair.and_then(|name| name.parse().ok())).collect();
                match squares {
                    Some(squares) => {
                        self.boards[usize::from(keyword != "board-b")] = squares;
                        self.state.states_boards |= keyword == "board-b";
                    }
                    None => self.fail(
                        placed.error(0, format!("expected squares such as f3c6, got \"{value}\"")),
                    ),
                }
            }
            _ => match SETTINGS.into_iter().find(|&name| name == keyword) {
                Some(name) => {
                    let at = (placed.line, placed.column);
                    self.settings.push(SheetSetting { name, value: placed.text, at });
                }
                None => return false,
            },
        }
        true
    }

    /// Returns the problems after the last line: one for each twin.
    pub(super) fn finish(mut self) -> Vec<Result<SheetEntry, SheetError>> {
        let title = self.title.clone();
        match self.finished() {
            Ok(entries) => {
                let titled = |error: SheetError| SheetError {
                    title: error.title.or_else(|| title.clone()),
                    ..error
                };
                entries.into_iter().map(|entry| entry.map_err(titled)).collect()
            }
            Err(error) => vec![Err(SheetError { title, ..error })],
        }
    }

    fn finished(&mut self) -> Result<Vec<Result<SheetEntry, SheetError>>, SheetError> {
        let language = self.language();
        let has_meaning = |letter: char| {
            language.role(letter).is_some()
                || self.pieces.iter().any(|(known, _)| known.eq_ignore_ascii_case(&letter))
        };
        let unknown = self.setup.pieces().find(|&(.., letter)| !has_meaning(letter));
        if let Some((square, color, letter)) = unknown {
            let letter = if color.is_white() { letter } else { letter.to_ascii_lowercase() };
            let at = self.placement.text.find(letter).unwrap_or(0);
            let error = crate::UnknownLetter { letter, square };
            let letter = letter.to_ascii_uppercase();
            let hint =
                format!("; a line Piece: {letter}=NAME below the diagram gives it a meaning");
            return Err(self.placement.error(at, error.to_string() + &hint));
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let line = self.placement.line;
        let men = |setup: &Setup, on_b| men_of(setup, &self.pieces, on_b);
        let placed = men(&self.setup, self.boards[0]);
        self.state.men[0] = placed.map_err(|error| self.placement.error(0, error.to_string()))?;
        if let Some(start) = &self.start {
            let given: Result<Setup, SetupError> = start.text.parse();
            let given = given.map_err(|error| start.error(0, format!("start: {error}")))?;
            let placed = men(&given, self.boards[1]);
            self.state.men[1] = placed.map_err(|error| start.error(0, error.to_string()))?;
            self.state.start = Some(FairyStart {
                men: None,
                turn: given.turn,
                castling: castling_of(&given.castling),
                en_passant: given.en_passant,
            });
        }
        // Each twin may have a length of its own; a twin without one is reported.
        let goal = self.state.goal.unwrap_or(NO_GOAL);
        if let Some(above) =
            std::mem::take(&mut self.above).into_iter().find(|above| !above.fits(goal.plies))
        {
            return Err(above.error());
        }
        let first = self.state.start.as_ref().map_or(Color::White, |start| start.turn);
        let odd = self.turn.and_then(|given| contradiction(given, first, goal.plies));
        let is_stated = self.state.goal.is_some() && !goal.series;
        let text = taken_as_text(&self.unmarked);
        let warnings = odd.filter(|_| is_stated).into_iter().chain(text).collect();
        let entry = SheetEntry {
            line,
            comments: std::mem::take(&mut self.comments),
            title: self.title.take(),
            problem: self.state.problem(&[], goal, false),
            is_exact: false,
            intended: None,
            conditions: self.conditions.take(),
            settings: std::mem::take(&mut self.settings),
            warnings,
        };
        let state = self.state.clone();
        let (pieces, lines, sources) = (&self.pieces, &self.twins, &self.sources);
        Ok(SheetTwins { state, language, pieces, lines, sources, entry }.all())
    }

    /// Returns the language of the letters that have no meaning of their own.
    fn language(&self) -> PieceLetters {
        let cased = |(_, color, letter): (_, Color, char)| match color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        };
        let known =
            |letter: &char| self.pieces.iter().any(|(known, _)| known.eq_ignore_ascii_case(letter));
        let letters: String =
            self.setup.pieces().map(cased).filter(|letter| !known(letter)).collect();
        PieceLetters::of_placement(&letters)
    }
}

/// Where in a placement an error lies, in characters from its beginning.
fn offset(placement: &str, error: &SetupError) -> usize {
    match error {
        SetupError::Character { column, .. } => column.saturating_sub(1),
        SetupError::RankLength { rank, .. } => placement
            .split('/')
            .take(8usize.saturating_sub(usize::from(*rank)))
            .map(|written| written.chars().count() + 1)
            .sum(),
        _ => 0,
    }
}
