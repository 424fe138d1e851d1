//! The options of Steno-Chess.

use super::{Kind, Spec};
use umbrail_steno::Vocabulary;

/// The options, in the order in which they are offered.
pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        "Steno Text",
        Kind::Text { get: |o| &o.steno_text, set: |o, v| o.steno_text = v },
        "the steno that go solves when Solver is steno",
    ),
    Spec::new(
        "Steno Vocabulary",
        Kind::Combo {
            get: |o| o.steno_vocabulary as usize,
            set: |o, at| o.steno_vocabulary = Vocabulary::ALL.get(at).copied().unwrap_or_default(),
            names: &["classic", "extended", "pgn", "length"],
            synonyms: &[],
        },
        "vocabulary of stenos if a command has no key vocabulary",
    ),
];
