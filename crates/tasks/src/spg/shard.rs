//! The shard of a run: given in words, or taken from the job array or the ranks of the process.

use umbrail_session::task_error::TaskError;

/// Variables in which a batch system or a launcher gives a process its place among others.
struct PlaceVariables {
    /// The number of this process.
    id: &'static str,
    /// Number of the first process, if no variable has it.
    first: u64,
    /// The variables with the number of the first process and with the distance of two numbers, where there are such.
    range: Option<[&'static str; 2]>,
    tasks: TaskCount,
}

/// How many processes there are.
enum TaskCount {
    Unreported,
    /// This variable has their number.
    Number(&'static str),
    /// This variable has the number of the last process.
    Last(&'static str),
}

/// Job arrays: Slurm, Grid Engine, LSF (which counts from 1, and has 0 outside an array), Indexed Jobs of Kubernetes,
/// OpenPBS, Torque.
const ARRAYS: [PlaceVariables; 6] = [
    PlaceVariables {
        id: "SLURM_ARRAY_TASK_ID",
        first: 0,
        range: Some(["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"]),
        tasks: TaskCount::Number("SLURM_ARRAY_TASK_COUNT"),
    },
    PlaceVariables {
        id: "SGE_TASK_ID",
        first: 1,
        range: Some(["SGE_TASK_FIRST", "SGE_TASK_STEPSIZE"]),
        tasks: TaskCount::Last("SGE_TASK_LAST"),
    },
    PlaceVariables { id: "LSB_JOBINDEX", first: 1, range: None, tasks: TaskCount::Unreported },
    PlaceVariables {
        id: "JOB_COMPLETION_INDEX",
        first: 0,
        range: None,
        tasks: TaskCount::Unreported,
    },
    PlaceVariables { id: "PBS_ARRAY_INDEX", first: 0, range: None, tasks: TaskCount::Unreported },
    PlaceVariables { id: "PBS_ARRAYID", first: 0, range: None, tasks: TaskCount::Unreported },
];

/// Ranks: Open MPI, MPICH and its kin, and steps of Slurm. `SLURM_NTASKS` is not asked: a batch script has it, too, and
/// would take itself for the first of several processes.
const RANKS: [PlaceVariables; 3] = [
    rank("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    rank("PMI_RANK", "PMI_SIZE"),
    rank("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
];

/// GNU parallel.
const JOBS: [PlaceVariables; 1] =
    [PlaceVariables { id: "PARALLEL_SEQ", first: 1, range: None, tasks: TaskCount::Unreported }];

const fn rank(id: &'static str, size: &'static str) -> PlaceVariables {
    PlaceVariables { id, first: 0, range: None, tasks: TaskCount::Number(size) }
}

/// Place of the process as one system reports it.
struct ReportedPlace {
    /// The variable, with its value.
    given: String,
    /// From 0; none when it is not one of the numbers that its system has.
    place: Option<u64>,
    tasks: Option<u64>,
}

impl PlaceVariables {
    /// Returns the place that these variables report, if they are set.
    fn reported(&self, variable: &dyn Fn(&str) -> Option<String>) -> Option<ReportedPlace> {
        let number = |name: &str| variable(name)?.parse::<u64>().ok();
        let id = number(self.id)?;
        let [first, step] = self.range.map_or([None, None], |names| names.map(number));
        let (first, step) = (first.unwrap_or(self.first), step.unwrap_or(1).max(1));
        let tasks = match self.tasks {
            TaskCount::Unreported => None,
            TaskCount::Number(name) => number(name),
            TaskCount::Last(name) => {
                number(name).and_then(|last| last.checked_sub(first)).map(|more| more / step + 1)
            }
        };
        // LSF sets its variable to 0 outside an array, where ranks may give the place.
        let from = id.checked_sub(first)?;
        let place = from.is_multiple_of(step).then_some(from / step);
        Some(ReportedPlace { given: format!("{} {id}", self.id), place, tasks })
    }
}

/// `2/8`, or `auto`: the place among the tasks of a job array or among ranks, and their number. `auto/8` takes the number
/// of shards from the text, for systems which report only the place. `variable` reads the environment.
///
/// # Errors
/// What was expected.
pub(super) fn read(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(u64, u64), TaskError> {
    let wrong = || {
        TaskError::expects("shard", "I/N with I below N, such as 0/8, or auto, or auto/N").got(text)
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    let (index, count) = match text.split_once('/') {
        Some(("auto", count)) => place(Some(number(count)?), variable)?,
        Some((index, count)) => (number(index)?, number(count)?),
        None if text == "auto" => place(None, variable)?,
        None => return Err(wrong()),
    };
    if index < count { Ok((index, count)) } else { Err(wrong()) }
}

/// The place of this process, from 0, and the number of shards: `count`, or that of the tasks.
fn place(
    count: Option<u64>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(u64, u64), TaskError> {
    let array = ARRAYS.iter().find_map(|places| places.reported(variable));
    // A single rank has no others beside it, and a batch script of Slurm has a rank without a number of ranks.
    let several = |reported: &ReportedPlace| reported.tasks.is_some_and(|tasks| tasks > 1);
    let rank = RANKS.iter().filter_map(|places| places.reported(variable)).find(several);
    let job = JOBS.iter().find_map(|places| places.reported(variable));
    let mut found = [array, rank, job].into_iter().flatten();
    let Some(ReportedPlace { given, place, tasks }) = found.next() else {
        let known = ARRAYS.iter().chain(&RANKS).chain(&JOBS).map(|places| places.id);
        return Err(format!(
            "shard auto finds neither a job array nor ranks in the environment ({}); give the shard itself, such as 0/8",
            known.collect::<Vec<_>>().join(", ")
        )
        .into());
    };
    // Every rank of a task would take the shard of the task.
    if let Some(other) = found.next() {
        return Err(format!(
            "shard auto finds both {given} and {}; give the shard itself, such as 0/8",
            other.given
        )
        .into());
    }
    let count = count.or(tasks).ok_or_else(|| {
        format!("shard auto finds {given}, which has no number of shards; use auto/N")
    })?;
    // Of an array such as 1,4,6, or of some tasks that are done again, no task can know its place.
    let place = place.filter(|&place| place < count && tasks.is_none_or(|tasks| tasks == count));
    let place = place.ok_or_else(|| {
        let of = tasks.map_or(String::new(), |tasks| format!(" of {tasks}"));
        format!(
            "{given}{of} has no place among {count} shards; give the shard itself, such as 0/{count}"
        )
    })?;
    Ok((place, count))
}

#[cfg(test)]
mod tests {
    use super::{TaskError, read};

    fn shard(text: &str, environment: &[(&str, &str)]) -> Result<(u64, u64), TaskError> {
        read(text, &|name| {
            environment
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    fn slurm<'a>(
        id: &'a str,
        count: &'a str,
        min: &'a str,
        step: &'a str,
    ) -> [(&'a str, &'a str); 4] {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_COUNT", count),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_STEP", step),
        ]
    }

    #[test]
    fn a_job_array_may_begin_anywhere_and_take_steps() {
        for (id, place) in [("1", 0), ("2", 1), ("3", 2)] {
            assert_eq!(shard("auto", &slurm(id, "3", "1", "1")).unwrap(), (place, 3));
            assert_eq!(shard("auto/3", &slurm(id, "3", "1", "1")).unwrap(), (place, 3));
        }
        assert_eq!(shard("auto", &slurm("14", "3", "10", "4")).unwrap(), (1, 3));
        assert_eq!(shard("auto", &slurm("0", "8", "0", "1")).unwrap(), (0, 8));
    }

    #[test]
    fn a_task_without_a_place_is_refused() {
        // --array=1,4,6, and task 5 of eight done again.
        for (text, id, count, min) in [("auto", "6", "3", "1"), ("auto/8", "5", "1", "5")] {
            let why = shard(text, &slurm(id, count, min, "1")).unwrap_err().to_string();
            assert!(why.contains("has no place among") && why.contains("such as 0/"), "{why}");
        }
    }

    #[test]
    fn shards_come_from_the_option_or_from_the_job_array() {
        assert_eq!(shard("2/8", &[]).unwrap(), (2, 8));
        for wrong in ["8/8", "a/8", "1/", "3", "auto/x", "-1/2"] {
            assert!(
                shard(wrong, &[]).unwrap_err().to_string().contains("shard expects I/N"),
                "{wrong}"
            );
        }
        assert_eq!(shard("auto/4", &[("JOB_COMPLETION_INDEX", "3")]).unwrap(), (3, 4));
        assert_eq!(shard("auto/4", &[("PARALLEL_SEQ", "1")]).unwrap(), (0, 4));
        assert!(shard("auto/4", &[]).is_err() && shard("auto", &[]).is_err());
    }

    fn refused(text: &str, environment: &[(&str, &str)]) -> String {
        shard(text, environment).unwrap_err().to_string()
    }

    #[test]
    fn arrays_of_other_systems_and_ranks_have_places() {
        let grid = |id| {
            [
                ("SGE_TASK_ID", id),
                ("SGE_TASK_FIRST", "1"),
                ("SGE_TASK_LAST", "8"),
                ("SGE_TASK_STEPSIZE", "2"),
            ]
        };
        assert_eq!(shard("auto", &grid("7")).unwrap(), (3, 4));
        assert_eq!(shard("auto/4", &grid("1")).unwrap(), (0, 4));
        // Outside an array the variable is there, too.
        assert!(refused("auto", &grid("undefined")).contains("neither"));
        assert_eq!(shard("auto/8", &[("LSB_JOBINDEX", "8")]).unwrap(), (7, 8));
        assert!(refused("auto/8", &[("LSB_JOBINDEX", "0")]).contains("neither"));
        let ranks = [("PMI_RANK", "3"), ("PMI_SIZE", "4"), ("LSB_JOBINDEX", "0")];
        assert_eq!(shard("auto", &ranks).unwrap(), (3, 4));
        for name in ["PBS_ARRAY_INDEX", "PBS_ARRAYID", "JOB_COMPLETION_INDEX"] {
            assert_eq!(shard("auto/8", &[(name, "7")]).unwrap(), (7, 8));
            assert!(refused("auto/8", &[(name, "8")]).contains("such as 0/8"));
            let why = refused("auto", &[(name, "7")]);
            assert!(why.contains(&format!("{name} 7")) && why.contains("use auto/N"), "{why}");
        }
        for (id, size) in [
            ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
            ("PMI_RANK", "PMI_SIZE"),
            ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
        ] {
            assert_eq!(shard("auto", &[(id, "3"), (size, "4")]).unwrap(), (3, 4));
            assert_eq!(shard("auto/4", &[(id, "3"), (size, "4")]).unwrap(), (3, 4));
            assert!(refused("auto/8", &[(id, "3"), (size, "4")]).contains("3 of 4 has no place"));
            assert!(refused("auto", &[(id, "0"), (size, "1")]).contains("neither"));
        }
    }

    #[test]
    fn a_place_that_several_processes_would_take_is_refused() {
        // A batch script of four tasks is one process, and each rank of a task of an array belongs to that task.
        assert!(refused("auto", &[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4")]).contains("auto"));
        let ranks = [("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "4")];
        let both = [&slurm("2", "4", "0", "1")[..], &ranks].concat();
        let why = refused("auto", &both);
        assert!(why.contains("both SLURM_ARRAY_TASK_ID 2 and OMPI_COMM_WORLD_RANK 1"), "{why}");
        let step = [("SLURM_PROCID", "0"), ("SLURM_STEP_NUM_TASKS", "1"), ("PARALLEL_SEQ", "3")];
        assert_eq!(shard("auto/4", &step).unwrap(), (2, 4));
    }
}
