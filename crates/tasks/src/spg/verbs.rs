//! The verbs of the module of proof games, and the keys of each.

use super::{check, explain, least, legal, list, merge, popeye_text, prepare, work, worker};
use crate::cluster_keys::{CREDENTIALS, USE};
use umbrail_proof::report::EXPORTS;
use umbrail_proof::run::Params;
use umbrail_session::domain::{Key, Reach};
use umbrail_session::module::Verb;
use umbrail_session::options::{PROOF_SPECS, same};

const fn key(name: &'static str, reach: Reach, help: &'static str) -> Key {
    Key { name, aliases: &[], reach, help }
}

/// The key that overrides an option, with the option's aliases and help.
#[allow(clippy::panic, reason = "evaluated by the compiler: it ends the build, not the program")]
const fn option_key(name: &'static str) -> Key {
    let mut at = 0;
    while at < PROOF_SPECS.len() {
        let spec = &PROOF_SPECS[at];
        if let Some(key) = spec.key
            && same(key, name)
        {
            return Key { name, aliases: spec.aliases, reach: Reach::Word, help: spec.help };
        }
        at += 1;
    }
    panic!("no option has this key")
}

/// The key of a parameter that is no option.
#[allow(clippy::panic, reason = "evaluated by the compiler: it ends the build, not the program")]
const fn parameter_key(name: &'static str, reach: Reach) -> Key {
    let mut at = 0;
    while at < Params::TABLE.len() {
        let parameter = &Params::TABLE[at];
        if let Some(key) = parameter.key
            && same(key, name)
        {
            return Key { name, aliases: parameter.aliases, reach, help: parameter.help };
        }
        at += 1;
    }
    panic!("no parameter has this key")
}

const MOVES: Key = key("moves", Reach::Word, "length in moves: 23.0, or 22.5 for 45 half-moves");
const PLIES: Key = Key {
    name: "plies",
    aliases: &["halfmoves"],
    reach: Reach::Word,
    help: "length in half-moves",
};
const FEN: Key = key("fen", Reach::Fen, "diagram (default: the current position)");
const START: Key = key(
    "start",
    Reach::Fen,
    "position from which games start, either side to move (default: the initial position)",
);
const CONDITION: Key = key(
    "condition",
    Reach::Each,
    "fairy condition with its variants, such as \"Circe RexInclusive\"; several are possible",
);
const PIECE: Key =
    key("piece", Reach::Each, "meaning of a letter in diagrams, such as G=grasshopper");
const SERIES: Key =
    key("series", Reach::Flag, "the side to move makes all moves; the length is their number");
const UNCOLORED: Key =
    key("uncolored", Reach::Flag, "each piece of the diagram may have either color");
const ADD: Key = key(
    "add",
    Reach::Each,
    "a piece that stands on any further square at the end, such as \"black queen\"; several are possible",
);
const BOARD_B: Key =
    key("board-b", Reach::Word, "squares of Alice's board B at the end, such as f3c6");
const START_BOARD_B: Key =
    key("start-board-b", Reach::Word, "squares of Alice's board B at the start");
const LENGTH: Key = option_key("length");
const MEMORY: Key =
    key("memory", Reach::Word, "memory for the refutation table, such as 512m or 2g");
const RULES: Key = parameter_key("rules", Reach::Word);
const SYNC: Key = option_key("sync-depth");
const CLUSTER: Key = option_key("cluster");
const RETRACTION: Key = option_key("retraction");
const CONDITIONS: Key = parameter_key("conditions", Reach::Words);

const STRIDE: Key = key(
    "stride",
    Reach::Word,
    "search the strategies of every N-th claim again, with other settings; 1 for all claims",
);

const NOTATION: Key = key(
    "notation",
    Reach::Word,
    "notation of games in text: short (Sf3, the default) or long (Sg1-f3)",
);
const KNIGHT: Key = key("knight", Reach::Word, "letter of knights in games: S or N");

/// The keys that pose a problem of any kind.
const POSING_KEYS: &[Key] = &[
    MOVES,
    PLIES,
    FEN,
    START,
    CONDITION,
    PIECE,
    SERIES,
    UNCOLORED,
    ADD,
    BOARD_B,
    START_BOARD_B,
    LENGTH,
];

const SOLVE_KEYS: &[Key] = &[
    parameter_key("max-solutions", Reach::Word),
    parameter_key("intended", Reach::Word),
    parameter_key("stop-at", Reach::Word),
    key(
        "time-each",
        Reach::Word,
        "time for each problem or twin, such as 500 (ms), 90s, 5min or 1h; then the next one follows",
    ),
    parameter_key("histogram", Reach::Flag),
    parameter_key("from-strategy", Reach::Word),
    CONDITIONS,
    RETRACTION,
    MEMORY,
    RULES,
    SYNC,
    key(
        "strategies-out",
        Reach::Word,
        "write every strategy that survives the analysis to this file",
    ),
    key(
        "strategies-in",
        Reach::Word,
        "search the strategies of this file instead of enumerating them",
    ),
    NOTATION,
    KNIGHT,
    key(
        "archive",
        Reach::Word,
        "archive of finished claims, to resume, merge and verify; for a sheet, the folder of its archives",
    ),
    key("resume", Reach::Flag, "continue from the archive"),
    parameter_key("shard", Reach::Word),
    CREDENTIALS,
    key("output", Reach::Word, "result file (default for a problem file NAME.txt: NAME_out.txt)"),
];

/// The keys of options that stand in no list above: how `solve` works.
const OPTION_KEYS: &[Key] = &{
    let mut keys = [key("", Reach::Flag, ""); own_options(None)];
    own_options(Some(&mut keys));
    keys
};

/// Counts the options whose keys are not named above, and fills their keys in.
const fn own_options(mut keys: Option<&mut [Key]>) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < PROOF_SPECS.len() {
        let spec = &PROOF_SPECS[at];
        if let Some(name) = spec.key
            && !same(name, LENGTH.name)
            && !same(name, SYNC.name)
            && !same(name, RETRACTION.name)
        {
            if let Some(keys) = &mut keys {
                keys[count] = option_key(name);
            }
            count += 1;
        }
        at += 1;
    }
    count
}

/// The keys that name exports.
const EXPORT_KEYS: &[Key] = &{
    let mut keys = [key("", Reach::Word, ""); EXPORTS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = key(EXPORTS[at].key, Reach::Word, EXPORTS[at].help);
        at += 1;
    }
    keys
};

const PLAIN: Verb = Verb {
    name: "",
    help: "",
    subject: None,
    text: None,
    input: false,
    background: false,
    keys: &[],
    prepare: |_, _| Err("nothing to do".into()),
};

pub(super) const VERBS: &[Verb] = &[
    Verb {
        name: "solve",
        help: "find every game from the initial position to a diagram, and prove that none is missing",
        subject: Some("PROBLEMS.txt|PROBLEM.inp|FEN LENGTH..."),
        keys: &[POSING_KEYS, SOLVE_KEYS, &USE, OPTION_KEYS, EXPORT_KEYS],
        prepare: |t, c| prepare(t, c, work::solving),
        ..PLAIN
    },
    Verb {
        name: "check",
        help: "replay a game by the rules alone and compare it with a diagram",
        text: Some("GAME"),
        keys: &[POSING_KEYS],
        prepare: |t, c| prepare(t, c, check::checking),
        ..PLAIN
    },
    Verb {
        name: "bounds",
        help: "show bounds by counting, and the number of strategies, without searching them",
        subject: Some("FEN LENGTH..."),
        keys: &[&[MOVES, PLIES, FEN, LENGTH, CONDITIONS, RETRACTION, RULES, SYNC]],
        prepare: |t, c| prepare(t, c, work::solving),
        ..PLAIN
    },
    Verb {
        name: "explain",
        help: "number of strategies that each deduction refuted, or how a given strategy is refuted",
        text: Some("STRATEGY"),
        keys: &[&[MOVES, PLIES, FEN, LENGTH, RETRACTION, MEMORY, RULES, SYNC, NOTATION, KNIGHT]],
        prepare: |t, c| prepare(t, c, explain::explaining),
        ..PLAIN
    },
    Verb {
        name: "merge",
        help: "merge the archives of all shards into a verdict, or list what is missing",
        subject: Some("ARCHIVE..."),
        prepare: |t, c| prepare(t, c, merge::merging),
        ..PLAIN
    },
    Verb {
        name: "verify",
        help: "check an archive: its records, the number of strategies in each claim, and every game",
        subject: Some("ARCHIVE"),
        keys: &[&[STRIDE, MEMORY]],
        prepare: |t, c| prepare(t, c, merge::merging),
        ..PLAIN
    },
    Verb {
        name: "work",
        help: "work for all runs on a NATS server until stopped",
        keys: &[&[
            CLUSTER,
            CREDENTIALS,
            key(
                "memory",
                Reach::Word,
                "memory for positions of proof games and stenos, and for tables, such as 512m or 8g",
            ),
            key("idle", Reach::Word, "stop after this many seconds without a unit"),
            key("status", Reach::Flag, "show the runs and workers of the server, and do no work"),
            key("close", Reach::Word, "close this run and discard its results, and do no work"),
        ]],
        prepare: |t, c| prepare(t, c, worker::working),
        ..PLAIN
    },
    Verb {
        name: "min",
        help: "find the least number of moves in which a diagram can be reached",
        subject: Some("FEN..."),
        keys: &[&[
            FEN,
            key("from", Reach::Word, "first length to try, such as 10.0"),
            key("to", Reach::Word, "last length to try (default: 30.0)"),
            MEMORY,
            RULES,
            SYNC,
        ]],
        prepare: |t, c| prepare(t, c, least::least),
        ..PLAIN
    },
    Verb {
        name: "legal",
        help: "show a game of any length that leads to a position, or an argument that there is none",
        subject: Some("FEN..."),
        keys: &[&[
            FEN,
            key(
                "to",
                Reach::Word,
                "last length searched for the least one (default: 5.0, or 7.0 where nothing else decides)",
            ),
        ]],
        prepare: |t, c| prepare(t, c, legal::legal),
        ..PLAIN
    },
    Verb {
        name: "popeye",
        help: "write problems as Popeye's input",
        subject: Some("PROBLEMS.txt|FEN LENGTH..."),
        keys: &[POSING_KEYS],
        prepare: |t, c| prepare(t, c, popeye_text::writing),
        ..PLAIN
    },
    Verb {
        name: "list",
        help: "list all fairy conditions and pieces: names in three languages, and meanings",
        subject: Some("conditions|pieces"),
        prepare: |t, c| prepare(t, c, list::list),
        ..PLAIN
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_a_parameter_belongs_to_solve_once() {
        let solve = VERBS.iter().find(|verb| verb.name == "solve").expect("solve");
        let names: Vec<&str> =
            solve.keys.iter().flat_map(|keys| *keys).map(|key| key.name).collect();
        for name in Params::TABLE.iter().filter_map(|parameter| parameter.key) {
            assert_eq!(names.iter().filter(|known| **known == name).count(), 1, "{name}");
        }
    }
}
