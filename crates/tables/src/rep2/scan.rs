//! EGTgen's scan of Black's moves, which determines whether an illegal position is counted as one.
//! The parent module describes its omissions and the reason to follow it.

use super::Rep2Counter;
use crate::fairy::{MoveAtom, Piece};
use crate::layout::Others;
use crate::retrograde::NO_PIECE;
use umbrail_chess::geometry::Square;

impl Rep2Counter<'_> {
    /// Returns true when EGTgen's scan would have found this position illegal.
    pub(super) fn is_labelled_illegal(
        &self,
        slice: usize,
        word: usize,
        pieces: &Others,
        occupied: u64,
        b: u8,
        order: &[usize],
    ) -> bool {
        if self.black_pawns {
            return true;
        }
        let home = self.table.layout.homes[slice];
        let late = |with_wins: bool| self.scan(home, pieces, occupied, b, order, with_wins);
        if !self.table_set.catalog.rules.null_move {
            return late(true);
        }
        // Under `-0` the first pass considers only royal captures, and later passes clear every
        // position that White, to move, does not win.
        let attacked = self.endgame.attacked(home, pieces, NO_PIECE, occupied);
        let won = self.table.won.get(slice).map_or(0, |w| w[word]);
        late(false) || ((attacked | won) >> b & 1 != 0 && late(true))
    }

    /// Scans Black's moves as EGTgen does: true when the capture of White's royal comes before any
    /// move that does not lose, and some move does lose (otherwise EGTgen skips the scan).
    fn scan(
        &self,
        home: u8,
        pieces: &Others,
        occupied: u64,
        b: u8,
        order: &[usize],
        with_wins: bool,
    ) -> bool {
        let all = occupied | 1 << b;
        let (mut found, mut decided, mut looked) = (false, false, false);
        let royal = (None, b, &self.royal_steps);
        let others = order[..self.blacks].iter().map(|&m| (Some(m), pieces[m], &self.steps[m]));
        for (piece, from, steps) in std::iter::once(royal).chain(others) {
            for step in steps {
                let mut at = Square::new(from);
                for _ in 0..step.reach {
                    let Some(to) = at.offset(step.dx.into(), step.dy.into()) else { break };
                    at = to;
                    let to = to.number();
                    let blocked = all >> to & 1 != 0;
                    let victim = (0..self.endgame.attackers).find(|&m| pieces[m] == to);
                    if blocked && victim.is_none() && to != home {
                        break;
                    }
                    if !(if blocked { step.capture } else { step.quiet }) {
                        if blocked {
                            break;
                        }
                        continue;
                    }
                    if to == home {
                        found |= !decided;
                        decided = true;
                    } else if self.is_won(home, pieces, occupied, b, piece, to, victim, with_wins) {
                        looked = true;
                    } else {
                        decided = true;
                    }
                    if decided && (looked || !found) {
                        return found;
                    }
                    if blocked {
                        break;
                    }
                }
            }
        }
        found && looked
    }

    /// Returns true when the position after this move of Black is won for White, or Black's royal
    /// is en prise.
    #[expect(clippy::too_many_arguments, reason = "a position and a move, unpacked")]
    fn is_won(
        &self,
        home: u8,
        pieces: &Others,
        occupied: u64,
        b: u8,
        piece: Option<usize>,
        to: u8,
        victim: Option<usize>,
        with_wins: bool,
    ) -> bool {
        let mut after = *pieces;
        let mut royal = b;
        let mut fixed = occupied;
        match piece {
            None => {
                royal = to;
                if victim.is_some() {
                    fixed &= !(1 << to);
                }
            }
            Some(piece) => {
                after[piece] = to;
                fixed = fixed & !(1 << pieces[piece]) | 1 << to;
            }
        }
        let attacked =
            self.endgame.attacked(home, &after, victim.map_or(NO_PIECE, |v| 1 << v), fixed);
        if attacked >> royal & 1 != 0 {
            return true;
        }
        if !with_wins {
            return false;
        }
        let won = match victim {
            None => self.table.won_word(home, &after).0,
            Some(victim) => match &self.endgame.subs.captured[victim] {
                Some(sub) => sub.solved.won_word(home, &sub.pieces(&after)).0,
                None => 0,
            },
        };
        won >> royal & 1 != 0
    }
}

/// Returns Black's steps in the order in which EGTgen expands `K: 1,0,* 1,1,*` and `A: 1,2,*
/// 1,1,s*`.
pub(super) fn scan_order(piece: &Piece) -> Vec<MoveAtom> {
    let mut steps: Vec<MoveAtom> = piece.steps().iter().map(|step| step.turned()).collect();
    steps.sort_by_key(|s| {
        let (dx, dy) = (i32::from(s.dx), i32::from(s.dy));
        let (x, y) = (dx.abs(), dy.abs());
        let oblique = x != y && x != 0 && y != 0;
        let first = if x == 0 || y == 0 { x.max(y) } else { x.min(y) };
        (!oblique, x * x + y * y, y != first, dy < 0, dx < 0)
    });
    steps
}
