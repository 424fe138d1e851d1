//! List of games: a walk from the start along positions from which games are known.

use super::{GameCounter, SharedSearch};
use crate::positions::rules::{PositionOf, RuleSet};
use umbrail_control::Stopped;

/// Passes games of exactly `plies` moves to the listener until it returns false. The table knows
/// most numbers already; the others are counted again.
pub(crate) fn list_games<R: RuleSet>(
    shared: &SharedSearch<'_, R>,
    start: &PositionOf<R>,
    plies: u16,
    listener: &mut dyn FnMut(&[R::Move]) -> bool,
) -> Result<(), Stopped> {
    let mut walk = GameWalk { counter: GameCounter::new(shared), line: vec![], listener };
    walk.from(start, plies).map(|_| ())
}

struct GameWalk<'a, R: RuleSet> {
    counter: GameCounter<'a, R>,
    line: Vec<R::Move>,
    listener: &'a mut dyn FnMut(&[R::Move]) -> bool,
}

impl<R: RuleSet> GameWalk<'_, R> {
    /// Returns false if the listener needs no more games.
    fn from(&mut self, position: &PositionOf<R>, plies: u16) -> Result<bool, Stopped> {
        if plies == 0 {
            return Ok((self.listener)(&self.line));
        }
        if self.counter.count(position, plies)? == 0 {
            return Ok(true);
        }
        let mut continues = true;
        let shared = self.counter.shared;
        shared.expand(position, plies, |mv, next, left| {
            if continues {
                self.line.push(mv);
                continues = self.from(next, left)?;
                self.line.pop();
            }
            Ok(())
        })?;
        Ok(continues)
    }
}
