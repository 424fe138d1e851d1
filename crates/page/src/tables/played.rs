//! The moves of a game against a table, which the address of the page carries.

use super::super::run_page::quoted;
use super::choice::{named, piece_on, squares};
use maud::{Markup, html};
use umbrail_chess::geometry::Setup;
use umbrail_chess::{CastlingMode, Position, parse_uci, to_san};

/// A game from the position in which it began.
#[derive(Clone, Copy)]
pub(super) struct PlayedGame<'a> {
    /// FEN of the first position; empty before the first move.
    pub(super) start: &'a str,
    /// Moves in coordinates, separated by commas.
    pub(super) moves: &'a str,
    /// True if only the program knows the pieces: other pages cannot show the game.
    pub(super) has_own_pieces: bool,
}

impl PlayedGame<'_> {
    /// Returns the words of an address for this game.
    pub(super) fn query(&self) -> String {
        match self.moves.is_empty() {
            true => String::new(),
            false => format!("&start={}&moves={}", quoted(self.start), quoted(self.moves)),
        }
    }

    /// Returns the words of an address for this game and a move in `fen`, the position on the board.
    pub(super) fn query_after(&self, name: &str, fen: &str) -> String {
        let (start, moves) = match self.moves.is_empty() {
            true => (fen, name.to_owned()),
            false => (self.start, format!("{},{name}", self.moves)),
        };
        PlayedGame { start, moves: &moves, ..*self }.query()
    }

    /// Returns the moves with their pieces, `Xa1–a2`: no notation of other programs has such pieces.
    fn long_texts(&self) -> Vec<String> {
        let mut pieces: Vec<Option<char>> =
            (0..64).map(|square| piece_on(self.start, square)).collect();
        let mut text = |name: &str| {
            let Some((from, to)) = squares(name) else { return name.to_owned() };
            let (from, to) = (usize::from(from), usize::from(to));
            let text = named(name, pieces[from], pieces[to].is_some());
            let promoted = name.get(4..).and_then(|role| role.chars().next());
            pieces[to] = promoted.or(pieces[from]);
            pieces[from] = None;
            text
        };
        self.moves.split(',').filter(|name| !name.is_empty()).map(&mut text).collect()
    }

    /// Returns the moves in standard notation, or with their pieces if these are not orthodox.
    fn texts(&self) -> Vec<String> {
        if self.has_own_pieces {
            return self.long_texts();
        }
        let start = self.start.parse::<Setup>().ok();
        let start =
            start.and_then(|setup| Position::from_setup(&setup, CastlingMode::Standard).ok());
        let mut position = start;
        let mut text = |name: &str| {
            let played = position.and_then(|here| Some((here, parse_uci(&here, name).ok()?)));
            position = played.map(|(here, mv)| here.after(mv));
            played.map_or_else(|| name.to_owned(), |(here, mv)| to_san(&here, mv))
        };
        self.moves.split(',').filter(|name| !name.is_empty()).map(&mut text).collect()
    }

    /// Writes the moves with their numbers, and a way to the page that can save the game.
    pub(super) fn list(&self) -> Markup {
        let texts = self.texts();
        let offset = usize::from(self.start.split_whitespace().nth(1) == Some("b"));
        html! {
            @if !texts.is_empty() {
                p.moves #game {
                    @for (ply, text) in texts.iter().enumerate() {
                        @let half = ply + offset;
                        @if half % 2 == 0 { (half / 2 + 1) ". " } @else if ply == 0 { "1… " }
                        (text) " "
                    }
                }
                @if !self.has_own_pieces {
                    p.hint { a href=(format!("/play?fen={}&moves={}", quoted(self.start), self.moves)) { "Open this game in Analysis" } " to step through it or to save it as PGN." }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PlayedGame;

    const START: &str = "8/8/8/3k4/8/8/8/KQ6 b - - 0 1";

    #[test]
    fn a_game_grows_and_is_listed() {
        let game = PlayedGame { start: "", moves: "", has_own_pieces: false };
        assert_eq!((game.query().as_str(), game.texts().len()), ("", 0));
        let first = game.query_after("d5e5", START);
        assert!(first.ends_with("&moves=d5e5") && first.starts_with("&start=8/8"), "{first}");
        let game = PlayedGame { start: START, moves: "d5e5,b1f5", ..game };
        assert_eq!(game.texts(), ["Ke5", "Qf5+"]);
        let text = game.list().into_string();
        assert!(text.contains("1… Ke5 2. Qf5+") && text.contains("/play?fen="), "{text}");
        assert!(game.query_after("e5f5", "unused").ends_with("d5e5%2Cb1f5%2Ce5f5"));
    }

    #[test]
    fn moves_of_other_pieces_have_their_letters() {
        let game = PlayedGame { start: START, moves: "d5e5,b1e4,e5e4", has_own_pieces: true };
        assert_eq!(game.texts(), ["Kd5–e5", "Qb1–e4", "Ke5×e4"]);
        assert!(!game.list().into_string().contains("/play?"));
        // A move that cannot be played ends the notation, not the list.
        let game = PlayedGame { start: START, moves: "a1a2,d5e5", has_own_pieces: false };
        assert_eq!(game.texts(), ["a1a2", "d5e5"]);
    }
}
