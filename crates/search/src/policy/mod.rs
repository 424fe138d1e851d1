//! Ten choices the search makes, each with a baseline and one experiment: XP1 to XP10.
//!
//! An experiment is an enum with two named arms that the search asks in one place. [`Policies`] is made once per search from
//! [`Experiments`]; the search asks the policy and never sees a switch. All switches are off by
//! default, and then the search is the baseline. `docs/xp.md` tells each hypothesis and its result.

pub(super) mod eval_terms;
mod experiments;
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
pub use experiments::{EXPERIMENTS, Experiment, Experiments};
pub(super) use futility::Futility;
pub(super) use null_move::NullMove;
pub(super) use ordering::MoveOrdering;
pub(super) use quiescence::QuiescencePolicy;
pub(super) use reduction::Reduction;
pub(super) use replacement::Replacement;
pub(super) use root_bias::RootBias;
pub(super) use time_clamp::TimeClamp;
pub(super) use window::Widening;

/// The arms in force during one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policies {
    pub time: TimeClamp,
    pub widening: Widening,
    pub reduction: Reduction,
    pub null_move: NullMove,
    pub futility: Futility,
    pub ordering: MoveOrdering,
    pub replacement: Replacement,
    pub quiescence: QuiescencePolicy,
    pub terms: EvalTerms,
    pub root_bias: RootBias,
}

/// Picks the second arm when the switch is on.
fn arm<T>(on: bool, base: T, experiment: T) -> T {
    if on { experiment } else { base }
}

impl From<&Experiments> for Policies {
    fn from(xp: &Experiments) -> Self {
        Self {
            time: arm(xp.time_clamp, TimeClamp::Base, TimeClamp::Clamped),
            widening: arm(xp.asp_wide, Widening::Base, Widening::Wide),
            reduction: arm(xp.lmr_cons, Reduction::Base, Reduction::Conservative),
            null_move: arm(xp.nmp_soft, NullMove::Base, NullMove::Soft),
            futility: arm(xp.lmp_futil, Futility::Base, Futility::Agreed),
            ordering: arm(xp.order_hist, MoveOrdering::Base, MoveOrdering::Bounded),
            replacement: arm(xp.tt_policy, Replacement::Base, Replacement::Worth),
            quiescence: arm(xp.qs_cap, QuiescencePolicy::Base, QuiescencePolicy::Capped),
            terms: arm(xp.eval_safe, EvalTerms::Base, EvalTerms::Damped),
            root_bias: arm(xp.root_bias, RootBias::Base, RootBias::RootOnly),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Experiments;
    use crate::bench::{DEPTH, HASH_MIB, request, signature};
    use crate::sources::book::bound;
    use crate::{Engine, SearchParams, solve};
    use std::time::Instant;
    use umbrail_chess::{Position, parse_uci};
    use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

    fn nodes(depth: u32, change: impl Fn(&mut Experiments)) -> u64 {
        let mut params = SearchParams { hash_mib: HASH_MIB, ..SearchParams::default() };
        change(&mut params.experiments);
        signature(depth, &params).unwrap()
    }

    /// With every experiment off the search is the baseline, and each experiment is a search of its
    /// own. XP1 acts on clocks only.
    #[test]
    fn every_experiment_has_its_own_signature() {
        let base = nodes(8, |_| {});
        assert_eq!(nodes(8, |xp| xp.time_clamp = true), base);
        let each = [
            nodes(8, |xp| xp.asp_wide = true),
            nodes(8, |xp| xp.lmr_cons = true),
            nodes(8, |xp| xp.nmp_soft = true),
            nodes(8, |xp| xp.lmp_futil = true),
            nodes(8, |xp| xp.order_hist = true),
            nodes(8, |xp| xp.qs_cap = true),
            nodes(8, |xp| xp.eval_safe = true),
        ];
        assert_eq!((base, each), GOLDEN);
        assert!(!each.contains(&base));
    }

    /// XP7 shows only when the table is too small for the search: deeper.
    #[test]
    fn replacement_matters_when_the_table_is_full() {
        let both = [nodes(DEPTH, |_| {}), nodes(DEPTH, |xp| xp.tt_policy = true)];
        assert_eq!(both, GOLDEN_FULL);
        assert_ne!(both[0], both[1]);
    }

    /// XP10 acts on hints only: without a book or experience it is the baseline.
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
            assert!(engine.configure(&params).is_empty());
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

    /// From the game array, depth 10: without a book, with one, and with one and XP10.
    const GOLDEN_HINTS: [u64; 3] = [19_222, 12_143, 17_549];
    /// Depth 8, 1 MiB; a functional change of the search writes them anew.
    const GOLDEN: (u64, [u64; 7]) =
        (185_841, [214_966, 451_958, 219_430, 374_132, 224_484, 210_043, 194_650]);
    /// Depth 12, 1 MiB: baseline and XP7.
    const GOLDEN_FULL: [u64; 2] = [1_885_226, 1_737_759];
}
