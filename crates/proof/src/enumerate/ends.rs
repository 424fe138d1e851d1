//! End assignments: the final squares of the survivors of a color, and the castling of its king.

use crate::distance::walls::Walls;
use crate::distance::{Distances, NEVER};
use crate::enumerate::state::Tools;
use crate::problem::Problem;
use crate::problem::castling::{Wing, castling_rook};
use crate::problem::piece::{PieceId, PieceMask};
use crate::problem::value::PartitionValue;
use crate::rules::Rules;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Fate, Itinerary};
use crate::strategy::route::End;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Maximum number of end assignments of one color that are stored and sorted by cost (60 bytes
/// each). Beyond it they are walked in the order of generation.
pub(crate) const SORTED_ENDS_MAX: usize = 1 << 20;

/// An end assignment: the final square or the capture of each piece of a color.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndAssignment {
    /// Wing on which the king castles, if it does.
    pub castles: Option<Wing>,
    /// Final squares by piece of the color; `None` for captured pieces.
    pub squares: [Option<(Square, Role)>; 16],
    /// Least total number of moves.
    pub cost: u16,
}

impl EndAssignment {
    /// Returns the itineraries that begin with these ends.
    pub(crate) fn itineraries(&self, color: Color) -> [Itinerary; 16] {
        std::array::from_fn(|number| {
            let piece = PieceId::new(16 * color as u8 + number as u8);
            let castles = self.castles.filter(|&wing| castles(piece, wing));
            match self.squares[number] {
                None => Itinerary::open(piece, castles),
                Some((square, role)) => Itinerary::resting(piece, castles, square, role),
            }
        })
    }
}

/// Returns true if a piece takes part when its color castles on this wing.
pub(crate) fn castles(piece: PieceId, wing: Wing) -> bool {
    piece == PieceId::king(piece.color()) || piece == castling_rook(piece.color(), wing)
}

/// Data for the enumeration of the end assignments of a color.
struct EndChooser<'a> {
    color: Color,
    budget: u16,
    captures: u16,
    distances: &'a Distances,
    castles: Option<Wing>,
    target: Option<&'a Strategy>,
    /// Squares of the diagram with the pieces that may end there, their least moves and captures.
    places: Vec<DiagramSquare>,
    /// Least moves of all squares from this one onward.
    rest: Vec<u16>,
}

struct DiagramSquare {
    square: Square,
    role: Role,
    pieces: Vec<(PieceId, u16, u16)>,
}

/// End assignments of both colors, computed once for all walks of a problem.
#[derive(Debug, Default)]
pub(crate) struct RootEnds(OnceLock<Option<[Vec<EndAssignment>; 2]>>);

impl RootEnds {
    /// Returns the lists of both colors; `None` if one exceeds `most` entries.
    pub(crate) fn lists(
        &self,
        problem: &Problem,
        tools: &mut Tools,
        target: Option<&Strategy>,
        most: usize,
    ) -> Option<&[Vec<EndAssignment>; 2]> {
        let find = || {
            let white = all_ends(problem, Color::White, tools, target, most)?;
            Some([white, all_ends(problem, Color::Black, tools, target, most)?])
        };
        self.0.get_or_init(find).as_ref()
    }
}

/// Returns all end assignments of a color, cheapest first; `None` if there are more than `most`.
///
/// An assignment is omitted only if the survivors' least moves exceed the color's budget, or their
/// pawns' least captures exceed the number of enemy pieces to be captured. With a `target`, only
/// the assignments that agree with it are returned.
pub(crate) fn all_ends(
    problem: &Problem,
    color: Color,
    tools: &mut Tools,
    target: Option<&Strategy>,
    most: usize,
) -> Option<Vec<EndAssignment>> {
    let mut found = Vec::new();
    let all = each_ends(problem, color, tools, target, &mut |ends| {
        found.push(ends.clone());
        if found.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.sort_by_key(|ends| ends.cost);
    all.is_continue().then_some(found)
}

/// Returns the least number of moves that a color needs for its survivors alone, whatever its budget; `None` if some
/// square cannot be reached.
///
/// *Admissible*: each piece counts by itself, on a board with the pawns that stay at home, and only the best assignment
/// of pieces to squares counts.
pub(crate) fn least_moves(problem: &Problem, color: Color) -> Option<u16> {
    let mut tools = Tools::new(Rules::default());
    let distances = tools.distances(pawns_at_home(problem), [u16::MAX; 2], Walls::default());
    [None, Some(Wing::King), Some(Wing::Queen)]
        .into_iter()
        .filter_map(|wing| {
            let mut choice = EndChooser::new(problem, color, &distances, wing, None);
            choice.budget = u16::MAX;
            let castling = u16::from(wing.is_some());
            choice.prepare(problem).then(|| choice.cheapest())?.map(|cost| cost + castling)
        })
        .min()
}

/// Surviving pawns on their home squares, the only pieces known to be idle.
fn pawns_at_home(problem: &Problem) -> PieceMask {
    Color::ALL
        .into_iter()
        .flat_map(PieceId::of_color)
        .filter(|piece| {
            let pawns = problem.diagram.pieces(piece.color(), Role::Pawn);
            piece.is_pawn() && pawns.contains(piece.origin())
        })
        .collect()
}

/// Calls back with each end assignment, in a fixed order but not by cost.
pub(crate) fn each_ends(
    problem: &Problem,
    color: Color,
    tools: &mut Tools,
    target: Option<&Strategy>,
    call: &mut dyn FnMut(&EndAssignment) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let distances = tools.distances(pawns_at_home(problem), [u16::MAX; 2], Walls::default());
    for wing in [None, Some(Wing::King), Some(Wing::Queen)] {
        let mut choice = EndChooser::new(problem, color, &distances, wing, target);
        if choice.prepare(problem) {
            let castling = u16::from(wing.is_some());
            let mut ends = EndAssignment { castles: wing, squares: [None; 16], cost: castling };
            choice.place(0, PieceMask::EMPTY, 0, &mut ends, call)?;
        }
    }
    ControlFlow::Continue(())
}

impl<'a> EndChooser<'a> {
    fn new(
        problem: &Problem,
        color: Color,
        distances: &'a Distances,
        castles: Option<Wing>,
        target: Option<&'a Strategy>,
    ) -> Self {
        Self {
            color,
            budget: problem.budget(color),
            captures: 16 - problem.diagram.by_color(!color).len() as u16,
            distances,
            castles,
            target,
            places: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Returns the smallest total number of moves in which distinct pieces reach all squares.
    fn cheapest(&self) -> Option<u16> {
        // By the set of pieces that have a square, of which there are as many as squares so far.
        let mut least = vec![u16::MAX; 1 << 16];
        least[0] = 0;
        for (at, place) in self.places.iter().enumerate() {
            for used in 0..1usize << 16 {
                if used.count_ones() as usize != at || least[used] == u16::MAX {
                    continue;
                }
                for &(piece, moves, _) in &place.pieces {
                    let own = 1 << (piece.index() % 16);
                    if used & own == 0 {
                        let cost = least[used].saturating_add(moves);
                        least[used | own] = least[used | own].min(cost);
                    }
                }
            }
        }
        let squares = self.places.len();
        (0..1usize << 16)
            .filter(|used| used.count_ones() as usize == squares)
            .map(|used| least[used])
            .filter(|&cost| cost != u16::MAX)
            .min()
    }

    /// Lists the pieces that may end on each square; returns false if a square stays empty or
    /// castling is impossible.
    fn prepare(&mut self, problem: &Problem) -> bool {
        let color = self.color;
        if let Some(wing) = self.castles {
            let rank = PieceId::king(color).origin().rank();
            let (king, _) = wing.files();
            let path: Bitboard =
                (king.min(4)..=king.max(4)).map(|file| Square::at(file, rank)).collect();
            if (path & self.distances.guarded[color.index()]).any() {
                return false;
            }
        }
        for value in PartitionValue::ALL {
            for square in problem.diagram.places(color, value).squares() {
                let role = value.role();
                let pieces: Vec<_> = PieceId::of_color(color)
                    .filter_map(|piece| {
                        let (moves, captures) = self.cost(piece, square, role)?;
                        (moves <= self.budget && captures <= self.captures)
                            .then_some((piece, moves, captures))
                    })
                    .collect();
                if pieces.is_empty() {
                    return false;
                }
                self.places.push(DiagramSquare { square, role, pieces });
            }
        }
        self.places.sort_by_key(|place| (place.pieces.len(), place.square));
        let mut rest = vec![0];
        for place in self.places.iter().rev() {
            let least = place.pieces.iter().map(|&(_, moves, _)| moves).min().unwrap_or(0);
            rest.push(rest.last().copied().unwrap_or(0) + least);
        }
        rest.reverse();
        self.rest = rest;
        true
    }

    /// Returns the least moves and captures of a piece that ends on a square in this role.
    fn cost(&self, piece: PieceId, square: Square, role: Role) -> Option<(u16, u16)> {
        let wide = |(moves, captures): (u8, u8)| {
            (moves != NEVER).then_some((u16::from(moves), u16::from(captures)))
        };
        let lost = |target: &Strategy| target.route(piece).end != End::Rest(square);
        if self.target.is_some_and(lost) {
            return None;
        }
        if !piece.is_pawn() {
            let castles = self.castles.filter(|&wing| castles(piece, wing));
            let itinerary = Itinerary::open(piece, castles);
            let table = self.distances.table(self.color, role);
            return (piece.role() == role)
                .then(|| (table.moves(itinerary.start, square), 0))
                .and_then(wide);
        }
        if role == Role::King {
            return None;
        }
        let mut itinerary = Itinerary::resting(piece, None, square, role);
        debug_assert_eq!(itinerary.fate, Fate::Rests);
        let fits = itinerary.weigh(piece, self.distances, &Walls::default());
        fits.then_some((itinerary.cost, itinerary.need)).and_then(wide)
    }

    fn place(
        &self,
        next: usize,
        used: PieceMask,
        captures: u16,
        ends: &mut EndAssignment,
        call: &mut dyn FnMut(&EndAssignment) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if ends.cost + self.rest[next] > self.budget || captures > self.captures {
            return ControlFlow::Continue(());
        }
        let Some(place) = self.places.get(next) else { return call(ends) };
        for &(piece, moves, more) in &place.pieces {
            if used.contains(piece) {
                continue;
            }
            ends.squares[piece.index() % 16] = Some((place.square, place.role));
            ends.cost += moves;
            self.place(next + 1, used.with(piece), captures + more, ends, call)?;
            ends.cost -= moves;
            ends.squares[piece.index() % 16] = None;
        }
        ControlFlow::Continue(())
    }
}
