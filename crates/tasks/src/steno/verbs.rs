//! The verbs of the Steno-Chess module, and the keys of each.

use super::prepare;
use crate::cluster_keys::KEYS;
use umbrail_session::domain::{Key, Reach, Task};
use umbrail_session::module::{Context, Prepared, Verb};
use umbrail_session::task_error::TaskError;

const fn key(name: &'static str, reach: Reach, help: &'static str) -> Key {
    Key { name, aliases: &[], reach, help }
}

const VOCABULARY: Key = Key {
    name: "vocabulary",
    aliases: &["vocab"],
    reach: Reach::Word,
    help: "classic (default), extended, pgn or length; or the genres hap and ccc",
};
const FEN: Key =
    key("fen", Reach::Fen, "start position of the game (default: the current position)");
const STRICT: Key = key("strict-san", Reach::Flag, "in pgn, a mating move is # and not also +");
const MOVES: Key = key("moves", Reach::Words, "game (default: the current game)");
const GAME: Key = key("game", Reach::Word, "a PGN file with the game");
const MEMORY: Key = key("memory", Reach::Word, "memory for positions, such as 64m or 2g");
const POSITIONS: Key = key("positions", Reach::Word, "limit of positions per mark");
const LOOKAHEAD: Key = key("no-lookahead", Reach::Flag, "derive nothing from later marks");
const CHECKPOINT: Key = key(
    "checkpoint",
    Reach::Word,
    "file that $ writes and reads; without $ it keeps unfinished work, and the same steno continues from it",
);

const SOLVE_KEYS: &[Key] = &[
    VOCABULARY,
    FEN,
    STRICT,
    Key {
        name: "max-solutions",
        aliases: &["max"],
        reach: Reach::Word,
        help: "stop after this number of games",
    },
    key("nodes", Reach::Word, "stop after this number of moves"),
    key("games", Reach::Word, "list at most this number of games, but count all"),
    key("require", Reach::Word, "unique: exit status 4 unless there is exactly one game"),
    key("intended", Reach::Word, "PGN file with the intended game: only other games are listed"),
    MEMORY,
    POSITIONS,
    LOOKAHEAD,
    CHECKPOINT,
    key("pgn", Reach::Word, "write the games to this file"),
    key("html", Reach::Word, "write a page with a board for the games to this file"),
];

type Prepare = fn(&Task, &Context) -> Result<Prepared, TaskError>;

const fn verb(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static [Key]],
    prepare: Prepare,
) -> Verb {
    let text = Some("STENO");
    Verb { name, help, subject: None, text, input: false, background: false, keys, prepare }
}

pub(super) const VERBS: &[Verb] = &[
    verb("solve", "find every game that a steno describes", &[SOLVE_KEYS], |t, c| {
        prepare(t, c, super::solve_work)
    }),
    Verb {
        text: Some("SENTENCE"),
        ..verb(
            "synthetic",
            "find every game with stated moves, such as 6.gxf8=N#, or \"White's sixth move is gxf8=N mate\"",
            &[SOLVE_KEYS],
            super::solving::synthetic,
        )
    },
    verb(
        "match",
        "check whether a game fits a steno",
        &[&[VOCABULARY, FEN, STRICT, MOVES, GAME]],
        |t, c| prepare(t, c, super::match_work),
    ),
    Verb {
        subject: Some("GAME.pgn"),
        text: None,
        ..verb(
            "marks",
            "list every mark that describes each move of a game",
            &[&[VOCABULARY, FEN, STRICT, MOVES]],
            |t, c| prepare(t, c, super::marks_work),
        )
    },
    verb(
        "convert",
        "translate a game into another vocabulary, and solve it again",
        &[
            &[VOCABULARY, FEN, STRICT, MOVES, GAME, MEMORY],
            &[key("to", Reach::Word, "target vocabulary")],
        ],
        |t, c| prepare(t, c, super::convert_work),
    ),
    verb(
        "explain",
        "show what later marks require of earlier moves",
        &[&[VOCABULARY, FEN, STRICT]],
        |t, c| prepare(t, c, super::explain_work),
    ),
    verb(
        "whittle",
        "drop joined marks and conditions that are not needed",
        &[&[VOCABULARY, FEN, STRICT, MEMORY, POSITIONS]],
        |t, c| prepare(t, c, super::whittle_work),
    ),
    Verb {
        subject: Some("GAME.pgn"),
        text: None,
        ..verb(
            "compose",
            "find one mark for each move so that the game is the only solution, or prove that there is none",
            &[
                &[
                    VOCABULARY,
                    FEN,
                    MOVES,
                    key("many-any", Reach::Flag, "use as many ~ as possible"),
                    key("only", Reach::Word, "use only these marks"),
                    key("pattern", Reach::Word, "marks at fixed turns, ? for any"),
                    key("trials", Reach::Word, "limit of strings tried"),
                    MEMORY,
                    POSITIONS,
                ],
                KEYS,
            ],
            |t, c| prepare(t, c, super::compose_work),
        )
    },
];
