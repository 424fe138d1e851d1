//! Ends of games from tables, by the rules of chess, of the options, or of another game.

use super::board::TableBoard;
use super::variant::{GameVariant, Variant};
use super::{EndgameSetup, rules};
use crate::Session;
use crate::event::{Claim, Event};
use umbrail_chess::geometry::Color;
use umbrail_tables::game::{GameEndReason, GamePosition};
use umbrail_tables::{FairyBoard, Stalemate};

impl Session {
    /// Reports the end of the game by the rules.
    pub(super) fn table_claim(&mut self) -> bool {
        let Some((_, Ok(endgame_setup))) = &self.table_player.config else { return false };
        let game = &self.table_player.game;
        let claim = match (game.last(), &self.table_player.variant) {
            (Some(TableBoard::Chess(board)), _) => by_options(board, endgame_setup),
            (Some(TableBoard::Game(position)), Variant::Game(variant)) => {
                by_game(position, variant)
            }
            _ => None,
        };
        let repeats = || {
            // Rules that are not modelled may decide otherwise.
            let decides = match &self.table_player.variant {
                Variant::Game(variant) => variant.game().not_modelled.is_empty(),
                Variant::Chess | Variant::Fairy => true,
            };
            let times = game.iter().filter(|earlier| Some(*earlier) == game.last()).count();
            (decides && times > 2).then_some(draw("Threefold repetition"))
        };
        let Some(claim) = claim.or_else(repeats) else { return false };
        self.write(Event::Over(claim));
        true
    }
}

fn winner(win: Color, by: [&'static str; 2]) -> Claim {
    Claim { result: if win.is_white() { "1-0" } else { "0-1" }, reason: by[win.index()] }
}

fn draw(reason: &'static str) -> Claim {
    Claim { result: "1/2-1/2", reason }
}

/// Returns the end of a game on the board of chess, under the rules of the options.
fn by_options(board: &FairyBoard, endgame_setup: &EndgameSetup) -> Option<Claim> {
    let rules = &endgame_setup.config.rules;
    let stuck = board.moves_to(&rules::promotions(endgame_setup)).is_empty();
    let bared = Color::ALL.map(|color| rules.bare_loses && board.is_bare(color));
    let kings =
        board.pieces.iter().all(|piece| piece.piece.letter == 'K') && board.pieces.len() == 2;
    if bared[0] != bared[1] {
        let loser = if bared[0] { Color::White } else { Color::Black };
        Some(winner(!loser, ["White bares the royal", "Black bares the royal"]))
    } else if stuck && board.in_check() {
        Some(winner(!board.turn, ["White mates", "Black mates"]))
    } else if stuck {
        match rules.stalemate {
            Stalemate::Draw => Some(draw("Stalemate")),
            Stalemate::Win => Some(winner(!board.turn, ["White stalemates", "Black stalemates"])),
            Stalemate::Pass => None,
        }
    } else if kings || bared == [true; 2] {
        Some(draw("Neither side can mate"))
    } else {
        None
    }
}

/// Returns the end of a game by its own rules.
fn by_game(position: &GamePosition, variant: &GameVariant) -> Option<Claim> {
    let end = variant.end(position)?;
    let by = match end.reason {
        GameEndReason::Mate => ["White mates", "Black mates"],
        GameEndReason::Stalemate => ["White stalemates", "Black stalemates"],
        GameEndReason::Bared => ["White bares the royal", "Black bares the royal"],
        GameEndReason::RoyalsOnly => return Some(draw("Neither side can mate")),
    };
    Some(match (end.winner, end.reason) {
        (Some(win), _) => winner(win, by),
        (None, GameEndReason::Stalemate) => draw("Stalemate"),
        (None, _) => draw("Neither side can mate"),
    })
}
