//! Values of conversions, collected word by word and written window by window.

use super::{members, schedule};

/// Squares of a word by ply, in order of their words.
pub(super) type Schedule = Vec<Vec<(u32, u64)>>;

/// Largest value; longer ones do not exist in practice and are refused (`Slice::horizon`).
pub(super) const PLY_MAX: usize = u16::MAX as usize - 1;

/// Values of conversions of one word, by the square of the loser's royal.
pub(super) struct Values {
    known: u64,
    plies: [u16; 64],
}

impl Values {
    const NONE: Self = Self { known: 0, plies: [0; 64] };

    /// Notes values of winning conversions: the least counts.
    #[inline]
    pub(super) fn least(&mut self, set: u64, plies: &[usize; 64]) {
        for b in members(set) {
            let ply = plies[b].min(PLY_MAX) as u16;
            if self.known >> b & 1 == 0 || ply < self.plies[b] {
                self.plies[b] = ply;
            }
        }
        self.known |= set;
    }

    /// Notes the value of a losing conversion: the largest counts.
    #[inline]
    pub(super) fn most(&mut self, b: usize, ply: usize) {
        let ply = ply.min(PLY_MAX) as u16;
        if self.known >> b & 1 == 0 || ply > self.plies[b] {
            self.plies[b] = ply;
        }
        self.known |= 1 << b;
    }

    /// Moves the values of the squares that are not in `but` into a schedule.
    fn schedule(&mut self, word: usize, but: u64, into: &mut Schedule) {
        let mut left = std::mem::take(&mut self.known) & !but;
        while left != 0 {
            let ply = self.plies[left.trailing_zeros() as usize];
            let same = members(left).filter(|&b| self.plies[b] == ply);
            let bits = same.fold(0, |bits, b| bits | 1 << b);
            left &= !bits;
            schedule(into, ply.into(), word, bits);
        }
    }
}

/// Values of the conversions of a window.
pub(super) struct Pending {
    /// Values of the word at hand.
    pub(super) won: Values,
    pub(super) lost: Values,
    /// Winning conversions by ply.
    pub(super) due: Schedule,
    /// By ply, the positions whose conversions all lose and the longest of them takes so long.
    pub(super) hold: Schedule,
}

impl Pending {
    pub(super) fn new() -> Self {
        Self { won: Values::NONE, lost: Values::NONE, due: Vec::new(), hold: Vec::new() }
    }

    /// Ends a word: its values are scheduled, those of losing conversions not beside an escape.
    pub(super) fn schedule(&mut self, word: usize, escape: u64) {
        self.won.schedule(word, 0, &mut self.due);
        self.lost.schedule(word, escape, &mut self.hold);
    }
}

#[cfg(test)]
mod tests {
    use super::Pending;

    #[test]
    fn wins_take_the_shortest_conversion_and_losses_the_longest() {
        let mut pending = Pending::new();
        let mut plies = [9; 64];
        pending.won.least(0b111, &plies);
        plies[1] = 4;
        pending.won.least(0b110, &plies);
        for (b, ply) in [(7, 3), (7, 8), (7, 5), (9, 8), (11, 2)] {
            pending.lost.most(b, ply);
        }
        pending.schedule(70, 1 << 11);
        assert_eq!(pending.due[4], [(70, 0b10)]);
        assert_eq!(pending.due[9], [(70, 0b101)]);
        assert_eq!(pending.hold[8], [(70, 1 << 7 | 1 << 9)]);
        assert!(pending.hold[2..8].iter().all(Vec::is_empty));
        // The next word starts without values.
        pending.schedule(71, 0);
        assert_eq!((pending.due.len(), pending.hold.len()), (10, 9));
    }
}
