//! Endgame tables.
