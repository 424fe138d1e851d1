//! Ten policies of the search, each with a baseline and one experiment: XP1 to XP10.
//!
//! An experiment is an enum with two named arms, used in one place of the search. [`Policies`] is
//! built once per search from [`Experiments`]; the search calls the policy and never tests a
//! switch. All switches are off by default, and then the search is the baseline. `docs/xp.md`
//! documents hypotheses and results.

pub(super) mod eval_terms;
pub(super) mod futility;
pub(super) mod null_move;
pub(super) mod ordering;
pub(super) mod quiescence;
pub(super) mod reduction;
pub(super) mod replacement;
pub(super) mod root_bias;
pub(super) mod time_clamp;
pub(super) mod window;

pub(super) use eval_terms::EvalTerms;
pub(super) use futility::Futility;
pub(super) use null_move::NullMove;
pub(super) use ordering::MoveOrdering;
pub(super) use quiescence::QuiescencePolicy;
pub(super) use reduction::Reduction;
pub(super) use replacement::Replacement;
pub(super) use root_bias::RootBias;
pub(super) use time_clamp::TimeClamp;
pub(super) use window::Widening;

/// Description of one experiment for users and the laboratory.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Name of the option, such as `XP3 LMRCons`.
    pub option: &'static str,
    /// Help text of the option; starts with a lower-case letter, no full stop.
    pub help: &'static str,
    /// Result expected before the experiment.
    pub expected: &'static str,
    /// Returns the switch.
    pub get: fn(&Experiments) -> bool,
    /// Sets the switch.
    pub set: fn(&mut Experiments, bool),
}

macro_rules! experiments {
    ($($switch:ident => $policy:ident: $arms:ident::$arm:ident, $option:literal, $help:literal, $expected:literal;)*) => {
        /// Switches of the experiments, all off by default.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Experiments {
            $(#[doc = concat!($option, ": ", $help, ".")] pub $switch: bool,)*
        }

        /// All experiments, ordered by number; the first one is XP1.
        pub const EXPERIMENTS: &[Experiment] = &[$(Experiment {
            option: $option,
            help: concat!("experiment: ", $help),
            expected: $expected,
            get: |experiments| experiments.$switch,
            set: |experiments, on| experiments.$switch = on,
        }),*];

        /// Active arms during one search.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Policies {
            $(pub $policy: $arms,)*
        }

        impl From<&Experiments> for Policies {
            fn from(experiments: &Experiments) -> Self {
                Self { $($policy: if experiments.$switch { $arms::$arm } else { $arms::Base },)* }
            }
        }
    };
}

// Switch => policy and its second arm, option, help text, expected result.
experiments! {
    time_clamp => time: TimeClamp::Clamped, "XP1 TimeClamp",
        "minimum think time of 30 ms, and a reserve of 80 ms on the clock",
        "+ at blitz, neutral or + at rapid";
    asp_wide => widening: Widening::Wide, "XP2 AspWide",
        "aspiration windows widen in fixed steps",
        "stability, fewer searches again";
    lmr_cons => reduction: Reduction::Conservative, "XP3 LMRCons",
        "late moves are reduced less",
        "+ at both";
    nmp_soft => null_move: NullMove::Soft, "XP4 NMPSoft",
        "null move only when clearly ahead, and not near zugzwang",
        "+ in tricky endgames, else neutral";
    lmp_futil => futility: Futility::Agreed, "XP5 LMPFutil",
        "late quiet moves are pruned only when exchange and history agree",
        "+ at fast, neutral at slow controls";
    order_hist => ordering: MoveOrdering::Bounded, "XP6 OrderHist",
        "classic move ordering with one bounded history",
        "+ at both, lower variance";
    tt_policy => replacement: Replacement::Worth, "XP7 TTPolicy",
        "table entries are replaced by depth, exactness and age",
        "+ at both";
    qs_cap => quiescence: QuiescencePolicy::Capped, "XP8 QSCap",
        "capped check extension, quiet checks at the first ply of quiescence, wide delta pruning",
        "+ against tactical blow-ups at fast controls";
    eval_safe => terms: EvalTerms::Damped, "XP9 EvalSafe",
        "four evaluation terms are damped",
        "small + or neutral";
    root_bias => root_bias: RootBias::RootOnly, "XP10 RootBias",
        "hints of book and experience count at the root, and hardly below it",
        "+ if a bias deep in the tree hurt pruning";
}

#[cfg(test)]
mod tests {
    use super::{EXPERIMENTS, Experiments};
    use crate::bench::{DEPTH, HASH_MIB, request, signature};
    use crate::sources::book::bound;
    use crate::sources::read_at_once;
    use crate::{Engine, SearchParams, solve};
    use std::time::Instant;
    use umbrail_chess::{Position, parse_uci};
    use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

    fn nodes(depth: u32, change: impl Fn(&mut Experiments)) -> u64 {
        let mut params = SearchParams { hash_mib: HASH_MIB, ..SearchParams::default() };
        change(&mut params.experiments);
        signature(depth, &params).unwrap()
    }

    #[test]
    fn experiments_are_numbered_in_order_and_each_has_a_switch_of_its_own() {
        for (index, experiment) in EXPERIMENTS.iter().enumerate() {
            assert!(experiment.option.starts_with(&format!("XP{} ", index + 1)));
            let mut experiments = Experiments::default();
            (experiment.set)(&mut experiments, true);
            let on = EXPERIMENTS.iter().filter(|other| (other.get)(&experiments));
            assert_eq!(on.map(|other| other.option).collect::<Vec<_>>(), [experiment.option]);
        }
    }

    /// With every experiment off the search is the baseline, and each experiment changes the
    /// search. Exceptions here: XP1 affects only clocks, XP7 only full tables, XP10 only hints.
    #[test]
    fn every_experiment_has_its_own_signature() {
        let base = nodes(8, |_| {});
        let each: Vec<u64> = EXPERIMENTS
            .iter()
            .map(|experiment| nodes(8, |experiments| (experiment.set)(experiments, true)))
            .collect();
        assert_eq!((base, &each[..]), (GOLDEN.0, &GOLDEN.1[..]));
        let same = EXPERIMENTS.iter().zip(&each).filter(|(_, nodes)| **nodes == base);
        let same: Vec<&str> = same.map(|(experiment, _)| experiment.option).collect();
        assert_eq!(same, ["XP1 TimeClamp", "XP7 TTPolicy", "XP10 RootBias"]);
    }

    /// XP7 has an effect only if the table is too small for the search: greater depth.
    #[test]
    fn replacement_matters_when_the_table_is_full() {
        let both = [nodes(DEPTH, |_| {}), nodes(DEPTH, |xp| xp.tt_policy = true)];
        assert_eq!(both, GOLDEN_FULL);
        assert_ne!(both[0], both[1]);
    }

    /// XP10 affects only hints: without a book or experience the search is the baseline.
    #[test]
    fn root_bias_without_hints_is_the_baseline() {
        let start = Position::startpos();
        let play = |position: &Position, text: &str| {
            let mv = parse_uci(position, text).unwrap();
            (mv, position.after(mv))
        };
        let [(e4, open), (a4, _)] = ["e2e4", "a2a4"].map(|text| play(&start, text));
        let [(c5, sicilian), (a5, _)] = ["c7c5", "a7a5"].map(|text| play(&open, text));
        let (c3, _) = play(&sicilian, "c2c3");
        let pages =
            [(start, e4, 9), (start, a4, 6), (open, c5, 9), (open, a5, 8), (sicilian, c3, 1)];
        let path = std::env::temp_dir().join(format!("umbrail-xp10-{}", std::process::id()));
        std::fs::write(&path, bound(&pages)).unwrap();
        let nodes = |book: bool, root_bias: bool| {
            let mut params = SearchParams { hash_mib: HASH_MIB, ..SearchParams::default() };
            params.experiments.root_bias = root_bias;
            if book {
                params.book_file = path.to_string_lossy().into_owned();
            }
            let engine = Engine::new(HASH_MIB);
            assert!(engine.configure(&params, &read_at_once).is_empty());
            let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
            let pool = Pool::new(1).unwrap();
            let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
            solve(&engine, &request(start, 10), &params, &control);
            progress.nodes.get()
        };
        let [alone, alone_on] = [nodes(false, false), nodes(false, true)];
        assert_eq!(alone, alone_on);
        assert_eq!([alone, nodes(true, false), nodes(true, true)], GOLDEN_HINTS);
        std::fs::remove_file(&path).unwrap();
    }

    /// Nodes from the initial position at depth 10: without a book, with one, and with one and
    /// XP10.
    const GOLDEN_HINTS: [u64; 3] = [27_134, 17_819, 18_155];
    /// Nodes at depth 8, 1 MiB; to be updated after a functional change of the search.
    const GOLDEN: (u64, [u64; 10]) = (
        242_236,
        [242_236, 293_272, 618_395, 301_558, 288_030, 329_567, 242_236, 234_612, 203_529, 242_236],
    );
    /// Nodes at depth 12, 1 MiB: baseline and XP7.
    const GOLDEN_FULL: [u64; 2] = [2_355_566, 2_101_791];
}
