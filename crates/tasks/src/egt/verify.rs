//! Verification of tables: against their own moves, or against Syzygy tables.

use super::build::Failure;
use super::kept::open;
use super::work::{TaskResult, endgame, entry, run};
use super::{Inputs, end, ended, notify};
use crate::records::egt::{EgtEnd, WrongValue};
use std::path::PathBuf;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Completion;
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::table_store::TableCache;
use umbrail_session::table_store::TableConfig;
use umbrail_session::task_error::TaskError;
use umbrail_tables::{Material, SyzygyError, Tablebase};

pub(super) fn verify_all(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let stride = match inputs.task.key("stride").map(str::parse::<usize>) {
        None => 1,
        Some(Ok(number)) if number > 0 => number,
        _ => return Err(TaskError::expects("stride", "a number from 1")),
    };
    let syzygy = inputs.task.key("syzygy").map(PathBuf::from);
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |job| verify(&material, &config, &cache, stride, syzygy.as_deref(), job)))
}

/// Returns the tables of the folder, opened, if they are too large for the memory.
///
/// # Errors
/// A file that is absent or cannot be used.
fn opened(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
) -> Result<Option<Tablebase>, Failure> {
    let Some(folder) = config.files() else { return Ok(None) };
    let empty = Tablebase::empty(material, &config.rules, &config.piece_set);
    let mut empty = empty.map_err(|error| Failure::refused(error.to_string()))?;
    if empty.needs().kept_bytes <= config.granted_bytes(cache.held_bytes()) {
        return Ok(None);
    }
    let opened = open(config, material, folder);
    opened.map(Some).map_err(|error| Failure::refused(error.to_string()))
}

fn verify(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    stride: usize,
    syzygy: Option<&std::path::Path>,
    job: &JobContext<'_>,
) -> TaskResult {
    let notify = |()| {};
    let control = job.control(&notify);
    let on_disk = if syzygy.is_none() { opened(material, config, cache)? } else { None };
    let verdict = match (on_disk, syzygy) {
        (Some(mut table), _) => table.verify(stride, &control).ok(),
        (None, Some(folder)) => {
            let entry = entry(material, config, cache, job)?;
            let verdict = entry.table().verify_with_syzygy(folder, stride, &control);
            match verdict {
                Err(SyzygyError::Stopped) => None,
                Err(error) => return Err(Failure::refused(error.to_string())),
                Ok(verdict) => Some(verdict),
            }
        }
        (None, None) => {
            let entry = entry(material, config, cache, job)?;
            let verdict = entry.table().verify(stride, &control);
            verdict.ok()
        }
    };
    let Some(verdict) = verdict else {
        return Ok(Completion { done: ended(0), status: Status::Stopped });
    };
    for fault in &verdict.faults {
        let mut message =
            notify::result(&WrongValue { fault: fault.clone() }).with("fault", fault.as_str());
        message.page = vec![format!("wrong: {fault}")];
        job.message(message);
    }
    let mut done = end(&EgtEnd {
        count: verdict.fault_count,
        checked: Some(verdict.checked),
        ..EgtEnd::default()
    });
    let against =
        syzygy.map_or(String::new(), |folder| format!(" with the files of {}", folder.display()));
    done.page = vec![match verdict.fault_count {
        0 => format!("{} positions of {material} checked{against}: all are right", verdict.checked),
        faults => {
            let shown = verdict.faults.len();
            let cut =
                if faults > shown as u64 { format!(", {shown} are shown") } else { String::new() };
            format!(
                "{} positions of {material} checked{against}: {faults} are wrong{cut}",
                verdict.checked
            )
        }
    }];
    let status = if verdict.fault_count == 0 { Status::Complete } else { Status::NotAsRequired };
    Ok(Completion { done, status })
}
