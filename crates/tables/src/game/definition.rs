//! A game: its board, its pieces with their moves as templates, and its rules.

use crate::fairy::{Piece, PieceSet, Template};
use crate::grid::{Grid, SquareSet};
use crate::rules::{Rules, Stalemate};

/// Number of ranks from which an orthodox pawn has its double step.
const DOUBLE_STEP_RANKS: u8 = 8;

/// Outcome for a side that has only its royal piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BareRoyal {
    /// The game continues.
    #[default]
    Plays,
    /// The side has lost at once; two bare royals draw.
    Loses,
    /// The side has lost unless its next move bares the other side, which draws: the rule of
    /// Shatranj.
    LosesUnlessItBares,
}

/// Rules of a game besides the moves of its pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameRules {
    /// A side without a legal move has lost; otherwise stalemate draws.
    pub stalemate_loses: bool,
    /// Outcome for a side that has only its royal piece.
    pub bare: BareRoyal,
    /// The royals may not face each other on an open file.
    pub facing: bool,
    /// The fifty-move rule of chess holds.
    pub fifty_moves: bool,
}

/// Reason why a game is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameRulesError {
    /// A pawn would become a piece that is not defined.
    #[error("{letter} promotes to {target}, and no piece has that letter")]
    Promotion {
        /// Letter of the piece that promotes.
        letter: char,
        /// Missing letter.
        target: char,
    },
    /// A promoted piece would promote again.
    #[error("{letter} promotes to {target}, which promotes itself; tables have one promotion only")]
    Promotes {
        /// Letter of the piece that promotes.
        letter: char,
        /// Letter of the piece that it becomes.
        target: char,
    },
    /// A rule that these tables do not have.
    #[error("{0}")]
    Rule(&'static str),
}

/// One move of White's piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GameTemplate {
    pub(super) template: Template<u128>,
    /// Number of the piece that the mover becomes.
    pub(super) becomes: Option<u8>,
}

/// Piece of a game. Black's piece moves like White's, seen from the other end of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePiece {
    /// Capital letter of the piece.
    pub letter: char,
    /// Readable name; may be empty.
    pub name: String,
    /// Movement in Betza's notation, with its conditions.
    pub movement: String,
    /// Squares where White's piece may stand.
    pub zone: u128,
    /// True when the piece has a double step that may be answered en passant.
    pub(super) double_step: bool,
    /// White's moves, in ascending order.
    pub(super) moves: Vec<GameTemplate>,
    /// Moves that only capture a royal: along an open file, where royals may not face each other.
    pub(super) facing: Vec<Template<u128>>,
}

/// Movement of a piece on some squares.
pub(super) struct MovementPart<'a> {
    pub(super) piece: &'a Piece,
    /// Squares where White's piece moves like this.
    pub(super) from: u128,
}

/// Promotion of a piece.
pub(super) struct Promotion {
    /// Letters of the pieces that it may become.
    pub(super) letters: String,
    /// Squares where White's piece promotes as it arrives.
    pub(super) zone: u128,
    /// Squares of the zone where it must promote.
    pub(super) forced: u128,
}

/// Piece before its moves are expanded.
pub(super) struct PieceSpec<'a> {
    pub(super) letter: char,
    pub(super) name: String,
    pub(super) movement: String,
    pub(super) parts: Vec<MovementPart<'a>>,
    pub(super) zone: u128,
    pub(super) promotion: Option<Promotion>,
    /// Squares from which White's pawn may make its double step.
    pub(super) double_step: u128,
}

/// Board, pieces and rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name, such as `xiangqi`; the size of the board for a game without a name.
    pub name: String,
    /// Board.
    pub grid: Grid,
    /// Rules.
    pub rules: GameRules,
    /// Source of the rules; may be empty.
    pub source: String,
    /// Initial position as FEN; empty when the rules give none.
    pub start: String,
    /// Rules of the game that the tables do not model.
    pub not_modelled: Vec<String>,
    pub(super) pieces: Vec<GamePiece>,
}

impl Game {
    /// Creates the game of these pieces on a board, under the rules of the tables on 8x8. The pawn
    /// `P` promotes on the last rank; it has its double step where the board has 8 ranks or more.
    ///
    /// # Errors
    /// [`GameRulesError`] for rules that only the tables on 8x8 have.
    pub fn on_board(grid: Grid, pieces: &PieceSet, rules: &Rules) -> Result<Self, GameRulesError> {
        if rules.null_move {
            return Err(GameRulesError::Rule(
                "null moves exist only on a board of 8x8 without rules",
            ));
        }
        let stalemate_loses = match rules.stalemate {
            Stalemate::Draw => false,
            Stalemate::Win => true,
            Stalemate::Pass => {
                return Err(GameRulesError::Rule(
                    "a pass in stalemate exists only on a board of 8x8 without rules",
                ));
            }
        };
        let bare = if rules.bare_loses { BareRoyal::Loses } else { BareRoyal::Plays };
        let all = grid.squares();
        let last = grid.ranks([grid.height()]);
        let named = pieces.pieces().filter(|piece| piece.letter.is_ascii_uppercase());
        let specs = named.map(|piece| {
            let promotes = || Promotion {
                letters: rules.promotion_letters().to_owned(),
                zone: last,
                forced: last,
            };
            let steps_twice = piece.double_step && grid.height() >= DOUBLE_STEP_RANKS;
            PieceSpec {
                letter: piece.letter,
                name: piece.name.clone(),
                movement: piece.betza(),
                parts: vec![MovementPart { piece, from: all }],
                zone: if piece.pawn { all & !last & !grid.ranks([1]) } else { all },
                promotion: piece.pawn.then(promotes),
                double_step: if steps_twice { grid.ranks([2]) } else { 0 },
            }
        });
        let rules = GameRules { stalemate_loses, bare, facing: false, fifty_moves: true };
        Self::new(grid.to_string(), grid, rules, specs.collect())
    }

    pub(super) fn new(
        name: String,
        grid: Grid,
        rules: GameRules,
        specs: Vec<PieceSpec<'_>>,
    ) -> Result<Self, GameRulesError> {
        let number = |letter: char| specs.iter().position(|spec| spec.letter == letter);
        let mut pieces = vec![];
        for spec in &specs {
            let letters = spec.promotion.iter().flat_map(|promotion| promotion.letters.chars());
            let mut targets = vec![];
            for target in letters {
                let letter = spec.letter;
                let found = number(target).ok_or(GameRulesError::Promotion { letter, target })?;
                if specs[found].promotion.is_some() {
                    return Err(GameRulesError::Promotes { letter, target });
                }
                targets.push((found as u8, specs[found].zone));
            }
            pieces.push(piece(spec, &targets, &grid, rules));
        }
        let (source, start, not_modelled) = (String::new(), String::new(), vec![]);
        Ok(Self { name, grid, rules, source, start, not_modelled, pieces })
    }

    /// Returns the pieces.
    pub fn pieces(&self) -> &[GamePiece] {
        &self.pieces
    }

    /// Returns the number of the piece with this letter.
    pub(super) fn number(&self, letter: char) -> Option<u8> {
        self.pieces.iter().position(|piece| piece.letter == letter).map(|number| number as u8)
    }

    /// Returns the map of all squares to those seen from the other end of the board.
    pub(super) fn flip(&self) -> Vec<u8> {
        (0..self.grid.size()).map(|square| self.grid.flipped(square)).collect()
    }
}

impl GamePiece {
    /// Returns true for a pawn with a double step.
    pub fn steps_twice(&self) -> bool {
        self.double_step
    }

    /// Returns White's moves from a square.
    pub fn moves_from(&self, square: u8) -> impl Iterator<Item = &Template<u128>> {
        let mut last = None;
        let moves = self.moves.iter().filter(move |mv| mv.template.from == square);
        // Each promotion is a move of its own.
        moves
            .map(|mv| &mv.template)
            .filter(move |&template| last.replace(*template) != Some(*template))
    }
}

/// Expands the moves of a piece.
fn piece(spec: &PieceSpec<'_>, targets: &[(u8, u128)], grid: &Grid, rules: GameRules) -> GamePiece {
    let mut templates = vec![];
    for part in &spec.parts {
        let moves = part.piece.moves_on(grid);
        templates.extend(moves.into_iter().filter(|mv| part.from.has(mv.from)));
    }
    templates.extend(spec.double_step.squares().filter_map(|from| {
        let between = grid.offset(from, (0, 1), false)?;
        let to = grid.offset(between, (0, 1), false)?;
        let empty = u128::bit(from) | u128::bit(between) | u128::bit(to);
        Some(Template { from, to, empty, all: 0, one: 0, own: 0, take: 0 })
    }));
    templates.sort_unstable();
    templates.dedup();
    templates.retain(|mv| spec.zone.has(mv.from));
    let mut moves = vec![];
    for template in templates {
        let promotion = spec.promotion.as_ref().filter(|p| p.zone.has(template.to));
        if promotion.is_none_or(|p| !p.forced.has(template.to)) && spec.zone.has(template.to) {
            moves.push(GameTemplate { template, becomes: None });
        }
        let fits = targets.iter().filter(|(_, zone)| promotion.is_some() && zone.has(template.to));
        moves.extend(fits.map(|(target, _)| GameTemplate { template, becomes: Some(*target) }));
    }
    moves.sort_unstable();
    GamePiece {
        letter: spec.letter,
        name: spec.name.clone(),
        movement: spec.movement.clone(),
        zone: spec.zone,
        double_step: spec.double_step != 0,
        moves,
        facing: if rules.facing { facing(grid) } else { vec![] },
    }
}

/// Returns the captures along open files.
fn facing(grid: &Grid) -> Vec<Template<u128>> {
    let mut found = vec![];
    for from in grid.squares().squares() {
        for step in [(0, 1), (0, -1)] {
            let (mut empty, mut at) = (u128::bit(from), from);
            while let Some(to) = grid.offset(at, step, false) {
                found.push(Template {
                    from,
                    to,
                    empty,
                    all: 0,
                    one: 0,
                    own: 0,
                    take: u128::bit(to),
                });
                empty |= u128::bit(to);
                at = to;
            }
        }
    }
    found.sort_unstable();
    found
}
