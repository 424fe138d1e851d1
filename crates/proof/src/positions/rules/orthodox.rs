//! Orthodox chess: the default of every hook.

use super::RuleSet;

/// The rules of orthodox chess.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Orthodox;

impl RuleSet for Orthodox {
    type Extra = ();
}
