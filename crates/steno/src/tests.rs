//! Consistency tests of the solver, and comparisons with known numbers: with and without lookahead,
//! with little memory, with several workers, and resumed in the middle.

use super::checkpoint::{Checkpoint, CheckpointError, resume};
#[cfg(feature = "compose")]
use super::compose::{ComposeError, ComposeOptions, ComposeResult, compose};
use super::game::Game;
use super::report::{html, numbered, pgn, text};
use super::workbench::{convert, explain, reduce};
use super::{
    BigUint, StenoEnd, StenoEvent, StenoOutcome, StenoParams, StenoRequest, Vocabulary, genre,
    solve,
};
use std::sync::Arc;
use std::time::Instant;
use umbrail_chess::{CastlingMode, Position};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

fn with_control<T>(threads: usize, work: impl FnOnce(&Control<'_, StenoEvent>) -> T) -> T {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(threads).unwrap();
    let quiet = |_: StenoEvent| {};
    work(&Control::new(Cancel::default(), &clock, &progress, &pool, &quiet))
}

fn position(fen: &str) -> Position {
    if fen.is_empty() {
        return Position::startpos();
    }
    Position::from_setup(&fen.parse().unwrap(), CastlingMode::Chess960).unwrap()
}

fn request(vocabulary: Vocabulary, steno: &str, fen: &str) -> StenoRequest {
    StenoRequest::new(steno, vocabulary, position(fen)).unwrap_or_else(|e| panic!("{steno}: {e}"))
}

fn solved(request: &StenoRequest, params: &StenoParams, threads: usize) -> StenoOutcome {
    let answer = with_control(threads, |control| solve(request, params, control));
    assert_eq!(answer.refuted, [], "{}", request.text);
    answer
}

/// Returns the count, and the listed games in a fixed order.
fn reported(
    request: &StenoRequest,
    params: &StenoParams,
    threads: usize,
) -> (BigUint, Vec<String>) {
    let answer = solved(request, params, threads);
    assert_eq!(answer.ended, StenoEnd::Complete, "{}", request.text);
    let mut games: Vec<String> =
        answer.games.iter().map(|game| numbered(&request.start, game)).collect();
    let listed = games.len();
    games.sort();
    games.dedup();
    assert_eq!(games.len(), listed, "a game of {} is listed twice", request.text);
    assert_eq!(BigUint::from(listed).min(answer.count.clone()), BigUint::from(listed));
    (answer.count, games)
}

const EXTENDED: Vocabulary = Vocabulary::Extended;
const CLASSIC: Vocabulary = Vocabulary::Classic;

fn counts(vocabulary: Vocabulary, steno: &str, fen: &str, expected: u64) {
    let (count, games) = reported(&request(vocabulary, steno, fen), &StenoParams::default(), 1);
    assert_eq!(count, BigUint::from(expected), "{steno}");
    assert_eq!(games.len() as u64, expected.min(10), "{steno}");
}

#[test]
fn rules_around_every_mark() {
    let file = include_str!("../tests/golden/steno-rules.tsv");
    let all = StenoParams { games_max: 1000, ..StenoParams::default() };
    for (number, line) in file.lines().filter(|line| !line.starts_with('#')).enumerate() {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let vocabulary = Vocabulary::from_name(next()).unwrap();
        let (steno, expected, fen) = (next(), next().parse::<u64>().unwrap(), next());
        let request = request(vocabulary, steno, fen);
        let (count, games) = reported(&request, &all, 1);
        assert_eq!(count, BigUint::from(expected), "{vocabulary} {steno} from {fen:?}");
        assert_eq!(games.len() as u64, expected.min(1000));
        // Also without lookahead, and for some with next to no memory.
        let plain = StenoParams { lookahead: false, ..all.clone() };
        assert_eq!(reported(&request, &plain, 1), (count.clone(), games.clone()), "{steno}");
        if number % 50 == 0 {
            let tight = StenoParams { memory_bytes: 1, ..all.clone() };
            assert_eq!(reported(&request, &tight, 1), (count, games), "{steno}");
        }
    }
}

#[test]
fn genres_are_stenos() {
    counts(EXTENDED, &genre::hap("A P AxP HxA").unwrap(), "", 1);
    counts(EXTENDED, &genre::hap("P P H H+ H H#").unwrap(), "", 1);
    counts(EXTENDED, &genre::hap("P P PxP P H#").unwrap(), "", 1);
    counts(EXTENDED, &genre::ccc("~ ~ x ~ x ~ x#").unwrap(), "", 1);
    // All first moves of pawns have two characters, those of knights three.
    counts(Vocabulary::Length, "2", "", 16);
    counts(Vocabulary::Length, "33", "", 16);
    counts(Vocabulary::Length, "2254&!2", "", 0);
    counts(Vocabulary::Length, "5", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 3);
}

#[test]
fn published_mates_in_two_to_four_moves_are_counted() {
    // OEIS A079485 and the perft tables of the initial position.
    for (steno, games) in [("~~~#", 8), ("~~~~#", 347), ("~~~~%", 258), ("~~~~", 197_281)] {
        counts(CLASSIC, steno, "", games);
    }
}

#[test]
fn little_memory_many_workers_and_no_lookahead_change_nothing() {
    for (vocabulary, steno) in [
        (CLASSIC, "gf~f7f+K+K+3f211"),
        (EXTENDED, "b~\"\"\"\"\"\"\"~#"),
        (EXTENDED, "4~~x[Xp|=]"),
        (Vocabulary::Pgn, "e~exB"),
    ] {
        let request = request(vocabulary, steno, "");
        let usual = StenoParams { games_max: 50, ..StenoParams::default() };
        let expected = solved(&request, &usual, 1);
        let many = solved(&request, &usual, 3);
        assert_eq!((&many.count, &many.games), (&expected.count, &expected.games), "{steno}");
        assert_eq!(many.finals, expected.finals, "{steno}");
        for params in [
            StenoParams { memory_bytes: 1, ..usual.clone() },
            StenoParams { lookahead: false, ..usual.clone() },
        ] {
            let other = solved(&request, &params, 2);
            assert_eq!(other.count, expected.count, "{steno}");
            assert_eq!(other.games.len(), expected.games.len(), "{steno}");
            let finals = |answer: &StenoOutcome| answer.finals.as_ref().map(Vec::len);
            assert_eq!(finals(&other), finals(&expected), "{steno}");
        }
    }
}

#[test]
fn two_kings_that_wander_have_more_games_than_any_word_holds() {
    let fen = "8/8/3k4/8/8/3K4/7P/8 w - - 0 1";
    let answer = solved(&request(CLASSIC, &"K".repeat(50), fen), &StenoParams::default(), 1);
    assert_eq!(answer.ended, StenoEnd::Complete);
    assert!(answer.count.bits() > 128, "{}", answer.count);
    // Each king has at most 8 moves, and on an open board at least 3.
    assert!(
        answer.count < BigUint::from(8u32).pow(50) && answer.count > BigUint::from(3u32).pow(50)
    );
}

#[test]
fn chess960_castling_is_judged_by_where_king_and_rook_go() {
    let fen = "4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1";
    for (steno, games) in [("o", 1), ("O", 1), ("K!1", 3), ("o&g", 1), ("O&<", 1), ("O&_&c", 1)] {
        counts(EXTENDED, steno, fen, games);
    }
}

#[test]
fn a_game_is_over_when_it_is_over() {
    counts(CLASSIC, "~", "8/8/8/3k4/8/3K4/8/5B2 w - - 0 1", 0);
    counts(CLASSIC, "~~", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0);
    counts(Vocabulary::Pgn, "x~", "8/8/8/8/3k4/8/4r3/3K4 w - - 0 1", 0);
    counts(Vocabulary::Pgn, "x&/", "8/8/8/8/3k4/8/4r3/3K4 w - - 0 1", 1);
}

#[test]
fn a_checkpoint_serves_other_marks_behind_it() {
    let vocabulary = EXTENDED;
    let whole = ["~~x~", "~~x\"", "~~x~[Xp]", "~~xv[@d]", "~~x%"];
    let saved = solved(&request(vocabulary, "~~x$-", ""), &StenoParams::default(), 1);
    let saved = saved.checkpoint.expect("a checkpoint");
    let bytes = saved.to_bytes();
    let read = Arc::new(Checkpoint::from_bytes(&bytes).unwrap());
    assert_eq!(read.to_bytes(), bytes);
    for text in whole {
        let rest = format!("${}", &text[3..]);
        let start = Position::startpos();
        let again = resume(&rest, vocabulary, false, &start, &read).unwrap();
        // Enough for all games: the first ones depend on the kept part of the past.
        let params = StenoParams { games_max: 10_000, ..StenoParams::default() };
        let fresh = reported(&request(vocabulary, text, ""), &params, 1);
        assert_eq!(reported(&again, &params, 1), fresh, "{text}");
    }
    let refused = |text, vocabulary, fen| {
        resume(text, vocabulary, false, &position(fen), &read).map(|_| ()).unwrap_err()
    };
    assert_eq!(refused("x", vocabulary, ""), CheckpointError::NoDollar);
    assert!(matches!(refused("$x", CLASSIC, ""), CheckpointError::Vocabulary { .. }));
    let other = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(matches!(refused("$x", vocabulary, other), CheckpointError::Start(_)));
    // A second checkpoint after the first, one after the last turn, one that nothing reaches.
    let start = Position::startpos();
    let further = resume("$~$", vocabulary, false, &start, &read).unwrap();
    let further = solved(&further, &StenoParams::default(), 1);
    assert_eq!(further.checkpoint.map(|saved| saved.turns()), Some(4));
    let dead = solved(&request(CLASSIC, "44#~$~", ""), &StenoParams::default(), 1);
    assert_eq!(dead.checkpoint.map(|saved| (saved.turns(), saved.positions())), Some((4, 0)));
}

#[test]
fn damaged_checkpoints_are_refused() {
    let saved = solved(&request(CLASSIC, "~4$~", ""), &StenoParams::default(), 1);
    let bytes = saved.checkpoint.unwrap().to_bytes();
    let mut dice = 7u64;
    for round in 0..10_000 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (dice >> 33) as usize % bytes.len();
        let mut damaged = bytes.clone();
        match round % 3 {
            0 => damaged[at] ^= 1 << (dice >> 20 & 7),
            1 => damaged.truncate(at),
            _ => damaged.insert(at, (dice >> 24) as u8),
        }
        assert!(Checkpoint::from_bytes(&damaged).is_err(), "round {round} at {at}");
    }
}

/// A file with a right checksum is read only if its positions follow from each other, and its games
/// are then those that the steno has.
#[test]
fn forged_checkpoints_give_no_false_game() {
    let saved = solved(&request(CLASSIC, "~4$~", ""), &StenoParams::default(), 1);
    let bytes = saved.checkpoint.unwrap().to_bytes();
    let body = bytes.len() - 8;
    let head = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    let (mut dice, mut read) = (7u64, 0);
    for round in 0..4000 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = head + (dice >> 33) as usize % (body - head);
        let mut forged = bytes[..body].to_vec();
        forged[at] ^= 1 << (dice >> 20 & 7);
        forged.extend(super::layer_bytes::checksum(&forged).to_le_bytes());
        let Ok(checkpoint) = Checkpoint::from_bytes(&forged) else { continue };
        read += 1;
        let start = Position::startpos();
        let again = resume("$7", CLASSIC, false, &start, &Arc::new(checkpoint)).unwrap();
        let params = StenoParams { games_max: 1000, ..StenoParams::default() };
        let answer = solved(&again, &params, 1);
        assert_eq!(answer.refuted, [], "round {round} at {at}");
    }
    // A wrong number of games remains possible.
    assert!(read < 2000, "{read}");
}

#[test]
fn what_the_last_search_left_is_used_when_it_is_the_same() {
    let first = solved(&request(CLASSIC, "~~~x", ""), &StenoParams::default(), 1);
    for text in ["~~~e", "~~~#", "~~xx", "~", "~~~~%", "4~~x"] {
        let mut again = request(CLASSIC, text, "");
        let fresh = reported(&again, &StenoParams::default(), 1);
        again.reusable_layers = Some(Arc::clone(&first.reusable_layers));
        assert_eq!(reported(&again, &StenoParams::default(), 1), fresh, "{text}");
    }
    let mut again = request(CLASSIC, "~~~x", "");
    again.reusable_layers = Some(first.reusable_layers);
    assert!(solved(&again, &StenoParams::default(), 1).made < first.made);
}

#[test]
fn limits_end_with_what_is_known() {
    let wide = request(CLASSIC, "~~~~~~~~", "");
    let few = StenoParams { positions_max: Some(1000), ..StenoParams::default() };
    let answer = solved(&wide, &few, 1);
    assert_eq!((answer.ended, answer.marks.len()), (StenoEnd::Positions(3), 3));
    let enough = StenoParams { enough: Some(2), games_max: 2, ..StenoParams::default() };
    let answer = solved(&request(CLASSIC, "~~~~", ""), &enough, 1);
    assert_eq!((answer.ended, answer.games.len()), (StenoEnd::Enough, 2));
    let stopped = with_control(1, |control| {
        control.cancel.raise();
        solve(&wide, &StenoParams::default(), control)
    });
    assert_eq!((stopped.ended, stopped.count), (StenoEnd::Stopped, BigUint::ZERO));
    let dead = solved(&request(CLASSIC, "e4~", ""), &StenoParams::default(), 1);
    assert_eq!(dead.dead_turn(), Some(2));
}

fn game(text: &str) -> Game {
    Game::read(text, &Position::startpos(), CastlingMode::Standard).unwrap()
}

#[test]
fn cooks_are_listed_with_the_turn_where_they_leave() {
    let mut cooked = request(CLASSIC, "3c5423123#", "");
    let all = solved(&cooked, &StenoParams::default(), 1).games;
    assert_eq!(all.len(), 2);
    cooked.intended = Some(all[0].clone());
    let answer = solved(&cooked, &StenoParams::default(), 1);
    assert_eq!(answer.games, [all[1].clone()]);
    let line = text::solution(&cooked, &answer.games[0], 1);
    assert!(line.contains("leaves the intended game at"), "{line}");
    let page = html::page(&cooked, &answer);
    assert!(page.contains("\"leaves\":") && !page.contains("\"leaves\":-1"), "{page}");
}

#[test]
fn answers_become_pages_and_files() {
    let asked = request(EXTENDED, "4~>&<", "");
    let none = solved(&asked, &StenoParams::default(), 1);
    assert!(
        text::verdict(&asked, &none).starts_with("no game; no move satisfies turn 3"),
        "{}",
        text::verdict(&asked, &none)
    );
    let asked = request(EXTENDED, "36~#", "");
    let answer = solved(&asked, &StenoParams::default(), 1);
    assert_eq!(text::verdict(&asked, &answer), "unique: exactly one game\n");
    let file = pgn::game(&asked, &answer.games[0], 1, true);
    for part in ["[Steno \"36~#\"]", "[Vocabulary \"extended\"]", "[Result \"0-1\"]", "1. f3 {3}"] {
        assert!(file.contains(part), "{part} in {file}");
    }
    let read = Game::read(&file, &Position::startpos(), CastlingMode::Standard).unwrap();
    assert_eq!(read.moves, answer.games[0]);
    // A game of Chess960 says that it is one, and is read back by a reader of standard chess.
    let asked = request(EXTENDED, "o", "4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1");
    let castles = solved(&asked, &StenoParams::default(), 1);
    let file = pgn::game(&asked, &castles.games[0], 1, false);
    assert!(file.contains("[Variant \"Chess960\"]"), "{file}");
    let read = Game::read(&file, &Position::startpos(), CastlingMode::Standard).unwrap();
    assert_eq!((read.start, read.moves), (asked.start, castles.games[0].clone()));
    let page = html::page(&request(EXTENDED, "<~", ""), &answer);
    assert!(page.contains("<code>&lt;~</code>") && page.contains("\"sans\":[\"f3\""));
}

#[test]
fn whittling_keeps_what_is_needed() {
    with_control(1, |control| {
        let joined = request(CLASSIC, "3&P!g[Pf3] 6&e g&4!Q Q&h&#", "");
        let done = reduce(&joined, &StenoParams::default(), control).unwrap();
        assert!(done.unique);
        let answer = solve(&request(CLASSIC, &done.text, ""), &StenoParams::default(), control);
        assert_eq!(answer.count, BigUint::from(1u32), "{}", done.text);
        assert!(done.dropped.iter().any(|(_, part)| part == "[Pf3]"), "{done:?}");
        let loose = reduce(&request(CLASSIC, "e&4", ""), &StenoParams::default(), control).unwrap();
        assert!(loose.unique && loose.dropped.is_empty());
        assert!(
            !reduce(&request(CLASSIC, "e", ""), &StenoParams::default(), control).unwrap().unique
        );
    });
}

#[test]
fn conversion_keeps_true_marks_and_solves_again() {
    let played = game("g4 h5 Bg2 hxg4 Bxb7 Rxh2 Nh3 Bxb7 O-O Rh1#");
    let steno = request(CLASSIC, "ghLxLR3xo#", "");
    with_control(1, |control| {
        let to = Vocabulary::Pgn;
        let done = convert(&steno, &played, to, &StenoParams::default(), control).unwrap();
        assert_eq!(done.request.steno.to_string(), "ghBxBR3xO#");
        assert!(done.replaced.is_empty());
        assert_eq!(done.answer.games, std::slice::from_ref(&played.moves));
        let pawn = request(CLASSIC, "PPKP", "");
        let game = game("e4 e5 Ke2 d6");
        let done = convert(&pawn, &game, to, &StenoParams::default(), control).unwrap();
        assert_eq!(done.replaced.iter().map(|(turn, _)| *turn).collect::<Vec<_>>(), [1, 2, 4]);
    });
}

#[test]
fn explaining_names_the_turns() {
    let remarks = explain(&request(CLASSIC, "~~~~o", ""));
    let has = |turn, what: &str| {
        remarks.iter().any(|remark| remark.turn == turn && remark.what.contains(what))
    };
    assert!(has(3, "gives no check") && has(0, "rook on h1"), "{remarks:?}");
    let remarks = explain(&request(CLASSIC, "~~~~%", ""));
    assert!(remarks.iter().any(|remark| remark.turn == 3 && remark.what.contains("double step")));
    // Examples from the help: squares between king and rook, and pawns on their way to promotion.
    let given = |text: &str, turn: usize| -> Vec<String> {
        let remarks = explain(&request(CLASSIC, text, ""));
        remarks.into_iter().filter(|one| one.turn == turn).map(|one| one.what).collect()
    };
    let empty = given("~~~~~~O", 5);
    assert!(empty.contains(&"b1 c1 d1 are empty".to_owned()), "{empty:?}");
    let crossed = given("~~~~~~O", 4);
    assert!(crossed.iter().any(|what| what.starts_with("c1 d1 are empty")), "{crossed:?}");
    let pawn = given("~~~~~~~~q", 7);
    assert!(pawn.contains(&"White has a pawn on rank 7".to_owned()), "{pawn:?}");
    let pawn = given("~~~~~~~~q", 5);
    assert!(pawn.contains(&"White has a pawn on rank 6 or 7".to_owned()), "{pawn:?}");
    let bishop = given("~~~~~~~L3", 6);
    assert!(bishop.iter().any(|what| what.starts_with("Black has a ")), "{bishop:?}");
}

#[cfg(feature = "compose")]
#[test]
fn composing_finds_or_disproves() {
    let composed = |text: &str, vocabulary, options: &ComposeOptions| {
        with_control(1, |control| {
            compose(&game(text), vocabulary, options, &StenoParams::default(), control)
        })
    };
    let mate = "f3 e5 g4 Qh4#";
    let plain = ComposeOptions::default();
    let ComposeResult::Found { text, .. } = composed(mate, CLASSIC, &plain).unwrap().verdict else {
        panic!("nothing found")
    };
    let answer = solved(&request(CLASSIC, &text, ""), &StenoParams::default(), 1);
    assert_eq!((answer.count, &answer.games[0]), (BigUint::from(1u32), &game(mate).moves));
    let any = ComposeOptions { many_any: true, ..ComposeOptions::default() };
    let found = composed(mate, CLASSIC, &any).unwrap().verdict;
    let ComposeResult::Found { text, best: true } = found else { panic!("{found:?}") };
    // 3.g4 or 3...: any string of this game has at most one free move.
    let free = |text: &str| text.chars().filter(|&mark| mark == '~').count();
    let most = brute_force(mate, CLASSIC).iter().map(|text| free(text)).max();
    assert_eq!(Some(free(&text)), most);
    let fixed = ComposeOptions { fixed: vec![None, Some('e')], ..ComposeOptions::default() };
    match composed(mate, CLASSIC, &fixed).unwrap().verdict {
        ComposeResult::Found { text, .. } => assert_eq!(&text[1..2], "e"),
        ComposeResult::None => assert!(brute_force(mate, CLASSIC).iter().all(|t| &t[1..2] != "e")),
        ComposeResult::Open => panic!("undecided"),
    }
    let wrong = ComposeOptions { fixed: vec![Some('5')], ..ComposeOptions::default() };
    assert_eq!(composed(mate, CLASSIC, &wrong).unwrap_err(), ComposeError::Fixed(1, '5'));
    let pieces = ComposeOptions { only: Some("KQR".into()), ..ComposeOptions::default() };
    assert_eq!(composed(mate, CLASSIC, &pieces).unwrap_err(), ComposeError::Only(1));
    // Symmetric: no mark distinguishes the a-pawn's step from others.
    for hopeless in ["e4 e5 Bc4", "Nf3 d5"] {
        assert_eq!(composed(hopeless, CLASSIC, &plain).unwrap().verdict, ComposeResult::None);
        assert_eq!(brute_force(hopeless, CLASSIC), Vec::<String>::new());
    }
}

/// Returns every string of single marks that has the game as its only solution.
#[cfg(feature = "compose")]
fn brute_force(text: &str, vocabulary: Vocabulary) -> Vec<String> {
    let mut texts = vec![String::new()];
    for (_, marks) in game(text).marks(vocabulary, false) {
        let longer = |text: &String| {
            marks.iter().map(move |mark| format!("{text}{mark}")).collect::<Vec<_>>()
        };
        texts = texts.iter().flat_map(longer).collect();
    }
    let params = StenoParams { enough: Some(2), ..StenoParams::default() };
    let unique = |text: &String| {
        let answer = solved(&request(vocabulary, text, ""), &params, 1);
        answer.ended == StenoEnd::Complete && answer.count == BigUint::from(1u32)
    };
    texts.into_iter().filter(unique).collect()
}

#[test]
fn mutated_strings_are_answered_or_refused() {
    let file = include_str!("../tests/golden/steno-rules.tsv");
    let mut stenos: Vec<(Vocabulary, &str, &str)> = Vec::new();
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        stenos.push((Vocabulary::from_name(fields[0]).unwrap(), fields[1], fields[3]));
    }
    let letters: Vec<char> =
        "~.abh18KQRNLBPqrnlpx%oO0+#=/\\|_^v<>\"-!&[]()$'X@DLé –".chars().collect();
    let mut dice = 1u64;
    let mut roll = |previous: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % previous
    };
    let limits = StenoParams { positions_max: Some(500), games_max: 3, ..StenoParams::default() };
    let mut answered = 0;
    with_control(1, |control| {
        for _ in 0..10_000 {
            let (vocabulary, steno, fen) = stenos[roll(stenos.len())];
            let mut symbols: Vec<char> = steno.chars().collect();
            for _ in 0..=roll(3) {
                let at = roll(symbols.len() + 1);
                match roll(3) {
                    0 => symbols.insert(at, letters[roll(letters.len())]),
                    1 if at < symbols.len() => drop(symbols.remove(at)),
                    _ if at < symbols.len() => symbols[at] = letters[roll(letters.len())],
                    _ => symbols.push(letters[roll(letters.len())]),
                }
            }
            let text: String = symbols.into_iter().collect();
            match StenoRequest::new(&text, vocabulary, position(fen)) {
                Err(error) => {
                    assert!(error.column <= text.chars().count() + 1, "{text}: {error}");
                    assert!(!error.to_string().is_empty());
                }
                Ok(request) if request.steno.turns.len() <= 4 => {
                    let answer = solve(&request, &limits, control);
                    assert_eq!(answer.refuted, [], "{text}");
                    answered += 1;
                }
                Ok(_) => {}
            }
        }
    });
    assert!(answered > 2000, "only {answered} of the mutated strings could be solved");
}
