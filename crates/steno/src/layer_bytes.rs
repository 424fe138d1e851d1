//! Binary format of layers for saved searches: little-endian, with a checksum.

use super::checkpoint_error::CheckpointError;
use super::count::GameCounts;
use super::game_history::GameHistory;
use super::layer::{Layer, NodeIndex, ParentLink, SHARDS, Shard, StackedLayer};
use num_bigint::BigUint;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_chess::{PackedPosition, Position, Role};

/// First line of the file of an unfinished search.
pub(super) const UNFINISHED: &str = "umbrail steno unfinished 1";

/// Writes a head of text lines, an empty line, the layers, the output of `more`, and a checksum of
/// all that.
pub(super) fn to_bytes(
    head: &[&str],
    stacked_layers: &[StackedLayer],
    more: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let mut out = head.join("\n").into_bytes();
    out.extend(b"\n\n");
    put_layers(&mut out, stacked_layers);
    more(&mut out);
    let sum = checksum(&out);
    put(&mut out, sum);
    out
}

/// Writes the number of layers, and the layers.
pub(super) fn put_layers(out: &mut Vec<u8>, stacked_layers: &[StackedLayer]) {
    put(out, stacked_layers.len() as u64);
    for stacked in stacked_layers {
        put(out, stacked.parents.start as u64);
        put(out, stacked.parents.end as u64);
        stacked.layer.shards.iter().for_each(|shard| put_shard(out, shard));
    }
}

/// Returns the lines of the head, and a reader of the data after them.
pub(super) fn opened<'a>(
    bytes: &'a [u8],
    magic: &str,
) -> Result<(Vec<&'a str>, ByteReader<'a>), CheckpointError> {
    use CheckpointError::{Damaged, NotOne};
    if !bytes.starts_with(magic.as_bytes()) {
        return Err(NotOne);
    }
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Damaged("it is cut off"))?;
    if u64::from_le_bytes(*sum) != checksum(body) {
        return Err(Damaged("its checksum is wrong"));
    }
    let end = body.windows(2).position(|pair| pair == b"\n\n").ok_or(Damaged("no head"))?;
    let head = std::str::from_utf8(&body[..end]).map_err(|_| Damaged("its header is not text"))?;
    Ok((head.lines().collect(), ByteReader { rest: &body[end + 2..] }))
}

/// Parses layers of a game that begins at a position; at most one more than turns.
pub(super) fn layers(
    reader: &mut ByteReader<'_>,
    start: &Position,
    turns: usize,
) -> Result<Vec<StackedLayer>, CheckpointError> {
    use CheckpointError::Damaged;
    let stacked_layers = more_layers(reader, start, turns, Vec::new())?;
    match stacked_layers.first() {
        Some(first) if first.layer.len() == 1 => Ok(stacked_layers),
        _ => Err(Damaged("its number of layers")),
    }
}

/// Parses further layers on top of others.
pub(super) fn more_layers(
    reader: &mut ByteReader<'_>,
    start: &Position,
    turns: usize,
    mut stacked_layers: Vec<StackedLayer>,
) -> Result<Vec<StackedLayer>, CheckpointError> {
    use CheckpointError::Damaged;
    let (below, count) = (stacked_layers.len(), reader.number()?);
    if count > (turns + 1).saturating_sub(below) {
        return Err(Damaged("its number of layers"));
    }
    for at in below..below + count {
        let turn = if at % 2 == 0 { start.turn() } else { !start.turn() };
        let parents = reader.number()?..reader.number()?;
        let previous = stacked_layers.last().map(|stacked| &*stacked.layer);
        let shards = (0..SHARDS)
            .map(|_| reader.shard(turn, previous))
            .collect::<Result<Vec<Shard>, CheckpointError>>()?;
        if parents.start > parents.end || parents.end > previous.map_or(0, Layer::len) {
            return Err(Damaged("a range of parents"));
        }
        stacked_layers.push(StackedLayer { layer: Arc::new(Layer::new(shards)), parents });
    }
    Ok(stacked_layers)
}

pub(super) fn put(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn put_shard(out: &mut Vec<u8>, shard: &Shard) {
    put(out, shard.boards.len() as u64);
    let big = matches!(shard.counts, GameCounts::Big(_));
    put(out, u64::from(!shard.histories.is_empty()) | u64::from(big) << 1);
    shard.boards.iter().flat_map(|board| board.0).for_each(|word| put(out, word));
    shard.histories.iter().for_each(|history| out.extend(history.0.to_le_bytes()));
    for link in &shard.links {
        out.extend(link.parent.0.to_le_bytes());
        out.extend(link.mv.to_le_bytes());
    }
    match &shard.counts {
        GameCounts::Small(counts) => counts.iter().for_each(|&count| put(out, count)),
        GameCounts::Big(counts) => {
            for count in counts {
                let bytes = count.to_bytes_le();
                put(out, bytes.len() as u64);
                out.extend(bytes);
            }
        }
    }
}

/// Computes a checksum, which detects damage but not forgery.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0xCBF2_9CE4_8422_2325u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^= sum >> 29;
    }
    sum
}

/// Parser of numbers and layers from bytes.
pub(super) struct ByteReader<'a> {
    pub(super) rest: &'a [u8],
}

impl ByteReader<'_> {
    /// Checks that no data follows.
    pub(super) fn end(&self) -> Result<(), CheckpointError> {
        match self.rest {
            [] => Ok(()),
            _ => Err(CheckpointError::Damaged("its length")),
        }
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<&[u8], CheckpointError> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or(CheckpointError::Damaged("it is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    pub(super) fn word(&mut self) -> Result<u64, CheckpointError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(super) fn number(&mut self) -> Result<usize, CheckpointError> {
        usize::try_from(self.word()?).map_err(|_| CheckpointError::Damaged("a number"))
    }

    fn shard(&mut self, turn: Color, previous: Option<&Layer>) -> Result<Shard, CheckpointError> {
        use CheckpointError::Damaged;
        let count = self.number()?;
        let flags = self.word()?;
        // Each position takes at least 40 bytes, so nothing larger than the file is allocated.
        if count > self.rest.len() / 40 || flags > 3 {
            return Err(Damaged("the size of a shard"));
        }
        let mut boards = Vec::with_capacity(count);
        for _ in 0..count {
            let board = PackedPosition([self.word()?, self.word()?, self.word()?, self.word()?]);
            if !is_sane(board, turn) {
                return Err(Damaged("a position"));
            }
            boards.push(board);
        }
        let mut histories = Vec::new();
        if flags & 1 != 0 {
            for _ in 0..count {
                histories.push(GameHistory(u128::from_le_bytes(self.array()?)));
            }
        }
        let mut links = Vec::with_capacity(count);
        for _ in 0..count {
            let parent = NodeIndex(u32::from_le_bytes(self.array()?));
            let (shard, at) = parent.split();
            if previous.is_some_and(|previous| at >= previous.shards[shard].boards.len()) {
                return Err(Damaged("a parent"));
            }
            links.push(ParentLink { parent, mv: u16::from_le_bytes(self.array()?) });
        }
        let mut counts = GameCounts::new(flags & 2 != 0);
        for _ in 0..count {
            match &mut counts {
                GameCounts::Small(counts) => counts.push(self.word()?),
                GameCounts::Big(counts) => {
                    let bytes = self.number()?;
                    counts.push(BigUint::from_bytes_le(self.bytes(bytes)?));
                }
            }
        }
        Ok(Shard { boards, histories, links, counts })
    }
}

/// Returns true if the rules of chess can be applied to the position.
fn is_sane(board: PackedPosition, turn: Color) -> bool {
    let position = board.unpack(turn);
    let one_king = |color: Color| position.pieces(color, Role::King).len() == 1;
    let ends = Bitboard::rank(0) | Bitboard::rank(7);
    Color::ALL.into_iter().all(one_king)
        && (position.by_role(Role::Pawn) & ends).is_empty()
        && !position.is_attacked(position.king(!turn), turn, position.occupied())
}
