//! A family of tables: everything that belongs together under one set of rules, solved once and
//! kept, from bare royals up.
//!
//! All tables are one-sided and seen from the attacker, who plays up the board. "Black wins KQ.KR"
//! is the table of attacker KR against KQ with the board turned round, so both directions of a
//! material, and all their sub-endings, are members of the same family.

mod material_key;
mod memory;
mod probe_index;

pub(crate) use material_key::MaterialKey;
pub(crate) use probe_index::ProbeResult;

use super::castling::CastlingKey;
use super::layout::{Layout, OTHERS_MAX, Others};
use super::material::{Material, MaterialError, rank};
use super::move_tables::MoveTables;
use super::retrograde::{Endgame, PlyCounts, Retention, Seed, SubTable, SubTables, Unfinished};
use super::rules::{Metric, Rules, Stalemate};
use super::solved_table::SolvedTable;
use super::store::{Compression, MappedTable};
use super::value::TableValue;
use crate::fairy::{Piece, PieceSet};
use material_key::{KeyMap, KeySides};
use probe_index::ProbeIndex;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use umbrail_chess::geometry::{Color, SymmetryGroup};
use umbrail_control::{OutOfMemory, Stopped};

/// A kind of conversion.
struct Conversion {
    /// The men afterwards.
    key: MaterialKey,
    /// It is the attacker that converts.
    ours: bool,
    /// Which of the men afterwards was a pawn.
    promoted: Option<usize>,
}

/// What is told while a family grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildEvent {
    /// Work begins; it takes so many bytes of memory at most, roughly.
    Planned {
        /// See there.
        bytes: u64,
    },
    /// A one-sided table is begun: its name seen from the winner, and its stored positions.
    Begun {
        /// The winner's men, a dot, the loser's men.
        name: String,
        /// Number of cells of one side to move.
        cells: u64,
    },
    /// A ply of it is done.
    Ply(PlyCounts),
    /// It is finished, with its longest win in plies.
    Done {
        /// See `Begun`.
        name: String,
        /// The longest win of the attacker, to move.
        longest: usize,
    },
}

/// How a builder is watched and stopped.
pub(crate) struct BuildMonitor<'a> {
    pub(crate) check: &'a (dyn Fn() -> Result<(), Stopped> + Sync),
    pub(crate) tell: &'a (dyn Fn(BuildEvent) + Sync),
    /// A folder where finished tables are kept: what is there is not computed again.
    pub(crate) folder: Option<&'a Path>,
    /// From this size on, in words, an unfinished table is kept in the folder, too.
    pub(crate) part_words: usize,
    /// Keep counts only, and of sub-tables what is needed as long as it is needed: little memory, but
    /// nothing can be probed afterwards.
    pub(crate) lean: bool,
    /// What a table may take whose distances need more room than was planned, with what is held.
    pub(crate) memory_bytes: u64,
    /// Gets each table while all of it is there; it may stop the work.
    pub(crate) finished: Option<Finished<'a>>,
}

/// Why tables were not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The builder was asked to stop.
    Stopped,
    /// A table whose distances take two bytes, which is seen while it is solved, does not fit the memory.
    OutOfMemory(OutOfMemory),
}

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// What is done with each table that is finished.
pub(crate) type Finished<'a> = &'a (dyn Fn(&TableSet, &MaterialKey) -> Result<(), Stopped> + Sync);

/// An unfinished table is written down this often.
const PART_EVERY: Duration = Duration::from_secs(60);

/// Solved tables under one set of rules.
pub(crate) struct TableSet {
    pub(crate) rules: Rules,
    kinds: Vec<Arc<Piece>>,
    orders: Vec<(usize, char, usize)>,
    move_tables: Vec<[Arc<MoveTables>; 2]>,
    promotions: Vec<usize>,
    solved: KeyMap<Arc<SolvedTable>>,
    mapped: KeyMap<Arc<MappedTable>>,
    /// Opened when somebody looks something up, and again after tables came or went.
    probe_index: OnceLock<ProbeIndex>,
    /// Values of positions with castling rights, as far as anybody asked.
    pub(crate) castled: Mutex<HashMap<CastlingKey, TableValue>>,
    /// Some positions of "White wins" have their values by decree, whatever "Black wins" says of them.
    pub(crate) seeded: bool,
}

impl TableSet {
    /// An empty family.
    ///
    /// # Errors
    /// [`MaterialError::Promotion`] when the rules name a promotion piece that the armoury lacks.
    pub(crate) fn new(rules: Rules, piece_set: &PieceSet) -> Result<Self, MaterialError> {
        let (kinds, orders) = (Vec::new(), Vec::new());
        let (move_tables, promotions) = (Vec::new(), Vec::new());
        let (solved, mapped, castled) = (HashMap::default(), HashMap::default(), Mutex::default());
        let probe_index = OnceLock::new();
        let mut table_set = Self {
            rules,
            kinds,
            orders,
            move_tables,
            promotions,
            solved,
            mapped,
            probe_index,
            castled,
            seeded: false,
        };
        for letter in table_set.rules.promotion_letters().to_owned().chars() {
            match piece_set.get(letter) {
                Some(piece) if !piece.pawn => {
                    let kind = table_set.kind(piece);
                    table_set.promotions.push(kind);
                }
                _ => return Err(MaterialError::Promotion(letter)),
            }
        }
        Ok(table_set)
    }

    /// The number of a kind of piece.
    pub(crate) fn kind(&mut self, piece: &Arc<Piece>) -> usize {
        self.known_kind(piece).unwrap_or_else(|| {
            self.orders.push((rank(piece.letter), piece.letter, self.kinds.len()));
            self.kinds.push(piece.clone());
            self.move_tables
                .push([false, true].map(|turned| Arc::new(MoveTables::new(piece, turned))));
            self.kinds.len() - 1
        })
    }

    fn known_kind(&self, piece: &Arc<Piece>) -> Option<usize> {
        // Nearly always it is the very same piece.
        let same = self.kinds.iter().position(|k| Arc::ptr_eq(k, piece));
        same.or_else(|| self.kinds.iter().position(|k| k == piece))
    }

    /// The key of "this color wins".
    pub(crate) fn key(&mut self, material: &Material, attacker: Color) -> MaterialKey {
        let mut side = |color| {
            let kinds: Vec<usize> = material.side(color).iter().map(|p| self.kind(p)).collect();
            self.sorted(kinds)
        };
        MaterialKey { attacker: side(attacker), loser: side(!attacker) }
    }

    fn sorted(&self, mut kinds: Vec<usize>) -> Vec<usize> {
        kinds[1..].sort_by_key(|&k| self.order(k));
        kinds
    }

    /// Place of a kind in the usual order of men.
    pub(crate) fn order(&self, kind: usize) -> (usize, char, usize) {
        self.orders[kind]
    }

    /// The pieces a pawn may become.
    pub(crate) fn promotions(&self) -> Vec<Arc<Piece>> {
        self.promotions.iter().map(|&k| self.kinds[k].clone()).collect()
    }

    /// The table of a key, if it is solved.
    pub(crate) fn get(&self, key: &MaterialKey) -> Option<&Arc<SolvedTable>> {
        self.solved.get(key)
    }

    /// The table of a key, if it is solved and nothing of it was left out.
    pub(crate) fn whole(&self, key: &MaterialKey) -> Option<&Arc<SolvedTable>> {
        self.get(key).filter(|table| table.is_whole)
    }

    /// The solved table, or the open file, of these men.
    pub(crate) fn of(
        &self,
        attacker: &[usize],
        loser: &[usize],
    ) -> (Option<&SolvedTable>, Option<&MappedTable>) {
        let key: &dyn KeySides = &(attacker, loser);
        let solved = self.solved.get(key).map(|table| &**table).filter(|table| table.is_whole);
        let mapped = if solved.is_some() { None } else { self.mapped.get(key) };
        (solved, mapped.map(|file| &**file))
    }

    /// Takes an open file for probing.
    pub(crate) fn insert_mapped(&mut self, key: MaterialKey, mapped: MappedTable) {
        self.probe_index.take();
        self.mapped.insert(key, Arc::new(mapped));
    }

    /// Puts a table in, for instance one that was loaded.
    pub(crate) fn insert(&mut self, key: MaterialKey, solved: Arc<SolvedTable>) {
        self.probe_index.take();
        self.solved.insert(key, solved);
    }

    /// Forgets all solved tables, and what was looked up in them.
    pub(crate) fn forget(&mut self) {
        self.probe_index.take();
        self.solved.clear();
        self.mapped.clear();
        self.castled.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The name of a table, seen from the winner.
    pub(crate) fn name(&self, key: &MaterialKey) -> String {
        let side =
            |kinds: &[usize]| kinds.iter().map(|&k| self.kinds[k].letter).collect::<String>();
        format!("{}.{}", side(&key.attacker), side(&key.loser))
    }

    /// The layout of a table.
    pub(crate) fn layout(&self, key: &MaterialKey) -> Layout {
        let group = key
            .attacker
            .iter()
            .fold(SymmetryGroup::FULL, |g, &k| g.intersection(self.kinds[k].symmetry()));
        let group =
            key.loser.iter().fold(group, |g, &k| g.intersection(self.kinds[k].symmetry_turned()));
        let side = |kinds: &[usize], shift: usize| -> Vec<(usize, bool)> {
            kinds[1..].iter().map(|&k| (k + shift, self.kinds[k].pawn)).collect()
        };
        let men = [side(&key.attacker, 0), side(&key.loser, 1 << 16)].concat();
        Layout::new(group, &men)
    }

    /// Every one-sided table that this one needs, itself last.
    pub(crate) fn closure(&self, key: &MaterialKey) -> Vec<MaterialKey> {
        let mut order = Vec::new();
        self.collect(key, &mut order);
        order
    }

    fn collect(&self, key: &MaterialKey, order: &mut Vec<MaterialKey>) {
        if order.contains(key) {
            return;
        }
        for after in self.conversions(key) {
            self.collect(&after, order);
        }
        order.push(key.clone());
    }

    /// The keys of all positions one conversion away.
    fn conversions(&self, key: &MaterialKey) -> Vec<MaterialKey> {
        self.converted(key).into_iter().map(|(after, _)| after).collect()
    }

    /// The same, each with the mark whether it is the attacker that converts.
    pub(crate) fn converted(&self, key: &MaterialKey) -> Vec<(MaterialKey, bool)> {
        self.conversions_of(key).map(|after| (after.key, after.ours)).collect()
    }

    /// All kinds of conversions.
    fn conversions_of(&self, key: &MaterialKey) -> impl Iterator<Item = Conversion> {
        let men = key.attacker.len() + key.loser.len() - 2;
        let mut all = Vec::new();
        for victim in 0..men {
            let (after, _) = self.changed(key, Some(victim), None);
            all.push(Conversion { key: after, ours: !key.is_attacker(victim), promoted: None });
        }
        for pawn in (0..men).filter(|&m| self.kinds[key.man(m)].pawn) {
            let ours = key.is_attacker(pawn);
            let victims = (0..men).filter(|&v| key.is_attacker(v) != ours).map(Some);
            for victim in std::iter::once(None).chain(victims) {
                for &promotion in &self.promotions {
                    let (after, was) = self.changed(key, victim, Some((pawn, promotion)));
                    let promoted = was.iter().position(|&man| man == pawn);
                    all.push(Conversion { key: after, ours, promoted });
                }
            }
        }
        all.into_iter()
    }

    /// The key after a conversion, and for each of its men the man it was.
    fn changed(
        &self,
        key: &MaterialKey,
        victim: Option<usize>,
        promotion: Option<(usize, usize)>,
    ) -> (MaterialKey, Vec<usize>) {
        let split = key.attacker.len() - 1;
        let men = split + key.loser.len() - 1;
        let kind = |man| match promotion {
            Some((pawn, piece)) if pawn == man => piece,
            _ => key.man(man),
        };
        let side = |range: std::ops::Range<usize>| {
            let mut list: Vec<usize> = range.filter(|&m| Some(m) != victim).collect();
            list.sort_by_key(|&m| self.order(kind(m)));
            list
        };
        let (ours, theirs) = (side(0..split), side(split..men));
        let with = |royal: usize, list: &[usize]| {
            std::iter::once(royal).chain(list.iter().map(|&m| kind(m))).collect()
        };
        let after = MaterialKey {
            attacker: with(key.attacker[0], &ours),
            loser: with(key.loser[0], &theirs),
        };
        (after, [ours, theirs].concat())
    }

    /// True when the attacker can never win, so that nothing needs to be computed: it has only its
    /// royal, which cannot give a check that the other royal would not return.
    fn never_wins(&self, key: &MaterialKey) -> bool {
        if self.rules.bare_loses && key.attacker.len() == 1 {
            return true;
        }
        key.attacker.len() == 1
            && self.rules.stalemate == Stalemate::Draw
            && self.move_tables[key.attacker[0]][0].never_checks(&self.move_tables[key.loser[0]][1])
    }

    /// Solves tables, each with what is planted in it, and everything they need. They are counted even
    /// when nobody can win. Each time that one of them is done, `done` is called; it returns those of
    /// which nobody wants counts any more.
    pub(crate) fn solve(
        &mut self,
        tops: &[(MaterialKey, Vec<Seed>)],
        monitor: &BuildMonitor<'_>,
        done: &mut (dyn FnMut(&Self) -> Vec<MaterialKey> + Send),
    ) -> Result<(), BuildError> {
        let mut counted: Vec<MaterialKey> = tops.iter().map(|(key, _)| key.clone()).collect();
        let mut members = Vec::new();
        for (key, _) in tops {
            self.collect(key, &mut members);
        }
        for (number, member) in members.iter().enumerate() {
            if monitor.lean {
                self.release_unneeded(&members, number, &counted);
            }
            let top = tops.iter().find(|(key, _)| key == member);
            // A table in which nobody can win may have been kept without its counts.
            let serves = |known: &SolvedTable| {
                known.is_whole && (top.is_none() || known.outcomes.loser_legal.full_board > 0)
            };
            if self.solved.get(member).is_some_and(|known| serves(known)) {
                continue;
            }
            let seeds: &[Seed] = top.map_or(&[], |(_, seeds)| seeds);
            // Counts of a table that goes into files are in the files.
            let counts = top.is_some() && monitor.finished.is_none();
            let mut from_folder = false;
            let solved = if self.never_wins(member) && top.is_none() {
                SolvedTable::without_wins(self.layout(member), member.attacker.len() - 1)
            } else if let Some(kept) = self.load_finished(member, seeds, monitor).filter(serves) {
                from_folder = true;
                kept
            } else {
                // What goes into a folder must be whole.
                let keep =
                    match monitor.lean && monitor.folder.is_none() && monitor.finished.is_none() {
                        false => Retention::All,
                        true => self.needed(&members[number + 1..], member, counts),
                    };
                self.compute(member, seeds, &keep, monitor)?
            };
            let fresh = solved.is_whole;
            self.probe_index.take();
            self.solved.insert(member.clone(), Arc::new(solved));
            if let (Some(folder), true, true) = (monitor.folder, fresh, seeds.is_empty()) {
                // A folder that cannot be written costs only the chance to resume.
                if !from_folder {
                    let _ = self.save(member, folder, Compression::Working);
                }
            }
            if let Some(finished) = monitor.finished {
                finished(self, member)?;
            }
            if monitor.lean && fresh {
                let keep = self.needed(&members[number + 1..], member, counts);
                self.reduce_table(member, &keep);
            }
            if top.is_some() {
                let forgotten = done(self);
                counted.retain(|key| !forgotten.contains(key));
            }
        }
        if monitor.lean {
            self.release_unneeded(&members, members.len(), &counted);
        }
        Ok(())
    }

    /// A table that an earlier, perhaps interrupted, build left in the folder.
    fn load_finished(
        &self,
        key: &MaterialKey,
        seeds: &[Seed],
        monitor: &BuildMonitor<'_>,
    ) -> Option<SolvedTable> {
        let folder = monitor.folder.filter(|_| seeds.is_empty())?;
        self.load(key, folder).ok()
    }

    fn compute(
        &self,
        key: &MaterialKey,
        seeds: &[Seed],
        keep: &Retention,
        monitor: &BuildMonitor<'_>,
    ) -> Result<SolvedTable, BuildError> {
        let layout = self.layout(key);
        let name = self.name(key);
        let cells = layout.total_words() as u64 * 64;
        (monitor.tell)(BuildEvent::Begun { name: name.clone(), cells });
        let endgame = self.endgame(key, layout, seeds);
        let tell = |level| (monitor.tell)(BuildEvent::Ply(level));
        let large = endgame.layout.total_words() >= monitor.part_words;
        let folder = monitor.folder.filter(|_| seeds.is_empty() && large);
        let mut part = folder.map(|folder| self.part(key, folder, PART_EVERY));
        let solved = match endgame.solve::<u8>(keep, monitor.check, &tell, part.as_mut()) {
            Err(Unfinished::Overflow) => {
                let needs = self.held_bytes() + memory::work_bytes(&endgame.layout, keep, true);
                let left = monitor.memory_bytes;
                if needs > left {
                    return Err(BuildError::OutOfMemory(OutOfMemory { wanted: needs, left }));
                }
                endgame.solve::<u16>(keep, monitor.check, &tell, part.as_mut())
            }
            solved => solved,
        };
        if let (Ok(_), Some(part)) = (&solved, &part) {
            part.remove();
        }
        // 65,534 plies do not overflow: each ply needs a newly decided position, and the deepest
        // six-men win known takes 523.
        let solved = solved.map_err(|_| BuildError::Stopped)?;
        let longest = solved.outcomes.won_in.len().saturating_sub(1);
        (monitor.tell)(BuildEvent::Done { name, longest });
        Ok(solved)
    }

    pub(crate) fn endgame(&self, key: &MaterialKey, layout: Layout, seeds: &[Seed]) -> Endgame {
        let attackers = key.attacker.len() - 1;
        let men = attackers + key.loser.len() - 1;
        let sub = |victim, promotion| {
            let (after, source) = self.changed(key, victim, promotion);
            self.solved.get(&after).map(|solved| SubTable { solved: solved.clone(), source })
        };
        let mut subs = SubTables::default();
        for man in 0..men {
            subs.captured.push(sub(Some(man), None));
            let pawn = self.kinds[key.man(man)].pawn;
            let become_ = |victim: Option<usize>| -> Vec<SubTable> {
                let pieces = self.promotions.iter().filter(|_| pawn);
                pieces.filter_map(|&piece| sub(victim, Some((man, piece)))).collect()
            };
            subs.promoted.push(become_(None));
            let capturing = |victim: usize| {
                if key.is_attacker(victim) == key.is_attacker(man) {
                    Vec::new()
                } else {
                    become_(Some(victim))
                }
            };
            subs.promoted_capturing.push((0..men).map(capturing).collect());
        }
        let in_rows = layout.inner.is_some() && self.rules.stalemate != Stalemate::Pass;
        Endgame {
            layout,
            attacker: self.move_tables[key.attacker[0]][0].clone(),
            loser: self.move_tables[key.loser[0]][1].clone(),
            men: (0..men)
                .map(|m| {
                    let mover = &self.move_tables[key.man(m)][usize::from(!key.is_attacker(m))];
                    let zeroing = self.rules.metric == Metric::Dtz && mover.pawn;
                    if zeroing { Arc::new(mover.zeroing()) } else { mover.clone() }
                })
                .collect(),
            attackers,
            subs,
            rules: self.rules.clone(),
            seeds: seeds.to_vec(),
            in_rows,
            keeps_wins: true,
        }
    }

    /// Sorts squares of men into the order of a key's layout. `sides` holds the kinds and squares
    /// of the attacker's and the loser's men without royals.
    pub(crate) fn arrange(&self, sides: [&mut Vec<(usize, u8)>; 2]) -> Others {
        let mut men = [0; OTHERS_MAX];
        let mut at = 0;
        for side in sides {
            side.sort_by_key(|&(kind, _)| self.order(kind));
            for &(_, square) in side.iter() {
                men[at] = square;
                at += 1;
            }
        }
        men
    }

    /// The number of a piece that the family knows.
    pub(crate) fn number(&self, piece: &Arc<Piece>) -> Option<usize> {
        self.known_kind(piece)
    }

    /// The piece of a number.
    pub(crate) fn piece(&self, kind: usize) -> &Arc<Piece> {
        &self.kinds[kind]
    }
}
