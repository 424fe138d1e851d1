//! Variants of Fairy-Stockfish as games.

use super::build;
use crate::game::{Game, Preset};
use std::sync::Arc;
use umbrail_chess::geometry::Color;

const FILE: &str = "\
# Minixiangqi as in Fairy-Stockfish, and a child.
[small]
maxRank = 7
maxFile = g
king = k:W
soldier = p
horse = h
customPiece1 = r:R
cannon = c
castling = false
doubleStep = false

startFen = rchkhcr/p1ppp1p/7/7/7/P1PPP1P/RCHKHCR w - - 0 1
flyingGeneral = true
stalemateValue = loss
perpetualCheckIllegal = true
mobilityRegionWhiteKing = c1 d1 e1 c2 d2 e2 c3 d3 e3
mobilityRegionBlackKing = c7 d7 e7 c6 d6 e6 c5 d5 e5

[wide:small]
maxFile = 9
";

#[test]
fn a_variant_is_the_game_of_the_same_rules() {
    let text = FILE;
    let small = Arc::new(Game::read_any(text, Some("small")).unwrap());
    assert_eq!((small.grid.to_string().as_str(), small.rules.facing), ("7x7", true));
    assert_eq!(small.not_modelled, ["perpetual check"]);
    assert_eq!(small.pieces().iter().find(|p| p.letter == 'K').unwrap().zone.count_ones(), 9);
    assert!(build(&small, "KR.K").statistics().max_win(Color::White) > 0);
    assert_eq!(Game::read_any(text, Some("wide")).unwrap().grid.to_string(), "9x7");
    let rules = Preset::named("xiangqi").unwrap().text();
    assert_eq!(Game::read_any(rules, None).unwrap().name, "xiangqi");
}

#[test]
fn pawns_promote_in_their_region() {
    let text = "[losalamos]\nmaxRank = 6\nmaxFile = 6\nking = k\nqueen = q\nrook = r\n\
                knight = n\npawn = p\ndoubleStep = false\ncastling = false\n\
                promotionPieceTypes = nrq\npromotionRegionWhite = *6\npromotionRegionBlack = *1\n";
    let variant = Arc::new(Game::read_any(text, None).unwrap());
    let preset = Arc::new(Game::read(Preset::named("losalamos").unwrap().text()).unwrap());
    let [ours, theirs] = [variant, preset].map(|game| build(&game, "KP.K").statistics());
    assert_eq!(ours, theirs);
}

#[test]
fn other_options_are_refused_by_name_and_line() {
    let small = |more: &str| format!("[a]\nking = k\nrook = r\n{more}\n");
    for (text, fault) in [
        (small("pieceDrops = true"), "line 4: pieceDrops: tables do not have"),
        (small("stalemateValue = win"), "line 4: stalemateValue: tables have draw or loss"),
        (small("maxRank = 20"), "4 to 11 files and ranks"),
        (small("customPiece1 = x:O"), "line 4: customPiece1: O: "),
        (small("customPiece1 = r:W"), "line 3: rook: customPiece1 has the letter R, too"),
        (small("customPiece1 = x:lN"), "line 4: customPiece1: the moves to the left"),
        (small("mobilityRegionWhiteRook = *1"), "line 4: mobilityRegionWhiteRook: Black's region"),
        (
            small("mobilityRegionWhiteGold = *1\nmobilityRegionBlackGold = *8"),
            "no piece of the variant",
        ),
        (
            small("customPeice1 = x:W"),
            "line 4: customPeice1: unknown option, did you mean customPiece1?",
        ),
        (small("[b]\nking = k"), "the variants a, b; name one"),
        (small("nonsense"), "line 4: nonsense: expected option = value"),
    ] {
        let error = Game::read_any(&text, None).unwrap_err().to_string();
        assert!(error.contains(fault), "{text}: {error}");
    }
    // A section that nobody asks for may inherit from anything.
    let two = small("[b:c]\nking = k\n[d:chess]\nmaxRank = 6");
    let missing = Game::read_any(&two, Some("b")).unwrap_err().to_string();
    assert!(missing.starts_with("line 4: [b] inherits from c"), "{missing}");
    assert!(Game::read_any(&two, Some("a")).is_ok());
    let chess = Game::read_any(&two, Some("d")).unwrap();
    assert_eq!((chess.pieces().len(), chess.grid.to_string().as_str()), (6, "8x6"));
}
