//! `rep2.txt`: EGTgen's statistics file, number for number.
//!
//! EGTgen counts each placement with White's royal in the a1–d1–d4 triangle twice, and once when
//! White's second piece stands on the long diagonal as well: board placements divided by four, with
//! identical pieces counted as ordered. Up to four columns split the counts by the colors of
//! color-bound pieces.
//!
//! Its `W check` row (White's royal hangs with Black to move) misses those illegal positions where
//! EGTgen's scan of Black's moves met a move that does not lose before it met the capture of the
//! royal. They stay in row 0. That scan goes royal first, then Black's pieces as named, each
//! through its steps as EGTgen expands the `piecedef.ini` of its distribution. This module follows
//! the scan so that the row agrees. Without that file EGTgen's built-in pieces step in another
//! order, which moves a few illegal positions between rows `W check` and 0.
//!
//! EGTgen has no pawns. For Black's pawns there is no scan to follow, and every position in which
//! White's royal hangs is in the row `W check`.

mod scan;

use super::layout::Others;
use super::material::Material;
use super::material_key::MaterialKey;
use super::retrograde::{Endgame, NO_PIECE};
use super::rules::{Metric, Stalemate};
use super::solved_table::SolvedTable;
use super::table_set::TableSet;
use crate::fairy::{MoveAtom, Piece};
use scan::scan_order;
use std::collections::HashMap;
use std::fmt::Write;
use umbrail_chess::geometry::{Color, Square};

/// Counts by column.
type Columns = [u64; 4];

#[derive(Default)]
struct Rep2Counts {
    won: Columns,
    captures: Columns,
    labels: Vec<Columns>,
    stalemate: Columns,
    check: Columns,
}

/// Pieces that determine the column, as numbers in EGTgen's order (0 = Black's royal).
#[derive(Clone, Copy, Default)]
struct ColumnPieces {
    first: Option<usize>,
    second: usize,
    third: Option<usize>,
    mixed: bool,
}

/// Returns the text of `rep2.txt` for "White wins" of a material, solved under these rules.
pub(crate) fn rep2(
    set: &TableSet,
    material: &Material,
    key: &MaterialKey,
    table: &SolvedTable,
    seeded: bool,
) -> String {
    let game = Rep2Counter::new(set, material, key, table);
    let report = game.count();
    let mut name: String = material.side(Color::White).iter().map(|p| p.letter).collect();
    name.push('_');
    name.extend(material.side(Color::Black).iter().map(|p| p.letter));
    if set.catalog.rules.null_move {
        name.push_str(" nullmove");
    }
    name.push_str(match set.catalog.rules.stalemate {
        Stalemate::Draw => "",
        Stalemate::Win => " stalewin",
        Stalemate::Pass => " stalepass",
    });
    if seeded {
        name.push_str(" seeded");
    }
    report.print(&name, game.column_pieces)
}

impl Rep2Counts {
    fn print(&self, name: &str, column_pieces: ColumnPieces) -> String {
        let columns = if column_pieces.third.is_some() {
            4
        } else if column_pieces.first.is_some() {
            2
        } else {
            1
        };
        let mut text = format!("\n{name}\n");
        let mut row = |head: &str, width: usize, counts: &dyn Fn(usize) -> u64| {
            let _ = write!(text, "\n{head}{:>width$}", counts(0));
            for column in 1..columns {
                let _ = write!(text, " {:>10}", counts(column));
            }
        };
        let all = |c: usize| self.labels.iter().map(|l| l[c]).sum::<u64>();
        let zero = |c: usize| self.labels.first().map_or(0, |l| l[c]);
        row("WON.wtm ", 10, &|c| self.won[c] + self.captures[c]);
        row("K capture ", 8, &|c| self.captures[c]);
        row("other   ", 10, &|c| self.won[c]);
        for (label, counts) in self.labels.iter().enumerate() {
            if counts.iter().any(|&c| c > 0) {
                row(&format!("{label:3}.    "), 10, &|c| counts[c]);
            }
        }
        row("WON.btm ", 10, &|c| all(c) - zero(c));
        row("stalemate ", 8, &|c| self.stalemate[c]);
        row("W check ", 10, &|c| self.check[c]);
        row("LEGAL   ", 10, &|c| all(c) + self.stalemate[c]);
        row("TOTAL   ", 10, &|c| all(c) + self.stalemate[c] + self.check[c]);
        text.push('\n');
        text
    }
}

/// Input of the count.
struct Rep2Counter<'a> {
    table_set: &'a TableSet,
    table: &'a SolvedTable,
    endgame: Endgame,
    /// For each permutation of identical pieces, the layout's number of each piece in EGTgen's
    /// order without royals (Black's as named, then White's last to second).
    orders: Vec<Vec<usize>>,
    blacks: usize,
    column_pieces: ColumnPieces,
    stale: HashMap<(usize, usize), u64>,
    /// Steps of Black's royal and of each piece of the layout, in EGTgen's scanning order, as Black
    /// makes them.
    royal_steps: Vec<MoveAtom>,
    steps: Vec<Vec<MoveAtom>>,
    /// True when Black has pawns, which EGTgen does not support.
    black_pawns: bool,
}

impl<'a> Rep2Counter<'a> {
    fn new(
        table_set: &'a TableSet,
        material: &Material,
        key: &MaterialKey,
        table: &'a SolvedTable,
    ) -> Self {
        let endgame = table_set.endgame(key, table.layout.clone(), &[]);
        let [white, black] = Color::ALL.map(|c| material.side(c));
        let named: Vec<(&Piece, bool)> = black[1..]
            .iter()
            .map(|p| (&**p, true))
            .chain(white[1..].iter().rev().map(|p| (&**p, false)))
            .collect();
        let mut orders = vec![Vec::new()];
        for &(piece, is_black) in &named {
            let mut longer = Vec::new();
            for order in &orders {
                for index in 0..table.layout.others {
                    let fits = key.is_attacker(index) != is_black
                        && **table_set.catalog.piece(key.piece(index)) == *piece
                        && !order.contains(&index);
                    if fits {
                        longer.push([order.as_slice(), &[index]].concat());
                    }
                }
            }
            orders = longer;
        }
        let mut bound = vec![black[0].is_color_bound()];
        bound.extend(named.iter().map(|(p, _)| p.is_color_bound()));
        bound.push(white[0].is_color_bound());
        let scan = |piece: &Piece| scan_order(piece);
        Self {
            table_set,
            table,
            endgame,
            orders,
            blacks: black.len() - 1,
            column_pieces: column_pieces(&bound, black.len(), &|a, b| {
                let piece = |i: usize| match i.checked_sub(1) {
                    None => &*black[0],
                    Some(i) if i < named.len() => named[i].0,
                    Some(_) => &*white[0],
                };
                piece(a) != piece(b)
            }),
            stale: table.stale.iter().map(|&(s, w, bits)| ((s, w), bits)).collect(),
            royal_steps: scan(&black[0]),
            steps: (0..table.layout.others)
                .map(|m| scan(table_set.catalog.piece(key.piece(m))))
                .collect(),
            black_pawns: black.iter().any(|piece| piece.pawn),
        }
    }

    fn count(&self) -> Rep2Counts {
        let mut report = Rep2Counts::default();
        let layout = &self.table.layout;
        for slice in 0..layout.homes.len() {
            for word in 0..layout.words {
                let pieces = layout.decode(word);
                if let Some(occupied) = self.endgame.occupied(layout.homes[slice], &pieces) {
                    self.count_word(slice, word, &pieces, occupied, &mut report);
                }
            }
        }
        report
    }

    fn count_word(
        &self,
        slice: usize,
        word: usize,
        pieces: &Others,
        occupied: u64,
        into: &mut Rep2Counts,
    ) {
        let layout = &self.table.layout;
        let home = layout.homes[slice];
        let bits = |words: &[Vec<u64>]| words.get(slice).map_or(0, |w| w[word]);
        let (won, lost) = (bits(&self.table.won), bits(&self.table.lost));
        let hanging = self.endgame.attacked(home, pieces, NO_PIECE, occupied) & !occupied;
        let illegal = !occupied & !self.endgame.legal_for_loser(home, pieces, occupied);
        let stale = self.stale.get(&(slice, word)).copied().unwrap_or(0) & !lost;
        let on_diagonal = layout.orbit(slice) < u64::from(layout.symmetry.order());
        for order in &self.orders {
            let second = order.last().map_or(0, |&m| pieces[m]);
            let weight = |b: u8| {
                let second = if order.is_empty() { b } else { second };
                match (on_diagonal, (second & 7).cmp(&(second >> 3))) {
                    (false, _) | (true, std::cmp::Ordering::Greater) => 2,
                    (true, std::cmp::Ordering::Equal) => 1,
                    (true, std::cmp::Ordering::Less) => 0,
                }
            };
            for b in (0..64u8).filter(|b| occupied >> b & 1 == 0) {
                let weight = weight(b);
                if weight == 0 {
                    continue;
                }
                let column = self.column(home, pieces, b, order);
                let has = |set: u64| set >> b & 1 != 0;
                if has(hanging) {
                    into.captures[column] += weight;
                } else if has(won) {
                    into.won[column] += weight;
                }
                if has(stale) {
                    into.stalemate[column] += weight;
                    continue;
                }
                let label = if has(lost) {
                    self.label(slice, word, b)
                } else if has(illegal)
                    && self.is_labelled_illegal(slice, word, pieces, occupied, b, order)
                {
                    into.check[column] += weight;
                    continue;
                } else {
                    0
                };
                if into.labels.len() <= label {
                    into.labels.resize(label + 1, [0; 4]);
                }
                into.labels[label][column] += weight;
            }
        }
    }

    fn label(&self, slice: usize, word: usize, b: u8) -> usize {
        let depths = self.table.lost_in.as_ref();
        let ply = depths.and_then(|d| d.get(slice, word * 64 + b as usize)).unwrap_or(0);
        match self.table_set.catalog.rules.metric {
            Metric::Dtm => ply / 2 + 1,
            Metric::Dtc | Metric::Level | Metric::Dtz => ply / 2 + 10,
        }
    }

    fn column(&self, home: u8, pieces: &Others, b: u8, order: &[usize]) -> usize {
        let Some(first) = self.column_pieces.first else { return 0 };
        let shade = |i: usize| {
            let square = match i.checked_sub(1) {
                None => b,
                Some(i) => order.get(i).map_or(home, |&m| pieces[m]),
            };
            Square::new(square).is_light()
        };
        let third = self.column_pieces.third.map(|t| shade(first) != shade(t));
        match (shade(first) != shade(self.column_pieces.second), third) {
            (true, Some(true)) if self.column_pieces.mixed => 2,
            (true, _) => 1,
            (false, Some(true)) => 3,
            (false, _) => 0,
        }
    }
}

/// Returns EGTgen's choice of the color-bound pieces that determine the column.
fn column_pieces(
    bound: &[bool],
    black: usize,
    differ: &dyn Fn(usize, usize) -> bool,
) -> ColumnPieces {
    let all: Vec<usize> = (0..bound.len()).filter(|&i| bound[i]).rev().take(3).collect();
    match *all.as_slice() {
        [first, second] => ColumnPieces { first: Some(first), second, third: None, mixed: false },
        [mut first, second, mut third] => {
            if second < black {
                std::mem::swap(&mut first, &mut third);
            }
            ColumnPieces {
                first: Some(first),
                second,
                third: Some(third),
                mixed: differ(first, second),
            }
        }
        _ => ColumnPieces::default(),
    }
}
