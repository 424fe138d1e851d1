//! The domains beside the search (endgame tables, proof games, Steno-Chess), and tasks as the user
//! words them.
//!
//! The grammar is common to all domains: a domain, a verb, keys with values, and optionally a final
//! text (`spg solve moves 23.0 max 2`). Sessions parse it in `umbrail-protocol`; the command line
//! turns the declarations into subcommands and flags.

/// The subject of a task; also the first word of its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Endgame tables.
    Egt,
    /// Shortest proof games.
    Spg,
    /// Steno-Chess.
    Steno,
}

impl Domain {
    /// All domains.
    pub const ALL: [Self; 3] = [Self::Egt, Self::Spg, Self::Steno];

    /// Returns the word that users type.
    pub fn word(self) -> &'static str {
        match self {
            Self::Egt => "egt",
            Self::Spg => "spg",
            Self::Steno => "steno",
        }
    }

    /// Returns the domain of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|domain| domain.word() == word)
    }

    /// Returns a description of the subject.
    pub fn about(self) -> &'static str {
        match self {
            Self::Egt => "endgame tables",
            Self::Spg => "shortest proof games",
            Self::Steno => "Steno-Chess",
        }
    }
}

/// One command of a domain, as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Domain of the task.
    pub domain: Domain,
    /// Declared name of the verb.
    pub verb: &'static str,
    /// Words before the first key (`egt build KQ.KR`).
    pub subject: Vec<String>,
    /// Declared key names with their values, in the order given; the value of a flag is empty.
    pub keys: Vec<(&'static str, String)>,
    /// Text after the key `text`, or of the here-document.
    pub text: Option<String>,
}

impl Task {
    /// Returns the last value given for this key.
    pub fn key(&self, name: &str) -> Option<&str> {
        self.keys.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    /// Returns all values given for this key, in order.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.keys.iter().filter(move |(key, _)| *key == name).map(|(_, value)| value.as_str())
    }
}

/// Extent of the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// No value: the presence of the key is the value.
    Flag,
    /// One word.
    Word,
    /// One word or quoted text; the key may be given several times, and each value counts.
    Each,
    /// Up to six words, fewer if the next key comes first: a FEN.
    Fen,
    /// All words up to the next key: moves.
    Words,
}

/// A key of a verb.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Name in sessions; `--name` on the command line.
    pub name: &'static str,
    /// Other spellings.
    pub aliases: &'static [&'static str],
    /// Extent of the value.
    pub reach: Reach,
    /// One line of help.
    pub help: &'static str,
}

/// Topic of a help page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Commands.
    Commands,
    /// Verbs of a domain.
    Domain(Domain),
    /// Keys of the verb of this name.
    Verb(Domain, String),
}

#[cfg(test)]
mod tests {
    use super::Domain;

    #[test]
    fn every_domain_is_found_by_its_word() {
        for domain in Domain::ALL {
            assert_eq!(Domain::from_word(domain.word()), Some(domain));
        }
        assert_eq!(Domain::from_word("uci"), None);
    }
}
