//! Fairy-Stockfish's `variants.ini`: board, pieces and the rules that tables have, of one variant.
//!
//! Read: `maxFile`, `maxRank`; pieces by their names, `customPiece1` to `customPiece25` and `king`
//! with a movement; `mobilityRegion…`; `promotionRegion…`, `promotionPieceTypes`,
//! `mandatoryPawnPromotion`; `doubleStep`, `doubleStepRegion…`; `soldierPromotionRank`;
//! `stalemateValue` (`draw`, `loss`), `flyingGeneral`. A variant may inherit from another one of the
//! file.
//!
//! Options without effect on a table are skipped: values of pieces, the initial position, `pocketSize`
//! and those of graphical interfaces. Castling, rules of counting and of repetition are named as not
//! modelled. `[name:chess]` has the pieces of chess. All other options are refused by name and line,
//! and so are regions that differ for the two sides, and pieces with unlike moves to the left and to
//! the right, which Fairy-Stockfish rotates for Black. The variant becomes rules as text
//! ([`Game::read`]).

mod options;

use super::definition::Game;
use super::rules_file::RulesFileError;
use crate::fairy::PieceSet;
use crate::grid::{Grid, SquareSet};
use options::{NAMED, NOT_MODELLED, OPTIONS, SKIPPED};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Reason why a file has no usable variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantsError {
    /// The file has several variants, or none of this name.
    #[error("the file has the variants {0}; name one after a colon, as in variants.ini:NAME")]
    Which(String),
    /// A variant inherits from one that is not in the file.
    #[error(
        "line {line}: [{name}] inherits from {parent}, which is not in the file; of the built-in variants only chess is known"
    )]
    Parent {
        /// Number of the line.
        line: usize,
        /// Variant.
        name: String,
        /// Missing variant.
        parent: String,
    },
    /// An option is not supported, or its value is faulty.
    #[error("line {line}: {option}: {why}")]
    Option {
        /// Number of the line.
        line: usize,
        /// Name of the option.
        option: String,
        /// Reason.
        why: String,
    },
    /// The rules of the variant are faulty.
    #[error("{0}")]
    Rules(#[from] RulesFileError),
}

/// Value of an option with its line.
type OptionLines = BTreeMap<String, (usize, String)>;

/// Options of a variant, or the reason why they are not known.
type Section = Result<OptionLines, VariantsError>;

/// Returns true for a text with sections, as in `variants.ini`.
fn has_sections(text: &str) -> bool {
    let lines = text.lines().map(str::trim);
    lines
        .into_iter()
        .find(|line| !line.is_empty() && !line.starts_with('#'))
        .is_some_and(|line| line.starts_with('['))
}

impl Game {
    /// Reads rules as text ([`Game::read`]), or one variant of a `variants.ini`.
    ///
    /// # Errors
    /// [`VariantsError`] with the line.
    pub fn read_any(text: &str, variant: Option<&str>) -> Result<Self, VariantsError> {
        if has_sections(text) { from_variants(text, variant) } else { Ok(Self::read(text)?) }
    }
}

fn from_variants(text: &str, wanted: Option<&str>) -> Result<Game, VariantsError> {
    let sections = sections(text)?;
    let names = || sections.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let found: Option<(&str, &Section)> = match (wanted, sections.as_slice()) {
        (None, [(_, only)]) => Some((sections[0].0.as_str(), only)),
        (None, _) => None,
        (Some(name), all) => all
            .iter()
            .find(|(known, _)| known == name)
            .map(|(name, options)| (name.as_str(), options)),
    };
    let (name, options) = found.ok_or_else(|| VariantsError::Which(names()))?;
    Ok(Game::read(&rules(name, options.as_ref().map_err(Clone::clone)?)?)?)
}

/// Returns the options of chess, from which most variants inherit.
fn chess() -> OptionLines {
    let pieces = ["pawn = p", "knight = n", "bishop = b", "rook = r", "queen = q", "king = k"];
    let option = |text: &str| {
        let (name, letter) = text.split_once(" = ").unwrap_or_default();
        (name.to_owned(), (0, letter.to_owned()))
    };
    pieces.into_iter().map(option).collect()
}

/// Returns the variants of a file with all their options, inherited ones included.
fn sections(text: &str) -> Result<Vec<(String, Section)>, VariantsError> {
    let mut sections: Vec<(String, Section)> = vec![];
    for (number, whole) in (1..).zip(text.lines()) {
        let line = whole.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let (name, parent) = name.split_once(':').unwrap_or((name, ""));
            let inherited = match parent {
                "" => Ok(OptionLines::new()),
                "chess" => Ok(chess()),
                parent => {
                    let found = sections.iter().find(|(known, _)| known == parent);
                    let missing = || VariantsError::Parent {
                        line: number,
                        name: name.to_owned(),
                        parent: parent.to_owned(),
                    };
                    found.map_or_else(|| Err(missing()), |(_, options)| options.clone())
                }
            };
            sections.push((name.to_owned(), inherited));
        } else if let Some((key, value)) = line.split_once('=')
            && let Some((_, options)) = sections.last_mut()
        {
            if let Ok(options) = options {
                options.insert(key.trim().to_owned(), (number, value.trim().to_owned()));
            }
        } else if !line.is_empty() {
            let why = "expected option = value".to_owned();
            return Err(VariantsError::Option { line: number, option: line.to_owned(), why });
        }
    }
    Ok(sections)
}

/// Piece of a variant.
struct VariantPiece {
    letter: char,
    /// Option that defines it.
    option: String,
    /// Name in the names of regions, such as `JanggiElephant`.
    name: String,
    movement: String,
}

struct VariantReader<'a> {
    options: &'a OptionLines,
    grid: Grid,
}

impl VariantReader<'_> {
    fn fault(&self, option: &str, why: impl Into<String>) -> VariantsError {
        let line = self.options.get(option).map_or(0, |(line, _)| *line);
        VariantsError::Option { line, option: option.to_owned(), why: why.into() }
    }

    fn value(&self, option: &str) -> Option<&str> {
        self.options.get(option).map(|(_, value)| value.as_str())
    }

    fn flag(&self, option: &str, usual: bool) -> Result<bool, VariantsError> {
        match self.value(option) {
            None => Ok(usual),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(_) => Err(self.fault(option, "expected true or false")),
        }
    }

    /// Returns the squares of an option: names, or `*` and a rank.
    fn region(&self, option: &str) -> Result<Option<u128>, VariantsError> {
        let Some(value) = self.value(option) else { return Ok(None) };
        let mut set = 0;
        for word in value.split_whitespace() {
            set |= match word.strip_prefix('*') {
                Some(rank) => match rank.parse::<u8>() {
                    Ok(rank) if rank <= self.grid.height() => self.grid.ranks([rank]),
                    _ => return Err(self.fault(option, "expected ranks of the board, such as *8")),
                },
                None => match self.grid.square(word) {
                    Ok(square) => u128::bit(square),
                    Err(_) => return Err(self.fault(option, "expected squares of the board")),
                },
            };
        }
        Ok(Some(set))
    }

    /// Returns the squares of a region for White; Black's are the same from the other side.
    fn both(&self, white: &str, black: &str, usual: u128) -> Result<u128, VariantsError> {
        let [ours, theirs] = [self.region(white)?, self.region(black)?];
        let Some(ours) = ours else {
            let given = |_| Err(self.fault(black, "the same region for White is missing"));
            return theirs.map_or(Ok(usual), given);
        };
        let flipped = ours.squares().fold(0, |set, s| set | u128::bit(self.grid.flipped(s)));
        match theirs {
            Some(theirs) if theirs == flipped => Ok(ours),
            _ => {
                Err(self.fault(white, "Black's region must be the same, seen from the other side"))
            }
        }
    }

    fn squares(&self, set: u128) -> String {
        set.squares().map(|square| self.grid.name(square)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the pieces; other options are left.
    fn pieces(&self) -> Result<(Vec<VariantPiece>, Vec<&str>), VariantsError> {
        let (mut pieces, mut rest) = (vec![], vec![]);
        for (option, (_, value)) in self.options {
            let named = NAMED.iter().find(|(name, _)| name == option);
            let custom = option.starts_with("customPiece");
            if named.is_none() && !custom {
                rest.push(option.as_str());
                continue;
            }
            let (letter, own) = value.split_once(':').unwrap_or((value, ""));
            let mut letters = letter.trim().chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(self.fault(option, "expected one letter, and a movement after a colon"));
            };
            if letter == '-' {
                continue;
            }
            let movement = match (own.trim(), named) {
                ("", Some((_, movement))) => movement,
                ("", None) => return Err(self.fault(option, "expected a movement after a colon")),
                (own, _) => own,
            };
            let letter = letter.to_ascii_uppercase();
            if let Some(other) = pieces.iter().find(|piece: &&VariantPiece| piece.letter == letter)
            {
                let first = &other.option;
                return Err(self.fault(option, format!("{first} has the letter {letter}, too")));
            }
            let set = PieceSet::with_definitions(&format!("X = {movement}")).map_err(|errors| {
                let reason = errors.first().map(|error| error.fault.to_string());
                self.fault(option, format!("{movement}: {}", reason.unwrap_or_default()))
            })?;
            let Some(piece) = set.get('X').cloned() else {
                return Err(self.fault(option, format!("{movement}: expected a movement")));
            };
            let width = self.grid.width();
            let mirror: Vec<u8> =
                (0..self.grid.size()).map(|s| s / width * width + width - 1 - s % width).collect();
            let moves = piece.moves_on(&self.grid);
            let mut images: Vec<_> = moves.iter().map(|mv| mv.mapped(&mirror)).collect();
            images.sort_unstable();
            if images != moves {
                let why =
                    "the moves to the left and to the right differ, and Black's would be rotated";
                return Err(self.fault(option, why));
            }
            let mut name = option.clone();
            name[..1].make_ascii_uppercase();
            let (option, movement) = (option.clone(), movement.to_owned());
            pieces.push(VariantPiece { letter, option, name, movement });
        }
        Ok((pieces, rest))
    }
}

/// Says that an option is not supported, or misspelt.
fn unknown(option: &str) -> String {
    let pieces = NAMED.iter().map(|(name, _)| *name);
    let known = pieces.chain(OPTIONS.iter().copied()).chain(SKIPPED.iter().copied());
    let near = known.map(|name| (strsim::damerau_levenshtein(option, name), name)).min();
    match near {
        Some((1..=2, name)) => format!("unknown option, did you mean {name}?"),
        _ => "tables do not have this option".to_owned(),
    }
}

/// Writes the rules of a variant.
fn rules(name: &str, options: &OptionLines) -> Result<String, VariantsError> {
    let side = |option: &str| {
        let (line, value) = options.get(option).cloned().unwrap_or((0, "8".to_owned()));
        // A file may be a letter.
        let letter = value.bytes().next().filter(|c| value.len() == 1 && c.is_ascii_lowercase());
        let number = letter.map(|c| c - b'a' + 1).or_else(|| value.parse().ok());
        let why = "expected a number".to_owned();
        number.ok_or(VariantsError::Option { line, option: option.to_owned(), why })
    };
    let [width, height] = [side("maxFile")?, side("maxRank")?];
    let Ok(grid) = Grid::new(width, height, false) else {
        let line = options.get("maxFile").map_or(0, |(line, _)| *line);
        let why = "a board has 4 to 11 files and ranks".to_owned();
        return Err(VariantsError::Option { line, option: "maxFile".to_owned(), why });
    };
    let reader = VariantReader { options, grid };
    let (pieces, rest) = reader.pieces()?;
    let mut text = format!("name = {name}\nsource = variants.ini, [{name}]\nboard = {grid}\n");
    let all = grid.squares();
    let promotion = reader.both("promotionRegionWhite", "promotionRegionBlack", grid.ranks([8]))?;
    let double = reader.both("doubleStepRegionWhite", "doubleStepRegionBlack", grid.ranks([2]))?;
    let double = if reader.flag("doubleStep", true)? { double } else { 0 };
    let forced = reader.flag("mandatoryPawnPromotion", true)?;
    let mut not_modelled: Vec<&str> = vec![];
    if reader.flag("castling", true)? {
        not_modelled.push("castling");
    }
    let mut regions = vec![];
    for option in rest {
        let unmodelled = NOT_MODELLED.iter().find(|(known, _)| *known == option);
        match option {
            "maxFile"
            | "maxRank"
            | "promotionRegionWhite"
            | "promotionRegionBlack"
            | "doubleStep"
            | "doubleStepRegionWhite"
            | "doubleStepRegionBlack"
            | "mandatoryPawnPromotion"
            | "promotionPieceTypes"
            | "soldierPromotionRank" => {}
            "stalemateValue" => match reader.value(option) {
                Some("draw") => {}
                Some("loss") => text += "stalemate = loses\n",
                _ => return Err(reader.fault(option, "tables have draw or loss")),
            },
            "flyingGeneral" if reader.flag(option, false)? => text += "facing = forbidden\n",
            "flyingGeneral" => {}
            "castling" => {}
            _ if unmodelled.is_some() => not_modelled.extend(unmodelled.map(|(_, rule)| *rule)),
            _ if option.starts_with("mobilityRegion") => regions.push(option),
            _ if SKIPPED.contains(&option) => {}
            _ => return Err(reader.fault(option, unknown(option))),
        }
    }
    not_modelled.sort_unstable();
    not_modelled.dedup();
    for rule in not_modelled {
        let _ = writeln!(text, "not-modelled = {rule}");
    }
    for piece in &pieces {
        let [white, black] = ["White", "Black"].map(|c| format!("mobilityRegion{c}{}", piece.name));
        regions.retain(|region| *region != white && *region != black);
        let mut zone = all & reader.both(&white, &black, all)?;
        let mut line = format!("{} {} = {}", piece.letter, piece.name, piece.movement);
        if let ("Soldier", Some(rank)) = (piece.name.as_str(), reader.value("soldierPromotionRank"))
        {
            let rank = rank.parse::<u8>().ok().filter(|rank| (2..=height).contains(rank));
            let Some(rank) = rank else {
                return Err(reader.fault("soldierPromotionRank", "expected a rank of the board"));
            };
            line = format!(
                "{} {} = fW from 1-{}; fsW from {rank}-{height}",
                piece.letter,
                piece.name,
                rank - 1
            );
        }
        if piece.letter == 'P' && piece.name != "Soldier" {
            let kinds = reader.value("promotionPieceTypes").unwrap_or("nbrq").to_ascii_uppercase();
            let known = |letter: &char| pieces.iter().any(|piece| piece.letter == *letter);
            let kinds: String = kinds.chars().filter(known).collect();
            let last = grid.ranks([height]);
            if !kinds.is_empty() && promotion != 0 {
                let must = if forced { promotion } else { promotion & last };
                zone &= !must & !grid.ranks([1]);
                let [on, must] = [promotion, must].map(|set| reader.squares(set));
                let _ = write!(line, "; promotes {kinds} on {on}");
                if must != on && !must.is_empty() {
                    let _ = write!(line, " forced on {must}");
                }
            }
            if double != 0 && piece.name == "Pawn" {
                let _ = write!(line, "; twice from {}", reader.squares(double));
            }
        }
        if zone != all {
            let _ = write!(line, "; zone {}", reader.squares(zone));
        }
        let _ = writeln!(text, "{line}");
    }
    match regions.first() {
        Some(region) => Err(reader.fault(region, "no piece of the variant has this region")),
        None => Ok(text),
    }
}
