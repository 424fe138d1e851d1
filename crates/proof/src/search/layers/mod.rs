//! The search of one case in layers, which any number of workers can share.
//!
//! The search depth first (`depth_first`) remembers refuted positions in a table; workers without a common table would search
//! most positions once each, since orders of the same moves lead to the same positions. Here the positions that can be reached
//! after a number of half-moves are a *layer*. From one layer to the next but one every position is taken once, by whichever worker
//! has its *part*: parts are made by the men of the side that does not move first, so that the moves of the first side stay
//! within a part, and only what the second side's moves lead to is sent on. The rules that refute a position by itself (B1
//! to B4, A18) are those of the search depth first; what that one learns from refuted positions is learned before, by searching
//! depth first for a while, and from samples of each layer.
//!
//! - `row`: a position as bytes; `piece`: many of them, compressed; `pairs`: how they are written for that.
//! - `variety`: which side makes better parts. `step`: from the positions of a part to those of the next layer; `probe`: what is learned before.
//! - `message`: tasks and answers as bytes; `helper`: the worker that does tasks of another one; `shared_case`: what such workers share.
//! - `case`: what is searched; `layered`: the worker whose case it is; `shared_layer`: one layer, `division`: its tasks; `pace`: how long they may take, `task_clock`: how long they take; `reached`: what answers say together; `kept`: the layers so far; `ascent`: the games, from
//!   their ends back through the layers.
//!
//! The answer does not depend on who does a task, or how often: a task is lost with its worker, and done again. Breadth first
//! with duplicates removed on the way from one layer to the next is what Korf and Schultze did for the 15 puzzle (2005).

mod ascent;
mod case;
mod division;
mod helper;
mod kept;
mod layered;
mod message;
mod pace;
mod pairs;
mod piece;
mod probe;
mod reached;
mod row;
mod shared_case;
mod shared_layer;
mod step;
mod task_clock;
#[cfg(test)]
mod tests;
mod variety;

pub(crate) use case::{LayerSizes, LayeredCase};
pub(crate) use helper::TaskDesk;
pub(crate) use layered::add_layered;
pub(crate) use message::{LayerTask, NumberInRun, answer_bytes};
pub(crate) use shared_case::SharedCases;
pub(crate) use step::StepResult;
