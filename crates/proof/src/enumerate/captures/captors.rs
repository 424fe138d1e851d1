//! Pieces that can capture, and their capture squares, within the remaining moves and captures.

use crate::distance::NEVER;
use crate::enumerate::captures::sites::{CaptorSquares, Manner, for_each_turn, take};
use crate::enumerate::state::NodeState;
use crate::problem::pawn::{pawn_rank, rank_gain};
use crate::problem::piece::PieceId;
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::{Fate, Itinerary, ItineraryStop, PromotionPlan, StopKind};
use umbrail_chess::Role;
use umbrail_chess::geometry::Bitboard;

/// A piece that may capture.
pub(crate) struct Captor<'a> {
    /// State of the node.
    pub state: &'a NodeState,
    /// The piece.
    pub piece: PieceId,
    /// Enabled deductions.
    pub rules: Rules,
    /// Number of moves that the piece may make beyond its current cost.
    pub room: i32,
    /// Squares on which some victim can be captured.
    pub within: Bitboard,
}

impl Captor<'_> {
    fn itinerary(&self) -> &Itinerary {
        self.state.itinerary(self.piece)
    }

    /// Returns true if its color has a remaining capture that no pawn needs, so that an officer may
    /// make it.
    fn may_spend(&self) -> bool {
        !self.rules.has(Rule::PawnCaptures) || self.state.spare_captures(self.piece.color()) >= 1
    }

    /// Adds all captures of the piece.
    pub(crate) fn hits(&self, hits: &mut Vec<CaptorSquares>) {
        let itinerary = self.itinerary();
        if !self.piece.is_pawn() {
            if self.may_spend() {
                self.officer(self.piece.role(), 0, hits);
            }
            return;
        }
        self.pawn(hits);
        if let Some(turn) = itinerary.turn()
            && self.may_spend()
        {
            self.officer(itinerary.role(self.piece), turn + 1, hits);
        } else if itinerary.promotion == PromotionPlan::Unknown && itinerary.fate == Fate::Open {
            self.promoted(hits);
        }
    }

    /// Adds its captures as an officer, at any place from stop number `first` onward.
    fn officer(&self, role: Role, first: usize, hits: &mut Vec<CaptorSquares>) {
        let itinerary = self.itinerary();
        let stops = itinerary.stops();
        let table = self.state.distances.table(self.piece.color(), role);
        let forbidden = self.state.distances.forbidden(self.piece.color(), role);
        for place in first..=stops.len() {
            let a = if place == 0 { itinerary.start } else { stops[place - 1].square };
            let next = stops.get(place).map(|stop| stop.square);
            let end = (itinerary.fate != Fate::Open).then_some(itinerary.end);
            let twice = i32::from(table.round_trip(a)) <= self.room;
            let mut squares = match next.or(end) {
                None => table.within(a, self.room as usize),
                Some(b) => {
                    let direct =
                        if next == Some(a) { table.round_trip(a) } else { table.moves(a, b) };
                    if direct == NEVER {
                        continue;
                    }
                    let all = usize::from(direct) + self.room as usize;
                    let mut squares = Bitboard::EMPTY;
                    for near in 0..=all {
                        squares |= table.within(a, near) & table.within(b, all - near);
                    }
                    if next == Some(b) && i32::from(table.round_trip(b)) > self.room {
                        squares = squares.without(b);
                    }
                    squares
                }
            };
            if !twice {
                squares = squares.without(a);
            }
            if place < stops.len() {
                squares = squares - forbidden;
            } else if let Some(end) = end {
                squares = squares - forbidden.without(end);
            }
            if place > 0 && forbidden.contains(a) {
                // The piece checks a still king there, so its route ends there.
                continue;
            }
            squares &= self.within;
            if squares.any() {
                hits.push(CaptorSquares {
                    captor: self.piece,
                    manner: Manner::Officer,
                    place: place as u8,
                    squares,
                });
            }
        }
    }

    /// Adds its captures as a pawn. On the last rank they decide an undecided promotion type.
    fn pawn(&self, hits: &mut Vec<CaptorSquares>) {
        let itinerary = self.itinerary();
        let spare = self.state.spare_captures(self.piece.color());
        let unknown = itinerary.promotion == PromotionPlan::Unknown && itinerary.fate == Fate::Open;
        let (mut squares, mut last) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let hit = |manner| CaptorSquares {
            captor: self.piece,
            manner,
            place: 0,
            squares: Bitboard::EMPTY,
        };
        for square in (self.pawn_squares() & self.within).squares() {
            let promotes = pawn_rank(self.piece.color(), square) == 7;
            let manner = match (promotes, unknown, itinerary.turn()) {
                (false, ..) => Manner::Pawn,
                (true, true, _) => Manner::Promoting(Role::Queen),
                (true, false, Some(turn)) if itinerary.stops()[turn].square == square => {
                    Manner::Pawn
                }
                _ => continue,
            };
            // Any enemy piece can represent the victim here.
            let stop =
                ItineraryStop { square, kind: StopKind::Takes(PieceId::king(!self.piece.color())) };
            let Some(taking) = take(self.state, &hit(manner), stop, self.room) else { continue };
            let need = i32::from(taking.need) - i32::from(itinerary.need);
            if self.rules.has(Rule::PawnCaptures) && need > spare - 1 {
                continue;
            }
            if manner == Manner::Pawn {
                squares = squares.with(square);
            } else {
                last = last.with(square);
            }
        }
        if squares.any() {
            hits.push(CaptorSquares { squares, ..hit(Manner::Pawn) });
        }
        if last.any() {
            for kind in Role::PROMOTIONS {
                hits.push(CaptorSquares { squares: last, ..hit(Manner::Promoting(kind)) });
            }
        }
    }

    /// Returns squares where a capture fits between two stops according to the tables alone; a
    /// superset of the squares that remain when the whole itinerary is evaluated.
    fn pawn_squares(&self) -> Bitboard {
        let itinerary = self.itinerary();
        let color = self.piece.color();
        let ways = self.state.distances.pawns(color);
        let may_need = if self.rules.has(Rule::PawnCaptures) {
            self.state.spare_captures(color) - 1
        } else {
            i32::from(NEVER)
        };
        let forward = if color.is_white() { 1 } else { -1 };
        let mut squares = Bitboard::EMPTY;
        let mut at = itinerary.start;
        // The stops as a pawn, then the promotion or the end square, if decided.
        let last = match itinerary.turn() {
            Some(turn) => Some((itinerary.stops()[turn].square, false)),
            None => (itinerary.fate != Fate::Open).then_some((itinerary.end, false)),
        };
        let stops = itinerary.pawn_stops().iter().map(|stop| (stop.square, true));
        let open = last.is_none().then_some(None);
        for next in stops.chain(last).map(Some).chain(open) {
            let rise = next.map_or(7, |(to, _)| rank_gain(self.piece, at, to));
            let old = next.map(
                |(to, takes)| {
                    if takes { ways.way_by_capture(at, to) } else { ways.way(at, to) }
                },
            );
            let old = old.map_or((0, 0), |way| (i32::from(way.captures), i32::from(way.moves)));
            for step in 1..=rise {
                for side in -step..=step {
                    let Some(square) = at.offset(side, step * forward) else { continue };
                    if !self.within.contains(square) {
                        continue;
                    }
                    let into = ways.way_by_capture(at, square);
                    if !into.exists() {
                        continue;
                    }
                    let mut captures = i32::from(into.captures) - 1 - old.0;
                    let mut moves = i32::from(into.moves) - old.1;
                    if let Some((to, takes)) = next {
                        let onward = match takes {
                            true => ways.way_by_capture(square, to),
                            false => ways.way(square, to),
                        };
                        if !onward.exists() {
                            continue;
                        }
                        captures += i32::from(onward.captures);
                        moves += i32::from(onward.moves);
                    }
                    // A detour around a wall, already included in `need`, may become unnecessary.
                    let bent = 2 * i32::from(itinerary.need > 0);
                    if captures - bent <= may_need && moves <= self.room {
                        squares = squares.with(square);
                    }
                }
            }
            if let Some((to, _)) = next {
                at = to;
            }
        }
        squares
    }

    /// Adds captures of an undecided pawn that promoted before.
    fn promoted(&self, hits: &mut Vec<CaptorSquares>) {
        if !self.may_spend() {
            return;
        }
        let color = self.piece.color();
        for_each_turn(self.state, self.piece, self.room, |square, kind, itinerary, left| {
            let need = i32::from(itinerary.need) - i32::from(self.itinerary().need);
            if self.rules.has(Rule::PawnCaptures) && need > self.state.spare_captures(color) - 1 {
                return;
            }
            let table = self.state.distances.table(color, kind);
            let mut squares = table.within(square, left as usize);
            if i32::from(table.round_trip(square)) > left {
                squares = squares.without(square);
            }
            if self.state.distances.forbidden(color, kind).contains(square) {
                // The piece checks a still king there, so its route ends.
                return;
            }
            squares &= self.within;
            if squares.any() {
                let manner = Manner::Promoted(square, kind);
                hits.push(CaptorSquares { captor: self.piece, manner, place: 0, squares });
            }
        });
    }
}
