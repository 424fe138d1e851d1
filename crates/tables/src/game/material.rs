//! Material of an endgame of a game, and the key of one table.

use super::definition::Game;
use std::fmt;
use umbrail_chess::geometry::Color;

/// Maximum number of pieces besides the royals. Memory limits the endgames much earlier, except
/// those of pieces with few squares.
pub(super) const OTHERS_MAX: usize = 6;

/// Pieces of both sides; the first of each side is royal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameMaterial {
    /// Numbers of White's and of Black's pieces in the list of the game.
    pub(super) sides: [Vec<u8>; 2],
    name: String,
}

/// Pieces of one table "the attacker wins", royals first, the others in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct GameKey {
    pub(super) attackers: Vec<u8>,
    pub(super) losers: Vec<u8>,
}

/// Reason why a text is not a material of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameMaterialError {
    /// There are not two sides.
    #[error("endgame \"{0}\" is not of the form KQ.KR: White's pieces, a dot, Black's pieces")]
    Dot(String),
    /// No piece has this letter.
    #[error("{game} has no piece with the letter '{letter}'; its pieces are {known}")]
    Letter {
        /// Name of the game.
        game: String,
        /// Unknown letter.
        letter: char,
        /// All letters.
        known: String,
    },
    /// The first piece of a side promotes.
    #[error("the first piece of {0} is royal and cannot be one that promotes")]
    RoyalPawn(Color),
    /// More pieces than a table can have.
    #[error("{0} pieces are too many, at most {limit} are possible", limit = OTHERS_MAX + 2)]
    TooMany(usize),
    /// A report was requested on the king.
    #[error("K is the king; a report needs another piece")]
    King,
    /// Both sides have pawns with a double step.
    #[error(
        "both sides have pawns with a double step; capture en passant exists only on a board of 8x8 without rules"
    )]
    EnPassant,
}

impl GameMaterial {
    /// Reads `KQ.KR` with the pieces of a game; `KQvKR` and `KQ-KR` are the same.
    ///
    /// # Errors
    /// [`GameMaterialError`] when the text is malformed or the table is not possible.
    pub fn read(text: &str, game: &Game) -> Result<Self, GameMaterialError> {
        let mut letters: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if letters.chars().all(|c| c.is_ascii_lowercase() || ".-".contains(c)) {
            let capital = |c: char| if c == 'v' { c } else { c.to_ascii_uppercase() };
            letters = letters.chars().map(capital).collect();
        }
        let mut parts = letters.split(['.', 'v', '-']);
        let (Some(white), Some(black), None) = (parts.next(), parts.next(), parts.next()) else {
            return Err(GameMaterialError::Dot(text.to_owned()));
        };
        let side = |letters: &str| {
            let number = |letter| {
                game.number(letter).ok_or_else(|| GameMaterialError::Letter {
                    game: game.name.clone(),
                    letter,
                    known: game.pieces().iter().map(|piece| piece.letter).collect(),
                })
            };
            letters.chars().map(number).collect::<Result<Vec<u8>, _>>()
        };
        let sides = [side(white)?, side(black)?];
        if sides.iter().any(Vec::is_empty) {
            return Err(GameMaterialError::Dot(text.to_owned()));
        }
        Self::of(sides, game)
    }

    /// Creates the material of these pieces, royals first.
    pub(super) fn of(sides: [Vec<u8>; 2], game: &Game) -> Result<Self, GameMaterialError> {
        let piece = |number: u8| &game.pieces[usize::from(number)];
        let promotes = |number: u8| piece(number).moves.iter().any(|mv| mv.becomes.is_some());
        if let Some(color) = Color::ALL.into_iter().find(|c| promotes(sides[c.index()][0])) {
            return Err(GameMaterialError::RoyalPawn(color));
        }
        let count = sides[0].len() + sides[1].len();
        if count > OTHERS_MAX + 2 {
            return Err(GameMaterialError::TooMany(count));
        }
        if sides.iter().all(|side| side.iter().any(|&number| piece(number).double_step)) {
            return Err(GameMaterialError::EnPassant);
        }
        let letters = |side: &[u8]| side.iter().map(|&n| piece(n).letter).collect::<String>();
        let name = format!("{}.{}", letters(&sides[0]), letters(&sides[1]));
        Ok(Self { sides, name })
    }

    /// Returns the letter of the royal piece of a side.
    pub fn royal(&self, color: Color, game: &Game) -> char {
        game.pieces[usize::from(self.sides[color.index()][0])].letter
    }

    /// Returns true for the same pieces on both sides, in any order, with either color.
    pub fn is_like(&self, other: &Self) -> bool {
        self.count() == other.count() && self.covers(other)
    }

    /// Returns true when the pieces of another material are among these, with either color.
    pub fn covers(&self, other: &Self) -> bool {
        let within = |swap: bool| {
            Color::ALL.into_iter().all(|color| {
                let mut left = self.sides[(if swap { !color } else { color }).index()].clone();
                other.sides[color.index()].iter().all(|kind| {
                    let found = left.iter().position(|known| known == kind);
                    found.map(|at| left.swap_remove(at)).is_some()
                })
            })
        };
        within(false) || within(true)
    }

    /// Returns the number of pieces of both sides.
    pub fn count(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    /// Returns the key of the table "this color wins".
    pub(super) fn key(&self, winner: Color) -> GameKey {
        let [attackers, losers] = [winner, !winner].map(|color| {
            let mut side = self.sides[color.index()].clone();
            side[1..].sort_unstable();
            side
        });
        GameKey { attackers, losers }
    }
}

impl fmt::Display for GameMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl GameKey {
    /// Returns the number of pieces besides the royals.
    pub(super) fn others(&self) -> usize {
        self.attackers.len() + self.losers.len() - 2
    }

    /// Returns the number of attackers besides the royal.
    pub(super) fn strikers(&self) -> usize {
        self.attackers.len() - 1
    }

    /// Returns the kind of a piece besides the royals: attackers first.
    pub(super) fn kind(&self, man: usize) -> u8 {
        match man.checked_sub(self.strikers()) {
            None => self.attackers[man + 1],
            Some(loser) => self.losers[loser + 1],
        }
    }

    /// Returns the key after a conversion, and for each of its pieces the number here. `victims` is
    /// a set of pieces; the mover may become another kind.
    pub(super) fn changed(&self, victims: u32, promoted: Option<(usize, u8)>) -> (Self, Vec<u8>) {
        let kind = |man: usize| match promoted {
            Some((mover, kind)) if mover == man => kind,
            _ => self.kind(man),
        };
        let side = |men: std::ops::Range<usize>| {
            let mut left: Vec<usize> = men.filter(|man| victims >> man & 1 == 0).collect();
            left.sort_by_key(|&man| kind(man));
            left
        };
        let (ours, theirs) = (side(0..self.strikers()), side(self.strikers()..self.others()));
        let kinds = |royal: u8, men: &[usize]| {
            std::iter::once(royal).chain(men.iter().map(|&man| kind(man))).collect()
        };
        let key = Self {
            attackers: kinds(self.attackers[0], &ours),
            losers: kinds(self.losers[0], &theirs),
        };
        (key, ours.into_iter().chain(theirs).map(|man| man as u8).collect())
    }
}
