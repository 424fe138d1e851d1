//! Check of every cell of the tables of an endgame against the moves of its position, with the
//! forward move generator, which shares the templates with the builder and nothing else.

use super::definition::BareRoyal;
use super::position::{GamePosition, after, is_bare};
use super::solved::ILLEGAL;
use super::statistics::each;
use super::tables::GameTables;
use crate::verify::Verification;
use rayon::prelude::*;
use umbrail_chess::geometry::Color;
use umbrail_control::{Control, Stopped};

/// Maximum number of faults that are listed.
const FAULTS_SHOWN: usize = 20;
/// Cells between checks for a stop.
const CHECKED: usize = 1 << 12;

impl GameTables {
    /// Checks every `stride`-th cell of both tables.
    ///
    /// # Errors
    /// [`Stopped`] when the check is stopped.
    pub fn verify(
        &self,
        stride: usize,
        control: &Control<'_, ()>,
    ) -> Result<Verification, Stopped> {
        let mut total = Verification::default();
        for winner in Color::ALL {
            let table = &self.solved[&self.material.key(winner)];
            let cells: Vec<_> = each(&table.index).step_by(stride.max(1)).collect();
            let parts = cells.par_chunks(CHECKED).map(|part| {
                control.check()?;
                let mut found = vec![];
                for &(at, cell) in part {
                    for turn in Color::ALL {
                        let position = self.at(winner, turn, cell);
                        let stored = if turn == winner { table.won[at] } else { table.lost[at] };
                        let stored =
                            (stored != ILLEGAL).then(|| table.plies(stored, turn == winner));
                        let computed = self.computed(&position, winner);
                        if stored != computed {
                            found.push(format!(
                                "{}: {winner} wins in {} by the table, in {} by the moves",
                                self.fen(&position),
                                shown(stored),
                                shown(computed)
                            ));
                        }
                    }
                }
                Ok(found)
            });
            let parts: Vec<Vec<String>> =
                control.pool.install(|| parts.collect::<Result<_, Stopped>>())?;
            total.checked += 2 * cells.len() as u64;
            for fault in parts.into_iter().flatten() {
                total.fault_count += 1;
                if total.faults.len() < FAULTS_SHOWN {
                    total.faults.push(fault);
                }
            }
        }
        Ok(total)
    }

    /// Returns the plies until this side wins, computed from the moves; none for an illegal
    /// position.
    fn computed(&self, position: &GamePosition, winner: Color) -> Option<Option<usize>> {
        let mut squares: Vec<u8> = position.men.iter().map(|man| man.square).collect();
        squares.sort_unstable();
        let shared = squares.windows(2).any(|pair| pair[0] == pair[1]);
        if shared || self.moves.attacks_royal(position, position.turn) {
            return None;
        }
        let rules = self.moves.game.rules;
        let turn = position.turn;
        let bare = |color| rules.bare != BareRoyal::Plays && is_bare(position, color);
        if bare(winner) {
            return Some(None);
        }
        let moves = self.moves.legal(position);
        if bare(!winner) {
            let bares = moves.iter().any(|mv| is_bare(&after(position, mv), winner));
            let draws = rules.bare == BareRoyal::LosesUnlessItBares && bares;
            return Some((turn != winner && !draws).then_some(0));
        }
        let values = moves.iter().map(|mv| {
            let plies = self.distance(&after(position, mv), winner).unwrap_or(None);
            plies.map(|plies| self.before(mv, plies))
        });
        if turn == winner {
            return Some(values.flatten().min());
        }
        if moves.is_empty() {
            let lost = rules.stalemate_loses || self.moves.in_check(position);
            return Some(lost.then_some(0));
        }
        let all: Option<Vec<usize>> = values.collect();
        Some(all.and_then(|all| all.into_iter().max()))
    }
}

fn shown(value: Option<Option<usize>>) -> String {
    match value {
        None => "no legal position".to_owned(),
        Some(None) => "no number of plies".to_owned(),
        Some(Some(plies)) => format!("{plies} plies"),
    }
}
