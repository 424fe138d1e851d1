//! Verification of tables: against their own moves, or against Syzygy tables.

use super::build::Failure;
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
use umbrail_tables::{Material, SyzygyError};

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

fn verify(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    stride: usize,
    syzygy: Option<&std::path::Path>,
    job: &JobContext<'_>,
) -> TaskResult {
    let entry = entry(material, config, cache, job)?;
    let notify = |()| {};
    let control = job.control(&notify);
    let verdict = match syzygy {
        Some(folder) => match entry.table().verify_with_syzygy(folder, stride, &control) {
            Err(SyzygyError::Stopped) => None,
            Err(error) => return Err(Failure::refused(error.to_string())),
            Ok(verdict) => Some(verdict),
        },
        None => entry.table().verify(stride, &control).ok(),
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
