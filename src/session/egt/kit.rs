//! What a table is made from: material, pieces, rules and seeds, read from options and from the keys
//! of an errand, which have the last word.

use super::super::errand::Errand;
use super::super::steno::memory;
use crate::fairy::PieceSet;
use crate::geometry::Color;
use crate::tables::seed::SeedLine;
use crate::tables::{FairyBoard, Material, Metric, Rules, Stalemate, seed};
use std::path::{Path, PathBuf};

/// What the user has chosen about tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// The endgame that is played from its table; empty for none.
    pub endgame: String,
    /// How wins are counted.
    pub metric: Metric,
    /// The losing side may pass.
    pub null_move: bool,
    /// Stalemate wins.
    pub stalemate_wins: bool,
    /// A stalemated side passes; it has the last word on stalemates.
    pub forced_pass: bool,
    /// A side that has lost all its men but the royal has lost.
    pub bare_loses: bool,
    /// File with positions won by decree; empty for none.
    pub seed_file: String,
    /// File with definitions of pieces; empty for the built-in ones.
    pub piece_file: String,
    /// Folder where finished tables are kept and taken up; empty for none.
    pub folder: String,
    /// Memory that tables may take while they are built and kept, in MiB.
    pub memory_mib: u64,
    /// EGTgen's dialogue at a terminal. No option: the old command line asks for it.
    pub dialogue: bool,
    /// Write `rep2.txt` into the working folder when the endgame is built. No option: the old command
    /// line asks for it.
    pub rep2: bool,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            endgame: String::new(),
            metric: Metric::default(),
            null_move: false,
            stalemate_wins: false,
            forced_pass: false,
            bare_loses: false,
            seed_file: String::new(),
            piece_file: String::new(),
            folder: String::new(),
            memory_mib: 4096,
            dialogue: false,
            rep2: false,
        }
    }
}

/// Everything a table is made from but its material.
#[derive(Clone, Debug)]
pub(in super::super) struct Kit {
    /// The pieces that letters stand for.
    pub(in super::super) piece_set: PieceSet,
    /// What counts as a win, and how it is counted.
    pub(in super::super) rules: Rules,
    seed_file: String,
    /// Where finished tables are kept.
    pub(in super::super) folder: Option<PathBuf>,
    /// What tables may take while they are built and kept, in bytes.
    pub(super) memory_bytes: u64,
}

/// The keys that every verb of the room understands about rules and pieces.
pub(super) const RULE_KEYS: [&str; 8] =
    ["metric", "null", "stalemate", "promote", "seed", "pieces", "bare", "memory"];

impl Kit {
    /// From the options alone.
    ///
    /// # Errors
    /// What is wrong with the piece file.
    pub(in super::super) fn new(options: &TableOptions) -> Result<Self, String> {
        let stalemate = if options.stalemate_wins { Stalemate::Win } else { Stalemate::Draw };
        let (metric, null_move) = (options.metric, options.null_move);
        let bare_loses = options.bare_loses;
        let stalemate = if options.forced_pass { Stalemate::Pass } else { stalemate };
        let rules = Rules { metric, null_move, stalemate, bare_loses, promotions: String::new() };
        let piece_set = piece_set(&options.piece_file)?;
        let folder = Some(&options.folder).filter(|f| !f.is_empty()).map(PathBuf::from);
        let seed_file = options.seed_file.clone();
        let memory_bytes = options.memory_mib.saturating_mul(1 << 20);
        Ok(Self { piece_set, rules, seed_file, folder, memory_bytes })
    }

    /// From the options and the keys of an errand.
    ///
    /// # Errors
    /// The key that cannot be used, and what it wants.
    pub(super) fn of(errand: &Errand, options: &TableOptions) -> Result<Self, String> {
        let mut options = options.clone();
        if let Some(name) = errand.key("metric") {
            options.metric = Metric::from_name(name)
                .ok_or_else(|| format!("metric wants dtm, dtc, dtz or level, got \"{name}\""))?;
        }
        for (key, flag) in [("null", &mut options.null_move), ("bare", &mut options.bare_loses)] {
            match errand.key(key) {
                None => {}
                Some("1" | "true") => *flag = true,
                Some("0" | "false") => *flag = false,
                Some(other) => return Err(format!("{key} wants 0 or 1, got \"{other}\"")),
            }
        }
        let stalemate = match errand.key("stalemate") {
            None => None,
            Some("draw") => Some(Stalemate::Draw),
            Some("win") => Some(Stalemate::Win),
            Some("pass") => Some(Stalemate::Pass),
            Some(other) => {
                return Err(format!("stalemate wants draw, win or pass, got \"{other}\""));
            }
        };
        for (key, file) in [("seed", &mut options.seed_file), ("pieces", &mut options.piece_file)] {
            if let Some(path) = errand.key(key) {
                path.clone_into(file);
            }
        }
        let mut kit = Self::new(&options)?;
        if let Some(size) = errand.key("memory") {
            kit.memory_bytes = memory(size)?;
        }
        if let Some(stalemate) = stalemate {
            kit.rules.stalemate = stalemate;
        }
        if let Some(letters) = errand.key("promote") {
            letters.clone_into(&mut kit.rules.promotions);
        }
        Ok(kit)
    }

    /// Reads a material with these pieces.
    pub(in super::super) fn material(&self, text: &str) -> Result<Material, String> {
        Material::read(text, &self.piece_set).map_err(|error| error.to_string())
    }

    /// The seeds of a material; none without a seed file.
    ///
    /// # Errors
    /// What is wrong with the file, with its line.
    pub(in super::super) fn seeds(&self, material: &Material) -> Result<Vec<SeedLine>, String> {
        if self.seed_file.is_empty() {
            return Ok(vec![]);
        }
        let text = read(&self.seed_file, "Seed File")?;
        seed::read(&text, material, self.rules.metric)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }

    /// The folder where finished tables are kept; seeded ones are not.
    pub(in super::super) fn files(&self) -> Option<&Path> {
        self.folder.as_deref().filter(|_| !self.is_seeded())
    }

    /// True when seeds belong to the endgame.
    pub(in super::super) fn is_seeded(&self) -> bool {
        !self.seed_file.is_empty()
    }

    /// The letters of the royals: those of the material, or kings.
    pub(in super::super) fn royals(&self, material: Option<&Material>) -> [char; 2] {
        material.map_or(['K', 'K'], |m| Color::ALL.map(|color| m.side(color)[0].letter))
    }
}

fn piece_set(path: &str) -> Result<PieceSet, String> {
    if path.is_empty() {
        return Ok(PieceSet::default());
    }
    PieceSet::with_definitions(&read(path, "Piece File")?).map_err(|errors| {
        errors.iter().map(|error| format!("{path}: {error}")).collect::<Vec<_>>().join("; ")
    })
}

/// A small text file. The operating system's own words are not repeated: XBoard takes some of them
/// for a failed start.
fn read(path: &str, what: &str) -> Result<String, String> {
    const MOST_BYTES: u64 = 16 << 20;
    let path = Path::new(path);
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(data) if data.is_file() && data.len() <= MOST_BYTES => {}
        Ok(_) => return Err(format!("{what} \"{shown}\" is no text file of at most 16 MiB")),
        Err(_) => return Err(format!("{what} \"{shown}\" cannot be read")),
    }
    let bytes = std::fs::read(path).map_err(|_| format!("{what} \"{shown}\" cannot be read"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// True when the men of the board are among those of the endgame, whichever color has them, so that
/// its table holds the position.
pub(in super::super) fn covers(endgame: &Material, board: &FairyBoard) -> bool {
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
