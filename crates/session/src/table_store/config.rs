//! Inputs of a table: material, pieces, rules and seeds, read from options and from the keys of a
//! task, which take precedence.

use crate::domain::Task;
use crate::memory_size::MemorySize;
use crate::options::TableOptions;
use crate::piece_file::{PieceFile, ReadText};
use crate::task_error::TaskError;
use std::path::{Path, PathBuf};
use umbrail_chess::geometry::Color;
use umbrail_control::available;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::seed::SeedLine;
use umbrail_tables::{FairyBoard, Material, Metric, Rules, Stalemate, seed};

/// Inputs of a table other than its material.
#[derive(Clone, Debug)]
pub struct TableConfig {
    /// Pieces for the letters of a material.
    pub piece_set: PieceSet,
    /// Rules and metric.
    pub rules: Rules,
    seed_file: String,
    /// Folder of finished tables.
    pub folder: Option<PathBuf>,
    /// Memory limit for building and holding tables, in bytes.
    pub memory_bytes: u64,
}

impl TableConfig {
    /// Creates a config from the options, with these pieces.
    pub fn new(options: &TableOptions, piece_set: PieceSet) -> Self {
        let stalemate = if options.stalemate_wins { Stalemate::Win } else { Stalemate::Draw };
        let (metric, null_move) = (options.metric, options.null_move);
        let bare_loses = options.bare_loses;
        let stalemate = if options.forced_pass { Stalemate::Pass } else { stalemate };
        let rules = Rules { metric, null_move, stalemate, bare_loses, promotions: String::new() };
        let folder = Some(&options.folder).filter(|f| !f.is_empty()).map(PathBuf::from);
        let seed_file = options.seed_file.clone();
        let memory_bytes = options.memory_mib.saturating_mul(1 << 20);
        Self { piece_set, rules, seed_file, folder, memory_bytes }
    }

    /// Returns a config with these pieces and other rules; with the memory and the folder of
    /// another machine, if given.
    pub fn on(self, rules: Rules, memory_bytes: Option<u64>, folder: Option<PathBuf>) -> Self {
        let memory_bytes = memory_bytes.unwrap_or(self.memory_bytes);
        Self { rules, memory_bytes, folder, ..self }
    }

    /// Creates a config from the options and the keys of a task; reads only the piece file.
    ///
    /// # Errors
    /// The key that cannot be used and the accepted values, or the error in the piece file.
    pub fn of(task: &Task, options: &TableOptions, read: ReadText<'_>) -> Result<Self, TaskError> {
        let mut options = options.clone();
        if let Some(name) = task.key("metric") {
            options.metric = Metric::from_name(name).ok_or_else(|| {
                TaskError::expects("metric", "dtm, dtc, dtz or level").got_quoted(name)
            })?;
        }
        for (key, flag) in [("null", &mut options.null_move), ("bare", &mut options.bare_loses)] {
            match task.key(key) {
                None => {}
                Some("1" | "true") => *flag = true,
                Some("0" | "false") => *flag = false,
                Some(other) => return Err(TaskError::expects(key, "0 or 1").got_quoted(other)),
            }
        }
        let stalemate = match task.key("stalemate") {
            None => None,
            Some("draw") => Some(Stalemate::Draw),
            Some("win") => Some(Stalemate::Win),
            Some("pass") => Some(Stalemate::Pass),
            Some(other) => {
                return Err(TaskError::expects("stalemate", "draw, win or pass").got_quoted(other));
            }
        };
        for (key, file) in [("seed", &mut options.seed_file), ("pieces", &mut options.piece_file)] {
            if let Some(path) = task.key(key) {
                path.clone_into(file);
            }
        }
        let memory = task.key("memory").map(str::parse::<MemorySize>).transpose();
        let memory = memory.map_err(|error| format!("memory {error}"))?;
        let pieces = PieceFile::read(&options.piece_file, read).of(&options.piece_file)?;
        let mut config = Self::new(&options, pieces);
        if let Some(MemorySize(bytes)) = memory {
            config.memory_bytes = bytes;
        }
        if let Some(stalemate) = stalemate {
            config.rules.stalemate = stalemate;
        }
        if let Some(letters) = task.key("promote") {
            if letters.is_empty() {
                return Err(
                    TaskError::expects("promote", "letters of pieces such as QRBN").got_quoted("")
                );
            }
            letters.clone_into(&mut config.rules.promotions);
        }
        Ok(config)
    }

    /// Returns the bytes available to tables: the number in options and keys, or the number
    /// available to this process if that is lower. The `held` bytes of existing tables count as
    /// available, because these may be dropped.
    pub fn granted_bytes(&self, held: u64) -> u64 {
        let left = available().map_or(u64::MAX, |left| left.for_blocks().saturating_add(held));
        self.memory_bytes.min(left)
    }

    /// Parses a material with these pieces.
    pub fn material(&self, text: &str) -> Result<Material, TaskError> {
        Material::read(text, &self.piece_set).map_err(|error| error.to_string().into())
    }

    /// Checks that the promotion pieces, if any are named, have an effect: one of these endgames
    /// has a pawn or, if there are no endgames, a pawn is defined.
    ///
    /// # Errors
    /// A key `promote` without effect.
    pub fn check_promotions(&self, materials: &[Material]) -> Result<(), TaskError> {
        let has_pawn = |material: &Material| {
            Color::ALL.iter().any(|&c| material.side(c).iter().any(|p| p.pawn))
        };
        let pawn = self.piece_set.get('P').filter(|piece| piece.pawn);
        let effect =
            if materials.is_empty() { pawn.is_some() } else { materials.iter().any(has_pawn) };
        if effect || self.rules.promotions.is_empty() {
            return Ok(());
        }
        let lack = match materials {
            [] => "there is no pawn".to_owned(),
            [one] => format!("{one} has no pawn"),
            _ => "none of the endgames has a pawn".to_owned(),
        };
        let why = match self.piece_set.get('P') {
            Some(piece) if pawn.is_none() => format!("; P is {}, no pawn", piece.betza()),
            _ => String::new(),
        };
        Err(format!("promote has no effect: {lack}{why}").into())
    }

    /// Returns the seeds of a material; none without a seed file.
    ///
    /// # Errors
    /// The error in the file, with its line.
    pub fn seeds(
        &self,
        material: &Material,
        read: ReadText<'_>,
    ) -> Result<Vec<SeedLine>, TaskError> {
        if self.seed_file.is_empty() {
            return Ok(vec![]);
        }
        let text = read(&self.seed_file).map_err(TaskError::SeedFile)?;
        let read = seed::read(&text, material, self.rules.metric);
        read.map_err(|errors| TaskError::all(&errors))
    }

    /// Returns the folder of finished tables; seeded tables are not stored there.
    pub fn files(&self) -> Option<&Path> {
        self.folder.as_deref().filter(|_| !self.is_seeded())
    }

    /// Returns true when the endgame has seeds.
    pub fn is_seeded(&self) -> bool {
        !self.seed_file.is_empty()
    }

    /// Returns the letters of the royal pieces: those of the material, or kings.
    pub fn royals(&self, material: Option<&Material>) -> [char; 2] {
        material.map_or(['K', 'K'], |m| Color::ALL.map(|color| m.side(color)[0].letter))
    }
}

/// Returns true when the pieces of the board are among those of the endgame, with either color, so
/// that its table holds the position.
pub fn covers(endgame: &Material, board: &FairyBoard) -> bool {
    let within = |swap: bool| {
        Color::ALL.into_iter().all(|color| {
            let side = endgame.side(if swap { !color } else { color });
            let mut left: Vec<char> = side.iter().map(|piece| piece.letter).collect();
            board.pieces(color).iter().all(|piece| {
                let found = left.iter().position(|letter| *letter == piece.letter);
                found.map(|at| left.swap_remove(at)).is_some()
            })
        })
    };
    within(false) || within(true)
}
