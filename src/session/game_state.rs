//! The state of the game: the diagram as it was given, the moves played from it, and the present position.

use super::command::Edit;
use crate::chess::san::SanError;
use crate::chess::{Move, MoveError, Position, parse_san, parse_uci};
use crate::geometry::{Color, Setup, SetupError};
use std::fmt;

/// Why a position cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable(String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The game. Its position is *believed* (it can be played on) or only *said*.
#[derive(Clone, Debug)]
pub struct GameState {
    /// What was said to stand at the start.
    said: Setup,
    /// Positions of the game before the present one, oldest first.
    earlier: Vec<Position>,
    /// The moves between them; `None` is a pass.
    moves: Vec<Option<Move>>,
    /// The present position.
    present: Result<Position, Unusable>,
    /// Castling is written as king takes own rook in this game.
    pub chess960: bool,
    /// Where ready-made endgame tables lie: the kind (`syzygy`, …) and the folder. A new game leaves them alone.
    pub table_paths: Vec<(String, String)>,
}

impl Default for GameState {
    fn default() -> Self {
        let present = Position::startpos();
        Self {
            said: present.to_setup(),
            earlier: vec![],
            moves: vec![],
            present: Ok(present),
            chess960: false,
            table_paths: vec![],
        }
    }
}

impl GameState {
    /// Begins a new game from the game array; the paths of tables stay.
    pub fn new_game(&mut self) {
        *self = Self { table_paths: std::mem::take(&mut self.table_paths), ..Self::default() };
    }

    /// Begins a game from a diagram.
    ///
    /// # Errors
    /// [`Unusable`] says why it cannot be played; the state keeps that too.
    pub fn put(&mut self, setup: Setup) -> Result<(), Unusable> {
        let believed = Position::try_from(&setup).map_err(|error| Unusable(error.to_string()));
        self.begin(setup, believed)
    }

    /// Takes note of a diagram that could not be read: the board is empty and cannot be played on.
    pub fn put_unreadable(&mut self, error: &SetupError) -> Unusable {
        let why = Unusable(error.to_string());
        let _ = self.begin(Setup::default(), Err(why.clone()));
        why
    }

    fn begin(&mut self, said: Setup, present: Result<Position, Unusable>) -> Result<(), Unusable> {
        let result = present.as_ref().map(|_| ()).map_err(Unusable::clone);
        (self.said, self.present) = (said, present);
        self.earlier.clear();
        self.moves.clear();
        result
    }

    /// Changes the board at hand; the side to move stays, and king and rooks at home may castle.
    ///
    /// # Errors
    /// [`Unusable`] as for [`GameState::put`].
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

    /// The position to play on.
    ///
    /// # Errors
    /// [`Unusable`] says why there is none.
    pub fn position(&self) -> Result<&Position, &Unusable> {
        self.present.as_ref()
    }

    /// What stands on the board now, whether or not it can be played on.
    pub fn setup(&self) -> Setup {
        match &self.present {
            Ok(position) => position.to_setup(),
            Err(_) => self.said.clone(),
        }
    }

    /// The diagram the game started from, as it was said.
    pub fn start(&self) -> &Setup {
        &self.said
    }

    /// The moves of the game so far; `None` is a pass.
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// Keys of the earlier positions of the game, oldest first.
    pub fn history(&self) -> Vec<u64> {
        self.earlier.iter().map(Position::key).collect()
    }

    /// The move a text means here: coordinates, or standard notation.
    ///
    /// # Errors
    /// Why it is no legal move, in words.
    pub fn read_move(&self, text: &str) -> Result<Move, String> {
        let position =
            self.present.as_ref().map_err(|_| "the position cannot be used".to_owned())?;
        match parse_uci(position, text) {
            Ok(mv) => Ok(mv),
            Err(MoveError::Syntax) => parse_san(position, text).map_err(|error| match error {
                SanError::Syntax => MoveError::Syntax.to_string(),
                other => other.to_string(),
            }),
            Err(error) => Err(error.to_string()),
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

    /// Lets the side to move pass; false (and nothing happens) when it is in check.
    pub fn pass(&mut self) -> bool {
        let next = self.present.as_ref().ok().and_then(|p| Some((*p, p.after_null()?)));
        if let Some((before, after)) = next {
            self.earlier.push(before);
            self.moves.push(None);
            self.present = Ok(after);
        }
        next.is_some()
    }

    /// Takes back up to this many plies; says how many.
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

    /// How many plies were played on this game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}

/// The castling field of an edited board: a king and a rook on the squares of the game array may castle.
fn homely_castling(setup: &Setup) -> String {
    let home = |color: Color, file: u8, letter: char| {
        let rank = if color.is_white() { 0 } else { 7 };
        setup.man(crate::geometry::Square::at(file, rank)) == Some((color, letter))
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
mod tests {
    use super::{Edit, GameState};
    use crate::geometry::{Color, Setup, Square};

    fn game(fen: &str) -> GameState {
        let mut game = GameState::default();
        game.put(fen.parse().unwrap()).unwrap();
        game
    }

    #[test]
    fn a_game_can_be_taken_back_to_its_start_and_no_further() {
        let mut game = GameState::default();
        for text in ["e2e4", "e5", "g1f3"] {
            let mv = game.read_move(text).unwrap();
            game.play(mv);
        }
        assert_eq!(game.history().len(), 3);
        assert_eq!(game.take_back(1), 1);
        assert_eq!(game.take_back(9), 2);
        assert_eq!(game.take_back(1), 0);
        assert_eq!(game.setup().to_string(), Setup::START_FEN);
    }

    #[test]
    fn an_unusable_diagram_is_kept_as_it_was_said() {
        let mut game = GameState::default();
        let fairy: Setup = "8/8/8/3k4/3l4/8/8/KA6 w - - 0 1".parse().unwrap();
        assert!(game.put(fairy.clone()).is_err());
        assert!(game.position().is_err());
        assert_eq!(game.setup(), fairy);
        assert_eq!(game.read_move("a1a2"), Err("the position cannot be used".to_owned()));
    }

    #[test]
    fn a_new_game_leaves_the_paths_of_tables_alone() {
        let mut game = GameState::default();
        game.table_paths.push(("syzygy".to_owned(), "tables".to_owned()));
        game.chess960 = true;
        game.new_game();
        assert_eq!(game.table_paths.len(), 1);
        assert!(!game.chess960);
    }

    #[test]
    fn edits_keep_the_turn_and_give_castling_to_men_at_home() {
        let mut game = game("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1");
        let put = |color, letter, square| Edit::Put(color, letter, square);
        let edits = [
            Edit::Clear,
            put(Color::White, 'K', Square::E1),
            put(Color::White, 'R', Square::H1),
            put(Color::White, 'R', Square::D4),
            put(Color::Black, 'K', Square::E8),
            Edit::Remove(Square::D4),
        ];
        game.edit(&edits).unwrap();
        assert_eq!(game.setup().to_string(), "4k3/8/8/8/8/8/8/4K2R b K - 0 1");
    }

    #[test]
    fn a_side_in_check_cannot_pass() {
        let mut game = game("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
        assert!(!game.pass());
        let mut game = GameState::default();
        assert!(game.pass());
        assert_eq!(game.take_back(1), 1);
        assert_eq!(game.setup().to_string(), Setup::START_FEN);
    }
}
