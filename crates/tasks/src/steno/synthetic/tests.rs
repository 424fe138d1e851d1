//! Sentences and the stenos to which they translate.

use super::*;
use umbrail_chess::Position;
use umbrail_steno::{StenoRequest, Vocabulary};

fn steno(text: &str) -> String {
    translate(text).unwrap_or_else(|error| panic!("{text}: {error}")).0
}

#[test]
fn numbers_and_sentences_mean_the_same() {
    let expected = steno("6.gxf8=N#");
    assert_eq!(expected.split(' ').count(), 11);
    for text in [
        "White's sixth move is gxf8=N mate",
        "Find a game that ends with 6. gxf8=N#",
        "\u{201c}6.gxf8N#\u{201d}",
        "a proof game with the 6th move gxf8=S checkmate",
    ] {
        assert_eq!(steno(text), expected, "{text}");
    }
    assert_eq!(steno("5...Rh1#"), steno("Black's fifth move is Rh1 mate."));
    assert_eq!(steno("3.Nf3, 4...O-O").split(' ').count(), 8);
}

#[test]
fn every_character_of_the_notation_is_a_mark() {
    let last = |text: &str| steno(text).split(' ').next_back().unwrap().to_owned();
    let turn = last("1.gxNf8=N#");
    assert!(turn.contains("!a!b") && turn.ends_with("&x&=&#[@g&xN]"), "{turn}");
    for mark in ["&f", "&8", "&g", "N"] {
        assert!(format!("&{turn}").contains(mark), "{turn}");
    }
    assert!(last("1...O-O+").starts_with("O&+!#[kg8]"), "{}", last("1...O-O+"));
    assert_eq!(last("2.exd6 e.p."), "P&d&6&%!+[@e]");
    // Each turn is a steno of its vocabulary.
    for text in ["6.gxf8=N#", "3.Nbd2", "4.R1xa3+", "2.exd6ep#", "7.0-0-0", "9.Kxe2", "8.a8=Q+"] {
        let (steno, vocabulary) = translate(text).unwrap();
        let vocabulary = Vocabulary::from_name(vocabulary).unwrap();
        StenoRequest::new(&steno, vocabulary, Position::startpos())
            .unwrap_or_else(|error| panic!("{text} {steno}: {error}"));
    }
}

#[test]
fn what_is_no_sentence_is_named() {
    let error = |text: &str| translate(text).unwrap_err().to_string();
    assert!(error("").starts_with("expected a move with its number"));
    assert!(error("6.").starts_with("expected a move with its number"));
    assert!(error("gxf8=N#").starts_with("word 1, \"gxf8=N#\": expected the number of the move"));
    for wrong in ["6.gxf8#", "6.gf8=N", "6.Zf3", "6.a7=Q", "6.Nf3e.p.", "6.gxf9"] {
        assert!(error(wrong).contains("expected a move in short notation"), "{wrong}");
    }
    assert_eq!(error("6.Nf3 6.Nf4"), "two moves have the same number: Nf4");
    assert!(error("600.Nf3").contains("too late"));
}
