//! Castling rules of a request: those of the program, or those that the page has chosen.

use umbrail_chess::CastlingMode;
use umbrail_session::Options;

/// Word of an address for Chess960.
const CHESS960: &str = "chess960";

/// Returns the castling rules of a request; an empty word stands for the program's option.
pub(super) fn castling(options: &Options, rules: &str) -> CastlingMode {
    match rules {
        CHESS960 => CastlingMode::Chess960,
        "standard" => CastlingMode::Standard,
        _ => CastlingMode::of(options.chess960),
    }
}

/// Returns the word of castling rules.
pub(super) fn word(mode: CastlingMode) -> &'static str {
    if mode.is_chess960() { CHESS960 } else { "standard" }
}

/// Returns the rules that the tag `Variant` of a game names; `None` for another variant.
pub(super) fn of_variant(variant: &str) -> Option<CastlingMode> {
    let plain: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.to_ascii_lowercase().as_str() {
        "chess960" | "fischerandom" | "fischerrandom" | "frc" => Some(CastlingMode::Chess960),
        "standard" | "chess" => Some(CastlingMode::Standard),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{CastlingMode, castling, of_variant, word};
    use umbrail_session::Options;

    #[test]
    fn a_request_may_choose_the_rules() {
        let mut options = Options::default();
        assert_eq!(word(castling(&options, "")), "standard");
        assert_eq!(word(castling(&options, "chess960")), "chess960");
        options.chess960 = true;
        assert_eq!(word(castling(&options, "")), "chess960");
        assert_eq!(word(castling(&options, "standard")), "standard");
    }

    #[test]
    fn games_name_their_variant() {
        assert_eq!(of_variant("Fischerandom").map(CastlingMode::is_chess960), Some(true));
        assert_eq!(of_variant("Chess 960").map(CastlingMode::is_chess960), Some(true));
        assert_eq!(of_variant("Standard").map(CastlingMode::is_chess960), Some(false));
        assert!(of_variant("Atomic").is_none());
    }
}
