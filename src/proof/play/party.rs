//! A party: some men of both sides by themselves, the others only counted.
//!
//! Most positions without a future fail because of a few men, whatever the others do meanwhile. So these few
//! are played by themselves, once for each of their placements, instead of once for each placement of
//! everybody; a move of anybody else is a wait.

use super::answers::{Answer, Known, Left};
use super::board::{Board, GONE, NOBODY, Undo};
use super::bound::{Blockade, Bound, Rows};
use super::moves::{self, Choice, Choices, Deed, is_passing};
use super::script::Script;
use crate::chess::attacks;
use crate::control::Cancel;
use crate::geometry::{Bitboard, Color, Square};
use crate::proof::analysis::Atlas;
use crate::proof::analysis::atlas::Map;
use crate::proof::analysis::life::Goal;
use crate::proof::man::{Man, MenSet};
use crate::proof::notation::castled;
use crate::proof::strategy::castling_rook;

/// Placements kept for each party; then it begins afresh.
const KNOWN_MAX: usize = 1 << 18;

/// How often the stop signal is looked at, in moves.
const POLL: u64 = 1023;

/// What stays the same while one question is answered.
pub(super) struct Asked<'a> {
    pub(super) script: &'a Script,
    pub(super) atlas: &'a Atlas,
    pub(super) blockade: Blockade,
    /// Whether games must have all plies.
    pub(super) exact: bool,
    /// Gives every question up.
    pub(super) cancel: &'a Cancel,
}

/// Some men, and what is known of their placements (rule B4).
pub(super) struct Party {
    pub(super) men: MenSet,
    /// Of these, the ones that may move.
    movers: MenSet,
    /// Of these, the ones that somebody else takes.
    prey: MenSet,
    /// Where somebody else may stand.
    maybe: Bitboard,
    /// Whether somebody else of each color may move.
    waits: [bool; 2],
    /// The patient color: somebody else of it may move. If there are two, the second one.
    patient: Option<usize>,
    known: Map<u128, Known>,
    /// Moves made in all.
    pub(super) moves: u64,
}

/// One question: how much it may cost.
#[derive(Clone, Copy)]
struct Limit {
    moves: u64,
    /// The doublings of it.
    level: u8,
}

impl Party {
    /// How many placements it knows something of.
    pub(super) fn knows(&self) -> usize {
        self.known.len()
    }

    /// Forgets all placements.
    pub(super) fn forget(&mut self) {
        self.known = Map::default();
    }

    /// These men, those that never move, and the king of a rook that castles.
    pub(super) fn new(men: MenSet, script: &Script) -> Self {
        let castles = |man: Man| {
            let first = &script.legs[usize::from(script.first[man.index()])];
            matches!(first.goal, Goal::Castle(_))
        };
        let kings = men.men().filter(|&man| castles(man)).map(|man| Man::king(man.color()));
        let men = men | script.fixed | kings.collect();
        let taken =
            |man: &Man| script.captor[man.index()].is_some_and(|captor| !men.contains(captor));
        let prey: MenSet = men.men().filter(taken).collect();
        let mut party = Self {
            men,
            movers: MenSet(men.0 & !script.fixed.0),
            prey,
            maybe: Bitboard::EMPTY,
            waits: [false; 2],
            patient: None,
            known: Map::default(),
            moves: 0,
        };
        for man in MenSet(!men.0 | prey.0).men() {
            party.maybe |= script.squares[man.index()];
            party.waits[man.color().index()] = true;
        }
        party.patient = party.waits.iter().rposition(|&waits| waits);
        party
    }

    /// Whether the party can go all its ways with so many plies left.
    ///
    /// *Admissible*: take any game from the position on and watch the party alone. Its men's moves are
    /// still possible, because leaving others out never shuts a way; and all other moves are waits. A side's
    /// party makes no more moves than the side has left beyond what its other men need (`own`), and where
    /// nobody else of a side can move, it moves itself. That a victim outside the party stands where it is
    /// taken is not asked, and one of the party who is taken from outside is away as soon as he waits for
    /// it; he may still move, which is a wait. A king of the party is in check only if a man of the party
    /// attacks it through squares on which nobody else ever stands; then the next ply is a move of the party
    /// that ends the check, because nobody else can shield it, and a checker whom somebody else takes
    /// is away by then. Rules B1 and B2 hold for the party as they do for all men. So if
    /// no such line of play is left, no game is.
    /// It is given up after so many moves, which counts as yes.
    pub(super) fn allows(
        &mut self,
        asked: &Asked<'_>,
        board: &Board,
        bound: &Bound,
        plies: u16,
        rows: &mut Rows,
        moves_max: u64,
    ) -> bool {
        let (mover, other) = ((plies as i16 + 1) / 2, plies as i16 / 2);
        let mut own = if board.turn.is_white() { [mover, other] } else { [other, mover] };
        for man in MenSet(bound.alive.0 & !self.men.0).men() {
            own[man.index() >> 4] -= i16::from(bound.need[man.index()]);
        }
        let left = Left { plies, own };
        let key = self.key(asked.script, board);
        let level = (moves_max + 1).ilog2() as u8;
        if let Some(answer) = self.recall(key, left, level) {
            return answer != Answer::Dead;
        }
        if moves_max == 0 {
            return true;
        }
        if self.known.len() >= KNOWN_MAX {
            self.forget();
        }
        let mut board = self.part(asked.script, board, key);
        let tools = (asked.atlas, &mut *rows);
        let bound = Bound::of(asked.script, &board, self.men, own, tools, asked.blockade);
        if let Some(bound) = bound {
            let limit = Limit { moves: self.moves + moves_max, level };
            self.play(asked, &mut board, &bound, left, rows, limit) != Answer::Dead
        } else {
            self.note(key, left, Answer::Dead);
            false
        }
    }

    /// What is known, unless it was given up with much less effort.
    #[inline]
    fn recall(&self, key: u128, left: Left, level: u8) -> Option<Answer> {
        let (code, own) = left.code(self.patient);
        self.known.get(&(key ^ code))?.answer(own, level)
    }

    fn note(&mut self, key: u128, left: Left, answer: Answer) {
        let (code, own) = left.code(self.patient);
        self.known.entry(key ^ code).or_insert(Known::NOTHING).note(own, answer);
    }

    /// Whether a man is left out because somebody else takes it where it stands.
    #[inline]
    fn leaves_at_once(&self, script: &Script, board: &Board, man: usize) -> bool {
        self.prey.0 >> man & 1 != 0 && board.waits(script, man)
    }

    /// The key of the party's men and legs in a position.
    fn key(&self, script: &Script, board: &Board) -> u128 {
        let mut key = 0;
        for man in self.movers.men() {
            let m = man.index();
            if board.at[m] != GONE && !self.leaves_at_once(script, board, m) {
                key ^= board.man_key(script, m);
            }
        }
        if board.turn == Color::Black {
            key ^= super::board::BLACK_TO_MOVE;
        }
        if self.passes(script, board.passing) { key ^ super::board::PASSING } else { key }
    }

    /// Whether a capture en passant is a matter of the party alone.
    fn passes(&self, script: &Script, victim: u8) -> bool {
        victim != NOBODY
            && self.men.contains(Man::new(victim))
            && self.men.contains(Man::new(script.passing_captor[usize::from(victim)]))
    }

    /// The position of the party.
    fn part(&self, script: &Script, board: &Board, key: u128) -> Board {
        let mut part = board.clone();
        for man in Man::all() {
            let m = man.index();
            if part.at[m] == GONE {
                continue;
            }
            if !self.men.contains(man) || self.leaves_at_once(script, board, m) {
                part.vanish(script, m);
            }
        }
        if !self.passes(script, board.passing) {
            part.passing = NOBODY;
        }
        part.key = key;
        part
    }

    /// Depth first.
    fn play(
        &mut self,
        asked: &Asked<'_>,
        board: &mut Board,
        bound: &Bound,
        left: Left,
        rows: &mut Rows,
        limit: Limit,
    ) -> Answer {
        let us = board.turn;
        if bound.rest == [0; 2] {
            let moves = [left.plies > 1, left.plies > 0];
            let moves = if us.is_white() { [moves[1], moves[0]] } else { moves };
            let done = |c: usize| !moves[c] || self.waits[c];
            if (done(0) && done(1)) || !asked.exact && left.plies.is_multiple_of(2) {
                return Answer::Able;
            }
        }
        if left.plies == 0 {
            return Answer::Dead;
        }
        let key = board.key;
        if let Some(answer) = self.recall(key, left, limit.level) {
            return answer;
        }
        let mut answer = Answer::Dead;
        let spare = left.own[us.index()] - bound.rest[us.index()];
        let choices = if board.passing == NOBODY {
            self.choices(asked, board, bound, spare, rows)
        } else {
            take_in_passing(asked.script, board)
        };
        for choice in &choices {
            self.moves += 1;
            let stopped = self.moves & POLL == 0 && asked.cancel.is_raised();
            answer = if self.moves >= limit.moves || stopped {
                Answer::Open(limit.level)
            } else {
                self.make(asked, board, bound, left, rows, limit, choice)
            };
            if answer != Answer::Dead {
                break;
            }
        }
        let waits = self.waits[us.index()] && board.passing == NOBODY && !self.in_check(board, us);
        if answer == Answer::Dead && waits {
            self.moves += 1;
            answer = self.wait(asked, board, bound, left, rows, limit);
        }
        self.note(key, left, answer);
        answer
    }

    /// Somebody else makes a move.
    fn wait(
        &mut self,
        asked: &Asked<'_>,
        board: &mut Board,
        bound: &Bound,
        left: Left,
        rows: &mut Rows,
        limit: Limit,
    ) -> Answer {
        let u = board.turn.index();
        let mut next = left;
        next.plies -= 1;
        // When nobody else needs a move any more, it is a spare one.
        next.own[u] = next.own[u].min((left.plies as i16 - 1) / 2);
        let mut bound = bound.clone();
        if !bound.settle(asked.script, board, next.own, asked.atlas, rows, asked.blockade) {
            return Answer::Dead;
        }
        board.wait();
        let answer = self.play(asked, board, &bound, next, rows, limit);
        board.wait();
        answer
    }

    /// Whether a king of the party is surely attacked by the party's men.
    fn in_check(&self, board: &Board, color: Color) -> bool {
        let king = board.at[Man::king(color).index()];
        king != GONE && self.attacked(board, Square::new(king), color)
    }

    /// Whether the party's men surely attack a square.
    fn attacked(&self, board: &Board, square: Square, color: Color) -> bool {
        let occupied = board.occupied() | self.maybe.without(square);
        board.attackers(square, !color, occupied).any()
    }

    /// Makes a move and plays on.
    #[expect(clippy::too_many_arguments, reason = "one step of a recursion")]
    fn make(
        &mut self,
        asked: &Asked<'_>,
        board: &mut Board,
        bound: &Bound,
        left: Left,
        rows: &mut Rows,
        limit: Limit,
        choice: &Choice,
    ) -> Answer {
        let (script, atlas) = (asked.script, asked.atlas);
        let us = board.turn;
        let m = usize::from(choice.man);
        let mut next = left;
        next.plies -= 1;
        next.own[us.index()] -= 1;
        let mut new = bound.clone();
        let mut rook = None;
        let mut taken = NOBODY;
        let new_leg = choice.deed != Deed::Quiet;
        let passing = is_passing(script, board, choice) && self.passes(script, choice.man);
        let undo: Undo = match choice.deed {
            Deed::Castle(wing) => {
                let man = castling_rook(us, wing);
                if board.at[man.index()] == GONE {
                    board.make(script, m, choice.to, NOBODY, true)
                } else {
                    rook = Some(man.index());
                    board.castle(script, m, man.index(), choice.to, castled(man, wing))
                }
            }
            Deed::Capture(victim) if board.at[usize::from(victim)] != GONE => {
                taken = victim;
                board.key ^= board.leg_key(script, usize::from(victim));
                let mut undo = board.make(script, m, choice.to, taken, new_leg);
                undo.key ^= board.leg_key(script, usize::from(victim));
                undo
            }
            _ => board.make(script, m, choice.to, NOBODY, new_leg),
        };
        if passing {
            board.pass(NOBODY, choice.man);
        }
        let mut alive = !self.in_check(board, us);
        if alive {
            if taken != NOBODY {
                new.taken(usize::from(taken));
            }
            alive = new.moved(script, board, m, new_leg, atlas, rows)
                && rook.is_none_or(|r| new.moved(script, board, r, true, atlas, rows));
        }
        let mut gone = None;
        if alive && !passing && self.leaves_at_once(script, board, m) {
            board.key ^= board.leg_key(script, m);
            gone = Some(board.vanish(script, m));
            new.taken(m);
        }
        let answer = if alive && new.settle(script, board, next.own, atlas, rows, asked.blockade) {
            self.play(asked, board, &new, next, rows, limit)
        } else {
            Answer::Dead
        };
        if let Some(square) = gone {
            board.appear(script, m, square);
        }
        board.unmake(script, m, &undo);
        answer
    }

    /// The party's moves that its spare moves cover, milestones first.
    fn choices(
        &self,
        asked: &Asked<'_>,
        board: &Board,
        bound: &Bound,
        spare: i16,
        rows: &mut Rows,
    ) -> Choices {
        let script = asked.script;
        let us = board.turn;
        let mut choices = Choices::new();
        let occupied = board.occupied();
        let men = MenSet::of_color(us).0 & bound.alive.0 & !bound.finished.0 & !script.fixed.0;
        for man in MenSet(men).men() {
            let m = man.index();
            let leg = &script.legs[usize::from(board.leg[m])];
            let from = Square::new(board.at[m]);
            let (to, deed) = match leg.goal {
                Goal::Capture { square, stood, victim, en_passant, .. } => {
                    let v = victim.index();
                    let there = if self.men.contains(victim) && !en_passant {
                        board.at[v] == stood.number()
                            && bound.need[v] == 0
                            && script.legs[usize::from(board.leg[v])].last
                    } else if self.men.contains(victim) {
                        // That is answered at once, or not at all.
                        false
                    } else {
                        !occupied.contains(square)
                    };
                    if !there || !leg.gait.attacks(from, occupied).contains(square) {
                        continue;
                    }
                    (square, Deed::Capture(victim.number()))
                }
                Goal::Promote { square, .. } if leg.gait.quiet(from, occupied).contains(square) => {
                    (square, Deed::Promote)
                }
                Goal::Castle(wing) if man == Man::king(us) => {
                    let rook = castling_rook(us, wing);
                    let r = rook.index();
                    let at_home = !self.men.contains(rook)
                        || board.at[r] == rook.origin().number() && board.leg[r] == script.first[r];
                    let path = attacks::between(from, rook.origin());
                    let to = castled(man, wing);
                    let way = attacks::between(from, to).with(to).with(from);
                    if !at_home
                        || (path & occupied).any()
                        || way.squares().any(|square| self.attacked(board, square, us))
                    {
                        continue;
                    }
                    (to, Deed::Castle(wing))
                }
                _ => continue,
            };
            choices.push(Choice { man: man.number(), to, deed });
        }
        for man in MenSet(men).men() {
            moves::quiet(
                (asked.script, asked.atlas),
                board,
                bound,
                i32::from(spare),
                man,
                rows,
                &mut choices,
            );
        }
        choices
    }
}

/// After a double step that is to be taken en passant there is no other move.
fn take_in_passing(script: &Script, board: &Board) -> Choices {
    let mut choices = Choices::new();
    let captor = script.passing_captor[usize::from(board.passing)];
    let leg = &script.legs[usize::from(board.leg[usize::from(captor)])];
    if let Goal::Capture { square, en_passant: true, .. } = leg.goal {
        let from = Square::new(board.at[usize::from(captor)]);
        if leg.gait.attacks(from, Bitboard::EMPTY).contains(square) {
            let deed = Deed::Capture(board.passing);
            choices.push(Choice { man: captor, to: square, deed });
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::analysis::{Effort, Matter, Suppose};
    use crate::proof::play::search::budgets;
    use crate::proof::{Diagram, Length, Problem, Rules, game_of, project};

    /// Whether some men could go their ways in a game's strategy with so many plies, and never moved men too.
    fn able(game: &str, plies: u16, men: &[&str]) -> bool {
        let game = game_of(game).unwrap();
        let strategy = project(&game).unwrap();
        let diagram: Diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies, length: Length::Exact };
        // Without rules nobody is known not to move.
        let (mut atlas, mut rows) = (Atlas::default(), Rows::default());
        let (rules, effort) = (Rules::NONE, Effort::Quick);
        let matter = Matter { problem: &problem, strategy: &strategy, rules, effort };
        let plan = matter.think(Suppose::default(), &mut atlas).unwrap();
        let script = Script::new(&plan);
        let board = Board::array(&script, 0);
        let blockade = Blockade { on: true, sum: true };
        let left = budgets(plies, 0);
        let bound = Bound::new(&script, &board, left, &atlas, &mut rows, blockade).unwrap();
        let named = |man: &Man| {
            let color = if man.color().is_white() { "white" } else { "black" };
            men.contains(&color) || men.contains(&man.to_string().as_str())
        };
        let men: MenSet = Man::all().filter(named).collect();
        let asked = Asked {
            script: &script,
            atlas: &atlas,
            blockade,
            exact: true,
            cancel: &Cancel::default(),
        };
        Party::new(men, &script).allows(&asked, &board, &bound, plies, &mut rows, 10_000)
    }

    #[test]
    fn where_nobody_else_can_wait_a_side_must_lose_its_moves_itself() {
        // One move more than Nb1-c3: no knight, rook or king loses exactly one, and all pawns stay.
        assert!(!able("Nc3 Nf6", 4, &["white"]));
        assert!(able("Nc3 Nf6", 4, &["Sb1", "Pa2"]));
        assert!(able("Nc3 Nf6", 6, &["white"]));
    }

    #[test]
    fn a_king_answers_the_checks_of_the_party() {
        // The queen stops on e7 with check; later the king stands at home, and so do its neighbors.
        let game = "e4 e5 Qh5 Nf6 Qxe5 Qe7 Qxe7";
        assert!(able(game, 7, &["white", "black"]));
        assert!(able(game, 7, &["Qd1", "Ke8"]));
    }

    #[test]
    fn a_rook_castles_with_its_king() {
        let game = "e4 a5 Bb5 a4 Ne2 a3 O-O Ra4 Kh1 Rb4 Rg1";
        for men in [&["Rh1"][..], &["Rh1", "Bf1", "Sg1"], &["Ke1"], &["white"], &["black", "Rh1"]] {
            assert!(able(game, 11, men), "{men:?}");
        }
    }
}
