//! Variants that are played from tables: `fairy`, the games of the presets, and boards of other
//! sizes as XBoard names them (`10x8+0_fairy`).

use super::EndgameSetup;
use super::board::{TableBoard, TableMove};
use super::rules::example;
use crate::event::{Event, FromTable, GuiBoard};
use crate::{Session, TaskError};
use std::sync::Arc;
use std::time::Instant;
use umbrail_chess::CastlingMode;
use umbrail_chess::geometry::Color;
use umbrail_tables::Grid;
use umbrail_tables::fairy::{Piece, PieceSet};
use umbrail_tables::game::{
    Game, GameEnd, GameMaterial, GameMove, GameMoves, GamePosition, IllegalGameMove, PRESETS,
    Preset,
};

/// Games that XBoard knows: it has their boards, initial positions and moves.
const KNOWN_TO_XBOARD: [&str; 6] =
    ["capablanca", "gothic", "grand", "makruk", "shatranj", "xiangqi"];

/// Variant of the game.
#[derive(Clone, Default)]
pub(super) enum Variant {
    /// Chess; positions of an endgame may be played from its table.
    #[default]
    Chess,
    /// Fairy pieces on the board of chess: every game is played from tables.
    Fairy,
    /// Another board or other rules: every game is played from tables.
    Game(Arc<GameVariant>),
}

/// A game with other rules or on another board.
pub(super) struct GameVariant {
    name: String,
    game: Arc<Game>,
    moves: GameMoves,
    /// Board and parent variant for a GUI that does not know the game, such as `10x8+0_fairy`.
    setup: Option<String>,
    /// Pieces to describe to such a GUI.
    pieces: Vec<Arc<Piece>>,
}

impl Variant {
    /// Returns true when every game is played from tables.
    pub(super) fn is_from_tables(&self) -> bool {
        !matches!(self, Self::Chess)
    }

    /// Returns the variant of this name.
    fn named(name: &str, endgame_setup: &EndgameSetup) -> Result<Self, TaskError> {
        if let Some(preset) = Preset::named(name) {
            return GameVariant::of_preset(preset).map(|game| Self::Game(Arc::new(game)));
        }
        let sized = match name {
            "cylinder" => "8x8+0_cylinder",
            name => name,
        };
        let Some((size, parent)) = sized.split_once('_') else {
            return Ok(if name == "fairy" { Self::Fairy } else { Self::Chess });
        };
        let form = || format!("variant {name} is not of the form 10x8+0_fairy");
        let (board, hand) = size.split_once('+').ok_or_else(form)?;
        if hand != "0" {
            return Err(
                format!("variant {name}: captured pieces cannot return to the board").into()
            );
        }
        let grid: Grid = board.parse().map_err(|error| format!("variant {name}: {error}"))?;
        if let Some(preset) = Preset::named(parent) {
            let game = GameVariant::of_preset(preset)?;
            if game.game.grid != grid {
                let board = game.game.grid;
                return Err(format!("the rules of {parent} are for a board of {board}").into());
            }
            return Ok(Self::Game(Arc::new(game)));
        }
        let grid = match parent {
            "fairy" | "normal" => grid,
            "cylinder" => {
                Grid::new(grid.width(), grid.height(), true).map_err(|error| error.to_string())?
            }
            _ => {
                return Err(format!(
                    "variant {name}: expected fairy, cylinder or normal after the board"
                )
                .into());
            }
        };
        if grid == Grid::CHESS {
            return Ok(Self::Fairy);
        }
        let config = &endgame_setup.config;
        let game = Game::on_board(grid, &config.piece_set, &config.rules)
            .map_err(|error| error.to_string())?;
        let pieces = config.piece_set.pieces().filter(|piece| piece.letter.is_ascii_uppercase());
        let pieces = pieces.cloned().collect();
        Ok(Self::Game(Arc::new(GameVariant::new(game, name, Some(sized.to_owned()), pieces))))
    }
}

impl GameVariant {
    fn new(game: Game, name: &str, setup: Option<String>, pieces: Vec<Arc<Piece>>) -> Self {
        let game = Arc::new(game);
        Self { name: name.to_owned(), moves: GameMoves::new(&game), game, setup, pieces }
    }

    fn of_preset(preset: &Preset) -> Result<Self, TaskError> {
        let name = preset.name;
        let game = Game::read(preset.text()).map_err(|error| format!("{name}: {error}"))?;
        let is_known = KNOWN_TO_XBOARD.contains(&name);
        let setup = (!is_known).then(|| format!("{}+0_fairy", game.grid));
        let pieces = game.pieces().iter().filter_map(|piece| {
            // Only movements that hold on the whole board can be described.
            let text = piece.movement.split(';').next().unwrap_or_default();
            let set = PieceSet::with_definitions(&format!("{} = {text}", piece.letter)).ok()?;
            set.get(piece.letter).cloned()
        });
        let pieces = pieces.collect();
        Ok(Self::new(game, name, setup, pieces))
    }

    pub(super) fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Reads a diagram; without one, the initial position.
    fn read(&self, fen: Option<&str>, royals: [char; 2]) -> Result<GamePosition, TaskError> {
        let fen = fen.unwrap_or(&self.game.start);
        if fen.is_empty() {
            return Err(format!("{} has no initial position; set one up", self.name).into());
        }
        self.moves.position(fen, royals).map_err(|error| error.to_string().into())
    }

    pub(super) fn read_move(
        &self,
        position: &GamePosition,
        text: &str,
    ) -> Result<TableMove, IllegalGameMove> {
        let mv = self.moves.read_move(position, text)?;
        Ok(self.played(position, &mv))
    }

    pub(super) fn played(&self, position: &GamePosition, mv: &GameMove) -> TableMove {
        let after = TableBoard::Game(self.moves.after(position, mv));
        TableMove { name: self.moves.name(mv), after }
    }

    pub(super) fn end(&self, position: &GamePosition) -> Option<GameEnd> {
        self.moves.end(position)
    }

    /// Returns the endgame to build for a position: that of the options if it leads there.
    pub(super) fn wanted(
        &self,
        position: &GamePosition,
        endgame: &str,
    ) -> Result<GameMaterial, TaskError> {
        let material = self.moves.material(position).map_err(|error| error.to_string())?;
        let named = GameMaterial::read(endgame, &self.game).ok();
        Ok(named.filter(|named| named.covers(&material)).unwrap_or(material))
    }
}

impl Session {
    /// Starts the variant that a GUI names: reports the pieces to it, and builds the endgame of the
    /// options.
    pub(crate) fn table_variant(&mut self, name: &str, at: Instant) {
        let castling = CastlingMode::of(name == "fischerandom");
        self.game.set_variant(castling);
        self.report_dropped_castling();
        self.enter_variant(name);
        match self.table_player.variant.clone() {
            Variant::Chess => {}
            Variant::Fairy => self.write_fairy_pieces(),
            Variant::Game(game) => {
                let named = GameMaterial::read(&self.options.tables.endgame, &game.game).ok();
                self.write_game_pieces(&game, named.as_ref());
                for rule in &game.game.not_modelled {
                    self.write(Event::Note(format!("{} does not model {rule}", game.name)));
                }
                if let Some(material) = named {
                    self.start_build(&super::Wanted::Game(material), at);
                }
            }
        }
    }

    /// Follows the variant of the options, for protocols without a command for it.
    pub(crate) fn follow_variant_option(&mut self) {
        let wanted = self.options.variant;
        let is_current = match &self.table_player.variant {
            Variant::Game(game) => game.name == wanted,
            Variant::Chess | Variant::Fairy => Preset::named(wanted).is_none(),
        };
        if !is_current {
            self.enter_variant(wanted);
        }
    }

    fn enter_variant(&mut self, name: &str) {
        let variant = self.endgame_setup().and_then(|setup| Variant::named(name, &setup));
        self.table_player.variant = variant.unwrap_or_else(|why| {
            self.refuse(why);
            Variant::Chess
        });
        self.table_player.forget_build();
        // A diagram of the variant before has other squares.
        self.table_player.diagram = None;
        self.table_board_changed();
    }

    /// Reads the diagram that was given, or the initial position of the game.
    pub(super) fn read_game_board(&mut self, game: &GameVariant) -> Result<TableBoard, TaskError> {
        let fen = self.table_player.diagram.take();
        self.game.set_aside(&format!("{} is played from tables only", game.name));
        let endgame = &self.options.tables.endgame;
        let royals = match GameMaterial::read(endgame, &game.game) {
            Ok(material) => Color::ALL.map(|color| material.royal(color, &game.game)),
            Err(_) => ['K', 'K'],
        };
        Ok(TableBoard::Game(game.read(fen.as_deref(), royals)?))
    }

    fn write_fairy_pieces(&mut self) {
        let Ok(endgame_setup) = self.endgame_setup() else { return };
        let Some(endgame) = &endgame_setup.endgame else { return };
        let mut pieces: Vec<_> =
            Color::ALL.iter().flat_map(|&color| endgame.side(color).to_vec()).collect();
        pieces.sort();
        pieces.dedup();
        let letters = pieces.iter().map(|p| p.letter.to_ascii_uppercase()).collect();
        pieces.retain(is_unusual);
        let fen = example(endgame, &endgame_setup).map(|board| board.to_fen());
        let board = GuiBoard { setup: "8x8+0_fairy".to_owned(), fen, only_these: false };
        self.write(Event::FromTable(FromTable::Pieces { letters, unusual: pieces, board }));
    }

    fn write_game_pieces(&mut self, game: &GameVariant, endgame: Option<&GameMaterial>) {
        let Some(setup) = game.setup.clone() else { return };
        let start = Some(game.game.start.as_str()).filter(|start| !start.is_empty());
        // GUIs expect all fields of a FEN; there is no castling.
        let start = start.map(|start| match start.split_whitespace().count() {
            2 => format!("{start} - - 0 1"),
            _ => start.to_owned(),
        });
        let example = endgame.and_then(|endgame| game.moves.example(endgame));
        let fen = example.map(|position| game.moves.fen(&position)).or(start);
        let letters = game.game.pieces().iter().map(|piece| piece.letter);
        // A board without rules has all pieces of the program; those of the endgame are shown.
        let is_preset = PRESETS.iter().any(|preset| preset.name == game.name);
        let shown = |letter: char| {
            is_preset || endgame.is_some_and(|endgame| endgame.to_string().contains(letter))
        };
        let letters = letters.filter(|&letter| shown(letter)).collect();
        // Pawns of GUIs have a double step.
        let steps_once = |letter: char| {
            game.game
                .pieces()
                .iter()
                .any(|p| p.letter == letter && letter == 'P' && !p.steps_twice())
        };
        let mut unusual = game.pieces.clone();
        unusual.retain(|p| shown(p.letter) && (is_unusual(p) || steps_once(p.letter)));
        let board = GuiBoard { setup, fen, only_these: is_preset };
        self.write(Event::FromTable(FromTable::Pieces { letters, unusual, board }));
    }

    /// Returns FEN of the board of another game, while one is played.
    pub(crate) fn game_fen(&self) -> Option<String> {
        match (&self.table_player.variant, self.table_player.game.last()) {
            (Variant::Game(game), Some(TableBoard::Game(position))) => {
                Some(game.moves.fen(position))
            }
            _ => None,
        }
    }
}

/// Returns true for a piece that moves differently from those of orthodox chess.
fn is_unusual(piece: &Arc<Piece>) -> bool {
    let usual = PieceSet::default().get(piece.letter).cloned();
    let usual = usual.filter(|_| "KQRBNP".contains(piece.letter));
    usual.is_none_or(|usual| !usual.moves_like(piece))
}
