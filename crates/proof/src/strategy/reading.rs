//! Parser of strategies in the notation of [`crate::strategy::notation`].
//!
//! Pieces that are not named stay at home. A death follows from its capture; if it is also written,
//! it must agree. The additions of printed reports are accepted:
//! - squares on the path, `Bc8-b7xPe2 e4-c6`, and unknown ones, `Ke1-??-e1`, which do not affect
//!   the strategy;
//! - castling pieces named by their castling squares, `Kg1-g1-h1`;
//! - the number of moves before a piece, and `w:` and `b:` before the pieces of a side;
//! - `N` for `S`, any number of blanks and line ends, pieces in any order, with or without commas.

use crate::problem::castling::{Wing, castled_square, castling_rook};
use crate::problem::pawn::behind;
use crate::problem::piece::{PieceId, PieceMask};
use crate::strategy::Strategy;
use crate::strategy::route::{End, Milestone, Route};
use std::str::FromStr;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// Syntax error in the text of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: expected {expected}", .at + 1)]
pub struct ReadError {
    /// Byte offset in the text.
    pub at: usize,
    /// Expected input at this offset.
    pub expected: &'static str,
}

struct StrategyReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> StrategyReader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn fail<T>(&self, expected: &'static str) -> Result<T, ReadError> {
        Err(ReadError { at: self.at, expected })
    }

    fn square(&mut self) -> Result<Square, ReadError> {
        match self.rest().get(..2).and_then(|word| word.parse().ok()) {
            Some(square) => {
                self.at += 2;
                Ok(square)
            }
            None => self.fail("a square"),
        }
    }

    fn role(&mut self) -> Result<Role, ReadError> {
        let letter = self.rest().chars().next();
        let role = match letter {
            Some('S') => Some(Role::Knight),
            Some(letter) => Role::from_letter(letter),
            None => None,
        };
        match role {
            Some(role) => {
                self.at += 1;
                Ok(role)
            }
            None => self.fail("one of the letters K, Q, R, B, S, P"),
        }
    }

    /// Parses a piece by its origin, or a king or rook by its castling square, which implies
    /// castling.
    fn own_piece(&mut self) -> Result<(PieceId, Option<Wing>), ReadError> {
        let begin = self.at;
        let (role, square) = (self.role()?, self.square()?);
        self.at = begin;
        for wing in Wing::ALL {
            for color in Color::ALL {
                let pieces = [PieceId::king(color), castling_rook(color, wing)];
                let castled = |piece: &PieceId| {
                    piece.role() == role && castled_square(*piece, wing) == square
                };
                if let Some(piece) = pieces.into_iter().find(castled) {
                    self.at += 3;
                    return Ok((piece, Some(wing)));
                }
            }
        }
        self.piece().map(|piece| (piece, None))
    }

    /// Skips the additions of reports before a piece.
    fn before_piece(&mut self) {
        loop {
            self.blanks();
            let digits = self.rest().len()
                - self.rest().trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits == 0 && !self.takes("w:") && !self.takes("b:") && !self.takes(",") {
                return;
            }
            self.at += digits;
        }
    }

    fn piece(&mut self) -> Result<PieceId, ReadError> {
        let begin = self.at;
        let role = self.role()?;
        let piece = PieceId::starting_on(self.square()?);
        match piece {
            Some(piece) if piece.role() == role => Ok(piece),
            _ => {
                self.at = begin;
                self.fail("a piece by the square it starts on, such as Sb1")
            }
        }
    }

    /// Parses the part after a piece's name, and the captor, if it is written.
    fn route(
        &mut self,
        piece: PieceId,
        castled: Option<Wing>,
    ) -> Result<(Route, Option<PieceId>), ReadError> {
        let mut route = Route::to(End::Rest(piece.origin()));
        let mut at = piece.origin();
        if let Some(wing) = castled {
            at = castled_square(piece, wing);
            route.milestones.push(Milestone::Castling(wing));
        }
        let mut captor = None;
        loop {
            let milestone = if self.takes(" O-O-O") {
                Milestone::Castling(Wing::Queen)
            } else if self.takes(" O-O") {
                Milestone::Castling(Wing::King)
            } else if self.takes("x") {
                let victim = self.piece()?;
                self.blanks();
                let square = self.square()?;
                let en_passant = self.takes(" e.p.");
                Milestone::Capture { square, victim, en_passant }
            } else if self.takes("=") {
                Milestone::Promotion { square: at, kind: self.role()? }
            } else if self.takes("-??") {
                continue;
            } else if self.takes("-") {
                at = self.square()?;
                if !self.takes("=") {
                    // Squares on the path are ignored; the last one is the final square.
                    continue;
                }
                Milestone::Promotion { square: at, kind: self.role()? }
            } else {
                break;
            };
            at = match milestone {
                Milestone::Capture { square, .. } | Milestone::Promotion { square, .. } => square,
                Milestone::Castling(wing) => castled_square(piece, wing),
            };
            if route.milestones.try_push(milestone).is_err() {
                return self.fail("no more than sixteen milestones");
            }
        }
        self.blanks();
        if self.takes("(") {
            captor = Some(self.piece()?);
            if !self.takes(")") {
                return self.fail("\")\"");
            }
        }
        route.end = End::Rest(at);
        Ok((route, captor))
    }
}

impl FromStr for Strategy {
    type Err = ReadError;

    /// Parses the output of `Display`. The caller is responsible for [`Strategy::check`].
    fn from_str(text: &str) -> Result<Self, ReadError> {
        let mut routes: [Route; 32] =
            std::array::from_fn(|number| Route::to(End::Rest(PieceId::new(number as u8).origin())));
        let mut given: Vec<(PieceId, PieceId, usize)> = Vec::new();
        let mut reader = StrategyReader { text, at: 0 };
        reader.blanks();
        if reader.rest().is_empty() {
            return reader.fail("a piece by the square it starts on, such as Sb1");
        }
        let mut named = PieceMask::EMPTY;
        loop {
            reader.before_piece();
            // No piece of a side moves.
            if reader.takes("-") {
                continue;
            }
            if reader.rest().is_empty() {
                break;
            }
            let begin = reader.at;
            let (piece, castled) = reader.own_piece()?;
            if named.contains(piece) {
                reader.at = begin;
                return reader.fail("every piece once");
            }
            named = named.with(piece);
            let (route, captor) = reader.route(piece, castled)?;
            given.extend(captor.map(|captor| (piece, captor, reader.at)));
            routes[piece.index()] = route;
            // Blanks may have been consumed already in the search for a captor.
            let parted = reader.rest().starts_with(',')
                || reader.rest().starts_with(char::is_whitespace)
                || reader.text[..reader.at].ends_with(char::is_whitespace);
            if !parted && !reader.rest().is_empty() {
                return reader.fail("a comma, or one of x - = ( after a piece");
            }
        }
        for captor in PieceId::all() {
            let captures: Vec<_> = routes[captor.index()].captures().collect();
            for (index, (landing, victim, en_passant)) in captures.into_iter().enumerate() {
                let square = if en_passant { behind(captor.color(), landing) } else { landing };
                routes[victim.index()].end = End::Dead { square, captor, index: index as u8 };
            }
        }
        for (piece, captor, at) in given {
            match routes[piece.index()].end {
                End::Dead { captor: by, .. } if by == captor => {}
                _ => {
                    return Err(ReadError {
                        at,
                        expected: "a captor whose route takes this piece",
                    });
                }
            }
        }
        Ok(Self::new(routes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::{paths, table};
    use crate::run::record::{StrategyNumber, Success};
    use crate::{Waypoints, game_of, project};

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8",
            "a4 b5 axb5 a6 bxa6 c6 a7 Qc7 axb8=N Qxb8",
            "Nf3 Nf6 Ng1 Ng8",
            "h4 g5 hxg5 Nf6 g6 Nd5 g7 Nf6 gxh8=Q Ng8 Qf6",
        ] {
            let strategy = project(&game_of(text).unwrap()).unwrap();
            let written = strategy.to_string();
            assert_eq!(written.parse(), Ok(strategy), "{written}");
        }
    }

    #[test]
    fn strategies_are_read_as_reports_print_them() {
        let game = "e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 Be2 O-O exf7+ Rxf7 O-O Rf8 Kh1 Kh8";
        let strategy = project(&game_of(game).unwrap()).unwrap();
        let mut waypoints = Waypoints::default();
        waypoints.add(PieceId::new(23), 1, Square::F4);
        let needed = std::array::from_fn(|_| 1);
        let success = Success {
            number: StrategyNumber { retraction: 0, claim: 0, index: 0 },
            strategy: strategy.clone(),
            needed,
            waypoints: waypoints.clone(),
            free: [0; 2],
            games: vec![],
            complete: true,
        };
        let table = table(&success)[1..].join("\n");
        let [white, black] = Color::ALL.map(|color| paths(&success, color));
        let lines = format!("w: {white}\nb: {black}\n");
        for text in [table, lines.clone(), lines.replace('\n', " "), strategy.to_string()] {
            assert_eq!(text.parse(), Ok(strategy.clone()), "{text}");
        }
        assert!(lines.contains("Kg1-g1-h1") && lines.contains("-??-"), "{lines}");
        assert!(lines.contains("Rf8-f8-f4xPe2"), "{lines}");
        assert_eq!("w: -\nb: -".parse(), "-".parse::<Strategy>());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let reported = |text: &str| text.parse::<Strategy>().unwrap_err().to_string();
        assert_eq!(
            reported("Sb2-c3"),
            "column 1: expected a piece by the square it starts on, such as Sb1"
        );
        assert_eq!(reported("Sb1-c9"), "column 5: expected a square");
        assert_eq!(
            reported("Sb1-c3;Sg1-f3"),
            "column 7: expected a comma, or one of x - = ( after a piece"
        );
        assert_eq!(reported("Sb1-c3, Sb1-a3"), "column 9: expected every piece once");
        assert_eq!(
            reported(" "),
            "column 2: expected a piece by the square it starts on, such as Sb1"
        );
        assert_eq!(
            reported("Sb1-c3 (Pd7)"),
            "column 13: expected a captor whose route takes this piece"
        );
        assert_eq!(reported("Pa2-a8=X"), "column 8: expected one of the letters K, Q, R, B, S, P");
        assert_eq!(reported("ä"), "column 1: expected one of the letters K, Q, R, B, S, P");
    }
}
