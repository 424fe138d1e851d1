//! Problem sheets: text files with several problems, as problemists keep them.
//!
//! A problem is a line with a FEN placement (more FEN fields may follow) and a length, on the same
//! line or the next one: half-moves (`65`), or moves with a decimal (`32.5`, `PG in 23.0`, `dia23.0`).
//! Lines `Keyword: value` may follow, further clauses (`sheet/clause.rs`) and twins (`sheet/twins.rs`). Below the diagram,
//! a line that is not understood is an error unless it says that it is text (`sheet/lines.rs`); an empty line ends the
//! problem. Elsewhere, lines are text unless they look like a part of a problem (`sheet/unclear.rs`); a warning lists
//! those without a sign for comments.
//! Comments above the first empty line belong to the whole file, unless a problem begins there.
//! Windows line ends and a byte order mark are taken as they come.

mod apply;
mod clause;
mod draft;
mod length;
mod lines;
mod pose;
mod twin_changes;
mod twins;
mod unclear;

use self::draft::Draft;
use self::unclear::{UnclearAt, UnclearLine, unclear};
use crate::positions::{FairyProblem, NoSetPlay, nearest_of, set_play_title};
use crate::strategy::condition::Condition;
pub use length::length_of;
use umbrail_chess::geometry::Color;

/// One problem of a sheet, or one of its twins.
#[derive(Clone, Debug)]
pub struct SheetEntry {
    /// Line of the diagram or of the twin, from 1.
    pub line: usize,
    /// Comment lines before and within the problem.
    pub comments: Vec<String>,
    /// The value of `Title:`.
    pub title: Option<String>,
    /// The problem.
    pub problem: FairyProblem,
    /// The stipulation excludes shorter games.
    pub is_exact: bool,
    /// Number of games that the composer intends, if a line of the problem or twin states it.
    pub intended: Option<usize>,
    /// The value of `StrategyConditions:`, parsed, with its text.
    pub conditions: Option<(String, Condition)>,
    /// Other keywords that are known: `length`, `intended`, `retraction`, `from-strategy`, `time`.
    pub settings: Vec<SheetSetting>,
    /// Warnings, such as a side to move that contradicts the length.
    pub warnings: Vec<String>,
}

impl SheetEntry {
    /// Returns the set play of the problem, in which one solution is intended.
    fn set_play(&self) -> Result<Self, SheetError> {
        let fault = |why: NoSetPlay| SheetError::new(self.line, 1, why.to_string());
        let problem = self.problem.set_play().map_err(fault)?;
        let title = set_play_title(self.title.as_deref());
        Ok(Self { title: Some(title), problem, intended: Some(1), ..self.clone() })
    }
}

/// A keyword with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetSetting {
    /// The keyword in lower case.
    pub name: &'static str,
    /// The value as it stands.
    pub value: String,
    /// Line and column of the value, from 1.
    pub at: (usize, usize),
}

/// Why a problem of a sheet cannot be read. The others still can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {what}")]
pub struct SheetError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub what: String,
    /// The title of the problem, where it has one.
    pub title: Option<String>,
}

impl SheetError {
    fn new(line: usize, column: usize, what: String) -> Self {
        Self { line, column, what, title: None }
    }
}

/// Keywords that set something for one problem.
const SETTINGS: [&str; 5] = ["length", "intended", "retraction", "from-strategy", "time"];

/// Keywords that are part of the problem.
const OF_PROBLEM: [&str; 9] = [
    "title",
    "strategyconditions",
    "conditions",
    "condition",
    "stipulation",
    "piece",
    "start",
    "board-b",
    "start-board-b",
];

/// What a length is.
const LENGTH: &str = "a number of half-moves such as 46, or moves such as 23.0";

/// Reads all problems of a sheet in order, each as a problem or an error.
pub fn read(text: &str) -> Vec<Result<SheetEntry, SheetError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let heading = heading(text);
    let mut sheet = SheetReader::default();
    sheet.unmarked.extend(heading.iter().filter(|line| is_unmarked(line)).cloned());
    let lines: Vec<&str> = text.lines().collect();
    for (index, &raw) in lines.iter().enumerate().skip(heading.len()) {
        let is_above = stands_above(&lines[index + 1..]);
        let (line, text) = (index + 1, raw.trim());
        let column = raw.chars().take_while(|symbol| symbol.is_whitespace()).count() + 1;
        match text.is_empty() {
            true => sheet.end_paragraph(),
            false => sheet.add(text, (line, column), is_above),
        }
    }
    sheet.end_paragraph();
    sheet.found.extend(sheet.title.map(|lone| Err(lone.without_problem())));
    if let Some(Ok(last)) = sheet.found.iter_mut().rev().find(|entry| entry.is_ok()) {
        last.warnings.extend(taken_as_text(&sheet.unmarked));
    }
    sheet.found
}

/// Returns true if a title before these lines is that of the diagram in the first of them: unless the last diagram of the
/// paragraph has its title below it, as all others then have.
fn stands_above(rest: &[&str]) -> bool {
    let paragraph = rest.iter().map(|line| line.trim()).take_while(|line| !line.is_empty());
    let is_title = |line: &&str| keyword(line) == Some("title");
    let ends_with_title = {
        let marks = paragraph.clone().filter(|line| is_placement(line) || is_title(line));
        marks.last().is_some_and(|line| is_title(&line))
    };
    !ends_with_title && paragraph.clone().next().is_some_and(is_placement)
}

/// What was read of a sheet so far.
#[derive(Default)]
struct SheetReader {
    found: Vec<Result<SheetEntry, SheetError>>,
    /// The problem to which lines are added.
    open: Option<Draft>,
    /// The diagram above cannot be read, so the lines below it say nothing.
    broken: bool,
    /// Comments of the next problem.
    comments: Vec<String>,
    /// Those of them that have no sign of a comment.
    unmarked: Vec<String>,
    /// The title of the next problem.
    title: Option<Title>,
    /// Lines of this paragraph that are no comments, while no diagram is above them.
    above: Vec<UnclearAt>,
}

impl SheetReader {
    /// Adds a line that is not empty. `is_above` is true if a title here belongs to the next line, a diagram.
    fn add(&mut self, text: &str, (line, column): (usize, usize), is_above: bool) {
        if is_placement(text) {
            return self.begin(text, line, column);
        }
        // A title above a diagram, and a second title, belong to the next problem, also without an empty line between them.
        let has_title = self.open.as_ref().is_some_and(|it| it.title.is_some());
        if keyword(text) == Some("title") && (is_above || has_title) {
            self.close();
        }
        match &mut self.open {
            Some(draft) => draft.add(text, line, column),
            // A title may stand above its diagram.
            None if keyword(text) == Some("title") => {
                let after = text.split_once(':').map_or("", |(_, after)| after.trim());
                let titled = Title { text: after.to_owned(), line, column };
                let lone = self.title.replace(titled);
                self.found.extend(lone.map(|lone| Err(lone.without_problem())));
            }
            None if self.broken => {}
            None => {
                let is_keyword = keyword(text).is_some();
                let seems = if is_keyword { Some(UnclearLine::Keyword) } else { unclear(text) };
                match seems {
                    // A comment belongs to the problem that follows.
                    None => {
                        self.unmarked.extend(is_unmarked(text).then(|| text.to_owned()));
                        self.comments.push(text.to_owned());
                    }
                    Some(seems) => {
                        let text = text.to_owned();
                        self.above.push(UnclearAt { seems, text, line, column });
                    }
                }
            }
        }
    }

    fn begin(&mut self, text: &str, line: usize, column: usize) {
        self.close();
        let title = self.title.take().map(|title| title.text);
        let comments = std::mem::take(&mut self.comments);
        let above = std::mem::take(&mut self.above);
        let unmarked = std::mem::take(&mut self.unmarked);
        match Draft::begin(text, line, column) {
            Ok(mut draft) => {
                (draft.comments, draft.title, draft.above) = (comments, title, above);
                draft.unmarked = unmarked;
                self.open = Some(draft);
            }
            Err(error) => {
                self.broken = true;
                self.found.push(Err(SheetError { title, ..error }));
            }
        }
    }

    fn close(&mut self) {
        self.found.extend(self.open.take().map(Draft::finish).into_iter().flatten());
        self.broken = false;
    }

    /// An empty line, or the end. What stood without a diagram and is no comment belongs to the problem above, which it
    /// changes.
    fn end_paragraph(&mut self) {
        self.close();
        let Some(above) = std::mem::take(&mut self.above).into_iter().next() else { return };
        let letter = twins::letter_of(&above.text);
        match (self.found.last_mut(), letter) {
            (Some(last), Some(letter)) => {
                // A twin changes none of those before it.
                let title = match last {
                    Ok(entry) => &entry.title,
                    Err(error) => &error.title,
                };
                let title = Some(twins::titled(letter, title.as_deref()));
                self.found.push(Err(SheetError { title, ..above.error() }));
            }
            (Some(last), None) => {
                if let Ok(entry) = last {
                    *last = Err(SheetError { title: entry.title.clone(), ..above.error() });
                }
            }
            (None, _) => self.found.push(Err(above.error())),
        }
    }
}

/// A title above its diagram.
struct Title {
    text: String,
    line: usize,
    column: usize,
}

impl Title {
    /// The error of a title that no diagram follows.
    fn without_problem(self) -> SheetError {
        let what = format!("no diagram below the title \"{}\", expected a FEN", self.text);
        let title = Some(self.text);
        SheetError { title, ..SheetError::new(self.line, self.column, what) }
    }
}

/// The comments of the whole file: all lines above the first empty one, when they are nothing but comments.
pub fn heading(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().map(str::trim);
    let heading: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    // Without an empty line and something below it the comments belong to no file.
    let whole = lines.next().is_some();
    let is_problem = |line: &str| {
        let seems = unclear(line);
        is_placement(line)
            || keyword(line).is_some()
            || matches!(seems, Some(UnclearLine::Diagram | UnclearLine::Condition))
    };
    let comments = !heading.iter().any(|line| is_problem(line));
    if !whole || !comments {
        return vec![];
    }
    heading.into_iter().map(str::to_owned).collect()
}

/// The keyword that a mistyped word stands for; a mistyped condition must not be taken for a
/// comment.
fn meant(word: &str) -> Option<&'static str> {
    let known = [
        "StrategyConditions",
        "Conditions",
        "Condition",
        "Title",
        "Length",
        "Intended",
        "Retraction",
        "Time",
        "Stipulation",
        "Piece",
        "Start",
    ];
    let nearest = nearest_of(word, known);
    nearest.into_iter().next().and_then(|near| known.into_iter().find(|known| *known == near))
}

/// The warning about lines without a sign for comments that no problem uses.
fn taken_as_text(lines: &[String]) -> Option<String> {
    let quoted: Vec<String> = lines.iter().map(|line| format!("\"{line}\"")).collect();
    let plural = if lines.len() == 1 { "this line is" } else { "these lines are" };
    let signs = "# in front says so";
    (!lines.is_empty()).then(|| {
        format!("{plural} taken as text, no part of the problem ({signs}): {}", quoted.join(", "))
    })
}

/// Whether a line of text does not say that it is one.
fn is_unmarked(text: &str) -> bool {
    !lines::is_text(text) && !text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The keyword in front of a line, in lower case.
fn keyword(text: &str) -> Option<&'static str> {
    let (word, _) = text.split_once(':')?;
    let word = word.trim();
    let all = SETTINGS.into_iter().chain(OF_PROBLEM);
    all.into_iter().find(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a line looks like a diagram, perhaps one that was cut: its first word has enough slashes, and nothing that
/// only prose or a web address would have, or one slash and nothing but letters of pieces and numbers of squares (outside English, at least one number).
fn is_placement(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    let slashes = word.matches('/').count();
    let cut = slashes > 0
        && word.len() > 8
        && word.contains(|symbol: char| symbol.is_ascii_alphabetic())
        && (consists_of(word, "pnbrqks")
            || word.contains(|symbol: char| symbol.is_ascii_digit())
                && consists_of(word, "acdfklnpqrstb"));
    cut || slashes >= 4 && !word.contains("//") && !word.contains(':')
}

/// Whether a word has only these letters, in either case, slashes and numbers of empty squares.
fn consists_of(word: &str, letters: &str) -> bool {
    word.chars().all(|symbol| {
        matches!(symbol, '/' | '1'..='8') || letters.contains(symbol.to_ascii_lowercase())
    })
}

/// The warning about a FEN whose side to move contradicts the number of half-moves, the first of which `first` makes.
pub fn contradiction(given: Color, first: Color, plies: u16) -> Option<String> {
    let turn = if plies.is_multiple_of(2) { first } else { !first };
    let text =
        format!("the FEN says that {given} is to move, but after {plies} half-moves it is {turn}");
    (given != turn).then_some(text)
}

#[cfg(test)]
mod tests;
