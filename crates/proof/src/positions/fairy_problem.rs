//! Problems with conditions, fairy pieces, or a start that is no legal position of chess.

use super::board::{CastlingRights, Man, ManKind, SearchPosition};
use super::conditions::{Anda, ArrayChange, Built, build, imitator_ends_on};
use super::fairy::{
    BOARD_B, FairyCondition, FairyPosition, FairyRules, FairyState, PieceType, Traits,
    on_other_board, piece_of,
};
use super::names::ConditionName;
use super::problem::TargetBoard;
use super::rules::RuleSet as _;
use super::turns::Turns;
use crate::problem::Length;
use umbrail_chess::geometry::{Bitboard, Color, Setup, Square};
use umbrail_chess::{PieceLetters, Role};

/// A piece by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceName {
    /// A piece of chess.
    Standard(Role),
    /// A fairy piece, by its English name.
    Fairy(&'static str),
    /// At the end, any piece of the color.
    Any,
    /// At the end, any piece of either color.
    Anything,
    /// A piece of chess that both sides move and capture.
    Neutral(Role),
    /// The same of a fairy piece.
    NeutralFairy(&'static str),
}

/// A man on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedMan {
    /// Square.
    pub square: Square,
    /// Color.
    pub color: Color,
    /// Piece.
    pub piece: PieceName,
    /// True on Alice's board B.
    pub on_b: bool,
}

/// Start of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairyStart {
    /// Men; `None` for the array, which some conditions change.
    pub men: Option<Vec<PlacedMan>>,
    /// Side to move.
    pub turn: Color,
    /// Castling rights in four bits: kingside and queenside of White, then of Black.
    pub castling: u8,
    /// Square behind a pawn that just made a double step.
    pub en_passant: Option<Square>,
}

impl FairyStart {
    /// The array, White to move.
    pub const ARRAY: Self = Self { men: None, turn: Color::White, castling: 15, en_passant: None };
}

/// A problem: all games of a number of plies from a position to a placement, under conditions.
#[derive(Clone, Debug)]
pub struct FairyProblem {
    /// Start of the games.
    pub start: FairyStart,
    /// Men at the end.
    pub target: Vec<PlacedMan>,
    /// True if the boards of the men at the end are stated; otherwise, each may stand on either board of Alice Chess.
    pub states_boards: bool,
    /// Square of an imitator at the end.
    pub imitator_end: Option<Square>,
    /// Number of plies; in a series, of its moves, with the last move of the other side.
    pub plies: u16,
    /// Interpretation of `plies`.
    pub length: Length,
    /// Order of turns.
    pub turns: Turns,
    /// Conditions.
    pub conditions: Vec<ConditionName>,
    /// Further pieces to which pawns promote.
    pub pieces: Vec<PieceName>,
    /// Letters that the source gives to pieces in its diagrams.
    pub letters: Vec<(char, PieceName)>,
    /// Each man at the end may have either color ("color the pieces").
    pub uncolored: bool,
    /// Men that stand on further squares at the end, wherever that may be ("add a black queen").
    pub added: Vec<(Color, PieceName)>,
}

/// Reason why a problem is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FairyError {
    /// A condition, with its variants.
    #[error("the condition {0} is not supported")]
    Condition(String),
    /// Two conditions that are not combined.
    #[error("the conditions {0} and {1} are not supported together")]
    Combination(String, String),
    /// A condition that is not combined with fairy pieces.
    #[error("the condition {0} is not supported together with fairy pieces")]
    Pieces(String),
    /// A letter without a meaning.
    #[error("the letter {0} on {1} is no piece; --piece {0}=NAME gives it a meaning")]
    Letter(char, Square),
    /// An open square at the start.
    #[error("a letter for any piece may stand only in the diagram at the end")]
    OpenStart,
    /// The boards of Alice Chess are not stated at the start.
    #[error(
        "AliceChess with a start requires the board of each man; --start-board-b and --board-b list the squares of board B"
    )]
    Boards,
    /// Neutral pieces with something that is not combined with them.
    #[error("neutral pieces are not supported together with {0}")]
    Neutral(String),
    /// A neutral king.
    #[error("neutral kings are not supported")]
    NeutralKing,
    /// Too many kinds of men.
    #[error("at most {0} kinds of fairy pieces are supported")]
    Kinds(usize),
}

/// Men of a FEN whose letters have these meanings besides those of chess, in any language of
/// [`PieceLetters`].
///
/// # Errors
/// A letter that has no meaning.
pub fn men_of(
    setup: &Setup,
    pieces: &[(char, PieceName)],
    on_b: Bitboard,
) -> Result<Vec<PlacedMan>, FairyError> {
    let given = |letter: char| pieces.iter().find(|(known, _)| known.eq_ignore_ascii_case(&letter));
    let cased = |(_, color, letter): (Square, Color, char)| match color {
        Color::White => letter,
        Color::Black => letter.to_ascii_lowercase(),
    };
    let others: String =
        setup.pieces().map(cased).filter(|letter| given(*letter).is_none()).collect();
    let language = PieceLetters::of_placement(&others);
    let man = |(square, color, letter): (Square, Color, char)| {
        let standard = || language.role(letter).map(PieceName::Standard);
        let piece = given(letter).map(|(_, piece)| *piece).or_else(standard);
        let piece = piece.ok_or(FairyError::Letter(letter, square))?;
        Ok(PlacedMan { square, color, piece, on_b: on_b.contains(square) })
    };
    setup.pieces().map(man).collect()
}

/// Returns the castling rights of a FEN's field, as far as king and rook stand at home.
pub fn castling_of(field: &str) -> u8 {
    let one = |letter: char| {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match letter.to_ascii_lowercase() {
            'k' | 'h' => CastlingRights::one(color, true).0,
            'q' | 'a' => CastlingRights::one(color, false).0,
            _ => 0,
        }
    };
    field.chars().fold(0, |rights, letter| rights | one(letter))
}

/// A problem that is ready to be searched.
pub(super) struct PreparedProblem {
    pub rules: FairyRules,
    pub start: FairyPosition,
    pub target: TargetBoard,
    /// True if the rules are those of orthodox chess.
    pub is_orthodox: bool,
}

/// Kinds of a problem.
struct Kinds {
    pieces: Vec<&'static PieceType>,
    array: ArrayChange,
}

impl Kinds {
    fn of(&mut self, piece: PieceName) -> ManKind {
        match piece {
            PieceName::Standard(role) | PieceName::Neutral(role) => role.into(),
            // Open squares have no kind of their own.
            PieceName::Any | PieceName::Anything => ManKind::PAWN,
            PieceName::Fairy(name) | PieceName::NeutralFairy(name) => {
                let at = self.pieces.iter().position(|known| known.name == name);
                let at = at.unwrap_or_else(|| {
                    self.pieces.extend(piece_of(name));
                    self.pieces.len() - 1
                });
                ManKind::at((ManKind::STANDARD + at).min(ManKind::MAX - 1))
            }
        }
    }

    /// Returns the kind that stands for a role in the array.
    fn in_array(&mut self, role: Role) -> ManKind {
        let changed = self.array.iter().find(|(known, _)| *known == role);
        self.of(changed.map_or(PieceName::Standard(role), |(_, name)| PieceName::Fairy(name)))
    }

    fn man(&mut self, placed: &PlacedMan) -> Man {
        let kind = self.of(placed.piece);
        // On the board of the search, neutral men are white.
        let color = if placed.piece.is_neutral() { Color::White } else { placed.color };
        Man::of(color, if placed.on_b { on_other_board(kind) } else { kind })
    }
}

impl FairyProblem {
    /// Returns the lengths of games that count, shortest first.
    pub(super) fn lengths(&self) -> impl Iterator<Item = u16> + use<> {
        let series = self.turns.is_series();
        let least = match self.length {
            Length::Exact => self.plies,
            Length::Parity if series => (1 + u16::from(self.turns.has_help())).min(self.plies),
            Length::Parity => (2 - self.plies % 2).min(self.plies),
        };
        (least..=self.plies).step_by(if series { 1 } else { 2 })
    }

    /// Returns the first reason why the problem is not supported.
    ///
    /// # Errors
    /// That reason.
    pub fn check(&self) -> Result<(), FairyError> {
        self.prepare().map(drop)
    }

    /// Builds rules, start and target.
    pub(super) fn prepare(&self) -> Result<PreparedProblem, FairyError> {
        let mut conditions: Vec<Box<dyn FairyCondition>> = vec![];
        let mut named: Vec<(&ConditionName, Traits)> = vec![];
        let mut array: ArrayChange = &[];
        let mut anda: Option<Anda> = None;
        for name in &self.conditions {
            let built = build(name).ok_or_else(|| FairyError::Condition(name.to_string()))?;
            match built {
                Built::Condition(condition) => {
                    let traits = condition.traits();
                    let clash = named
                        .iter()
                        .find(|(other, known)| other.name == name.name || known.clashes(traits));
                    if let Some((other, _)) = clash {
                        let (one, two) = (other.to_string(), name.to_string());
                        return Err(FairyError::Combination(one, two));
                    }
                    named.push((name, traits));
                    conditions.push(condition);
                }
                Built::Array(change) => array = change,
                Built::Anda(kind) => anda = Some(kind),
                Built::Nothing => {}
            }
        }
        if let Some(neutral) = self.neutral(anda)? {
            conditions.insert(0, Box::new(neutral));
        }
        if let Some(end) = self.imitator_end {
            conditions.push(imitator_ends_on(end));
        }
        let is_alice = self.conditions.iter().any(|one| one.name == "AliceChess");
        let mut kinds = Kinds { pieces: vec![], array };
        if is_alice {
            // Without a start of its own, all begin on board A.
            let mut men = self.start.men.iter().flatten().chain(&self.target);
            if self.start.men.is_some() && !self.states_boards && !men.any(|man| man.on_b) {
                return Err(FairyError::Boards);
            }
            kinds.pieces.extend(BOARD_B);
            let given = self.start.men.iter().flatten().chain(&self.target);
            let pieces = given.map(|man| man.piece).chain(self.pieces.iter().copied());
            let is_other = |piece| !matches!(piece, PieceName::Standard(_));
            if pieces.into_iter().any(is_other) {
                return Err(FairyError::Pieces("AliceChess".to_owned()));
            }
        }
        let [king, rook] = [Role::King, Role::Rook].map(|role| kinds.in_array(role));
        let mut promotions: Vec<ManKind> =
            Role::PROMOTIONS.map(|role| kinds.in_array(role)).to_vec();
        let start = self.start_position(&mut kinds);
        let mut men = [Man::NONE; 64];
        for placed in &self.target {
            men[placed.square.index()] = kinds.man(placed);
        }
        for &piece in self.pieces.iter().chain(self.added.iter().map(|(_, piece)| piece)) {
            kinds.of(piece);
        }
        let is_open = |man: &PlacedMan| matches!(man.piece, PieceName::Any | PieceName::Anything);
        if self.start.men.iter().flatten().any(is_open) {
            return Err(FairyError::OpenStart);
        }
        if kinds.pieces.len() > ManKind::MAX - ManKind::STANDARD {
            return Err(FairyError::Kinds(ManKind::MAX - ManKind::STANDARD));
        }
        if !is_alice && array.is_empty() {
            promotions
                .extend((0..kinds.pieces.len()).map(|at| ManKind::at(ManKind::STANDARD + at)));
            promotions.retain(|kind| {
                kind.index()
                    .checked_sub(ManKind::STANDARD)
                    .is_none_or(|at| !kinds.pieces[at].is_pawn)
            });
        }
        if !array.is_empty()
            && let Some((name, _)) = named.first()
        {
            return Err(FairyError::Pieces(name.to_string()));
        }
        let added: Vec<Man> =
            self.added.iter().map(|&(color, piece)| Man::of(color, kinds.of(piece))).collect();
        let is_orthodox = conditions.is_empty() && kinds.pieces.is_empty();
        let blocks =
            named.iter().any(|(one, _)| matches!(one.name, "AliceChess" | "Hole" | "Imitator"));
        let mut rules = FairyRules::new(conditions, kinds.pieces, promotions, [king, rook], blocks);
        let named = self.letters.iter().filter_map(|&(letter, piece)| match piece {
            PieceName::Fairy(name) | PieceName::NeutralFairy(name) => Some((letter, name)),
            _ => None,
        });
        rules.give_letters(&named.collect::<Vec<_>>());
        rules.fewest = (self.target.len() + self.added.len()) as u32;
        let mut start = start;
        rules.begin(&mut start);
        let any_board = is_alice && !self.states_boards;
        let target = self.target(men, &added, rules.kinds(), any_board);
        Ok(PreparedProblem { rules, start, target, is_orthodox })
    }

    /// Returns the target, with its open squares.
    fn target(&self, men: [Man; 64], added: &[Man], kinds: usize, any_board: bool) -> TargetBoard {
        let is_open = |piece| matches!(piece, PieceName::Any | PieceName::Anything);
        let has_open = self.target.iter().any(|man| is_open(man.piece));
        if !has_open && !self.uncolored && !any_board && added.is_empty() {
            return TargetBoard::new(men);
        }
        let mut choices = vec![];
        for placed in &self.target {
            let man = men[placed.square.index()];
            let kinds = match is_open(placed.piece) {
                true => (0..kinds).map(ManKind::at).collect(),
                false if any_board => vec![man.kind(), on_other_board(man.kind())],
                false => vec![man.kind()],
            };
            let either = self.uncolored || placed.piece == PieceName::Anything;
            let colors = if either { Color::ALL.to_vec() } else { vec![placed.color] };
            if kinds.len() * colors.len() > 1 {
                let of = |&color: &Color| kinds.iter().map(move |&kind| Man::of(color, kind));
                let all: Vec<Man> = colors.iter().flat_map(of).collect();
                choices.push((placed.square, all));
            }
        }
        TargetBoard::open(men, &choices, added.to_vec())
    }

    fn start_position(&self, kinds: &mut Kinds) -> FairyPosition {
        let mut start = SearchPosition::empty(self.start.turn, FairyState::default());
        match &self.start.men {
            Some(men) => {
                for placed in men {
                    // A later man replaces an earlier one.
                    if !start.at(placed.square).is_none() {
                        start.remove(placed.square);
                    }
                    start.put(kinds.man(placed), placed.square);
                }
            }
            None => {
                let array: Setup = Setup::START_FEN.parse().unwrap_or_default();
                for (square, color, letter) in array.pieces() {
                    let role = Role::from_letter(letter).unwrap_or(Role::Pawn);
                    start.put(Man::of(color, kinds.in_array(role)), square);
                }
            }
        }
        start.rights = CastlingRights(self.start.castling);
        start.en_passant = self.start.en_passant;
        start
    }
}
