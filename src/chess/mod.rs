//! Orthodox chess rules, as values.
