//! Conditions on the game and open targets, against all games of the rules of chess alone; every bound off against on.

use super::admissible::sets;
use super::{Way, count};
use crate::positions::fairy_problem::PreparedProblem;
use crate::positions::{
    ConditionName, FairyProblem, FairyStart, PieceName, Turns, castling_of, men_of,
};
use crate::problem::Length;
use crate::problem::diagram::Diagram;
use umbrail_chess::geometry::{Bitboard, Setup, Square};
use umbrail_chess::{CastlingMode, Move, Piece, Position, Role, SplitMix64};

/// Castlings, captures by pawns and pieces, en passant, promotion and checks within three plies.
const STARTS: [&str; 3] = [
    "r3k2r/3p4/8/8/4P3/8/8/R3K2R w KQkq - 0 1",
    "4k2r/P7/8/2pP4/8/8/6p1/R3K3 w Qk c6 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

const PLIES: u16 = 3;

fn position(fen: &str) -> Position {
    Position::from_setup(&fen.parse().unwrap(), CastlingMode::Standard).unwrap()
}

/// A game: each move with the position before it.
type Line = [(Position, Move)];

/// Receives a game and its end.
type Visitor<'a> = dyn FnMut(&Line, &Position) + 'a;

/// Passes every game of `plies` moves to the visitor, with its positions.
fn all_games(line: &mut Vec<(Position, Move)>, now: Position, plies: u16, visit: &mut Visitor<'_>) {
    if plies == 0 {
        return visit(line, &now);
    }
    for mv in now.legal_moves() {
        line.push((now, mv));
        all_games(line, now.after(mv), plies - 1, visit);
        line.pop();
    }
}

fn problem(start: &str, target: &Diagram, conditions: &[&str]) -> FairyProblem {
    let setup: Setup = start.parse().unwrap();
    FairyProblem {
        start: FairyStart {
            men: Some(men_of(&setup, &[], Bitboard::EMPTY).unwrap()),
            turn: setup.turn,
            castling: castling_of(&setup.castling),
            en_passant: setup.en_passant,
        },
        target: men_of(&target.to_string().parse().unwrap(), &[], Bitboard::EMPTY).unwrap(),
        states_boards: false,
        imitator_end: None,
        plies: PLIES,
        length: Length::Exact,
        turns: Turns::Alternating,
        conditions: conditions.iter().map(|name| ConditionName::read(name).unwrap()).collect(),
        pieces: vec![],
        letters: vec![],
        uncolored: false,
        added: vec![],
    }
}

/// Counts with all bounds, and with each of them off.
fn counted(problem: &FairyProblem, with_sets: bool) -> u128 {
    let PreparedProblem { rules, start, target, .. } = problem.prepare().unwrap();
    let size = (problem.plies, problem.turns);
    let found = count(&rules, start, target.clone(), size, Way::default(), 0).0;
    for set in sets().into_iter().filter(|_| with_sets) {
        let way = Way { set, ..Way::default() };
        assert_eq!(count(&rules, start, target.clone(), size, way, 0).0, found, "{set:?}");
    }
    found
}

type Rule = fn(&Line, &Position) -> bool;

fn is_capture(before: &Position, mv: Move) -> bool {
    let count = |position: &Position| position.by_color(!before.turn()).len();
    count(&before.after(mv)) < count(before)
}

fn castles(line: &[(Position, Move)], white: bool, wing: Option<bool>) -> bool {
    line.iter().any(|&(before, mv)| {
        before.turn().is_white() == white
            && before.is_castle(mv)
            && wing.is_none_or(|kingside| (mv.to().file() > mv.from().file()) == kingside)
    })
}

/// True unless the piece that stands on a square at the start moves.
fn stays(line: &[(Position, Move)], square: Square) -> bool {
    for &(before, mv) in line {
        // A castling is written as the king's way to the rook.
        if mv.from() == square || before.is_castle(mv) && mv.to() == square {
            return false;
        }
        if mv.to() == square {
            return true;
        }
    }
    true
}

const RULES: [(&str, Rule); 10] = [
    ("no checks", |line, end| {
        !end.in_check() && line[1..].iter().all(|(before, _)| !before.in_check())
    }),
    ("no white checks", |line, end| {
        let black = |position: &Position| !position.turn().is_white() && position.in_check();
        !black(end) && line[1..].iter().all(|(before, _)| !black(before))
    }),
    ("only pawns capture", |line, _| {
        line.iter().all(|&(before, mv)| {
            let pawns = before.pieces(before.turn(), Role::Pawn);
            !is_capture(&before, mv) || pawns.contains(mv.from())
        })
    }),
    ("White castles", |line, _| castles(line, true, None)),
    ("White castles kingside", |line, _| castles(line, true, Some(true))),
    ("White castles queenside", |line, _| castles(line, true, Some(false))),
    ("Black castles", |line, _| castles(line, false, None)),
    ("never moves a1", |line, _| stays(line, Square::A1)),
    ("never moves h8 e1", |line, _| stays(line, Square::H8) && stays(line, Square::E1)),
    ("last move h1", |line, _| {
        let (before, mv) = line[line.len() - 1];
        !before.is_castle(mv) && mv.to() == Square::H1
    }),
];

#[test]
fn conditions_on_the_game_keep_the_games_that_fulfill_them() {
    for start in STARTS {
        let first = position(start);
        for (name, rule) in RULES {
            // All ends with the number of games; a few of them are counted.
            let mut ends: Vec<(Diagram, u128)> = vec![];
            let mut known = std::collections::HashMap::new();
            all_games(&mut vec![], first, PLIES, &mut |line, end| {
                let diagram = Diagram::of(end);
                let at = *known.entry(diagram).or_insert_with(|| {
                    ends.push((diagram, 0));
                    ends.len() - 1
                });
                ends[at].1 += u128::from(rule(line, end));
            });
            let mut random = SplitMix64::new(ends.len() as u64);
            let fulfilled = ends.iter().filter(|(_, games)| *games > 0).count();
            let chance = |games: u128| if games > 0 { fulfilled } else { ends.len() };
            for (at, (end, games)) in ends.iter().enumerate() {
                // About six ends with such games, and six without.
                if random.below(chance(*games).max(6) as u64) < 6 {
                    let found = counted(&problem(start, end, &[name]), at % 3 == 0);
                    assert_eq!(found, *games, "{start} {name} {end}");
                }
            }
        }
    }
}

#[test]
fn two_conditions_on_the_game_are_combined() {
    let start = STARTS[0];
    let [mut both, mut one] = [0; 2];
    all_games(&mut vec![], position(start), PLIES, &mut |line, end| {
        if castles(line, true, Some(true)) && stays(line, Square::H8) {
            one += 1;
            // Ends differ, so each is counted as often as it is reached.
            if one % 400 == 1 {
                let conditions = ["White castles kingside", "never moves h8"];
                both +=
                    u128::from(counted(&problem(start, &Diagram::of(end), &conditions), false) > 0);
            }
        }
    });
    assert_eq!(both, one.div_ceil(400));
}

#[test]
fn open_targets_have_the_games_of_all_targets_that_fit() {
    for start in STARTS {
        let first = position(start);
        let mut ends = std::collections::HashMap::new();
        all_games(&mut vec![], first, PLIES, &mut |_, end| {
            *ends.entry(Diagram::of(end)).or_insert(0_u128) += 1;
        });
        let sum = |fits: &dyn Fn(&Diagram) -> bool| {
            ends.iter().filter(|(end, _)| fits(end)).map(|(_, games)| games).sum::<u128>()
        };
        let men = |end: &Diagram| Square::all().map(|square| end.at(square)).collect::<Vec<_>>();
        let mut sorted: Vec<&Diagram> = ends.keys().collect();
        sorted.sort_by_key(ToString::to_string);
        for end in sorted.iter().step_by(ends.len() / 3) {
            let own = men(end);
            let plain = problem(start, end, &[]);
            // Each piece of either color.
            let kinds = |end: &Diagram| {
                men(end).into_iter().map(|man| man.map(|piece| piece.role)).collect::<Vec<_>>()
            };
            let expected = sum(&|other| kinds(other) == kinds(end));
            let uncolored = FairyProblem { uncolored: true, ..plain.clone() };
            assert_eq!(counted(&uncolored, true), expected, "{start} {end}");
            // Of a full board, some pieces.
            let step = if plain.target.len() > 16 { 5 } else { 1 };
            let placed = own.iter().enumerate().filter(|(_, piece)| piece.is_some());
            for (at, piece) in placed.step_by(step) {
                let Some(Piece { color, role }) = *piece else { continue };
                let square = Square::new(at as u8);
                let others_fit = |other: &Diagram| {
                    men(other).iter().zip(&own).enumerate().all(|(i, (a, b))| i == at || a == b)
                };
                let mut open = plain.clone();
                let placed = open.target.iter_mut().find(|man| man.square == square).unwrap();
                // Any piece of the color, and of either color.
                placed.piece = PieceName::Any;
                let expected = sum(&|other| {
                    others_fit(other) && other.at(square).is_some_and(|one| one.color == color)
                });
                assert_eq!(counted(&open, at % 5 == 0), expected, "{start} {end} {square}");
                let placed = open.target.iter_mut().find(|man| man.square == square).unwrap();
                placed.piece = PieceName::Anything;
                let expected = sum(&|other| others_fit(other) && other.at(square).is_some());
                assert_eq!(counted(&open, at % 5 == 1), expected, "{start} {end} {square}");
                // The piece stands on any square that is empty without it.
                let mut added = plain.clone();
                added.target.retain(|man| man.square != square);
                added.added = vec![(color, PieceName::Standard(role))];
                let rest: Vec<_> =
                    own.iter().enumerate().map(|(i, man)| man.filter(|_| i != at)).collect();
                let expected = sum(&|other| {
                    let differing: Vec<usize> = men(other)
                        .iter()
                        .zip(&rest)
                        .enumerate()
                        .filter(|(_, (a, b))| a != b)
                        .map(|(i, _)| i)
                        .collect();
                    matches!(differing[..], [one] if rest[one].is_none()
                        && men(other)[one] == Some(Piece { color, role }))
                });
                assert_eq!(counted(&added, at % 5 == 2), expected, "{start} {end} {square}");
            }
        }
    }
}

#[test]
fn squares_that_do_not_fit_a_condition_are_refused() {
    let end = Diagram::initial();
    // Squares that are missing or too many are refused with the name, or with the problem.
    for name in ["never moves", "no checks e4"] {
        assert!(ConditionName::read(name).is_err(), "{name}");
    }
    let several = problem(STARTS[2], &end, &["last move a1a2a3"]);
    assert!(several.check().is_err());
    let mut open = problem(STARTS[2], &end, &[]);
    open.start.men.as_mut().unwrap()[0].piece = PieceName::Any;
    assert!(open.check().is_err());
}
