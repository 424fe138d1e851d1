//! Tables in the folder: they are opened instead of built, and a note reports that.

use std::io::ErrorKind;
use std::path::Path;
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Message};
use umbrail_session::table_store::TableConfig;
use umbrail_tables::{Material, Metric, StoreError, Tablebase};

/// Maximum size of unpacked blocks of an opened endgame, in bytes.
const CACHE_BYTES: u64 = 64 << 20;
/// Maximum share of the table memory for the unpacked blocks of an endgame: one part in this
/// number.
const CACHE_SHARE: u64 = 8;

/// Returns the maximum size of the unpacked blocks of one endgame, in bytes.
pub(super) fn cache_bytes(config: &TableConfig) -> u64 {
    CACHE_BYTES.min(config.granted_bytes(0) / CACHE_SHARE)
}

/// Opens the files of a material.
///
/// # Errors
/// [`StoreError`] when a file is absent, damaged, or has other pieces or rules.
pub(super) fn open(
    config: &TableConfig,
    material: &Material,
    folder: &Path,
) -> Result<Tablebase, StoreError> {
    let empty = Tablebase::empty(material, &config.rules, &config.piece_set);
    let mut table = empty.map_err(|error| StoreError::Unsaved(error.to_string()))?;
    open_also(&mut table, material, folder, config)?;
    Ok(table)
}

/// Opens the files of a material beside the contents of a table. They are read block by block;
/// files with slow lookup are loaded into memory if the table alone fits.
///
/// # Errors
/// As those of [`open`].
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

/// Reports that a material is read from the folder, or names the file that cannot be used, so that
/// the table is built. A missing file is not reported.
pub(super) fn notify(
    opened: Result<(), &StoreError>,
    (material, metric): (&Material, Metric),
    folder: &Path,
    job: &JobContext<'_>,
) {
    let text = match opened {
        Ok(()) => {
            format!("{material} ({}) is read from {}", metric.name(), folder.display())
        }
        Err(StoreError::Io(_, error)) if error.kind() == ErrorKind::NotFound => return,
        Err(error) => format!("{error}; {material} ({}) is built", metric.name()),
    };
    job.message(Message::new(Domain::Egt, Kind::Note).printing(text));
}

/// Reports that a lookup found a damaged file, so that its endgame is built.
pub(super) fn notify_damage(why: &str, name: &str, job: &JobContext<'_>) {
    job.message(Message::new(Domain::Egt, Kind::Note).printing(format!("{why}; {name} is built")));
}
