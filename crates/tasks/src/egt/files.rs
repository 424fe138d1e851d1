//! `egt list`: pieces, tables in memory, and files of a folder.

use super::{Inputs, done, ended, notify};
use crate::records::egt::{EgtPiece, HeldTable, TableFile};
use std::path::Path;
use umbrail_session::message::Message;
use umbrail_session::module::Work;
use umbrail_session::task_error::TaskError;

/// File name extension of tables; `docs/tables.md` describes the format.
const EXTENSION: &str = "egt";

pub(super) fn list(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let Inputs { task, config, cache, .. } = inputs;
    let mut found = vec![];
    for piece in config.piece_set.pieces() {
        let line = format!("piece {} {} {}", piece.letter, piece.betza(), piece.name);
        let record = EgtPiece { piece: piece.letter.to_string(), betza: piece.betza() };
        let mut message = notify::result(&record)
            .with("piece", record.piece.as_str())
            .with("betza", record.betza.as_str());
        message.text = (!piece.name.is_empty()).then(|| piece.name.clone());
        message.page = vec![line.trim_end().to_owned()];
        found.push(message);
    }
    for entry in cache.entries() {
        let metric = entry.rules().metric.name();
        let record = HeldTable { material: entry.name.clone(), metric: metric.to_owned() };
        let message = notify::result(&record);
        let message = message.with("table", entry.name.as_str()).with("metric", metric);
        found.push(message);
    }
    if let Some(folder) = task.subject.first() {
        found.extend(files(Path::new(folder))?);
    }
    let count = found.len() as u64;
    found.push(ended(count));
    Ok(done(found))
}

fn files(folder: &Path) -> Result<Vec<Message>, TaskError> {
    let shown = folder.display();
    let entries =
        std::fs::read_dir(folder).map_err(|_| format!("folder {shown} cannot be read"))?;
    let mut files: Vec<(String, u64)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_table = Path::new(&name).extension().is_some_and(|e| e == EXTENSION);
            is_table.then(|| (name, entry.metadata().map_or(0, |data| data.len())))
        })
        .collect();
    files.sort();
    let message = |(file, bytes): (String, u64)| {
        let record = TableFile { file, bytes };
        notify::result(&record).with("file", record.file.as_str()).with("bytes", bytes)
    };
    Ok(files.into_iter().map(message).collect())
}
