//! Words of Popeye's input in three languages, and the tokens of a file with their places.

use crate::positions::{Language, nearest_of};
use umbrail_chess::geometry::Square;

/// Commands: French, German, English.
const COMMANDS: [([&str; 3], Command); 21] = [
    (["FinProbleme", "EndeProblem", "endproblem"], Command::End),
    (["asuivre", "WeiteresProblem", "nextproblem"], Command::Next),
    (["jumeau", "Zwilling", "twin"], Command::Twin),
    (["zeroposition", "NullStellung", "zeroposition"], Command::ZeroPosition),
    (["remarque", "Bemerkung", "remark"], Command::Text("Remark")),
    (["auteur", "Autor", "author"], Command::Text("Author")),
    (["source", "Quelle", "origin"], Command::Text("Source")),
    (["titre", "Titel", "title"], Command::Title),
    (["prix", "Auszeichnung", "award"], Command::Text("Award")),
    (["protocol", "Protokoll", "protocol"], Command::Text("")),
    (["LaTeX", "LaTeX", "LaTeX"], Command::Text("")),
    (["PiecesLaTeX", "LaTeXSteine", "LaTeXPieces"], Command::Text("")),
    (["pieces", "Steine", "pieces"], Command::Pieces),
    (["condition", "Bedingung", "condition"], Command::Condition),
    (["option", "Option", "option"], Command::Option),
    (["enonce", "Forderung", "stipulation"], Command::Stipulation),
    (["senonce", "sForderung", "sstipulation"], Command::Structured),
    (["PositionInitialePartie", "PartieAnfangsStellung", "InitialGameArray"], Command::Array),
    (["Forsyth", "Forsyth", "Forsyth"], Command::Forsyth),
    (["DebutProbleme", "AnfangProblem", "beginproblem"], Command::Begin),
    (["Steine", "Stellung", "pieces"], Command::Pieces),
];

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Begin,
    End,
    Next,
    Twin,
    ZeroPosition,
    /// Text for readers, with the keyword that sheets have for it; empty for settings of the output.
    Text(&'static str),
    Title,
    Pieces,
    Condition,
    Option,
    Stipulation,
    Structured,
    Array,
    Forsyth,
}

/// What a twin changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Move,
    Exchange,
    Stipulation,
    Add,
    Remove,
    Continued,
    Condition,
    Rotate,
    Mirror,
    Shift,
    PolishType,
    Substitute,
}

const CHANGES: [([&str; 3], Change); 12] = [
    (["rotation", "drehe", "rotate"], Change::Rotate),
    (["miroir", "spiegle", "mirror"], Change::Mirror),
    (["translation", "verschiebe", "shift"], Change::Shift),
    (["polishtype", "polishtype", "polishtype"], Change::PolishType),
    (["remplace", "ersetze", "substitute"], Change::Substitute),
    (["deplacement", "versetze", "move"], Change::Move),
    (["echange", "tausche", "exchange"], Change::Exchange),
    (["enonce", "Forderung", "stipulation"], Change::Stipulation),
    (["ajoute", "hinzufuegen", "add"], Change::Add),
    (["ote", "entferne", "remove"], Change::Remove),
    (["enplus", "ferner", "continued"], Change::Continued),
    (["condition", "Bedingung", "condition"], Change::Condition),
];

/// Effect of an option on a proof game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionWord {
    /// White begins.
    WhiteToPlay,
    /// Also the games in which the other side begins.
    Duplex,
    /// Only these.
    HalfDuplex,
    /// Also the set play.
    SetPlay,
    /// King and rooks of the listed squares may not castle; of all squares if none is listed.
    NoCastling,
    /// Squares on which pawns can be captured en passant.
    EnPassant,
    /// Changes the output only, or allows what is allowed anyway.
    Ignored,
    /// Restricts the search of Popeye by a number; here, all games are counted.
    Limit,
}

const OPTIONS: [([&str; 3], OptionWord); 22] = [
    (["Duplex", "Duplex", "Duplex"], OptionWord::Duplex),
    (["DemiDuplex", "HalbDuplex", "HalfDuplex"], OptionWord::HalfDuplex),
    (["Apparent", "Satzspiel", "SetPlay"], OptionWord::SetPlay),
    (["ApparentSeul", "WeissBeginnt", "WhiteToPlay"], OptionWord::WhiteToPlay),
    (["SansRoquer", "KeineRochade", "NoCastling"], OptionWord::NoCastling),
    (["EnPassant", "EnPassant", "EnPassant"], OptionWord::EnPassant),
    (["Variantes", "Varianten", "Variations"], OptionWord::Ignored),
    (["Trace", "Zugnummern", "MoveNumbers"], OptionWord::Ignored),
    (["SansRB", "OhneWk", "NoWk"], OptionWord::Ignored),
    (["SansRN", "OhneSk", "NoBk"], OptionWord::Ignored),
    (["SansMenace", "OhneDrohung", "NoThreat"], OptionWord::Ignored),
    (["SansEchiquier", "OhneBrett", "NoBoard"], OptionWord::Ignored),
    (["Intelligent", "Intelligent", "Intelligent"], OptionWord::Ignored),
    (["Bip", "Pieps", "Beep"], OptionWord::Ignored),
    (["SansGrille", "OhneGitter", "SuppressGrid"], OptionWord::Ignored),
    (["AjouteGrille", "ZeichneGitter", "WriteGrid"], OptionWord::Ignored),
    (
        ["FinApresSolutionsCourtes", "StopNachKurzloesungen", "StopOnShortSolutions"],
        OptionWord::Ignored,
    ),
    (["NonTrivial", "NichtTrivial", "NonTrivial"], OptionWord::Limit),
    (["Enroute", "StartZugnummer", "StartMoveNumber"], OptionWord::Limit),
    (["JusquAuCoup", "BisZugnummer", "UpToMoveNumber"], OptionWord::Limit),
    (["MaxSolutions", "MaxLoesungen", "MaxSolutions"], OptionWord::Limit),
    (["MaxTemps", "MaxZeit", "MaxTime"], OptionWord::Limit),
];

/// Colors: White, Black, Neutral.
const COLORS: [[&str; 3]; 3] =
    [["Blanc", "Weiss", "White"], ["Noir", "Schwarz", "Black"], ["Neutre", "Neutral", "Neutral"]];

fn begins(word: &str, name: &str) -> bool {
    let length = word.len();
    length > 0
        && name.len() >= length
        && name.is_char_boundary(length)
        && name[..length].eq_ignore_ascii_case(word)
}

/// Returns the value of the only name that a word begins; an exact name wins.
fn find<T: Copy + PartialEq>(
    table: &[([&str; 3], T)],
    word: &str,
    language: Language,
) -> Option<T> {
    let names = || table.iter().map(|(names, value)| (names[language as usize], *value));
    if let Some((_, value)) = names().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return Some(value);
    }
    let mut found = names().filter(|(name, _)| begins(word, name)).map(|(_, value)| value);
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

pub(super) fn command(word: &str, language: Language) -> Option<Command> {
    find(&COMMANDS, word, language).filter(|_| word.len() > 1)
}

/// Returns the command that a mistyped word may stand for.
pub(super) fn nearest_command(word: &str, language: Language) -> Option<&'static str> {
    let names = COMMANDS.iter().map(|(names, _)| names[language as usize]);
    nearest_of(word, names).into_iter().next()
}

pub(super) fn change(word: &str, language: Language) -> Option<Change> {
    find(&CHANGES, word, language).filter(|_| word.len() > 1)
}

pub(super) fn option(word: &str, language: Language) -> Option<OptionWord> {
    find(&OPTIONS, word, language)
}

/// Returns 0 for White, 1 for Black, 2 for neutral men.
pub(super) fn color(word: &str, language: Language) -> Option<usize> {
    let mut all = COLORS.iter().map(|names| names[language as usize]);
    all.position(|name| begins(word, name)).filter(|_| word.len() > 1)
}

/// Returns the language whose first word begins a file.
pub(super) fn language(word: &str) -> Option<Language> {
    Language::ALL
        .into_iter()
        .find(|&language| word.len() >= 4 && command(word, language) == Some(Command::Begin))
}

/// A word with its place, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
    pub column: usize,
    /// First on its line.
    pub is_first: bool,
}

/// Returns the words of a text.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all = vec![];
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}');
        let mut is_first = true;
        for word in line.split_whitespace() {
            let offset = word.as_ptr() as usize - line.as_ptr() as usize;
            let column = line[..offset].chars().count() + 1;
            all.push(Token { text: word, line: at + 1, column, is_first });
            is_first = false;
        }
    }
    all
}

/// Returns the squares that a word lists, such as `a2b2`.
pub(super) fn squares(text: &str) -> Option<Vec<Square>> {
    let text = text.to_ascii_lowercase();
    let pairs = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok()?.parse().ok());
    pairs.collect::<Option<Vec<Square>>>().filter(|all| !all.is_empty())
}
