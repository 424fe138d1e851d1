//! One-ply verifier: every stored value must follow from its successors.
//!
//! The verifier implements the rules directly from the pieces' steps, moves forward only, and
//! shares no code with the builder beyond the numbering of cells. For each cell it checks the
//! legality of the position, the results of all moves, and whether the stored value follows. A
//! table that agrees everywhere is *a* solution of the equations. Since distances are checked too,
//! and each finite one needs a successor that is one shorter, it is the only one.

mod bent;
mod changes;
mod known;
mod moves;

use super::layout::{OTHERS_MAX, Others};
use super::material_key::MaterialKey;
use super::rules::{Metric, Rules, Stalemate};
use super::table_set::TableSet;
use crate::fairy::{BentMove, MoveAtom, Piece};
use known::KnownTable;
use moves::{MaterialChange, QUIET};
use rayon::prelude::*;
use std::collections::HashMap;
use umbrail_control::Stopped;

/// Result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Number of checked cells, both sides to move.
    pub checked: u64,
    /// Descriptions of the first faults.
    pub faults: Vec<String>,
    /// Number of faults.
    pub fault_count: u64,
}

/// Number of words checked between two cancellation checks.
const CHECKED: usize = 64;
/// Maximum number of faults that are listed.
const FAULTS_SHOWN: usize = 20;
const PIECES: usize = OTHERS_MAX + 2;
const NONE: u8 = 64;

/// Position: piece 0 is the attacker's royal, piece 1 the loser's, the others follow the layout.
#[derive(Clone, Copy)]
struct VerifierPosition {
    squares: [u8; PIECES],
    attacker_moves: bool,
    /// Piece that just made a double step, or `NONE`.
    doubled: u8,
}

/// Piece with its steps.
struct VerifierPiece {
    kind: usize,
    attacker: bool,
    pawn: bool,
    double_step: bool,
    steps: Vec<MoveAtom>,
    bent: Vec<BentMove>,
    takes_two: bool,
}

struct Verifier<'a> {
    table: KnownTable<'a>,
    pieces: Vec<VerifierPiece>,
    promotions: Vec<usize>,
    rules: &'a Rules,
    /// Table after each change of material, with the number here of each of its pieces.
    after: HashMap<MaterialChange, (KnownTable<'a>, Vec<usize>)>,
}

/// Plies in which the attacker wins; none when it does not.
type AttackerPlies = Option<usize>;

/// Checks the table of a key, every `stride`-th word (1 = all).
///
/// `check` receives the number of words checked since its last call.
pub(crate) fn verify(
    set: &TableSet,
    key: &MaterialKey,
    stride: usize,
    check: &(dyn Fn(u64) -> Result<(), Stopped> + Sync),
) -> Result<Verification, Stopped> {
    let Some(table) = KnownTable::of(set, key) else { return Ok(Verification::default()) };
    let verifier = Verifier::new(set, key, table);
    let layout = table.layout();
    let slices: Result<Vec<Verification>, Stopped> = (0..layout.homes.len())
        .into_par_iter()
        .map(|slice| {
            let mut verdict = Verification::default();
            let words = (slice % stride..layout.words).step_by(stride);
            for (number, word) in words.enumerate() {
                if number % CHECKED == CHECKED - 1 {
                    check(CHECKED as u64)?;
                }
                verifier.check_word(set, key, slice, word, &mut verdict);
            }
            Ok(verdict)
        })
        .collect();
    let mut total = Verification::default();
    for verdict in slices? {
        total.checked += verdict.checked;
        total.fault_count += verdict.fault_count;
        let room = FAULTS_SHOWN.saturating_sub(total.faults.len());
        total.faults.extend(verdict.faults.into_iter().take(room));
    }
    Ok(total)
}

impl<'a> Verifier<'a> {
    fn new(table_set: &'a TableSet, key: &MaterialKey, table: KnownTable<'a>) -> Self {
        let piece_of = |kind: usize, attacker: bool| {
            let piece: &Piece = table_set.catalog.piece(kind);
            let steps = piece.steps().iter().map(|s| if attacker { *s } else { s.turned() });
            let bent =
                piece.bent().iter().map(|mv| if attacker { mv.clone() } else { mv.turned() });
            let (steps, bent) = (steps.collect(), bent.collect());
            let (takes_two, pawn, double_step) = (piece.takes_two(), piece.pawn, piece.double_step);
            VerifierPiece { kind, attacker, pawn, double_step, steps, bent, takes_two }
        };
        let mut pieces = vec![piece_of(key.attacker[0], true), piece_of(key.loser[0], false)];
        pieces.extend(key.attacker[1..].iter().map(|&k| piece_of(k, true)));
        pieces.extend(key.loser[1..].iter().map(|&k| piece_of(k, false)));
        let promotions: Vec<usize> = table_set
            .catalog
            .promotions()
            .iter()
            .filter_map(|p| table_set.catalog.number(p))
            .collect();
        let mut verifier = Self {
            table,
            pieces,
            promotions,
            rules: &table_set.catalog.rules,
            after: HashMap::new(),
        };
        verifier.find_tables(table_set);
        verifier
    }

    fn check_word(
        &self,
        table_set: &TableSet,
        key: &MaterialKey,
        slice: usize,
        word: usize,
        verdict: &mut Verification,
    ) {
        let layout = self.table.layout();
        let others = layout.decode(word);
        let mut squares = [NONE; PIECES];
        squares[0] = layout.homes[slice];
        squares[2..2 + layout.others].copy_from_slice(&others[..layout.others]);
        for loser_royal in 0..64 {
            squares[1] = loser_royal;
            let pieces = &squares[..self.pieces.len()];
            if (1..pieces.len()).any(|i| pieces[..i].contains(&pieces[i])) {
                continue;
            }
            for attacker_moves in [true, false] {
                let position = VerifierPosition { squares, attacker_moves, doubled: NONE };
                let stored = self.stored(&position);
                let right =
                    if self.royal_hangs(&position) { None } else { self.verifier(&position) };
                verdict.checked += 1;
                if stored != right {
                    verdict.fault_count += 1;
                    if verdict.faults.len() < FAULTS_SHOWN {
                        let turn = if attacker_moves {
                            umbrail_chess::geometry::Color::White
                        } else {
                            umbrail_chess::geometry::Color::Black
                        };
                        let board = super::stats::board(
                            table_set,
                            key,
                            layout,
                            umbrail_chess::geometry::Color::White,
                            turn,
                            slice,
                            word,
                            loser_royal,
                        );
                        verdict.faults.push(format!(
                            "{}: stored {stored:?}, computed from its moves {right:?}",
                            board.to_fen()
                        ));
                    }
                }
            }
        }
    }

    /// Returns the stored value of a position of the full material.
    fn stored(&self, position: &VerifierPosition) -> AttackerPlies {
        let mut pieces: Others = [0; OTHERS_MAX];
        pieces.copy_from_slice(&position.squares[2..]);
        self.table.distance(position, &pieces)
    }

    fn pawn_moved(&self, before: &VerifierPosition, after: &VerifierPosition) -> bool {
        self.pieces.iter().enumerate().any(|(piece, table_piece)| {
            table_piece.pawn
                && after.squares[piece] < NONE
                && before.squares[piece] != after.squares[piece]
        })
    }

    /// Returns the value computed from the position's moves, without reading its own value.
    fn verifier(&self, position: &VerifierPosition) -> AttackerPlies {
        if self.rules.bare_loses {
            let bare = |attacker: bool| {
                self.pieces.iter().filter(|table_piece| table_piece.attacker == attacker).count()
                    == 1
            };
            match (bare(true), bare(false)) {
                (true, _) => return None,
                (false, true) => return Some(0),
                (false, false) => {}
            }
        }
        let mut best: AttackerPlies = None;
        let mut worst: AttackerPlies = Some(0);
        let mut any = false;
        self.each_move(position, |after, change| {
            any = true;
            let pushed = self.pawn_moved(position, &after);
            let plies = self.plies_after(&after, change).map(|plies| {
                let ends = change != QUIET;
                match self.rules.metric {
                    Metric::Dtm => plies + 1,
                    Metric::Dtc if ends => 1,
                    Metric::Dtc => plies + 1,
                    Metric::Dtz if ends || pushed => zeroed(plies),
                    Metric::Dtz => plies + 1,
                    // Conversions cost nothing; neither does a move into a win by conversion.
                    Metric::Level if ends || (plies == 0 && !position.attacker_moves) => 0,
                    Metric::Level => plies + 1,
                }
            });
            best = match (best, plies) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            worst = match (worst, plies) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        });
        if position.attacker_moves {
            return best;
        }
        let checked = self.attacks(position, true, position.squares[1]);
        let pass = || {
            let passed = VerifierPosition { attacker_moves: true, ..*position };
            let converts = |plies| plies == 0 && self.rules.metric == Metric::Level;
            self.stored(&passed).map(|plies| if converts(plies) { 0 } else { plies + 1 })
        };
        if any {
            if self.rules.null_move && !checked {
                return match (worst, pass()) {
                    (Some(a), Some(b)) => Some(a.max(b)),
                    _ => None,
                };
            }
            return worst;
        }
        match self.rules.stalemate {
            _ if checked => Some(0),
            Stalemate::Draw => None,
            Stalemate::Win => Some(0),
            Stalemate::Pass => pass(),
        }
    }

    /// Returns the value of a position after a legal move, en passant answers included.
    fn plies_after(&self, position: &VerifierPosition, change: MaterialChange) -> AttackerPlies {
        let plain = self.plain_plies(position, change);
        if position.doubled == NONE {
            return plain;
        }
        let (mut passants, mut others) = (Vec::new(), false);
        self.each_move(position, |after, change| {
            let doubled = position.doubled;
            let over = (position.squares[doubled as usize] as i32
                + if self.pieces[doubled as usize].attacker { -8 } else { 8 })
                as u8;
            if change.victim == doubled && after.squares.contains(&over) {
                let plies = self.plain_plies(&after, change);
                passants.push(plies.map(|p| match self.rules.metric {
                    Metric::Dtm => p + 1,
                    Metric::Dtz => zeroed(p),
                    Metric::Dtc | Metric::Level => 1,
                }));
            } else {
                others = true;
            }
        });
        if passants.is_empty() {
            return plain;
        }
        if position.attacker_moves {
            let answers = passants.into_iter().flatten().min();
            return match (plain, answers) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        let mut all = if others || self.attacks(position, true, position.squares[1]) {
            // Mated except for the capture: the capture alone counts, and a mate counts 0.
            plain
        } else {
            Some(0)
        };
        for plies in passants {
            all = match (all, plies) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        }
        all
    }

    fn plain_plies(&self, position: &VerifierPosition, change: MaterialChange) -> AttackerPlies {
        if change == QUIET {
            return self.stored(position);
        }
        let (table, source) = self.after.get(&change)?;
        let mut pieces: Others = [0; OTHERS_MAX];
        for (to, &from) in pieces.iter_mut().zip(source) {
            *to = position.squares[from];
        }
        table.distance(position, &pieces)
    }

    /// Returns true when the side that just moved left its royal en prise.
    fn royal_hangs(&self, position: &VerifierPosition) -> bool {
        let royal = position.squares[usize::from(position.attacker_moves)];
        self.attacks(position, position.attacker_moves, royal)
    }
}

/// Returns the value of a zeroing move. If the win after it takes more than fifty moves of each
/// side, the game is drawn by the rule, and remains so before the move.
fn zeroed(plies: usize) -> usize {
    if plies > 100 { 101 } else { 1 }
}
