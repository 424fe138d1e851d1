//! Games read from PGN: the tree, and what is refused.

use super::super::record::MOVES_MAX;
use super::{CastlingMode, GameRecord, NODES_MAX, Played, last_position, read_text};

fn read(text: &str) -> GameRecord {
    read_text(text, CastlingMode::Standard).unwrap()
}

fn fault(text: &str) -> String {
    read_text(text, CastlingMode::Standard).unwrap_err().to_string()
}

/// Writes a line with its variations in brackets.
fn written(game: &GameRecord, parent: Option<usize>) -> String {
    let children: Vec<usize> =
        (0..game.nodes.len()).filter(|at| game.nodes[*at].parent == parent).collect();
    let Some((first, others)) = children.split_first() else { return String::new() };
    let mut text = format!(" {}", game.nodes[*first].san);
    for other in others {
        text += &format!(" ({}{})", game.nodes[*other].san, written(game, Some(*other)));
    }
    text + &written(game, Some(*first))
}

#[test]
fn variations_comments_and_nags_are_kept() {
    let game = read(
        "[White \"A \\\"B\\\" C\"]\n[Result \"1-0\"]\n\n{Start} 1. e4! {King's pawn} e5 (1... c5 {Sicilian} \
         2. Nf3 (2. c3 $6) d6) ({French:} 1... e6) 2. Nf3?! 1-0\n",
    );
    assert_eq!(written(&game, None), " e4 e5 (c5 Nf3 (c3) d6) (e6) Nf3");
    assert_eq!(game.tags[0], ("White".to_owned(), "A \"B\" C".to_owned()));
    assert_eq!((game.comment.as_str(), game.result.as_str()), ("Start", "1-0"));
    let node = |san: &str| game.nodes.iter().find(|node| node.san == san).unwrap();
    assert_eq!(
        (node("e4").nags.as_slice(), node("e4").comment.as_str()),
        (&[1][..], "King's pawn")
    );
    assert_eq!((node("c3").nags.as_slice(), node("c5").comment.as_str()), (&[6][..], "Sicilian"));
    assert_eq!((node("e6").before.as_str(), node("e6").comment.as_str()), ("French:", ""));
    assert_eq!(node("d6").uci, "d7d6");
    assert!(game.note.is_none() && game.fault.is_none());
}

#[test]
fn moves_without_tags_and_in_coordinates_are_read() {
    assert_eq!(written(&read("1. e4 e5 2. Nf3"), None), " e4 e5 Nf3");
    assert_eq!(written(&read("e2e4 e7e5 g1f3"), None), " e4 e5 Nf3");
    let game = read("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N Kg6 *");
    assert_eq!(
        (written(&game, None).as_str(), game.fen.as_str()),
        (" a8=N Kg6", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    );
    let (last, _) = last_position("1. f3 e5 2. g4 (2. e4) Qh4#", CastlingMode::Standard).unwrap();
    assert!(last.starts_with("rnb1kbnr/pppp1ppp/8/4p3/6Pq/"), "{last}");
}

#[test]
fn a_line_ends_before_an_illegal_move_and_the_note_names_it() {
    let game = read("1. e4 (1. d5 d6) e5 (1... c5 2. Qh8 d6 3. d4) 2. Ke4 Nf6");
    assert_eq!(written(&game, None), " e4 e5 (c5)");
    assert_eq!(game.note.as_deref(), Some("1. d5 is not played: no legal move matches"));
    let game = read("1. e4 *\n\n1. d4 *\n\n1. c4 *");
    assert_eq!(game.note.as_deref(), Some("the first of 3 games is shown"));
}

#[test]
fn other_texts_are_refused_with_a_sentence() {
    assert_eq!(fault("good morning"), "expected a FEN, or a game in PGN");
    assert_eq!(
        fault("1. e5"),
        "expected a FEN, or a game in PGN: 1. e5 is not played: no legal move matches"
    );
    assert!(fault("8/8/8/8/8/8/8/8 w - - 0 1").contains("king"), "{}", fault("8/8/8/8/8/8/8/8 w"));
    assert!(fault("8/8/8/8/8/8/8/9x w - - 0 1").contains("FEN"));
    assert_eq!(fault("{ 1. e4"), "the PGN cannot be read: unterminated comment");
    assert!(fault("[FEN \"nonsense\"]\n\n1. e4").contains("FEN"));
}

#[test]
fn games_are_bounded() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(NODES_MAX / 4 + 9);
    let game = read(&shuffle);
    assert_eq!(game.nodes.len(), NODES_MAX);
    assert!(game.note.unwrap().contains("only the first 10000 moves"));
    // Variations inside each other do not use the stack of the program.
    let nested = "1. e4 ".to_owned() + &"(1. d4 ".repeat(100_000);
    assert_eq!(read(&nested).nodes.len(), 2);
    let moves = "g1f3,g8f6,f3g1,f6g8,".repeat(MOVES_MAX / 4);
    assert!(Played::read("", &moves, CastlingMode::Standard).is_ok());
    let why = Played::read("", &format!("{moves},e2e4"), CastlingMode::Standard).unwrap_err();
    assert_eq!(why.to_string(), "at most 2000 moves can be given");
    let why = Played::read("", "e2e4,e2e4", CastlingMode::Standard).unwrap_err().to_string();
    assert!(why.starts_with("e2e4 cannot be played: "), "{why}");
}

#[test]
fn a_game_names_its_variant() {
    let text = "[Variant \"Fischerandom\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1\"]\n\n1. O-O *";
    let game = read(text);
    assert_eq!((game.rules, game.nodes[0].uci.as_str()), ("chess960", "f1h1"));
    assert!(game.nodes[0].fen.starts_with("4k3/8/8/8/8/8/8/R4RK1 b"), "{}", game.nodes[0].fen);
    assert_eq!(read("1. e4").rules, "standard");
}
