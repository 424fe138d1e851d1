//! Legality of many positions: random games, and positions that a rule of construction makes illegal, by argument.

use super::{Legality, examine};
use std::time::{Duration, Instant};
use umbrail_chess::geometry::{Color, Setup, Square};
use umbrail_chess::{CastlingMode, Position, Role, SplitMix64};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

fn examined(setup: &Setup, limit: Duration) -> Legality {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    clock.limit(limit);
    let pool = Pool::new(1).unwrap();
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|()| {});
    examine(setup, &control).0
}

/// The position after some random moves that fit.
fn random_game(
    random: &mut SplitMix64,
    plies: u64,
    fits: fn(&Position, umbrail_chess::Move) -> bool,
) -> Position {
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let moves: Vec<_> = moves.iter().copied().filter(|&mv| fits(&position, mv)).collect();
        if moves.is_empty() {
            break;
        }
        position = position.after(moves[random.below(moves.len() as u64) as usize]);
    }
    position
}

#[test]
fn positions_of_random_games_are_never_illegal() {
    let mut random = SplitMix64::new(11);
    for round in 0..30 {
        let plies = 10 + random.below(111);
        let setup = random_game(&mut random, plies, |_, _| true).to_setup();
        // The time decides how many are found to be legal, and never that one is illegal.
        match examined(&setup, Duration::from_millis(200)) {
            Legality::Illegal(arguments) => panic!("{round} {setup}: {arguments:?}"),
            Legality::Legal(_) | Legality::Undecided { .. } => {}
        }
    }
}

fn empty_square(random: &mut SplitMix64, setup: &Setup, ranks: std::ops::Range<u8>) -> Square {
    loop {
        let rank = ranks.start + random.below(u64::from(ranks.end - ranks.start)) as u8;
        let square = Square::at(random.below(8) as u8, rank);
        if setup.piece(square).is_none() {
            return square;
        }
    }
}

/// True if the position is one of chess, without a check.
fn is_quiet(setup: &Setup) -> bool {
    Position::from_setup(setup, CastlingMode::Standard).is_ok_and(|one| !one.in_check())
}

/// Puts both kings so that none is in check.
fn with_kings(random: &mut SplitMix64, men: &Setup) -> Setup {
    loop {
        let mut setup = men.clone();
        for color in Color::ALL {
            let square = empty_square(random, &setup, 0..8);
            setup.put(square, color, 'K');
        }
        if is_quiet(&setup) {
            return setup;
        }
    }
}

/// The array with pawns of a side advanced on some files.
fn advanced(random: &mut SplitMix64, color: Color) -> Setup {
    let mut setup: Setup = Setup::START_FEN.parse().unwrap();
    for file in 0..8 {
        let steps = random.below(3) as i32;
        let (home, ahead) = if color.is_white() { (1, 1) } else { (6, -1) };
        if steps > 0 {
            let from = Square::at(file, home);
            setup.clear(from);
            setup.put(from.offset(0, ahead * steps).unwrap(), color, 'P');
        }
    }
    setup
}

fn turned(mut setup: Setup, turn: Color, castling: &str) -> Setup {
    (setup.turn, setup.castling, setup.fields) = (turn, castling.to_owned(), 6);
    setup.en_passant = None;
    setup
}

/// Mirrors a position of all but castling rights, which are all or none.
fn flipped(setup: &Setup) -> Setup {
    let mut other = turned(Setup::default(), !setup.turn, &setup.castling);
    for (square, color, letter) in setup.pieces() {
        other.put(square.flip_rank(), !color, letter);
    }
    other
}

/// One more man than a side has.
fn counting(random: &mut SplitMix64) -> Setup {
    let mut setup = random_game(random, 40, |_, _| true).to_setup();
    while setup.pieces().filter(|(_, color, _)| color.is_white()).count() < 17 {
        let square = empty_square(random, &setup, 1..7);
        setup.put(square, Color::White, ['N', 'B', 'R', 'Q'][random.below(4) as usize]);
    }
    setup
}

/// A right to castle without the rook.
fn castling(random: &mut SplitMix64) -> Setup {
    let plies = random.below(60);
    let mut setup = random_game(random, plies, |_, _| true).to_setup();
    setup.clear(Square::H1);
    turned(setup.clone(), setup.turn, "K")
}

/// An en passant square without a pawn before it.
fn en_passant(random: &mut SplitMix64) -> Setup {
    loop {
        let plies = random.below(60);
        let mut setup = random_game(random, plies, |_, _| true).to_setup();
        let (rank, ahead) = if setup.turn.is_white() { (5, -1) } else { (2, 1) };
        let square = Square::at(random.below(8) as u8, rank);
        let before = square.offset(0, ahead).and_then(|one| setup.piece(one));
        if before != Some((!setup.turn, 'P')) {
            setup.en_passant = Some(square);
            setup.fields = 6;
            return setup;
        }
    }
}

/// Knights and rooks have moved, and the wrong side is to move.
fn parity(random: &mut SplitMix64) -> Setup {
    loop {
        let plies = 1 + random.below(40);
        let position = random_game(random, plies, |position, mv| {
            let us = position.turn();
            let movers = position.pieces(us, Role::Knight) | position.pieces(us, Role::Rook);
            let is_capture = position.by_color(!us).contains(mv.to());
            movers.contains(mv.from()) && !is_capture && !position.is_castle(mv)
        });
        let setup = turned(position.to_setup(), !position.turn(), "-");
        if !position.in_check() && is_quiet(&setup) {
            return setup;
        }
    }
}

/// The side that has just moved is in check.
fn left_in_check(random: &mut SplitMix64) -> Setup {
    loop {
        let plies = random.below(80);
        let position = random_game(random, plies, |_, _| true);
        if position.in_check() {
            return turned(position.to_setup(), !position.turn(), "-");
        }
    }
}

/// Two knights give check at once.
fn check(random: &mut SplitMix64) -> Setup {
    let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    loop {
        let mut setup = turned(Setup::default(), Color::Black, "-");
        let king = Square::new(random.below(64) as u8);
        setup.put(king, Color::Black, 'K');
        let near: Vec<Square> =
            jumps.iter().filter_map(|&(files, ranks)| king.offset(files, ranks)).collect();
        if near.len() < 3 {
            continue;
        }
        let first = random.below(near.len() as u64) as usize;
        let second = (first + 1 + random.below(near.len() as u64 - 1) as usize) % near.len();
        setup.put(near[first], Color::White, 'N');
        setup.put(near[second], Color::White, 'N');
        let square = empty_square(random, &setup, 0..8);
        setup.put(square, Color::White, 'K');
        if Position::from_setup(&setup, CastlingMode::Standard).is_ok() {
            return setup;
        }
    }
}

/// Nothing of the side that has just moved can have moved: its knights are gone, and its pawns are at home.
fn no_last_move(random: &mut SplitMix64) -> Setup {
    loop {
        let mut setup = advanced(random, Color::White);
        for square in [Square::B8, Square::G8, Square::B1, Square::G1] {
            setup.clear(square);
        }
        for _ in 0..random.below(3) {
            let square = empty_square(random, &setup, 2..6);
            setup.put(square, Color::White, 'N');
        }
        let setup = turned(setup, Color::White, "KQkq");
        if is_quiet(&setup) {
            return if random.below(2) == 0 { setup } else { flipped(&setup) };
        }
    }
}

/// The only last move is that of a pawn, before which the other side has none. Pawns of these files let nothing out
/// but a rook, which never moved.
fn exhausted(random: &mut SplitMix64) -> Setup {
    let mut setup: Setup = Setup::START_FEN.parse().unwrap();
    for square in [Square::B8, Square::G8, Square::B1, Square::G1] {
        setup.clear(square);
    }
    let file = [0, 5, 7][random.below(3) as usize];
    setup.clear(Square::at(file, 1));
    // On the fourth rank it may have captured both knights.
    setup.put(Square::at(file, 2), Color::White, 'P');
    let setup = turned(setup, Color::Black, "KQkq");
    if random.below(2) == 0 { setup } else { flipped(&setup) }
}

/// A bishop in a corner behind a pawn that never moved.
fn no_way(random: &mut SplitMix64) -> Setup {
    let mut setup = turned(Setup::default(), Color::White, "-");
    let (corner, pawn) =
        [(Square::A1, Square::B2), (Square::H1, Square::G2)][random.below(2) as usize];
    setup.put(corner, Color::White, 'B');
    setup.put(pawn, Color::White, 'P');
    for letter in ['R', 'N', 'Q'].into_iter().take(random.below(4) as usize) {
        let square = empty_square(random, &setup, 0..8);
        setup.put(square, Color::Black, letter);
    }
    let setup = with_kings(random, &setup);
    if random.below(2) == 0 { setup } else { flipped(&setup) }
}

/// Four pawns on three neighboring files, whose home squares three of them still hold.
fn pawn_origins(random: &mut SplitMix64) -> Setup {
    let mut setup = turned(Setup::default(), Color::White, "-");
    let middle = 1 + random.below(6) as u8;
    for file in middle - 1..=middle + 1 {
        setup.put(Square::at(file, 1), Color::White, 'P');
    }
    setup.put(Square::at(middle, 2), Color::White, 'P');
    for letter in ['R', 'N', 'Q', 'B'].into_iter().take(random.below(5) as usize) {
        let square = empty_square(random, &setup, 3..8);
        setup.put(square, Color::Black, letter);
    }
    let setup = with_kings(random, &setup);
    if random.below(2) == 0 { setup } else { flipped(&setup) }
}

/// A doubled pawn, though the other side has all its men.
fn pawn_captures(random: &mut SplitMix64) -> Setup {
    loop {
        let mut setup = advanced(random, Color::Black);
        let file = random.below(8) as i32;
        let other = if file == 7 || file > 0 && random.below(2) == 0 { file - 1 } else { file + 1 };
        setup.clear(Square::at(file as u8, 1));
        setup.put(Square::at(other as u8, 2), Color::White, 'P');
        let setup = turned(setup, Color::Black, "-");
        if is_quiet(&setup) {
            return if random.below(2) == 0 { setup } else { flipped(&setup) };
        }
    }
}

/// A bishop on the way, though its pawns have never let it out, and no pawn has been promoted.
fn promotions(random: &mut SplitMix64) -> Setup {
    loop {
        let mut setup = advanced(random, Color::Black);
        let home = [Square::C1, Square::F1][random.below(2) as usize];
        setup.clear(home);
        let square = empty_square(random, &setup, 2..6);
        if square.is_light() != home.is_light() {
            continue;
        }
        setup.put(square, Color::White, 'B');
        let setup = turned(setup, Color::White, "-");
        if is_quiet(&setup) {
            return if random.below(2) == 0 { setup } else { flipped(&setup) };
        }
    }
}

/// A construction, and the names of the arguments that it calls for.
type Construction = (&'static str, fn(&mut SplitMix64) -> Setup);

const KINDS: [Construction; 12] = [
    ("Counting", counting),
    ("Castling", castling),
    ("EnPassant", en_passant),
    ("Parity", parity),
    ("Counting(LeftInCheck", left_in_check),
    ("Check", check),
    ("NoLastMove", no_last_move),
    ("Exhausted", exhausted),
    ("NoWay", no_way),
    ("PawnOrigins", pawn_origins),
    ("PawnCaptures", pawn_captures),
    // Where black's pawns stand in the way of a promoted bishop, too, there is none at all.
    ("Promotions|NoWay", promotions),
];

#[test]
fn three_hundred_illegal_positions_are_refuted_by_their_arguments() {
    let mut random = SplitMix64::new(5);
    for (name, construct) in KINDS {
        for _ in 0..25 {
            let setup = construct(&mut random);
            match examined(&setup, Duration::from_secs(20)) {
                Legality::Illegal(arguments) => {
                    let has = |one: &super::Argument| {
                        let text = format!("{one:?}");
                        name.split('|').any(|name| text.starts_with(name))
                    };
                    assert!(arguments.iter().any(has), "{name} {setup}: {arguments:?}");
                }
                other => panic!("{name} {setup}: {other:?}"),
            }
        }
    }
}
