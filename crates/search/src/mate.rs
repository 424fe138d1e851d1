//! Exact search for a mate in N: all moves of the attacker against all moves of the defender. Either
//! side may be mated; the proof that the side to move is not ends with one move that saves it.
//!
//! The ordinary search finds most mates sooner, but its pruning can miss some: the null move hides
//! a mate by zugzwang, late-move rules hide a quiet first move. A request for a mate therefore
//! alternates between the ordinary search and the proof. Each round has four times the nodes of the
//! previous one, until the mate is found or the proof shows that there is none.
//!
//! The proof prunes nothing and only orders moves: checks and moves that leave few replies first,
//! and the reply that refuted last. A last attacking move without check cannot mate and is not
//! tried.

use super::engine::Engine;
use super::limits::{Limits, SearchParams, SearchRequest};
use super::parallel::{answer_with, play, root_moves};
use super::score::Bound;
use super::{Ended, PvLine, Score, SearchAnswer, SearchInfo};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use umbrail_chess::{Move, Position};
use umbrail_control::{Control, Stopped};

/// Nodes of each half in the first round.
const FIRST_ROUND: u64 = 100_000;
/// Capacity of the proof's memory, in positions (about 128 MiB); a full memory is cleared.
const REMEMBERED: usize = 4_000_000;

/// Searches for a mate in at most `most` moves.
pub(super) fn solve(
    engine: &Engine,
    request: &SearchRequest,
    params: &SearchParams,
    most: u32,
    control: &Control<'_, SearchInfo>,
) -> SearchAnswer {
    if most == 0 {
        // There is a legal move, so the game does not end here.
        let limits = Limits { depth: Some(1), ..request.limits.clone() };
        let answer = play(engine, &SearchRequest { limits, ..request.clone() }, params, control);
        control.notify(SearchInfo::NoMate { moves: 0 });
        return answer;
    }
    let reported = AtomicU32::new(0);
    // Rounds start at depth 1 again: reported depths are not repeated.
    let notify = |fact: SearchInfo| {
        if let SearchInfo::Depth(mut line) = fact {
            // Relaxed: only one worker reports.
            let deepest = reported.fetch_max(line.depth, Ordering::Relaxed);
            if line.depth >= deepest {
                line.nodes = control.progress.nodes.get();
                control.notify(SearchInfo::Depth(line));
            }
        }
    };
    let quiet = Control::new(
        control.cancel.clone(),
        control.clock,
        control.progress,
        control.pool,
        &notify,
    );
    let limit = request.limits.nodes.unwrap_or(u64::MAX);
    let counted = || control.progress.nodes.get();
    let mut proof = Proof { control, nodes: 0, until: 0, known: HashMap::new() };
    let (mut next, mut next_lost) = (1, 1);
    let mut round = FIRST_ROUND;
    loop {
        let left = limit.saturating_sub(counted());
        let limits = Limits { nodes: Some(left.min(round)), ..request.limits.clone() };
        let answer = play(engine, &SearchRequest { limits, ..request.clone() }, params, &quiet);
        let found = answer.line.as_ref().is_some_and(|line| {
            matches!(line.score, Score::Mate(moves) if moves != 0 && moves.unsigned_abs() <= most)
        });
        if found || answer.best.is_none() {
            return SearchAnswer { ended: Ended::Complete, ..answer };
        }
        if control.check().is_err() || counted() >= limit {
            return SearchAnswer { ended: Ended::Stopped, ..answer };
        }
        proof.until = proof.nodes + round.min(limit.saturating_sub(counted()));
        while next <= most {
            match proof.mates(request, next) {
                Ok(Some(pv)) => return proven(pv, next as i32, control),
                Ok(None) => next += 1,
                Err(Stopped) => break,
            }
        }
        proof.report_nodes();
        proof.until = proof.nodes + round.min(limit.saturating_sub(counted()));
        while next_lost <= most {
            match proof.is_mated(request, next_lost) {
                Ok(Some(pv)) => return proven(pv, -(next_lost as i32), control),
                Ok(None) => next_lost += 1,
                Err(Stopped) => break,
            }
        }
        proof.report_nodes();
        if next > most && next_lost > most {
            control.notify(SearchInfo::NoMate { moves: most });
            return SearchAnswer { ended: Ended::Complete, ..answer };
        }
        round = round.saturating_mul(4);
    }
}

/// Answers with a proven mate in this number of moves, negative if the side to move is mated.
fn proven(pv: Vec<Move>, moves: i32, control: &Control<'_, SearchInfo>) -> SearchAnswer {
    let line = PvLine {
        depth: 2 * moves.unsigned_abs() - u32::from(moves > 0),
        seldepth: pv.len() as u32,
        multipv: 1,
        score: Score::Mate(moves),
        bound: Bound::Exact,
        nodes: control.progress.nodes.get(),
        time: control.clock.elapsed(),
        hashfull: 0,
        tbhits: 0,
        pv,
    };
    answer_with(line, control)
}

/// Knowledge about a position with the attacker to move.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Number of moves in which the attacker mates; 0 if unknown.
    mates: u8,
    /// Largest number of moves in which the attacker does not mate.
    fails: u8,
    best: Option<Move>,
}

struct Proof<'a> {
    control: &'a Control<'a, SearchInfo>,
    nodes: u64,
    /// Node count that ends this round.
    until: u64,
    known: HashMap<u64, Known>,
}

impl Proof<'_> {
    /// Returns the line of a mate in exactly this many moves; fewer have been disproved.
    fn mates(&mut self, request: &SearchRequest, moves: u32) -> Result<Option<Vec<Move>>, Stopped> {
        let moves = moves.min(u32::from(u8::MAX)) as u8;
        let root = request.position;
        for mv in root_moves(request) {
            let next = root.after(mv);
            if self.is_lost(&next, moves - 1)? {
                let mut pv = vec![mv];
                self.defence(&next, next.legal_moves(), moves - 1, &mut pv)?;
                return Ok(Some(pv));
            }
        }
        Ok(None)
    }

    /// Returns the line in which the side to move is mated in exactly this many moves of the other
    /// side; fewer have been disproved.
    fn is_mated(
        &mut self,
        request: &SearchRequest,
        moves: u32,
    ) -> Result<Option<Vec<Move>>, Stopped> {
        let moves = moves.min(u32::from(u8::MAX)) as u8;
        let root = request.position;
        if root.halfmoves() >= 100 {
            return Ok(None);
        }
        let replies = root_moves(request);
        for &mv in &replies {
            if !self.is_won(&root.after(mv), moves)? {
                return Ok(None);
            }
        }
        let mut pv = vec![];
        self.defence(&root, replies, moves, &mut pv)?;
        Ok(Some(pv))
    }

    fn enter(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(512) {
            self.control.progress.nodes.add(512);
            self.control.check()?;
        }
        if self.nodes >= self.until { Err(Stopped) } else { Ok(()) }
    }

    /// Reports the nodes that [`Proof::enter`] has not reported yet.
    fn report_nodes(&mut self) {
        self.control.progress.nodes.add(self.nodes % 512);
        self.nodes -= self.nodes % 512;
    }

    /// Returns true if the side to move is mated now or after at most `moves` moves of the other
    /// side.
    fn is_lost(&mut self, position: &Position, moves: u8) -> Result<bool, Stopped> {
        self.enter()?;
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        if moves == 0 || position.halfmoves() >= 100 || position.is_dead() {
            return Ok(false);
        }
        // Captures and checks refute most often.
        replies.sort_by_key(|&mv| !(position.is_capture(mv) || position.gives_check(mv)));
        for mv in replies {
            if !self.is_won(&position.after(mv), moves)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if the side to move mates in at most `moves` moves (at least one).
    fn is_won(&mut self, position: &Position, moves: u8) -> Result<bool, Stopped> {
        self.enter()?;
        if position.halfmoves() >= 100 {
            return Ok(false);
        }
        if moves == 1 {
            let mates = |mv| position.gives_check(mv) && position.after(mv).is_mate();
            return Ok(position.legal_moves().into_iter().any(mates));
        }
        // Close to the fifty-move limit the result depends on the counter, so it is not stored.
        let lasting = position.halfmoves() + 2 * u16::from(moves) < 100;
        let known = match self.known.get(&position.key()) {
            Some(known) if lasting => *known,
            _ => Known::default(),
        };
        if known.mates != 0 && known.mates <= moves {
            return Ok(true);
        }
        if moves <= known.fails {
            return Ok(false);
        }
        let mut found = None;
        for mv in self.ordered(position, known.best, moves) {
            if self.is_lost(&position.after(mv), moves - 1)? {
                found = Some(mv);
                break;
            }
        }
        if lasting {
            if self.known.len() >= REMEMBERED {
                self.known.clear();
            }
            let entry = self.known.entry(position.key()).or_default();
            match found {
                Some(_) => (entry.mates, entry.best) = (moves, found),
                None => entry.fails = entry.fails.max(moves),
            }
        }
        Ok(found.is_some())
    }

    /// Returns all moves: the remembered one, then checks, then those that leave few replies.
    fn ordered(&self, position: &Position, best: Option<Move>, moves: u8) -> Vec<Move> {
        let mut scored: Vec<(i32, Move)> = (position.legal_moves().into_iter())
            .map(|mv| {
                let check = position.gives_check(mv);
                let replies = match moves {
                    ..3 if !check => 0,
                    _ => position.after(mv).legal_moves().len() as i32,
                };
                (replies - 300 * i32::from(check) - 900 * i32::from(Some(mv) == best), mv)
            })
            .collect();
        scored.sort_by_key(|(order, _)| *order);
        scored.into_iter().map(|(_, mv)| mv).collect()
    }

    /// Extends a line with the longest defence of a lost position among these replies, and the attack
    /// against it.
    fn defence(
        &mut self,
        position: &Position,
        replies: impl IntoIterator<Item = Move>,
        moves: u8,
        pv: &mut Vec<Move>,
    ) -> Result<(), Stopped> {
        let mut longest: Option<(u8, Move)> = None;
        for mv in replies {
            let next = position.after(mv);
            let mut length = 1;
            while length < moves && !self.is_won(&next, length)? {
                length += 1;
            }
            if longest.is_none_or(|(most, _)| length > most) {
                longest = Some((length, mv));
            }
        }
        let Some((length, reply)) = longest else { return Ok(()) };
        pv.push(reply);
        let next = position.after(reply);
        for mv in self.ordered(&next, None, length) {
            let after = next.after(mv);
            if self.is_lost(&after, length - 1)? {
                pv.push(mv);
                return self.defence(&after, after.legal_moves(), length - 1, pv);
            }
        }
        Ok(())
    }
}
