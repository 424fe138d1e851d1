//! Random games, for testing rules on diagrams that were not composed.
//!
//! Unsound rules usually lose games without slack. [`GameStyle::Tight`] generates such games: each
//! piece moves between milestones in the least number of moves. [`GameStyle::Purposeful`] prefers,
//! among such moves, the difficult cases for rules: castling, captures on the square just reached,
//! promotions.

use crate::distance::{Bars, TableCache};
use crate::rules::Rules;
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_chess::{Move, Position, Role};

/// Preferences of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStyle {
    /// Any legal move.
    Uniform,
    /// Mostly captures, if there are any.
    Captures,
    /// Pawn moves and promotions.
    Promotions,
    /// Castling and en passant captures at the first opportunity, and moves that prepare them.
    Castling,
    /// No piece wastes moves between captures while this is possible; then this number of wasted
    /// moves is allowed before the game ends.
    Tight(u8),
    /// Like a composed proof game. No piece wastes more moves than its side has to spare; the spare
    /// moves are drawn first (none, or up to this number). Castling, captures, recaptures,
    /// promotions and king walks are preferred. The game ends when every move would waste too much.
    Purposeful(u8),
}

/// A pseudo-random sequence: Vigna's splitmix64.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Creates the sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `sides`; 0 if `sides` is 0.
    pub const fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        if sides == 0 { 0 } else { (mixed >> 16) as usize % sides }
    }
}

/// Returns a legal game of at most `plies` plies, which depends only on the arguments.
pub fn random_game(style: GameStyle, plies: usize, seed: u64) -> Vec<Move> {
    if let GameStyle::Purposeful(spare_max) = style {
        return purposeful_game(spare_max, plies, seed);
    }
    let mut dice = SplitMix::new(seed);
    let mut position = Position::startpos();
    let mut legs = LegTracker::new();
    let mut wasted = 0;
    let mut game = Vec::new();
    while game.len() < plies {
        let all = position.legal_moves();
        let moves: Vec<Move> = all.iter().copied().collect();
        if moves.is_empty() {
            break;
        }
        let wanted: Vec<Move> =
            moves.iter().copied().filter(|&mv| expects(style, &position, &legs, mv)).collect();
        let careful = matches!(style, GameStyle::Tight(_));
        let pool = if wanted.is_empty() || (!careful && dice.roll(8) == 0) {
            if let GameStyle::Tight(most) = style {
                wasted += 1;
                if wasted > most {
                    break;
                }
            }
            &moves
        } else {
            &wanted
        };
        let mv = pool[dice.roll(pool.len())];
        legs.play(&position, mv);
        position = position.after(mv);
        game.push(mv);
    }
    game
}

/// Returns a game of style [`GameStyle::Purposeful`].
fn purposeful_game(spare_max: u8, plies: usize, seed: u64) -> Vec<Move> {
    let mut dice = SplitMix::new(seed);
    let mut spare = [0; 2].map(|_: u8| match dice.roll(3) {
        0 => dice.roll(usize::from(spare_max) + 1) as u8,
        _ => 0,
    });
    let mut position = Position::startpos();
    let mut legs = LegTracker::new();
    let mut game = Vec::new();
    let mut choices: Vec<(usize, u8, Move)> = Vec::new();
    while game.len() < plies {
        let us = position.turn().index();
        choices.clear();
        for &mv in &position.legal_moves() {
            let wasted = legs.wasted(&position, mv);
            if wasted <= spare[us] {
                choices.push((legs.weight(&position, mv, wasted), wasted, mv));
            }
        }
        let total: usize = choices.iter().map(|&(weight, ..)| weight).sum();
        let mut ticket = dice.roll(total);
        let chosen = choices.iter().find(|&&(weight, ..)| {
            let hit = ticket < weight;
            ticket = ticket.saturating_sub(weight);
            hit
        });
        let Some(&(_, wasted, mv)) = chosen else { break };
        spare[us] -= wasted;
        legs.play(&position, mv);
        position = position.after(mv);
        game.push(mv);
    }
    game
}

fn expects(style: GameStyle, position: &Position, legs: &LegTracker, mv: Move) -> bool {
    let role = position.role_at(mv.from());
    match style {
        GameStyle::Uniform | GameStyle::Purposeful(_) => true,
        GameStyle::Captures => position.is_capture(mv),
        GameStyle::Promotions => role == Some(Role::Pawn),
        GameStyle::Castling => {
            let clears = matches!(role, Some(Role::Knight | Role::Bishop))
                && matches!(mv.from().rank(), 0 | 7);
            let tall = role == Some(Role::Pawn) && mv.from().rank().abs_diff(mv.to().rank()) == 2;
            position.is_castle(mv) || position.is_en_passant(mv) || clears || tall
        }
        GameStyle::Tight(_) => legs.is_straight(position, mv),
    }
}

/// For each square with a piece: the start of its current leg, and the number of moves made on it.
struct LegTracker {
    tables: std::sync::Arc<crate::distance::Distances>,
    began: [(Square, u8); 64],
}

impl LegTracker {
    fn new() -> Self {
        let tables = TableCache::new(Rules::NONE).of(Bitboard::EMPTY, Bars::default());
        Self { tables, began: std::array::from_fn(|n| (Square::new(n as u8), 0)) }
    }

    fn is_straight(&self, position: &Position, mv: Move) -> bool {
        let Some(piece) = position.piece_at(mv.from()) else { return false };
        if piece.role == Role::Pawn {
            // Two single steps where a double step was possible waste a move.
            return mv.from().rank().abs_diff(mv.to().rank()) == 2
                || self.began[mv.from().index()] != (mv.from(), 0)
                || !matches!(mv.from().rank(), 1 | 6);
        }
        if position.is_castle(mv) {
            return true;
        }
        let (start, made) = self.began[mv.from().index()];
        self.tables.table(piece.color, piece.role).moves(start, mv.to()) == made + 1
    }

    /// Returns the moves beyond the least number of its leg including this move; 0 for castling.
    fn wasted(&self, position: &Position, mv: Move) -> u8 {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = position.piece_at(from) else { return 0 };
        let (start, made) = self.began[from.index()];
        if piece.role == Role::Pawn {
            // Two single steps from home, where one double step would do.
            let home = if piece.color.is_white() { 1 } else { 6 };
            let single = from.file() == to.file() && made == 1 && start.file() == from.file();
            return u8::from(
                single && start.rank() == home && start.rank().abs_diff(from.rank()) == 1,
            );
        }
        if position.is_castle(mv) {
            return 0;
        }
        let least = self.tables.table(piece.color, piece.role).moves(start, to);
        (made + 1).saturating_sub(least)
    }

    /// Returns the weight of a move in a purposeful game.
    fn weight(&self, position: &Position, mv: Move, wasted: u8) -> usize {
        let Some(piece) = position.piece_at(mv.from()) else { return 0 };
        let castles = position.is_castle(mv);
        let mut weight: usize = 100;
        weight += if castles { 1400 } else { 0 };
        weight += if position.is_capture(mv) { 300 } else { 0 };
        weight += if position.is_en_passant(mv) { 600 } else { 0 };
        weight += if mv.promotion().is_some() { 600 } else { 0 };
        weight -= if wasted > 0 { 70 } else { 0 };
        let may_castle = [true, false]
            .into_iter()
            .any(|wing| position.castling_rook(piece.color, wing).is_some());
        match piece.role {
            Role::Pawn => weight * 3 / 5,
            Role::King if !castles && may_castle => weight * 3 / 20,
            Role::King if !castles => weight * 2,
            Role::Rook if may_castle => weight * 2 / 5,
            _ => weight,
        }
    }

    fn play(&mut self, position: &Position, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        if position.is_castle(mv) {
            let rank = from.rank();
            let (king, rook) = if to.file() > from.file() { (6, 5) } else { (2, 3) };
            for file in [king, rook] {
                self.began[Square::at(file, rank).index()] = (Square::at(file, rank), 0);
            }
            return;
        }
        let (start, made) = self.began[from.index()];
        let fresh = position.is_capture(mv) || mv.promotion().is_some();
        self.began[to.index()] = if fresh { (to, 0) } else { (start, made.saturating_add(1)) };
    }
}

/// All styles, for tests.
pub const STYLES: [GameStyle; 8] = [
    GameStyle::Uniform,
    GameStyle::Captures,
    GameStyle::Promotions,
    GameStyle::Castling,
    GameStyle::Tight(0),
    GameStyle::Tight(2),
    GameStyle::Purposeful(0),
    GameStyle::Purposeful(1),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PieceId, project};

    #[test]
    fn random_games_are_legal_repeatable_and_in_style() {
        let mut captures = [0; STYLES.len()];
        for (number, &style) in STYLES.iter().enumerate() {
            for seed in 0..20 {
                let game = random_game(style, 40, seed);
                assert_eq!(game, random_game(style, 40, seed));
                let strategy = project(&game).expect("legal");
                captures[number] += PieceId::all()
                    .map(|piece| strategy.route(piece).captures().count())
                    .sum::<usize>();
            }
        }
        assert!(captures[1] > 2 * captures[0], "{captures:?}");
    }
}
