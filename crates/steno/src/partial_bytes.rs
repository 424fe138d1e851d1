//! Binary format of a search in parts, after the layers of an unfinished search.

use super::checkpoint_error::CheckpointError;
use super::layer::StackedLayer;
use super::layer_bytes::{ByteReader, more_layers, put, put_layers};
use super::partial::{PartialSearch, final_position};
use super::{Final, MarkReport};
use num_bigint::BigUint;
use std::sync::Arc;
use umbrail_chess::{Move, Position};

/// Writes the state, or that there is none. The first `shared` of its layers precede it in the
/// file.
pub(super) fn put_partial(out: &mut Vec<u8>, shared: usize, partial: Option<&PartialSearch>) {
    put(out, u64::from(partial.is_some()));
    let Some(partial) = partial else { return };
    put_layers(out, partial.stack.get(shared..).unwrap_or_default());
    put(out, partial.row as u64);
    put_big(out, &partial.count);
    put_games(out, partial.games.iter());
    put(out, partial.games_max as u64);
    put_games(out, partial.intended.iter());
    put(out, u64::from(partial.finals.is_some()));
    let finals = partial.finals.as_deref().unwrap_or_default();
    put_games(out, finals.iter().map(|last| &last.example));
    finals.iter().for_each(|last| put_big(out, &last.games));
    put(out, partial.marks.len() as u64);
    for mark in &partial.marks {
        put(out, u64::from(mark.positions.is_some()));
        put(out, mark.positions.unwrap_or(0));
        put_big(out, &mark.games);
        put(out, mark.made);
    }
    put(out, partial.made);
}

fn put_big(out: &mut Vec<u8>, number: &BigUint) {
    let bytes = number.to_bytes_le();
    put(out, bytes.len() as u64);
    out.extend(bytes);
}

fn put_games<'a>(out: &mut Vec<u8>, games: impl ExactSizeIterator<Item = &'a Vec<Move>>) {
    put(out, games.len() as u64);
    for game in games {
        put(out, game.len() as u64);
        game.iter().for_each(|mv| out.extend(mv.bits().to_le_bytes()));
    }
}

/// Parses the state; `shared` are the layers before it.
pub(super) fn partial(
    reader: &mut ByteReader<'_>,
    start: &Position,
    turns: usize,
    shared: &[StackedLayer],
) -> Result<Option<Arc<PartialSearch>>, CheckpointError> {
    use CheckpointError::Damaged;
    if reader.word()? == 0 {
        return Ok(None);
    }
    let stack = more_layers(reader, start, turns, shared.to_vec())?;
    let row = reader.number()?;
    if stack.last().is_none_or(|top| row > top.layer.len()) {
        return Err(Damaged("a row"));
    }
    let count = big(reader)?;
    let games = games(reader, start)?;
    let games_max = usize::try_from(reader.word()?).unwrap_or(usize::MAX);
    let intended = self::games(reader, start)?.pop();
    let has_finals = reader.word()? != 0;
    let mut finals = vec![];
    for example in self::games(reader, start)? {
        finals.push(Final { example, games: BigUint::ZERO });
    }
    for last in &mut finals {
        last.games = big(reader)?;
    }
    let finals = has_finals.then_some(finals);
    let marks = (1..=reader.number()?.min(turns + 1)).map(|turn| {
        let (is_known, number) = (reader.word()? != 0, reader.word()?);
        let positions = is_known.then_some(number);
        Ok(MarkReport { turn, positions, games: big(reader)?, made: reader.word()? })
    });
    let marks = marks.collect::<Result<Vec<MarkReport>, CheckpointError>>()?;
    if marks.len() != turns {
        return Err(Damaged("its number of turns"));
    }
    let made = reader.word()?;
    let partial =
        PartialSearch { stack, row, count, games, games_max, intended, finals, marks, made };
    Ok(Some(Arc::new(partial)))
}

fn big(reader: &mut ByteReader<'_>) -> Result<BigUint, CheckpointError> {
    let count = reader.number()?;
    Ok(BigUint::from_bytes_le(reader.bytes(count)?))
}

fn games(reader: &mut ByteReader<'_>, start: &Position) -> Result<Vec<Vec<Move>>, CheckpointError> {
    let damaged = || CheckpointError::Damaged("a game");
    let mut games = vec![];
    for _ in 0..reader.number()? {
        let count = reader.number()?;
        let bytes = reader.bytes(count.checked_mul(2).ok_or_else(damaged)?)?;
        let moves =
            bytes.as_chunks::<2>().0.iter().map(|bits| Move::from_bits(u16::from_le_bytes(*bits)));
        let game = moves.collect::<Option<Vec<Move>>>().ok_or_else(damaged)?;
        final_position(start, &game).ok_or_else(damaged)?;
        games.push(game);
    }
    Ok(games)
}
