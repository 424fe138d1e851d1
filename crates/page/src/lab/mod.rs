//! The laboratory: matches with their errors, and the course of each match, updated while it is
//! played.

mod events;
mod one;
mod overview;

pub(super) use events::stream;
pub(super) use one::page as one;
pub(super) use overview::page as overview;

use super::SharedPage;
use super::page_error::PageError;
use umbrail_lab::{LabMatch, LabResults, LabState};

/// Reads all matches, outside the loop that serves pages.
async fn results(shared: &SharedPage) -> Result<LabResults, PageError> {
    let lab = shared.lab.clone();
    let read = tokio::task::spawn_blocking(move || umbrail_lab::results(&lab)).await;
    Ok(read.map_err(|_| PageError::NoLab)??)
}

/// Returns the number of games of a match.
fn games(one: &LabMatch) -> u32 {
    one.tally.iter().sum()
}

/// Formats `+61.4 ± 113.3`, or the reason why there is no estimate.
fn elo_text(one: &LabMatch) -> String {
    match one.elo {
        Some((elo, half)) => format!("{elo:+.1} ± {half:.1}"),
        None => "too few games".to_owned(),
    }
}

/// Describes the state of a match in a word or a sentence.
fn state_text(one: &LabMatch, is_at_work: bool) -> String {
    match &one.state {
        LabState::Finished => "finished".to_owned(),
        LabState::Open if is_at_work => "open, and the laboratory is running".to_owned(),
        LabState::Open => "open: the same command resumes it".to_owned(),
        LabState::Faulted(why) => format!("ended by a fault: {why}"),
    }
}
