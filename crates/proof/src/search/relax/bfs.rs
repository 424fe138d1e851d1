//! A long question to a party, answered breadth first.
//!
//! Whoever goes depth first meets a placement with few moves left before it meets it with many, and has to try it
//! again each time. Breadth first every placement is met with the most room first, and what is met with less
//! need not be tried: nothing can be done with less that cannot be done with more.

use crate::distance::cache::Map;
use crate::search::bound::{Bound, Rows};
use crate::search::relax::answers::{Answer, Known, Left, Room};
use crate::search::relax::subset::{Asked, Limit, Party};
use crate::search::state::board::Board;

/// More placements than these never wait, some 600 bytes each; a question that needs more is given up.
const NEXT_MAX: usize = 1 << 16;

/// A position of a party that is to be looked at later.
pub(crate) struct Place {
    pub(crate) board: Board,
    pub(crate) bound: Bound,
    pub(crate) left: Left,
}

/// The placements met so far, with the most room, and those of them that come next.
#[derive(Default)]
pub(crate) struct Flood {
    met: Map<u128, Known>,
    next: Vec<Place>,
}

impl Flood {
    /// Notes a placement for later, unless it was met with as much room; `Dead` if there is nothing more to be
    /// said of it now, `Open` if there is no place left.
    pub(crate) fn meet(&mut self, key: u128, room: Room, place: impl FnOnce() -> Place) -> Answer {
        let met = self.met.entry(key).or_insert(Known::NOTHING);
        if met.answer(room, 0).is_none() {
            if self.next.len() >= NEXT_MAX {
                return Answer::Open(0);
            }
            met.note(room, Answer::Dead);
            self.next.push(place());
        }
        Answer::Dead
    }
}

impl Party {
    /// Whether there is a way on from a placement.
    ///
    /// *Admissible*: what follows from a placement with less room follows with more ([`Known`]), so if no
    /// placement that was looked at is a success, none of those left out leads to one; then all that were met have
    /// no way on, since whatever follows from them was met too.
    pub(crate) fn flood(
        &mut self,
        asked: &Asked<'_>,
        start: Place,
        rows: &mut Rows,
        limit: Limit,
    ) -> Answer {
        let (code, room) = start.left.part(self.waits);
        let key = start.board.key ^ code;
        let mut flood = Flood::default();
        flood.meet(key, room, || start);
        let mut answer = Answer::Dead;
        let mut places = Vec::new();
        while answer == Answer::Dead && !flood.next.is_empty() {
            std::mem::swap(&mut places, &mut flood.next);
            self.flood = Some(flood);
            for Place { board, bound, left } in &mut places {
                answer = self.expand(asked, board, bound, *left, rows, limit);
                if answer != Answer::Dead {
                    break;
                }
            }
            places.clear();
            flood = self.flood.take().unwrap_or_default();
        }
        match answer {
            Answer::Dead => {
                self.expect(flood.met.len());
                for (key, met) in flood.met {
                    met.dead().for_each(|room| self.note_at(key, room, Answer::Dead));
                }
            }
            Answer::Open(_) => self.note_at(key, room, Answer::Open(limit.level)),
            Answer::Able => self.note_at(key, room, Answer::Able),
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::{Effort, Matter, Suppose};
    use crate::check::random::{Style, random_game};
    use crate::distance::cache::Atlas;
    use crate::problem::man::{Man, MenSet};
    use crate::search::bound::Blockade;
    use crate::search::depth_first::budgets;
    use crate::search::state::script::Script;
    use crate::{Length, Problem, Rules, project};
    use umbrail_control::Cancel;

    /// Both answers of some men to the array of a random game's strategy, which has to last so many plies longer.
    fn both(seed: u64, more: u16) -> Option<[Answer; 2]> {
        let game = random_game(Style::Tight(0), 2 + seed as usize % 7, seed);
        let strategy = project(&game).unwrap();
        let diagram = strategy.diagram().unwrap();
        let plies = game.len() as u16 + more;
        let problem = Problem { diagram, plies, length: Length::Exact };
        let (mut atlas, mut rows) = (Atlas::default(), Rows::default());
        let (rules, effort) = (Rules::default(), Effort::Quick);
        let matter = Matter { problem: &problem, strategy: &strategy, rules, effort };
        let plan = matter.think(Suppose::default(), &mut atlas).ok()?;
        let script = Script::new(&plan);
        let blockade = Blockade { on: true, sum: true };
        let cancel = Cancel::default();
        let asked =
            Asked { script: &script, atlas: &atlas, blockade, exact: true, cancel: &cancel };
        // White cannot wait, Black perhaps.
        let some =
            |man: &Man| man.color().is_white() || !(man.index() as u64 + seed).is_multiple_of(5);
        let men: MenSet = Man::all().filter(some).collect();
        let limit = Limit { moves: 20_000, level: 14 };
        let answers = [false, true].map(|wide| {
            let mut party = Party::new(men, &script);
            let board = party.part_of_array(&script);
            let left = Left { plies, own: budgets(plies, 0) };
            let tools = (&atlas, &mut rows);
            let Some(bound) = Bound::of(&script, &board, men, left.own, tools, blockade) else {
                return Answer::Dead;
            };
            if wide {
                party.flood(&asked, Place { board, bound, left }, &mut rows, limit)
            } else {
                party.play(&asked, &mut board.clone(), &bound, left, &mut rows, limit)
            }
        });
        Some(answers)
    }

    #[test]
    fn breadth_and_depth_agree() {
        let mut counts = [0; 2];
        for seed in 0..200 {
            for more in [0, 2, 4] {
                match both(seed, more) {
                    Some([Answer::Dead, Answer::Dead]) => counts[0] += 1,
                    Some([Answer::Able, Answer::Able]) => counts[1] += 1,
                    Some([Answer::Open(_), _] | [_, Answer::Open(_)]) | None => {}
                    Some(_) => panic!("seed {seed}, {more} plies more"),
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }
}
