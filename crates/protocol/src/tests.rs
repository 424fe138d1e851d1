//! No input makes a dialect panic, and each line causes at most one error.

use super::{Dialect, Json, Plain, Reader, Uci, Xboard, tidy};
use proptest::prelude::*;
use std::time::Instant;
use umbrail_session::{Command, Effect, Options};
use umbrail_tasks::MODULES;

fn dialects() -> [Box<dyn Dialect>; 4] {
    [
        Box::new(Uci::new(MODULES)),
        Box::new(Xboard::new(MODULES)),
        Box::new(Plain::new(MODULES, Reader::Script)),
        Box::new(Json::new(MODULES)),
    ]
}

#[test]
fn raw_lines_are_freed_of_what_surrounds_them() {
    assert_eq!(tidy("\u{feff}uci\0\r"), "uci");
    assert_eq!(tidy("\t isready \t"), "isready");
}

/// Words that reach deep into the parsers, and noise.
fn line() -> impl Strategy<Value = String> {
    let words = [
        "uci",
        "go",
        "depth",
        "ponder",
        "searchmoves",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "setoption",
        "name",
        "value",
        "Hash",
        "xboard",
        "protover",
        "new",
        "edit",
        "#",
        "c",
        ".",
        "Ke1",
        "xe1",
        "usermove",
        "level",
        "40",
        "5:30",
        "0.5",
        "st",
        "-1",
        "99999999999999999999",
        "ping",
        "exclude",
        "all",
        "option",
        "Hash=1",
        "egt",
        "spg",
        "solve",
        "text",
        "<<END",
        "END",
        "perft",
        "bench",
        "variant",
        "setboard",
        "8/8/8/8/8/8/8/8",
        "w",
        "-",
        "KQkq",
        "analyze",
        "undo",
        "@@@@",
        "No such file",
        "egtpath",
        "é中",
        "\0",
        "\t",
    ];
    let word = prop_oneof![4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,12}", 1 => any::<String>()];
    proptest::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_lines_in_any_dialect_give_one_complaint_each_at_most(lines in proptest::collection::vec(line(), 1..12)) {
        for mut dialect in dialects() {
            for line in &lines {
                for line in line.lines() {
                    let line = tidy(line);
                    let mut out = String::new();
                    if let Err(why) = dialect.parse(line) {
                        dialect.complain(line, &why, &mut out);
                    }
                    // XBoard may explain after `#`.
                    let complaints = out.lines().filter(|printed| !printed.starts_with("# ")).count();
                    prop_assert!(complaints <= 1, "{line:?} drew {out:?}");
                }
            }
        }
    }

    #[test]
    fn any_lines_leave_the_session_able_to_answer(lines in proptest::collection::vec(line(), 1..20)) {
        for mut dialect in dialects() {
            let mut session = umbrail_tasks::session(Options::default());
            for line in &lines {
                let Ok(commands) = dialect.parse(tidy(line)) else { continue };
                for command in commands {
                    // Skipped: the option allocates any requested size.
                    let costly = matches!(&command, Command::SetOption { name, .. } if name.eq_ignore_ascii_case("hash"));
                    if costly {
                        continue;
                    }
                    for effect in session.command(command, Instant::now()) {
                        if let Effect::Write(event) = effect {
                            let mut out = String::new();
                            dialect.write(&event, &mut out);
                            prop_assert!(out.is_empty() || out.ends_with('\n'), "{out:?}");
                        }
                    }
                }
            }
            let effects = session.command(Command::Exit, Instant::now());
            prop_assert!(matches!(effects.last(), Some(Effect::Quit(0))));
        }
    }
}
