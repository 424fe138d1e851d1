//! Both solvers on one problem: their results must agree.

use super::super::counted;
use super::super::outcome::Outcome;
use super::run::count;
use crate::records::spg_counted::SpgAgreement;
use std::collections::BTreeMap;
use umbrail_proof::positions::{CountKeeper, PositionReport};
use umbrail_proof::run::RunReport;
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Message;
use umbrail_session::status::Status;

/// Games of two solvers that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "internal error, please report: the solvers disagree: strategies {strategies}, positions {positions}"
)]
struct Disagreement {
    strategies: String,
    positions: String,
}

/// Compares the numbers of games by length. A number that is not complete must not exceed one that
/// is.
fn compare(strategies: &RunReport, positions: &PositionReport) -> Result<(), Disagreement> {
    let ours: BTreeMap<usize, u128> =
        strategies.lengths().into_iter().map(|(plies, games)| (plies, games.into())).collect();
    let theirs: BTreeMap<usize, u128> =
        positions.counts.iter().map(|one| (usize::from(one.plies), one.games)).collect();
    let all = || ours.keys().chain(theirs.keys());
    let games = |of: &BTreeMap<usize, u128>, plies: &usize| of.get(plies).copied().unwrap_or(0);
    let fits = |complete: bool, most: &BTreeMap<usize, u128>, least: &BTreeMap<usize, u128>| {
        !complete || all().all(|plies| games(least, plies) <= games(most, plies))
    };
    if fits(strategies.is_complete(), &ours, &theirs) && fits(positions.is_complete, &theirs, &ours)
    {
        return Ok(());
    }
    let words = |counts: &BTreeMap<usize, u128>| match counts.is_empty() {
        true => "no game".to_owned(),
        false => {
            let words = counts.iter().map(|(plies, games)| format!("{games} in {plies} plies"));
            words.collect::<Vec<_>>().join(", ")
        }
    };
    Err(Disagreement { strategies: words(&ours), positions: words(&theirs) })
}

/// Counts the games of a problem whose strategies were searched, and adds the result to the message about the
/// strategies. Returns the status of both. If the strategies are not complete and the positions are, the message of the
/// positions takes its place.
pub(in super::super) fn compared(
    (strategies, status): (&Outcome<'_>, Status),
    message: Message,
    record: &'static str,
    keeper: Option<&dyn CountKeeper>,
    job: &JobContext<'_>,
) -> (Message, Status) {
    // Games that are listed already are not listed again.
    let lists = strategies.report.count() == 0;
    let (positions, counted) =
        count(strategies.posed, strategies.posed.params.table_bytes, lists, keeper, job);
    let other = counted::verdict(message.kind, record, &positions);
    let compared = compare(&strategies.report, &positions.report);
    let use_positions = !strategies.report.is_complete() && positions.report.is_complete;
    let (mut message, status) = match use_positions {
        true => (other, counted),
        false => (message, status),
    };
    message.data.extend(&SpgAgreement {
        solvers_agree: compared.is_ok(),
        strategies_solutions: strategies.report.count() as u64,
        strategies_complete: strategies.report.is_complete(),
        positions_solutions: positions.report.count().into(),
        positions_complete: positions.report.is_complete,
    });
    message.page.extend([
        format!("strategies: {}", strategies.verdict.text),
        format!("positions: {}", positions.verdict.text),
    ]);
    match compared {
        Ok(()) => {
            let both = strategies.report.is_complete() && positions.report.is_complete;
            let sentence = match both {
                true => "both solvers agree",
                false => "the solvers do not contradict each other; not both are complete",
            };
            message.page.push(sentence.to_owned());
            (message, status)
        }
        Err(disagreement) => {
            job.message(Message::error(Domain::Spg, disagreement.to_string()));
            (message, Status::Internal)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail_proof::positions::GameCount;

    #[test]
    fn complete_numbers_must_be_equal_and_others_no_larger() {
        let strategies = |is_complete| RunReport {
            enumerated: true,
            searched: is_complete,
            ..RunReport::default()
        };
        let positions = |games, is_complete| PositionReport {
            counts: vec![GameCount { plies: 3, games, is_exact: is_complete }],
            is_complete,
            ..PositionReport::default()
        };
        assert_eq!(compare(&strategies(false), &positions(2, true)), Ok(()));
        assert_eq!(compare(&strategies(true), &PositionReport::default()), Ok(()));
        let disagreement = compare(&strategies(true), &positions(2, false)).unwrap_err();
        assert_eq!(
            (&*disagreement.strategies, &*disagreement.positions),
            ("no game", "2 in 3 plies")
        );
        assert!(compare(&strategies(true), &positions(1, true)).is_err());
    }
}
