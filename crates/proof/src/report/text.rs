//! Plain text: games in short and long notation, the board, the table of a strategy.

use crate::check::verify::san_from;
use crate::problem::diagram::Diagram;
use crate::problem::piece::{PieceId, letter};
use crate::report::length;
use crate::run::Histogram;
use crate::run::record::Success;
use crate::strategy::Strategy;
use crate::strategy::notation::ShownRoute;
use crate::strategy::route::End;
use crate::strategy::waypoints::Waypoints;
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position, Role};

/// `1. e4 e5 2. Nf3`, with `S` for knights when `knights` says so.
pub fn numbered(game: &[Move], knights: char) -> String {
    numbered_from(&Position::startpos(), game, knights)
}

/// The same from any position; `1... e5 2. Nf3` if Black begins.
pub fn numbered_from(start: &Position, game: &[Move], knights: char) -> String {
    let mut text = String::new();
    let first = usize::from(!start.turn().is_white());
    for (ply, san) in (first..).zip(&san_from(start, game)) {
        match (ply % 2, ply == first) {
            (0, _) => {
                text.push_str(&format!("{}{}. ", if ply > 0 { " " } else { "" }, ply / 2 + 1));
            }
            (_, true) => text.push_str("1... "),
            (_, false) => text.push(' '),
        }
        text.push_str(&san.replace('N', &knights.to_string()));
    }
    text
}

/// `1.Pe2-e4 Ph7-h5 2.Qd1xg4`: every man with its letter, as the manual of Stelvio prints solutions.
pub fn long(game: &[Move], knights: char) -> String {
    long_from(&Position::startpos(), game, knights)
}

/// The same from any position; `1...Ph7-h5 2.Qd1xg4` if Black begins.
pub fn long_from(start: &Position, game: &[Move], knights: char) -> String {
    let mut position = *start;
    let sans = san_from(start, game);
    let mut text = String::new();
    let first = usize::from(!start.turn().is_white());
    for ((ply, &mv), san) in (first..).zip(game).zip(&sans) {
        if ply > first {
            text.push(' ');
        }
        match (ply % 2, ply == first) {
            (0, _) => text.push_str(&format!("{}.", ply / 2 + 1)),
            (_, true) => text.push_str("1..."),
            (_, false) => {}
        }
        if position.is_castle(mv) {
            text.push_str(if mv.to().file() > mv.from().file() { "0-0" } else { "0-0-0" });
        } else {
            let own = |role: Role| if role == Role::Knight { knights } else { letter(role) };
            let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
            let sign = if position.is_capture(mv) { 'x' } else { '-' };
            text.push_str(&format!("{}{}{sign}{}", own(role), mv.from(), mv.to()));
            if let Some(kind) = mv.promotion() {
                text.push_str(&format!("={}", own(kind)));
            }
            if position.is_en_passant(mv) {
                text.push_str("ep");
            }
        }
        text.extend(san.chars().filter(|sign| matches!(sign, '+' | '#')));
        position = position.after(mv);
    }
    text
}

/// The board with the men count and the length beside it.
pub fn board(diagram: &Diagram, plies: u16) -> Vec<String> {
    let [white, black] = diagram.piece_counts();
    let mut lines: Vec<String> = diagram
        .board()
        .lines()
        .map(|row| row.chars().map(String::from).collect::<Vec<_>>().join(" "))
        .collect();
    for (line, text) in [(0, format!("{white}+{black}")), (1, length(usize::from(plies)))] {
        if let Some(row) = lines.get_mut(line) {
            row.push_str(&format!("   {text}"));
        }
    }
    lines
}

/// A strategy man by man, White left and Black right, with the moves that each needs; free moves on top.
pub fn table(success: &Success) -> Vec<String> {
    let mut lines = vec![format!("{}+{} free moves", success.free[0], success.free[1])];
    let [white, black] = columns(&success.strategy, &success.needed, &success.waypoints);
    lines.extend(
        white
            .iter()
            .zip(&black)
            .map(|(white, black)| format!("{white:<36}{black}").trim_end().to_owned()),
    );
    lines
}

/// The men of a color in the order of Stelvio's lists: king, queen, rooks, bishops, knights, and
/// the pawns.
fn in_order(color: Color) -> impl Iterator<Item = PieceId> {
    let files = [4, 3, 0, 7, 2, 5, 1, 6].into_iter().chain(8..16);
    files.map(move |number| PieceId::new(16 * color as u8 + number))
}

/// The men of both colors with their paths, each behind the moves that it needs: ` 4 Ra1-d8`.
pub fn columns(strategy: &Strategy, needed: &[u8; 32], waypoints: &Waypoints) -> [Vec<String>; 2] {
    let cell = |piece: PieceId| {
        let needed = needed[piece.index()];
        let moves = if needed > 0 { needed.to_string() } else { String::new() };
        format!("{moves:>2} {}", path(piece, strategy, needed, waypoints))
    };
    Color::ALL.map(|color| in_order(color).map(cell).collect())
}

/// The man's route; `Ke1-??-e1` for one that must leave and come back to unknown squares.
fn path(piece: PieceId, strategy: &Strategy, needed: u8, waypoints: &Waypoints) -> String {
    let route = strategy.route(piece);
    let comes_back = route.milestones.is_empty() && route.last_square() == piece.origin();
    let unknown = needed > 0 && comes_back && waypoints.of(piece, 0).next().is_none();
    match route.end {
        End::Rest(square) if unknown => format!("{piece}-??-{square}"),
        End::Dead { square, captor, .. } if unknown => format!("{piece}-??-{square} ({captor})"),
        _ => ShownRoute(piece, route, waypoints).to_string(),
    }
}

/// The paths of a color's men that move, separated by commas: `Ke1-d1, Qd1-a3`.
pub fn paths(success: &Success, color: Color) -> String {
    let Success { strategy, needed, waypoints, .. } = success;
    let busy = |piece: &PieceId| {
        let route = strategy.route(*piece);
        needed[piece.index()] > 0
            || !route.milestones.is_empty()
            || route.end != End::Rest(piece.origin())
    };
    let all: Vec<String> = in_order(color)
        .filter(busy)
        .map(|piece| path(piece, strategy, needed[piece.index()], waypoints))
        .collect();
    if all.is_empty() { "-".to_owned() } else { all.join(", ") }
}

/// The moves that were taken back, from the diagram before them: `Qd8-h4`.
pub fn last_moves(diagram: &Diagram, moves: &[Move]) -> String {
    let spell = |mv: &Move| {
        let role = diagram.at(mv.from()).map_or(Role::Pawn, |piece| piece.role);
        let promotion = mv.promotion().map_or(String::new(), |kind| format!("={}", letter(kind)));
        let taken = diagram.at(mv.to());
        let own = diagram.at(mv.from()).map(|piece| piece.color);
        match taken {
            Some(taken) if Some(taken.color) == own => {
                if mv.to().file() > mv.from().file() { "0-0" } else { "0-0-0" }.to_owned()
            }
            taken => {
                let sign = if taken.is_some() { 'x' } else { '-' };
                format!("{}{}{sign}{}{promotion}", letter(role), mv.from(), mv.to())
            }
        }
    };
    moves.iter().map(spell).collect::<Vec<_>>().join(" ")
}

/// Strategies by free moves: how many were enumerated, and how many analysis left.
pub fn histogram(histogram: &Histogram) -> Vec<String> {
    let mut rows: Vec<_> = histogram.iter().collect();
    rows.sort_by_key(|&(&(white, black), _)| std::cmp::Reverse((white + black, white)));
    let mut lines = vec![format!("{:>8} {:>14} {:>14}", "free", "enumerated", "left")];
    let mut sums = (0, 0);
    for (&(white, black), &(found, kept)) in rows {
        lines.push(format!("{:>8} {found:>14} {kept:>14}", format!("{white}+{black}")));
        sums = (sums.0 + found, sums.1 + kept);
    }
    lines.push(format!("{:>8} {:>14} {:>14}", "sum", sums.0, sums.1));
    lines
}

/// Counters in Stelvio's format: `8k`, `297m`; tenths of billions with `g`.
pub fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..1_000_000_000 => format!("{}m", number / 1_000_000),
        _ => format!("{}.{}g", number / 1_000_000_000, number / 100_000_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_of;
    use umbrail_chess::geometry::Square;

    #[test]
    fn games_in_both_notations() {
        let game = game_of("e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8").unwrap();
        assert_eq!(
            numbered(&game, 'S'),
            "1. e4 d5 2. exd5 Sf6 3. Sf3 e5 4. dxe6 Bb4 5. exf7+ Kxf7 6. Be2 Rf8 7. O-O Kg8"
        );
        assert_eq!(
            long(&game, 'S'),
            "1.Pe2-e4 Pd7-d5 2.Pe4xd5 Sg8-f6 3.Sg1-f3 Pe7-e5 4.Pd5xe6ep Bf8-b4 5.Pe6xf7+ Ke8xf7 \
             6.Bf1-e2 Rh8-f8 7.0-0 Kf7-g8"
        );
    }

    #[test]
    fn a_detour_is_shown_where_it_is_known() {
        let game = game_of("Nf3 Nf6 Ng1 Ng8").unwrap();
        let strategy = crate::project(&game).unwrap();
        let piece = PieceId::starting_on(Square::G1).unwrap();
        let mut waypoints = Waypoints::default();
        assert_eq!(path(piece, &strategy, 0, &waypoints), "Sg1");
        assert_eq!(path(piece, &strategy, 2, &waypoints), "Sg1-??-g1");
        waypoints.add(piece, 0, Square::F3);
        assert_eq!(path(piece, &strategy, 2, &waypoints), "Sg1-f3-g1");
    }

    #[test]
    fn counters_are_short() {
        let reported = [0, 999, 12_345, 297_000_000, 4_400_000_000].map(short);
        assert_eq!(reported, ["0", "999", "12k", "297m", "4.4g"]);
    }

    #[test]
    fn the_board_has_pieces_and_length_beside_it() {
        let lines = board(&Diagram::initial(), 33);
        assert_eq!(lines[0], "r s b q k b s r   16+16");
        assert_eq!(lines[1], "p p p p p p p p   16.5");
        assert_eq!(lines[7], "R S B Q K B S R");
    }
}
