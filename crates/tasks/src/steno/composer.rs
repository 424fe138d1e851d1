//! The composer: a string of single marks for each of several games.

use super::compose_units::compose_with_workers;
use super::{Completion, Inputs, completion, ended, message, stopped};
use crate::cluster::settings::ClusterSettings;
use crate::records::steno::{ComposedEnd, ComposedSteno};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Message, Value};
use umbrail_session::status::Status;
use umbrail_steno::StenoEvent;
use umbrail_steno::compose::{ComposeOptions, ComposeResult, Composed, compose};
use umbrail_steno::game::Game;
use umbrail_steno::report;

/// Numbers of games that have a string, have none, or are undecided.
#[derive(Default)]
struct Tally {
    found: u64,
    none: u64,
    open: u64,
}

/// Composes a steno for each game: in this process, or with the workers of a cluster.
pub(super) fn composing(
    inputs: &Inputs,
    games: &[Game],
    wishes: &ComposeOptions,
    settings: Option<&ClusterSettings>,
    job: &JobContext<'_>,
) -> Completion {
    let mut tally = Tally::default();
    let end = |tally: &Tally| {
        let Tally { found, none, open } = *tally;
        let record = ComposedEnd { found, none, open };
        let end = message(Kind::Done, &record);
        let mut end = end.with("found", found).with("none", none).with("open", open);
        end.page = match games.len() {
            1 => vec![],
            all => vec![format!("{all} games: {found} with a string, {none} without, {open} open")],
        };
        end
    };
    let refused = |why: String| {
        job.message(Message::error(Domain::Steno, why));
        Status::Refused
    };
    if let Some(settings) = settings {
        let mut show = |at: usize, composed: &Composed| {
            notify(at, &games[at], composed, wishes, &mut tally, job);
        };
        let ended = compose_with_workers(inputs, games, wishes, settings, &mut show, job);
        let troubles = ended.unwrap_or_else(|why| vec![why.to_string()]);
        if !troubles.is_empty() {
            troubles.into_iter().for_each(|why| {
                refused(why);
            });
            return completion(end(&tally), Status::Refused);
        }
    } else {
        let quiet = |_: StenoEvent| {};
        for (at, game) in games.iter().enumerate() {
            let control = job.control(&quiet);
            match compose(game, inputs.vocabulary, wishes, &inputs.params, &control) {
                Ok(composed) => notify(at, game, &composed, wishes, &mut tally, job),
                Err(error) => {
                    let status = refused(format!("game {}: {error}", at + 1));
                    return completion(ended(), status);
                }
            }
            if job.cancel.is_raised() {
                break;
            }
        }
    }
    let all = games.len() as u64;
    let status = match tally {
        _ if job.cancel.is_raised() => stopped(job),
        Tally { found, .. } if found == all => Status::Complete,
        Tally { open: 1.., .. } => Status::Limit,
        Tally { found, none, .. } if found + none < all => stopped(job),
        _ => Status::NotAsRequired,
    };
    completion(end(&tally), status)
}

/// Reports the result of a game, and counts it.
fn notify(
    at: usize,
    game: &Game,
    composed: &Composed,
    wishes: &ComposeOptions,
    tally: &mut Tally,
    job: &JobContext<'_>,
) {
    let (verdict, text, count) = match &composed.verdict {
        ComposeResult::Found { text, .. } => ("found", text.as_str(), &mut tally.found),
        ComposeResult::None => {
            ("none", "no string of single marks describes only this game", &mut tally.none)
        }
        ComposeResult::Open => ("open", "neither found nor disproved", &mut tally.open),
    };
    *count += 1;
    let best = match composed.verdict {
        ComposeResult::Found { best, .. } if wishes.many_any => Some(best),
        _ => None,
    };
    let record = ComposedSteno {
        game: at as u64 + 1,
        verdict: verdict.to_owned(),
        plies: game.moves.len() as u64,
        trials: composed.trials as u64,
        cooks: composed.cooks as u64,
        banned: composed.banned as u64,
        best,
        steno: (verdict == "found").then(|| text.to_owned()),
        moves: report::sans(&game.start, &game.moves),
        text: text.to_owned(),
    };
    let mut line = message(Kind::Result, &record)
        .with("game", record.game)
        .with("verdict", verdict)
        .with("plies", record.plies)
        .with("trials", record.trials)
        .with("cooks", record.cooks)
        .with("banned", record.banned)
        .printing(text);
    line.words.extend(best.map(|best| ("best", Value::Truth(best))));
    line.page = vec![format!(
        "game {} ({} plies): {text}, after {} trials and {} other games",
        at + 1,
        game.moves.len(),
        composed.trials,
        composed.cooks
    )];
    job.message(line);
}
