//! State of the game: the diagram as given, the moves played from it, and the current position.

use super::command::Edit;
use std::fmt;
use umbrail_chess::geometry::{Color, Setup, SetupError};
use umbrail_chess::san::SanError;
use umbrail_chess::{
    CastlingMode, DroppedCastling, Move, MoveError, Position, parse_san, parse_uci,
};

/// Reason why a position cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable(String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reason why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The position cannot be played.
    #[error("the position cannot be used")]
    NoPosition,
    /// The text in coordinates is not a legal move, or the text is not a move at all.
    #[error(transparent)]
    Coordinates(#[from] MoveError),
    /// The text in SAN is not a legal move.
    #[error(transparent)]
    San(SanError),
}

/// The game. Its position is *believed* (playable) or only *given*.
#[derive(Clone, Debug)]
pub struct GameState {
    /// Diagram at the start, as given.
    given: Setup,
    /// Positions of the game before the current one, oldest first.
    earlier: Vec<Position>,
    /// Moves between the positions; `None` is a pass.
    moves: Vec<Option<Move>>,
    /// Current position.
    present: Result<Position, Unusable>,
    /// Castling rules of the variant that the GUI plays; standard chess in a new game.
    variant: CastlingMode,
    /// Castling rules that the options request.
    option: CastlingMode,
    /// Rights that the initial diagram states but this game does not allow, until they are
    /// reported.
    unreported: Option<DroppedCastling>,
    /// Locations of prebuilt endgame tables: kind (`syzygy`, …) and folder. A new game keeps them.
    pub table_paths: Vec<(String, String)>,
}

impl Default for GameState {
    fn default() -> Self {
        let present = Position::startpos();
        Self {
            given: present.to_setup(),
            earlier: vec![],
            moves: vec![],
            present: Ok(present),
            variant: CastlingMode::default(),
            option: CastlingMode::default(),
            unreported: None,
            table_paths: vec![],
        }
    }
}

impl GameState {
    /// Starts a new game from the initial position; table paths and the castling rules of the
    /// options stay.
    pub fn new_game(&mut self) {
        let table_paths = std::mem::take(&mut self.table_paths);
        *self = Self { table_paths, option: self.option, ..Self::default() };
    }

    /// Starts a game from a diagram, with the castling rights that the game's rules allow.
    ///
    /// # Errors
    /// [`Unusable`] states why the diagram cannot be played; the state keeps the error too.
    pub fn put(&mut self, setup: Setup) -> Result<(), Unusable> {
        let is_known = setup == self.given;
        let result = self.take_over(setup);
        // A GUI sends the diagram again before each move: rights are reported once.
        if !is_known && let Ok(start) = &self.present {
            self.unreported = DroppedCastling::of(&self.given, start);
        }
        result
    }

    fn take_over(&mut self, setup: Setup) -> Result<(), Unusable> {
        let believed = Position::from_setup(&setup, self.castling_mode());
        self.begin(setup, believed.map_err(|error| Unusable(error.to_string())))
    }

    /// Returns the castling rules of this game, used to read positions and to write castling.
    pub fn castling_mode(&self) -> CastlingMode {
        CastlingMode::of(self.variant.is_chess960() || self.option.is_chess960())
    }

    /// Sets the castling rules of the variant that the GUI plays, until the next game.
    pub fn set_variant(&mut self, mode: CastlingMode) {
        let before = self.castling_mode();
        self.variant = mode;
        self.change_rights(before);
    }

    /// Sets the castling rules that the options request.
    pub fn set_option(&mut self, mode: CastlingMode) {
        let before = self.castling_mode();
        self.option = mode;
        self.change_rights(before);
    }

    /// Adapts the game to its current castling rules, if they changed: reads the diagram again and
    /// replays the moves.
    fn change_rights(&mut self, before: CastlingMode) {
        if self.castling_mode() == before || self.present.is_err() {
            return;
        }
        let moves = std::mem::take(&mut self.moves);
        // A diagram that is playable under one set of castling rules is playable under the other.
        let _ = self.take_over(self.given.clone());
        if let Ok(start) = &self.present {
            self.unreported = DroppedCastling::of(&self.given, start);
        }
        for mv in moves {
            match mv {
                // A castling move that was legal under the previous rules stays played.
                Some(mv) => self.play(mv),
                None => {
                    self.pass();
                }
            }
        }
    }

    /// Takes the dropped castling rights that are not yet reported.
    pub fn take_dropped_castling(&mut self) -> Option<DroppedCastling> {
        self.unreported.take()
    }

    /// Records a diagram that could not be read: the board is empty and cannot be played.
    pub fn put_unreadable(&mut self, error: &SetupError) -> Unusable {
        let why = Unusable(error.to_string());
        let _ = self.begin(Setup::default(), Err(why.clone()));
        why
    }

    /// Leaves the board of chess: its position cannot be played until another one is set up.
    pub fn set_aside(&mut self, why: &str) {
        let _ = self.begin(Setup::default(), Err(Unusable(why.to_owned())));
    }

    fn begin(&mut self, given: Setup, present: Result<Position, Unusable>) -> Result<(), Unusable> {
        let result = present.as_ref().map(|_| ()).map_err(Unusable::clone);
        (self.given, self.present) = (given, present);
        self.earlier.clear();
        self.moves.clear();
        self.unreported = None;
        result
    }

    /// Changes the current board. The side to move stays; kings and rooks on their initial squares
    /// may castle.
    ///
    /// # Errors
    /// [`Unusable`], as for [`GameState::put`].
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), Unusable> {
        let mut setup = self.setup();
        for &edit in edits {
            match edit {
                Edit::Clear => setup.clear_board(),
                Edit::Put(color, letter, square) => setup.put(square, color, letter),
                Edit::Remove(square) => setup.clear(square),
            }
        }
        setup.castling = homely_castling(&setup);
        (setup.en_passant, setup.halfmoves) = (None, 0);
        self.put(setup)
    }

    /// Returns the current position.
    ///
    /// # Errors
    /// [`Unusable`] states why it cannot be played.
    pub fn position(&self) -> Result<&Position, &Unusable> {
        self.present.as_ref()
    }

    /// Returns the current board, playable or not.
    pub fn setup(&self) -> Setup {
        match &self.present {
            Ok(position) => position.to_setup(),
            Err(_) => self.given.clone(),
        }
    }

    /// Returns the diagram at the start of the game, as given.
    pub fn start(&self) -> &Setup {
        &self.given
    }

    /// Returns the position at the start of the game.
    ///
    /// # Errors
    /// [`Unusable`], as for [`GameState::position`].
    pub fn start_position(&self) -> Result<&Position, &Unusable> {
        match self.earlier.first() {
            Some(first) => Ok(first),
            None => self.position(),
        }
    }

    /// Returns the moves of the game so far; `None` is a pass.
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// Returns the keys of the earlier positions of the game, oldest first.
    pub fn history(&self) -> Vec<u64> {
        self.earlier.iter().map(Position::key).collect()
    }

    /// Parses a move in the current position: coordinates or SAN.
    ///
    /// # Errors
    /// Describes why the text is not a legal move.
    pub fn read_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let position = self.present.as_ref().map_err(|_| IllegalMove::NoPosition)?;
        match parse_uci(position, text) {
            Err(MoveError::Syntax) => parse_san(position, text).map_err(|error| match error {
                SanError::Syntax => IllegalMove::Coordinates(MoveError::Syntax),
                other => IllegalMove::San(other),
            }),
            read => Ok(read?),
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        if let Ok(position) = &mut self.present {
            self.earlier.push(*position);
            self.moves.push(Some(mv));
            *position = position.after(mv);
        }
    }

    /// Lets the side to move pass. Returns false and changes nothing when that side is in check.
    pub fn pass(&mut self) -> bool {
        let next = self.present.as_ref().ok().and_then(|p| Some((*p, p.after_null()?)));
        if let Some((before, after)) = next {
            self.earlier.push(before);
            self.moves.push(None);
            self.present = Ok(after);
        }
        next.is_some()
    }

    /// Takes back at most this many plies; returns their number.
    pub fn take_back(&mut self, plies: usize) -> usize {
        let keep = self.earlier.len().saturating_sub(plies);
        let taken = self.earlier.len() - keep;
        if let Some(&position) = self.earlier.get(keep) {
            self.present = Ok(position);
        }
        self.earlier.truncate(keep);
        self.moves.truncate(keep);
        taken
    }

    /// Returns the number of plies played in this game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// Returns the castling field of an edited board: a king and a rook on their initial squares may
/// castle.
fn homely_castling(setup: &Setup) -> String {
    let home = |color: Color, file: u8, letter: char| {
        let rank = if color.is_white() { 0 } else { 7 };
        setup.piece(umbrail_chess::geometry::Square::at(file, rank)) == Some((color, letter))
    };
    let mut field = String::new();
    for color in Color::ALL {
        for (file, letter) in [(7, 'k'), (0, 'q')] {
            if home(color, 4, 'K') && home(color, file, 'R') {
                field.push(if color.is_white() { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }
    if field.is_empty() { "-".to_owned() } else { field }
}

#[cfg(test)]
mod tests;
