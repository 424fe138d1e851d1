//! Key of a one-sided table: its pieces by number of kind, and the lookup of tables by key.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use umbrail_control::FastMap;

/// Pieces of a one-sided table by number of kind: the attacker's and the loser's, royal first, the
/// others in the usual order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MaterialKey {
    pub(crate) attacker: Vec<usize>,
    pub(crate) loser: Vec<usize>,
}

impl MaterialKey {
    /// Returns the kind of a piece besides the royals, the attacker's first.
    pub(crate) fn piece(&self, piece: usize) -> usize {
        let split = self.attacker.len() - 1;
        if piece < split { self.attacker[piece + 1] } else { self.loser[piece - split + 1] }
    }

    /// Returns true when the piece is the attacker's.
    pub(crate) fn is_attacker(&self, piece: usize) -> bool {
        piece + 1 < self.attacker.len()
    }
}

/// Key as two possibly borrowed lists, so that a lookup allocates nothing.
pub(crate) trait KeySides {
    fn sides(&self) -> (&[usize], &[usize]);
}

impl KeySides for MaterialKey {
    fn sides(&self) -> (&[usize], &[usize]) {
        (&self.attacker, &self.loser)
    }
}

impl KeySides for (&[usize], &[usize]) {
    fn sides(&self) -> (&[usize], &[usize]) {
        *self
    }
}

impl Hash for dyn KeySides + '_ {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (attacker, loser) = self.sides();
        for &kind in attacker {
            state.write_usize(kind);
        }
        // Both sides have a royal, so this number cannot be a kind.
        state.write_usize(usize::MAX);
        for &kind in loser {
            state.write_usize(kind);
        }
    }
}

impl Hash for MaterialKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self as &dyn KeySides).hash(state);
    }
}

impl PartialEq for dyn KeySides + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.sides() == other.sides()
    }
}

impl Eq for dyn KeySides + '_ {}

impl<'a> Borrow<dyn KeySides + 'a> for MaterialKey {
    fn borrow(&self) -> &(dyn KeySides + 'a) {
        self
    }
}

/// Tables by key.
pub(crate) type KeyMap<T> = FastMap<MaterialKey, T>;
