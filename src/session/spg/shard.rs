//! The shard of a run: said in words, or taken from the job array that the process belongs to.

use crate::session::task_error::TaskError;

/// `2/8`, or `auto`: the place among the tasks of a job array of Slurm, and their number. `auto/8` takes the number of
/// shards from the text, for Kubernetes and GNU parallel, which tell only the place. `variable` reads the environment.
///
/// # Errors
/// What was expected.
pub(super) fn read(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(u64, u64), TaskError> {
    let wrong =
        || TaskError::wants("shard", "I/N with I below N, such as 0/8, or auto/N").got(text);
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    let (index, count) = match text.split_once('/') {
        Some(("auto", count)) => {
            let count = number(count)?;
            (place(count, variable)?, count)
        }
        Some((index, count)) => (number(index)?, number(count)?),
        None if text == "auto" => {
            let count = variable("SLURM_ARRAY_TASK_COUNT").and_then(|count| count.parse().ok());
            let count = count.ok_or("shard auto finds no job array of Slurm, say auto/N")?;
            (place(count, variable)?, count)
        }
        None => return Err(wrong()),
    };
    if index < count { Ok((index, count)) } else { Err(wrong()) }
}

/// The place of this process among `count` tasks, from 0.
fn place(count: u64, variable: &dyn Fn(&str) -> Option<String>) -> Result<u64, TaskError> {
    let number = |name: &str| variable(name).and_then(|text| text.parse::<u64>().ok());
    if let Some(id) = number("SLURM_ARRAY_TASK_ID") {
        let tasks = number("SLURM_ARRAY_TASK_COUNT").unwrap_or(count);
        let least = number("SLURM_ARRAY_TASK_MIN").unwrap_or(0);
        let step = number("SLURM_ARRAY_TASK_STEP").unwrap_or(1).max(1);
        let place = id.checked_sub(least).filter(|from| from.is_multiple_of(step));
        let place = place.map(|from| from / step).filter(|&place| place < tasks);
        // Of an array such as 1,4,6, or of some tasks that are done again, no task can know its place.
        return place.filter(|_| tasks == count).ok_or_else(|| {
            format!(
                "task {id} of a job array with {tasks} tasks from {least} on has no place among {count} shards; \
                 say the shard itself, such as 0/{count}"
            )
            .into()
        });
    }
    let parallel = || number("PARALLEL_SEQ").and_then(|number| number.checked_sub(1));
    number("JOB_COMPLETION_INDEX").or_else(parallel).ok_or_else(|| {
        "shard auto finds no job array (SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, PARALLEL_SEQ)"
            .into()
    })
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
    fn p17_a_job_array_may_begin_anywhere_and_take_steps() {
        for (id, place) in [("1", 0), ("2", 1), ("3", 2)] {
            assert_eq!(shard("auto", &slurm(id, "3", "1", "1")), Ok((place, 3)));
            assert_eq!(shard("auto/3", &slurm(id, "3", "1", "1")), Ok((place, 3)));
        }
        assert_eq!(shard("auto", &slurm("14", "3", "10", "4")), Ok((1, 3)));
        assert_eq!(shard("auto", &slurm("0", "8", "0", "1")), Ok((0, 8)));
    }

    #[test]
    fn p17_a_task_without_a_place_is_refused() {
        // --array=1,4,6, and task 5 of eight done again.
        for (text, id, count, min) in [("auto", "6", "3", "1"), ("auto/8", "5", "1", "5")] {
            let why = shard(text, &slurm(id, count, min, "1")).unwrap_err().to_string();
            assert!(why.contains("has no place among") && why.contains("such as 0/"), "{why}");
        }
    }

    #[test]
    fn shards_are_said_or_taken_from_other_environments() {
        assert_eq!(shard("2/8", &[]), Ok((2, 8)));
        for wrong in ["8/8", "a/8", "1/", "3", "auto/x", "-1/2"] {
            assert!(
                shard(wrong, &[]).unwrap_err().to_string().contains("shard wants I/N"),
                "{wrong}"
            );
        }
        assert_eq!(shard("auto/4", &[("JOB_COMPLETION_INDEX", "3")]), Ok((3, 4)));
        assert_eq!(shard("auto/4", &[("PARALLEL_SEQ", "1")]), Ok((0, 4)));
        assert!(shard("auto/4", &[]).is_err() && shard("auto", &[]).is_err());
    }
}
