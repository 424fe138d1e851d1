//! A problem of a sheet while its lines are read.

use super::unclear::{UnclearAt, UnclearLine, unclear};
use super::{
    LENGTH, SETTINGS, SheetEntry, SheetError, SheetSetting, contradiction, length_of, meant,
};
use crate::problem::PLIES_MAX;
use crate::problem::diagram::Diagram;
use crate::strategy::condition::Condition;
use umbrail_chess::geometry::{Color, Setup, SetupError};

/// A problem that is being read.
pub(super) struct Draft {
    line: usize,
    pub(super) comments: Vec<String>,
    pub(super) title: Option<String>,
    /// Lines right above the diagram that are no comments.
    pub(super) above: Vec<UnclearAt>,
    diagram: Diagram,
    turn: Option<Color>,
    plies: Option<u16>,
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
            above: vec![],
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
    pub(super) fn add(&mut self, text: &str, line: usize, column: usize) {
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
            _ => match unclear(text) {
                None => self.comments.push(text.to_owned()),
                // The length in both notations.
                Some(UnclearLine::Length { plies, .. }) if self.plies == Some(plies) => {}
                Some(seems) => {
                    let error = UnclearAt { seems, text: text.to_owned(), line, column }.error();
                    self.error.get_or_insert(error);
                }
            },
        }
    }

    /// The problem, after its last line.
    ///
    /// # Errors
    /// The first line that cannot be used.
    pub(super) fn finish(self) -> Result<SheetEntry, SheetError> {
        if let Some(error) = self.error {
            return Err(SheetError { title: self.title, ..error });
        }
        let Some(plies) = self.plies else {
            let what = format!("no length, expected {LENGTH}");
            let title = self.title;
            return Err(SheetError { title, ..SheetError::new(self.line, 1, what) });
        };
        if let Some(above) = self.above.into_iter().find(|above| !above.fits(plies)) {
            return Err(SheetError { title: self.title, ..above.error() });
        }
        let start = self.settings.iter().find(|setting| setting.name == "start");
        let first = match start.and_then(|setting| setting.value.split_whitespace().nth(1)) {
            Some("b") => Color::Black,
            _ => Color::White,
        };
        let warnings =
            self.turn.and_then(|given| contradiction(given, first, plies)).into_iter().collect();
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
