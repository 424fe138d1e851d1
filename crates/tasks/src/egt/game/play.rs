//! The builder's work on a job's thread, for a game on another board or with other rules.

use super::super::Failure;
use super::tables::Endgame;
use umbrail_chess::geometry::Color;
use umbrail_session::Work;
use umbrail_session::build_progress::{BuildProgress, BuildRow};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobReport;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::status::Status;
use umbrail_session::table_store::GameRequest;

/// Returns the work that opens or builds the tables and puts them into the cache.
pub(in super::super) fn work(request: GameRequest) -> Work {
    Box::new(move |job| {
        let notify = |progress| (job.notify)(JobReport::Table(progress));
        let endgame = Endgame::requested(request);
        let end = |status, why: &str| Completion {
            done: Message::new(Domain::Egt, Kind::Done).printing(why),
            status,
        };
        match endgame.tables(job) {
            Ok(tables) => {
                let [white, black] = Color::ALL.map(|color| tables.longest_win(color));
                let text = format!(
                    "{} is built; longest wins: white {white} plies, black {black} plies",
                    endgame.name()
                );
                let row = BuildRow { time: job.clock.elapsed(), settled: 1, text };
                notify(BuildProgress::Row(row));
                notify(BuildProgress::Ready);
                end(Status::Complete, "")
            }
            Err(Failure { status, why }) => end(status, &why),
        }
    })
}
