//! Estimate of the moves that lead from a position back to the initial one.
//!
//! No bound: it guides the search. Each piece goes home, or becomes a pawn again, or waits for its
//! way; each missing piece has to be put back by a capture that is taken back. Pawns at home are
//! walls, so a piece that is shut out makes the estimate large.

use super::assignment::least_sum;
use super::walks::{Distances, NO_WAY, distances, homes, last_rank, pawn_rank, rank_of};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role};
use umbrail_control::FastMap;

/// Estimated moves for a missing piece: a capture is taken back, and the piece goes home.
const MISSING: i32 = 4;

/// Estimated moves more if the home square of a missing piece is shut in.
const SHUT_IN: i32 = 3;

/// Estimated moves of a piece without any way home.
const SHUT_OUT: i32 = 40;

/// Estimated moves of a promoted piece beyond its way to the last rank.
const PROMOTED: i32 = 8;

/// Estimated moves for two pawns that have passed each other on a file.
const PASSED: i32 = 3;

/// Estimated moves for a pawn that another pawn captures: it has to meet it first, or to promote.
const PAWN_VICTIM: i32 = 6;

/// Number of estimates and of walls that are kept.
const KEPT_MAX: usize = 200_000;
const WALLS_MAX: usize = 400;

const OFFICERS: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// Distances of all officers between all squares, for one set of walls.
type WalledDistances = [Vec<Distances>; 5];

/// Memory of estimates.
#[derive(Default)]
pub(super) struct Homeward {
    walls: FastMap<u64, Box<WalledDistances>>,
    armies: FastMap<u64, i32>,
}

impl Homeward {
    /// Returns the estimate of a position.
    pub(super) fn estimate(&mut self, position: &Position) -> i32 {
        let walls = walls(position);
        let armies: i32 = Color::ALL.map(|color| self.army(position, color, walls)).iter().sum();
        armies + passed(position)
    }

    fn army(&mut self, position: &Position, color: Color, walls: Bitboard) -> i32 {
        let [missing, officers] = missing(position, !color);
        let mut key = mixed(walls.0 ^ color.index() as u64 ^ (missing << 5 | officers) << 50);
        for role in Role::ALL {
            key = mixed(key ^ position.pieces(color, role).0);
        }
        if let Some(&known) = self.armies.get(&key) {
            return known;
        }
        if self.walls.len() > WALLS_MAX {
            self.walls.clear();
        }
        if self.armies.len() > KEPT_MAX {
            self.armies.clear();
        }
        let table = self.walls.entry(walls.0).or_insert_with(|| Box::new(walled(walls)));
        let captures = pawn_captures(position, color);
        let estimate = of_army(position, color, table)
            + (captures - missing as i32).max(0) * SHUT_OUT
            + (captures - officers as i32).max(0) * PAWN_VICTIM;
        self.armies.insert(key, estimate);
        estimate
    }
}

/// Squares whose piece stays, or only goes back on its file: pawns at home, bishops behind them, and
/// all pawns of a side whose opponent misses nothing that they could have captured.
fn walls(position: &Position) -> Bitboard {
    let of = |color: Color| {
        let pawns = position.pieces(color, Role::Pawn);
        let [missing, _] = missing(position, !color);
        if missing == 0 { pawns } else { pawns & pawn_rank(color) }
    };
    of(Color::White) | of(Color::Black) | position.castling_rooks() | shut_bishops(position)
}

/// Bishops at home behind two pawns at home.
fn shut_bishops(position: &Position) -> Bitboard {
    let of = |color: Color| {
        let pawns = position.pieces(color, Role::Pawn) & pawn_rank(color);
        let bishops = position.pieces(color, Role::Bishop);
        let (rank, ahead) = if color.is_white() { (0, 1) } else { (7, -1) };
        let homes = [2, 5].map(|file| Square::at(file, rank)).into_iter();
        let is_shut = |home: &Square| {
            let doors = [-1, 1].map(|side| home.offset(side, ahead));
            bishops.contains(*home) && doors.into_iter().flatten().all(|door| pawns.contains(door))
        };
        homes.filter(is_shut).collect::<Bitboard>()
    };
    of(Color::White) | of(Color::Black)
}

fn walled(walls: Bitboard) -> WalledDistances {
    OFFICERS.map(|role| Square::all().map(|from| distances(role, from, walls)).collect())
}

fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (word ^ word >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Returns the estimate of one side: the cheapest assignment of the pieces that the array has to
/// those on the board. Pieces of the array that are left over are the missing ones.
fn of_army(position: &Position, color: Color, table: &WalledDistances) -> i32 {
    let place = |role: Role| OFFICERS.iter().position(|&one| one == role).unwrap_or(0);
    let men: Vec<(Role, Square)> = Role::ALL
        .into_iter()
        .flat_map(|role| position.pieces(color, role).squares().map(move |square| (role, square)))
        .collect();
    let homes = homes(color);
    let shut_in = homes.map(|(role, home)| {
        let ways = &table[place(role)][home.index()];
        let beyond = (16..48).any(|square: usize| ways[square] != NO_WAY);
        if beyond { 0 } else { SHUT_IN }
    });
    let row = |&(role, square): &(Role, Square)| {
        let mut costs = vec![SHUT_OUT; 16];
        if role == Role::Pawn {
            let steps = i32::from(rank_of(color, square)) - 1;
            for home in 0..8 {
                let captures = (i32::from(square.file()) - home).abs();
                if captures <= steps {
                    costs[8 + home as usize] = steps + captures;
                }
            }
            return costs;
        }
        let ways = &table[place(role)][square.index()];
        for (at, (home_role, home)) in homes.iter().enumerate() {
            if *home_role == role && ways[home.index()] != NO_WAY {
                costs[at] = i32::from(ways[home.index()]);
            }
        }
        if role != Role::King {
            for home in 0..8 {
                let doors = last_rank(color).squares().filter(|door| ways[door.index()] != NO_WAY);
                let way = |door: Square| {
                    let captures = (i32::from(door.file()) - home).abs();
                    i32::from(ways[door.index()]) + PROMOTED + captures
                };
                if let Some(least) = doors.map(way).min() {
                    costs[8 + home as usize] = least.min(SHUT_OUT);
                }
            }
        }
        costs
    };
    let mut costs: Vec<Vec<i32>> = men.iter().map(row).collect();
    let missing: Vec<i32> =
        (0..16).map(|slot| MISSING + shut_in.get(slot).copied().unwrap_or(0)).collect();
    costs.extend((men.len()..16).map(|_| missing.clone()));
    least_sum(&costs)
}

/// Returns the numbers of pieces and of officers that a side misses.
fn missing(position: &Position, color: Color) -> [u64; 2] {
    let all = position.by_color(color).len();
    let officers = all - position.pieces(color, Role::Pawn).len();
    [16_u64.saturating_sub(u64::from(all)), 8_u64.saturating_sub(u64::from(officers))]
}

/// Returns the least number of captures with which the pawns of a side came to their squares.
fn pawn_captures(position: &Position, color: Color) -> i32 {
    let row = |pawn: Square| {
        let steps = i32::from(rank_of(color, pawn)) - 1;
        let captures = |home: i32| (i32::from(pawn.file()) - home).abs();
        (0..8).map(|home| if captures(home) <= steps { captures(home) } else { 8 }).collect()
    };
    least_sum(&position.pieces(color, Role::Pawn).squares().map(row).collect::<Vec<Vec<i32>>>())
}

/// Returns the estimated moves for pairs of pawns that have passed each other on a file: one of them
/// changes its file and comes back, with two captures.
fn passed(position: &Position) -> i32 {
    let pawns = |color, file| position.pieces(color, Role::Pawn) & Bitboard::file(file);
    let pairs = (0..8).filter(|&file| {
        let white = pawns(Color::White, file).squares().map(Square::rank).max();
        let black = pawns(Color::Black, file).squares().map(Square::rank).min();
        white.zip(black).is_some_and(|(white, black)| white > black)
    });
    let pairs = pairs.count() as i32;
    if pairs == 0 {
        return 0;
    }
    let left = |color: Color| missing(position, !color)[0] as i32 - pawn_captures(position, color);
    let short = (2 * pairs - left(Color::White).max(0) - left(Color::Black).max(0)).max(0);
    pairs * PASSED + short * SHUT_OUT / 2
}
