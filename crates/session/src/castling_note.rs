//! Note about castling rights that standard chess does not allow.

use umbrail_chess::DroppedCastling;

/// Reports dropped castling rights to a user who selects Chess960 by the option `UCI_Chess960`.
pub fn castling_note(dropped: DroppedCastling) -> String {
    format!("{dropped} (for Chess960 set UCI_Chess960 to true)")
}
