//! Figures of endgames on other boards and of other games: cost before a build, comparisons, surveys.

use super::super::need::page;
use super::super::survey::SURVEY_MAX;
use super::super::work::{complete, differences, run};
use super::super::{Failure, ended, notify};
use super::GameInputs;
use super::tables::Endgame;
use crate::records::egt::NeedEnd;
use umbrail_session::module::Work;
use umbrail_session::task_error::TaskError;
use umbrail_tables::game::{GameMaterial, GameTables};
use umbrail_tables::survey::{HEADING, expand, row};

/// Estimates the cost of a build.
pub(super) fn need(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let (game, material, metric) = (inputs.game.clone(), inputs.material()?, inputs.metric);
    let granted = inputs.memory_bytes;
    Ok(run(move |_| {
        let needs = GameTables::needs(&game, &material, metric).map_err(Failure::refused)?;
        let name = material.to_string();
        let record = NeedEnd {
            count: 1,
            material: name.clone(),
            men: needs.pieces as u64,
            tables: needs.tables as u64,
            positions: needs.positions,
            counted_bytes: needs.counted_bytes,
            kept_bytes: needs.kept_bytes,
            granted_bytes: granted,
            estimate_ms: (needs.seconds * 1_000.0) as u64,
        };
        let mut done = ended(1).with("endgame", name.as_str()).holding(&record);
        done.page = page(&name, &needs, granted);
        Ok(complete(done))
    }))
}

/// Compares two endgames of a game.
pub(super) fn compare(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let one = Endgame::of(&inputs)?;
    let Some(name) = inputs.task.subject.get(1) else {
        return Err(TaskError::expects("compare", "a second endgame of the same game"));
    };
    let other = GameMaterial::read(name, &inputs.game).map_err(|error| error.to_string())?;
    let other = Endgame::with(&inputs, other);
    Ok(run(move |job| {
        let one = one.tables(job)?.statistics();
        let other = other.tables(job)?.statistics();
        Ok(complete(differences(&one, &other, job)))
    }))
}

/// Shows one line for each endgame of a pattern.
pub(super) fn survey(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    if inputs.task.key("cluster").is_some() {
        return Err("a cluster surveys endgames on a board of 8x8 without rules only".into());
    }
    let letters: Vec<char> = inputs.task.key("letters").unwrap_or("QRBN").chars().collect();
    let names = expand(super::subject(inputs.task, 0)?, &letters, SURVEY_MAX)
        .map_err(|error| error.to_string())?;
    let mut endgames: Vec<Endgame> = vec![];
    for name in &names {
        let material = GameMaterial::read(name, &inputs.game).map_err(|error| error.to_string())?;
        // K?? gives KQR and KRQ, which are one endgame.
        if endgames.iter().all(|known| !known.material.is_like(&material)) {
            endgames.push(Endgame::with(&inputs, material));
        }
    }
    Ok(run(move |job| {
        let mut heading = Some(HEADING.to_owned());
        for endgame in &endgames {
            let statistics = endgame.tables(job)?.statistics();
            let mut message = notify::statistics(&statistics);
            message.page = heading.take().into_iter().collect();
            message.page.push(row(&statistics));
            job.message(message);
        }
        Ok(complete(ended(endgames.len() as u64)))
    }))
}
