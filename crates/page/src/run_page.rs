//! Actions on a run, and the common parts of its pages.

use super::words::capitalized;
use super::work::{Run, RunRequest, RunState, StartError};
use super::{SharedPage, shell};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

/// Returns the address of a run's page.
pub(super) fn address(run: &Run) -> String {
    format!("/{}/{}", run.request.craft(), run.id)
}

/// Reads the run with this name, outside the loop that serves pages.
pub(super) async fn find(shared: &SharedPage, id: &str) -> Option<Run> {
    let (runs, id) = (std::sync::Arc::clone(&shared.runs), id.to_owned());
    tokio::task::spawn_blocking(move || runs.get(&id)).await.ok().flatten()
}

/// Serves the page of the run with this name; `content` returns `None` for a run of another kind,
/// which has no page here.
pub(super) async fn page(
    shared: &SharedPage,
    id: &str,
    headers: &HeaderMap,
    script: &str,
    content: impl FnOnce(&Run) -> Option<Markup> + Send,
) -> Response {
    let found = find(shared, id).await;
    let Some((content, run)) = found.and_then(|run| Some((content(&run)?, run))) else {
        return shell::fault(StatusCode::NOT_FOUND, headers, "There is no such run.");
    };
    let (title, here) = (run.request.title(), address(&run));
    let shell = shell::Shell { title: &title, here: &here, script: Some(script), headers };
    shell.page(&content).into_response()
}

/// Handles `stop`, `skip`, `resume`, `cancel` and `remove`.
pub(super) async fn act(
    State(shared): State<SharedPage>,
    Path((id, action)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(run) = find(&shared, &id).await else {
        return shell::fault(StatusCode::NOT_FOUND, &headers, StartError::Unknown);
    };
    let runs = &shared.runs;
    let done = match action.as_str() {
        "stop" => {
            runs.stop(&id);
            Ok(())
        }
        "skip" => {
            runs.skip(&id);
            Ok(())
        }
        "resume" => runs.resume(&id),
        "cancel" => match runs.cancel(&id) {
            Ok(()) => return Redirect::to("/").into_response(),
            Err(why) => Err(why),
        },
        "remove" => match runs.remove(&id) {
            Ok(()) => return Redirect::to("/").into_response(),
            Err(why) => Err(why),
        },
        _ => return shell::fault(StatusCode::NOT_FOUND, &headers, "There is no such action."),
    };
    match done {
        Ok(()) => Redirect::to(&address(&run)).into_response(),
        Err(why) => shell::fault(StatusCode::CONFLICT, &headers, why),
    }
}

/// Serves a file that the run has written.
pub(super) async fn file(
    State(shared): State<SharedPage>,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let unknown = || shell::fault(StatusCode::NOT_FOUND, &headers, "There is no such file.");
    let Some(run) = find(&shared, &id).await else { return unknown() };
    // Only names that the program itself has assigned become part of a path.
    let Some((_, name)) = run.request.files().into_iter().find(|(_, known)| *known == name) else {
        return unknown();
    };
    let path = run.folder.join(name);
    match tokio::task::spawn_blocking(move || std::fs::read(path)).await {
        Ok(Ok(bytes)) => {
            let disposition = format!("attachment; filename=\"{id}-{name}\"");
            let headers = [
                (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
                (header::CONTENT_DISPOSITION, disposition),
            ];
            (headers, bytes).into_response()
        }
        _ => unknown(),
    }
}

/// Writes a form with one button for an action on a run.
pub(super) fn button(run: &Run, action: &str, name: &str) -> Markup {
    html! {
        form method="post" action=(format!("/runs/{}/{action}", run.id)) {
            button { (name) }
        }
    }
}

/// Writes the buttons for the state of a run.
pub(super) fn controls(run: &Run, skips: bool) -> Markup {
    html! {
        div.controls {
            @match &run.state {
                RunState::AtWork => {
                    (button(run, "stop", "Pause"))
                    @if skips { (button(run, "skip", "Skip this strategy")) }
                    @if matches!(run.request, RunRequest::Table(_)) { (button(run, "cancel", "Cancel")) }
                }
                state => {
                    @if state.can_resume() { (button(run, "resume", "Resume")) }
                    (button(run, "remove", "Remove"))
                }
            }
        }
    }
}

/// Returns the state of a run, capitalized.
pub(super) fn state(run: &Run) -> String {
    capitalized(&run.state.text())
}

/// Returns the result of a run, or its state, in a sentence.
pub(super) fn verdict(run: &Run) -> String {
    match (&run.state, run.result()) {
        (RunState::AtWork, _) => "At work".to_owned(),
        (RunState::Paused, Some(text)) => format!("Paused: {text}"),
        (RunState::Interrupted, _) => {
            "Interrupted: the program that worked on it has ended; the run can be resumed"
                .to_owned()
        }
        (RunState::Failed(why), _) => format!("Failed: {why}"),
        (_, Some(text)) => capitalized(&text),
        (_, None) => state(run),
    }
}

/// Quotes a text for an address.
pub(super) fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let letter = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

/// Lists the files of a run that has written some.
pub(super) fn files(run: &Run) -> Markup {
    let written =
        run.request.files().into_iter().filter(|(_, name)| run.folder.join(name).exists());
    let written: Vec<_> = written.collect();
    html! {
        @if !written.is_empty() {
            p.files.controls {
                @for (key, name) in &written {
                    a.button href=(format!("/runs/{}/files/{name}", run.id)) title=(name) download { (label(key)) }
                }
            }
        }
    }
}

/// Returns the description of a file, by the key that names it.
fn label(key: &str) -> &str {
    match key {
        "output" => "Text",
        "pgn" => "PGN",
        "latex" => "LaTeX",
        "html" => "HTML",
        "archive" => "Archive",
        "positions" => "Archive of positions",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_in_an_address_are_quoted() {
        assert_eq!(quoted("Pa2=R AND"), "Pa2%3DR%20AND");
        assert_eq!(quoted("8/8\"<"), "8/8%22%3C");
    }
}
