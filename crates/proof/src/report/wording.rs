//! A problem in words, as a magazine states it, and what a verdict on it covers.
//!
//! Both solvers use the same words. A verdict is about the games that [`Wording::scope`] counts, and about nothing else.

use umbrail_chess::geometry::Color;

/// What is asked of a problem.
pub(crate) struct Wording<'a> {
    /// Words before the kind of the game: `series `, or nothing where the sides alternate.
    pub turns: &'static str,
    /// The stated length in moves.
    pub moves: String,
    /// Color that begins.
    pub begins: Color,
    /// The games begin with the array.
    pub from_array: bool,
    /// One side makes all moves, or all but replies to checks and a last move.
    pub series: bool,
    /// The other side replies to checks of a series.
    pub parries: bool,
    /// The other side makes the last move of a series.
    pub has_help: bool,
    /// Shorter games do not count.
    pub exact: bool,
    /// Conditions, and what the diagram leaves open.
    pub conditions: &'a [String],
    /// Number of games that the composer intended.
    pub intended: usize,
    /// Parts of the last position that are not compared, besides castling rights and en passant.
    pub open: Vec<&'static str>,
    /// How listed games are checked.
    pub checked: &'static str,
}

/// Returns the name of a side.
pub(crate) fn side(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

impl Wording<'_> {
    /// Returns the problem in words: `proof game in 7.5 moves, Circe; 2 solutions`, or `A=>B: game in 5.5 moves from
    /// position A to position B, Black begins`.
    pub(crate) fn task(&self) -> String {
        let Self { turns, moves, .. } = self;
        let (begins, other) = (side(self.begins), side(!self.begins));
        let exactly = if self.exact { "exactly " } else { "" };
        let plural = if moves == "1" { "move" } else { "moves" };
        let mut text = match self.from_array {
            true => format!("{turns}proof game in {exactly}{moves} {plural}"),
            false => format!("A=>B: {turns}game in {exactly}{moves} {plural}"),
        };
        if self.series {
            text += &format!(" of {begins}");
        }
        if !self.from_array {
            text += " from position A to position B";
        }
        if self.parries {
            text += &format!(", {other} replies to checks");
        }
        if self.has_help {
            text += &format!(", and a last move of {other}");
        }
        if !(self.series || self.from_array && self.begins.is_white()) {
            text += &format!(", {begins} begins");
        }
        for condition in self.conditions {
            text += &format!(", {condition}");
        }
        match self.intended {
            1 => text,
            intended => format!("{text}; {intended} solutions"),
        }
    }

    /// Returns which games count, what of the last position is compared, and how listed games are checked.
    pub(crate) fn scope(&self) -> String {
        let moves = &self.moves;
        let lengths = match (self.exact, self.series) {
            (true, _) => format!("games of exactly {moves} moves, shorter ones were not searched"),
            (false, true) => format!("games of {moves} moves and all shorter ones"),
            (false, false) => {
                format!(
                    "games of {moves} moves and shorter ones that end with a move of the same side"
                )
            }
        };
        let rights = ["castling rights", "en passant"];
        let mut open: Vec<&str> = rights.into_iter().chain(self.open.iter().copied()).collect();
        let last = open.pop().unwrap_or_default();
        let open = format!("{} and {last}", open.join(", "));
        let checked = self.checked;
        format!(
            "Counted: {lengths}. Not compared with the diagram: {open}. Listed games were played again by {checked}."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wording(conditions: &[String]) -> Wording<'_> {
        Wording {
            turns: "",
            moves: "7.5".to_owned(),
            begins: Color::White,
            from_array: true,
            series: false,
            parries: false,
            has_help: false,
            exact: false,
            conditions,
            intended: 1,
            open: vec![],
            checked: "the rules of chess",
        }
    }

    #[test]
    fn problems_are_stated_as_magazines_do() {
        let circe = ["Circe".to_owned(), "no checks".to_owned()];
        let plain = || wording(&[]);
        let series =
            || Wording { turns: "series ", series: true, moves: "6".to_owned(), ..plain() };
        for (wording, expected) in [
            (plain(), "proof game in 7.5 moves"),
            (
                Wording { intended: 2, ..wording(&circe) },
                "proof game in 7.5 moves, Circe, no checks; 2 solutions",
            ),
            (Wording { exact: true, ..plain() }, "proof game in exactly 7.5 moves"),
            (Wording { begins: Color::Black, ..plain() }, "proof game in 7.5 moves, Black begins"),
            (
                Wording { begins: Color::Black, from_array: false, ..plain() },
                "A=>B: game in 7.5 moves from position A to position B, Black begins",
            ),
            (series(), "series proof game in 6 moves of White"),
            (
                Wording { moves: "1".to_owned(), from_array: false, ..series() },
                "A=>B: series game in 1 move of White from position A to position B",
            ),
            (
                Wording { turns: "parry series help ", parries: true, has_help: true, ..series() },
                "parry series help proof game in 6 moves of White, Black replies to checks, and a last move of Black",
            ),
        ] {
            assert_eq!(wording.task(), expected);
        }
    }

    #[test]
    fn the_scope_names_lengths_and_what_is_not_compared() {
        let plain = || wording(&[]);
        let scope = plain().scope();
        assert!(scope.contains("of 7.5 moves and shorter ones that end with a move"), "{scope}");
        assert!(scope.contains("diagram: castling rights and en passant. Listed"), "{scope}");
        let exact = Wording { exact: true, open: vec!["boards"], ..plain() }.scope();
        assert!(exact.contains("exactly 7.5 moves, shorter ones were not searched."), "{exact}");
        assert!(exact.contains("castling rights, en passant and boards."), "{exact}");
        let series = Wording { series: true, ..plain() }.scope();
        assert!(series.contains("7.5 moves and all shorter ones."), "{series}");
    }
}
