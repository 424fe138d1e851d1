//! Names that a mistyped word may stand for.

use super::{
    CONDITIONS, ConditionName, GAME_CONDITIONS, Language, NameError, VARIANTS, listed_conditions,
    plain, rows, squares,
};
use std::sync::OnceLock;

/// Most names in one message.
const LISTED_MAX: usize = 3;

/// Returns the number of letters that are to be inserted, removed, replaced or exchanged with their neighbor.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// Returns the nearest of some names, at most three, nearest first; none if all are far away. Case, blanks, hyphens and
/// accents do not matter.
pub fn nearest_of<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let names: Vec<(String, &str)> = names.into_iter().map(|name| (plain(name), name)).collect();
    nearest_of_plain(word, names.iter().map(|(plain, name)| (plain.as_str(), *name)))
}

/// The same for names with their plain forms.
fn nearest_of_plain<'p, 'a>(
    word: &str,
    names: impl Iterator<Item = (&'p str, &'a str)>,
) -> Vec<&'a str> {
    let word = plain(word);
    let length = word.chars().count();
    // One letter in four may be wrong.
    let most = (length / 4).clamp(1, 3);
    let mut found: Vec<(usize, &str)> = vec![];
    for (plain_name, name) in names {
        if plain_name.chars().count().abs_diff(length) > most {
            continue;
        }
        let apart = distance(&word, plain_name);
        if apart <= most && apart < length {
            found.push((apart, name));
        }
    }
    found.sort_by_key(|(apart, _)| *apart);
    let least = found.first().map_or(0, |(apart, _)| *apart);
    found.retain(|(apart, _)| *apart <= least + 1);
    let mut names: Vec<&str> = found.into_iter().map(|(_, name)| name).collect();
    let mut seen = vec![];
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    names.truncate(LISTED_MAX);
    names
}

/// Whether the program knows the rules of a condition: all of those have a meaning in the lists.
pub(crate) fn is_supported(name: &str) -> bool {
    listed_conditions().iter().any(|one| one.name == name)
}

/// A name in its plain form, and as it is written.
type PlainName = (String, &'static str);

/// The names of all supported conditions, in all languages. They are compared with every line that may be one.
fn supported_names() -> &'static [PlainName] {
    static NAMES: OnceLock<Vec<PlainName>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let of_popeye = Language::ALL.into_iter().flat_map(|language| rows(CONDITIONS, language));
        let supported =
            of_popeye.filter(|(_, english)| is_supported(english)).map(|(name, _)| name);
        // The first name of a condition on the game is its key; composers write the others.
        let of_game = GAME_CONDITIONS.lines().flat_map(|row| row.split('|').skip(1));
        of_game.chain(supported).map(|name| (plain(name), name)).collect()
    })
}

/// Returns the supported conditions whose names, in any language, are nearest to a text. Squares at the end of the text do
/// not belong to the name.
pub fn nearest_conditions(text: &str) -> Vec<&'static str> {
    let mut text = text.trim_end();
    while let Some((before, last)) = text.rsplit_once(char::is_whitespace)
        && squares(last).is_some()
    {
        text = before.trim_end();
    }
    nearest_of_plain(text, supported_names().iter().map(|(plain, name)| (plain.as_str(), *name)))
}

/// The nearest names as the end of a message.
pub(crate) fn hint(text: &str) -> String {
    let names = nearest_conditions(text);
    if !names.is_empty() {
        return format!(", did you mean {}?", names.join(" or "));
    }
    let word = plain(text);
    let mut known = rows(CONDITIONS, Language::English).map(|(name, _)| name);
    let known = known.find(|name| word.len() >= 5 && plain(name).contains(&word));
    match known {
        Some(name) if is_supported(name) => format!(", did you mean {name}?"),
        Some(name) => format!("; Popeye's {name} is not supported"),
        None => String::new(),
    }
}

/// Returns the error for an unknown condition. If the whole text resembles a name, the error suggests that name instead
/// of reporting the first word.
pub(super) fn fault_of(text: &str, of_word: Option<NameError>) -> NameError {
    let whole = || NameError::Unknown(text.to_owned());
    match of_word {
        Some(NameError::Ambiguous { word, .. } | NameError::Unknown(word))
            if word != text && !nearest_conditions(text).is_empty() =>
        {
            whole()
        }
        // An abbreviation, such as `last`, has no words after it.
        Some(NameError::Variant { ref word, .. })
            if variant_hint(word).is_empty() && !nearest_conditions(text).is_empty() =>
        {
            whole()
        }
        of_word => of_word.unwrap_or_else(whole),
    }
}

/// Returns the error about a condition with a variant that is nearly one of the known ones.
pub(crate) fn mistyped_variant(text: &str) -> Option<NameError> {
    let error = ConditionName::read(text).err()?;
    let is_near = match &error {
        NameError::Variant { word, .. } => !variant_hint(word).is_empty(),
        _ => false,
    };
    is_near.then_some(error)
}

/// The nearest variants as the end of a message.
pub(super) fn variant_hint(word: &str) -> String {
    let names = Language::ALL.into_iter().flat_map(|language| rows(VARIANTS, language));
    let names = nearest_of(word, names.map(|(name, _)| name));
    match names.is_empty() {
        true => String::new(),
        false => format!(", did you mean {}?", names.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_names_have_their_neighbors() {
        for (word, expected) in [
            ("Circee", &["Circe"][..]),
            ("Madrassi", &["Madrasi"]),
            ("no chekcs", &["no checks", "no check"]),
            ("only white pawns captures", &["only white pawns capture"]),
            ("last mvoe e4", &["last move"]),
            ("never movs e1 a1", &["never moves", "never move"]),
            ("Unto Heinonen", &[]),
            ("flying kings", &[]),
        ] {
            assert_eq!(nearest_conditions(word), expected, "{word}");
        }
        for (text, expected) in [
            ("no cheks", "unknown condition \"no cheks\", did you mean no checks?"),
            ("White castels", "unknown condition \"White castels\", did you mean White castles?"),
            ("last mvoe e4", "unknown condition \"last mvoe e4\", did you mean last move?"),
            ("only pawns captrue", "did you mean only pawns capture?"),
            (
                "Circe RexInclusve",
                "\"RexInclusve\" is no variant of Circe, did you mean RexInclusive",
            ),
            ("no", "\"no\" is the beginning of several conditions"),
            ("Circ", "\"Circ\" is the beginning of several conditions"),
        ] {
            let error = ConditionName::read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert_eq!(mistyped_variant("Circe problems"), None);
        assert_eq!(distance("chekcs", "checks"), 1);
        assert_eq!(hint("Maximummer"), "; Popeye's BlackMaximummer is not supported");
    }
}
