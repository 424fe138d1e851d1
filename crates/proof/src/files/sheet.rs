//! Problem sheets: text files with several problems, as problemists keep them.
//!
//! A problem is a line with a FEN placement (more FEN fields may follow) and a length, on the same
//! line or the next one: half-moves (`65`), or moves with a decimal (`32.5`, `PG in 23.0`, `dia23.0`).
//! Lines `Keyword: value` may follow. Any other line is a comment; an empty line ends the problem.
//! Comments above the first empty line belong to the whole file, unless a problem begins there.
//! Windows line ends and a byte order mark are taken as they come.

mod length;

use crate::problem::PLIES_MAX;
use crate::problem::diagram::Diagram;
use crate::strategy::condition::Condition;
pub use length::length_of;
use std::fmt;
use umbrail_chess::geometry::{Color, Setup, SetupError};

/// One problem of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetEntry {
    /// Line of the diagram, from 1.
    pub(crate) line: usize,
    /// Comment lines before and within the problem.
    pub comments: Vec<String>,
    /// The value of `Title:`.
    pub title: Option<String>,
    /// The diagram.
    pub diagram: Diagram,
    /// Number of half-moves.
    pub plies: u16,
    /// The value of `StrategyConditions:`, parsed, with its text.
    pub conditions: Option<(String, Condition)>,
    /// Other keywords that are known: `length`, `intended`, `retraction`, `from-strategy`.
    pub settings: Vec<SheetSetting>,
    /// Warnings, such as a side to move that contradicts the length.
    pub warnings: Vec<String>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl fmt::Display for SheetError {
    /// `12:5: rank 7 …`, to follow the name of the file and a colon.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for SheetError {}

/// Keywords that set something for one problem.
const SETTINGS: [&str; 4] = ["length", "intended", "retraction", "from-strategy"];

/// What a length is.
const LENGTH: &str = "a number of half-moves such as 46, or moves such as 23.0";

/// Reads all problems of a sheet in order, each as a problem or an error.
pub fn read(text: &str) -> Vec<Result<SheetEntry, SheetError>> {
    let mut found = Vec::new();
    let mut comments = Vec::new();
    let mut title: Option<Title> = None;
    let mut open: Option<Draft> = None;
    let close = |draft: Option<Draft>, found: &mut Vec<_>| {
        found.extend(draft.map(Draft::finish));
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let heading = heading(text).len();
    for (index, raw) in text.lines().enumerate().skip(heading) {
        let (line, text) = (index + 1, raw.trim());
        if text.is_empty() {
            close(open.take(), &mut found);
            continue;
        }
        let column = raw.chars().take_while(|symbol| symbol.is_whitespace()).count() + 1;
        if is_placement(text) {
            close(open.take(), &mut found);
            match Draft::begin(text, line, column) {
                Ok(draft) => {
                    let title = title.take().map(|title| title.text);
                    open = Some(Draft { comments: std::mem::take(&mut comments), title, ..draft });
                }
                Err(error) => {
                    let title = title.take().map(|title| title.text);
                    comments.clear();
                    found.push(Err(SheetError { title, ..error }));
                }
            }
            continue;
        }
        match &mut open {
            Some(draft) => draft.add(text, line, column),
            // A title may stand above its diagram.
            None if is_title(text) => {
                let after = text.split_once(':').map_or("", |(_, after)| after.trim());
                let titled = Title { text: after.to_owned(), line, column };
                found.extend(title.replace(titled).map(|lone| Err(lone.without_problem())));
            }
            // Comments belong to the problem that follows; so does the rest of a broken problem.
            None if length_of(text).is_none() => comments.push(text.to_owned()),
            None => {}
        }
    }
    close(open, &mut found);
    found.extend(title.map(|lone| Err(lone.without_problem())));
    found
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
    let comments = heading.iter().all(|line| !is_placement(line) && !is_title(line));
    if !whole || !comments {
        return vec![];
    }
    heading.into_iter().map(str::to_owned).collect()
}

/// The keyword that a mistyped word stands for; a mistyped condition must not be taken for a
/// comment.
fn meant(word: &str) -> Option<&'static str> {
    let known = ["StrategyConditions", "Conditions", "Title", "Length", "Intended", "Retraction"];
    known.into_iter().find(|known| {
        let known = known.to_lowercase();
        word.len() >= 5 && known != word && apart(known.as_bytes(), word.as_bytes()) <= 2
    })
}

/// The edit distance of two words.
fn apart(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.iter().enumerate() {
            let changed = before + usize::from(a != b);
            let least = changed.min(row[j] + 1).min(row[j + 1] + 1);
            before = std::mem::replace(&mut row[j + 1], least);
        }
    }
    row[other.len()]
}

fn is_title(text: &str) -> bool {
    text.split_once(':').is_some_and(|(word, _)| word.trim().eq_ignore_ascii_case("title"))
}

/// Whether a line looks like a diagram, perhaps one that was cut: its first word has enough slashes, and nothing that
/// only prose or a web address would have, or one slash and nothing but letters of men and numbers of squares.
fn is_placement(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    let slashes = word.matches('/').count();
    let cut = slashes > 0
        && word.len() > 8
        && word.contains(|symbol: char| symbol.is_ascii_alphabetic())
        && word.bytes().all(|byte| b"/12345678pnbrqksPNBRQKS".contains(&byte));
    cut || slashes >= 4 && !word.contains("//") && !word.contains(':')
}

/// A problem that is being read.
struct Draft {
    line: usize,
    comments: Vec<String>,
    title: Option<String>,
    diagram: Diagram,
    turn: Option<Color>,
    plies: Option<u16>,
    conditions: Option<(String, Condition)>,
    settings: Vec<SheetSetting>,
    error: Option<SheetError>,
}

impl Draft {
    fn begin(text: &str, line: usize, column: usize) -> Result<Self, SheetError> {
        let mut words = text.split_whitespace();
        let placement = words.next().unwrap_or("");
        let fail = |at: usize, what: String| SheetError::new(line, column + at, what);
        let setup: Setup = placement
            .parse()
            .map_err(|error| fail(offset(placement, &error), error.to_string()))?;
        let diagram = Diagram::from_setup(&setup)
            .map_err(|error| fail(placement.find(error.letter).unwrap_or(0), error.to_string()))?;
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
            line,
            comments: vec![],
            title: None,
            diagram,
            turn,
            plies: None,
            conditions: None,
            settings: vec![],
            error: None,
        };
        if !rest.is_empty() {
            let at = rest[0].as_ptr() as usize - text.as_ptr() as usize;
            draft.add(&rest.join(" "), line, column + text[..at].chars().count());
        }
        Ok(draft)
    }

    /// Adds one more line of the problem.
    fn add(&mut self, text: &str, line: usize, column: usize) {
        if let Some((keyword, value)) = text.split_once(':') {
            let keyword = keyword.trim().to_ascii_lowercase();
            let value = value.trim();
            if keyword == "strategyconditions" || keyword == "conditions" {
                let at = text.chars().count() - value.chars().count();
                match value.parse() {
                    Ok(condition) => self.conditions = Some((value.to_owned(), condition)),
                    Err(error) => {
                        let column = column + at + error.column - 1;
                        let what = format!("StrategyConditions: {}", error.what);
                        self.error.get_or_insert(SheetError::new(line, column, what));
                    }
                }
                return;
            }
            if keyword == "title" {
                self.title = Some(value.to_owned());
                return;
            }
            if let Some(name) = SETTINGS.into_iter().find(|&name| name == keyword) {
                let before = text.chars().count() - value.chars().count();
                let at = (line, column + before);
                self.settings.push(SheetSetting { name, value: value.to_owned(), at });
                return;
            }
            if let Some(meant) = meant(&keyword) {
                let what = format!("\"{keyword}:\" is no keyword, expected {meant}:");
                self.error.get_or_insert(SheetError::new(line, column, what));
                return;
            }
        }
        match length_of(text) {
            Some(plies) if self.plies.is_none() => {
                if plies > PLIES_MAX {
                    let what = format!(
                        "{plies} half-moves are too many, at most {PLIES_MAX} are possible"
                    );
                    self.error.get_or_insert(SheetError::new(line, column, what));
                }
                self.plies = Some(plies);
            }
            None if self.plies.is_none() && text.parse::<f64>().is_ok_and(f64::is_finite) => {
                let what = format!("expected {LENGTH}, got {text}");
                self.error.get_or_insert(SheetError::new(line, column, what));
            }
            _ => self.comments.push(text.to_owned()),
        }
    }

    fn finish(self) -> Result<SheetEntry, SheetError> {
        if let Some(error) = self.error {
            return Err(SheetError { title: self.title, ..error });
        }
        let Some(plies) = self.plies else {
            let what = format!("no length, expected {LENGTH}");
            let title = self.title;
            return Err(SheetError { title, ..SheetError::new(self.line, 1, what) });
        };
        let warnings = self.turn.and_then(|said| contradiction(said, plies)).into_iter().collect();
        Ok(SheetEntry {
            line: self.line,
            comments: self.comments,
            title: self.title,
            diagram: self.diagram,
            plies,
            conditions: self.conditions,
            settings: self.settings,
            warnings,
        })
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

/// The warning about a FEN whose side to move contradicts the number of half-moves.
pub fn contradiction(said: Color, plies: u16) -> Option<String> {
    let turn = if plies.is_multiple_of(2) { Color::White } else { Color::Black };
    let text =
        format!("the FEN says that {said} is to move, but after {plies} half-moves it is {turn}");
    (said != turn).then_some(text)
}

#[cfg(test)]
mod tests;
