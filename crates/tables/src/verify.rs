//! The one-ply verifier: is every value what its successors say?
//!
//! It reads the rules straight from the pieces' steps, moves forward only, and shares no code with
//! the builder beyond the numbering of cells. For each cell it asks: is the position legal, what do
//! all moves lead to, and does the stored value follow? A table that agrees everywhere is *a*
//! solution of the equations; since distances are checked too, and each finite one needs a
//! successor that is one shorter, it is the only one.

use super::family::{Family, Key};
use super::layout::{OTHERS_MAX, Others};
use super::rules::{Metric, Rules, Stalemate};
use super::solved::Solved;
use crate::fairy::{Piece, Step};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use umbrail_control::Stopped;

/// What the verifier saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Cells that were looked at, both sides to move.
    pub checked: u64,
    /// The first disagreements, in words.
    pub faults: Vec<String>,
    /// How many there are.
    pub fault_count: u64,
}

const FAULTS_SHOWN: usize = 20;
const MEN: usize = OTHERS_MAX + 2;
const NONE: u8 = 64;

/// A position: man 0 is the attacker's royal, man 1 the loser's, the others follow the layout.
#[derive(Clone, Copy)]
struct Scene {
    squares: [u8; MEN],
    attacker_moves: bool,
    /// The man that just made a double step, or `NONE`.
    doubled: u8,
}

/// One man as the verifier knows it.
struct Actor {
    kind: usize,
    attacker: bool,
    pawn: bool,
    steps: Vec<Step>,
}

/// What happened to the men in a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Change {
    victim: u8,
    pawn: u8,
    becomes: usize,
}

const QUIET: Change = Change { victim: NONE, pawn: NONE, becomes: 0 };

struct Judge<'a> {
    table: &'a Solved,
    actors: Vec<Actor>,
    promotions: Vec<usize>,
    rules: &'a Rules,
    /// The table after each change, and the men of this scene that are its men.
    after: HashMap<Change, (Arc<Solved>, Vec<usize>)>,
}

/// What a position is worth to the attacker: none, or won in so many plies.
type Worth = Option<usize>;

impl Family {
    /// Checks the table of a key, every `stride`-th word of it (1 = all).
    pub(crate) fn verify(
        &self,
        key: &Key,
        stride: usize,
        check: &(dyn Fn() -> Result<(), Stopped> + Sync),
    ) -> Result<Verdict, Stopped> {
        let Some(table) = self.whole(key) else { return Ok(Verdict::default()) };
        let judge = Judge::new(self, key, table);
        let layout = &table.layout;
        let slices: Result<Vec<Verdict>, Stopped> = (0..layout.homes.len())
            .into_par_iter()
            .map(|slice| {
                let mut verdict = Verdict::default();
                for word in (slice % stride..layout.words).step_by(stride) {
                    if word % 256 == 0 {
                        check()?;
                    }
                    judge.check_word(self, key, slice, word, &mut verdict);
                }
                Ok(verdict)
            })
            .collect();
        let mut total = Verdict::default();
        for verdict in slices? {
            total.checked += verdict.checked;
            total.fault_count += verdict.fault_count;
            let room = FAULTS_SHOWN.saturating_sub(total.faults.len());
            total.faults.extend(verdict.faults.into_iter().take(room));
        }
        Ok(total)
    }
}

impl<'a> Judge<'a> {
    fn new(family: &'a Family, key: &Key, table: &'a Solved) -> Self {
        let actor = |kind: usize, attacker: bool| {
            let piece: &Piece = family.piece(kind);
            let steps = piece.steps().iter().map(|s| if attacker { *s } else { s.turned() });
            Actor { kind, attacker, pawn: piece.pawn, steps: steps.collect() }
        };
        let mut actors = vec![actor(key.attacker[0], true), actor(key.loser[0], false)];
        actors.extend(key.attacker[1..].iter().map(|&k| actor(k, true)));
        actors.extend(key.loser[1..].iter().map(|&k| actor(k, false)));
        let promotions: Vec<usize> =
            family.promotions().iter().filter_map(|p| family.number(p)).collect();
        let mut judge =
            Self { table, actors, promotions, rules: &family.rules, after: HashMap::new() };
        judge.find_tables(family);
        judge
    }

    /// Looks up the table of every change that a move can bring.
    fn find_tables(&mut self, family: &Family) {
        let men = self.actors.len() as u8;
        let victims: Vec<u8> = (2..men).chain([NONE]).collect();
        for &victim in &victims {
            let mut changes = vec![Change { victim, ..QUIET }];
            for pawn in (2..men).filter(|&m| self.actors[m as usize].pawn) {
                changes.extend(self.promotions.iter().map(|&becomes| Change {
                    victim,
                    pawn,
                    becomes,
                }));
            }
            for change in changes {
                if change == QUIET || change.victim == change.pawn {
                    continue;
                }
                let kind = |m: u8| {
                    if m == change.pawn { change.becomes } else { self.actors[m as usize].kind }
                };
                let side = |attacker: bool| {
                    let mut list: Vec<u8> = (2..men)
                        .filter(|&m| m != victim && self.actors[m as usize].attacker == attacker)
                        .collect();
                    list.sort_by_key(|&m| family.order(kind(m)));
                    list
                };
                let (ours, theirs) = (side(true), side(false));
                let kinds = |royal: usize, list: &[u8]| {
                    std::iter::once(self.actors[royal].kind)
                        .chain(list.iter().map(|&m| kind(m)))
                        .collect()
                };
                let key = Key { attacker: kinds(0, &ours), loser: kinds(1, &theirs) };
                if let Some(table) = family.whole(&key) {
                    let source = ours.iter().chain(&theirs).map(|&m| m as usize).collect();
                    self.after.insert(change, (table.clone(), source));
                }
            }
        }
    }

    fn check_word(
        &self,
        family: &Family,
        key: &Key,
        slice: usize,
        word: usize,
        verdict: &mut Verdict,
    ) {
        let layout = &self.table.layout;
        let others = layout.decode(word);
        let mut squares = [NONE; MEN];
        squares[0] = layout.homes[slice];
        squares[2..2 + layout.others].copy_from_slice(&others[..layout.others]);
        for loser_royal in 0..64 {
            squares[1] = loser_royal;
            let men = &squares[..self.actors.len()];
            if (1..men.len()).any(|i| men[..i].contains(&men[i])) {
                continue;
            }
            for attacker_moves in [true, false] {
                let scene = Scene { squares, attacker_moves, doubled: NONE };
                let stored = self.stored(&scene);
                let right = if self.royal_hangs(&scene) { None } else { self.judge(&scene) };
                verdict.checked += 1;
                if stored != right {
                    verdict.fault_count += 1;
                    if verdict.faults.len() < FAULTS_SHOWN {
                        let turn = if attacker_moves {
                            umbrail_chess::geometry::Color::White
                        } else {
                            umbrail_chess::geometry::Color::Black
                        };
                        let board = super::stats::board(
                            family,
                            key,
                            self.table,
                            umbrail_chess::geometry::Color::White,
                            turn,
                            slice,
                            word,
                            loser_royal,
                        );
                        verdict.faults.push(format!(
                            "{}: stored {stored:?}, its moves say {right:?}",
                            board.to_fen()
                        ));
                    }
                }
            }
        }
    }

    /// The stored worth of a scene of the full material.
    fn stored(&self, scene: &Scene) -> Worth {
        let mut men: Others = [0; OTHERS_MAX];
        men.copy_from_slice(&scene.squares[2..]);
        look(self.table, scene, &men)
    }

    fn pawn_moved(&self, before: &Scene, after: &Scene) -> bool {
        self.actors.iter().enumerate().any(|(man, actor)| {
            actor.pawn && after.squares[man] < NONE && before.squares[man] != after.squares[man]
        })
    }

    /// What the scene's moves say, without looking at its own value.
    fn judge(&self, scene: &Scene) -> Worth {
        if self.rules.bare_loses {
            let bare = |attacker: bool| {
                self.actors.iter().filter(|actor| actor.attacker == attacker).count() == 1
            };
            match (bare(true), bare(false)) {
                (true, _) => return None,
                (false, true) => return Some(0),
                (false, false) => {}
            }
        }
        let mut best: Worth = None;
        let mut worst: Worth = Some(0);
        let mut any = false;
        self.each_move(scene, |after, change| {
            any = true;
            let pushed = self.pawn_moved(scene, &after);
            let worth = self.worth_after(&after, change).map(|plies| {
                let ends = change != QUIET;
                match self.rules.metric {
                    Metric::Dtm => plies + 1,
                    Metric::Dtc if ends => 1,
                    Metric::Dtc => plies + 1,
                    Metric::Dtz if ends || pushed => zeroed(plies),
                    Metric::Dtz => plies + 1,
                    // Conversions cost nothing, nor does a move into a win by conversion.
                    Metric::Level if ends || (plies == 0 && !scene.attacker_moves) => 0,
                    Metric::Level => plies + 1,
                }
            });
            best = match (best, worth) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            worst = match (worst, worth) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        });
        if scene.attacker_moves {
            return best;
        }
        let checked = self.attacks(scene, true, scene.squares[1]);
        let pass = || {
            let passed = Scene { attacker_moves: true, ..*scene };
            let converts = |plies| plies == 0 && self.rules.metric == Metric::Level;
            self.stored(&passed).map(|plies| if converts(plies) { 0 } else { plies + 1 })
        };
        if any {
            if self.rules.null_move && !checked {
                return match (worst, pass()) {
                    (Some(a), Some(b)) => Some(a.max(b)),
                    _ => None,
                };
            }
            return worst;
        }
        match self.rules.stalemate {
            _ if checked => Some(0),
            Stalemate::Draw => None,
            Stalemate::Win => Some(0),
            Stalemate::Pass => pass(),
        }
    }

    /// The worth of a scene reached by a legal move, en passant answers included.
    fn worth_after(&self, scene: &Scene, change: Change) -> Worth {
        let plain = self.plain_worth(scene, change);
        if scene.doubled == NONE {
            return plain;
        }
        let (mut passants, mut others) = (Vec::new(), false);
        self.each_move(scene, |after, change| {
            let doubled = scene.doubled;
            let over = (scene.squares[doubled as usize] as i32
                + if self.actors[doubled as usize].attacker { -8 } else { 8 })
                as u8;
            if change.victim == doubled && after.squares.contains(&over) {
                let worth = self.plain_worth(&after, change);
                passants.push(worth.map(|p| match self.rules.metric {
                    Metric::Dtm => p + 1,
                    Metric::Dtz => zeroed(p),
                    Metric::Dtc | Metric::Level => 1,
                }));
            } else {
                others = true;
            }
        });
        if passants.is_empty() {
            return plain;
        }
        if scene.attacker_moves {
            let answers = passants.into_iter().flatten().min();
            return match (plain, answers) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        let mut all = if others || self.attacks(scene, true, scene.squares[1]) {
            // Mated but for the capture: the capture alone counts, and a mate counts 0.
            plain
        } else {
            Some(0)
        };
        for worth in passants {
            all = match (all, worth) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        }
        all
    }

    fn plain_worth(&self, scene: &Scene, change: Change) -> Worth {
        if change == QUIET {
            return self.stored(scene);
        }
        let (table, source) = self.after.get(&change)?;
        let mut men: Others = [0; OTHERS_MAX];
        for (to, &from) in men.iter_mut().zip(source) {
            *to = scene.squares[from];
        }
        look(table, scene, &men)
    }

    /// True when the side that just moved left its royal en prise.
    fn royal_hangs(&self, scene: &Scene) -> bool {
        let royal = scene.squares[usize::from(scene.attacker_moves)];
        self.attacks(scene, scene.attacker_moves, royal)
    }

    fn man_on(&self, scene: &Scene, square: u8) -> Option<usize> {
        scene.squares[..self.actors.len()].iter().position(|&s| s == square)
    }

    /// True when a man of the attacker (or of the loser) attacks the square.
    fn attacks(&self, scene: &Scene, attacker: bool, square: u8) -> bool {
        self.actors.iter().enumerate().any(|(man, actor)| {
            actor.attacker == attacker
                && scene.squares[man] < NONE
                && actor.steps.iter().filter(|s| s.capture).any(|step| {
                    let mut at = scene.squares[man];
                    for _ in 0..step.reach {
                        let Some(to) = go(at, step) else { return false };
                        if to == square {
                            return true;
                        }
                        if self.man_on(scene, to).is_some() {
                            return false;
                        }
                        at = to;
                    }
                    false
                })
        })
    }

    /// Visits the scene after every legal move, with what changed.
    fn each_move(&self, scene: &Scene, mut visit: impl FnMut(Scene, Change)) {
        let mut legal = |after: Scene, change: Change| {
            if !self.royal_hangs(&after) {
                visit(after, change);
            }
        };
        for (man, actor) in self.actors.iter().enumerate() {
            if actor.attacker != scene.attacker_moves || scene.squares[man] >= NONE {
                continue;
            }
            let from = scene.squares[man];
            for step in &actor.steps {
                let mut at = from;
                for _ in 0..step.reach {
                    let Some(to) = go(at, step) else { break };
                    at = to;
                    match self.man_on(scene, to) {
                        None if step.quiet => self.arrive(scene, man, to, None, &mut legal),
                        None => {}
                        Some(victim) => {
                            // The royals themselves are never captured: such positions are illegal.
                            let enemy = self.actors[victim].attacker != actor.attacker;
                            if enemy && step.capture && victim > 1 {
                                self.arrive(scene, man, to, Some(victim), &mut legal);
                            }
                            break;
                        }
                    }
                }
            }
            if actor.pawn {
                self.pawn_extras(scene, man, &mut legal);
            }
        }
    }

    fn pawn_extras(&self, scene: &Scene, man: usize, legal: &mut impl FnMut(Scene, Change)) {
        let actor = &self.actors[man];
        let from = scene.squares[man];
        let (second, up) = if actor.attacker { (1, 8i32) } else { (6, -8) };
        if from / 8 == second {
            let (one, two) = ((i32::from(from) + up) as u8, (i32::from(from) + 2 * up) as u8);
            if self.man_on(scene, one).is_none() && self.man_on(scene, two).is_none() {
                let mut after = *scene;
                after.squares[man] = two;
                after.attacker_moves = !scene.attacker_moves;
                after.doubled = man as u8;
                legal(after, QUIET);
            }
        }
        if scene.doubled != NONE {
            let target = scene.squares[scene.doubled as usize];
            if target / 8 == from / 8 && target.abs_diff(from) == 1 {
                let to = (i32::from(target) + up) as u8;
                let mut after = *scene;
                after.squares[man] = to;
                after.squares[scene.doubled as usize] = NONE;
                after.attacker_moves = !scene.attacker_moves;
                after.doubled = NONE;
                legal(after, Change { victim: scene.doubled, ..QUIET });
            }
        }
    }

    /// A man arrives; a pawn on the last rank becomes each possible piece. Whether a piece just made
    /// attacks anything is for its side's royal to fear only later, so legality ignores its kind.
    fn arrive(
        &self,
        scene: &Scene,
        man: usize,
        to: u8,
        victim: Option<usize>,
        legal: &mut impl FnMut(Scene, Change),
    ) {
        let mut after = *scene;
        after.squares[man] = to;
        after.attacker_moves = !scene.attacker_moves;
        after.doubled = NONE;
        let mut change = QUIET;
        if let Some(victim) = victim {
            after.squares[victim] = NONE;
            change.victim = victim as u8;
        }
        let actor = &self.actors[man];
        if actor.pawn && to / 8 == if actor.attacker { 7 } else { 0 } {
            for &becomes in &self.promotions {
                legal(after, Change { pawn: man as u8, becomes, ..change });
            }
        } else {
            legal(after, change);
        }
    }
}

fn look(table: &Solved, scene: &Scene, men: &Others) -> Worth {
    let loser_royal = scene.squares[1];
    let (word, spot) = if scene.attacker_moves {
        table.won_word(scene.squares[0], men)
    } else {
        table.lost_word(scene.squares[0], men)
    };
    if word >> loser_royal & 1 == 0 {
        return None;
    }
    if scene.attacker_moves {
        table.won_ply(spot, loser_royal)
    } else {
        table.lost_ply(spot, loser_royal)
    }
}

/// The worth of a zeroing move: behind a win that takes more than fifty moves each side, the game was
/// drawn, and it stays so before.
fn zeroed(plies: usize) -> usize {
    if plies > 100 { 101 } else { 1 }
}

fn go(from: u8, step: &Step) -> Option<u8> {
    let (file, rank) = ((from & 7) as i8 + step.dx, (from >> 3) as i8 + step.dy);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}
