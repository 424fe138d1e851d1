//! `umbrail steno …`: where `$` saves when no file is named. A session remembers what `$` saved; a command has ended when
//! the next one continues from there.

use umbrail::session::domain::{Domain, Task};

/// The file in the working folder.
const CHECKPOINT: &str = "steno.checkpoint";

/// Gives a solve with `$` a file, if it names none.
pub(super) fn completed(mut task: Task) -> Task {
    let solves = task.domain == Domain::Steno && task.verb == "solve";
    let saves = task.text.as_deref().is_some_and(has_dollar);
    if solves && saves && task.key("checkpoint").is_none() {
        task.keys.push(("checkpoint", CHECKPOINT.to_owned()));
    }
    task
}

/// True when there is a `$` outside of comments.
fn has_dollar(steno: &str) -> bool {
    let mut depth = 0u32;
    steno.chars().any(|symbol| {
        match symbol {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        symbol == '$' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::has_dollar;

    #[test]
    fn a_dollar_in_a_comment_saves_nothing() {
        assert!(has_dollar("e4$x") && has_dollar("$x") && has_dollar("e(a)4$"));
        assert!(!has_dollar("e4(costs $5 (or $6))x") && !has_dollar("e4x"));
    }
}
