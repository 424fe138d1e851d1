//! Standard algebraic notation: `Nf3`, `exd6`, `O-O`, `e8=Q+`.
//!
//! [`parse_san`] accepts
//! - missing or surplus `+`, `#`, `x`, `!`, `?`, `=`, `e.p.`;
//! - zeros in castling, and castling words for Chess960;
//! - more origin than needed (`Ng1f3`), `P` before pawn moves, `S` for the knight;
//! - `-` between squares (`Ng1-f3`).

use super::lan::castling_word;
use super::moves::{Move, MoveList};
use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, File, Rank, Square};

/// Reason why a text is not a legal move in the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// The text is not algebraic notation.
    #[error("expected a move such as Nf3, exd6 or O-O")]
    Syntax,
    /// No legal move fits.
    #[error("no legal move matches")]
    Illegal,
    /// Two or more legal moves fit; these are listed.
    #[error("may be {}", .0.join(" or "))]
    Ambiguous(Vec<String>),
}

/// Returns the move in standard algebraic notation, with `+` or `#`.
pub fn to_san(position: &Position, mv: Move) -> String {
    let mut text = bare_san(position, mv);
    let next = position.after(mv);
    if next.in_check() {
        text.push(if next.has_legal_move() { '+' } else { '#' });
    }
    text
}

/// Returns the notation without the sign for check or mate.
pub fn bare_san(position: &Position, mv: Move) -> String {
    let (from, to) = (mv.from(), mv.to());
    let Some(role) = position.role_at(from) else { return format!("{mv:?}") };
    if position.is_castle(mv) {
        return if to.file() > from.file() { "O-O" } else { "O-O-O" }.to_owned();
    }
    let mut text = String::with_capacity(8);
    if role == Role::Pawn {
        if position.is_capture(mv) {
            text.push((b'a' + from.file()) as char);
        }
    } else {
        text.push(role.letter());
        let (file, rank) = origin_needed(position, mv, role);
        if file {
            text.push((b'a' + from.file()) as char);
        }
        if rank {
            text.push((b'1' + from.rank()) as char);
        }
    }
    if position.is_capture(mv) {
        text.push('x');
    }
    text.push_str(&to.to_string());
    if let Some(role) = mv.promotion() {
        text.push('=');
        text.push(role.letter());
    }
    text
}

/// Returns the need for file and rank of the origin: the file first, the rank where the file is
/// ambiguous.
fn origin_needed(position: &Position, mv: Move, role: Role) -> (bool, bool) {
    let (from, to) = (mv.from(), mv.to());
    let mut rivals = Bitboard::EMPTY;
    position.targets(super::MoveKinds::All, Bitboard::of(to), |targets| {
        if targets.role == role && targets.from != from {
            rivals = rivals.with(targets.from);
        }
    });
    if rivals.is_empty() {
        (false, false)
    } else if (rivals & Bitboard::file(from.file())).is_empty() {
        (true, false)
    } else {
        ((rivals & Bitboard::rank(from.rank())).any(), true)
    }
}

/// Contents of an algebraic text, before it is matched with a position.
#[derive(Debug, PartialEq, Eq)]
struct SanParts {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

fn read(text: &str) -> Option<SanParts> {
    let mut bytes: Vec<u8> = text.bytes().filter(|b| !b"x:-=()/.".contains(b)).collect();
    let role = match bytes.first()? {
        b'S' => Some(Role::Knight),
        letter @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K') => Role::from_letter(*letter as char),
        _ => None,
    };
    if role.is_some() {
        bytes.remove(0);
    }
    let promotion = match bytes.last()? {
        b'S' => Some(Role::Knight),
        letter @ (b'N' | b'B' | b'R' | b'Q') => Role::from_letter(*letter as char),
        letter @ (b'n' | b'r' | b'q') => Role::from_letter(*letter as char),
        // A lower-case b is a file unless it follows a whole square of the last rank.
        b'b' if bytes.len() >= 3 && matches!(bytes[bytes.len() - 2], b'1' | b'8') => {
            Some(Role::Bishop)
        }
        _ => None,
    };
    if promotion.is_some() {
        bytes.pop();
    }
    let to = std::str::from_utf8(bytes.get(bytes.len().checked_sub(2)?..)?).ok()?.parse().ok()?;
    let origin = &bytes[..bytes.len() - 2];
    let (file, rank) = match origin {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    Some(SanParts { role: role.unwrap_or(Role::Pawn), file, rank, to, promotion })
}

/// Returns the legal move named by an algebraic text.
///
/// # Errors
/// [`SanError`] when the text is not notation, fits no legal move, or fits several.
pub fn parse_san(position: &Position, text: &str) -> Result<Move, SanError> {
    let trimmed = text.trim().trim_end_matches(['+', '#', '!', '?']);
    let trimmed = trimmed.trim_end_matches("e.p.").trim_end_matches("ep").trim_end();
    let mut fitting: MoveList = if let Some(kingside) = castling_word(trimmed) {
        let castles =
            |mv: &Move| position.is_castle(*mv) && (mv.to().file() > mv.from().file()) == kingside;
        position.legal_moves().into_iter().filter(castles).collect()
    } else {
        let given = read(trimmed).ok_or(SanError::Syntax)?;
        let fits = |mv: &Move| {
            !position.is_castle(*mv)
                && position.role_at(mv.from()) == Some(given.role)
                && mv.to() == given.to
                && mv.promotion() == given.promotion
                && given.file.is_none_or(|file| mv.from().file() == file)
                && given.rank.is_none_or(|rank| mv.from().rank() == rank)
        };
        position.legal_moves().into_iter().filter(fits).collect()
    };
    match fitting.len() {
        0 => Err(SanError::Illegal),
        1 => fitting.pop().ok_or(SanError::Illegal),
        _ => Err(SanError::Ambiguous(fitting.iter().map(|&mv| to_san(position, mv)).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::{SanError, parse_san, to_san};
    use crate::geometry::Setup;
    use crate::{Position, lan::parse_uci};

    fn position(fen: &str) -> Position {
        Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap()
    }

    fn spells(fen: &str, uci: &str, san: &str) {
        let position = position(fen);
        let mv = parse_uci(&position, uci).unwrap();
        assert_eq!(to_san(&position, mv), san);
        assert_eq!(parse_san(&position, san), Ok(mv));
    }

    #[test]
    fn moves_are_spelled_as_books_do() {
        spells(Setup::START_FEN, "g1f3", "Nf3");
        spells(Setup::START_FEN, "e2e4", "e4");
        spells("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O");
        spells("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1f1", "Rf1");
        spells("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+");
        spells("8/8/8/3pP3/8/8/8/K6k w - d6 0 1", "e5d6", "exd6");
        spells("6k1/8/8/8/8/8/R7/K6R w - - 0 1", "h1h2", "Rhh2");
        spells("R7/7k/8/8/8/8/8/R3K3 w - - 0 1", "a1a4", "R1a4");
        spells("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#");
        // Three knights, two on the file and two on the rank of the moving one.
        spells("7k/8/8/8/1N3N2/8/1N6/K7 w - - 0 1", "b4d3", "Nb4d3");
    }

    #[test]
    fn a_pinned_rival_needs_no_disambiguation() {
        spells("4r2k/8/8/8/8/4N3/8/2N1K3 w - - 0 1", "c1e2", "Ne2");
    }

    #[test]
    fn sloppy_spellings_are_read() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for (sloppy, exact) in [
            ("0-0", "O-O"),
            ("Sxd7", "Nxd7"),
            ("Ne5-d7", "Nxd7"),
            ("d5e6", "dxe6"),
            ("de6!?", "dxe6"),
            ("Pd5xe6", "dxe6"),
            ("Qf3xf6+", "Qxf6"),
        ] {
            let position = position(kiwipete);
            assert_eq!(parse_san(&position, sloppy), parse_san(&position, exact), "{sloppy}");
            assert!(parse_san(&position, exact).is_ok());
        }
        let promoting = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        for text in ["a8Q", "a8q", "a8=Q", "a8(Q)", "a8/Q+"] {
            assert!(parse_san(&promoting, text).is_ok(), "{text}");
        }
        assert!(parse_san(&promoting, "a8b").is_ok_and(|mv| mv.promotion().is_some()));
    }

    #[test]
    fn wrong_texts_are_refused_with_the_reason() {
        let why = |fen: &str, text: &str| parse_san(&position(fen), text).unwrap_err();
        assert_eq!(why(Setup::START_FEN, ""), SanError::Syntax);
        assert_eq!(why(Setup::START_FEN, "Zf3"), SanError::Syntax);
        assert_eq!(why(Setup::START_FEN, "Nf4"), SanError::Illegal);
        assert_eq!(why(Setup::START_FEN, "♘f3"), SanError::Syntax);
        assert_eq!(why("6k1/8/8/8/8/8/R7/K6R w - - 0 1", "Rh2").to_string(), "may be Rhh2 or Rah2");
    }
}
