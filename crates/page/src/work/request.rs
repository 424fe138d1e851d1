//! Request of a run, as its folder stores it.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use umbrail_control::write_whole;
use umbrail_session::{Command, Domain, Task};

/// Archive of a run of proof games.
pub(crate) const ARCHIVE: &str = "archive.spga";
/// Archive of the search of positions, which the tasks keep beside [`ARCHIVE`].
const POSITIONS: &str = "archive.spga.positions";
/// Folder with an archive for each problem of a sheet.
const ARCHIVES: &str = "archives";
/// Files that a run of proof games writes at its end, by the key of each.
pub(super) const EXPORTS: [(&str, &str); 4] = [
    ("output", "result.txt"),
    ("pgn", "games.pgn"),
    ("latex", "result.tex"),
    ("html", "result.html"),
];

/// A request and its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "craft", rename_all = "lowercase")]
pub(crate) enum RunRequest {
    /// A proof game.
    Proof(ProofRequest),
    /// Several proof games.
    Sheet(SheetRequest),
    /// A steno.
    Steno(StenoRequest),
    /// An endgame table.
    Table(TableRequest),
    /// Several endgames, counted one after another.
    Survey(SurveyRequest),
}

/// Endgames to be counted one after another, with the keys of `egt stats`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SurveyRequest {
    /// Pattern with question marks, such as `K?.K?`.
    pub(crate) pattern: String,
    /// Letters that a question mark stands for.
    pub(crate) letters: String,
    /// Endgames of the pattern.
    pub(crate) endgames: Vec<String>,
    /// Pieces, metric and folder of each table; the endgame is empty.
    pub(crate) table: TableRequest,
}

/// Proof games to be solved one after another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SheetRequest {
    /// Problems, in the format of a problem file.
    pub(crate) text: String,
}

impl SheetRequest {
    /// Returns the title of the first problem that has one.
    fn title(&self) -> Option<&str> {
        let title = |line: &str| {
            let (word, title) = line.split_once(':')?;
            word.trim().eq_ignore_ascii_case("title").then(|| line.len() - title.len())
        };
        let line = self.text.lines().find(|line| title(line).is_some())?;
        Some(line[title(line)?..].trim()).filter(|title| !title.is_empty())
    }
}

/// A steno to be solved, with the keys of `steno solve`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct StenoRequest {
    /// The steno.
    pub(crate) text: String,
    /// Vocabulary; empty for that of the options.
    pub(crate) vocabulary: String,
    /// Maximum number of games to list; empty for the default. All games are counted.
    pub(crate) games: String,
}

impl StenoRequest {
    /// Returns the task of a verb on this steno.
    pub(crate) fn task(&self, verb: &'static str) -> Task {
        let vocabulary = self.vocabulary.trim();
        let keys = match vocabulary.is_empty() {
            true => vec![],
            false => vec![("vocabulary", vocabulary.to_owned())],
        };
        let text = Some(self.text.trim().to_owned());
        Task { domain: Domain::Steno, verb, subject: vec![], keys, text }
    }
}

/// An endgame table to be built and saved, with the keys of `egt save`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TableRequest {
    /// Endgame, such as `KQ.KR`.
    pub(crate) endgame: String,
    /// Metric of wins.
    pub(crate) metric: String,
    /// File with definitions of pieces, if there is one.
    pub(crate) pieces: Option<PathBuf>,
    /// Lines of definitions, as given to the page.
    pub(crate) piece: String,
    /// Folder of tables.
    pub(crate) folder: PathBuf,
}

impl TableRequest {
    /// Returns the command that makes a session read and store tables in the folder.
    pub(crate) fn folder_command(&self) -> Command {
        let folder = self.folder.to_string_lossy().into_owned();
        Command::SetOption { name: "EGT Folder".to_owned(), value: Some(folder) }
    }

    /// Writes the file of definitions again if it was removed.
    fn restore_pieces(&self) {
        let Some(path) = self.pieces.as_ref().filter(|path| !path.exists()) else { return };
        // The task reports a file that is missing.
        let _ = write_whole(path, |out| writeln!(out, "{}", self.piece));
    }

    /// Returns the task of a verb on this endgame.
    pub(crate) fn task(&self, verb: &'static str) -> Task {
        let mut keys = vec![("metric", self.metric.clone())];
        let pieces = self.pieces.as_ref().map(|path| path.to_string_lossy().into_owned());
        keys.extend(pieces.map(|path| ("pieces", path)));
        Task { domain: Domain::Egt, verb, subject: vec![self.endgame.clone()], keys, text: None }
    }
}

/// Files that the solver of stenos writes: saved work, and results.
const CHECKPOINT: &str = "steno.checkpoint";
const STENO_EXPORTS: [(&str, &str); 2] = [("pgn", "games.pgn"), ("html", "result.html")];

/// A proof game to be found, with the keys of `spg solve`; an empty value is the default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ProofRequest {
    /// Diagram.
    pub(crate) fen: String,
    /// Length, such as `23.0`.
    pub(crate) moves: String,
    /// Treatment of shorter games: the option `SPG Length`.
    pub(crate) length: String,
    /// Retraction of last moves: the option `SPG Retraction`.
    pub(crate) retraction: String,
    /// Condition that strategies must meet.
    pub(crate) conditions: String,
    /// Fairy conditions, separated by semicolons or lines.
    pub(crate) rules: String,
    /// Meanings of letters such as `G=grasshopper`, separated in the same way or by commas.
    pub(crate) pieces: String,
    /// First position; empty for the initial one.
    pub(crate) start: String,
    /// Not empty if the side to move makes all moves.
    pub(crate) series: String,
    /// Solver; empty for that of the options.
    pub(crate) solver: String,
}

/// Returns the parts of a list that people typed.
fn parts<'a>(text: &'a str, signs: &'a [char]) -> impl Iterator<Item = String> + 'a {
    let parts = text.split(signs).map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty())
}

impl ProofRequest {
    /// Returns the task of a verb on this problem.
    pub(crate) fn task(&self, verb: &'static str) -> Task {
        let words = [
            ("fen", &self.fen),
            ("moves", &self.moves),
            ("length", &self.length),
            ("retraction", &self.retraction),
            ("conditions", &self.conditions),
            ("start", &self.start),
            ("solver", &self.solver),
        ];
        let given = words.into_iter().map(|(key, word)| (key, word.trim().to_owned()));
        let mut keys: Vec<_> = given.filter(|(_, word)| !word.is_empty()).collect();
        keys.extend(parts(&self.rules, &[';', '\n']).map(|name| ("condition", name)));
        keys.extend(self.piece_list().map(|piece| ("piece", piece)));
        if !self.series.is_empty() {
            keys.push(("series", String::new()));
        }
        Task { domain: Domain::Spg, verb, subject: vec![], keys, text: None }
    }

    /// Returns the length with the conditions.
    fn title(&self) -> String {
        let series = if self.series.is_empty() { "" } else { "Series " };
        let kind = if series.is_empty() { "Proof game" } else { "proof game" };
        let rules: Vec<String> = parts(&self.rules, &[';', '\n']).collect();
        let rules =
            if rules.is_empty() { String::new() } else { format!(", {}", rules.join(", ")) };
        format!("{series}{kind} in {} moves{rules}", self.moves)
    }

    /// Returns the meanings of letters, each as `G=grasshopper`.
    pub(crate) fn piece_list(&self) -> impl Iterator<Item = String> + '_ {
        parts(&self.pieces, &[';', ',', '\n'])
    }

    /// Returns true for a problem with conditions, fairy pieces, a start of its own or series moves, which only the
    /// search of positions can solve.
    pub(crate) fn is_fairy(&self) -> bool {
        [&self.rules, &self.pieces, &self.start, &self.series]
            .iter()
            .any(|word| !word.trim().is_empty())
    }
}

impl RunRequest {
    /// Returns the diagram of the request, if it has one.
    pub(crate) fn diagram(&self) -> Option<&str> {
        match self {
            Self::Proof(wish) => wish.fen.split_whitespace().next(),
            Self::Sheet(_) | Self::Steno(_) | Self::Table(_) | Self::Survey(_) => None,
        }
    }

    /// Returns the prefix of the names of its runs.
    pub(crate) fn craft(&self) -> &'static str {
        match self {
            Self::Proof(_) => "proof",
            Self::Sheet(_) => "sheet",
            Self::Steno(_) => "steno",
            Self::Table(_) => "table",
            Self::Survey(_) => "survey",
        }
    }

    /// Returns a one-line summary of the request.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Proof(wish) => wish.title(),
            Self::Sheet(wish) => match wish.title() {
                Some(title) => format!("Sheet: {title}"),
                None => "Sheet of problems".to_owned(),
            },
            Self::Steno(wish) => format!("Steno {}", wish.text),
            Self::Table(wish) => format!("Table {} ({})", wish.endgame, wish.metric),
            Self::Survey(wish) => format!("Survey {} ({})", wish.pattern, wish.table.metric),
        }
    }

    /// Returns the commands that carry out the request with the files of a folder. A run that was
    /// started before continues from these files.
    pub(super) fn commands(&self, folder: &Path) -> Vec<Command> {
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let resumed = |name: &str| folder.join(name).exists().then(|| ("resume", String::new()));
        match self {
            Self::Proof(wish) => {
                let mut task = wish.task("solve");
                task.keys.extend(EXPORTS.map(|(key, name)| (key, path(name))));
                task.keys.push(("archive", path(ARCHIVE)));
                // Either solver may have begun.
                task.keys.extend(resumed(ARCHIVE).or_else(|| resumed(POSITIONS)));
                vec![Command::Task(task)]
            }
            Self::Sheet(wish) => {
                let mut keys = EXPORTS.map(|(key, name)| (key, path(name))).to_vec();
                keys.push(("archive", path(ARCHIVES)));
                keys.extend(resumed(ARCHIVES));
                let text = Some(wish.text.clone());
                let task = Task { domain: Domain::Spg, verb: "solve", subject: vec![], keys, text };
                vec![Command::Task(task)]
            }
            Self::Steno(wish) => {
                let mut task = wish.task("solve");
                let games = Some(wish.games.trim()).filter(|games| !games.is_empty());
                task.keys.extend(games.map(|games| ("games", games.to_owned())));
                task.keys.extend(STENO_EXPORTS.map(|(key, name)| (key, path(name))));
                task.keys.push(("checkpoint", path(CHECKPOINT)));
                vec![Command::Task(task)]
            }
            Self::Table(wish) => {
                wish.restore_pieces();
                let mut task = wish.task("save");
                task.subject.push(wish.folder.to_string_lossy().into_owned());
                vec![wish.folder_command(), Command::Task(task)]
            }
            Self::Survey(wish) => {
                wish.table.restore_pieces();
                let one = |endgame: &String| {
                    let wish = TableRequest { endgame: endgame.clone(), ..wish.table.clone() };
                    Command::Task(wish.task("stats"))
                };
                std::iter::once(wish.table.folder_command())
                    .chain(wish.endgames.iter().map(one))
                    .collect()
            }
        }
    }

    /// Returns the domain whose parts can be skipped.
    pub(super) fn domain(&self) -> Domain {
        match self {
            Self::Proof(_) | Self::Sheet(_) => Domain::Spg,
            Self::Steno(_) => Domain::Steno,
            Self::Table(_) | Self::Survey(_) => Domain::Egt,
        }
    }

    /// Returns the files that a page offers: key, and name in the folder.
    pub(crate) fn files(&self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Proof(_) => EXPORTS
                .into_iter()
                .chain([("archive", ARCHIVE), ("positions", POSITIONS)])
                .collect(),
            Self::Sheet(_) => EXPORTS.to_vec(),
            Self::Steno(_) => STENO_EXPORTS.to_vec(),
            Self::Table(_) | Self::Survey(_) => vec![],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ProofRequest, RunRequest, StenoRequest, TableRequest};
    use std::path::Path;
    use umbrail_session::Command;
    use umbrail_session::module::module;
    use umbrail_tasks::MODULES;

    #[test]
    fn a_request_is_kept_as_it_was() {
        let wish = ProofRequest { fen: "F".into(), moves: "2.5".into(), ..ProofRequest::default() };
        let request = RunRequest::Proof(wish);
        let text = serde_json::to_string(&request).unwrap();
        assert!(text.starts_with("{\"craft\":\"proof\",\"fen\":\"F\""), "{text}");
        assert_eq!(serde_json::from_str::<RunRequest>(&text).unwrap(), request);
    }

    #[test]
    fn every_key_is_one_of_the_verb() {
        let wish = ProofRequest {
            fen: "F".into(),
            moves: "1".into(),
            length: "exact".into(),
            retraction: "check".into(),
            conditions: "c".into(),
            solver: "both".into(),
            ..ProofRequest::default()
        };
        let fairy = ProofRequest {
            rules: "Circe RexInclusive; GridChess".into(),
            pieces: "G=grasshopper, H=nightrider".into(),
            start: "8/8/8/8/8/8/8/8 w".into(),
            series: "on".into(),
            ..ProofRequest::default()
        };
        assert_eq!(fairy.title(), "Series proof game in  moves, Circe RexInclusive, GridChess");
        let steno = StenoRequest { text: "e".into(), vocabulary: "pgn".into(), games: "20".into() };
        let pieces = Some("pieces.ini".into());
        let table = TableRequest { metric: "dtm".into(), pieces, ..TableRequest::default() };
        let all = [
            (RunRequest::Proof(wish), 11),
            (RunRequest::Proof(fairy), 11),
            (RunRequest::Steno(steno), 5),
            (RunRequest::Table(table), 2),
        ];
        for (request, keys) in all {
            let mut commands = request.commands(Path::new("nowhere"));
            let Some(Command::Task(task)) = commands.pop() else { panic!("a task") };
            let verb = module(MODULES, task.domain).unwrap().verb(task.verb).unwrap();
            assert_eq!(task.keys.len(), keys);
            assert!(task.keys.iter().all(|(key, _)| verb.key(key).is_some()));
            assert!(task.subject.len() <= verb.subject_max());
        }
    }
}
