//! Surveys: one line for each endgame of a pattern.

use super::build::{BuildContext, Failure, count_each};
use super::survey_units::survey_with_workers;
use super::work::{TaskResult, complete, run};
use super::{Inputs, ended, notify, subject};
use crate::cluster::settings::ClusterSettings;
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Message};
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::table_store::TableCache;
use umbrail_session::table_store::TableConfig;
use umbrail_session::task_error::TaskError;
use umbrail_tables::{Material, Statistics, survey as materials_of};

/// Maximum number of endgames in a survey; a larger survey is refused.
pub(super) const SURVEY_MAX: usize = 10_000;

pub(super) fn survey_all(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let Inputs { task, context, config, cache, .. } = inputs;
    let letters: Vec<char> = task.key("letters").unwrap_or("QRBN").chars().collect();
    let names = materials_of::expand(subject(task, 0)?, &letters, SURVEY_MAX)
        .map_err(|error| error.to_string())?;
    let mut materials: Vec<Material> = Vec::new();
    for name in &names {
        let material = config.material(name)?;
        // K?? gives KQR and KRQ, which are one endgame.
        if materials.iter().all(|known| known.canonical() != material.canonical()) {
            materials.push(material);
        }
    }
    config.check_promotions(&materials)?;
    let url = task.key("cluster").unwrap_or(&context.options.proofs.cluster);
    let settings = ClusterSettings::of(task, url)?;
    Ok(run(move |job| survey(&materials, &config, &cache, settings.as_ref(), job)))
}

fn survey(
    materials: &[Material],
    config: &TableConfig,
    cache: &TableCache,
    settings: Option<&ClusterSettings>,
    job: &JobContext<'_>,
) -> TaskResult {
    let mut heading = Some(materials_of::HEADING.to_owned());
    let mut show = |statistics: &Statistics| {
        let mut message = notify::statistics(statistics);
        message.page = heading.take().into_iter().collect();
        message.page.push(materials_of::row(statistics));
        job.message(message);
    };
    let Some(settings) = settings else {
        let site = BuildContext { job, cache, notify: &|_| {} };
        count_each(config, materials, site, &mut show)?;
        return Ok(complete(ended(materials.len() as u64)));
    };
    let counted = survey_with_workers(materials, config, settings, &mut show, job);
    let (count, troubles) = counted.map_err(Failure::refused)?;
    for trouble in &troubles {
        job.message(Message::error(Domain::Egt, trouble.as_str()));
    }
    let status = match () {
        _ if !troubles.is_empty() => Status::Refused,
        _ if count == materials.len() => Status::Complete,
        _ if job.clock.is_over() => Status::Limit,
        _ => Status::Stopped,
    };
    Ok(Completion { done: ended(count as u64), status })
}
