//! The command line of the endgame program that users come from:
//! `[-xboard] [-m] [-0] [-s] [-f FILE] ENDGAME`.
//!
//! Its long words have one dash, which no argument parser likes, so it is recognised first: by the
//! word `-xboard`, by a program name such as `4pieces` (which may also come as the first argument), or by an endgame as
//! the first argument.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use umbrail::protocol::{Dialogue, ProtocolChoice, Xboard};
use umbrail::session::{Options, TableOptions};
use umbrail::tasks::MODULES;
use umbrail::tasks::egt::{Metric, check};

/// The contents of that command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EndgameLine {
    /// Endgame, White's pieces before the dot; empty for none.
    pub(super) material: String,
    /// Talk to xboard.
    pub(super) xboard: bool,
    /// `-m`: count to mate, not to the conversion.
    pub(super) to_mate: bool,
    /// `-0`: the losing side may pass.
    pub(super) pass: bool,
    /// `-s`: stalemate wins.
    pub(super) stalemate_wins: bool,
    /// `-f`: positions won by decree.
    pub(super) seed: Option<PathBuf>,
    /// The form of the older program, which leaves `rep2.txt` in the working folder.
    pub(super) is_historic: bool,
    /// A word that does not belong there.
    pub(super) stray: Option<String>,
}

/// Reads the arguments if they are of that kind.
pub(super) fn recognise(arguments: &[OsString]) -> Option<EndgameLine> {
    let (program, rest) = arguments.split_first()?;
    let name = Path::new(program).file_stem().map(|name| name.to_string_lossy().into_owned());
    let rest: Vec<String> = rest.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let is_old =
        |name: Option<&String>| matches!(name.map(String::as_str), Some("3men" | "4men" | "5men"));
    let rest = if is_old(rest.first()) { rest[1..].to_vec() } else { rest };
    let by_name = is_old(name.as_ref()) || rest.len() + 1 < arguments.len();
    // An endgame as the first word means the same, whatever the program is called.
    let by_name = by_name || rest.first().is_some_and(|word| is_endgame(word));
    (by_name || rest.iter().any(|word| word == "-xboard")).then(|| read(rest.into_iter()))
}

/// True for what looks like `KQ.KR`.
pub(super) fn is_endgame(word: &str) -> bool {
    let letters = |side: &str| {
        side.starts_with(|first: char| first.is_ascii_uppercase())
            && side.bytes().all(|b| b.is_ascii_alphabetic())
    };
    word.split_once('.').is_some_and(|(white, black)| letters(white) && letters(black))
}

fn read(mut words: impl Iterator<Item = String>) -> EndgameLine {
    let mut line = EndgameLine { is_historic: true, ..EndgameLine::default() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "-xboard" => line.xboard = true,
            "-m" => line.to_mate = true,
            "-0" => line.pass = true,
            "-s" => line.stalemate_wins = true,
            "-f" => line.seed = words.next().map(PathBuf::from),
            _ if line.material.is_empty() && !word.starts_with('-') => line.material = word,
            _ => line.stray = Some(word),
        }
    }
    line
}

/// Opens the conversation of `umbrail xboard ENDGAME`, with the options of the command line and of option files.
pub(super) fn open_with(material: String, mut options: Options) -> u8 {
    options.tables.endgame = material;
    super::talk(Box::new(Xboard::new(MODULES)), None, options)
}

/// Opens the conversation about an endgame, as the older program does.
pub(super) fn open(line: EndgameLine) -> u8 {
    if let Some(stray) = &line.stray {
        return super::complain(&format!(
            "expected [-xboard] [-m] [-0] [-s] [-f FILE] ENDGAME, got \"{stray}\""
        ));
    }
    if line.material.is_empty() {
        if !line.xboard {
            return super::complain("expected an endgame such as KQ.KR");
        }
        return super::run(["umbrail", "xboard"].map(OsString::from));
    }
    let mut options = Options::default();
    let text = |path: &Path| path.to_string_lossy().into_owned();
    options.tables = TableOptions {
        endgame: line.material.clone(),
        metric: match (line.to_mate, line.xboard) {
            (true, _) => Metric::Dtm,
            (false, true) => Metric::Dtc,
            // The dialogue shows the older program's own figures.
            (false, false) => Metric::Level,
        },
        // With stalemate winning, the older program takes passing back.
        null_move: line.pass && !line.stalemate_wins,
        stalemate_wins: line.stalemate_wins,
        seed_file: line.seed.as_deref().map(text).unwrap_or_default(),
        piece_file: super::settings::found_pieces(),
        dialogue: !line.xboard,
        rep2: line.is_historic,
        ..TableOptions::default()
    };
    if let Err(status) = super::settings::check_pieces(&options.tables) {
        return status;
    }
    if line.xboard {
        return super::talk(Box::new(Xboard::new(MODULES)), None, options);
    }
    // XBoard gets the fault when it asks for a move; a person at a terminal gets it at once.
    if let Err(why) = check(&options.tables) {
        return super::complain(&why.to_string());
    }
    super::talk(Box::new(Dialogue::new(MODULES)), Some(ProtocolChoice::by_words()), options)
}

#[cfg(test)]
mod tests {
    use super::{EndgameLine, recognise};
    use std::path::PathBuf;

    fn reads(line: &str) -> Option<EndgameLine> {
        let words: Vec<_> = line.split(' ').map(Into::into).collect();
        recognise(&words)
    }

    #[test]
    fn the_old_command_line_is_recognised_by_word_or_name() {
        let material = "KQ.KR".to_owned();
        let plain = EndgameLine { material, is_historic: true, ..EndgameLine::default() };
        let xboard = EndgameLine { xboard: true, ..plain.clone() };
        assert_eq!(reads("umbrail -xboard KQ.KR"), Some(xboard.clone()));
        assert_eq!(reads("./4men KQ.KR"), Some(plain.clone()));
        assert_eq!(reads("umbrail 4men KQ.KR"), Some(plain.clone()));
        assert_eq!(reads("umbrail KQ.KR"), Some(plain.clone()));
        let to_mate = EndgameLine { to_mate: true, ..plain.clone() };
        assert_eq!(reads("umbrail KQ.KR -m"), Some(to_mate));
        assert_eq!(reads("umbrail xboard KQ.KR"), None);
        assert_eq!(reads("umbrail bench.log"), None);
        assert_eq!(reads("umbrail spg problems.txt"), None);
        let seed = Some(PathBuf::from("seed.txt"));
        let all = EndgameLine { to_mate: true, pass: true, stalemate_wins: true, seed, ..xboard };
        assert_eq!(reads("umbrail -xboard -m -0 -s -f seed.txt KQ.KR"), Some(all));
        assert_eq!(reads("4men -x KQ.KR"), Some(EndgameLine { stray: Some("-x".into()), ..plain }));
    }
}
