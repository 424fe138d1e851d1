//! Option files: `NAME = VALUE`, one per line.
//!
//! Accepted deviations: a byte order mark, CR LF, blank lines, comments after `#` or `;` at the
//! beginning of a line, `[section]` headings (ignored), any white space around names and values. A
//! value is all text after the first `=`, unchanged: there are no escapes and no trailing comments.

use std::fmt;
use umbrail_session::event::Offer;
use umbrail_session::options::{Kind, OptionError, Options};

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IniError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Error.
    pub why: String,
}

impl fmt::Display for IniError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for IniError {}

/// Sets options from the text of a file, and returns every line that could not be used.
pub fn read(text: &str, options: &mut Options) -> Vec<IniError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut errors = vec![];
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';', '[']) {
            continue;
        }
        let set = match line.split_once('=') {
            Some((name, value)) => options
                .set(name.trim(), Some(value.trim()))
                .map(|_| ())
                .map_err(|error: OptionError| error.to_string()),
            None => Err(format!("expected NAME = VALUE, got \"{}\"", super::quote(line))),
        };
        errors.extend(set.err().map(|why| IniError { line: index + 1, why }));
    }
    errors
}

/// Writes a file that sets options to their offered values, each after its help. Options with
/// default values are commented out with `#`, so that an unchanged file has no effect: some
/// commands have other defaults.
pub fn write(offers: &[Offer]) -> String {
    let mut text = String::from(
        "# Options of Umbrail. Copy this file to the folder the program is started in, as umbrail.ini,\n\
         # take the # away before an option, and change what you like. What stands behind a # is the default.\n\
         # The command line (--set) and the GUI have the last word.\n",
    );
    let usual = Options::default();
    for offer in offers {
        let (name, value, help) = (offer.spec.name, &offer.value, offer.spec.help);
        let range = match offer.spec.kind {
            Kind::Check { .. } | Kind::Experiment(_) => "true or false".to_owned(),
            Kind::Spin { min, max, .. } => format!("{min}..{max}"),
            Kind::Constant(one) => format!("{}..{}", one.min, one.max),
            Kind::Combo { names, .. } => names.join(", "),
            Kind::File { .. } => "file".to_owned(),
            Kind::Folder { .. } => "folder".to_owned(),
            Kind::Text { .. } | Kind::Constants => "text".to_owned(),
            // Cannot be set.
            Kind::Shown(_) | Kind::Button(_) => continue,
        };
        text.push_str(&format!("\n# {help} ({range})\n"));
        let is_usual = *value == offer.spec.text(&usual);
        let mark = if is_usual { "#" } else { "" };
        text.push_str(format!("{mark}{name} = {value}").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{read, write};
    use umbrail_session::event::Offer;
    use umbrail_session::{Options, specs};

    #[test]
    fn a_file_is_read_as_windows_notepad_writes_it() {
        let mut options = Options::default();
        let text =
            "\u{feff}[Engine]\r\n; memory\r\nhash = 64\r\nlog file=c:\\spg\\new; old.txt\r\n";
        assert_eq!(read(text, &mut options), []);
        assert_eq!(options.search.hash_mib, 64);
        assert_eq!(options.log_file, "c:\\spg\\new; old.txt");
    }

    #[test]
    fn lines_that_cannot_be_used_are_named_and_the_others_count() {
        let mut options = Options::default();
        let errors = read("Hash = 0\n\nThreads\nPonder = true\nHush = 1\n", &mut options);
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            errors,
            [
                "line 1: Hash must be 1..1048576, got 0",
                "line 3: expected NAME = VALUE, got \"Threads\"",
                "line 5: no option is called \"Hush\", did you mean Hash",
            ]
        );
        assert!(options.ponder);
    }

    #[test]
    fn what_has_its_default_stands_behind_a_mark() {
        let mut options = Options::default();
        options.set("EGT Memory", Some("700")).unwrap();
        let offer = |spec: &'static _| Offer { spec, value: spec_text(spec, &options) };
        let text = write(&specs().map(offer).collect::<Vec<_>>());
        let set: Vec<_> =
            text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        assert_eq!(set, ["EGT Memory = 700"]);
        // Without the `#` the line sets the option.
        assert!(text.contains("\n#Threads = 1\n") && text.contains("\n#EGT Endgame =\n"), "{text}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut changed = Options::default();
        for (name, value) in [("Hash", "77"), ("UCI_ShowWDL", "true"), ("Log File", "a b.log")] {
            changed.set(name, Some(value)).unwrap();
        }
        let offer =
            |spec: &'static _, options: &Options| Offer { spec, value: spec_text(spec, options) };
        let offers: Vec<_> = specs().map(|spec| offer(spec, &changed)).collect();
        let mut read_back = Options::default();
        assert_eq!(read(&write(&offers), &mut read_back), []);
        assert_eq!(read_back, changed);
    }

    fn spec_text(spec: &umbrail_session::options::Spec, options: &Options) -> String {
        spec.text(options)
    }
}
