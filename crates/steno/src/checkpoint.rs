//! Where a search left off: at a `$`, or wherever two stenos begin to differ.
//!
//! A [`Checkpoint`] is what `$` saves. While a steno contains `$`, the turns up to it are searched
//! without any knowledge of the turns behind it, and everything that later marks might ask of the
//! past is kept; so the later marks can be changed freely.
//!
//! A [`Trail`] is what a finished search leaves behind without being asked. Its layers are used again
//! as far as the next search would make the very same ones: same filters, same demands from later
//! marks, same things kept. So it can neither change an answer nor cost time.
//!
//! The file: a head of text lines (magic and version, vocabulary, `strict` or `usual`, FEN, the
//! string so far), an empty line, the layers in little-endian binary, and a checksum of all that.

use super::count::Counts;
use super::layer::{Layer, Link, Place, SHARDS, Shard};
use super::past::Past;
use super::plan::Plan;
use super::search::Floor;
use super::{Request, Steno, StenoError, Vocabulary};
use num_bigint::BigUint;
use std::fmt;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color, Setup};
use umbrail_chess::{Packed, Position, Role};

/// The layers of a search up to its `$`.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The vocabulary of the string.
    pub vocabulary: Vocabulary,
    /// Whether `+` excludes mates.
    pub strict: bool,
    /// Where the game starts.
    pub start: Position,
    /// The string up to `$`, in usual characters.
    pub prefix: String,
    pub(super) floors: Vec<Floor>,
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

impl Checkpoint {
    /// Number of turns that are saved.
    pub fn turns(&self) -> usize {
        self.floors.len() - 1
    }

    /// Number of positions after the last saved turn.
    pub fn positions(&self) -> usize {
        self.floors.last().map_or(0, |floor| floor.layer.len())
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
) -> Result<Request, CheckpointError> {
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
    Ok(Request { steno, text, strict, start: *start, intended: None, resume, trail: None })
}

/// The layers of a finished search and the plan by which they were made.
#[derive(Clone, Debug)]
pub struct Trail {
    pub(super) plan: Plan,
    pub(super) floors: Vec<Floor>,
}

impl Trail {
    /// The layers that a search by this plan would make again.
    pub(super) fn common(&self, plan: &Plan) -> &[Floor] {
        let old = &self.plan;
        if old.start != plan.start || old.keep[0] != plan.keep[0] {
            return &[];
        }
        let same = |turn: usize| {
            turn < plan.len()
                && old.filters[turn] == plan.filters[turn]
                && old.history[turn] == plan.history[turn]
                && old.keep[turn + 1] == plan.keep[turn + 1]
                && old.watch[turn + 1] == plan.watch[turn + 1]
        };
        let turns = (0..self.floors.len() - 1).take_while(|&turn| same(turn)).count();
        &self.floors[..=turns]
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
        put(&mut out, self.floors.len() as u64);
        for floor in &self.floors {
            put(&mut out, floor.parents.start as u64);
            put(&mut out, floor.parents.end as u64);
            floor.layer.shards.iter().for_each(|shard| put_shard(&mut out, shard));
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
        let mut reader = Reader { rest: &body[end + 2..] };
        let count = reader.number()?;
        if count != steno.turns.len() + 1 {
            return Err(Damaged("its number of layers"));
        }
        let mut floors: Vec<Floor> = Vec::with_capacity(count);
        for at in 0..count {
            let turn = if at % 2 == 0 { start.turn() } else { !start.turn() };
            let parents = reader.number()?..reader.number()?;
            let below = floors.last().map(|floor| &*floor.layer);
            let shards = (0..SHARDS)
                .map(|_| reader.shard(turn, below))
                .collect::<Result<Vec<Shard>, CheckpointError>>()?;
            if parents.start > parents.end || parents.end > below.map_or(0, Layer::len) {
                return Err(Damaged("a range of parents"));
            }
            floors.push(Floor { layer: Arc::new(Layer::new(shards)), parents });
        }
        if !reader.rest.is_empty() || floors[0].layer.len() != 1 {
            return Err(Damaged("its length"));
        }
        let prefix = prefix.to_owned();
        Ok(Self { vocabulary, strict: strict == "strict", start, prefix, floors })
    }
}

fn put(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn put_shard(out: &mut Vec<u8>, shard: &Shard) {
    put(out, shard.boards.len() as u64);
    let big = matches!(shard.counts, Counts::Big(_));
    put(out, u64::from(!shard.pasts.is_empty()) | u64::from(big) << 1);
    shard.boards.iter().flat_map(|board| board.0).for_each(|word| put(out, word));
    shard.pasts.iter().for_each(|past| out.extend(past.0.to_le_bytes()));
    for link in &shard.links {
        out.extend(link.parent.0.to_le_bytes());
        out.extend(link.mv.to_le_bytes());
    }
    match &shard.counts {
        Counts::Small(counts) => counts.iter().for_each(|&count| put(out, count)),
        Counts::Big(counts) => {
            for count in counts {
                let bytes = count.to_bytes_le();
                put(out, bytes.len() as u64);
                out.extend(bytes);
            }
        }
    }
}

/// Not against malice, but any single damage shows.
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

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
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

    fn shard(&mut self, turn: Color, below: Option<&Layer>) -> Result<Shard, CheckpointError> {
        use CheckpointError::Damaged;
        let count = self.number()?;
        let flags = self.word()?;
        // Each position takes at least 40 bytes, so nothing larger than the file is allocated.
        if count > self.rest.len() / 40 || flags > 3 {
            return Err(Damaged("the size of a shard"));
        }
        let mut boards = Vec::with_capacity(count);
        for _ in 0..count {
            let board = Packed([self.word()?, self.word()?, self.word()?, self.word()?]);
            if !is_sane(board, turn) {
                return Err(Damaged("a position"));
            }
            boards.push(board);
        }
        let mut pasts = Vec::new();
        if flags & 1 != 0 {
            for _ in 0..count {
                pasts.push(Past(u128::from_le_bytes(self.array()?)));
            }
        }
        let mut links = Vec::with_capacity(count);
        for _ in 0..count {
            let parent = Place(u32::from_le_bytes(self.array()?));
            let (shard, at) = parent.split();
            if below.is_some_and(|below| at >= below.shards[shard].boards.len()) {
                return Err(Damaged("a parent"));
            }
            links.push(Link { parent, mv: u16::from_le_bytes(self.array()?) });
        }
        let mut counts = Counts::new(flags & 2 != 0);
        for _ in 0..count {
            match &mut counts {
                Counts::Small(counts) => counts.push(self.word()?),
                Counts::Big(counts) => {
                    let bytes = self.number()?;
                    counts.push(BigUint::from_bytes_le(self.bytes(bytes)?));
                }
            }
        }
        Ok(Shard { boards, pasts, links, counts })
    }
}

/// What the rules of chess need in order to be applied at all.
fn is_sane(board: Packed, turn: Color) -> bool {
    let position = board.unpack(turn);
    let one_king = |color: Color| position.pieces(color, Role::King).len() == 1;
    let ends = Bitboard::rank(0) | Bitboard::rank(7);
    Color::ALL.into_iter().all(one_king)
        && (position.by_role(Role::Pawn) & ends).is_empty()
        && !position.is_attacked(position.king(!turn), turn, position.occupied())
}
