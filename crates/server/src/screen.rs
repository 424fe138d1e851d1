//! A screen: the display of a terminal while a command of the command line runs, and the keys
//! pressed there. This module does not know the owner of the terminal.

use std::time::Duration;
use umbrail_session::snapshot::Snapshot;

/// A key with a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Previous page.
    Left,
    /// Next page.
    Right,
    /// Previous view.
    Up,
    /// Next view.
    Down,
    /// `s`: skip the current part.
    Skip,
    /// Ctrl-C.
    Stop,
    /// `q`.
    Quit,
    /// Any other key, or a change of the terminal size.
    Other,
}

/// Request of a key to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// None: the screen handles the key alone.
    Nothing,
    /// Skip the current part.
    Skip,
    /// Stop, and quit with the results so far.
    Leave,
}

/// Receiver of every key.
pub type Keys = Box<dyn Fn(Key) + Send>;

/// A terminal with pages.
pub trait Screen {
    /// Sets the receiver of keys; called once, before anything is shown.
    fn listen(&mut self, keys: Keys);
    /// Shows this snapshot from now on.
    fn show(&mut self, snapshot: Snapshot);
    /// Handles a key.
    fn press(&mut self, key: Key) -> Wish;
    /// Returns true while the screen has the terminal; no other output may go there then.
    fn is_open(&self) -> bool;
    /// Returns the time that the screen stays open after all work is done.
    fn stays(&self) -> Duration;
    /// Releases the terminal.
    fn close(&mut self);
}
