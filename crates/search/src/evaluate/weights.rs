//! Features of the evaluation, each weighted with one pair (middlegame, endgame) of centipawns.
//!
//! A feature is anything that can be counted for a side; the evaluation is Σ weight · (White's
//! count − Black's). The weights are in `tuned`, in the order of the features below.

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident: $count:expr;)*) => {
        features!(@piece_to 0; $($(#[$doc])* $name: $count;)*);
    };
    (@piece_to $at:expr; $(#[$doc:meta])* $name:ident: $count:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub(crate) const $name: usize = $at;
        features!(@piece_to $at + $count; $($rest)*);
    };
    (@piece_to $at:expr;) => {
        /// Number of features.
        pub(crate) const COUNT: usize = $at;
    };
}

features! {
    /// Piece of each role.
    MATERIAL: 6;
    /// Piece of each role on each square, seen from its own side; role · 64 + square.
    PLACEMENT: 384;
    /// Knight by its number of safe squares (mobility).
    KNIGHT_MOBILITY: 9;
    /// Bishop by its number of safe squares (mobility).
    BISHOP_MOBILITY: 14;
    /// Rook by its number of safe squares (mobility).
    ROOK_MOBILITY: 15;
    /// Queen by its number of safe squares (mobility).
    QUEEN_MOBILITY: 28;
    /// Two bishops.
    BISHOP_PAIR: 1;
    /// Rook on a file without pawns.
    ROOK_OPEN: 1;
    /// Rook on a file without own pawns.
    ROOK_HALF_OPEN: 1;
    /// Knight or bishop on a square that no enemy pawn can ever attack, protected by a pawn.
    OUTPOST: 1;
    /// Pawn without own pawns on the adjacent files.
    ISOLATED: 1;
    /// Additional pawn on the same file.
    DOUBLED: 1;
    /// Pawn that can neither be protected by a pawn nor advance safely.
    BACKWARD: 1;
    /// Pawn protected by or beside another pawn, by rank.
    CONNECTED: 8;
    /// Passed pawn, by rank.
    PASSED: 8;
    /// Passed pawn whose next square is occupied, by rank.
    BLOCKED_PASSED: 8;
    /// Distance of the enemy king to a passed pawn's next square, in king moves.
    PASSED_ENEMY_KING: 8;
    /// Distance of the own king to a passed pawn's next square, in king moves.
    PASSED_OWN_KING: 8;
    /// Own pawn in front of the king on its own or an adjacent file, by ranks ahead (1, 2, farther,
    /// none).
    SHELTER: 4;
    /// Enemy pawn in front of the king on those files, by its rank.
    STORM: 8;
    /// Attack on the squares around the enemy king, by strength of the attackers.
    KING_DANGER: 24;
    /// Pawn attacks a knight or bishop, a rook, a queen.
    PAWN_THREAT: 3;
    /// Knight or bishop attacks a rook, a queen.
    MINOR_THREAT: 2;
    /// Rook attacks a queen.
    ROOK_THREAT: 1;
    /// Attacked enemy piece without protection.
    HANGING: 1;
    /// Side to move.
    TEMPO: 1;
}

#[cfg(test)]
mod tests {
    use crate::score_pair::Pair;

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
