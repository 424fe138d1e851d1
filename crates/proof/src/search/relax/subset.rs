//! A party: some men of both sides by themselves, the others only counted.
//!
//! Most positions without a future fail because of a few men, whatever the others do meanwhile. So these few
//! are played by themselves, once for each of their placements, instead of once for each placement of
//! everybody; a move of anybody else is a wait.

use crate::analyse::legs::Goal;
use crate::distance::cache::DistanceCache;
use crate::problem::man::{Man, MenSet};
use crate::search::bound::{Blockade, BlockedMaps, MoveBound};
use crate::search::relax::answers::{Feasibility, MovesLeft, Slack};
use crate::search::relax::bfs::{Frontier, QueuedState};
use crate::search::relax::cache::{ResultCache, SharedCache};
use crate::search::state::board::{GONE, NOBODY, SearchBoard};
use crate::search::state::script::Script;
use umbrail_chess::geometry::{Bitboard, Color};
use umbrail_control::Cancel;

/// Placements kept for each party; then it begins afresh.
const CACHE_MAX: usize = 1 << 18;

/// So many moves are made depth first at most; then it goes on breadth first.
const DEPTH_FIRST_MAX: u64 = 200;

/// What stays the same while one question is answered.
pub(crate) struct SubsetContext<'a> {
    pub(crate) script: &'a Script,
    pub(crate) distances: &'a DistanceCache,
    pub(crate) blockade: Blockade,
    /// Whether games must have all plies.
    pub(crate) exact: bool,
    /// Gives every question up.
    pub(crate) cancel: &'a Cancel,
}

/// Some men, and what is known of their placements (rule B4).
pub(crate) struct SubsetRelaxation {
    pub(crate) men: MenSet,
    /// Of these, the ones that may move.
    movers: MenSet,
    /// Of these, the ones that somebody else takes.
    prey: MenSet,
    /// Where somebody else may stand.
    pub(crate) maybe: Bitboard,
    /// Whether somebody else of each color may move.
    pub(crate) waits: [bool; 2],
    known: ResultCache,
    /// Moves made in all.
    pub(crate) moves: u64,
    /// Where placements are put that are to be looked at later, instead of at once.
    pub(crate) frontier: Option<Frontier>,
}

/// One question: how much it may cost.
#[derive(Clone, Copy)]
pub(crate) struct EffortLimit {
    /// When so many moves have been made in all, it is given up.
    pub(crate) moves: u64,
    /// The doublings of those that it may take.
    pub(crate) level: u8,
}

impl EffortLimit {
    /// So many moves more than have been made.
    const fn new(made: u64, more: u64) -> Self {
        Self { moves: made + more, level: (more + 1).ilog2() as u8 }
    }
}

impl SubsetRelaxation {
    /// How many placements it knows something of.
    pub(crate) fn knows(&self) -> usize {
        self.known.len()
    }

    /// Forgets all placements.
    pub(crate) fn forget(&mut self) {
        self.known.forget();
    }

    /// Shares what it knows with the same party of others.
    pub(crate) fn share(&mut self, shared_cache: &SharedCache, case: u64) {
        self.known.share(shared_cache, case, self.men);
    }

    /// These men, those that never move, and the king of a rook that castles.
    pub(crate) fn new(men: MenSet, script: &Script) -> Self {
        let castles = |man: Man| {
            let first = &script.legs[usize::from(script.first[man.index()])];
            matches!(first.goal, Goal::Castle(_))
        };
        let kings = men.men().filter(|&man| castles(man)).map(|man| Man::king(man.color()));
        let men = men | script.fixed | kings.collect();
        let taken =
            |man: &Man| script.captor[man.index()].is_some_and(|captor| !men.contains(captor));
        let prey: MenSet = men.men().filter(taken).collect();
        let mut relaxation = Self {
            men,
            movers: MenSet(men.0 & !script.fixed.0),
            prey,
            maybe: Bitboard::EMPTY,
            waits: [false; 2],
            known: ResultCache::default(),
            moves: 0,
            frontier: None,
        };
        for man in MenSet(!men.0 | prey.0).men() {
            relaxation.maybe |= script.squares[man.index()];
            relaxation.waits[man.color().index()] = true;
        }
        relaxation
    }

    /// The same men when nobody else ever stops on these squares.
    pub(crate) fn without_interposers(mut self, squares: Bitboard) -> Self {
        self.maybe &= !squares;
        self
    }

    /// The men who stand where they stand as long as they live. The others are taken from outside, and left out as
    /// soon as they wait for it.
    pub(crate) const fn permanent(&self) -> MenSet {
        MenSet(self.men.0 & !self.prey.0)
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
    pub(crate) fn allows(
        &mut self,
        context: &SubsetContext<'_>,
        board: &SearchBoard,
        bound: &MoveBound,
        plies: u16,
        blocked_maps: &mut BlockedMaps,
        moves_max: u64,
    ) -> bool {
        self.answer(context, (board, bound, plies), blocked_maps, moves_max)
            != Feasibility::Infeasible
    }

    /// The same; `Open` when it was given up.
    pub(crate) fn answer(
        &mut self,
        context: &SubsetContext<'_>,
        (board, bound, plies): (&SearchBoard, &MoveBound, u16),
        blocked_maps: &mut BlockedMaps,
        moves_max: u64,
    ) -> Feasibility {
        let (mover, other) = ((plies as i16 + 1) / 2, plies as i16 / 2);
        let mut own = if board.turn.is_white() { [mover, other] } else { [other, mover] };
        // What the others need: all, without what the party does; whoever never moves needs nothing.
        own = [own[0] - bound.rest[0], own[1] - bound.rest[1]];
        for man in MenSet(bound.alive.0 & self.movers.0).men() {
            own[man.index() >> 4] += i16::from(bound.need[man.index()]);
        }
        let left = MovesLeft { plies, own };
        let key = self.key(context.script, board);
        let all = EffortLimit::new(self.moves, moves_max);
        if let Some(answer) = self.recall(key, left, all.level) {
            return answer;
        }
        if moves_max == 0 {
            return Feasibility::Unknown(0);
        }
        self.known.trim(CACHE_MAX);
        let mut board = self.part(context.script, board, key);
        let tools = (context.distances, &mut *blocked_maps);
        let bound = MoveBound::of(context.script, &board, self.men, own, tools, context.blockade);
        let Some(bound) = bound else {
            self.note(key, left, Feasibility::Infeasible);
            return Feasibility::Infeasible;
        };
        let depth_first_limit = EffortLimit::new(self.moves, moves_max.min(DEPTH_FIRST_MAX));
        let answer =
            self.depth_first(context, &mut board, &bound, left, blocked_maps, depth_first_limit);
        if matches!(answer, Feasibility::Unknown(_)) && moves_max > DEPTH_FIRST_MAX {
            self.breadth_first(context, QueuedState { board, bound, left }, blocked_maps, all)
        } else {
            answer
        }
    }

    /// What is known, unless it was given up with much less effort.
    #[inline]
    pub(crate) fn recall(&self, key: u128, left: MovesLeft, level: u8) -> Option<Feasibility> {
        let (code, room) = left.part(self.waits);
        self.known.answer(key ^ code, room, level)
    }

    pub(crate) fn note(&mut self, key: u128, left: MovesLeft, answer: Feasibility) {
        let (code, room) = left.part(self.waits);
        self.note_at(key ^ code, room, answer);
    }

    /// Makes room for so many more placements.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.known.reserve(more);
    }

    /// The same for a key and a room parted already.
    pub(crate) fn note_at(&mut self, key: u128, room: Slack, answer: Feasibility) {
        self.known.note(key, room, answer);
    }

    /// Whether a man is left out because somebody else takes it where it stands.
    #[inline]
    pub(crate) fn leaves_at_once(&self, script: &Script, board: &SearchBoard, man: usize) -> bool {
        self.prey.0 >> man & 1 != 0 && board.waits(script, man)
    }

    /// The key of the party's men and legs in a position.
    fn key(&self, script: &Script, board: &SearchBoard) -> u128 {
        let mut key = 0;
        for man in self.movers.men() {
            let m = man.index();
            if board.at[m] != GONE && !self.leaves_at_once(script, board, m) {
                key ^= board.man_key(script, m);
            }
        }
        if board.turn == Color::Black {
            key ^= crate::search::state::board::BLACK_TO_MOVE;
        }
        if self.passes(script, board.passing) {
            key ^ crate::search::state::board::PASSING
        } else {
            key
        }
    }

    /// Whether a capture en passant is a matter of the party alone.
    pub(crate) fn passes(&self, script: &Script, victim: u8) -> bool {
        victim != NOBODY
            && self.men.contains(Man::new(victim))
            && self.men.contains(Man::new(script.passing_captor[usize::from(victim)]))
    }

    /// The array of the party.
    #[cfg(test)]
    pub(crate) fn part_of_array(&self, script: &Script) -> SearchBoard {
        let array = SearchBoard::array(script, 0);
        self.part(script, &array, self.key(script, &array))
    }

    /// The position of the party.
    fn part(&self, script: &Script, board: &SearchBoard, key: u128) -> SearchBoard {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::cache::AnalysisCache;
    use crate::analyse::{Analysis, Assumptions, Effort};
    use crate::search::depth_first::budgets;
    use crate::{Diagram, Length, Problem, Rules, game_of, project};

    /// Whether some men could go their ways in a game's strategy with so many plies, and never moved men too.
    fn able(game: &str, plies: u16, men: &[&str]) -> bool {
        let game = game_of(game).unwrap();
        let strategy = project(&game).unwrap();
        let diagram: Diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies, length: Length::Exact };
        // Without rules nobody is known not to move.
        let (mut cache, mut blocked_maps) = (AnalysisCache::default(), BlockedMaps::default());
        let (rules, effort) = (Rules::NONE, Effort::Quick);
        let analysis = Analysis { problem: &problem, strategy: &strategy, rules, effort };
        let plan = analysis.propagate(Assumptions::default(), &mut cache).unwrap();
        let script = Script::new(&plan);
        let board = SearchBoard::array(&script, 0);
        let blockade = Blockade { on: true, sum: true };
        let left = budgets(plies, 0);
        let bound =
            MoveBound::new(&script, &board, left, &cache.distances, &mut blocked_maps, blockade)
                .unwrap();
        let named = |man: &Man| {
            let color = if man.color().is_white() { "white" } else { "black" };
            men.contains(&color) || men.contains(&man.to_string().as_str())
        };
        let men: MenSet = Man::all().filter(named).collect();
        let context = SubsetContext {
            script: &script,
            distances: &cache.distances,
            blockade,
            exact: true,
            cancel: &Cancel::default(),
        };
        SubsetRelaxation::new(men, &script).allows(
            &context,
            &board,
            &bound,
            plies,
            &mut blocked_maps,
            10_000,
        )
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
