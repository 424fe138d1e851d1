//! Tests of the search of positions as a whole.

mod admissible;
mod archives;
mod counts;
mod fairy;
mod game_conditions;
mod names;
mod perft;
mod referee;
mod turns;
mod walk;

use super::board::{CastlingRights, Man, SearchPosition};
use super::bounds::BoundSet;
use super::problem::TargetBoard;
use super::rules::{BoardMove, MoveClass, Orthodox, PositionOf, RuleSet};
use super::search::{
    Forecast, PositionFrontier, SharedSearch, TableSizes, count_in_parallel, list_games,
};
use super::turns::Turns;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_control::{Cancel, Gauge, Pool, Progress};

/// The array.
const ARRAY: &str = Setup::START_FEN;

/// Men of a FEN placement; letters that are no standard pieces are not allowed.
fn men_of(setup: &Setup) -> [Man; 64] {
    let mut men = [Man::NONE; 64];
    for (square, color, letter) in setup.pieces() {
        men[square.index()] = Man::new(color, Role::from_letter(letter).expect("a standard piece"));
    }
    men
}

/// Position of a FEN; either side may lack its king. Castling rights are taken as stated.
fn position<Extra: Copy + Default>(fen: &str) -> SearchPosition<Extra> {
    let setup: Setup = fen.parse().unwrap();
    let mut position = SearchPosition::empty(setup.turn, Extra::default());
    for (square, color, letter) in setup.pieces() {
        position.put(Man::new(color, Role::from_letter(letter).unwrap()), square);
    }
    let rights = setup.castling.chars().map(|letter| {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match letter {
            '-' => 0,
            _ => CastlingRights::one(color, letter.eq_ignore_ascii_case(&'k')).0,
        }
    });
    position.rights = CastlingRights(rights.sum());
    position.en_passant = setup.en_passant;
    position
}

/// Legal moves of a position, with the positions after them.
fn legal<R: RuleSet>(
    rules: &R,
    before: &PositionOf<R>,
    turns: Turns,
) -> Vec<(R::Move, PositionOf<R>)> {
    let mut found = vec![];
    let visited = rules.successors(before, MoveClass::All, |mv, mut next| {
        if rules.is_legal(before, &mv, &next) {
            if turns == Turns::Series {
                (next.turn, next.en_passant) = (before.turn, None);
            }
            found.push((mv, next));
        }
        Ok(())
    });
    assert!(visited.is_ok());
    found
}

/// A problem of the tests.
#[derive(Clone, Copy)]
struct Case<'a> {
    start: &'a str,
    target: &'a str,
    plies: u16,
    turns: Turns,
}

/// Way of searching in a test.
#[derive(Clone, Copy)]
struct Way {
    set: BoundSet,
    threads: usize,
    table_bytes: u64,
}

impl Default for Way {
    fn default() -> Self {
        Self { set: BoundSet::ALL, threads: 1, table_bytes: 16 << 20 }
    }
}

impl<'a> Case<'a> {
    /// A proof game from the array.
    fn dia(target: &'a str, plies: u16) -> Self {
        Self { start: ARRAY, target, plies, turns: Turns::Alternating }
    }

    /// A series mover of White from the array.
    fn series(target: &'a str, plies: u16) -> Self {
        Self { turns: Turns::Series, ..Self::dia(target, plies) }
    }

    /// Counts the games of orthodox chess, and lists up to `listed_max` of them. Returns the number, the
    /// games and the number of nodes.
    fn solve(
        self,
        rules: Orthodox,
        way: Way,
        listed_max: usize,
    ) -> (u128, Vec<Vec<BoardMove>>, u64) {
        let target = TargetBoard::new(men_of(&self.target.parse().unwrap()));
        count(rules, position(self.start), target, (self.plies, self.turns), way, listed_max)
    }
}

/// Counts games, and lists up to `listed_max` of them. Returns the number, the games and the number of
/// nodes.
fn count<R: RuleSet>(
    rules: R,
    mut start: PositionOf<R>,
    target: TargetBoard,
    (plies, turns): (u16, Turns),
    way: Way,
    listed_max: usize,
) -> (u128, Vec<Vec<R::Move>>, u64) {
    let (cancel, nodes, progress) = (Cancel::default(), Gauge::default(), Progress::default());
    let sizes = TableSizes { counts: way.table_bytes, needs: way.table_bytes / 4 };
    let signals = (&cancel, &nodes);
    let shared = SharedSearch::new(rules, target, &start, turns, way.set, sizes, signals);
    if !shared.admits_start(&mut start, plies) {
        return (0, vec![], 0);
    }
    let pool = Pool::new(way.threads).unwrap();
    let frontier = PositionFrontier::of(&shared, start, plies, way.threads).unwrap();
    let forecast = Forecast::new(&progress, true, std::time::Duration::ZERO);
    let found = count_in_parallel(&shared, &frontier, u128::MAX, &pool, &forecast);
    // Every part of the tree has its weight, up to the rounding of the frontier.
    let whole = progress.total.get();
    let rounding = frontier.len() as u64;
    assert!(progress.done.get() + rounding >= whole, "{} of {whole}", progress.done.get());
    assert!(found.is_complete);
    let mut games = vec![];
    let mut listener = |line: &[R::Move]| {
        games.extend((games.len() < listed_max).then(|| line.to_vec()));
        games.len() < listed_max
    };
    list_games(&shared, &start, plies, &mut listener).unwrap();
    assert_eq!(games.len() as u128, found.games.min(listed_max as u128));
    (found.games, games, nodes.get())
}
