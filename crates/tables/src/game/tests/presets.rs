//! Rules of other games: all presets, faults of rules files, and figures with their sources.

use super::{build, with_control};
use crate::game::{Game, GameMaterial, GameTables, PRESETS, Preset};
use crate::rules::Metric;
use crate::stats::{Statistics, Zugzwangs};
use std::sync::Arc;
use umbrail_chess::geometry::Color;

fn game(name: &str) -> Arc<Game> {
    Arc::new(Game::read(Preset::named(name).unwrap().text()).unwrap())
}

/// Builds an endgame, verifies a part of it, and returns its statistics.
fn statistics(rules: &str, name: &str) -> Statistics {
    let tables = build(&game(rules), name);
    let verdict = with_control(|control| tables.verify(41, control)).unwrap();
    assert_eq!(verdict.faults, [""; 0], "{name} of {rules}");
    tables.statistics()
}

/// Checks White's longest win in plies, and the share of wins with White to move in tenths of a
/// percent. Sources round differently, and count placements that are not legal.
fn won(rules: &str, name: &str, plies: usize, permille: u64) {
    let statistics = statistics(rules, name);
    assert_eq!(statistics.metric, Metric::Dtm);
    let legal = statistics.legal[0].full_board.max(1);
    let share = 1000 * statistics.sides[0].won.full_board / legal;
    assert_eq!(statistics.max_win(Color::White), plies, "{name} of {rules}");
    assert!(share.abs_diff(permille) <= 3, "{name} of {rules}: {share}");
}

/// Sure wins, and draws, of the handbooks (Tu Jingming, xqinenglish.com); lengths and shares from a
/// prototype without words.
#[test]
fn xiangqi_endings_agree_with_published_ones() {
    won("xiangqi", "KR.KAA", 19, 1000);
    won("xiangqi", "KR.KEE", 23, 1000);
    won("xiangqi", "KR.KAAE", 31, 1000);
    won("xiangqi", "KH.KA", 37, 997);
    won("xiangqi", "KR.KC", 15, 1000);
    won("xiangqi", "KR.KH", 25, 996);
    won("xiangqi", "KC.K", 0, 0);
    won("xiangqi", "KCA.K", 17, 1000);
    won("xiangqi", "KP.K", 19, 850);
}

/// A chariot against all guards is normally drawn (Tu Jingming): 52 percent lost with the loser to
/// move, by the same prototype.
#[test]
#[ignore = "nightly: seven pieces"]
fn a_chariot_does_not_always_beat_all_guards() {
    won("xiangqi", "KR.KAAEE", 63, 820);
}

/// Statistics of Makruk by an earlier builder of this program: K, khon and met win 85.8 percent, in
/// at most 57 moves.
#[test]
fn khon_and_met_win_most_positions_of_makruk() {
    won("makruk", "KSM.K", 113, 858);
}

/// H. G. Muller (kirill-kryukov.com): every ending of three pieces of Shatranj is won, since the
/// bare king loses. Only a piece that is captured at once draws.
#[test]
fn a_bare_king_of_shatranj_loses_unless_it_bares_back() {
    let tables = build(&game("shatranj"), "KQ.K");
    let lost = tables.position("8/8/8/8/8/1k6/8/K3Q3 b").unwrap();
    assert_eq!(tables.value(&lost).unwrap().signed_plies(), Some(0));
    let bares = tables.position("8/8/8/8/8/3k4/4Q3/K7 b").unwrap();
    assert_eq!(tables.value(&bares).unwrap().signed_plies(), None);
    let guarded = tables.position("8/8/8/8/8/3k4/4Q3/3K4 b").unwrap();
    assert_eq!(tables.value(&guarded).unwrap().signed_plies(), Some(0));
    // The game is over: there is no move, neither of Black nor of White, who has won in every position.
    assert!(tables.moves(&lost).unwrap().is_empty() && !tables.moves(&bares).unwrap().is_empty());
    let statistics = tables.statistics();
    let white = &statistics.sides[0];
    assert_eq!(white.won, statistics.legal[0]);
    assert_eq!(white.won_in, [white.won.full_board]);
    assert_eq!(statistics.zugzwangs, Zugzwangs::default());
}

#[test]
fn pawns_promote_by_the_rules_of_their_game() {
    for (rules, name) in
        [("gardner", "KP.K"), ("losalamos", "KP.K"), ("makruk", "KP.KR"), ("shatranj", "KP.K")]
    {
        statistics(rules, name);
    }
}

#[test]
#[ignore = "nightly: large boards"]
fn pawns_promote_on_large_boards() {
    for (rules, name) in [("capablanca", "KP.K"), ("gothic", "KP.K"), ("grand", "KP.K")] {
        assert!(statistics(rules, name).max_win(Color::White) > 20, "{rules}");
    }
}

#[test]
fn all_presets_are_read_and_name_their_source() {
    for preset in PRESETS {
        let game =
            Game::read(preset.text()).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        assert_eq!(game.name, preset.name);
        assert!(game.source.contains("http"), "{}", preset.name);
        assert!(game.pieces().iter().any(|piece| piece.letter == 'K'));
    }
}

#[test]
fn files_keep_all_values() {
    let folder = std::env::temp_dir().join(format!("umbrail-game-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let rules = game("xiangqi");
    let built = build(&rules, "KH.KA");
    built.save(&folder).unwrap();
    let material = GameMaterial::read("KH.KA", &rules).unwrap();
    let loaded = GameTables::load(&rules, &material, Metric::Dtm, &folder).unwrap();
    assert_eq!(loaded.statistics(), built.statistics());
    // Another zone is another game.
    let text = Preset::named("xiangqi").unwrap().text().replace("zone d1-f3", "zone d1-f2");
    let other = Arc::new(Game::read(&text).unwrap());
    let refused =
        GameTables::load(&other, &material, Metric::Dtm, &folder).unwrap_err().to_string();
    assert!(refused.contains("other pieces or rules"), "{refused}");
    let path = folder.join(GameTables::file_name(&rules, &material, Metric::Dtm));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let refused =
        GameTables::load(&rules, &material, Metric::Dtm, &folder).unwrap_err().to_string();
    assert!(refused.contains("is damaged"), "{refused}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn faults_of_rules_are_named_with_their_line() {
    for (text, fault) in [
        ("name = a", "the line \"board = 8x8\" is missing"),
        ("board = 3x9", "line 1: a board of 3x9"),
        ("name = a\nboard = 8x8\nstalemate = wins", "line 3: stalemate is \"wins\""),
        ("board = 8x8\nname = a\nK king = Kx", "line 3: \"x\" at column 2"),
        ("board = 8x8\nname = a\nK = K; zone d9", "line 3: \"d9\" is not a square"),
        ("board = 8x8\nname = a\nK = K; zone 7-9", "line 3: \"7-9\": expected ranks"),
        ("board = 8x8\nname = a\nP = mfW; promotes Q on 8", "promotes to Q, and no piece"),
        ("board = 8x8\nname = a\nK = K\nK = Q", "line 4: the letter K is defined twice"),
        ("boards = 8x8", "line 1: unknown key \"boards\""),
        ("board", "line 1: \"board\" is not of the form"),
    ] {
        let error = Game::read(text).unwrap_err().to_string();
        assert!(error.contains(fault), "{text}: {error}");
    }
}

#[test]
fn positions_and_endgames_that_do_not_fit_are_refused() {
    let rules = game("xiangqi");
    let tables = build(&rules, "KR.K");
    for (fen, fault) in [
        ("4k4/9/9/9/9/9/9/9/4K4/4R4 w", "could capture the royal"),
        ("9/9/9/9/4k4/9/9/9/4K4/3R5 w", "K cannot stand on e6"),
        ("4k4/9/9/9/9/9/9/9/3K5 w", "does not fill a board of 9x10"),
        ("4k4/9/9/9/9/9/9/9/9/3K1K3 w", "white has 2 royal pieces"),
        ("4k4/9/9/9/9/9/9/9/9/3K5", "side to move is missing"),
        ("4k4/9/9/9/9/9/9/9/9/3K4x w", "'x' is not a piece of xiangqi"),
    ] {
        let error = tables.position(fen).unwrap_err().to_string();
        assert!(error.contains(fault), "{fen}: {error}");
    }
    for (name, fault) in [("KX.K", "no piece with the letter 'X'"), ("KR", "not of the form KQ.KR")]
    {
        let error = GameMaterial::read(name, &rules).unwrap_err().to_string();
        assert!(error.contains(fault), "{error}");
    }
    let large = GameMaterial::read("KQQQQQQ.K", &game("grand")).unwrap();
    let error = GameTables::estimate_bytes(&game("grand"), &large).unwrap_err().to_string();
    assert!(error.contains("too many positions"), "{error}");
    let error = GameMaterial::read("KP.KP", &game("capablanca")).unwrap_err().to_string();
    assert!(error.contains("en passant"), "{error}");
}
