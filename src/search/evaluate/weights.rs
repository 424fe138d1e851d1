//! The numbers of the evaluation, one pair (middlegame, endgame) of centipawns per feature.
//!
//! A feature is anything that can be counted for a side; the evaluation is Σ weight · (White's count −
//! Black's). Written by hand from common chess knowledge; squares by formulas. They are in one array
//! so that a tuner can fit them.

/// Two 16-bit scores in one word, so that one addition adds both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair(i32);

impl Pair {
    /// A middlegame and an endgame score.
    pub const fn new(middle: i32, end: i32) -> Self {
        Self((middle << 16).wrapping_add(end))
    }

    /// The middlegame score.
    pub const fn middle(self) -> i32 {
        (self.0.wrapping_add(0x8000)) >> 16
    }

    /// The endgame score.
    pub const fn end(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Both scores added.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// Both scores times a count.
    #[inline]
    pub const fn times(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident: $count:expr;)*) => {
        features!(@step 0; $($(#[$doc])* $name: $count;)*);
    };
    (@step $at:expr; $(#[$doc:meta])* $name:ident: $count:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $at;
        features!(@step $at + $count; $($rest)*);
    };
    (@step $at:expr;) => {
        /// Number of features.
        pub const COUNT: usize = $at;
    };
}

features! {
    /// Man of each role.
    MATERIAL: 6;
    /// Man of each role on each square, seen from its own side; role · 64 + square.
    PLACEMENT: 384;
    /// Knight with so many safe squares.
    KNIGHT_MOBILITY: 9;
    /// Bishop with so many safe squares.
    BISHOP_MOBILITY: 14;
    /// Rook with so many safe squares.
    ROOK_MOBILITY: 15;
    /// Queen with so many safe squares.
    QUEEN_MOBILITY: 28;
    /// Two bishops.
    BISHOP_PAIR: 1;
    /// Rook on a file without pawns.
    ROOK_OPEN: 1;
    /// Rook on a file without own pawns.
    ROOK_HALF_OPEN: 1;
    /// Knight or bishop on a square that no enemy pawn can ever attack, protected by a pawn.
    OUTPOST: 1;
    /// Pawn without own pawns on the next files.
    ISOLATED: 1;
    /// Further pawn on the same file.
    DOUBLED: 1;
    /// Pawn that can neither be protected by a pawn nor advance safely.
    BACKWARD: 1;
    /// Pawn protected by or beside another, by rank.
    CONNECTED: 8;
    /// Passed pawn by rank.
    PASSED: 8;
    /// Passed pawn whose next square is occupied, by rank.
    BLOCKED_PASSED: 8;
    /// King steps from the enemy king to a passed pawn's next square.
    PASSED_ENEMY_KING: 8;
    /// King steps from the own king to a passed pawn's next square.
    PASSED_OWN_KING: 8;
    /// Own pawn in front of the king on its own or a next file, by steps ahead (1, 2, farther, none).
    SHELTER: 4;
    /// Enemy pawn coming at the king on those files, by its rank.
    STORM: 8;
    /// Attack on the squares around the enemy king, by strength of the attackers.
    KING_DANGER: 24;
    /// Pawn attacks a knight or bishop, a rook, a queen.
    PAWN_THREAT: 3;
    /// Knight or bishop attacks a rook, a queen.
    MINOR_THREAT: 2;
    /// Rook attacks a queen.
    ROOK_THREAT: 1;
    /// Unprotected enemy man is attacked.
    HANGING: 1;
    /// Being to move.
    TEMPO: 1;
}

/// How near the center a square lies, 0 (corner) to 6.
const fn center(square: usize) -> i32 {
    let (file, rank) = ((square & 7) as i32, (square >> 3) as i32);
    let f = if file < 4 { file } else { 7 - file };
    let r = if rank < 4 { rank } else { 7 - rank };
    f + r
}

const fn placement(role: usize, square: usize) -> Pair {
    let (file, rank) = ((square & 7) as i32, (square >> 3) as i32);
    let middle_file = if file < 4 { file } else { 7 - file };
    let c = center(square);
    match role {
        0 => {
            let push = [0, 0, 2, 6, 14, 30, 60, 0][rank as usize];
            let center_pawn = if middle_file == 3 && rank >= 3 { 14 } else { 0 };
            let home_wing = if middle_file < 2 && rank > 1 { -4 } else { 0 };
            Pair::new(push / 2 + center_pawn + home_wing + middle_file * 2 - 4, push)
        }
        1 => {
            let edge = if rank == 0 {
                -10
            } else if rank >= 4 && rank <= 5 {
                10
            } else {
                0
            };
            Pair::new(c * 8 - 30 + edge, c * 6 - 24)
        }
        2 => {
            let home = if rank == 0 { -10 } else { 0 };
            Pair::new(c * 4 - 12 + home, c * 3 - 9)
        }
        3 => {
            let seventh = if rank == 6 { 16 } else { 0 };
            Pair::new(middle_file * 4 - 6 + seventh, if rank >= 6 { 8 } else { 0 })
        }
        4 => {
            let early = if rank >= 2 { 0 } else { 4 };
            Pair::new(c * 2 - 6 + early, c * 5 - 15)
        }
        _ => {
            let away = if rank == 0 { 0 } else { -18 * if rank > 3 { 3 } else { rank } };
            let wing = [24, 34, 4, -8][middle_file as usize];
            Pair::new(away + if rank <= 1 { wing } else { -10 }, c * 9 - 30)
        }
    }
}

const fn fill(mut all: [Pair; COUNT], at: usize, values: &[(i32, i32)]) -> [Pair; COUNT] {
    let mut i = 0;
    while i < values.len() {
        all[at + i] = Pair::new(values[i].0, values[i].1);
        i += 1;
    }
    all
}

/// A ramp: `base + step · √count`-like growth for mobility, by halving the step past the middle.
const fn ramp(
    mut all: [Pair; COUNT],
    at: usize,
    count: usize,
    base: (i32, i32),
    step: (i32, i32),
) -> [Pair; COUNT] {
    let mut i = 0;
    let (mut middle, mut end) = base;
    while i < count {
        all[at + i] = Pair::new(middle, end);
        let tired = if i * 2 > count { 2 } else { 1 };
        middle += step.0 / tired;
        end += step.1 / tired;
        i += 1;
    }
    all
}

/// The weights, by feature.
pub static WEIGHTS: [Pair; COUNT] = {
    let mut all = [Pair::new(0, 0); COUNT];
    all =
        fill(all, MATERIAL, &[(82, 104), (345, 310), (360, 325), (485, 560), (1015, 1010), (0, 0)]);
    let mut i = 0;
    while i < 384 {
        all[PLACEMENT + i] = placement(i / 64, i % 64);
        i += 1;
    }
    all = ramp(all, KNIGHT_MOBILITY, 9, (-32, -44), (9, 12));
    all = ramp(all, BISHOP_MOBILITY, 14, (-30, -44), (8, 10));
    all = ramp(all, ROOK_MOBILITY, 15, (-24, -48), (5, 10));
    all = ramp(all, QUEEN_MOBILITY, 28, (-18, -40), (2, 6));
    all = fill(all, BISHOP_PAIR, &[(26, 56)]);
    all = fill(all, ROOK_OPEN, &[(28, 12)]);
    all = fill(all, ROOK_HALF_OPEN, &[(13, 7)]);
    all = fill(all, OUTPOST, &[(24, 14)]);
    all = fill(all, ISOLATED, &[(-12, -14)]);
    all = fill(all, DOUBLED, &[(-8, -22)]);
    all = fill(all, BACKWARD, &[(-9, -10)]);
    all = fill(
        all,
        CONNECTED,
        &[(0, 0), (4, 0), (9, 4), (12, 8), (20, 18), (38, 36), (60, 60), (0, 0)],
    );
    all = fill(
        all,
        PASSED,
        &[(0, 0), (0, 12), (0, 18), (6, 38), (26, 66), (60, 118), (100, 190), (0, 0)],
    );
    all = fill(
        all,
        BLOCKED_PASSED,
        &[(0, 0), (0, -4), (0, -8), (-4, -16), (-10, -30), (-22, -56), (-40, -96), (0, 0)],
    );
    all = fill(
        all,
        PASSED_ENEMY_KING,
        &[(0, -18), (0, -14), (0, -4), (0, 6), (0, 14), (0, 20), (0, 24), (0, 26)],
    );
    all = fill(
        all,
        PASSED_OWN_KING,
        &[(0, 14), (0, 14), (0, 8), (0, 2), (0, -4), (0, -8), (0, -10), (0, -12)],
    );
    all = fill(all, SHELTER, &[(16, -4), (8, 0), (0, 0), (-18, 4)]);
    all = fill(all, STORM, &[(0, 0), (0, 0), (-22, 0), (-14, 0), (-5, 0), (0, 0), (0, 0), (0, 0)]);
    let mut i = 0;
    while i < 24 {
        let units = i as i32;
        all[KING_DANGER + i] = Pair::new(units * units * 9 / 10 + units, units);
        i += 1;
    }
    all = fill(all, PAWN_THREAT, &[(52, 30), (66, 20), (60, 24)]);
    all = fill(all, MINOR_THREAT, &[(42, 22), (40, 30)]);
    all = fill(all, ROOK_THREAT, &[(44, 20)]);
    all = fill(all, HANGING, &[(24, 20)]);
    all = fill(all, TEMPO, &[(16, 10)]);
    all
};

#[cfg(test)]
mod tests {
    use super::Pair;

    #[test]
    fn pairs_add_and_multiply_in_both_halves() {
        for (middle, end) in [(0, 0), (5, -7), (-300, 299), (-1, -1), (12, 13)] {
            let pair = Pair::new(middle, end);
            assert_eq!((pair.middle(), pair.end()), (middle, end));
            let sum = pair.plus(Pair::new(3, -4)).times(-2);
            assert_eq!((sum.middle(), sum.end()), ((middle + 3) * -2, (end - 4) * -2));
        }
    }
}
