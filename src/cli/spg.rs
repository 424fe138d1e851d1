//! `umbrail spg` as a program for problemists: without arguments it solves the problems that lie in the
//! folder, or the examples.

use super::settings::found;
use super::standard_input::standard_input;
use umbrail::session::domain::{Domain, Task};
use umbrail::tasks::spg::with_diagram_keys;

/// The file of problems that is solved when none is named.
const PROBLEMS: &str = "problems.txt";
/// The result file of [`PROBLEMS`] when that is not in the working folder.
const RESULTS: &str = "problems_out.txt";
/// What is solved when there is no such file: that the program works is seen from these.
const EXAMPLES: &str = include_str!("../../examples/problems.txt");
/// Verbs that need a diagram; a command line has no current position, so it must name one.
const DIAGRAM_VERBS: [&str; 6] = ["solve", "bounds", "explain", "check", "min", "legal"];

/// Completes a task of the command line: `-` is standard input, and a task that names no problem gets the file in the
/// working folder or beside the program, or the examples.
///
/// # Errors
/// A diagram is missing, or standard input cannot be read.
pub(super) fn completed(mut task: Task) -> Result<Task, String> {
    if task.domain != Domain::Spg {
        return Ok(task);
    }
    task = with_diagram_keys(task).map_err(|error| error.to_string())?;
    if task.verb == "solve" && task.subject == ["-"] {
        task.subject.clear();
        task.text = Some(standard_input()?);
    }
    let posed = ["fen", "moves", "plies"].iter().any(|key| task.key(key).is_some());
    let named = !task.subject.is_empty() || task.text.is_some();
    if task.verb == "solve" && !named && !posed {
        match found(PROBLEMS)? {
            Some(path) => {
                // The results belong into the working folder, not beside the program.
                if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty())
                    && task.key("output").is_none()
                {
                    task.keys.push(("output", RESULTS.to_owned()));
                }
                task.subject.push(path.to_string_lossy().into_owned());
            }
            None => task.text = Some(EXAMPLES.to_owned()),
        }
        return Ok(task);
    }
    let sheet = task.verb == "solve" && named;
    if DIAGRAM_VERBS.contains(&task.verb) && !sheet && task.key("fen").is_none() {
        let how = match task.verb {
            "check" => "umbrail spg check FEN GAME".to_owned(),
            "explain" => "umbrail spg explain FEN LENGTH STRATEGY".to_owned(),
            "min" | "legal" => format!("umbrail spg {} FEN", task.verb),
            verb => format!("umbrail spg {verb} FEN LENGTH"),
        };
        let given = task.subject.first().map(|word| format!("; {word:?} is not a FEN"));
        return Err(format!(
            "spg {} requires a diagram: {how}{}",
            task.verb,
            given.unwrap_or_default()
        ));
    }
    let has_length = ["moves", "plies"].iter().any(|key| task.key(key).is_some());
    if matches!(task.verb, "solve" | "bounds") && !sheet && !has_length {
        return Err(format!(
            "spg {} requires a length, such as 2.5: umbrail spg {} FEN LENGTH",
            task.verb, task.verb
        ));
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_problem_is_left_as_it_is_and_a_diagram_must_be_named() {
        let fen = ("fen", "8/8/8/8/8/8/8/8".to_owned());
        let keys = vec![("moves", "3.0".to_owned()), fen];
        let task = Task { domain: Domain::Spg, verb: "solve", subject: vec![], keys, text: None };
        assert_eq!(completed(task.clone()), Ok(task.clone()));
        let without = completed(Task { keys: vec![], ..task.clone() }).unwrap();
        assert!(!without.subject.is_empty() || without.text.as_deref() == Some(EXAMPLES));
        let keys = vec![("moves", "3.0".to_owned())];
        for verb in DIAGRAM_VERBS {
            let without = Task { verb, keys: keys.clone(), ..task.clone() };
            let refused = completed(without).unwrap_err();
            assert!(refused.starts_with(&format!("spg {verb} requires a diagram: ")), "{refused}");
        }
        let other = Task { domain: Domain::Egt, verb: "probe", keys, ..task };
        assert_eq!(completed(other.clone()), Ok(other));
    }
}
