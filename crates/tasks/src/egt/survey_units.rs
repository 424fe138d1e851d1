//! A survey on several machines: a unit is an endgame, its result the statistics.

use super::build::{BuildContext, count};
use crate::cluster::list_collector::{ListResults, collect};
use crate::cluster::list_run::{ListKind, ListRun, ListWork, NoResult, RefusedRun};
use crate::cluster::settings::ClusterSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use umbrail_cluster::{ClusterError, ResultDefect};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::options::TableOptions;
use umbrail_session::status::Status;
use umbrail_session::table_store::TableCache;
use umbrail_session::table_store::TableConfig;
use umbrail_session::task_error::TaskError;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{Material, Rules, Statistics};

const WORD: &str = "survey";

/// Data of a survey that workers need.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurveyContext {
    rules: Rules,
    /// Definitions of custom pieces, as lines of a piece file.
    pieces: String,
}

/// Surveys as a kind of run.
pub(crate) const KIND: ListKind = ListKind {
    word: WORD,
    read: |context, machine| {
        let context: SurveyContext = serde_json::from_value(context.clone()).map_err(|source| {
            RefusedRun::Settings { what: "the survey has unknown settings", source }
        })?;
        let pieces = PieceSet::with_definitions(&context.pieces)
            .map_err(|errors| RefusedRun::Pieces(TaskError::all(&errors)))?;
        let config = TableConfig::new(&TableOptions::default(), pieces);
        let config = config.on(context.rules, machine.memory_bytes, machine.folder.clone());
        Ok(Box::new(SurveyWork { config }))
    },
};

/// Counts endgames.
struct SurveyWork {
    config: TableConfig,
}

impl ListWork for SurveyWork {
    fn result(&self, unit: &str, job: &JobContext<'_>) -> Result<String, NoResult> {
        let failed = |why: String| NoResult::Failed(why);
        let material = self.config.material(unit).map_err(|why| failed(why.to_string()))?;
        // Tables are kept only in the folder for finished tables.
        let (cache, notify) = (TableCache::default(), |_| {});
        let site = BuildContext { job, cache: &cache, notify: &notify };
        let mut table =
            count(&self.config, &material, site).map_err(|failure| match failure.status {
                Status::Stopped => NoResult::Stopped,
                _ => NoResult::Failed(failure.why),
            })?;
        let statistics = table.statistics().ok_or_else(|| failed("no statistics".to_owned()))?;
        serde_json::to_string(&statistics).map_err(|error| failed(error.to_string()))
    }

    /// All threads build one table.
    fn at_once(&self, _: usize) -> usize {
        1
    }
}

/// Counts endgames with all workers of a cluster; `show` takes their statistics in order. Returns
/// the number of counted endgames, and the reasons for missing ones.
///
/// # Errors
/// The reason why the server cannot be used.
pub(super) fn survey_with_workers(
    materials: &[Material],
    config: &TableConfig,
    settings: &ClusterSettings,
    show: &mut dyn FnMut(&Statistics),
    job: &JobContext<'_>,
) -> Result<(usize, Vec<String>), ClusterError> {
    let (rules, pieces) = (config.rules.clone(), config.piece_set.definitions());
    let context = serde_json::to_value(SurveyContext { rules, pieces });
    let run = ListRun::new(WORD, context.unwrap_or(Value::Null));
    let units: Vec<String> = materials.iter().map(Material::to_string).collect();
    let results = ListResults {
        read: &read,
        differ: &|one: &Statistics, other| {
            (one != other).then(|| {
                let lines = umbrail_tables::survey::compare(one, other);
                lines.into_iter().next().unwrap_or_else(|| "their longest wins".to_owned())
            })
        },
        show: &mut |_, statistics| show(statistics),
    };
    let work = SurveyWork { config: config.clone() };
    let end = collect((Domain::Egt, &run, &units), &work, settings, results, job)?;
    Ok((end.done, end.troubles))
}

/// Reads the statistics of a result, which must belong to its endgame and be consistent.
fn read(unit: &str, body: &str) -> Result<Statistics, ResultDefect> {
    let statistics: Statistics = serde_json::from_str(body).map_err(ResultDefect::damaged)?;
    if statistics.material != unit {
        return Err(ResultDefect::Damaged(format!("it is about {}", statistics.material)));
    }
    for (side, won, lost) in [(0, 0, 1), (1, 1, 0)] {
        let legal = statistics.legal[side].full_board;
        let [won, lost] = [statistics.sides[won].won, statistics.sides[lost].lost];
        if won.full_board.saturating_add(lost.full_board) > legal {
            return Err(ResultDefect::damaged("more positions are decided than are legal"));
        }
    }
    Ok(statistics)
}

#[cfg(test)]
mod tests {
    use super::{KIND, ResultDefect, SurveyContext, read};
    use crate::cluster::list_run::Machine;
    use umbrail_tables::fairy::PieceSet;
    use umbrail_tables::{Count, Metric, Rules, SideStatistics, Statistics, Zugzwangs};

    #[test]
    fn pieces_and_rules_arrive_at_a_worker_and_what_is_unknown_is_refused() {
        let text = "X = fmWfcF\nY = R3\nL: 1,1,* 2,2,* 0,1,n+\n";
        let set = PieceSet::with_definitions(text).expect("definitions");
        let again = PieceSet::with_definitions(&set.definitions()).expect("its own definitions");
        for piece in set.pieces() {
            let other = again.get(piece.letter).expect("the same letters");
            assert!(piece.moves_like(other), "{}", piece.letter);
        }
        assert!(PieceSet::default().definitions().is_empty());
        let rules = Rules::orthodox(Metric::Dtm);
        let context = SurveyContext { rules, pieces: set.definitions() };
        let mut context = serde_json::to_value(context).expect("a context");
        let machine = Machine { threads: 1, memory_bytes: None, folder: None };
        assert!((KIND.read)(&context, &machine).is_ok());
        context["more"] = 1.into();
        assert!((KIND.read)(&context, &machine).is_err());
    }

    #[test]
    fn a_result_of_another_endgame_or_with_too_many_wins_is_refused() {
        let side = SideStatistics::default();
        let mut statistics = Statistics {
            material: "KQ.K".to_owned(),
            metric: Metric::Dtm,
            legal: [Count { full_board: 9, unique: 2 }; 2],
            sides: [side.clone(), side],
            zugzwangs: Zugzwangs::default(),
            classes: vec![],
        };
        let text = |s: &Statistics| serde_json::to_string(s).expect("a text");
        assert_eq!(read("KQ.K", &text(&statistics)), Ok(statistics.clone()));
        let other = ResultDefect::damaged("it is about KQ.K");
        assert_eq!(read("KR.K", &text(&statistics)).unwrap_err(), other);
        statistics.sides[0].won.full_board = 10;
        assert!(read("KQ.K", &text(&statistics)).is_err());
        assert!(read("KQ.K", "nonsense").is_err());
    }
}
