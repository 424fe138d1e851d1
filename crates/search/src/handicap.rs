//! Limited strength: fewer nodes, and a random choice among the best moves.
//!
//! A level runs from 0 to 20, full strength. Each level searches [`GROWTH`] times as many positions
//! as the one below, and every level searches all moves one ply deep. Below level [`SURE`] a random
//! error, smaller at higher levels, is added to the score of each candidate, and the best sum is
//! played. A move that is worse by more than twice the standard deviation is never played: a weak
//! level overlooks what lies beyond its few positions, but does not give away material that it
//! sees.
//!
//! Mating a bare king with a queen or a rook is the first technique that people learn. From level
//! [`TRAINED`] the engine knows it: there it searches enough positions and makes no random error.

use super::limits::{ELO_MAX, ELO_MIN, SearchParams};
use super::score::Value;
use umbrail_chess::{Position, Role};

/// Full strength.
pub(super) const FULL: f64 = 20.0;
/// Ratings of the levels 0, 2, 4 and so on, measured by games (`docs/measurements/matches.csv`).
const RATINGS: [f64; 11] =
    [700.0, 805.0, 905.0, 1_145.0, 1_560.0, 2_030.0, 2_440.0, 2_890.0, 3_250.0, 3_425.0, 3_540.0];
/// Positions searched at level 0.
const LEAST_NODES: f64 = 40.0;
/// Factor between the positions of one level and the next.
const GROWTH: f64 = 1.6;
/// Lowest level that always plays the best move; from here levels differ only in the number of
/// positions.
const SURE: f64 = 16.0;
/// Standard deviation of the error at level 0, centipawns; it falls with the square of the distance
/// to [`SURE`].
const ERROR: f64 = 120.0;
/// Largest distance of a candidate to the best score, in standard deviations of the error.
const WINDOW: f64 = 2.0;

/// Lowest level that can mate with a queen or a rook, about 860 Elo.
const TRAINED: f64 = 3.0;
/// Least number of positions that a trained level searches against a bare king.
const TECHNIQUE_NODES: u64 = 30_000;

/// Strength below full strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Handicap {
    level: f64,
    /// True if the side to move mates a bare king and knows how.
    by_technique: bool,
}

impl Handicap {
    /// Returns the handicap that the parameters set for a move in this position, if any.
    pub(super) fn new(params: &SearchParams, position: &Position) -> Option<Self> {
        let level =
            if params.limit_strength { level_of(params.elo) } else { f64::from(params.skill) };
        let by_technique = level >= TRAINED && is_technique(position);
        (level < FULL).then_some(Self { level, by_technique })
    }

    /// Returns the limit of positions.
    pub(super) fn nodes(self) -> u64 {
        let nodes = (LEAST_NODES * GROWTH.powf(self.level)) as u64;
        if self.by_technique { nodes.max(TECHNIQUE_NODES) } else { nodes }
    }

    /// Returns the standard deviation of the error, centipawns.
    fn error(self) -> f64 {
        if self.by_technique {
            return 0.0;
        }
        ERROR * (1.0 - self.level / SURE).max(0.0).powi(2)
    }

    /// Returns the number of moves to choose among: six at level 0, fewer at smaller errors, since
    /// each costs positions.
    pub(super) fn candidates(self) -> usize {
        if self.level < SURE && !self.by_technique {
            2 + ((SURE - self.level) / 4.0) as usize
        } else {
            1
        }
    }

    /// Returns the index of the chosen score; `scores` starts with the best. `random` returns
    /// uniform numbers from [0, 1).
    pub(super) fn choose(self, scores: &[Value], mut random: impl FnMut() -> f64) -> usize {
        let Some(&best) = scores.first() else { return 0 };
        let error = self.error();
        let near = scores.iter().take_while(|&&score| f64::from(best - score) <= WINDOW * error);
        let erring = near.map(|&score| {
            // The sum of twelve uniform numbers, less its mean, is nearly normal with standard
            // deviation 1.
            let normal = (0..12).map(|_| random()).sum::<f64>() - 6.0;
            f64::from(score) + error * normal
        });
        let chosen = erring.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        chosen.map_or(0, |(at, _)| at)
    }
}

/// Returns true if the side to move has a queen or a rook against a bare king.
fn is_technique(position: &Position) -> bool {
    let turn = position.turn();
    let majors = position.by_role(Role::Queen) | position.by_role(Role::Rook);
    position.by_color(!turn).len() == 1 && (majors & position.by_color(turn)).any()
}

/// Returns the level of a rating, interpolated linearly between the measured ones.
fn level_of(elo: u32) -> f64 {
    let elo = f64::from(elo.clamp(ELO_MIN, ELO_MAX));
    let each = FULL / (RATINGS.len() - 1) as f64;
    let between = RATINGS.windows(2).enumerate().find(|(_, pair)| elo <= pair[1]);
    between.map_or(FULL, |(at, pair)| (at as f64 + (elo - pair[0]) / (pair[1] - pair[0])) * each)
}

#[cfg(test)]
mod tests {
    use super::{ELO_MAX, ELO_MIN, FULL, Handicap, RATINGS, TECHNIQUE_NODES, level_of};
    use crate::SearchParams;
    use crate::bench::position;
    use umbrail_chess::Position;

    fn handicap(params: &SearchParams) -> Option<Handicap> {
        Handicap::new(params, &Position::startpos())
    }

    fn at_level(level: f64) -> Handicap {
        Handicap { level, by_technique: false }
    }

    #[test]
    fn levels_and_ratings_are_one_scale() {
        let skill = |skill| handicap(&SearchParams { skill, ..SearchParams::default() });
        let elo =
            |elo| handicap(&SearchParams { limit_strength: true, elo, ..SearchParams::default() });
        assert_eq!(skill(20), None);
        assert_eq!((elo(ELO_MAX), elo(RATINGS[8] as u32)), (None, skill(16)));
        let levels: Vec<f64> = (ELO_MIN..=ELO_MAX).map(level_of).collect();
        assert!(levels.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(levels.last(), Some(&FULL));
        assert!(RATINGS[0] < f64::from(ELO_MIN) && RATINGS[10] == f64::from(ELO_MAX));
        let nodes: Vec<_> = (0..20).map(|level| skill(level).unwrap().nodes()).collect();
        assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]), "{nodes:?}");
    }

    /// Simple generator of uniform numbers.
    fn random() -> impl FnMut() -> f64 {
        let mut state = 1_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state) / f64::from(u32::MAX)
        }
    }

    #[test]
    fn weaker_levels_choose_worse_moves_more_often() {
        let mistakes = |level| {
            let (handicap, mut random) = (at_level(level), random());
            (0..1_000).filter(|_| handicap.choose(&[30, 10, -20, -90], &mut random) > 0).count()
        };
        assert!(mistakes(0.0) > mistakes(10.0) + 50 && mistakes(10.0) > mistakes(15.0));
        assert_eq!(mistakes(16.0), 0);
        let candidates = |level| at_level(level).candidates();
        assert_eq!([0.0, 8.0, 15.9, 16.0].map(candidates), [6, 4, 2, 1]);
        assert_eq!(at_level(3.0).choose(&[12], || 0.5), 0);
    }

    #[test]
    fn no_level_throws_a_piece_away_that_it_sees() {
        for level in 0..20 {
            let (handicap, mut random) = (at_level(f64::from(level)), random());
            let worst = (0..2_000).map(|_| handicap.choose(&[40, 0, -280, -900], &mut random));
            assert!(worst.max().unwrap() <= 1, "level {level}");
        }
    }

    #[test]
    fn the_mate_with_a_rook_is_known_from_level_three() {
        let new = |skill, fen: &str| {
            let params = SearchParams { skill, ..SearchParams::default() };
            Handicap::new(&params, &position(fen).unwrap()).unwrap()
        };
        let rook = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1";
        let trained = new(3, rook);
        assert_eq!((trained.nodes(), trained.candidates()), (TECHNIQUE_NODES, 1));
        assert_eq!(trained.choose(&[30, 29], || 0.9), 0);
        assert!(!new(2, rook).by_technique);
        for other in [
            "8/8/8/3k4/8/8/8/R3K3 b - - 0 1",
            "8/8/8/3k4/8/8/8/B1N1K3 w - - 0 1",
            "8/6p1/8/3k4/8/8/8/R3K3 w - - 0 1",
        ] {
            assert!(!new(10, other).by_technique, "{other}");
        }
    }
}
