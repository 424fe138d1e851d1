//! `umbrail egt …`: the switches that users of the older endgame program type, in our words.

use std::ffi::OsString;

/// Arguments behind `egt` with `-m`, `-0`, `-s` and `-f FILE` spelled out; all else as it was.
pub(super) fn spelled_out(arguments: Vec<OsString>) -> Vec<OsString> {
    if !is_egt(&arguments) {
        return arguments;
    }
    let spell = |word: OsString| -> Vec<OsString> {
        let words: &[&str] = match word.to_str() {
            Some("-m") => &["--metric", "dtm"],
            Some("-0") => &["--null", "1"],
            Some("-s") => &["--stalemate", "win"],
            Some("--bare-royal-loses") => &["--bare", "1"],
            Some("--forced-pass") => &["--stalemate", "pass"],
            Some("-f") => &["--seed"],
            _ => return vec![word],
        };
        words.iter().map(OsString::from).collect()
    };
    arguments.into_iter().flat_map(spell).collect()
}

/// A hint for an endgame where a verb belongs (`egt KQ.KR`).
pub(super) fn missing_verb(arguments: &[OsString]) -> Option<String> {
    let at = arguments.iter().position(|word| word == "egt").filter(|_| is_egt(arguments))?;
    let word = arguments.get(at + 1)?.to_str().filter(|word| super::compat::is_endgame(word))?;
    Some(format!(
        "egt wants a verb before {word}, such as: umbrail egt stats {word} (umbrail egt --help lists them)"
    ))
}

/// Is the subcommand `egt`, with nothing before it but options of the program and their values?
fn is_egt(arguments: &[OsString]) -> bool {
    let option = |word: &OsString| word.to_string_lossy().starts_with("--");
    let before = arguments.iter().skip(1).position(|word| word == "egt");
    before.is_some_and(|count| {
        (1..=count).all(|at| option(&arguments[at]) || at > 1 && option(&arguments[at - 1]))
    })
}

#[cfg(test)]
mod tests {
    use super::spelled_out;

    #[test]
    fn t8_an_endgame_without_a_verb_gets_a_hint() {
        let hint = |line: &str| {
            let words: Vec<_> = line.split(' ').map(Into::into).collect();
            super::missing_verb(&words)
        };
        assert!(hint("umbrail egt KQ.KR -m").is_some_and(|hint| hint.contains("stats KQ.KR")));
        assert_eq!(hint("umbrail egt stats KQ.KR"), None);
        assert_eq!(hint("umbrail egt"), None);
    }

    #[test]
    fn old_switches_are_spelled_out_behind_egt_only() {
        let spelled = |line: &str| {
            let words = line.split(' ').map(Into::into).collect();
            let words: Vec<_> = spelled_out(words);
            words.join(std::ffi::OsStr::new(" ")).to_string_lossy().into_owned()
        };
        let line = "umbrail egt stats KQ.KR -m -0 -s -f seeds";
        let long = "umbrail egt stats KQ.KR --metric dtm --null 1 --stalemate win --seed seeds";
        assert_eq!(spelled(line), long);
        assert_eq!(spelled("umbrail spg solve -s"), "umbrail spg solve -s");
        assert_eq!(spelled("umbrail spg egt -s"), "umbrail spg egt -s");
        let line = "umbrail --json --set Threads=2 egt stats KQ.KR -m";
        let long = "umbrail --json --set Threads=2 egt stats KQ.KR --metric dtm";
        assert_eq!(spelled(line), long);
    }
}
