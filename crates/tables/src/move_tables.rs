//! Pieces compiled for the builder: rays, un-moves, capture paths and whole-word royal moves. A
//! piece that hops, is lame or turns has templates instead.
//!
//! The attacker's pieces move as defined, the loser's with the opposite direction.

use crate::fairy::{MoveAtom, Piece, RayDirection, RayStep, Rays, Templates};
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Square};

/// Step that is made from all 64 squares at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub(crate) dx: i8,
    pub(crate) dy: i8,
    pub(crate) reach: u8,
}

/// Move tables of one kind of piece of one side.
#[derive(Clone, Debug)]
pub(crate) struct MoveTables {
    pub(crate) pawn: bool,
    /// True for a pawn with the double step from its second rank.
    pub(crate) double_step: bool,
    /// Quiet moves that stay in the table (no promotions), and their retractions.
    pub(crate) moves: Rays,
    pub(crate) unmoves: Rays,
    /// Moves of a pawn where they are conversions; see [`MoveTables::zeroing`].
    pub(crate) pushes: Rays,
    /// All squares that the piece attacks.
    pub(crate) attacks: Rays,
    paths: Paths,
    /// Quiet moves as steps; for a pawn the single push.
    pub(crate) quiet: Vec<Shift>,
    capture: Vec<Shift>,
    /// True when the royal moves like a king; two shifts each way then suffice.
    pub(crate) king: bool,
    /// All moves of a piece that hops, is lame or turns: of White's piece and of Black's. It has no
    /// rays and steps.
    templates: Option<Arc<[Templates; 2]>>,
    turned: bool,
}

/// For each pair of squares, the sets of squares between them that a capture passes over.
#[derive(Clone, Debug, Default)]
struct Paths {
    start: Vec<u32>,
    between: Vec<u64>,
}

impl MoveTables {
    pub(crate) fn new(piece: &Piece, turned: bool) -> Self {
        let templates = piece.all_templates().cloned();
        let steps = if templates.is_none() { piece.steps() } else { &[] };
        let quiet: Vec<MoveAtom> = steps.iter().copied().filter(|s| s.quiet).collect();
        let capture: Vec<MoveAtom> = steps.iter().copied().filter(|s| s.capture).collect();
        let attacks = Rays::along(&capture, turned, RayDirection::Moves);
        let (moves, unmoves) = if piece.pawn {
            (pawn_moves(turned, piece.double_step), pawn_unmoves(turned, piece.double_step))
        } else {
            let quiet_rays = |direction| Rays::along(&quiet, turned, direction);
            (quiet_rays(RayDirection::Moves), quiet_rays(RayDirection::Retractions))
        };
        let shifts = |steps: &[MoveAtom]| -> Vec<Shift> {
            let turn = |s: &MoveAtom| if turned { s.turned() } else { *s };
            steps.iter().map(turn).map(|s| Shift { dx: s.dx, dy: s.dy, reach: s.reach }).collect()
        };
        let is_king = |steps: &[MoveAtom]| {
            steps.len() == 8
                && steps.iter().all(|s| s.reach == 1 && s.dx.abs() <= 1 && s.dy.abs() <= 1)
        };
        Self {
            pawn: piece.pawn,
            double_step: piece.double_step,
            moves,
            unmoves,
            pushes: Rays::default(),
            paths: Paths::new(&attacks),
            attacks,
            king: is_king(&quiet) && is_king(&capture),
            quiet: shifts(&quiet),
            capture: shifts(&capture),
            templates,
            turned,
        }
    }

    /// Returns all moves of a piece that hops, is lame or turns.
    #[inline]
    pub(crate) fn templates(&self) -> Option<&Templates> {
        let color = if self.turned { Color::Black } else { Color::White };
        self.templates.as_ref().map(|both| &both[color.index()])
    }

    /// Returns the tables with every pawn move counted as a conversion.
    pub(crate) fn zeroing(&self) -> Self {
        let none = || Rays::build(|_| Vec::new());
        let mut mover = self.clone();
        if mover.pawn {
            mover.pushes = std::mem::replace(&mut mover.moves, none());
            mover.unmoves = none();
        }
        mover
    }

    /// Returns all squares this piece attacks from a square, including obstacles.
    #[inline]
    pub(crate) fn attacked(&self, from: u8, occupied: u64) -> u64 {
        let mut attacked = 0;
        walk(self.attacks.from(from as usize), |ray_step| {
            attacked |= 1 << ray_step.to;
            occupied >> ray_step.to & 1 == 0
        });
        attacked
    }

    /// Returns the sets of squares that must be empty for a capture between two squares.
    #[inline]
    pub(crate) fn paths(&self, from: u8, to: u8) -> &[u64] {
        let pair = from as usize * 64 + to as usize;
        &self.paths.between[self.paths.start[pair] as usize..self.paths.start[pair + 1] as usize]
    }

    /// Returns the squares from which a royal of this kind reaches one of `targets` by a quiet move
    /// over `free` squares.
    #[inline]
    pub(crate) fn before_quiet(&self, targets: u64, free: u64) -> u64 {
        if self.king { spread(targets) } else { before(&self.quiet, targets, free) }
    }

    /// Returns the squares from which a royal of this kind captures on one of `targets` over `free`
    /// squares.
    #[inline]
    pub(crate) fn before_capture(&self, targets: u64, free: u64) -> u64 {
        if self.king { spread(targets) } else { before(&self.capture, targets, free) }
    }

    /// Returns true when a royal of this kind that gives check is always in check from a royal of
    /// the other kind: its own checks are leaps, and the other has each of them in reverse.
    pub(crate) fn never_checks(&self, other: &Self) -> bool {
        self.templates.is_none()
            && self.capture.iter().all(|s| {
                s.reach == 1 && other.capture.iter().any(|o| (o.dx, o.dy) == (-s.dx, -s.dy))
            })
    }
}

/// Calls `visit` with each step of a ray until it returns false; then continues with the next ray.
#[inline(always)]
pub(crate) fn walk(ray_steps: &[RayStep], mut visit: impl FnMut(&RayStep) -> bool) {
    let mut at = 0;
    while at < ray_steps.len() {
        let ray_step = &ray_steps[at];
        at += 1;
        if !visit(ray_step) {
            at += ray_step.left as usize;
        }
    }
}

impl Paths {
    fn new(attacks: &Rays) -> Self {
        let mut paths = Self { start: Vec::with_capacity(64 * 64 + 1), between: Vec::new() };
        paths.start.push(0);
        for from in 0..64 {
            for to in 0..64 {
                for ray_step in attacks.from(from).iter().filter(|h| h.to == to) {
                    let between = ray_step.clear & !(1 << to);
                    if !paths.between[*paths.start.last().unwrap_or(&0) as usize..]
                        .contains(&between)
                    {
                        paths.between.push(between);
                    }
                }
                paths.start.push(paths.between.len() as u32);
            }
        }
        paths
    }
}

/// Returns the neighbors of the squares of a set.
#[inline(always)]
pub(crate) fn spread(set: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let sides = (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    let row = set | sides;
    sides | row << 8 | row >> 8
}

fn before(steps: &[Shift], targets: u64, free: u64) -> u64 {
    let mut all = 0;
    for step in steps {
        let mut now = targets;
        for _ in 0..step.reach {
            now = shift(now, -step.dx, -step.dy);
            all |= now;
            now &= free;
            if now == 0 {
                break;
            }
        }
    }
    all
}

#[inline]
fn shift(set: u64, dx: i8, dy: i8) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let kept = if dx > 0 {
        set & FILE_A.wrapping_mul((1 << (8 - dx)) - 1)
    } else {
        set & FILE_A.wrapping_mul((0xFF << -dx) & 0xFF)
    };
    let by = i32::from(dy) * 8 + i32::from(dx);
    match by {
        0..64 => kept << by,
        -63..0 => kept >> -by,
        _ => 0,
    }
}

/// Returns pawn pushes without promotion, with a double step as a second ray step.
fn pawn_moves(turned: bool, double_step: bool) -> Rays {
    Rays::build(|from| {
        let (dy, second, last) = pawn_ranks(turned);
        let mut ray = Vec::new();
        if let Some(one) = from.offset(0, dy).filter(|to| to.rank() != last) {
            ray.push(one);
            if double_step && from.rank() == second {
                ray.extend(one.offset(0, dy));
            }
        }
        vec![if is_pawn_square(from) { ray } else { Vec::new() }]
    })
}

fn pawn_unmoves(turned: bool, double_step: bool) -> Rays {
    Rays::build(|to| {
        let (dy, second, _) = pawn_ranks(turned);
        let mut ray = Vec::new();
        if let Some(one) = to.offset(0, -dy).filter(|&from| is_pawn_square(from)) {
            ray.push(one);
            ray.extend(one.offset(0, -dy).filter(|from| double_step && from.rank() == second));
        }
        vec![if is_pawn_square(to) { ray } else { Vec::new() }]
    })
}

/// Returns direction, second rank and last rank of a pawn.
const fn pawn_ranks(turned: bool) -> (i32, u8, u8) {
    if turned { (-1, 6, 0) } else { (1, 1, 7) }
}

const fn is_pawn_square(square: Square) -> bool {
    square.rank() != 0 && square.rank() != 7
}

#[cfg(test)]
mod tests {
    use super::MoveTables;
    use crate::fairy::PieceSet;

    #[test]
    fn the_king_shortcut_equals_the_shifts() {
        let piece_set = PieceSet::default();
        let king = MoveTables::new(piece_set.get('K').unwrap(), true);
        let mut plain = king.clone();
        plain.king = false;
        for set in [1, 1 << 63, 0x8100_0000_0000_0081, 0x1234_5678_9ABC_DEF0] {
            assert_eq!(king.before_quiet(set, !0), plain.before_quiet(set, !0));
        }
    }

    #[test]
    fn pawns_of_both_sides_push_their_own_way() {
        let piece_set = PieceSet::default();
        let up = MoveTables::new(piece_set.get('P').unwrap(), false);
        let down = MoveTables::new(piece_set.get('P').unwrap(), true);
        let to = |rays: &crate::fairy::Rays, from| {
            rays.from(from).iter().map(|h| h.to).collect::<Vec<_>>()
        };
        assert_eq!(to(&up.moves, 8), [16, 24]);
        assert_eq!(to(&up.moves, 48), [0; 0]);
        assert_eq!(to(&up.unmoves, 24), [16, 8]);
        assert_eq!(to(&up.unmoves, 16), [8]);
        assert_eq!(to(&down.moves, 48), [40, 32]);
        assert_eq!(to(&down.unmoves, 32), [40, 48]);
        assert_eq!(to(&down.attacks, 9), [0, 2]);
    }

    #[test]
    fn only_sliders_and_strangers_check_alone() {
        let piece_set = PieceSet::default();
        let mover = |letter, turned| MoveTables::new(piece_set.get(letter).unwrap(), turned);
        assert!(mover('K', false).never_checks(&mover('K', true)));
        assert!(!mover('Q', false).never_checks(&mover('Q', true)));
        assert!(!mover('K', false).never_checks(&mover('N', true)));
    }
}
