//! Keys of the game and of the searched path, for repetitions.

use umbrail_chess::Position;

/// Positions before the current one: those of the game, then those of the searched path.
pub(crate) struct SearchPath {
    /// Keys, oldest first.
    keys: Vec<u64>,
    /// Number of keys that belong to the game.
    game: usize,
}

impl SearchPath {
    /// Creates the path of the root after a game.
    pub(super) fn new(game: &[u64]) -> Self {
        Self { keys: game.to_vec(), game: game.len() }
    }

    /// Adds a position while its successors are searched.
    pub(crate) fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Removes the last position.
    pub(crate) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Returns true if the side to move can draw by returning to a position of the searched path,
    /// or to one that occurred twice in the game before it.
    pub(crate) fn can_repeat(&self, position: &Position) -> bool {
        position.may_return(&self.keys, |index| {
            index >= self.game || self.keys[..index].contains(&self.keys[index])
        })
    }

    /// Returns true if the game is drawn here: no mate possible, fifty moves, a repetition inside
    /// the searched path, or the third occurrence counting the game before it.
    pub(crate) fn is_draw(&self, position: &Position) -> bool {
        if position.is_dead() {
            return true;
        }
        let reach = usize::from(position.halfmoves()).min(self.keys.len());
        if position.halfmoves() >= 100 {
            // A mate on the last move comes first (FIDE 9.3 with 5.1.1).
            return position.has_legal_move() || !position.in_check();
        }
        let mut seen = 0;
        let end = self.keys.len();
        for back in (2..=reach).step_by(2) {
            if self.keys[end - back] == position.key() {
                seen += 1;
                if end - back >= self.game || seen == 2 {
                    return true;
                }
            }
        }
        false
    }
}
