//! Chances of win, draw and loss behind a score.

use crate::search::Score;

/// Centipawns at which the better side wins every second game, and how fast the chance grows:
/// a logistic guess, to be fitted to own games when there are enough of them.
const EVEN_CHANCE_CP: f64 = 150.0;
const SLOPE_CP: f64 = 80.0;

/// Chances of win, draw and loss for the side that the score belongs to, in thousandths.
pub(super) fn chances(score: Score) -> [u32; 3] {
    let cp = match score {
        Score::Cp(cp) => f64::from(cp),
        Score::Mate(moves) if moves > 0 => return [1000, 0, 0],
        Score::Mate(_) => return [0, 0, 1000],
    };
    let win = |cp: f64| (1000.0 / (1.0 + ((EVEN_CHANCE_CP - cp) / SLOPE_CP).exp())).round() as u32;
    let (win, loss) = (win(cp), win(-cp));
    [win, 1000_u32.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::chances;
    use crate::search::Score;

    #[test]
    fn chances_sum_to_a_thousand_and_mirror_with_the_score() {
        for cp in (-3000..3000).step_by(37) {
            let [win, draw, loss] = chances(Score::Cp(cp));
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(chances(Score::Cp(-cp)), [loss, draw, win]);
        }
        assert_eq!(chances(Score::Mate(3)), [1000, 0, 0]);
        assert_eq!(chances(Score::Mate(-3)), [0, 0, 1000]);
        assert!(chances(Score::Cp(150))[0] == 500);
    }
}
