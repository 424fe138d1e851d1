//! Errands of the room, run on this thread.
