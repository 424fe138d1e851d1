//! Themes that a proof game shows, with the pieces that show them.
//!
//! Only themes whose definition is undisputed are named, each with the strictest reading; `docs/proof.md` lists the
//! definitions.

use std::fmt;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Move, Position, Role};

/// A theme of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Name, in English.
    pub name: &'static str,
    /// The pieces that show it, such as `wPa2=N`; empty for themes of the whole game.
    pub pieces: Vec<String>,
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pieces.is_empty() {
            true => f.write_str(self.name),
            false => write!(f, "{} ({})", self.name, self.pieces.join(", ")),
        }
    }
}

/// Promotion of a pawn.
#[derive(Clone, Copy, Debug)]
struct Promotion {
    role: Role,
    /// Index of the pawn's move.
    ply: usize,
    /// The promoted piece has moved.
    has_moved: bool,
}

/// A piece in the course of a game.
#[derive(Clone, Debug)]
struct PieceCourse {
    color: Color,
    role: Role,
    /// Its squares, the first one included.
    path: Vec<Square>,
    promotion: Option<Promotion>,
    /// Index of the move that captures it.
    captured: Option<usize>,
}

impl PieceCourse {
    fn home(&self) -> Square {
        self.path[0]
    }

    fn last(&self) -> Square {
        self.path[self.path.len() - 1]
    }

    /// What it is at the end of its course.
    fn kind(&self) -> Role {
        self.promotion.map_or(self.role, |promotion| promotion.role)
    }

    fn survives(&self) -> bool {
        self.captured.is_none()
    }

    /// `wPa2=N`: its color, letter and first square, and what it becomes.
    fn name(&self) -> String {
        let color = if self.color.is_white() { 'w' } else { 'b' };
        let promoted = self.promotion.map_or(String::new(), |to| format!("={}", letter(to.role)));
        format!("{color}{}{}{promoted}", letter(self.role), self.home())
    }
}

fn letter(role: Role) -> char {
    ['P', 'N', 'B', 'R', 'Q', 'K'][role as usize]
}

/// A game with the course of each piece.
struct ThemedGame {
    courses: Vec<PieceCourse>,
    castled: Vec<(Color, bool)>,
    en_passant: Vec<usize>,
}

impl ThemedGame {
    fn new(start: &Position, game: &[Move]) -> Self {
        let mut on = [None; 64];
        let mut courses: Vec<PieceCourse> = vec![];
        for square in start.occupied().squares() {
            if let Some(piece) = start.piece_at(square) {
                on[usize::from(square.number())] = Some(courses.len());
                let path = vec![square];
                let (color, role) = (piece.color, piece.role);
                courses.push(PieceCourse { color, role, path, promotion: None, captured: None });
            }
        }
        let (mut castled, mut en_passant) = (vec![], vec![]);
        let mut position = *start;
        let at = |square: Square| usize::from(square.number());
        for (ply, &mv) in game.iter().enumerate() {
            let (from, to) = (mv.from(), mv.to());
            if position.is_castle(mv) {
                let kingside = to.file() > from.file();
                let [king_to, rook_to] = if kingside { [6, 5] } else { [2, 3] }
                    .map(|file| Square::at(file, from.rank()));
                let [king, rook] = [on[at(from)].take(), on[at(to)].take()];
                for (piece, square) in [(king, king_to), (rook, rook_to)] {
                    if let Some(piece) = piece {
                        courses[piece].path.push(square);
                        on[at(square)] = Some(piece);
                    }
                }
                castled.push((position.turn(), kingside));
                position = position.after(mv);
                continue;
            }
            let victim = match position.is_en_passant(mv) {
                true => Square::at(to.file(), from.rank()),
                false => to,
            };
            let mover = on[at(from)].take();
            if let Some(captured) = on[at(victim)].take() {
                courses[captured].captured = Some(ply);
            }
            if position.is_en_passant(mv) {
                en_passant.extend(mover);
            }
            if let Some(mover) = mover {
                let course = &mut courses[mover];
                course.path.push(to);
                if let Some(promotion) = &mut course.promotion {
                    promotion.has_moved = true;
                }
                if let Some(role) = mv.promotion() {
                    course.promotion = Some(Promotion { role, ply, has_moved: false });
                }
                on[at(to)] = Some(mover);
            }
            position = position.after(mv);
        }
        Self { courses, castled, en_passant }
    }

    fn named(&self, wanted: impl Fn(&PieceCourse) -> bool) -> Vec<String> {
        self.courses.iter().filter(|course| wanted(course)).map(PieceCourse::name).collect()
    }

    /// An original officer of this kind and color that was captured, or captured before this ply.
    fn lost(
        &self,
        like: &PieceCourse,
        before: Option<usize>,
    ) -> impl Iterator<Item = &PieceCourse> {
        let (color, kind) = (like.color, like.kind());
        self.courses.iter().filter(move |other| {
            other.promotion.is_none()
                && (other.color, other.role) == (color, kind)
                && other.captured.is_some_and(|ply| before.is_none_or(|before| ply < before))
        })
    }

    /// A promoted piece ends on the home square of an officer of its kind that was captured.
    fn is_pronkin(&self, course: &PieceCourse) -> bool {
        course.survives()
            && course.promotion.is_some()
            && self.lost(course, None).any(|other| other.home() == course.last())
    }

    /// A promoted piece replaces an officer of its kind that was captured before the promotion.
    fn is_phoenix(&self, course: &PieceCourse) -> bool {
        let Some(promotion) = course.promotion else { return false };
        course.survives()
            && !self.is_pronkin(course)
            && self.lost(course, Some(promotion.ply)).next().is_some()
    }

    /// Pairs of surviving pieces of one color that end on each other's home squares.
    fn interchanges(&self) -> Vec<String> {
        let mut found = vec![];
        for (at, one) in self.courses.iter().enumerate() {
            for other in &self.courses[at + 1..] {
                let swap = one.last() == other.home() && other.last() == one.home();
                if one.color == other.color && one.survives() && other.survives() && swap {
                    found.push(format!("{} and {}", one.name(), other.name()));
                }
            }
        }
        found
    }

    /// Sides all of whose remaining pieces stand where such a piece stands in the initial position, after at least one of
    /// them has moved.
    fn homebases(&self) -> Vec<String> {
        let array = Position::startpos();
        let is_home = |course: &PieceCourse| {
            array
                .piece_at(course.last())
                .is_some_and(|piece| (piece.color, piece.role) == (course.color, course.kind()))
        };
        let sides = Color::ALL.into_iter().filter(|&color| {
            let mut own = self.courses.iter().filter(|one| one.color == color && one.survives());
            let has_moved = own.clone().any(|course| course.path.len() > 1);
            has_moved && own.all(is_home)
        });
        sides.map(|color| if color.is_white() { "White" } else { "Black" }.to_owned()).collect()
    }
}

/// Returns true if a course ends where it began, and its way back is its way there.
fn is_switchback(course: &PieceCourse) -> bool {
    let path = &course.path;
    path.len() > 2 && path.iter().eq(path.iter().rev())
}

/// Returns true if a course ends where it began after at least three moves, and not by the way that it went.
fn is_circuit(course: &PieceCourse) -> bool {
    course.path.len() > 3 && course.home() == course.last() && !is_switchback(course)
}

/// Returns the themes of a game from a position, in the order in which they are usually listed.
pub fn themes(start: &Position, game: &[Move]) -> Vec<Theme> {
    let played = ThemedGame::new(start, game);
    let promoted_lost = |course: &PieceCourse| course.promotion.is_some() && !course.survives();
    let moved =
        |course: &PieceCourse| course.promotion.is_some_and(|promotion| promotion.has_moved);
    let is_officer = |course: &PieceCourse| course.promotion.is_none() && course.survives();
    let mut themes = vec![];
    let mut add = |name: &'static str, pieces: Vec<String>| {
        if !pieces.is_empty() {
            themes.push(Theme { name, pieces });
        }
    };
    add("Ceriani-Frolkin", played.named(|one| promoted_lost(one) && moved(one)));
    add("Schnoebelen", played.named(|one| promoted_lost(one) && !moved(one)));
    add("Pronkin", played.named(|one| played.is_pronkin(one)));
    add("Phoenix", played.named(|one| played.is_phoenix(one)));
    let castled = played.castled.iter().map(|(color, kingside)| {
        let side = if color.is_white() { "White" } else { "Black" };
        format!("{side} {}", if *kingside { "0-0" } else { "0-0-0" })
    });
    add("castling", castled.collect());
    let capturers = played.en_passant.iter().map(|&pawn| played.courses[pawn].name());
    add("en passant", capturers.collect());
    add("interchange", played.interchanges());
    add("switchback", played.named(|one| is_officer(one) && is_switchback(one)));
    add("circuit", played.named(|one| is_officer(one) && is_circuit(one)));
    add("homebase", played.homebases());
    let promotes = played.courses.iter().any(|course| course.promotion.is_some());
    if promotes && !played.castled.is_empty() && !played.en_passant.is_empty() {
        themes.push(Theme { name: "Valladao", pieces: vec![] });
    }
    themes
}

#[cfg(test)]
mod tests {
    use super::themes;
    use umbrail_chess::{Position, parse_uci};

    fn shown(fen: &str, moves: &str) -> Vec<String> {
        let start = Position::try_from(&fen.parse().unwrap()).unwrap();
        let mut position = start;
        let mut game = vec![];
        for text in moves.split(' ') {
            let mv = parse_uci(&position, text).unwrap_or_else(|_| panic!("{text}"));
            position = position.after(mv);
            game.push(mv);
        }
        themes(&start, &game).iter().map(ToString::to_string).collect()
    }

    const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn captured_promoted_pieces_are_divided_by_their_moves() {
        let start = "4k3/P7/8/8/8/8/1p6/4K2R w - - 0 1";
        let moves = "a7a8n b2b1q e1e2 b1h1";
        assert!(shown(start, moves).is_empty());
        let moves = "a7a8n b2b1q e1e2 b1h1 a8b6 h1b1 e2f3 b1b6";
        assert_eq!(shown(start, moves), ["Ceriani-Frolkin (wPa7=N)"]);
        assert_eq!(shown(start, "a7a8q e8e7 e1e2 b2b1r h1b1"), ["Schnoebelen (bPb2=R)"]);
    }

    #[test]
    fn a_replaced_officer_is_a_phoenix_at_home_a_pronkin() {
        let start = "4k3/1P6/8/8/8/8/r7/1N2K3 w - - 0 1";
        let replaced = "b1c3 a2a3 e1d1 a3c3 b7b8n e8f8";
        assert_eq!(shown(start, replaced), ["Phoenix (wPb7=N)"]);
        let home = format!("{replaced} b8c6 c3h3 c6d4 h3h8 d4f3 f8g8 f3d2 g8h7 d2b1");
        assert_eq!(shown(start, &home), ["Pronkin (wPb7=N)"]);
        let unreplaced = shown(start, "b1c3 a2a3 e1d1 a3a4 b7b8n e8f8");
        assert_eq!(unreplaced, Vec::<String>::new());
    }

    #[test]
    fn ways_home_and_changes_of_places_are_found() {
        let back = "g1f3 g8f6 f3g1 f6g8";
        assert_eq!(shown(ARRAY, back), ["switchback (wNg1, bNg8)", "homebase (White, Black)"]);
        let round = "g1f3 a7a6 f3g5 a6a5 g5h3 a5a4 h3g1";
        assert_eq!(shown(ARRAY, round), ["circuit (wNg1)", "homebase (White)"]);
        let change = "b1c3 a7a6 c3d5 b7b6 d5f4 c7c6 f4h3 d7d6 g1f3 e7e6 f3d4 f7f6 d4b5 g7g6 b5a3 h7h6 h3g1 a6a5 a3b1";
        assert_eq!(shown(ARRAY, change), ["interchange (wNb1 and wNg1)", "homebase (White)"]);
    }

    #[test]
    fn castling_en_passant_and_promotion_make_a_valladao() {
        let start = "r3k3/P7/8/4p3/8/8/3P3p/R3K3 w Qq - 0 1";
        let two = ["castling (White 0-0-0)", "en passant (bPe5)"];
        assert_eq!(shown(start, "e1c1 e5e4 d2d4 e4d3"), two);
        let three = [two[0], two[1], "Valladao"];
        assert_eq!(shown(start, "e1c1 e5e4 d2d4 e4d3 d1d2 h2h1q"), three);
    }
}
