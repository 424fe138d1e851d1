//! Cases by the first piece that stops on a square where some piece must stop.

use crate::analyse::legs::{Goal, Leg, LegSequence};
use crate::analyse::{Assumptions, Effort, StrategyPlan, Visit};
use crate::problem::piece::PieceMask;
use crate::search::bound::MoveBound;
use crate::search::context::{Blockade, SearchContext};
use crate::search::depth_first::budgets;
use crate::search::learn::interposition::Interposition;
use crate::search::node::SearchNode;
use crate::search::relax::subset::SubsetRelaxation;
use crate::search::result::PlayResult;
use crate::search::split::interposers::InterpositionFinder;
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use crate::search::strategy_searcher::StrategySearcher;
use crate::strategy::Strategy;
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_control::Cancel;

/// Maximum estimated effort of all cases, as a share of the whole, for a split; a lost free move
/// halves the effort.
const EFFORT_SHARE_MAX: f64 = 0.5;

impl StrategySearcher {
    /// Returns the cases by interposers (rule A17) if there is such a square: known from other
    /// strategies, or searched for after `played` moves. Also returns the facts about the whole
    /// before it is searched.
    pub(crate) fn split_by_interposition(
        &mut self,
        strategy: &Strategy,
        cancel: &Cancel,
        played: Option<u64>,
    ) -> Option<(PlayResult, Vec<Assumptions>)> {
        let most = match played {
            None if self.store.interpositions().is_empty() => return None,
            None => None,
            Some(played) => Some(self.store.interposition_moves_left(played)?),
        };
        let plan = self.plan(strategy, self.options.assumptions, Effort::Deep).ok()?;
        let (interposition, insiders) = self.interposition(&plan, most, cancel)?;
        let parts = self.visits(strategy, &plan, insiders, interposition.square)?;
        let effort = parts.iter().map(|&(_, lost)| 0.5f64.powi(lost.into())).sum::<f64>();
        let parts = parts.into_iter().map(|(split, _)| split).collect();
        (effort <= EFFORT_SHARE_MAX)
            .then(|| (PlayResult::before(&plan, &self.cache.distances), parts))
    }

    /// Returns a required interposition and the pieces that cannot provide it: known from other
    /// strategies, or searched for with at most `most` moves.
    fn interposition(
        &mut self,
        plan: &StrategyPlan,
        most: Option<u64>,
        cancel: &Cancel,
    ) -> Option<(Interposition, PieceMask)> {
        self.seek(plan, cancel, |seeker| {
            let interposition = match most {
                None => seeker.known(),
                Some(most) => seeker.seek(most),
            }?;
            Some((
                interposition,
                SubsetRelaxation::new(interposition.pieces, seeker.context.compiled).permanent(),
            ))
        })
    }

    /// Tests subsets of pieces at the root of a plan.
    fn seek<T>(
        &mut self,
        plan: &StrategyPlan,
        cancel: &Cancel,
        ask: impl FnOnce(&mut InterpositionFinder<'_>) -> Option<T>,
    ) -> Option<T> {
        let compiled = CompiledPlan::new(plan);
        let board = SearchBoard::initial(&compiled, 0);
        let plies = self.problem.plies;
        let mut context = SearchContext {
            compiled: &compiled,
            distances: &self.cache.distances,
            blocked_maps: &mut self.blocked_maps,
            blockade: Blockade::of(self.options.rules),
            length: self.problem.length,
            cancel,
        };
        let bound = MoveBound::new(&mut context, &board, budgets(plies, 0))?;
        let root = SearchNode { board: &board, bound: &bound, plies };
        ask(&mut InterpositionFinder { context, root, store: &self.store })
    }

    /// Returns the cases by the first piece that stops on a square, not counting the excluded
    /// pieces, and by the leg of this stop, with the free moves lost in each. `None` if an eligible
    /// piece has a milestone there.
    ///
    /// *Admissible*, if in every game a piece other than the excluded ones stops there
    /// ([`InterpositionFinder`]). No eligible piece has a milestone there, so it arrives by a quiet
    /// move, on a leg where it can, and leaves again. Of the pieces that stop there take the first
    /// by number, and of its legs the first on which it stops: every game belongs to exactly one
    /// such case. Before castling, no piece that castles stops anywhere but at home. Cases that
    /// analysis refutes have no games.
    fn visits(
        &mut self,
        strategy: &Strategy,
        plan: &StrategyPlan,
        insiders: PieceMask,
        square: Square,
    ) -> Option<Vec<(Assumptions, i16)>> {
        let (mut parts, mut before) = (vec![], PieceMask::EMPTY);
        let others = |sequence: &&LegSequence| !insiders.contains(sequence.piece);
        for sequence in plan.sequences.iter().filter(others) {
            let met = |leg: &Leg| leg.start == square || leg.goal.square() == Some(square);
            if sequence.legs.iter().any(met) {
                return None;
            }
            if !sequence.squares().contains(square) {
                continue;
            }
            let piece = sequence.piece;
            for (leg, number) in sequence.legs.iter().zip(0..) {
                if matches!(leg.goal, Goal::Castle(_) | Goal::Leave) || !leg.stops.contains(square)
                {
                    continue;
                }
                // The visit is an excursion, so the leg of the excursion is not needed.
                let leg = number - u8::from(plan.assumptions.away.contains(piece));
                let mut case = plan.assumptions.with_visit(Visit { piece, leg, square })?;
                if !before.is_empty() {
                    case = case.with_avoid(before, Bitboard::of(square))?;
                }
                if let Ok(found) = self.plan(strategy, case, Effort::Deep) {
                    let lost = [0, 1].map(|color| plan.free[color] - found.free[color]);
                    parts.push((case, lost[0] + lost[1]));
                }
            }
            before = before.with(piece);
        }
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Analysis;
    use crate::analyse::facts::check_facts;
    use crate::check::random::{GameStyle, SplitMix, random_game};
    use crate::problem::piece::PieceId;
    use crate::search::options::SearchOptions;
    use crate::search::strategy_searcher::TeamContext;
    use crate::search::table::RefutationTable;
    use crate::strategy::route::End;
    use crate::{Length, Problem, game_of, project};
    use std::sync::Arc;
    use umbrail_chess::Move;
    use umbrail_chess::geometry::Color;
    use umbrail_control::Cancel;

    fn player(problem: &Problem) -> StrategySearcher {
        let options = SearchOptions { games_max: usize::MAX, ..SearchOptions::default() };
        StrategySearcher::new(problem, Arc::new(RefutationTable::new(1)), options)
    }

    impl StrategySearcher {
        /// Returns true if these pieces cannot finish unless another piece stops on some squares.
        fn needs(
            &mut self,
            plan: &StrategyPlan,
            squares: impl Fn(&SubsetRelaxation) -> Bitboard,
            pieces: PieceMask,
        ) -> bool {
            let refuted = self.seek(plan, &Cancel::default(), |seeker| {
                let squares = squares(&SubsetRelaxation::new(pieces, seeker.context.compiled));
                seeker.refute(pieces, squares, 20_000)
            });
            refuted.is_some()
        }
    }

    /// Returns all games of a case.
    fn games(
        player: &mut StrategySearcher,
        strategy: &Strategy,
        case: Assumptions,
    ) -> Vec<Vec<Move>> {
        player.options.assumptions = case;
        let cancel = Cancel::default();
        let played =
            player.attempt(strategy, 0, &cancel, Effort::Quick, u64::MAX, TeamContext::default());
        assert!(played.complete);
        played.games
    }

    #[test]
    fn every_game_belongs_to_one_case() {
        let (mut split, mut visited) = (0, 0);
        for seed in 0..24 {
            let game = random_game(GameStyle::Tight(0), 3 + seed as usize % 3, seed);
            let strategy = project(&game).unwrap();
            let diagram = strategy.diagram().unwrap();
            let plies = game.len() as u16 + 4;
            let problem = Problem { diagram, plies, length: Length::Exact };
            let mut player = player(&problem);
            let mut all = games(&mut player, &strategy, Assumptions::default());
            all.sort();
            for square in (seed as u8 % 32..64).step_by(32).map(Square::new) {
                let Ok(plan) = player.plan(&strategy, Assumptions::default(), Effort::Quick) else {
                    continue;
                };
                let Some(parts) = player.visits(&strategy, &plan, PieceMask::EMPTY, square) else {
                    continue;
                };
                // Or no piece stops there.
                let nobody =
                    plan.assumptions.with_avoid(PieceMask::ALL, Bitboard::of(square)).unwrap();
                let mut together = games(&mut player, &strategy, nobody);
                split += usize::from(!parts.is_empty());
                for (split, _) in parts {
                    let found = games(&mut player, &strategy, split);
                    visited += found.len();
                    together.extend(found);
                }
                together.sort();
                assert_eq!(together, all, "seed {seed} {square} {strategy}");
                player.options.assumptions = Assumptions::default();
            }
        }
        assert!(split > 10 && visited > 20, "{split} {visited}");
    }

    #[test]
    fn a_visit_is_true_of_games_that_make_it() {
        let game = game_of("Nf3 Nf6 Ne5 Ng8 Nf3 Nf6 Ng1").unwrap();
        let strategy = project(&game).unwrap();
        let diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies: 7, length: Length::Exact };
        let rules = crate::Rules::default();
        let analysis =
            Analysis { problem: &problem, strategy: &strategy, rules, effort: Effort::Deep };
        let mut cache = crate::analyse::cache::AnalysisCache::default();
        let knight = crate::PieceId::starting_on(Square::G1).unwrap();
        let judged = |square: Square, cache: &mut crate::analyse::cache::AnalysisCache| {
            let visit = Visit { piece: knight, leg: 0, square };
            let case = Assumptions::default().with_visit(visit).unwrap();
            let plan = analysis.propagate(case, cache).unwrap();
            assert_eq!(plan.sequence(knight).legs.len(), 2);
            check_facts(&plan, &cache.distances, &game)
        };
        assert_eq!(judged(Square::E5, &mut cache), Ok(()));
        assert_eq!(judged(Square::F3, &mut cache), Ok(()));
        assert!(judged(Square::G5, &mut cache).is_err(), "it never goes there");
        let avoid =
            Assumptions::default().with_avoid(PieceMask::ALL, Bitboard::of(Square::E5)).unwrap();
        let plan = analysis.propagate(avoid, &mut cache).unwrap();
        assert!(check_facts(&plan, &cache.distances, &game).is_err(), "another man goes there");
    }

    /// Returns the squares on which each piece stops in a game, in the positions after each ply.
    fn stops(game: &[Move]) -> [Bitboard; 32] {
        let mut stops = [Bitboard::EMPTY; 32];
        for ply in 0..=game.len() {
            // The route of a piece so far ends on its current square.
            let strategy = project(&game[..ply]).unwrap();
            for piece in PieceId::all() {
                if let End::Rest(square) = strategy.route(piece).end {
                    stops[piece.index()] = stops[piece.index()].with(square);
                }
            }
        }
        stops
    }

    /// Returns a game, its problem, and its plan.
    fn counts(seed: u64) -> (Vec<Move>, Problem, StrategySearcher, Strategy, StrategyPlan) {
        let game = random_game(GameStyle::Tight(seed as u8 % 3), 8 + seed as usize % 24, seed);
        let strategy = project(&game).unwrap();
        let diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies: game.len() as u16, length: Length::Exact };
        let mut player = player(&problem);
        let plan = player.plan(&strategy, Assumptions::default(), Effort::Quick).unwrap();
        (game, problem, player, strategy, plan)
    }

    #[test]
    fn pieces_that_finished_without_an_interposer_do_not_need_one() {
        let mut context = 0;
        for seed in 0..150 {
            let (game, _, mut player, _, plan) = counts(seed);
            let stops = stops(&game);
            let mut dice = SplitMix::new(seed);
            for _ in 0..8 {
                let pieces = PieceMask((dice.roll(1 << 16) | dice.roll(1 << 16) << 16) as u32);
                // Where no other piece stopped, and no piece was taken from outside.
                let needs = player.needs(
                    &plan,
                    |relaxation| {
                        let others = PieceMask(!relaxation.permanent().0).pieces();
                        !others.fold(Bitboard::EMPTY, |all, piece| all | stops[piece.index()])
                    },
                    pieces,
                );
                assert!(!needs, "seed {seed} {pieces:?}");
                context += 1;
            }
        }
        assert_eq!(context, 1200);
    }

    #[test]
    fn a_line_that_its_own_side_blocks_in_part_gives_cases() {
        // The start of M. Caillaud's problem in StrateGems 2002 (PDB P1004001): the queen moves via
        // e6 and c8 while the king is at home. Black's own rook then stands on d8, but no piece has
        // the moves for e7.
        let game = "Nc3 e5 Nd5 Qf6 Ne7 d5 e4 Bf5 Qe2 Nd7 Qa6 Rd8 Qe6 Nb6 Qc8 Nh6 Nc6 Bb4 Qa8 Bc3";
        let strategy = project(&game_of(game).unwrap()).unwrap();
        let problem =
            Problem { diagram: strategy.diagram().unwrap(), plies: 20, length: Length::Exact };
        let mut player = player(&problem);
        let plan = player.plan(&strategy, Assumptions::default(), Effort::Deep).unwrap();
        let (interposition, insiders) =
            player.interposition(&plan, Some(1_000_000), &Cancel::default()).unwrap();
        assert_eq!(interposition.square, Square::E7, "{interposition:?}");
        let parts = player.visits(&strategy, &plan, insiders, interposition.square).unwrap();
        let visits = parts.iter().flat_map(|(split, _)| split.visits());
        let who: Vec<String> = visits.map(|visit| visit.piece.to_string()).collect();
        assert_eq!(who, ["Sb1"]);
        // The next strategy uses it.
        let known = player.interposition(&plan, None, &Cancel::default());
        assert_eq!(known.map(|(known, _)| known), Some(interposition));
    }

    #[test]
    fn a_line_that_must_be_blocked_gives_cases() {
        // A strategy of PDB P1000010: the bishop goes to a6 before Black castles, while b7 is empty.
        let text = "Qd1-f6 (Pg7), Bf1-a6, Pa2xPb7 b5, Pd2xQd8 e3-e4, Pg2xRh8 f3-f5, Ph2-h4, \
            Ra8 O-O-O-g2, Sb8-g4, Bc8-h5, Qd8-e3 (Pd2), Ke8 O-O-O-a8, Bf8-h2, Rh8-f3 (Pg2), \
            Pa7-a5, Pb7-b5 (Pa2), Pc7-c6, Pg7xQd1 f6";
        let strategy: Strategy = text.parse().unwrap();
        let diagram = strategy.diagram().unwrap();
        let problem = Problem { diagram, plies: 51, length: Length::Exact };
        let mut player = player(&problem);
        let plan = player.plan(&strategy, Assumptions::default(), Effort::Deep).unwrap();
        let names = ["Bf1", "Pa2", "Ra8", "Bc8", "Qd8", "Pb7", "Pc7"];
        let pieces: PieceMask =
            PieceId::all().filter(|piece| names.contains(&piece.to_string().as_str())).collect();
        let square = Square::B7;
        player.store.record_interposition(Interposition {
            pieces,
            square: Square::C6,
            moves: 2_000,
        });
        let cancel = Cancel::default();
        assert_eq!(player.interposition(&plan, None, &cancel).map(|found| found.0), None);
        let known = Interposition { pieces, square, moves: 100_000 };
        player.store.record_interposition(known);
        let (interposition, insiders) = player.interposition(&plan, None, &cancel).unwrap();
        assert_eq!(interposition, known);
        assert!(insiders.contains(PieceId::king(Color::Black)), "he castles with the rook");
        let parts = player.visits(&strategy, &plan, insiders, square).unwrap();
        let who: Vec<String> = parts
            .iter()
            .flat_map(|(split, _)| split.visits())
            .map(|visit| visit.piece.to_string())
            .collect();
        assert_eq!(who, ["Ra1", "Sb1", "Qd1", "Ke1", "Sg1", "Rh1"]);
        assert!(parts.iter().all(|&(_, lost)| lost >= 2), "it is a long way round");
        // The detour is shown with the strategy.
        let plan = player.plan(&strategy, parts[0].0, Effort::Deep).unwrap();
        let waypoints = player.waypoints(&plan);
        let rook = PieceId::starting_on(Square::A1).unwrap();
        assert_eq!(waypoints.of(rook, 0).collect::<Vec<_>>(), [square]);
        assert_eq!(plan.sequence(rook).needed, 6, "Ra1-b7-a1");
    }
}
