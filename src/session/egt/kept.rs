//! Tables that lie in the folder: they are opened instead of built, and a note reports that.

use super::super::domain::Domain;
use super::super::message::{Kind, Message};
use super::config::TableConfig;
use crate::session::stage::Stage;
use crate::tables::{Material, Metric, StoreError, Tablebase};
use std::io::ErrorKind;
use std::path::Path;

/// Bytes of unpacked blocks that an opened endgame may keep.
const CACHE_BYTES: u64 = 64 << 20;
/// No endgame's blocks take more than this part of what tables may take.
const CACHE_SHARE: u64 = 8;

/// The bytes that unpacked blocks of one endgame may take.
pub(super) fn cache_bytes(config: &TableConfig) -> u64 {
    CACHE_BYTES.min(config.granted_bytes(0) / CACHE_SHARE)
}

/// Opens the files of a material.
///
/// # Errors
/// [`StoreError`] when one of them is absent, damaged, or of other pieces or rules.
pub(in super::super) fn open(
    config: &TableConfig,
    material: &Material,
    folder: &Path,
) -> Result<Tablebase, StoreError> {
    let empty = Tablebase::empty(material, &config.rules, &config.piece_set);
    let mut table = empty.map_err(|error| StoreError::Unsaved(error.to_string()))?;
    open_also(&mut table, material, folder, config)?;
    Ok(table)
}

/// The same beside what a table has. They are read block by block; files that are slow to look up are loaded into
/// memory where the table alone fits it.
///
/// # Errors
/// The same as those of [`open`].
pub(super) fn open_also(
    table: &mut Tablebase,
    material: &Material,
    folder: &Path,
    config: &TableConfig,
) -> Result<(), StoreError> {
    let cache_bytes = usize::try_from(cache_bytes(config)).unwrap_or(usize::MAX);
    table.load_also(material, folder, false, cache_bytes)?;
    if table.is_slow(material)
        && table.estimate_also(material) <= config.granted_bytes(table.held_bytes())
    {
        table.load_also(material, folder, true, 0)?;
    }
    Ok(())
}

/// Says that a material is read from the folder, or which file cannot be used, so that it is built. That nothing
/// is there yet is nothing to tell.
pub(super) fn tell(
    opened: Result<(), &StoreError>,
    (material, metric): (&Material, Metric),
    folder: &Path,
    stage: &Stage<'_>,
) {
    let text = match opened {
        Ok(()) => {
            format!("{material} ({}) is read from {}", metric.name(), folder.display())
        }
        Err(StoreError::Io(_, error)) if error.kind() == ErrorKind::NotFound => return,
        Err(error) => format!("{error}; {material} ({}) is built", metric.name()),
    };
    stage.message(Message::new(Domain::Egt, Kind::Note).saying(text));
}

/// Says that a file turned out damaged while it was looked up, so that its endgame is built.
pub(in super::super) fn tell_damage(why: &str, name: &str, stage: &Stage<'_>) {
    stage.message(Message::new(Domain::Egt, Kind::Note).saying(format!("{why}; {name} is built")));
}
