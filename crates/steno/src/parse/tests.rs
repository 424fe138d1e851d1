//! Tests of valid strings, and of errors with their columns.

use super::{ParseFault, Steno};
use crate::vocabulary::Vocabulary;

fn reads(vocabulary: Vocabulary, text: &str, normal: &str, turns: usize) {
    let steno = Steno::parse(text, vocabulary).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((steno.to_string().as_str(), steno.turns.len()), (normal, turns), "{text}");
    let again = Steno::parse(normal, vocabulary).unwrap();
    assert_eq!(again, steno, "{normal} reads otherwise than {text}");
}

#[test]
fn strings_are_understood() {
    use Vocabulary::{Classic, Extended, Length, Pgn};
    reads(Classic, "a24N557Qhg", "a24N557Qhg", 10);
    reads(Classic, "1&P&a&x&n", "1&P&a&x&n", 1);
    reads(Classic, "a!3", "a!3", 1);
    reads(Classic, "~!Q!x!6 x&g&!R", "~!Q!x!6x&g!R", 2);
    reads(Classic, "R(Rxh3) (keep (the WQ) in place).", "R~", 2);
    reads(Classic, "N' L' 0B", "nlOL", 4);
    reads(Classic, "$6(a&6)a$4b", "$6a$4b", 4);
    reads(Extended, "~[–c1&–d1][–b1|nb1|bb1]", "~[-c1&-d1][-b1|nb1|bb1]", 1);
    reads(Extended, "\u{201c}\u{2212}L", "\"-B", 3);
    reads(
        Extended,
        "~[xb][XnBp][=rR][=][^5][v3][qb4][Kh][K1][Q][@g3][@d]",
        "~[xB][XnBp][=rR][=][^5][v3][qb4][Kh][K1][Q][@g3][@d]",
        1,
    );
    reads(Pgn, "-O/\u{a0}.", "OO/~", 4);
    reads(Length, "22~7", "22~7", 4);
}

fn refuses(vocabulary: Vocabulary, text: &str, column: usize, prints: &str) {
    let error = Steno::parse(text, vocabulary).expect_err(text);
    assert_eq!(error.column, column, "{text}: {error}");
    assert!(error.to_string().contains(prints), "{text}: {error}");
}

#[test]
fn errors_point_at_a_column() {
    use Vocabulary::{Classic, Extended, Pgn};
    refuses(Classic, "", 1, "at least one mark");
    refuses(Classic, " (e4) ", 7, "at least one mark");
    refuses(Classic, "$", 2, "at least one mark");
    refuses(Classic, "e4)", 3, "has no matching '('");
    refuses(Classic, "e(4", 2, "never closed");
    refuses(Classic, "e (x) |", 7, "'|' is not a mark of the classic");
    refuses(
        Classic,
        "~h-p",
        3,
        "; it is a mark of the extended vocabulary (--vocabulary extended)",
    );
    refuses(Classic, "/", 1, "mark of the extended");
    let strange = Steno::parse("?", Classic).expect_err("no mark").to_string();
    assert!(strange.ends_with("+#="), "{strange}");
    refuses(Pgn, "eP", 2, "'P' is not a mark of the pgn");
    refuses(Classic, "&e", 1, "has nothing to join");
    refuses(Classic, "e!!4", 3, "has nothing to join");
    refuses(Classic, "e &", 4, "mark at the end");
    refuses(Classic, "e$4$", 4, "only one '$'");
    refuses(Classic, "е4", 1, "not a mark");
    refuses(Extended, "e[Q", 2, "never closed");
    refuses(Extended, "e[]", 3, "expected a condition");
    refuses(Extended, "e[Q|]", 5, "expected a condition");
    refuses(Extended, "e[xBN]", 5, "exactly one of");
    refuses(Extended, "e[x|q]", 4, "exactly one of");
    refuses(Extended, "e[X]", 4, "after 'X'");
    refuses(Extended, "e[=K]", 4, "after '='");
    refuses(Extended, "e[^8]", 4, "from 2 to 7");
    refuses(Extended, "e[^44]", 5, "from 2 to 7");
    refuses(Extended, "e[-]", 4, "a file, a rank");
    refuses(Extended, "e[@e44]", 6, "a file, a rank");
    refuses(Extended, "e[4e]", 3, "does not begin a condition");
    refuses(Extended, "e[-e2]&4", 7, "has nothing to join");
    assert_eq!(
        Steno::parse("P'", Classic).map_err(|error| error.fault),
        Err(ParseFault::NoMark('\'', Classic))
    );
}
