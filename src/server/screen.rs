//! A screen: what a terminal shows while a command of the command line is worked on, and the keys that
//! are pressed there. Who owns the terminal is not known here.

use crate::session::snapshot::Snapshot;
use std::time::Duration;

/// A key that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The page before.
    Left,
    /// The next page.
    Right,
    /// The view before.
    Up,
    /// The next view.
    Down,
    /// `s`: drop what is being played.
    Skip,
    /// Ctrl-C.
    Stop,
    /// `q`.
    Quit,
    /// The terminal has another size, or some other key was pressed.
    Other,
}

/// What the user wants of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing that the screen cannot do alone.
    Nothing,
    /// Drop what is being played.
    Skip,
    /// Stop, and leave with what is known.
    Leave,
}

/// Takes every key that is pressed.
pub type Keys = Box<dyn Fn(Key) + Send>;

/// A terminal with pages.
pub trait Screen {
    /// Where keys go; to be said once, before anything is shown.
    fn listen(&mut self, keys: Keys);
    /// Shows this from now on.
    fn show(&mut self, snapshot: Snapshot);
    /// A key was pressed.
    fn press(&mut self, key: Key) -> Wish;
    /// Whether the screen has the terminal; nothing else may be written there then.
    fn is_open(&self) -> bool;
    /// How long it stays after all work is done.
    fn stays(&self) -> Duration;
    /// Gives the terminal back.
    fn close(&mut self);
}
