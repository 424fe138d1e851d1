//! Win, draw and loss: chances by score, fitted to games of the program.
//!
//! The chance to win is a logistic function of the score, with middle and width that depend on the
//! remaining material (the form of Stockfish's win rate model since 2020). `umbrail wdl` fits it.

use super::score::Score;
use umbrail_chess::{Position, Role};

/// Range of the material of both sides; other counts are clamped.
const MATERIAL: (i32, i32) = (17, 78);
/// Divisor of the material in the polynomials.
const UNIT: f64 = 58.0;

/// Middle and width of the logistic function, in centipawns of the search: cubic polynomials of the
/// material, the constant first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinModel {
    /// Score at which the chance to win is one half.
    pub even: [f64; 4],
    /// Score difference that multiplies the odds by e.
    pub width: [f64; 4],
}

/// Lowest score of endgame tables.
const TABLE_SCORE: i32 = 20_000;

/// Default model, fitted to 19,312 positions of 153 games at 200,000 nodes a move
/// (`docs/strength.md`, "Win, draw and loss").
pub const WIN_MODEL: WinModel = WinModel {
    even: [208.827, -359.760, 440.004, -194.892],
    width: [73.763, -240.165, 349.656, -148.431],
};

/// Returns the material of both sides: a pawn counts 1, knight and bishop 3, rook 5, queen 9.
pub fn material(position: &Position) -> i32 {
    let worth =
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let sum: i32 =
        worth.iter().map(|&(role, worth)| worth * position.by_role(role).len() as i32).sum();
    sum.clamp(MATERIAL.0, MATERIAL.1)
}

impl WinModel {
    /// Smallest middle and width, centipawns; polynomials may be wrong outside the fitted range.
    const LEAST: f64 = 10.0;

    /// Returns the score at which the chance to win is one half, and the width, at this
    /// [`material`].
    pub fn at(&self, material: i32) -> (f64, f64) {
        let x = f64::from(material) / UNIT;
        let value = |p: &[f64; 4]| (((p[3] * x + p[2]) * x + p[1]) * x + p[0]).max(Self::LEAST);
        (value(&self.even), value(&self.width))
    }

    /// Returns the chance to win, 0 to 1, for the side with this score in centipawns of the search.
    pub fn win(&self, cp: f64, material: i32) -> f64 {
        let (even, width) = self.at(material);
        1.0 / (1.0 + ((even - cp) / width).exp())
    }

    /// Returns the chances of win, draw and loss, in thousandths, for the side to which the score
    /// belongs.
    pub fn chances(&self, score: Score, position: &Position) -> [u32; 3] {
        let cp = match score {
            Score::Cp(cp) => f64::from(cp),
            Score::Mate(moves) if moves > 0 => return [1000, 0, 0],
            Score::Mate(_) => return [0, 0, 1000],
        };
        let material = material(position);
        let chance = |cp| (1000.0 * self.win(cp, material)).round() as u32;
        let (win, loss) = (chance(cp), chance(-cp));
        [win, 1000_u32.saturating_sub(win + loss), loss]
    }

    /// Returns the score as shown to users: at 100 the chance to win is one half. Mates and scores
    /// of endgame tables are unchanged.
    pub fn shown(&self, score: Score, position: &Position) -> Score {
        match score {
            Score::Cp(cp) if cp.abs() < TABLE_SCORE => {
                let (even, _) = self.at(material(position));
                Score::Cp((f64::from(cp) * 100.0 / even).round() as i32)
            }
            reported => reported,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MATERIAL, WIN_MODEL, material};
    use crate::bench::{POSITIONS, position};
    use crate::score::Score;
    use umbrail_chess::Position;

    #[test]
    fn chances_sum_to_a_thousand_and_mirror_with_the_score() {
        for fen in POSITIONS {
            let position = position(fen).unwrap();
            for cp in (-3000..3000).step_by(37) {
                let [win, draw, loss] = WIN_MODEL.chances(Score::Cp(cp), &position);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(WIN_MODEL.chances(Score::Cp(-cp), &position), [loss, draw, win]);
            }
            assert_eq!(WIN_MODEL.chances(Score::Mate(3), &position), [1000, 0, 0]);
            assert_eq!(WIN_MODEL.chances(Score::Mate(-3), &position), [0, 0, 1000]);
        }
    }

    #[test]
    fn a_shown_pawn_is_an_even_chance_to_win() {
        for fen in POSITIONS {
            let position = position(fen).unwrap();
            let (even, width) = WIN_MODEL.at(material(&position));
            let even = even.round() as i32;
            let Score::Cp(shown) = WIN_MODEL.shown(Score::Cp(even), &position) else { panic!() };
            assert!((shown - 100).abs() <= 1, "{shown}");
            let win = WIN_MODEL.chances(Score::Cp(even), &position)[0];
            // `even` is rounded by up to half a centipawn; a centipawn changes the chance by 250 / width
            // thousandths at most.
            assert!(f64::from(win.abs_diff(500)) <= 1.0 + 125.0 / width, "{win}");
            assert_eq!(WIN_MODEL.shown(Score::Mate(-2), &position), Score::Mate(-2));
        }
    }

    #[test]
    fn the_model_is_sound_wherever_it_is_asked() {
        assert_eq!(material(&Position::startpos()), 78);
        for pieces in MATERIAL.0..=MATERIAL.1 {
            let (even, width) = WIN_MODEL.at(pieces);
            assert!((20.0..400.0).contains(&even) && (10.0..300.0).contains(&width), "{pieces}");
            assert!(WIN_MODEL.win(100.0, pieces) > WIN_MODEL.win(50.0, pieces));
        }
    }
}
