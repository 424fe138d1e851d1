//! The domains beside the search (endgame tables, proof games, Steno-Chess), and a task as a user words it.
//!
//! The grammar is the same everywhere: a domain, a verb, keys with values, and perhaps a last text
//! (`spg solve moves 23.0 max 2`). Sessions parse it in [`crate::protocol`]; the command line turns the same
//! tables into subcommands and flags.

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

    /// The word that users type.
    pub fn word(self) -> &'static str {
        match self {
            Self::Egt => "egt",
            Self::Spg => "spg",
            Self::Steno => "steno",
        }
    }

    /// The domain of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|domain| domain.word() == word)
    }

    /// What it is about, in words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Egt => "endgame tables",
            Self::Spg => "shortest proof games",
            Self::Steno => "Steno-Chess",
        }
    }
}

/// One command of a domain, as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What it is about.
    pub domain: Domain,
    /// The declared name of the verb.
    pub verb: &'static str,
    /// Words before the first key (`egt build KQ.KR`).
    pub subject: Vec<String>,
    /// Declared key names with their values, in the order given; a flag's value is empty.
    pub keys: Vec<(&'static str, String)>,
    /// The text behind `text`, or the here-document.
    pub text: Option<String>,
}

impl Task {
    /// The last value given for this key.
    pub fn key(&self, name: &str) -> Option<&str> {
        self.keys.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }
}

/// How far the value of a key reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// No value: being there is the value.
    Flag,
    /// One word.
    Word,
    /// Up to six words, completion before the next key: a FEN.
    Fen,
    /// All words up to the next key: moves.
    Words,
}

/// A key of a verb.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name in sessions; `--name` on the command line.
    pub name: &'static str,
    /// Other spellings.
    pub aliases: &'static [&'static str],
    /// How far its value reaches.
    pub reach: Reach,
    /// One line of help.
    pub help: &'static str,
}

/// What help is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The commands.
    Commands,
    /// The verbs of a domain.
    Domain(Domain),
    /// The keys of the verb of this name.
    Verb(Domain, &'static str),
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
