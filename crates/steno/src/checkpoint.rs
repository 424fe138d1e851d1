//! Saved searches: up to a `$`, or up to the turn where two stenos begin to differ.
//!
//! A [`Checkpoint`] is what `$` saves. While a steno contains `$`, the turns up to it are searched
//! without any knowledge of the turns behind it, and everything that later marks might ask of the
//! past is kept; so the later marks can be changed freely.
//!
//! A [`ReusableLayers`] holds the layers of a finished search. The next search uses them again
//! as far as it would compute the same ones: same filters, same demands from later
//! marks, same things kept. So they can neither change a result nor cost time.
//!
//! The file: a head of text lines (magic and version, vocabulary, `strict` or `usual`, FEN, the
//! string so far), an empty line, the layers in little-endian binary, and a checksum of all that.

use super::compiled_steno::CompiledSteno;
use super::count::GameCounts;
use super::game_history::GameHistory;
use super::layer::{Layer, NodeIndex, ParentLink, SHARDS, Shard, StackedLayer};
use super::{Steno, StenoError, StenoRequest, Vocabulary};
use num_bigint::BigUint;
use std::fmt;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color, Setup};
use umbrail_chess::{PackedPosition, Position, Role};

/// The layers of a search up to its `$`.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The vocabulary of the string.
    pub(crate) vocabulary: Vocabulary,
    /// Whether `+` excludes mates.
    pub(crate) strict: bool,
    /// Where the game starts.
    pub(crate) start: Position,
    /// The string up to `$`, in usual characters.
    pub(crate) prefix: String,
    pub(super) stacked_layers: Vec<StackedLayer>,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// The bytes are no checkpoint file, or of another version.
    NotOne,
    /// The file is damaged; here is what is wrong.
    Damaged(&'static str),
    /// The steno does not begin with `$`.
    NoDollar,
    /// The steno is written in another vocabulary than the checkpoint.
    Vocabulary {
        /// The checkpoint's.
        saved: Vocabulary,
        /// The steno's.
        wanted: Vocabulary,
    },
    /// The checkpoint was made with the other reading of `+`.
    Strictness,
    /// The game starts elsewhere; here is where the checkpoint's does.
    Start(String),
    /// The rest of the string cannot be read.
    Steno(StenoError),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOne => write!(f, "no checkpoint of this program's version"),
            Self::Damaged(what) => write!(f, "the checkpoint is damaged: {what}"),
            Self::NoDollar => write!(f, "expected '$' at the beginning"),
            Self::Vocabulary { saved, wanted } => write!(
                f,
                "the checkpoint is of the {saved} vocabulary, the steno of the {wanted} one"
            ),
            Self::Strictness => write!(f, "the checkpoint reads '+' in the other way"),
            Self::Start(fen) => write!(f, "the checkpoint's game starts from {fen}"),
            Self::Steno(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CheckpointError {}

#[cfg(test)]
impl Checkpoint {
    /// Number of turns that are saved.
    pub(crate) fn turns(&self) -> usize {
        self.stacked_layers.len() - 1
    }

    /// Number of positions after the last saved turn.
    pub(crate) fn positions(&self) -> usize {
        self.stacked_layers.last().map_or(0, |stacked| stacked.layer.len())
    }
}

/// A request that continues from a checkpoint: `text` begins with `$`.
///
/// # Errors
/// A [`CheckpointError`] when the two do not belong together.
pub fn resume(
    text: &str,
    vocabulary: Vocabulary,
    strict: bool,
    start: &Position,
    checkpoint: &Arc<Checkpoint>,
) -> Result<StenoRequest, CheckpointError> {
    let rest = Steno::parse(text, vocabulary).map_err(CheckpointError::Steno)?;
    if !rest.resumes {
        return Err(CheckpointError::NoDollar);
    }
    if checkpoint.vocabulary != vocabulary {
        let saved = checkpoint.vocabulary;
        return Err(CheckpointError::Vocabulary { saved, wanted: vocabulary });
    }
    if checkpoint.strict != strict {
        return Err(CheckpointError::Strictness);
    }
    if checkpoint.start != *start {
        return Err(CheckpointError::Start(checkpoint.start.to_string()));
    }
    let mut steno = Steno::parse(&checkpoint.prefix, vocabulary).map_err(CheckpointError::Steno)?;
    steno.turns.iter_mut().for_each(|turn| turn.checkpoint = false);
    if rest.checkpoint().is_none()
        && let Some(last) = steno.turns.last_mut()
    {
        last.checkpoint = true;
    }
    let tail: String = rest.to_string().chars().filter(|&symbol| symbol != '$').collect();
    let text = format!("{}{tail}", checkpoint.prefix);
    steno.turns.extend(rest.turns);
    if strict {
        steno = steno.strict();
    }
    let resume = Some(Arc::clone(checkpoint));
    Ok(StenoRequest {
        steno,
        text,
        strict,
        start: *start,
        intended: None,
        resume,
        reusable_layers: None,
    })
}

/// The layers of a finished search and the compiled steno by which they were made.
#[derive(Clone, Debug)]
pub struct ReusableLayers {
    pub(super) compiled: CompiledSteno,
    pub(super) stacked_layers: Vec<StackedLayer>,
}

impl ReusableLayers {
    /// The layers that a search of this compiled steno would make again.
    pub(super) fn common(&self, compiled: &CompiledSteno) -> &[StackedLayer] {
        let old = &self.compiled;
        if old.start != compiled.start || old.state_masks[0] != compiled.state_masks[0] {
            return &[];
        }
        let same = |turn: usize| {
            turn < compiled.len()
                && old.filters[turn] == compiled.filters[turn]
                && old.counts_men[turn] == compiled.counts_men[turn]
                && old.state_masks[turn + 1] == compiled.state_masks[turn + 1]
                && old.lookaheads[turn + 1] == compiled.lookaheads[turn + 1]
        };
        let turns = (0..self.stacked_layers.len() - 1).take_while(|&turn| same(turn)).count();
        &self.stacked_layers[..=turns]
    }
}

const MAGIC: &str = "umbrail steno checkpoint 1";

impl Checkpoint {
    /// The checkpoint as the contents of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let strict = if self.strict { "strict" } else { "usual" };
        let head = [MAGIC, self.vocabulary.name(), strict, &self.start.to_string(), &self.prefix];
        let mut out = head.join("\n").into_bytes();
        out.extend(b"\n\n");
        put(&mut out, self.stacked_layers.len() as u64);
        for stacked in &self.stacked_layers {
            put(&mut out, stacked.parents.start as u64);
            put(&mut out, stacked.parents.end as u64);
            stacked.layer.shards.iter().for_each(|shard| put_shard(&mut out, shard));
        }
        let sum = checksum(&out);
        put(&mut out, sum);
        out
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// [`CheckpointError::NotOne`] and [`CheckpointError::Damaged`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        use CheckpointError::{Damaged, NotOne};
        if !bytes.starts_with(MAGIC.as_bytes()) {
            return Err(NotOne);
        }
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Damaged("it is cut off"))?;
        if u64::from_le_bytes(*sum) != checksum(body) {
            return Err(Damaged("its checksum is wrong"));
        }
        let end = body.windows(2).position(|pair| pair == b"\n\n").ok_or(Damaged("no head"))?;
        let head = std::str::from_utf8(&body[..end]).map_err(|_| Damaged("its head is no text"))?;
        let lines: Vec<&str> = head.lines().collect();
        let [MAGIC, vocabulary, strict, fen, prefix] = lines[..] else { return Err(NotOne) };
        let vocabulary = Vocabulary::from_name(vocabulary).ok_or(Damaged("its vocabulary"))?;
        let setup: Setup = fen.parse().map_err(|_| Damaged("its FEN"))?;
        let start = Position::try_from(&setup).map_err(|_| Damaged("its start position"))?;
        let steno = Steno::parse(prefix, vocabulary).map_err(CheckpointError::Steno)?;
        let mut reader = ByteReader { rest: &body[end + 2..] };
        let count = reader.number()?;
        if count != steno.turns.len() + 1 {
            return Err(Damaged("its number of layers"));
        }
        let mut stacked_layers: Vec<StackedLayer> = Vec::with_capacity(count);
        for at in 0..count {
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
        if !reader.rest.is_empty() || stacked_layers[0].layer.len() != 1 {
            return Err(Damaged("its length"));
        }
        let prefix = prefix.to_owned();
        Ok(Self { vocabulary, strict: strict == "strict", start, prefix, stacked_layers })
    }
}

fn put(out: &mut Vec<u8>, number: u64) {
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

/// Detects damage, not forgery.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0xCBF2_9CE4_8422_2325u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^= sum >> 29;
    }
    sum
}

struct ByteReader<'a> {
    rest: &'a [u8],
}

impl ByteReader<'_> {
    fn bytes(&mut self, count: usize) -> Result<&[u8], CheckpointError> {
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

    fn word(&mut self) -> Result<u64, CheckpointError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn number(&mut self) -> Result<usize, CheckpointError> {
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

/// What the rules of chess need in order to be applied at all.
fn is_sane(board: PackedPosition, turn: Color) -> bool {
    let position = board.unpack(turn);
    let one_king = |color: Color| position.pieces(color, Role::King).len() == 1;
    let ends = Bitboard::rank(0) | Bitboard::rank(7);
    Color::ALL.into_iter().all(one_king)
        && (position.by_role(Role::Pawn) & ends).is_empty()
        && !position.is_attacked(position.king(!turn), turn, position.occupied())
}
