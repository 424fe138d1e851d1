//! Endgame knowledge: advantages that do not win, and mates against a bare king.

use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role};

/// Scale of an ordinary endgame.
pub(super) const FULL: i32 = 64;

/// Returns the share of an endgame advantage that counts, 0 to [`FULL`]. `end` is the advantage
/// from White's view.
pub(super) fn scale(position: &Position, end: i32) -> i32 {
    let strong = if end >= 0 { Color::White } else { Color::Black };
    let count = |color: Color, role: Role| position.pieces(color, role).len() as i32;
    let pieces = |color: Color| {
        3 * (count(color, Role::Knight) + count(color, Role::Bishop))
            + 5 * count(color, Role::Rook)
            + 9 * count(color, Role::Queen)
    };
    let pawns = count(strong, Role::Pawn);
    if pawns == 0 {
        let ahead = pieces(strong) - pieces(!strong);
        let only_knights = pieces(strong) == 3 * count(strong, Role::Knight);
        // One minor piece more is not enough, and neither are two knights.
        if pieces(strong) <= 3 || (only_knights && count(strong, Role::Knight) == 2) {
            return 0;
        }
        if ahead <= 3 {
            return 8;
        }
    }
    if is_wrong_bishop(position, strong) {
        return 0;
    }
    let bishops = position.by_role(Role::Bishop);
    let opposite = count(Color::White, Role::Bishop) == 1
        && count(Color::Black, Role::Bishop) == 1
        && (bishops & Bitboard::LIGHT).len() == 1;
    if opposite {
        let others = position.by_role(Role::Knight) | position.by_role(Role::Rook);
        let bare = (others | position.by_role(Role::Queen)).is_empty();
        return if bare { 26 + pawns.min(4) * 2 } else { 50 };
    }
    FULL.min(44 + 5 * pawns + if pawns == 0 { 20 } else { 0 })
}

/// Returns true if the side has only rook pawns on one file and a bishop that does not control
/// their promotion square, with the defending king there.
fn is_wrong_bishop(position: &Position, strong: Color) -> bool {
    let pawns = position.pieces(strong, Role::Pawn);
    let pieces = position.by_color(strong);
    let bishops = position.pieces(strong, Role::Bishop);
    if pawns.is_empty() || (pieces - pawns - bishops).len() != 1 || bishops.len() > 1 {
        return false;
    }
    let file = if pawns.is_subset(Bitboard::file(0)) {
        0
    } else if pawns.is_subset(Bitboard::file(7)) {
        7
    } else {
        return false;
    };
    let corner = Square::at(file, if strong.is_white() { 7 } else { 0 });
    let helps = bishops.squares().any(|bishop| bishop.is_light() == corner.is_light());
    !helps && position.king(!strong).distance(corner) <= 1
}

/// Returns the side that faces a bare king with a major piece or two minor ones, with or without
/// pawns.
pub(super) fn mating_side(position: &Position) -> Option<Color> {
    let majors = position.by_role(Role::Queen) | position.by_role(Role::Rook);
    let minors = position.by_role(Role::Bishop) | position.by_role(Role::Knight);
    Color::ALL.into_iter().find(|&color| {
        let own = position.by_color(color);
        let bare = position.by_color(!color).len() == 1;
        bare && ((own & majors).any() || (own & minors).more_than_one())
    })
}

/// Bonus against a bare king, from White's view: for driving it to the edge (to the right corner
/// with bishop and knight), and for a small distance between the kings. Zero if the stronger side
/// has pawns.
pub fn drive(position: &Position) -> i32 {
    let Some(color) = mating_side(position) else { return 0 };
    if position.pieces(color, Role::Pawn).any() {
        return 0;
    }
    let (king, prey) = (position.king(color), position.king(!color));
    let off_center = |x: u8| if x < 4 { 3 - i32::from(x) } else { i32::from(x) - 4 };
    let mut edge = 10 * (off_center(prey.file()) + off_center(prey.rank()));
    let majors = position.by_role(Role::Queen) | position.by_role(Role::Rook);
    let bishops = position.pieces(color, Role::Bishop);
    let mates_in_one_corner = majors.is_empty() && bishops.len() == 1;
    if mates_in_one_corner {
        let light = (bishops & Bitboard::LIGHT).any();
        let corners = if light { [Square::H1, Square::A8] } else { [Square::A1, Square::H8] };
        let steps = corners.iter().map(|&corner| {
            i32::from(prey.file().abs_diff(corner.file()) + prey.rank().abs_diff(corner.rank()))
        });
        edge += 20 * (14 - steps.min().unwrap_or(14));
    }
    let drive = edge + 6 * (7 - i32::from(king.distance(prey)));
    if color.is_white() { drive } else { -drive }
}
