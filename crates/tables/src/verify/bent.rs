//! Moves of several legs and with hurdles, followed leg by leg on the board.

use super::{NONE, Verifier, VerifierPosition};
use crate::fairy::{BentMove, Course, Hop, Leg, Midway};

/// Receives the target of a move and the captured pieces.
type Arrival<'v> = dyn FnMut(u8, &[usize]) + 'v;

/// One move being followed.
struct Walk<'a, 'v> {
    verifier: &'a Verifier<'a>,
    position: &'a VerifierPosition,
    piece: usize,
    mv: &'a BentMove,
    arrive: &'a mut Arrival<'v>,
}

impl Verifier<'_> {
    /// Returns true when a bent move of the piece captures on the square.
    pub(super) fn captures_bent(
        &self,
        position: &VerifierPosition,
        piece: usize,
        square: u8,
    ) -> bool {
        let target = self.piece_on(position, square);
        let mut found = false;
        self.each_bent(position, piece, &mut |_, taken| {
            found |= target.is_some_and(|target| taken.contains(&target));
        });
        found
    }

    /// Visits the bent moves of a piece, those that capture a royal included.
    pub(super) fn each_bent(
        &self,
        position: &VerifierPosition,
        piece: usize,
        arrive: &mut Arrival<'_>,
    ) {
        for mv in &self.pieces[piece].bent {
            let from = position.squares[piece];
            let walk = Walk { verifier: self, position, piece, mv, arrive: &mut *arrive };
            { walk }.leg(0, from, &[]);
        }
    }
}

impl Walk<'_, '_> {
    /// Returns the piece on a square; the mover and the captured pieces have left the board.
    fn on(&self, square: u8, taken: &[usize]) -> Option<usize> {
        let piece = self.verifier.piece_on(self.position, square)?;
        (piece != self.piece && !taken.contains(&piece)).then_some(piece)
    }

    fn is_enemy(&self, piece: usize) -> bool {
        let pieces = &self.verifier.pieces;
        pieces[piece].attacker != pieces[self.piece].attacker
    }

    fn go(&self, from: u8, (dx, dy): (i8, i8)) -> Option<u8> {
        let (mut file, rank) = ((from & 7) as i8 + dx, (from >> 3) as i8 + dy);
        if self.mv.cylinder {
            file &= 7;
        }
        ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
    }

    /// Makes the leg of this number from a square, and all later ones.
    fn leg(&mut self, number: usize, from: u8, taken: &[usize]) {
        let mv = self.mv;
        let Some(leg) = mv.legs.get(number) else {
            (self.arrive)(from, taken);
            return;
        };
        for course in mv.courses(leg) {
            if number + 1 == mv.legs.len() {
                self.last_leg(leg, &course, from, taken);
            } else {
                self.earlier_leg(number, leg, &course, from, taken);
            }
        }
    }

    /// Makes one step of a leg, if the square half way and the edge permit it.
    fn step(&self, leg: &Leg, by: (i8, i8), at: u8, taken: &[usize]) -> Option<u8> {
        let to = self.go(at, by)?;
        let turns = self.mv.cylinder || self.mv.course == Course::Circular;
        if turns && to == self.position.squares[self.piece] {
            return None;
        }
        let half = self.go(at, Leg::half(by)).unwrap_or(NONE);
        let is_free = self.on(half, taken).is_none();
        match leg.midway {
            Midway::Any => true,
            Midway::Empty => is_free,
            Midway::Occupied => !is_free,
        }
        .then_some(to)
    }

    fn earlier_leg(
        &mut self,
        number: usize,
        leg: &Leg,
        course: &[(i8, i8)],
        from: u8,
        taken: &[usize],
    ) {
        let mut at = from;
        for (count, &by) in course.iter().enumerate() {
            let Some(to) = self.step(leg, by, at, taken) else { return };
            at = to;
            if count < usize::from(leg.skip) {
                continue;
            }
            let Some(there) = self.on(to, taken) else {
                if leg.quiet {
                    self.leg(number + 1, to, taken);
                }
                continue;
            };
            if leg.capture && self.is_enemy(there) {
                self.leg(number + 1, to, &[taken, &[there]].concat());
            }
            if leg.hop == Hop::Any || leg.hop == Hop::Own && !self.is_enemy(there) {
                self.leg(number + 1, to, taken);
            }
            return;
        }
    }

    fn last_leg(&mut self, leg: &Leg, course: &[(i8, i8)], from: u8, taken: &[usize]) {
        let wanted = usize::from(leg.hop != Hop::None);
        let (mut at, mut hurdles, mut since) = (from, 0, 0);
        for (count, &by) in course.iter().enumerate() {
            let Some(to) = self.step(leg, by, at, taken) else { return };
            at = to;
            if count < usize::from(leg.skip) {
                continue;
            }
            let there = self.on(to, taken);
            if hurdles == wanted {
                since += 1;
                match there {
                    None if leg.quiet => (self.arrive)(to, taken),
                    Some(victim) if leg.capture && self.is_enemy(victim) => {
                        (self.arrive)(to, &[taken, &[victim]].concat());
                    }
                    _ => {}
                }
                if leg.hop == Hop::Behind && since == 1 {
                    return;
                }
            }
            if there.is_some() {
                hurdles += 1;
            }
            if hurdles > wanted {
                return;
            }
        }
    }
}
