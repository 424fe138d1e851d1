//! Checks whether a game solves a problem with conditions.
//!
//! Each word of the game is compared with the spellings of all legal moves: Popeye's long notation with the effects
//! of conditions, which is what the program prints, the same without effects, coordinates, and short notation.

use super::fairy::{FairyMove, FairyPosition, FairyRules, PlayedMove, letters};
use super::fairy_game::{FairyGame, PlayFault, play};
use super::fairy_problem::{FairyError, FairyProblem, PreparedProblem};
use super::turns::Turns;
use crate::run::Words as _;
use umbrail_chess::{PieceLetters, Role};

/// Reason why a game does not solve a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FairyGameFault {
    /// The problem is not supported.
    #[error(transparent)]
    Problem(#[from] FairyError),
    /// A word that is not a legal move.
    #[error("half-move {ply}, {word}: it is not legal here")]
    Word {
        /// Number of the half-move, from 1.
        ply: usize,
        /// The word.
        word: String,
    },
    /// A word that may be one of several moves.
    #[error("half-move {ply}, {word}: it may be {}", moves.join(" or "))]
    Ambiguous {
        /// Number of the half-move, from 1.
        ply: usize,
        /// The word.
        word: String,
        /// These moves.
        moves: Vec<String>,
    },
    /// A move that a series does not allow.
    #[error("half-move {ply}, {word}: only the last move of a series may give check")]
    Check {
        /// Number of the half-move, from 1.
        ply: usize,
        /// The word.
        word: String,
    },
    /// A move with which the game may not end.
    #[error("half-move {ply}, {word}: the conditions do not allow a game to end with it")]
    LastMove {
        /// Number of the half-move, from 1.
        ply: usize,
        /// The word.
        word: String,
    },
    /// A game of another length.
    #[error("the game has {0} half-moves, expected {1}")]
    Plies(usize, String),
    /// A game that ends elsewhere.
    #[error("the game ends in {0}, expected {1}")]
    Diagram(String, String),
}

/// A fault with the half-move at which it was found.
type FoundFault = (usize, FairyGameFault);

/// Returns the rank of a fault among those of several lengths and languages: the one that was found last explains most, and
/// the length least.
fn rank((ply, fault): &FoundFault) -> (usize, bool) {
    (*ply, !matches!(fault, FairyGameFault::Plies(..)))
}

/// Plays a game, given by the words of its moves, by the rules of the problem, without the search.
///
/// # Errors
/// The reason why the game does not solve the problem. Of the languages and lengths tried, the one that read most of the
/// game decides.
pub fn check_fairy_game(
    problem: &FairyProblem,
    words: &[&str],
) -> Result<FairyGame, FairyGameFault> {
    let prepared = problem.prepare()?;
    let mut last: Option<FoundFault> = None;
    for language in PieceLetters::ALL {
        let read: Vec<String> = words.iter().map(|word| problemists(language, word)).collect();
        let lengths: Vec<u16> = match problem.turns {
            Turns::Alternating => vec![u16::try_from(words.len()).unwrap_or(u16::MAX)],
            turns => {
                let mut lengths: Vec<u16> = problem.lengths().collect();
                // A longer series is played to its end: a move that is not legal says more than the length.
                if matches!(turns, Turns::Series | Turns::Parry) {
                    let longer = u16::try_from(words.len()).ok();
                    lengths.extend(longer.filter(|&plies| lengths.iter().all(|&one| one < plies)));
                }
                lengths
            }
        };
        let before = last.take();
        for units in lengths {
            match played(problem, &prepared, units, words, &read) {
                Ok(game) => return Ok(game),
                Err(fault) => {
                    if last.as_ref().is_none_or(|known| rank(&fault) > rank(known)) {
                        last = Some(fault);
                    }
                }
            }
        }
        // Another language must explain more of the game.
        let reached = |fault: &Option<FoundFault>| fault.as_ref().map_or(0, |fault| fault.0);
        if before.is_some() && reached(&last) <= reached(&before) {
            last = before;
        }
    }
    let none = || FairyGameFault::Plies(words.len(), "a game".to_owned());
    Err(last.map_or_else(none, |(_, fault)| fault))
}

/// Plays a game of a number of units.
fn played(
    problem: &FairyProblem,
    prepared: &PreparedProblem,
    units: u16,
    words: &[&str],
    read: &[String],
) -> Result<FairyGame, FoundFault> {
    let PreparedProblem { rules, start, target, .. } = prepared;
    let (mut ply, mut meant) = (0, vec![]);
    let game = match words.is_empty() {
        true => Err(PlayFault::Length),
        false => play(rules, start, target, (problem.turns, units), words.len(), |position| {
            ply += 1;
            chosen(rules, position, &read[ply - 1]).map_err(|moves| meant = moves).ok()
        }),
    };
    let is_length = problem.lengths().any(|plies| plies == units);
    let word = words.get(ply.saturating_sub(1)).copied().unwrap_or_default().to_owned();
    let fault = match game {
        Ok(game) if is_length => return Ok(game),
        Err(PlayFault::Move) if meant.is_empty() => FairyGameFault::Word { ply, word },
        Err(PlayFault::Move) => FairyGameFault::Ambiguous { ply, word, moves: meant },
        Err(PlayFault::Turn) => FairyGameFault::Check { ply, word },
        Err(PlayFault::LastMove) if is_length => FairyGameFault::LastMove { ply, word },
        Err(PlayFault::Target(game)) if is_length => {
            let reached = problem.placements(&game).pop().unwrap_or_default();
            FairyGameFault::Diagram(reached, problem.target_setup().placement())
        }
        Ok(_) | Err(PlayFault::Length | PlayFault::LastMove | PlayFault::Target(_)) => {
            let (plies, mode) = (problem.plies, problem.length.word());
            FairyGameFault::Plies(words.len(), format!("{plies} ({mode})"))
        }
    };
    Err((ply, fault))
}

/// Returns a word with the English letters of problemists, S for knights.
fn problemists(language: PieceLetters, word: &str) -> String {
    let letter = |letter: char| match language.role(letter) {
        _ if language == PieceLetters::English || !letter.is_ascii_uppercase() => letter,
        Some(Role::Knight) => 'S',
        Some(role) => role.letter(),
        None => letter,
    };
    word.chars().map(letter).collect()
}

/// Returns the legal move that a word means.
///
/// # Errors
/// The moves that it may mean; none if no legal move is written like this.
fn chosen(
    rules: &FairyRules,
    position: &FairyPosition,
    word: &str,
) -> Result<PlayedMove, Vec<String>> {
    let mut moves: Vec<Spelled> =
        rules.legal(position).into_iter().map(|one| Spelled::of(rules, position, one)).collect();
    let (base, effects) = word.split_at(word.find('[').unwrap_or(word.len()));
    let (base, effects) = (bare(base), bare(effects));
    let whole = format!("{base}{effects}");
    if let Some(at) = moves.iter().position(|one| one.whole == whole) {
        return Ok(moves.swap_remove(at).played);
    }
    if !effects.is_empty() {
        moves.retain(|one| one.whole.strip_prefix(&one.spellings[0][0]) == Some(&effects));
    }
    for kind in 0..moves.first().map_or(0, |one| one.spellings.len()) {
        let fits = |one: &&Spelled| one.spellings[kind].contains(&base);
        let found: Vec<&Spelled> = moves.iter().filter(fits).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one.played),
            several => return Err(several.iter().map(|one| one.text.clone()).collect()),
        }
    }
    Err(vec![])
}

/// A legal move with its spellings.
struct Spelled {
    played: PlayedMove,
    /// As the program prints it.
    text: String,
    /// `text` after [`bare`].
    whole: String,
    /// Reduced spellings without effects: long notation, coordinates, short notation.
    spellings: [Vec<String>; 3],
}

impl Spelled {
    fn of(rules: &FairyRules, before: &FairyPosition, played: PlayedMove) -> Self {
        let FairyMove { from, to, promotion, victim, rook, .. } = played.mv;
        let text = rules.write_move(before, &played.mv, &played.next);
        let whole = bare(&text);
        let man = before.at(from);
        let promoted = promotion.map(|kind| letters(rules, kind)).unwrap_or_default();
        if rook.is_some() {
            let cut = whole.find('[').unwrap_or(whole.len());
            let long = whole[..cut].to_owned();
            let coordinates = format!("{from}{to}");
            return Self {
                played,
                text,
                whole,
                spellings: [vec![long], vec![coordinates], vec![]],
            };
        }
        let mut names = vec![letters(rules, man.kind())];
        // Nightriders have the letter N in English problems.
        if names[0] == "S" && !rules.has_letter("N") {
            names.push("N".to_owned());
        }
        names.extend(rules.other_letters(man.kind()));
        let [file, rank] = [0, 1].map(|at| from.to_string()[at..=at].to_owned());
        let origins = match names[0].is_empty() {
            // A capture of a pawn names its file.
            true if from.file() == to.file() => vec![String::new()],
            true => vec![file],
            false => vec![String::new(), file, rank, from.to_string()],
        };
        let mut long: Vec<String> =
            names.iter().map(|name| format!("{name}{from}{to}{promoted}")).collect();
        if let Some(victim) = victim.filter(|victim| *victim != to) {
            long.extend(names.iter().map(|name| format!("{name}{from}{victim}{to}{promoted}")));
            // The one that is printed comes first.
            if !whole.starts_with(&long[0]) {
                long.rotate_left(names.len());
            }
        }
        let short = names.iter().flat_map(|name| {
            let one = |origin: &String| format!("{name}{origin}{to}{promoted}");
            origins.iter().map(one).collect::<Vec<_>>()
        });
        let coordinates = format!("{from}{to}{}", promoted.to_lowercase());
        let spellings = [long, vec![coordinates], short.collect()];
        Self { played, text, whole, spellings }
    }
}

/// Returns a spelling without the signs that are written in different ways.
fn bare(text: &str) -> String {
    let text = text.replace("e.p.", "").replace("ep.", "").replace('O', "0");
    let text = text.trim_end_matches([' ', '+', '#', '!', '?']);
    let is_sign = |symbol: char| " -–*x×:=+#!?".contains(symbol);
    let (base, effects) = text.split_at(text.find('[').unwrap_or(text.len()));
    let mut base: String = base.chars().filter(|&symbol| !is_sign(symbol)).collect();
    // The letter of pawns is not needed.
    if base.starts_with('P') && base[1..].starts_with(|next: char| next.is_ascii_lowercase()) {
        base.remove(0);
    }
    base + &effects.replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::sheet;

    fn check(sheet: &str, game: &str) -> Result<String, String> {
        let problem = sheet::read(sheet).remove(0).unwrap().problem;
        let words: Vec<&str> = game.split_whitespace().collect();
        check_fairy_game(&problem, &words).map(|game| game.text).map_err(|why| why.to_string())
    }

    #[test]
    fn letters_of_the_problem_are_those_of_moves() {
        let sheet = |letter: char| {
            format!(
                "4k3/8/8/8/8/1{letter}6/8/4K3\na=>b 0.5\nPiece: {letter}=nightrider\n\
                 Start: 4k3/8/8/8/8/8/8/{letter}3K3 w - -\n"
            )
        };
        for word in ["Hb3", "Ha1-b3", "Nb3", "a1b3"] {
            assert_eq!(check(&sheet('H'), word).as_deref(), Ok("1.Ha1-b3"), "{word}");
        }
        assert_eq!(check(&sheet('G'), "Gb3").as_deref(), Ok("1.Ga1-b3"));
        assert_eq!(check(&sheet('N'), "Nb3").as_deref(), Ok("1.Na1-b3"));
        // The letter of a queen would be ambiguous.
        assert_eq!(check(&sheet('Q'), "Nb3").as_deref(), Ok("1.Na1-b3"));
    }

    const CIRCE: &str = "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR\n1.5\nCondition: Circe\n";

    #[test]
    fn games_are_read_in_every_notation() {
        let printed = "1.e2-e4 d7-d5 2.e4*d5[+bPd7]";
        for game in [
            "e2-e4 d7-d5 e4*d5[+bPd7]",
            "e4 d5 exd5",
            "e4 d5 exd5[+bPd7]",
            "e2e4 d7d5 e4d5",
            "Be2-e4 Bd7-d5 Be4xd5",
        ] {
            assert_eq!(check(CIRCE, game), Ok(printed.to_owned()), "{game}");
        }
        let checks = |game: &str| check(CIRCE, game).unwrap_err();
        assert_eq!(checks("e4 d5 exd5[+bPe7]"), "half-move 3, exd5[+bPe7]: it is not legal here");
        assert_eq!(
            checks("e4 d5 e5"),
            "the game ends in rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR, expected rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR"
        );
        assert_eq!(checks("e4 d5"), "the game has 2 half-moves, expected 3 (parity)");
        assert_eq!(checks("e4 Qh4"), "half-move 2, Qh4: it is not legal here");
    }

    #[test]
    fn pieces_and_short_moves_may_be_ambiguous() {
        let series = "4k3/8/8/8/8/8/8/G3K1G1\nser-a=>b 2\nStart: 4k3/8/8/8/8/8/8/G2GK3 w - -\nPiece: G=grasshopper\n";
        let why = check(series, "Gg1 Ga1").unwrap_err();
        assert!(why.starts_with("half-move"), "{why}");
        let knights = "4k3/8/8/8/8/8/3N4/1N2K3\nser-a=>b 1\nStart: 4k3/8/8/8/8/5N2/8/1N2K3 w - -\nCondition: Circe\n";
        assert_eq!(
            check(knights, "Nd2"),
            Err("half-move 1, Nd2: it may be Sb1-d2 or Sf3-d2".to_owned())
        );
        for game in ["Nfd2", "S3d2", "Sf3-d2", "f3d2"] {
            assert_eq!(check(knights, game), Ok("1.Sf3-d2".to_owned()), "{game}");
        }
    }

    #[test]
    fn the_length_and_the_last_move_count() {
        let start = "Start: 4k3/8/8/8/8/8/4P3/4K1R1 w - -\n";
        let series = format!("4k3/8/8/8/8/4P3/8/4K2R\nser-a=>b 2\n{start}");
        assert_eq!(check(&series, "e3 Rh1"), Ok("1.e2-e3 2.Rg1-h1".to_owned()));
        assert_eq!(check(&series, "Rh1 e3"), Ok("1.Rg1-h1 2.e2-e3".to_owned()));
        let why = check(&series, "Rg8 Rh8").unwrap_err();
        assert!(why.contains("only the last move of a series may give check"), "{why}");
        let why = check(&series, "e3 Rh1 Rg1").unwrap_err();
        assert!(why.starts_with("the game has 3 half-moves, expected 2"), "{why}");
        // A move that is not legal comes before the length, also behind the last move of the problem.
        for (game, expected) in [
            ("e3 Rh1 Ke5", "half-move 3, Ke5: it is not legal here"),
            ("e3 Rh1 Rg1 Rg2 Ke5", "half-move 5, Ke5: it is not legal here"),
            ("Ke5", "half-move 1, Ke5: it is not legal here"),
        ] {
            let why = check(&series, game).unwrap_err();
            assert!(why.starts_with(expected), "{game}: {why}");
        }
        // A longer game is not blamed for the move that it does not end with.
        let last =
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR\n0.5\nCondition: last move e2-e4\n";
        let why = check(last, "e4 e5").unwrap_err();
        assert!(why.starts_with("the game has 2 half-moves, expected 1"), "{why}");
        assert!(check(last, "e4 Ke5").unwrap_err().starts_with("half-move 2, Ke5"));
    }
}
