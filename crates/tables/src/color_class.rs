//! Counts split by the square colors of color-bound pieces: the power of two bishops depends on
//! whether they share a color.

use super::material_key::MaterialKey;
use super::retrograde::NO_PIECE;
use super::solved_table::{Shades, SolvedTable};
use super::table_set::TableSet;
use std::collections::BTreeMap;
use umbrail_chess::geometry::{Color, Square};

/// Placement of the color-bound pieces on light and dark squares, up to an exchange of the colors,
/// with full-board counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ColorClass {
    /// Pieces, each followed by `l` (light) or `d` (dark): `Bl Bd` are bishops of both colors.
    pub name: String,
    /// Legal positions with White and with Black to move.
    pub legal: [u64; 2],
    /// Positions won by White and by Black, with the winner to move.
    pub won: [u64; 2],
    /// Positions lost against White and against Black, by the side to move.
    pub lost: [u64; 2],
}

/// Color-bound pieces of one kind and color.
struct ColorBoundPieces {
    color: Color,
    letter: char,
    /// Its pieces: 0 is the attacker's royal, 1 the loser's, then the layout's.
    pieces: Vec<usize>,
}

/// Returns all classes, by name; none when fewer than two pieces are color-bound.
pub(crate) fn classes(
    table_set: &TableSet,
    keys: &[MaterialKey; 2],
    tables: [&SolvedTable; 2],
) -> Vec<ColorClass> {
    let mut classes = BTreeMap::new();
    for winner in Color::ALL {
        let (key, table) = (&keys[winner.index()], tables[winner.index()]);
        let bound = bound(table_set, key, winner);
        if bound.iter().map(|group| group.pieces.len()).sum::<usize>() < 2 {
            return Vec::new();
        }
        count(table_set, key, table, winner, &bound, &mut classes);
    }
    classes.into_values().collect()
}

/// Returns the color-bound pieces, White's first, in the order of their letters.
fn bound(table_set: &TableSet, key: &MaterialKey, winner: Color) -> Vec<ColorBoundPieces> {
    let pieces = key.attacker.len() + key.loser.len() - 2;
    let all = (0..pieces).map(|index| {
        let color = if key.is_attacker(index) { winner } else { !winner };
        (color, key.piece(index), index + 2)
    });
    let royals = [(winner, key.attacker[0], 0), (!winner, key.loser[0], 1)];
    let mut groups: Vec<ColorBoundPieces> = Vec::new();
    for (color, kind, index) in royals.into_iter().chain(all) {
        let piece = table_set.catalog.piece(kind);
        if !piece.is_color_bound() {
            continue;
        }
        let letter = piece.letter;
        match groups.iter_mut().find(|g| g.color == color && g.letter == letter) {
            Some(group) => group.pieces.push(index),
            None => groups.push(ColorBoundPieces { color, letter, pieces: vec![index] }),
        }
    }
    groups.sort_by_key(|group| (group.color.index(), group.letter));
    groups
}

fn count(
    table_set: &TableSet,
    key: &MaterialKey,
    table: &SolvedTable,
    winner: Color,
    bound: &[ColorBoundPieces],
    classes: &mut BTreeMap<Vec<usize>, ColorClass>,
) {
    let layout = &table.layout;
    let endgame = table_set.endgame(key, layout.clone(), &[]);
    let light = Square::all().filter(|s| s.is_light()).fold(0u64, |set, s| set | 1 << s.index());
    // One word covers all squares of the loser's royal.
    let royal_is_bound = bound.iter().any(|group| group.pieces.contains(&1));
    let halves: &[(u64, bool)] =
        if royal_is_bound { &[(light, true), (!light, false)] } else { &[(!0, false)] };
    // A table without words has counts by the colors of all squares.
    let counted = table.shades.is_some() && !winner.is_white();
    for (slice, &home) in layout.homes.iter().enumerate().filter(|_| !counted) {
        let orbit = layout.orbit(slice);
        for word in 0..layout.words {
            let pieces = layout.decode(word);
            let Some(occupied) = endgame.occupied(home, &pieces) else { continue };
            let attacked = endgame.attacked(home, &pieces, NO_PIECE, occupied);
            let legal = [!occupied & !attacked, endgame.legal_for_loser(home, &pieces, occupied)];
            let bits = |words: &[Vec<u64>]| words.get(slice).map_or(0, |w| w[word]);
            let (won, lost) = (bits(&table.won), bits(&table.lost));
            for &(half, royal_is_light) in halves {
                let shade = |index: usize| match index {
                    0 => light >> home & 1 != 0,
                    1 => royal_is_light,
                    index => light >> pieces[index - 2] & 1 != 0,
                };
                let lights: Vec<usize> = bound
                    .iter()
                    .map(|group| group.pieces.iter().filter(|&&index| shade(index)).count())
                    .collect();
                let class = class(bound, lights, classes);
                let sum = |set: u64| u64::from((set & half).count_ones()) * orbit;
                // Legal positions are the same in both tables; White's table counts them.
                if winner.is_white() {
                    class.legal[0] += sum(legal[0]);
                    class.legal[1] += sum(legal[1]);
                }
                class.won[winner.index()] += sum(won);
                class.lost[winner.index()] += sum(lost);
            }
        }
    }
    for (shades, [won, lost]) in table.shades.iter().flat_map(Shades::iter) {
        if won | lost != 0 {
            let light = |&&index: &&usize| shades >> index & 1 != 0;
            let lights = bound.iter().map(|group| group.pieces.iter().filter(light).count());
            let class = class(bound, lights.collect(), classes);
            class.won[winner.index()] += won;
            class.lost[winner.index()] += lost;
        }
    }
}

/// Returns the class with these numbers of pieces of each kind on light squares, or on dark ones.
fn class<'a>(
    bound: &[ColorBoundPieces],
    lights: Vec<usize>,
    classes: &'a mut BTreeMap<Vec<usize>, ColorClass>,
) -> &'a mut ColorClass {
    let exchanged: Vec<usize> =
        bound.iter().zip(&lights).map(|(group, light)| group.pieces.len() - light).collect();
    let lights = lights.max(exchanged);
    classes.entry(lights).or_insert_with_key(|lights| {
        let index = |group: &ColorBoundPieces, light: bool| {
            let letter = if group.color.is_white() {
                group.letter.to_ascii_uppercase()
            } else {
                group.letter.to_ascii_lowercase()
            };
            format!("{letter}{}", if light { 'l' } else { 'd' })
        };
        let names = bound.iter().zip(lights).flat_map(|(group, &light)| {
            (0..group.pieces.len()).map(move |number| index(group, number < light))
        });
        ColorClass { name: names.collect::<Vec<_>>().join(" "), ..ColorClass::default() }
    })
}
