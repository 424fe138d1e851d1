//! Options of proof games. An option of the solver is declared in the solver's table of parameters
//! with its key, values and help; [`PROOF_SPECS`] sets its place. The others are declared here.

use super::{Kind, Options, Spec};
use crate::task_error::TaskError;
use umbrail_proof::Length;
use umbrail_proof::run::{ParameterKind, Params, Words};

/// Values of the proof-game options, for all problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofOptions {
    /// Length of the games that `go` searches for when proof games are the solver, such as `23.0`.
    pub moves: String,
    /// Archive in which `go` keeps finished work; empty for none.
    pub archive: String,
    /// Parameters of the solver.
    pub params: Params,
    /// Treatment of shorter games.
    pub length: Length,
    /// Pages show the path of seekers.
    pub seek_path: bool,
    /// Server of a cluster; empty for none.
    pub cluster: String,
}

impl Default for ProofOptions {
    fn default() -> Self {
        Self {
            moves: String::new(),
            archive: String::new(),
            params: Params::default(),
            length: Length::default(),
            seek_path: true,
            cluster: String::new(),
        }
    }
}

/// Returns the index of the parameter with this option.
#[allow(clippy::panic, reason = "evaluated by the compiler: it ends the build, not the program")]
const fn place(option: &str) -> usize {
    let mut at = 0;
    while at < Params::TABLE.len() {
        if let Some(name) = Params::TABLE[at].option
            && same(name, option)
        {
            return at;
        }
        at += 1;
    }
    panic!("no parameter has this option")
}

/// Returns true if two texts are equal, also in constants.
pub const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Accessors of the parameter with the index `AT`, as an option has them.
struct Access<const AT: usize>;

impl<const AT: usize> Access<AT> {
    fn number(options: &Options) -> i64 {
        match Params::TABLE[AT].kind {
            ParameterKind::Number { get, .. } => {
                get(&options.proofs.params).try_into().unwrap_or(i64::MAX)
            }
            _ => 0,
        }
    }

    fn set_number(options: &mut Options, value: i64) {
        if let ParameterKind::Number { set, .. } = Params::TABLE[AT].kind {
            set(&mut options.proofs.params, value.unsigned_abs());
        }
    }

    fn word(options: &Options) -> usize {
        match Params::TABLE[AT].kind {
            ParameterKind::Word { get, .. } => get(&options.proofs.params),
            _ => 0,
        }
    }

    fn set_word(options: &mut Options, place: usize) {
        if let ParameterKind::Word { set, .. } = Params::TABLE[AT].kind {
            set(&mut options.proofs.params, place);
        }
    }

    /// Returns the option of the parameter.
    #[allow(
        clippy::panic,
        reason = "evaluated by the compiler: it ends the build, not the program"
    )]
    const fn spec() -> Spec {
        let parameter = &Params::TABLE[AT];
        let kind = match parameter.kind {
            ParameterKind::Number { min, max, .. } => Kind::Spin {
                get: Self::number,
                set: Self::set_number,
                min: min as i64,
                max: max as i64,
            },
            ParameterKind::Word { words, synonyms, .. } => {
                Kind::Combo { get: Self::word, set: Self::set_word, names: words, synonyms }
            }
            ParameterKind::Flag { .. } | ParameterKind::Text { .. } => {
                panic!("options of this kind do not exist")
            }
        };
        let Some(name) = parameter.option else { panic!("the parameter is not an option") };
        let (aliases, key, help) = (parameter.aliases, parameter.key, parameter.help);
        Spec { name, aliases, key, kind, help }
    }
}

/// Returns the value for a word of a problem file; Stelvio's words are accepted.
///
/// # Errors
/// Lists all words when the given one is unknown.
pub fn meaning<T: Words>(key: &str, word: &str) -> Result<T, TaskError> {
    let same = |a: &str, b: &str| super::letters(a) == super::letters(b);
    let known = |word: &str| T::WORDS.iter().position(|known| same(known, word));
    let synonym = T::SYNONYMS.iter().find(|(theirs, _)| same(theirs, word));
    let found = known(word).or_else(|| known(synonym?.1));
    let wrong = || TaskError::expects(key, T::WORDS.join(", ")).got(word);
    found.and_then(|place| T::VALUES.get(place).copied()).ok_or_else(wrong)
}

/// The options, in the order in which they are offered. The aliases are names in Stelvio's
/// `stelvioUI.ini`; those whose spelling its manual does not give are guesses.
pub const PROOF_SPECS: &[Spec] = &[
    Spec::new(
        "SPG Moves",
        Kind::Text { get: |o| &o.proofs.moves, set: |o, v| o.proofs.moves = v },
        "length of the proof game that go looks for when Solver is spg, such as 23.0",
    ),
    Spec::new(
        "SPG Archive",
        Kind::File { get: |o| &o.proofs.archive, set: |o, v| o.proofs.archive = v },
        "archive in which go, when Solver is spg, keeps finished work, and from which it continues; empty for none",
    ),
    Access::<{ place("SPG Solver") }>::spec(),
    Access::<{ place("SPG Memory") }>::spec(),
    Access::<{ place("SPG Seekers") }>::spec(),
    Access::<{ place("SPG Players") }>::spec(),
    Access::<{ place("SPG Threads Per Strategy") }>::spec(),
    Access::<{ place("SPG Sync Depth") }>::spec(),
    Access::<{ place("SPG Strategy Sync Depth") }>::spec(),
    Access::<{ place("SPG Cache Splits") }>::spec(),
    Access::<{ place("SPG Collisions") }>::spec(),
    Access::<{ place("SPG Splitter") }>::spec(),
    Access::<{ place("SPG Retraction") }>::spec(),
    Spec {
        key: Some("length"),
        ..Spec::new(
            "SPG Length",
            Kind::Combo {
                get: |o| o.proofs.length.place(),
                set: |o, v| o.proofs.length = Length::VALUES.get(v).copied().unwrap_or_default(),
                names: Length::WORDS,
                synonyms: Length::SYNONYMS,
            },
            "games that count: parity (also shorter ones of the same parity) or exact (the given length)",
        )
    },
    Spec {
        aliases: &["seekingPathInformation", "pathInformation"],
        key: Some("seek-path"),
        ..Spec::new(
            "SPG Seek Path",
            Kind::Check { get: |o| o.proofs.seek_path, set: |o, v| o.proofs.seek_path = v },
            "show the path of the seekers on the pages in the terminal",
        )
    },
    Spec {
        key: Some("cluster"),
        ..Spec::new(
            "Cluster",
            Kind::Text { get: |o| &o.proofs.cluster, set: |o, v| o.proofs.cluster = v },
            "server of workers on several machines, such as nats://HOST:4222; auto takes UMBRAIL_CLUSTER; empty for none",
        )
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_proof::Retraction;
    use umbrail_proof::run::{Collisions, TwoWaySplitting};

    #[test]
    fn words_are_understood_and_others_named() {
        assert_eq!(
            meaning::<TwoWaySplitting>("splitter", "Probe").unwrap(),
            TwoWaySplitting::Probe
        );
        let wrong = meaning::<Retraction>("retraction", "maybe").unwrap_err();
        assert_eq!(wrong.to_string(), "retraction expects check, never, always, got maybe");
        assert_eq!(meaning::<Retraction>("retraction", "in check").unwrap(), Retraction::Check);
        assert_eq!(meaning::<Retraction>("retraction", "always").unwrap(), Retraction::Always);
        assert_eq!(meaning::<Collisions>("collisions", "default").unwrap(), Collisions::ByPieces);
    }

    #[test]
    fn every_option_of_the_table_is_offered_once() {
        for parameter in Params::TABLE {
            let Some(name) = parameter.option else { continue };
            let offered = PROOF_SPECS.iter().filter(|spec| spec.name == name).count();
            assert_eq!(offered, 1, "{name}");
        }
    }

    #[test]
    fn former_names_and_those_of_stelvio_set_the_same_options() {
        for (name, value, ours) in [
            ("SPG Slaves", "3", "SPG Threads Per Strategy"),
            ("slavePlayers", "3", "SPG Threads Per Strategy"),
            ("numberOfSlavePlayers", "3", "SPG Threads Per Strategy"),
            ("SPG Slave Sync Depth", "40", "SPG Strategy Sync Depth"),
            ("slavePlayerHalfMoveSyncDepth", "40", "SPG Strategy Sync Depth"),
            ("retractionMode", "never", "SPG Retraction"),
            ("expensiveCollisionDetectionMode", "default", "SPG Collisions"),
        ] {
            let [mut old, mut new] = [Options::default(), Options::default()];
            old.set(name, Some(value)).unwrap();
            new.set(ours, Some(value)).unwrap();
            assert_eq!(old, new, "{name}");
            assert_ne!(old, Options::default(), "{name}");
        }
    }
}
