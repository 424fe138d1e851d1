//! Positions of a game and their moves: plain and forward, for probing and for checks.

use super::compiled::oriented;
use super::definition::Game;
use crate::fairy::Template;
use crate::grid::SquareSet;
use std::sync::Arc;
use umbrail_chess::geometry::Color;

/// Piece on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameMan {
    /// Number of the piece in the list of the game.
    pub kind: u8,
    /// Side of the piece.
    pub color: Color,
    /// Square.
    pub square: u8,
}

/// Placement and side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    /// White's royal, Black's royal, then the other pieces.
    pub men: Vec<GameMan>,
    /// Side to move.
    pub turn: Color,
}

/// Move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameMove {
    /// Square of origin.
    pub from: u8,
    /// Target square.
    pub to: u8,
    /// Squares of the captured pieces.
    pub take: u128,
    /// Number of the piece that the mover becomes.
    pub becomes: Option<u8>,
}

/// Reason why a text is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamePositionError {
    /// The ranks do not fill the board.
    #[error(
        "\"{0}\" does not fill a board of {1}: expected ranks of pieces and numbers of empty squares, divided by /"
    )]
    Board(String, String),
    /// The side to move is missing.
    #[error("the side to move is missing after the board, expected w or b")]
    Turn,
    /// No piece has this letter.
    #[error("'{0}' is not a piece of {1}")]
    Letter(char, String),
    /// A side does not have exactly one royal piece.
    #[error("{0} has {1} royal pieces, expected one {2}")]
    Royals(Color, usize, char),
    /// A piece is where it can never stand.
    #[error("{letter} cannot stand on {square}")]
    Zone {
        /// Letter of the piece.
        letter: char,
        /// Name of the square.
        square: String,
    },
    /// The side to move could capture the royal.
    #[error("{0} to move could capture the royal of {1}")]
    Check(Color, Color),
}

/// Templates of one piece and color by square, with what the mover becomes.
type OrientedMoves = Vec<Vec<(Template<u128>, Option<u8>)>>;

/// Rules of a game at the board: legal moves, and positions and moves as text.
#[derive(Clone, Debug)]
pub struct GameMoves {
    pub(super) game: Arc<Game>,
    /// By piece and color.
    moves: Vec<[OrientedMoves; 2]>,
    /// Captures of a royal along an open file, by square; the same for both colors.
    facing: Vec<Vec<Template<u128>>>,
}

impl GameMoves {
    /// Expands the moves of all pieces.
    pub fn new(game: &Arc<Game>) -> Self {
        let squares = usize::from(game.grid.size());
        let mut facing = vec![vec![]; squares];
        let mut moves = vec![];
        for (number, piece) in game.pieces.iter().enumerate() {
            let both = Color::ALL.map(|color| {
                let mut list: OrientedMoves = vec![vec![]; squares];
                for (template, becomes, faces) in oriented(game, piece, color.is_white()) {
                    if !faces {
                        list[usize::from(template.from)].push((template, becomes));
                    } else if number == 0 && color.is_white() {
                        facing[usize::from(template.from)].push(template);
                    }
                }
                list
            });
            moves.push(both);
        }
        Self { game: game.clone(), moves, facing }
    }

    /// Reads a position; `royals` are the numbers of the royal pieces.
    pub(super) fn read(
        &self,
        fen: &str,
        royals: [u8; 2],
    ) -> Result<GamePosition, GamePositionError> {
        let game = &self.game;
        let mut fields = fen.split_whitespace();
        // XBoard appends captured pieces in brackets where a game keeps them.
        let board = fields.next().unwrap_or_default().split('[').next().unwrap_or_default();
        let mut men = self.placement(board)?;
        let turn = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            _ => return Err(GamePositionError::Turn),
        };
        for color in Color::ALL {
            let royal = royals[color.index()];
            let is_royal = |man: &GameMan| man.color == color && man.kind == royal;
            let count = men.iter().filter(|man| is_royal(man)).count();
            let letter = game.pieces[usize::from(royal)].letter;
            let Some(at) = men.iter().position(is_royal).filter(|_| count == 1) else {
                return Err(GamePositionError::Royals(color, count, letter));
            };
            let man = men.remove(at);
            men.insert(color.index(), man);
        }
        let outside = |man: &&GameMan| {
            let seen =
                if man.color.is_white() { man.square } else { game.grid.flipped(man.square) };
            !game.pieces[usize::from(man.kind)].zone.has(seen)
        };
        if let Some(man) = men.iter().find(outside) {
            let letter = game.pieces[usize::from(man.kind)].letter;
            return Err(GamePositionError::Zone { letter, square: game.grid.name(man.square) });
        }
        let position = GamePosition { men, turn };
        if self.attacks_royal(&position, turn) {
            return Err(GamePositionError::Check(turn, !turn));
        }
        Ok(position)
    }

    fn placement(&self, board: &str) -> Result<Vec<GameMan>, GamePositionError> {
        let grid = &self.game.grid;
        let unfit = || GamePositionError::Board(board.to_owned(), grid.to_string());
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != usize::from(grid.height()) {
            return Err(unfit());
        }
        let mut men = vec![];
        for (row, text) in ranks.iter().enumerate() {
            let first = (grid.height() - 1 - row as u8) * grid.width();
            let (mut file, mut digits) = (0usize, 0usize);
            for c in text.chars() {
                if let Some(digit) = c.to_digit(10) {
                    // No board has 100 files.
                    digits = (digits * 10 + digit as usize).min(99);
                    continue;
                }
                file += std::mem::take(&mut digits);
                let square = first + file.min(99) as u8;
                let on_board = file < usize::from(grid.width());
                if c == '*' && on_board && !grid.squares().has(square) {
                    file += 1;
                    continue;
                }
                let kind = self.game.number(c.to_ascii_uppercase());
                let kind =
                    kind.ok_or_else(|| GamePositionError::Letter(c, self.game.name.clone()))?;
                if !on_board || !grid.squares().has(square) {
                    return Err(unfit());
                }
                let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
                men.push(GameMan { kind, color, square });
                file += 1;
            }
            if file + digits != usize::from(grid.width()) {
                return Err(unfit());
            }
        }
        Ok(men)
    }

    /// Writes a position as FEN: placement and side to move.
    pub fn fen(&self, position: &GamePosition) -> String {
        let grid = &self.game.grid;
        let mut text = String::new();
        for rank in (0..grid.height()).rev() {
            let mut empty = 0;
            for file in 0..grid.width() {
                let square = rank * grid.width() + file;
                let man = position.men.iter().find(|man| man.square == square);
                let sign = match man {
                    Some(man) => {
                        let letter = self.game.pieces[usize::from(man.kind)].letter;
                        if man.color.is_white() { letter } else { letter.to_ascii_lowercase() }
                    }
                    None if !grid.squares().has(square) => '*',
                    None => {
                        empty += 1;
                        continue;
                    }
                };
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text.push(sign);
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        format!("{text}{} - - 0 1", if position.turn.is_white() { 'w' } else { 'b' })
    }

    /// Returns the squares of a piece's own side without itself, and of the other side.
    fn around(position: &GamePosition, mover: usize) -> (u128, u128) {
        let (mut own, mut enemy) = (0, 0);
        for (number, man) in position.men.iter().enumerate() {
            if man.color != position.men[mover].color {
                enemy |= u128::bit(man.square);
            } else if number != mover {
                own |= u128::bit(man.square);
            }
        }
        (own, enemy)
    }

    fn list(&self, man: &GameMan) -> &[(Template<u128>, Option<u8>)] {
        &self.moves[usize::from(man.kind)][man.color.index()][usize::from(man.square)]
    }

    /// Returns true when this side could capture the other royal.
    pub(super) fn attacks_royal(&self, position: &GamePosition, by: Color) -> bool {
        let royal = position.men[(!by).index()].square;
        (0..position.men.len()).filter(|&man| position.men[man].color == by).any(|mover| {
            let (own, enemy) = Self::around(position, mover);
            let man = &position.men[mover];
            let mut templates: Vec<&Template<u128>> =
                self.list(man).iter().map(|(t, _)| t).collect();
            if mover < 2 {
                templates.extend(&self.facing[usize::from(man.square)]);
            }
            templates.iter().any(|t| t.take.has(royal) && t.holds(own, enemy))
        })
    }

    /// Returns true when the side to move is in check.
    pub fn in_check(&self, position: &GamePosition) -> bool {
        self.attacks_royal(position, !position.turn)
    }

    /// Returns the legal moves.
    pub fn legal(&self, position: &GamePosition) -> Vec<GameMove> {
        let mut moves = self.pseudo(position);
        moves.retain(|mv| !self.attacks_royal(&after(position, mv), !position.turn));
        moves
    }

    /// Returns the moves of all pieces; after some of them the own royal could be captured.
    pub(super) fn pseudo(&self, position: &GamePosition) -> Vec<GameMove> {
        let mut found: Vec<GameMove> = vec![];
        for (mover, man) in position.men.iter().enumerate() {
            if man.color != position.turn {
                continue;
            }
            let (own, enemy) = Self::around(position, mover);
            let royal = position.men[(!man.color).index()].square;
            for (template, becomes) in self.list(man) {
                if !template.holds(own, enemy) || template.take.has(royal) {
                    continue;
                }
                let Template { from, to, take, .. } = *template;
                let mv = GameMove { from, to, take, becomes: *becomes };
                if !found.contains(&mv) {
                    found.push(mv);
                }
            }
        }
        found
    }

    /// Writes a move in coordinates; a capture on the way divides it, as in XBoard.
    pub fn name(&self, mv: &GameMove) -> String {
        let grid = &self.game.grid;
        let mut text = String::new();
        let mut from = mv.from;
        let distance = |square: u8| {
            let width = grid.width();
            let files = (square % width).abs_diff(mv.from % width);
            files.max((square / width).abs_diff(mv.from / width))
        };
        let mut passed: Vec<u8> = mv.take.squares().filter(|&square| square != mv.to).collect();
        passed.sort_by_key(|&square| distance(square));
        for taken in passed {
            text += &format!("{}{},", grid.name(from), grid.name(taken));
            from = taken;
        }
        text += &format!("{}{}", grid.name(from), grid.name(mv.to));
        let letter = mv.becomes.map(|kind| self.game.pieces[usize::from(kind)].letter);
        text.extend(letter.map(|letter| letter.to_ascii_lowercase()));
        text
    }
}

/// Returns the position after a move.
pub(super) fn after(position: &GamePosition, mv: &GameMove) -> GamePosition {
    let moved = |man: &GameMan| {
        if man.color != position.turn || man.square != mv.from {
            return *man;
        }
        GameMan { square: mv.to, kind: mv.becomes.unwrap_or(man.kind), ..*man }
    };
    let stays = |man: &&GameMan| man.color == position.turn || !mv.take.has(man.square);
    GamePosition {
        men: position.men.iter().filter(stays).map(moved).collect(),
        turn: !position.turn,
    }
}

/// Returns true when a side has only its royal.
pub(super) fn is_bare(position: &GamePosition, color: Color) -> bool {
    position.men.iter().filter(|man| man.color == color).count() == 1
}
