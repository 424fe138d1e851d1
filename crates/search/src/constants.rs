//! Constants of the search: margins, depths and weights, with their ranges, so that they can be
//! tuned by games.
//!
//! The defaults apply unless the option `Search Constants` (or `umbrail spsa`) sets other values.
//! They were found by matches at fixed nodes (`docs/measurements/matches.csv`, `effects.csv`).

use std::fmt;
use std::str::FromStr;

/// Description of one constant for the tuner and for users.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Name, such as `lmr_base`.
    pub name: &'static str,
    /// Effect and unit; starts with a lower-case letter, no full stop.
    pub help: &'static str,
    /// Default value.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// Returns the value.
    pub get: fn(&SearchConstants) -> i32,
    /// Sets the value; the caller keeps it within the range.
    pub set: fn(&mut SearchConstants, i32),
}

macro_rules! constants {
    ($($name:ident: $default:literal, $min:literal..=$max:literal, $help:literal;)*) => {
        /// Values of the constants in one search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct SearchConstants {
            $(#[doc = concat!($help, ".")] pub(crate) $name: i32,)*
        }

        impl SearchConstants {
            /// Default values.
            pub(crate) const DEFAULT: Self = Self { $($name: $default,)* };
        }

        /// All constants, in the order of their effect in a node.
        pub const CONSTANTS: &[Constant] = &[$(Constant {
            name: stringify!($name),
            help: $help,
            default: $default,
            min: $min,
            max: $max,
            get: |constants| constants.$name,
            set: |constants, value| constants.$name = value,
        }),*];
    };
}

constants! {
    aspiration: 12, 5..=40, "half of the first aspiration window, centipawns";
    correction_pawns: 98, 0..=256, "weight of the correction by pawn structure, 1/128";
    correction_pieces: 86, 0..=256, "weight of the correction by one side's pieces, 1/128";
    correction_moves: 35, 0..=256, "weight of the correction by the last two moves, 1/128";
    correction_rate: 80, 20..=400, "divisor of depth times error in a step of the corrections: greater learns slower";
    correction_limit: 64, 8..=120, "greatest correction that one table holds, centipawns";
    table_bonus: 63, 0..=256, "history bonus of a quiet table move that cuts without a search, 1/128 of the usual one";
    eval_bonus: 5, 0..=64, "history bonus of the last quiet move for each centipawn that it gained";
    hindsight_deeper: 3, 0..=4, "a node is searched deeper again when its move was reduced by as many plies and stands well; 0 for never";
    hindsight_margin: 0, 0..=400, "a node whose move was reduced is searched less deep when both evaluations agree by this, centipawns; 0 for never";
    reverse_depth: 8, 4..=14, "greatest depth of reverse futility pruning, plies";
    reverse_per_ply: 84, 30..=160, "margin of reverse futility pruning for each ply, centipawns";
    reverse_improving: 47, 0..=160, "what an improving side needs less of that margin, centipawns";
    razoring_base: 215, 50..=500, "razoring margin below alpha at depth 0, centipawns";
    razoring_per_ply: 192, 50..=400, "razoring margin added for each ply, centipawns";
    null_base: 4, 2..=6, "reduction of the null move, plies";
    null_depth: 3, 2..=6, "depth that adds a ply to the reduction of the null move";
    null_eval: 195, 80..=400, "evaluation above beta that adds a ply to that reduction, centipawns";
    null_margin: 15, 0..=30, "what the evaluation may lack to beta for each ply of depth, centipawns";
    probcut_margin: 177, 60..=350, "by how much probcut raises beta, centipawns";
    iir_depth: 7, 2..=8, "least depth of internal iterative reduction, plies";
    iir_shallow: 4, 0..=8, "a table entry this much less deep than the node counts as none for it, plies; 0 for never";
    late_base: 4, 1..=12, "quiet moves that are tried before others are left out, at depth 0";
    futility_base: 95, 20..=300, "futility margin of quiet moves at depth 0, centipawns";
    futility_per_ply: 94, 30..=200, "futility margin added for each ply, centipawns";
    history_pruning: 3000, 1000..=8000, "quiet moves with a history below minus this, times the depth, are pruned";
    see_quiet: 31, 5..=80, "exchange that a quiet move may lose, times the squared depth, centipawns";
    see_capture: 106, 30..=200, "exchange that a capture may lose, times the depth, centipawns";
    lmr_base: 70, 20..=150, "late-move reduction at the least, 1/100 ply";
    lmr_divisor: 243, 140..=400, "divisor of ln(depth) times ln(move number) in the late-move reduction, 1/100";
    lmr_history: 5800, 3000..=20000, "history that changes the late-move reduction by a ply";
    lmr_pv: 952, 0..=2048, "what a principal variation takes off the reduction, 1/1024 ply";
    lmr_cut: 1071, 0..=3072, "what an expected cut node adds to the reduction, 1/1024 ply";
    lmr_improving: 1047, 0..=2048, "what a side that does not improve adds, 1/1024 ply";
    lmr_check: 1153, 0..=2048, "what a check takes off, 1/1024 ply";
    lmr_capture: 997, 0..=2048, "what a capture or promotion takes off, 1/1024 ply";
    lmr_table_pv: 400, 0..=2048, "what a node that once lay on a principal variation takes off, 1/1024 ply";
    lmr_table_capture: 429, 0..=2048, "what a capture as table move adds, 1/1024 ply";
    lmr_cutoffs: 468, 0..=2048, "what many cutoffs among the replies add, 1/1024 ply";
    lmr_refutation: 0, 0..=2048, "what a killer or countermove takes off, 1/1024 ply";
    deeper_margin: 0, 0..=200, "a reduced move that beats the best by this is searched a ply deeper, centipawns; 0 for never";
    shallower_margin: 0, 0..=60, "one that beats it by less than this a ply less deep, centipawns";
    singular_depth: 6, 4..=9, "least depth of the singularity test, plies";
    singular_margin: 18, 8..=80, "how far below the table's score the others must be for each ply, 1/16 centipawn";
    double_margin: 12, 4..=60, "a singular move is extended twice when the others are worse by this more, centipawns";
    triple_margin: 92, 0..=250, "and three times when by this more, centipawns; 0 for never";
    negative_extension: 1, 1..=3, "plies taken off when the table move is not singular and reaches beta";
    bonus_square: 19, 0..=40, "history bonus for each squared ply of depth";
    bonus_linear: 84, 0..=300, "history bonus for each ply";
    bonus_max: 1450, 500..=3000, "greatest history bonus";
    prior_bonus: 86, 0..=256, "bonus of the last quiet move when all replies fail, 1/128 of the usual one";
    fourth_weight: 64, 0..=128, "weight of the continuation history four plies back, 1/64";
    check_order: 6348, 0..=16000, "what a quiet check gains in the order of moves";
    threat_order: 85, 0..=128, "what leaving or entering the attack of a lesser man counts in the order of moves, in 1/128 of 16,384 for a queen";
    quiescence_margin: 176, 60..=350, "futility margin of captures in quiescence, centipawns";
    quiescence_blend: 40, 0..=100, "share of beta in the score of a quiet position above it, per cent";
    time_moves: 25, 15..=80, "moves among which the time of a game is shared at its start";
    time_decline: 14, 0..=80, "what each ply played takes off this number, 1/100";
    time_least: 10, 4..=30, "least number of moves among which the time is shared with an increment of a hundredth of the base time";
    time_hard: 500, 150..=1000, "time at which a search stops, per cent of the time after which no iteration starts";
    time_new: 200, 100..=300, "factor of the time after an iteration with a new best move, per cent";
    time_steady_1: 145, 60..=200, "the same if it was the best of two iterations";
    time_steady_2: 110, 60..=200, "of three";
    time_steady_3: 100, 60..=200, "of four";
    time_steady_4: 82, 40..=200, "of five or more";
    time_share: 150, 100..=250, "factor of the time if the best move had no share of the nodes, per cent";
    time_share_weight: 140, 0..=200, "what a share of all nodes takes off this factor, per cent";
    time_fall: 45, 0..=300, "what a pawn lost since the last iteration adds to the time, per cent";
    time_fall_game: 80, 0..=300, "what a pawn lost since the last move adds to the time, per cent";
    time_fall_max: 60, 20..=200, "greatest fall that counts, centipawns; rises count up to a third of it";
}

impl Default for SearchConstants {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Writes the values that differ from the defaults as `name=value`, separated by commas.
impl fmt::Display for SearchConstants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = CONSTANTS.iter().filter(|it| (it.get)(self) != it.default);
        for (at, constant) in changed.enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{}={}", constant.name, (constant.get)(self))?;
        }
        Ok(())
    }
}

/// Reason why a text is not a list of search constants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstantsError {
    /// Not of the form `name=value`.
    #[error("\"{0}\" is no constant of the search: expected name=value, such as lmr_base=80")]
    NoPair(String),
    /// No constant has this name.
    #[error("no constant of the search is named \"{0}\"; `umbrail spsa --list` names them")]
    Unknown(String),
    /// The value is not an integer in the range of the constant: name, minimum, maximum, value.
    #[error("{0} is \"{3}\", expected a whole number from {1} to {2}")]
    Range(&'static str, i32, i32, String),
}

/// Parses `name=value` pairs separated by commas or spaces; other constants keep their defaults.
impl FromStr for SearchConstants {
    type Err = ConstantsError;

    fn from_str(text: &str) -> Result<Self, ConstantsError> {
        let mut constants = Self::DEFAULT;
        for pair in text.split([',', ' ']).filter(|pair| !pair.is_empty()) {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(ConstantsError::NoPair(pair.into()));
            };
            let Some(constant) = CONSTANTS.iter().find(|it| it.name == name) else {
                return Err(ConstantsError::Unknown(name.into()));
            };
            let (min, max) = (constant.min, constant.max);
            match value.parse().ok().filter(|value| (min..=max).contains(value)) {
                Some(value) => (constant.set)(&mut constants, value),
                None => return Err(ConstantsError::Range(constant.name, min, max, value.into())),
            }
        }
        Ok(constants)
    }
}

#[cfg(test)]
mod tests {
    use super::{CONSTANTS, ConstantsError, SearchConstants};

    #[test]
    fn defaults_lie_in_their_ranges_and_names_are_unique() {
        for (at, constant) in CONSTANTS.iter().enumerate() {
            let range = constant.min..=constant.max;
            assert!(range.contains(&constant.default), "{}", constant.name);
            assert!(CONSTANTS[..at].iter().all(|other| other.name != constant.name));
            assert!(constant.min < constant.max && !constant.help.ends_with('.'));
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let changed: SearchConstants = "lmr_base=90, aspiration=10".parse().unwrap();
        assert_eq!((changed.lmr_base, changed.aspiration), (90, 10));
        assert_eq!(changed.to_string(), "aspiration=10,lmr_base=90");
        assert_eq!(changed.to_string().parse(), Ok(changed));
        assert_eq!("".parse(), Ok(SearchConstants::DEFAULT));
        for constant in CONSTANTS {
            let mut one = SearchConstants::DEFAULT;
            let other = if constant.default == constant.max { constant.min } else { constant.max };
            (constant.set)(&mut one, other);
            assert_eq!(one.to_string(), format!("{}={other}", constant.name));
            assert_eq!(one.to_string().parse(), Ok(one));
        }
    }

    #[test]
    fn what_is_no_constant_is_named() {
        let read = |text: &str| text.parse::<SearchConstants>().unwrap_err();
        assert_eq!(read("lmr_base"), ConstantsError::NoPair("lmr_base".into()));
        assert_eq!(read("x=1"), ConstantsError::Unknown("x".into()));
        let range = ConstantsError::Range("lmr_base", 20, 150, "900".into());
        assert_eq!(read("lmr_base=900"), range);
        assert!(range.to_string().contains("from 20 to 150"));
    }
}
