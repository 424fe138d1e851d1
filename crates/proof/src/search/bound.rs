//! The lower bound of the search: how many moves each side still needs at least. [`MoveBound`] sums the distances of all
//! men to the ends of their legs; rules B1 and B2 measure them with the finished men in the way ([`BlockedMaps`],
//! [`Blockade`]). A position whose bound exceeds the plies left is refuted.

use crate::distance::NEVER;
use crate::distance::cache::DistanceCache;
use crate::distance::map::DistanceMap;
use crate::problem::man::MenSet;
use crate::search::state::GONE;
use crate::search::state::board::SearchBoard;
use crate::search::state::script::Script;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_control::FastMap;

/// Size of the direct-mapped front of the map cache. With a hundred thousand maps most of the hash
/// table lies outside the processor's caches.
const LATEST: usize = 1 << 12;

/// Distance maps measured with finished men in the way, cached.
#[derive(Default)]
pub(crate) struct BlockedMaps {
    numbers: FastMap<(u32, Bitboard), u32>,
    fields: Vec<DistanceMap>,
    /// By a hash of both: a map, the blocked squares, and the number of the blocked map.
    latest: Vec<(u32, u32, Bitboard)>,
}

impl BlockedMaps {
    /// The number of a map with these squares blocked.
    #[inline]
    pub(crate) fn number(
        &mut self,
        distances: &DistanceCache,
        map_id: u32,
        blocked: Bitboard,
    ) -> u32 {
        let mixed = (blocked.0 ^ u64::from(map_id) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (mixed >> (64 - LATEST.ilog2())) as usize;
        match self.latest.get(place) {
            Some(&(known, number, squares)) if (known, squares) == (map_id, blocked) => number,
            _ => self.look_up(distances, map_id, blocked, place),
        }
    }

    /// The same from the whole cache; the result replaces the front entry.
    #[inline(never)]
    fn look_up(
        &mut self,
        distances: &DistanceCache,
        map_id: u32,
        blocked: Bitboard,
        place: usize,
    ) -> u32 {
        let fields = &mut self.fields;
        let number = *self.numbers.entry((map_id, blocked)).or_insert_with(|| {
            fields.push(if blocked.is_empty() {
                distances.get(map_id).clone()
            } else {
                distances.blocked(map_id, blocked)
            });
            fields.len() as u32 - 1
        });
        if self.latest.is_empty() {
            self.latest = vec![(u32::MAX, 0, Bitboard::EMPTY); LATEST];
        }
        self.latest[place] = (map_id, number, blocked);
        number
    }

    /// The map.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &DistanceMap {
        &self.fields[number as usize]
    }

    /// Clears the cache when it is very large; only between strategies.
    pub(crate) fn trim(&mut self) {
        if self.fields.len() > 300_000 {
            *self = Self::default();
        }
    }

    /// Clears the cache, together with the distances.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The bound of one node.
#[derive(Clone)]
pub(crate) struct MoveBound {
    /// By man: the map of its leg.
    pub(crate) map_id: [u32; 32],
    /// By man: moves of the legs after this one.
    after: [u8; 32],
    /// By man: moves still needed.
    pub(crate) need: [u8; 32],
    /// By color: the sum.
    pub(crate) rest: [i16; 2],
    /// By color: the sum of what the men would need with no finished men in the way.
    pub(crate) plain: [i16; 2],
    /// The same by man.
    bare: [u8; 32],
    /// Survivors that need nothing any more.
    resting: MenSet,
    /// Of these, the ones that will not move again.
    pub(crate) finished: MenSet,
    /// Their squares.
    pub(crate) blocked: Bitboard,
    /// Men on the board.
    pub(crate) alive: MenSet,
}

/// Which blockade rules are on.
#[derive(Clone, Copy)]
pub(crate) struct Blockade {
    /// B1: finished men block at all.
    pub(crate) on: bool,
    /// B2: all detours are summed.
    pub(crate) sum: bool,
}

impl MoveBound {
    /// The bound at the array; `None` when it exceeds the budget.
    pub(crate) fn new(
        script: &Script,
        board: &SearchBoard,
        left: [i16; 2],
        distances: &DistanceCache,
        blocked_maps: &mut BlockedMaps,
        blockade: Blockade,
    ) -> Option<Self> {
        let mut bound = Self { alive: MenSet::ALL, ..Self::EMPTY };
        for man in MenSet::ALL.men() {
            let m = man.index();
            let leg = &script.legs[usize::from(board.leg[m])];
            bound.map_id[m] = blocked_maps.number(distances, leg.map_id, Bitboard::EMPTY);
            bound.after[m] = leg.after;
            bound.set(script, board, m, blocked_maps)?;
            bound.weigh(script, board, m, distances);
        }
        bound.settle(script, board, left, distances, blocked_maps, blockade).then_some(bound)
    }

    /// The bound of one side alone; `None` when it exceeds the budget.
    pub(crate) fn side(
        script: &Script,
        board: &SearchBoard,
        (color, left): (Color, i16),
        tools: (&DistanceCache, &mut BlockedMaps),
        blockade: Blockade,
    ) -> Option<Self> {
        let left = Self::only(color, left);
        Self::of(script, board, MenSet::of_color(color), left, tools, blockade)
    }

    /// The bound of some men by themselves; `None` when it exceeds the budget.
    pub(crate) fn of(
        script: &Script,
        board: &SearchBoard,
        men: MenSet,
        left: [i16; 2],
        tools: (&DistanceCache, &mut BlockedMaps),
        blockade: Blockade,
    ) -> Option<Self> {
        let (distances, blocked_maps) = tools;
        let mut bound = Self::EMPTY;
        for man in men.men().filter(|man| board.at[man.index()] != GONE) {
            let m = man.index();
            let leg = &script.legs[usize::from(board.leg[m])];
            bound.alive = bound.alive.with(man);
            bound.map_id[m] = blocked_maps.number(distances, leg.map_id, Bitboard::EMPTY);
            bound.after[m] = leg.after;
            bound.set(script, board, m, blocked_maps)?;
        }
        bound.settle(script, board, left, distances, blocked_maps, blockade).then_some(bound)
    }

    /// Moves left of one side, when the other one does not count.
    #[inline]
    pub(crate) const fn only(color: Color, left: i16) -> [i16; 2] {
        if color.is_white() { [left, i16::MAX] } else { [i16::MAX, left] }
    }

    /// No man.
    const EMPTY: Self = Self {
        map_id: [0; 32],
        after: [0; 32],
        need: [0; 32],
        rest: [0; 2],
        plain: [0; 2],
        bare: [0; 32],
        resting: MenSet::EMPTY,
        finished: MenSet::EMPTY,
        blocked: Bitboard::EMPTY,
        alive: MenSet::EMPTY,
    };

    /// Updates the need of one man where it stands now.
    #[inline]
    fn set(
        &mut self,
        script: &Script,
        board: &SearchBoard,
        m: usize,
        blocked_maps: &BlockedMaps,
    ) -> Option<()> {
        let moves = blocked_maps.get(self.map_id[m]).moves[usize::from(board.at[m])];
        if moves == NEVER {
            return None;
        }
        let need = moves + self.after[m];
        self.rest[m >> 4] += i16::from(need) - i16::from(self.need[m]);
        self.need[m] = need;
        let bit = 1u32 << m;
        let rests = need == 0 && script.legs[usize::from(board.leg[m])].last;
        if rests && script.survivors.0 & bit != 0 {
            self.resting.0 |= bit;
        } else {
            self.resting.0 &= !bit;
        }
        Some(())
    }

    /// A man moved within its leg, or to its next one. False when it can no longer finish its
    /// route.
    #[inline]
    pub(crate) fn moved(
        &mut self,
        script: &Script,
        board: &SearchBoard,
        m: usize,
        new_leg: bool,
        distances: &DistanceCache,
        blocked_maps: &mut BlockedMaps,
    ) -> bool {
        if new_leg {
            let leg = &script.legs[usize::from(board.leg[m])];
            self.map_id[m] = blocked_maps.number(distances, leg.map_id, self.blocked & leg.touched);
            self.after[m] = self.later(script, board, m, distances, blocked_maps).unwrap_or(NEVER);
            if self.after[m] == NEVER {
                return false;
            }
        }
        self.weigh(script, board, m, distances);
        self.set(script, board, m, blocked_maps).is_some()
    }

    /// Updates what one man would need by itself where it stands.
    #[inline]
    fn weigh(&mut self, script: &Script, board: &SearchBoard, m: usize, distances: &DistanceCache) {
        let leg = &script.legs[usize::from(board.leg[m])];
        let bare =
            distances.get(leg.map_id).moves[usize::from(board.at[m])].saturating_add(leg.after);
        self.plain[m >> 4] += i16::from(bare) - i16::from(self.bare[m]);
        self.bare[m] = bare;
    }

    /// A man was taken.
    #[inline]
    pub(crate) fn taken(&mut self, m: usize) {
        self.rest[m >> 4] -= i16::from(self.need[m]);
        self.need[m] = 0;
        self.plain[m >> 4] -= i16::from(self.bare[m]);
        self.bare[m] = 0;
        self.alive.0 &= !(1 << m);
    }

    /// The moves of all legs after the present one, finished men in the way.
    fn later(
        &self,
        script: &Script,
        board: &SearchBoard,
        m: usize,
        distances: &DistanceCache,
        blocked_maps: &mut BlockedMaps,
    ) -> Option<u8> {
        let mut i = usize::from(board.leg[m]);
        if (script.legs[i].ahead & self.blocked).is_empty() {
            return Some(script.legs[i].after);
        }
        let mut sum: u16 = 0;
        // The walk of the leg after an excursion is part of the excursion's own figure.
        let mut counted = matches!(script.legs[i].goal, crate::analyse::legs::Goal::Leave);
        while !script.legs[i].last {
            i += 1;
            let leg = &script.legs[i];
            if counted {
                counted = false;
                continue;
            }
            let map_id = blocked_maps.number(distances, leg.map_id, self.blocked & leg.touched);
            let moves = blocked_maps.get(map_id).moves[leg.start.index()];
            if moves == NEVER {
                return None;
            }
            sum += u16::from(moves);
        }
        u8::try_from(sum).ok().filter(|&sum| sum < NEVER)
    }

    /// Rules B1 and B2. Men that need nothing more and live to the end are *finished* if they are
    /// pawns, or officers of a side with fewer than two moves to spare: leaving and coming back
    /// costs two. They never move again, so the others go around them, which may cost more than
    /// there is; then, and when the moves left do not cover the need of a side anyway, this is
    /// false.
    ///
    /// *Admissible*: spare moves (moves left less moves needed) never grow along a game, since a
    /// move lowers the need by one at most. So a finished man stays where it is in every
    /// continuation, a real walk of another man avoids its square, and the walks of different men
    /// are different moves.
    pub(crate) fn settle(
        &mut self,
        script: &Script,
        board: &SearchBoard,
        left: [i16; 2],
        distances: &DistanceCache,
        blocked_maps: &mut BlockedMaps,
        blockade: Blockade,
    ) -> bool {
        loop {
            let mut men = 0u32;
            for (c, &left) in left.iter().enumerate() {
                let spare = left - self.rest[c];
                if spare < 0 {
                    return false;
                }
                let side = 0xFFFFu32 << (16 * c);
                men |= side & if spare < 2 { !0 } else { script.pawns_at_last.0 };
            }
            men &= self.resting.0 & !self.finished.0;
            if men == 0 || !blockade.on {
                return true;
            }
            self.finished.0 |= men;
            let new: Bitboard =
                MenSet(men).men().map(|man| Square::new(board.at[man.index()])).collect();
            self.blocked |= new;
            let others = self.alive.0 & !self.finished.0 & !script.fixed.0;
            for man in MenSet(others).men() {
                let m = man.index();
                let leg = &script.legs[usize::from(board.leg[m])];
                if (leg.ahead & new).is_empty() {
                    continue;
                }
                let kept = (self.map_id[m], self.after[m], self.need[m], self.rest, self.resting);
                self.map_id[m] =
                    blocked_maps.number(distances, leg.map_id, self.blocked & leg.touched);
                let Some(after) = self.later(script, board, m, distances, blocked_maps) else {
                    return false;
                };
                self.after[m] = after;
                if self.set(script, board, m, blocked_maps).is_none() {
                    return false;
                }
                if !blockade.sum {
                    if self.rest[m >> 4] > left[m >> 4] {
                        return false;
                    }
                    (self.map_id[m], self.after[m], self.need[m], self.rest, self.resting) = kept;
                }
            }
        }
    }
}
