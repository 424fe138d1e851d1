//! Check of the games of a strategy by the rules of chess alone.

use crate::check::verify::verify;
use crate::enumerate::FoundStrategy;
use crate::run::part::RetractionRun;
use crate::run::record::{StrategyNumber, Success};
use crate::search::PlayResult;
use crate::strategy::projection::project;
use umbrail_chess::geometry::Color;

/// Returns the success of a search, after replaying each game. Faults are recorded in the run.
///
/// Games of a shorter problem get their tail, and belong to the strategy of the whole game, so
/// retraction changes no verdict and no count.
pub(super) fn judge(
    part: &RetractionRun<'_>,
    number: StrategyNumber,
    found: &FoundStrategy,
    played: &PlayResult,
) -> Option<Success> {
    let run = part.run;
    let mut games = Vec::with_capacity(played.games.len());
    let mut strategy = None;
    for game in &played.games {
        match project(game) {
            Err(why) => run.fault(format!("strategy {number}: {why}")),
            Ok(own) if own != found.strategy => {
                run.fault(format!("strategy {number}: a game belongs to {own}"));
            }
            Ok(_) => {}
        }
        let whole: Vec<_> = game.iter().chain(&part.earlier.tail).copied().collect();
        if let Err(why) = verify(run.problem, &whole) {
            run.fault(format!("strategy {number}: {why}"));
            continue;
        }
        if games.contains(&whole) {
            run.fault(format!("strategy {number}: a game twice"));
            continue;
        }
        strategy = project(&whole).ok();
        games.push(whole);
    }
    // Moves that no piece needs.
    let free = Color::ALL.map(|color| {
        let pieces = played.needed.iter().skip(16 * color.index()).take(16);
        let needed: i32 = pieces.map(|&moves| i32::from(moves)).sum();
        i32::from(part.earlier.problem.budget(color)) - needed
    });
    Some(Success {
        number,
        strategy: strategy?,
        needed: played.needed,
        waypoints: played.waypoints.clone(),
        free,
        games,
        complete: played.complete,
    })
}
