//! The experiments, listed once: option name, help and expectation of XP1 to XP10, and the switch of each.
//!
//! Options, laboratory and tests walk over [`EXPERIMENTS`].

/// One experiment as users and the laboratory see it.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Name of the option, such as `XP3 LMRCons`.
    pub option: &'static str,
    /// Help of the option: small first letter, no full stop.
    pub help: &'static str,
    /// The result that the plan of the experiments expected.
    pub expected: &'static str,
    /// Reads the switch.
    pub get: fn(&Experiments) -> bool,
    /// Sets the switch.
    pub set: fn(&mut Experiments, bool),
}

macro_rules! experiments {
    ($($field:ident: $option:literal, $help:literal, $expected:literal;)*) => {
        /// Which experiments are on. All are off by default.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Experiments {
            $(#[doc = concat!($option, ": ", $help, ".")] pub $field: bool,)*
        }

        /// Every experiment, in the order of its number; the first one is XP1.
        pub const EXPERIMENTS: &[Experiment] = &[$(Experiment {
            option: $option,
            help: concat!("experiment: ", $help),
            expected: $expected,
            get: |experiments| experiments.$field,
            set: |experiments, on| experiments.$field = on,
        }),*];
    };
}

experiments! {
    time_clamp: "XP1 TimeClamp", "minimum think time of 30 ms, and a reserve of 80 ms on the clock",
        "+ at blitz, neutral or + at rapid";
    asp_wide: "XP2 AspWide", "aspiration windows widen in fixed steps",
        "stability, fewer searches again";
    lmr_cons: "XP3 LMRCons", "late moves are reduced less",
        "+ at both";
    nmp_soft: "XP4 NMPSoft", "null move only when clearly ahead, and not near zugzwang",
        "+ in tricky endgames, else neutral";
    lmp_futil: "XP5 LMPFutil", "late quiet moves are pruned only when exchange and history agree",
        "+ at fast, neutral at slow controls";
    order_hist: "XP6 OrderHist", "classic move ordering with one bounded history",
        "+ at both, lower variance";
    tt_policy: "XP7 TTPolicy", "table entries are replaced by depth, exactness and age",
        "+ at both";
    qs_cap: "XP8 QSCap", "capped check extension, quiet checks at the first ply of quiescence, wide delta pruning",
        "+ against tactical blow-ups at fast controls";
    eval_safe: "XP9 EvalSafe", "four evaluation terms are damped",
        "small + or neutral";
    root_bias: "XP10 RootBias", "hints of book and experience count at the root, and hardly below it",
        "+ if a bias deep in the tree hurt pruning";
}

#[cfg(test)]
mod tests {
    use super::{EXPERIMENTS, Experiments};

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
}
