//! Report on the strength of a piece in endgames: alone, with each partner, and against each defender.

use super::definition::Game;
use super::material::{GameMaterial, GameMaterialError};
use super::solved::{DEPTH_MAX, ILLEGAL};
use super::statistics::each;
use super::tables::GameTables;
use crate::stats::Statistics;
use std::sync::Arc;
use umbrail_chess::geometry::Color;

/// Letter of the royal pieces.
const ROYAL: char = 'K';
/// Share of losses from which an ending counts as won, and its other squares as fortresses.
const MOSTLY: f64 = 0.5;

/// Part of a piece in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceRole {
    /// With its king only.
    Alone,
    /// Two pieces of the kind.
    Pair,
    /// With another piece.
    Partner,
    /// Against a piece.
    Attacker,
}

impl PieceRole {
    /// Returns the name: `alone`, `pair`, `partner` or `attacker`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Pair => "pair",
            Self::Partner => "partner",
            Self::Attacker => "attacker",
        }
    }
}

/// Numbers of positions: all legal ones, and those with the outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Legal positions.
    pub legal: u64,
    /// Positions with the outcome.
    pub count: u64,
}

impl Share {
    /// Returns the share in percent; none without a legal position.
    pub fn percent(self) -> Option<f64> {
        (self.legal > 0).then(|| 100.0 * self.count as f64 / self.legal as f64)
    }

    fn add(&mut self, weight: u64, counts: bool) {
        self.legal += weight;
        self.count += if counts { weight } else { 0 };
    }
}

/// Figures of one ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceEnding {
    /// Part of the piece.
    pub role: PieceRole,
    /// Statistics.
    pub statistics: Statistics,
    /// By the square of the piece: wins with White to move.
    pub by_piece: Vec<Share>,
    /// By the square of the other king: losses with Black to move.
    pub by_king: Vec<Share>,
    /// Squares where the other king is lost less often than not, in an ending that is mostly won.
    pub fortress: Vec<u8>,
    /// Wins with White to move, of two pieces that never leave the color of their squares: on one
    /// color, and on two.
    pub colors: Option<[Share; 2]>,
}

/// Returns the endings in which a piece is examined, with its part in each.
///
/// A pawn has no ending against a pawn where both have a double step.
///
/// # Errors
/// [`GameMaterialError`] when the piece is unknown or the king.
pub fn piece_endings(
    game: &Game,
    letter: char,
) -> Result<Vec<(PieceRole, GameMaterial)>, GameMaterialError> {
    if letter == ROYAL {
        return Err(GameMaterialError::King);
    }
    let mut found = vec![];
    let mut add = |role, name: String| match GameMaterial::read(&name, game) {
        Ok(material) => {
            found.push((role, material));
            Ok(())
        }
        Err(GameMaterialError::EnPassant) => Ok(()),
        Err(error) => Err(error),
    };
    add(PieceRole::Alone, format!("{ROYAL}{letter}.{ROYAL}"))?;
    add(PieceRole::Pair, format!("{ROYAL}{letter}{letter}.{ROYAL}"))?;
    let others = partners(game, letter);
    for other in &others {
        add(PieceRole::Partner, format!("{ROYAL}{letter}{other}.{ROYAL}"))?;
    }
    for other in others.iter().chain([&letter]) {
        add(PieceRole::Attacker, format!("{ROYAL}{letter}.{ROYAL}{other}"))?;
    }
    Ok(found)
}

/// Returns the other pieces: the orthodox ones, or those of a game with rules of its own.
fn partners(game: &Game, letter: char) -> Vec<char> {
    let letters = game.pieces().iter().map(|piece| piece.letter);
    let usual = |letter: &char| !game.source.is_empty() || "QRBNP".contains(*letter);
    let mut others: Vec<char> =
        letters.filter(|other| *other != letter && *other != ROYAL).filter(usual).collect();
    others.sort_by_key(|&letter| (crate::material::rank(letter), letter));
    others
}

impl GameTables {
    /// Returns the figures of this endgame for a piece with this part in it.
    pub fn piece_ending(&self, letter: char, role: PieceRole) -> PieceEnding {
        let game: &Arc<Game> = &self.moves.game;
        let key = self.material.key(Color::White);
        let table = &self.solved[&key];
        let index = &table.index;
        let squares = usize::from(game.grid.size());
        let kind = game.number(letter);
        let (mut by_piece, mut by_king) =
            (vec![Share::default(); squares], vec![Share::default(); squares]);
        let bound = self.both_bound();
        let mut colors = [Share::default(); 2];
        let dark = |square: u8| (square % game.grid.width() + square / game.grid.width()) % 2;
        let mut last = None;
        let mut images = vec![];
        for (at, (slot, word, bit)) in each(index) {
            if last != Some(slot) {
                images = index.images_of(slot);
                last = Some(slot);
            }
            let (won, lost) = (table.won[at], table.lost[at]);
            if won == ILLEGAL && lost == ILLEGAL {
                continue;
            }
            let decided = |cell: u8| (1..=DEPTH_MAX).contains(&cell);
            let men = index.decode(word);
            let king = index.axis.squares[usize::from(bit)];
            for map in &images {
                if lost != ILLEGAL {
                    by_king[usize::from(map.square[usize::from(king)])].add(1, decided(lost));
                }
                for man in
                    (0..key.strikers()).filter(|&m| won != ILLEGAL && Some(key.kind(m)) == kind)
                {
                    by_piece[usize::from(map.square[usize::from(men[man])])].add(1, decided(won));
                }
            }
            if bound && won != ILLEGAL {
                let differ = dark(men[0]) != dark(men[1]);
                colors[usize::from(differ)].add(images.len() as u64, decided(won));
            }
        }
        let total = by_king.iter().fold(Share::default(), |sum, share| Share {
            legal: sum.legal + share.legal,
            count: sum.count + share.count,
        });
        let lost = |share: &Share| share.percent().unwrap_or(0.0) / 100.0;
        let mut fortress: Vec<u8> = (0..squares as u8).collect();
        fortress.retain(|&square| {
            let share = &by_king[usize::from(square)];
            lost(&total) >= MOSTLY && share.legal > 0 && lost(share) < MOSTLY
        });
        let statistics = self.statistics();
        PieceEnding {
            role,
            statistics,
            by_piece,
            by_king,
            fortress,
            colors: bound.then_some(colors),
        }
    }

    /// Returns true when White has two pieces besides the king, and neither leaves the color of its
    /// squares by a quiet move.
    fn both_bound(&self) -> bool {
        let game = &self.moves.game;
        let width = game.grid.width();
        let dark = |square: u8| (square % width + square / width) % 2;
        let side = &self.material.sides[0][1..];
        let bound = |&kind: &u8| {
            let piece = &game.pieces[usize::from(kind)];
            let quiet = piece.moves.iter().filter(|mv| mv.template.is_quiet());
            quiet
                .into_iter()
                .all(|mv| mv.becomes.is_none() && dark(mv.template.from) == dark(mv.template.to))
        };
        side.len() == 2 && self.material.sides[1].len() == 1 && side.iter().all(bound)
    }
}
