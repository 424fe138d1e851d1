//! The ways in which one more man can be captured: by whom, at which place in his order, and where.

use super::life::{Deed, Fate, Life, Plan, Stop, gain};
use super::state::State;
use crate::chess::Role;
use crate::geometry::{Bitboard, Color, Square};
use crate::proof::distance::NEVER;
use crate::proof::man::Man;
use crate::proof::rules::{Rule, Rules};
use crate::proof::strategy::pawn_rank;

/// What a captor is when it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// An officer, or a pawn whose promotion is decided and past.
    Officer,
    /// A pawn. On the last rank its promotion there is decided already.
    Pawn,
    /// A pawn that becomes this by the capture, which decides its promotion.
    Promoting(Role),
    /// A pawn that has become this on that square before, which decides its promotion.
    Promoted(Square, Role),
}

/// A captor, a place among its stops, and the squares where it could capture somebody now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Who.
    pub captor: Man,
    /// What it is then.
    pub manner: Manner,
    /// Index of the new stop among its stops (for a pawn the square decides that).
    pub place: u8,
    /// Where.
    pub squares: Bitboard,
}

/// What a victim is when it is captured, and the squares where it could be captured now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fall {
    /// For a pawn with undecided promotion: where it promoted and to what, or none if it dies as a pawn.
    pub turn: Option<(Square, Role)>,
    /// Where it may die.
    pub squares: Bitboard,
    /// Moves of its promotion, if that is decided here.
    pub moves: u8,
}

/// One way to capture a victim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capture {
    /// The captor's life afterwards.
    pub captor: (Man, Life),
    /// The victim's life afterwards.
    pub victim: (Man, Life),
}

/// What all victims of a node share: the captors of both colors.
#[derive(Debug, Default)]
pub(super) struct Hits {
    by_color: [Vec<Hit>; 2],
    /// All squares where a color can capture.
    squares: [Bitboard; 2],
}

/// What was found out about one victim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey {
    /// Number of ways to capture it, an upper bound.
    pub count: u32,
    /// Least own moves from what is decided to its death.
    pub moves: u8,
}

/// Moves that a man may make beyond its present cost.
fn room(state: &State, man: Man, spare: [i32; 2]) -> i32 {
    let life = state.life(man);
    spare[man.color().index()] + i32::from(life.bound) - i32::from(life.cost)
}

impl Hits {
    /// Finds all captors of both colors.
    pub(super) fn find(&mut self, state: &State, rules: Rules) {
        let spare = Color::ALL.map(|color| state.spare(color));
        for color in Color::ALL {
            let hits = &mut self.by_color[color.index()];
            hits.clear();
            if state.victims_left(color) > 0 {
                for man in Man::of_color(color) {
                    let captor = Captor { state, man, rules, room: room(state, man, spare) };
                    captor.hits(hits);
                }
            }
            self.squares[color.index()] =
                hits.iter().fold(Bitboard::EMPTY, |all, hit| all | hit.squares);
        }
    }

    /// Counts the ways to capture a victim, and what it costs the victim at least.
    pub(super) fn survey(&self, state: &State, victim: Man, rules: Rules) -> Survey {
        let enemy = (!victim.color()).index();
        let life = state.life(victim);
        let mut survey = Survey { count: 0, moves: NEVER };
        let mut falls = Vec::new();
        falls_of(state, victim, self.squares[enemy], rules, &mut falls);
        for fall in &falls {
            let least = least_moves(state, victim, fall, self.squares[enemy]);
            survey.moves = survey.moves.min(least);
            for hit in &self.by_color[enemy] {
                let ways = hit.squares & fall.squares;
                if ways.any() && !life.takes(hit.captor) {
                    survey.count += ways.len();
                }
            }
        }
        if let Some((landing, _)) = passing(state, victim, rules) {
            survey.moves = survey.moves.min(1);
            survey.count += self.by_color[enemy]
                .iter()
                .filter(|hit| hit.manner == Manner::Pawn && hit.squares.contains(landing))
                .count() as u32;
        }
        survey
    }

    /// All ways to capture a victim, each with both lives weighed and within budget.
    pub(super) fn captures(
        &self,
        state: &State,
        victim: Man,
        rules: Rules,
        found: &mut Vec<Capture>,
    ) {
        let enemy = (!victim.color()).index();
        let spare = Color::ALL.map(|color| state.spare(color));
        let life = state.life(victim);
        let mut falls = Vec::new();
        falls_of(state, victim, self.squares[enemy], rules, &mut falls);
        let may_need = state.spare_captures(victim.color());
        for hit in self.by_color[enemy].iter().filter(|hit| !life.takes(hit.captor)) {
            let able = room(state, hit.captor, spare);
            for fall in &falls {
                for square in (hit.squares & fall.squares).squares() {
                    let died = fallen(life, hit.captor, fall.turn, square);
                    let Some(fallen) = died.and_then(|mut died| {
                        weighs(state, victim, &mut died, room(state, victim, spare)).then_some(died)
                    }) else {
                        continue;
                    };
                    let need = i32::from(fallen.need) - i32::from(life.need);
                    if rules.has(Rule::PawnWalk) && need > may_need {
                        continue;
                    }
                    let stop = Stop { square, deed: Deed::Takes(victim) };
                    if let Some(taking) = take(state, hit, stop, able) {
                        found.push(Capture {
                            captor: (hit.captor, taking),
                            victim: (victim, fallen),
                        });
                    }
                }
            }
        }
        let Some((square, died)) = passing(state, victim, rules) else { return };
        for hit in self.by_color[enemy].iter().filter(|hit| hit.manner == Manner::Pawn) {
            if hit.squares.contains(square) {
                let stop = Stop { square, deed: Deed::TakesInPassing(victim) };
                if let Some(taking) = take(state, hit, stop, room(state, hit.captor, spare)) {
                    let mut died = died;
                    died.fate = Fate::Dies(hit.captor);
                    found.push(Capture { captor: (hit.captor, taking), victim: (victim, died) });
                }
            }
        }
    }
}

/// Weighs a life that was changed; false when it costs more than the room beyond its former cost.
fn weighs(state: &State, man: Man, life: &mut Life, room: i32) -> bool {
    let before = state.life(man).cost;
    life.weigh(man, &state.distances, &state.walls)
        && i32::from(life.cost) - i32::from(before) <= room
}

/// The captor's life with one more capture.
fn take(state: &State, hit: &Hit, stop: Stop, room: i32) -> Option<Life> {
    let life = state.life(hit.captor);
    let turn = |square, kind| Stop { square, deed: Deed::Becomes(kind) };
    let mut taking = match hit.manner {
        Manner::Officer => life.with(usize::from(hit.place), stop)?,
        Manner::Pawn => life.with(pawn_place(life, hit.captor, stop.square)?, stop)?,
        Manner::Promoting(kind) => {
            let len = life.stops().len();
            life.with(len, stop)?.with(len + 1, turn(stop.square, kind))?
        }
        Manner::Promoted(square, kind) => {
            let len = life.stops().len();
            life.with(len, turn(square, kind))?.with(len + 1, stop)?
        }
    };
    if let Manner::Promoting(kind) | Manner::Promoted(_, kind) = hit.manner {
        taking.plan = Plan::Becomes(kind);
    }
    weighs(state, hit.captor, &mut taking, room).then_some(taking)
}

/// Where a pawn's capture belongs among its stops: ranks order them. None when it has one on that rank.
fn pawn_place(life: &Life, pawn: Man, square: Square) -> Option<usize> {
    let mut place = 0;
    for stop in life.pawn_stops() {
        match gain(pawn, stop.square, square) {
            0 => return None,
            1.. => place += 1,
            _ => break,
        }
    }
    Some(place)
}

struct Captor<'a> {
    state: &'a State,
    man: Man,
    rules: Rules,
    room: i32,
}

impl Captor<'_> {
    fn life(&self) -> &Life {
        self.state.life(self.man)
    }

    /// Whether its color has a capture left that no pawn needs, so that an officer may make it.
    fn may_spend(&self) -> bool {
        !self.rules.has(Rule::PawnWalk) || self.state.spare_captures(self.man.color()) >= 1
    }

    fn hits(&self, hits: &mut Vec<Hit>) {
        let life = self.life();
        if !self.man.is_pawn() {
            if self.may_spend() {
                self.officer(self.man.role(), 0, hits);
            }
            return;
        }
        self.pawn(hits);
        if let Some(turn) = life.turn()
            && self.may_spend()
        {
            self.officer(life.role(self.man), turn + 1, hits);
        } else if life.plan == Plan::Unknown && life.fate == Fate::Open {
            self.promoted(hits);
        }
    }

    /// Captures as an officer, at any place from stop number `first` on.
    fn officer(&self, role: Role, first: usize, hits: &mut Vec<Hit>) {
        let life = self.life();
        let stops = life.stops();
        let table = self.state.distances.table(self.man.color(), role);
        let shunned = self.state.distances.shunned(self.man.color(), role);
        for place in first..=stops.len() {
            let a = if place == 0 { life.start } else { stops[place - 1].square };
            let next = stops.get(place).map(|stop| stop.square);
            let end = (life.fate != Fate::Open).then_some(life.end);
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
                squares = squares - shunned;
            } else if let Some(end) = end {
                squares = squares - shunned.without(end);
            }
            if place > 0 && shunned.contains(a) {
                // He checks a still king there, so his way ends there.
                continue;
            }
            if squares.any() {
                hits.push(Hit {
                    captor: self.man,
                    manner: Manner::Officer,
                    place: place as u8,
                    squares,
                });
            }
        }
    }

    /// Captures as a pawn; on the last rank they decide what an undecided one becomes.
    fn pawn(&self, hits: &mut Vec<Hit>) {
        let life = self.life();
        let spare = self.state.spare_captures(self.man.color());
        let unknown = life.plan == Plan::Unknown && life.fate == Fate::Open;
        let (mut squares, mut last) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let hit = |manner| Hit { captor: self.man, manner, place: 0, squares: Bitboard::EMPTY };
        for square in self.pawn_squares().squares() {
            let promotes = pawn_rank(self.man.color(), square) == 7;
            let manner = match (promotes, unknown, life.turn()) {
                (false, ..) => Manner::Pawn,
                (true, true, _) => Manner::Promoting(Role::Queen),
                (true, false, Some(turn)) if life.stops()[turn].square == square => Manner::Pawn,
                _ => continue,
            };
            // The victim matters not here; any enemy stands for it.
            let stop = Stop { square, deed: Deed::Takes(Man::king(!self.man.color())) };
            let Some(taking) = take(self.state, &hit(manner), stop, self.room) else { continue };
            let need = i32::from(taking.need) - i32::from(life.need);
            if self.rules.has(Rule::PawnWalk) && need > spare - 1 {
                continue;
            }
            if manner == Manner::Pawn {
                squares = squares.with(square);
            } else {
                last = last.with(square);
            }
        }
        if squares.any() {
            hits.push(Hit { squares, ..hit(Manner::Pawn) });
        }
        if last.any() {
            for kind in Role::PROMOTIONS {
                hits.push(Hit { squares: last, ..hit(Manner::Promoting(kind)) });
            }
        }
    }

    /// Squares where a capture fits between two stops by the tables alone; a superset of what is left when
    /// the whole life is weighed.
    fn pawn_squares(&self) -> Bitboard {
        let life = self.life();
        let color = self.man.color();
        let ways = self.state.distances.pawns(color);
        let may_need = if self.rules.has(Rule::PawnWalk) {
            self.state.spare_captures(color) - 1
        } else {
            i32::from(NEVER)
        };
        let forward = if color.is_white() { 1 } else { -1 };
        let mut squares = Bitboard::EMPTY;
        let mut at = life.start;
        // The stops as a pawn, then the promotion or the end, if they are decided.
        let last = match life.turn() {
            Some(turn) => Some((life.stops()[turn].square, false)),
            None => (life.fate != Fate::Open).then_some((life.end, false)),
        };
        let stops = life.pawn_stops().iter().map(|stop| (stop.square, true));
        let open = last.is_none().then_some(None);
        for next in stops.chain(last).map(Some).chain(open) {
            let rise = next.map_or(7, |(to, _)| gain(self.man, at, to));
            let old = next.map(
                |(to, takes)| {
                    if takes { ways.way_by_capture(at, to) } else { ways.way(at, to) }
                },
            );
            let old = old.map_or((0, 0), |way| (i32::from(way.captures), i32::from(way.moves)));
            for step in 1..=rise {
                for side in -step..=step {
                    let Some(square) = at.offset(side, step * forward) else { continue };
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
                    // A detour around a wall, already in the need, may fall away.
                    let bent = 2 * i32::from(life.need > 0);
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

    /// Captures of an undecided pawn that has promoted before.
    fn promoted(&self, hits: &mut Vec<Hit>) {
        if !self.may_spend() {
            return;
        }
        let color = self.man.color();
        for_each_turn(self.state, self.man, self.room, |square, kind, life, left| {
            let need = i32::from(life.need) - i32::from(self.life().need);
            if self.rules.has(Rule::PawnWalk) && need > self.state.spare_captures(color) - 1 {
                return;
            }
            let table = self.state.distances.table(color, kind);
            let mut squares = table.within(square, left as usize);
            if i32::from(table.round_trip(square)) > left {
                squares = squares.without(square);
            }
            if self.state.distances.shunned(color, kind).contains(square) {
                // He checks a still king there, so he does not go on.
                return;
            }
            if squares.any() {
                let manner = Manner::Promoted(square, kind);
                hits.push(Hit { captor: self.man, manner, place: 0, squares });
            }
        });
    }
}

/// Calls back with each square and kind to which an undecided pawn can promote, its life then, and the
/// moves it has left.
fn for_each_turn(
    state: &State,
    pawn: Man,
    room: i32,
    mut call: impl FnMut(Square, Role, &Life, i32),
) {
    let life = state.life(pawn);
    let ways = state.distances.pawns(pawn.color());
    let rank = if pawn.color().is_white() { 7 } else { 0 };
    for square in (0..8).map(|file| Square::at(file, rank)) {
        let way = ways.way(life.last(), square);
        if !way.exists() || i32::from(way.moves) > room {
            continue;
        }
        for kind in Role::PROMOTIONS {
            let stop = Stop { square, deed: Deed::Becomes(kind) };
            let Some(mut turned) = life.with(life.stops().len(), stop) else { continue };
            turned.plan = Plan::Becomes(kind);
            if weighs(state, pawn, &mut turned, room) {
                let left = room - (i32::from(turned.cost) - i32::from(life.cost));
                call(square, kind, &turned, left);
            }
        }
    }
}

/// The ways a victim can end, on squares where the enemy captures.
fn falls_of(state: &State, victim: Man, hit: Bitboard, rules: Rules, falls: &mut Vec<Fall>) {
    let life = state.life(victim);
    let spare = Color::ALL.map(|color| state.spare(color));
    let room = room(state, victim, spare);
    let distances = &state.distances;
    if life.plan != Plan::Unknown {
        let role = life.role(victim);
        let at = life.last();
        let held = !life.stops().is_empty() && distances.shunned(victim.color(), role).contains(at);
        let squares = if held {
            Bitboard::of(at)
        } else {
            distances.table(victim.color(), role).within(at, room as usize)
        };
        falls.push(Fall { turn: None, squares: squares & hit, moves: 0 });
        return;
    }
    let may_need = state.spare_captures(victim.color());
    let fits = |fallen: &Life| {
        let need = i32::from(fallen.need) - i32::from(life.need);
        !rules.has(Rule::PawnWalk) || need <= may_need
    };
    let mut squares = Bitboard::EMPTY;
    for square in hit.squares() {
        let way = distances.pawns(victim.color()).way(life.last(), square);
        if pawn_rank(victim.color(), square) == 7 || i32::from(way.moves) > room || !way.exists() {
            continue;
        }
        let fallen = fallen(life, Man::king(!victim.color()), None, square);
        if let Some(mut fallen) = fallen
            && weighs(state, victim, &mut fallen, room)
            && fits(&fallen)
        {
            squares = squares.with(square);
        }
    }
    falls.push(Fall { turn: None, squares, moves: 0 });
    for_each_turn(state, victim, room, |square, kind, turned, left| {
        if !fits(turned) {
            return;
        }
        let table = distances.table(victim.color(), kind);
        let squares = if distances.shunned(victim.color(), kind).contains(square) {
            Bitboard::of(square)
        } else {
            table.within(square, left as usize)
        };
        let moves = turned.cost - life.cost;
        falls.push(Fall { turn: Some((square, kind)), squares: squares & hit, moves });
    });
}

/// The victim's life when it is captured.
fn fallen(life: &Life, captor: Man, turn: Option<(Square, Role)>, square: Square) -> Option<Life> {
    let mut fallen = *life;
    if let Some((at, kind)) = turn {
        fallen = life.with(life.stops().len(), Stop { square: at, deed: Deed::Becomes(kind) })?;
        fallen.plan = Plan::Becomes(kind);
    } else if life.plan == Plan::Unknown {
        fallen.plan = Plan::Never;
    }
    fallen.fate = Fate::Dies(captor);
    fallen.end = square;
    Some(fallen)
}

/// Least own moves of a victim to its death on one of the squares that are hit.
fn least_moves(state: &State, victim: Man, fall: &Fall, hit: Bitboard) -> u8 {
    let life = state.life(victim);
    let squares = fall.squares & hit;
    if squares.is_empty() {
        return NEVER;
    }
    if life.plan == Plan::Unknown && fall.turn.is_none() {
        let ways = state.distances.pawns(victim.color());
        let moves = squares.squares().map(|square| ways.way(life.last(), square).moves);
        return moves.min().unwrap_or(NEVER);
    }
    let (at, role) = fall.turn.unwrap_or((life.last(), life.role(victim)));
    let table = state.distances.table(victim.color(), role);
    let moves = squares.squares().map(|square| table.moves(at, square)).min().unwrap_or(NEVER);
    moves.saturating_add(fall.moves)
}

/// If a victim can be taken en passant: where the captor lands, and the victim's life.
fn passing(state: &State, victim: Man, rules: Rules) -> Option<(Square, Life)> {
    let life = state.life(victim);
    if life.plan != Plan::Unknown || !life.stops().is_empty() {
        return None;
    }
    let forward = if victim.color().is_white() { 1 } else { -1 };
    let (landing, stood) =
        victim.origin().offset(0, forward).zip(victim.origin().offset(0, 2 * forward))?;
    let way = state.distances.pawns(victim.color()).way(victim.origin(), stood);
    if way.captures != 0 || way.moves != 1 {
        return None;
    }
    let mut died = fallen(life, Man::king(!victim.color()), None, stood)?;
    let spare = Color::ALL.map(|color| state.spare(color));
    let fits = weighs(state, victim, &mut died, room(state, victim, spare));
    let walked = !rules.has(Rule::PawnWalk) || died.need == 0;
    (fits && walked).then_some((landing, died))
}
