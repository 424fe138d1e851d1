//! Tasks and answers as bytes.
//!
//! A text is followed by blobs, each behind its length. A checksum ends both, so damage on the way is noticed.

use crate::problem::man::MenSet;
use crate::search::layers::step::{StepResult, StepShape};
use crate::search::layers::variety::Variety;
use crate::search::learn::tally::PatternTally;
use crate::search::split::left_case::LeftCase;
use crate::strategy::Strategy;
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_64;

/// By which a strategy is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberInRun {
    /// The part of the run.
    pub(crate) part: u16,
    /// The claim.
    pub(crate) claim: u64,
    /// The strategy within the unit that has found it.
    pub(crate) index: u32,
}

/// What tasks have in common that belong to the same case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaseOfTask {
    /// The number of the strategy in the run.
    pub(crate) number: NumberInRun,
    /// The strategy.
    pub(crate) strategy: Strategy,
    /// Its case.
    pub(crate) case: LeftCase,
    /// Which of the plans of the case.
    pub(crate) plan: u32,
    /// A digest of what rows mean there.
    pub(crate) digest: u64,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LayerTask {
    pub(crate) case: CaseOfTask,
    pub(crate) shape: StepShape,
    /// Men that often refute positions by themselves.
    pub(crate) patterns: Vec<MenSet>,
    /// The positions.
    pub(crate) pieces: Vec<Vec<u8>>,
}

fn push(bytes: &mut Vec<u8>, blob: &[u8]) {
    bytes.extend((blob.len() as u32).to_le_bytes());
    bytes.extend(blob);
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = xxh3_64(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The blobs of a sealed message; none when it was damaged.
fn blobs(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (mut rest, sum) = bytes.split_last_chunk()?;
    if u64::from_le_bytes(*sum) != xxh3_64(rest) {
        return None;
    }
    let mut blobs = vec![];
    while let Some((length, behind)) = rest.split_first_chunk() {
        let (blob, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        blobs.push(blob);
        rest = behind;
    }
    rest.is_empty().then_some(blobs)
}

/// Reads what a worker tells of patterns: men, positions tested, refuted, moves.
fn read_tallies(text: &str) -> Option<Vec<(MenSet, PatternTally)>> {
    let tally = |word: &str| {
        let words: Vec<&str> = word.split('-').collect();
        let [men, tested, refuted, moves] = words.as_slice() else { return None };
        let men = u32::from_str_radix(men, 16).ok().map(MenSet)?;
        let (tested, refuted) = (tested.parse().ok()?, refuted.parse().ok()?);
        Some((men, PatternTally { tested, refuted, moves: moves.parse().ok()? }))
    };
    text.split(',').filter(|word| !word.is_empty()).map(tally).collect()
}

fn patterns_text(patterns: &[MenSet]) -> String {
    patterns.iter().map(|men| format!("{:x}", men.0)).collect::<Vec<_>>().join(",")
}

fn read_patterns(text: &str) -> Option<Vec<MenSet>> {
    let men = |word: &str| u32::from_str_radix(word, 16).ok().map(MenSet);
    text.split(',').filter(|word| !word.is_empty()).map(men).collect()
}

impl LayerTask {
    /// Its bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Self { case, shape, patterns, pieces } = self;
        let text = format!(
            "{} {} {} {} {} {:016x} {} {} {} {:x} {} {} {} {} {} {}\n{}",
            case.number.part,
            case.number.claim,
            case.number.index,
            case.case,
            case.plan,
            case.digest,
            shape.ply,
            shape.plies,
            shape.parts,
            shape.men.0,
            shape.slice[0],
            shape.slice[1],
            shape.range[0],
            shape.range[1],
            shape.limit,
            patterns_text(patterns),
            case.strategy
        );
        let mut bytes = vec![];
        push(&mut bytes, text.as_bytes());
        pieces.iter().for_each(|piece| push(&mut bytes, piece));
        sealed(bytes)
    }

    /// Reads a task; none when it makes no sense.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let blobs = blobs(bytes)?;
        let (text, pieces) = blobs.split_first()?;
        let (line, strategy) = std::str::from_utf8(text).ok()?.split_once('\n')?;
        let words: Vec<&str> = line.split(' ').collect();
        let [part, claim, index, case, plan, digest, shape @ .., patterns] = words.as_slice()
        else {
            return None;
        };
        let [ply, plies, parts, men, slice, slices, begin, end, limit] = shape else { return None };
        Some(Self {
            case: CaseOfTask {
                number: NumberInRun {
                    part: part.parse().ok()?,
                    claim: claim.parse().ok()?,
                    index: index.parse().ok()?,
                },
                strategy: strategy.parse().ok()?,
                case: case.parse().ok()?,
                plan: plan.parse().ok()?,
                digest: u64::from_str_radix(digest, 16).ok()?,
            },
            shape: StepShape {
                ply: ply.parse().ok()?,
                plies: plies.parse().ok().filter(|plies| (1..=2).contains(plies))?,
                parts: parts.parse().ok()?,
                men: MenSet(u32::from_str_radix(men, 16).ok()?),
                slice: [slice.parse().ok()?, slices.parse().ok()?],
                range: [begin.parse().ok()?, end.parse().ok()?],
                limit: limit.parse().ok()?,
            },
            patterns: read_patterns(patterns)?,
            pieces: pieces.iter().map(|piece| piece.to_vec()).collect(),
        })
    }
}

/// The bytes of an answer.
pub(crate) fn answer_bytes(result: &StepResult) -> Vec<u8> {
    let ends: Vec<String> = result.ends.iter().map(|(ply, _)| ply.to_string()).collect();
    let text = |(men, tally): &(MenSet, PatternTally)| {
        format!("{:x}-{}-{}-{}", men.0, tally.tested, tally.refuted, tally.moves)
    };
    let patterns: Vec<String> = result.patterns.iter().map(text).collect();
    let (moves, rows) = (result.moves, result.rows);
    let refuted = u8::from(result.refuted);
    let (ends, patterns) = (ends.join(","), patterns.join(","));
    let left = result.left.map(|[begin, end]| format!("{begin}-{end}")).unwrap_or_default();
    let (done, micros) = (result.done, result.micros);
    let text = format!("{moves} {rows} {refuted} {done} {micros} {left} {ends} {patterns}");
    let mut bytes = vec![];
    push(&mut bytes, text.as_bytes());
    push(&mut bytes, &result.variety.bytes());
    result.ends.iter().for_each(|(_, row)| push(&mut bytes, row));
    // Most parts are not reached by one task.
    let reached = (0..).zip(&result.pieces).filter(|(_, piece)| !piece.is_empty());
    for (part, piece) in reached {
        let part: u32 = part;
        push(&mut bytes, &[&part.to_le_bytes(), piece.as_slice()].concat());
    }
    sealed(bytes)
}

/// Reads the answer to a task with this shape; none when it makes no sense.
pub(crate) fn read_answer(bytes: &[u8], shape: StepShape) -> Option<StepResult> {
    let blobs = blobs(bytes)?;
    let [text, variety, blobs @ ..] = blobs.as_slice() else { return None };
    let words: Vec<&str> = std::str::from_utf8(text).ok()?.split(' ').collect();
    let [moves, rows, refuted, done, micros, left, ends, patterns] = words.as_slice() else {
        return None;
    };
    let left = match left.split_once('-') {
        Some((begin, end)) => Some([begin.parse().ok()?, end.parse().ok()?]),
        None => None,
    };
    let (variety, patterns) = (Variety::read(variety)?, read_tallies(patterns)?);
    let ends = ends.split(',').filter(|word| !word.is_empty());
    let ends: Vec<u16> = ends.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let (rows_of_ends, reached) = blobs.split_at_checked(ends.len())?;
    let mut pieces = vec![vec![]; shape.parts.max(1) as usize];
    for blob in reached {
        let (part, piece) = blob.split_first_chunk()?;
        *pieces.get_mut(u32::from_le_bytes(*part) as usize)? = piece.to_vec();
    }
    let ends: BTreeSet<(u16, Vec<u8>)> =
        ends.into_iter().zip(rows_of_ends.iter().map(|row| row.to_vec())).collect();
    let is_right =
        ends.iter().all(|(ply, _)| (shape.ply + 1..=shape.ply + shape.plies).contains(ply));
    let (moves, rows) = (moves.parse().ok()?, rows.parse().ok()?);
    let (done, micros) = (done.parse().ok()?, micros.parse().ok()?);
    let refuted = *refuted == "1";
    is_right.then_some(StepResult {
        moves,
        rows,
        refuted,
        pieces,
        ends,
        variety,
        patterns,
        done,
        micros,
        left,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_of, project};

    #[test]
    fn tasks_and_answers_are_read_as_they_are_written_and_damage_is_noticed() {
        let strategy = project(&game_of("e4 d5 exd5 Qxd5 Nc3 Qd8").unwrap()).unwrap();
        let (men, slice, range) = (MenSet(0x0f00_0000), [1, 3], [5, 70]);
        let shape = StepShape { ply: 4, plies: 2, parts: 3, men, slice, range, limit: 900 };
        let case = CaseOfTask {
            number: NumberInRun { part: 2, claim: 1 << 40, index: 6 },
            strategy,
            case: "2:0.1.0/17-0-28!6-ff".parse().unwrap(),
            plan: 1,
            digest: 77,
        };
        let pieces = vec![vec![1, 2, 3], vec![], vec![4]];
        let patterns = vec![MenSet(0x8001), MenSet(3)];
        let task = LayerTask { case, shape, patterns, pieces: pieces.clone() };
        let bytes = task.bytes();
        assert_eq!(LayerTask::read(&bytes), Some(task));
        let ends = [(5, vec![1, 1]), (6, vec![9, 9])].into_iter().collect();
        let mut variety = Variety::default();
        variety.add(umbrail_chess::geometry::Color::Black, 1 << 40);
        let patterns = vec![(MenSet(0x10001), PatternTally { tested: 7, refuted: 3, moves: 99 })];
        let (moves, rows, refuted, left) = (12, 7, true, Some([9, 70]));
        let result = StepResult {
            moves,
            rows,
            refuted,
            pieces,
            ends,
            variety,
            patterns,
            done: 4,
            micros: 950,
            left,
        };
        let answer = answer_bytes(&result);
        let whole = StepResult { left: None, ..result.clone() };
        assert_eq!(read_answer(&answer_bytes(&whole), shape), Some(whole));
        assert_eq!(read_answer(&answer, shape), Some(result));
        assert_eq!(read_answer(&answer, StepShape { parts: 2, ..shape }), None);
        assert_eq!(read_answer(&answer, StepShape { ply: 6, ..shape }), None);
        for (at, _) in bytes.iter().enumerate() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert_eq!(LayerTask::read(&wrong), None, "{at}");
            assert_eq!(LayerTask::read(&bytes[..at]), None);
        }
    }
}
