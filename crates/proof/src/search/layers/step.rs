//! From the positions of one part of a layer to those of the next one.

use crate::problem::man::{Man, MenSet};
use crate::search::depth_first::{SearchHalt, StrategySearch};
use crate::search::layers::piece::{Packer, SUBS, sort_rows};
use crate::search::layers::probe::PROBING_SHARE;
use crate::search::layers::row::RowFormat;
use crate::search::layers::task_clock::TaskClock;
use crate::search::layers::variety::Variety;
use crate::search::learn::tally::PatternTally;
use crate::search::state::moves::MoveList;
use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;
use umbrail_chess::Move;
use umbrail_chess::geometry::Color;
use umbrail_control::FastSet;

/// A piece with fewer rows is not divided. Tests have few positions, so there it is small enough for most pieces to be divided.
const DIVIDED_MIN: usize = if cfg!(test) { 3 } else { 512 };

/// The part of a step that is one task: some positions of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepShape {
    /// Half-moves played.
    pub(crate) ply: u16,
    /// Half-moves to the next layer, one or two.
    pub(crate) plies: u16,
    /// Parts of the next layer.
    pub(crate) parts: u32,
    /// The men that choose them.
    pub(crate) men: MenSet,
    /// Which slice of the positions, from 0, and of how many: a large part is more than one task.
    pub(crate) slice: [u16; 2],
    /// Of the positions of the slice, in their order, those from the first number on and before the second one.
    pub(crate) range: [u32; 2],
    /// Microseconds of processor time after which the rest is left to other tasks; 0: never.
    pub(crate) limit: u64,
}

/// All positions of a slice.
pub(crate) const WHOLE: [u32; 2] = [0, u32::MAX];

/// Which of the parts of a divided piece belong to a slice.
pub(crate) fn subs_of(slice: [u16; 2]) -> Range<usize> {
    let [slice, of] = slice.map(usize::from);
    let begin = |slice: usize| SUBS * slice / of.max(1);
    begin(slice)..begin(slice + 1)
}

impl StepShape {
    /// A step of all positions of a part.
    pub(crate) const fn whole(ply: u16, plies: u16, parts: u32, men: MenSet) -> Self {
        Self { ply, plies, parts, men, slice: [0, 1], range: WHOLE, limit: 0 }
    }

    /// The side whose men choose the part of a position at this ply: the one that does not move next.
    pub(crate) fn chooser(ply: u16) -> Color {
        if ply.is_multiple_of(2) { Color::Black } else { Color::White }
    }

    /// To which part of a divided piece a row belongs, at this ply.
    fn sub_of(format: &RowFormat, ply: u16, row: &[u8]) -> usize {
        // The low bits choose the part of the layer when all men do.
        (format.digest(row, Self::chooser(ply)) >> 40) as usize % SUBS
    }

    /// The part to which a row belongs in a layer of `parts` parts.
    pub(crate) fn part_of(format: &RowFormat, men: MenSet, row: &[u8], parts: usize) -> usize {
        (format.digest_of_men(row, men) % parts.max(1) as u64) as usize
    }
}

/// What the work on some positions found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StepResult {
    /// Moves made.
    pub(crate) moves: u64,
    /// Rows in the pieces.
    pub(crate) rows: u64,
    /// A piece for each part of the next layer.
    pub(crate) pieces: Vec<Vec<u8>>,
    /// Whether it was found that some men cannot finish their routes from the array on, so that there is no game. Then the rest is
    /// empty.
    pub(crate) refuted: bool,
    /// Positions where a game may end, with their plies.
    pub(crate) ends: BTreeSet<(u16, Vec<u8>)>,
    /// In how many ways the men of each side stand in the next layer.
    pub(crate) variety: Variety,
    /// Men that may refute positions by themselves, with what that took and refuted in this task.
    pub(crate) patterns: Vec<(MenSet, PatternTally)>,
    /// Positions that were searched, and the microseconds of processor time that it took.
    pub(crate) done: u32,
    pub(crate) micros: u64,
    /// The range that is left to other tasks, when the limit was reached.
    pub(crate) left: Option<[u32; 2]>,
}

/// The positions of a task, each once. In order, since positions that are alike share what the relaxations know.
fn rows_of(format: &RowFormat, rows: &[u8], shape: StepShape) -> Vec<u8> {
    let (width, subs) = (format.width(), subs_of(shape.slice));
    let rows = sort_rows(rows, width);
    let is_here = |row: &&[u8]| subs.contains(&StepShape::sub_of(format, shape.ply, row));
    match shape.slice {
        [_, ..=1] => rows,
        _ => rows.chunks_exact(width).filter(is_here).flatten().copied().collect(),
    }
}

/// What a step gathers.
struct Gathered {
    shape: StepShape,
    /// Positions within the step that were searched, and those of the next layer that were written.
    seen: FastSet<u128>,
    written: FastSet<u128>,
    parts: Vec<Vec<u8>>,
    row: Vec<u8>,
    result: StepResult,
}

impl StrategySearch<'_> {
    /// All positions that the positions of `pieces` lead to.
    ///
    /// *Admissible*: a position that is left out is refuted by a rule that looks at it alone, or is the same as one that is not
    /// left out.
    ///
    /// # Errors
    /// When it was stopped. None when a piece makes no sense.
    pub(crate) fn step(
        &mut self,
        format: &RowFormat,
        pieces: &[&[u8]],
        shape: StepShape,
    ) -> Result<Option<StepResult>, SearchHalt> {
        let mut clock = TaskClock::start();
        let width = format.width();
        let (mut rows, mut packer) = (vec![], Packer::new(format.widths()));
        if !pieces.iter().all(|piece| packer.unpack(piece, &mut rows)) {
            return Ok(None);
        }
        let rows = rows_of(format, &rows, shape);
        let [begin, end] = shape.range.map(|at| (at as usize).min(rows.len() / width));
        let rows = rows.get(begin * width..end * width).unwrap_or_default();
        let sets = format.sets(StepShape::chooser(shape.ply + shape.plies)).len();
        let mut gathered = Gathered {
            shape,
            seen: FastSet::default(),
            written: FastSet::default(),
            parts: vec![vec![]; shape.parts.max(1) as usize],
            row: Vec::with_capacity(width),
            result: StepResult { variety: Variety::of(sets), ..StepResult::default() },
        };
        let (before, known) = (self.moves, self.tallies());
        if let Err(halt) = self.probe(format, rows, shape.ply) {
            let pieces = gathered.parts;
            let refuted = StepResult { refuted: true, pieces, ..StepResult::default() };
            return if halt == SearchHalt::Refuted { Ok(Some(refuted)) } else { Err(halt) };
        }
        let limit = Some(shape.limit).filter(|&limit| limit > 0).map(Duration::from_micros);
        let mut done = 0;
        for row in rows.chunks_exact(width) {
            if limit.is_some_and(|limit| clock.is_enough(done, end - begin, limit)) {
                break;
            }
            match self.set_out(format, row, shape.ply) {
                Some(true) => self.walk(format, shape.ply + shape.plies, &mut gathered)?,
                Some(false) => {}
                None => return Ok(None),
            }
            done += 1;
        }
        let Gathered { parts, mut result, .. } = gathered;
        result.moves = self.moves - before;
        self.probing += result.moves / PROBING_SHARE;
        let so_far = |men: MenSet| known.iter().find(|one| one.0 == men).map(|one| one.1);
        let since = |(men, tally): (MenSet, PatternTally)| {
            (men, tally.since(so_far(men).unwrap_or_default()))
        };
        result.patterns = self.tallies().into_iter().map(since).collect();
        result.rows = parts.iter().map(|rows| rows.len() / width).sum::<usize>() as u64;
        let next = shape.ply + shape.plies;
        let pack = |rows: &Vec<u8>| match rows.len() / width {
            DIVIDED_MIN.. => packer.pack_divided(rows, |row| StepShape::sub_of(format, next, row)),
            _ => packer.pack(rows),
        };
        result.pieces = parts.iter().map(pack).collect();
        result.done = done as u32;
        result.left = (begin + done < end).then_some([(begin + done) as u32, end as u32]);
        result.micros = clock.spent().as_micros() as u64;
        Ok(Some(result))
    }

    /// Makes a row the present position, behind `ply` half-moves that are not known. False when it is refuted; none when it is no
    /// row of this case.
    pub(super) fn set_out(&mut self, format: &RowFormat, row: &[u8], ply: u16) -> Option<bool> {
        let turn = if ply.is_multiple_of(2) { Color::White } else { Color::Black };
        let script = self.script();
        let board = format.read(script, row, turn)?;
        Some(self.place(board, ply))
    }

    fn walk(
        &mut self,
        format: &RowFormat,
        end: u16,
        gathered: &mut Gathered,
    ) -> Result<(), SearchHalt> {
        let depth = self.depth();
        let (shape, key) = (gathered.shape, self.board.key);
        if depth > shape.ply {
            let script = self.script();
            if self.may_end_here() {
                let mut row = vec![];
                format.write(script, &self.board, &mut row);
                gathered.result.ends.insert((depth, row));
            }
            if depth == self.plies() {
                return Ok(());
            }
            if depth == end {
                if !self.is_known_to_fail() && gathered.written.insert(key) {
                    let row = &mut gathered.row;
                    row.clear();
                    format.write(script, &self.board, row);
                    let variety = &mut gathered.result.variety;
                    for color in Color::ALL {
                        variety.add(color, format.digest(row, color));
                    }
                    for (at, &men) in format.sets(StepShape::chooser(depth)).iter().enumerate() {
                        variety.add_set(at, format.digest_of_men(row, men));
                    }
                    let (men, parts) = (gathered.shape.men, gathered.parts.len());
                    let part = StepShape::part_of(format, men, row, parts);
                    gathered.parts[part].extend_from_slice(row);
                }
                return Ok(());
            }
            if !gathered.seen.insert(key) {
                return Ok(());
            }
        }
        let mut choices = MoveList::new();
        self.list(&mut choices);
        for choice in &choices {
            self.count_move()?;
            let made = self.make(choice);
            let below = if made.alive { self.walk(format, end, gathered) } else { Ok(()) };
            self.unmake(choice, &made.undo);
            below?;
        }
        Ok(())
    }

    /// The ways from a position to another one, one or two half-moves later.
    ///
    /// # Errors
    /// When it was stopped.
    pub(crate) fn ways(
        &mut self,
        format: &RowFormat,
        (from, ply): (&[u8], u16),
        (to, end): (&[u8], u16),
    ) -> Result<Vec<Vec<Move>>, SearchHalt> {
        let mut ways = vec![];
        let white = |ply: u16| ply.div_ceil(2);
        let black = |ply: u16| ply / 2;
        let plies = [white(end) - white(ply), black(end) - black(ply)];
        if let Some(movers) = format.movers(from, to, plies)
            && self.set_out(format, from, ply) == Some(true)
        {
            self.find_ways(format, (ply, movers), (to, end), &mut ways)?;
        }
        Ok(ways)
    }

    fn find_ways(
        &mut self,
        format: &RowFormat,
        (begin, movers): (u16, MenSet),
        (to, end): (&[u8], u16),
        ways: &mut Vec<Vec<Move>>,
    ) -> Result<(), SearchHalt> {
        if self.depth() == end {
            let mut row = Vec::with_capacity(to.len());
            format.write(self.script(), &self.board, &mut row);
            if row == to {
                ways.push(self.path_from(begin));
            }
            return Ok(());
        }
        let mut choices = MoveList::new();
        self.list(&mut choices);
        for choice in choices.iter().filter(|choice| movers.contains(Man::new(choice.man))) {
            self.count_move()?;
            let made = self.make(choice);
            let below = match made.alive {
                true => self.find_ways(format, (begin, movers), (to, end), ways),
                false => Ok(()),
            };
            self.unmake(choice, &made.undo);
            below?;
        }
        Ok(())
    }
}
