//! `egt list`: pieces, tables that are built, and files of a folder.

use super::super::errand::{Domain, Errand, Kind, News};
use super::cabinet::Cabinet;
use super::kit::Kit;
use super::{ended, tell};
use std::path::Path;

/// How the names of table files end; `docs/tables.md` has the format.
const EXTENSION: &str = "egt";

pub(super) fn list(errand: &Errand, kit: Kit, cabinet: Cabinet) -> Result<Vec<News>, String> {
    let mut found = vec![];
    for piece in kit.piece_set.pieces() {
        let line = format!("piece {} {} {}", piece.letter, piece.betza(), piece.name);
        let mut news = News::new(Domain::Egt, Kind::Result)
            .with("piece", piece.letter.to_string().as_str())
            .with("moves", piece.betza().as_str());
        news.text = (!piece.name.is_empty()).then(|| piece.name.clone());
        news.page = vec![line.trim_end().to_owned()];
        found.push(news);
    }
    for entry in cabinet.entries() {
        let metric = entry.rules().metric.name();
        let news = tell::result().with("table", entry.name.as_str()).with("metric", metric);
        found.push(news);
    }
    if let Some(folder) = errand.subject.first() {
        found.extend(files(Path::new(folder))?);
    }
    let count = found.len() as u64;
    found.push(ended(count));
    Ok(found)
}

fn files(folder: &Path) -> Result<Vec<News>, String> {
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
    let news = |(name, bytes): (String, u64)| {
        tell::result().with("file", name.as_str()).with("bytes", bytes)
    };
    Ok(files.into_iter().map(news).collect())
}
