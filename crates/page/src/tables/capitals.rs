//! Replacement of lowercase piece letters, such as the camel `c`, by capitals: in a FEN a lowercase
//! letter is a black piece, so positions with such letters could not be written.

use super::super::SharedPage;
use super::choose::written;
use super::definitions::PieceFile;
use super::{TableQuery, is_endgame};
use axum::response::{IntoResponse, Redirect, Response};
use umbrail_tables::fairy::PieceSet;

/// Redirects to the endgame in capitals; `None` where all letters are capitals.
pub(super) fn elsewhere(
    shared: &SharedPage,
    endgame: &str,
    rules: &TableQuery,
) -> Option<Response> {
    // Only letters become part of an address.
    if is_endgame(endgame) && written(endgame) != endgame {
        let address = format!("/tables/{}?{}", written(endgame), rules.query());
        return Some(Redirect::to(&address).into_response());
    }
    if !is_endgame(endgame) || !endgame.contains(|letter: char| letter.is_ascii_lowercase()) {
        return None;
    }
    // The page itself reports errors in the definitions.
    let set = PieceFile::of(&shared.folder, &rules.piece).ok()?.set;
    let (endgame, rules) = in_capitals(endgame, rules, &set)?;
    Some(Redirect::to(&format!("/tables/{endgame}?{}", rules.query())).into_response())
}

/// Returns the endgame with a separate capital for each lowercase letter, and with the lines that
/// define it.
fn in_capitals(endgame: &str, rules: &TableQuery, set: &PieceSet) -> Option<(String, TableQuery)> {
    let mut free = ('A'..='Z').filter(|letter| set.get(*letter).is_none());
    let mut known: Vec<(char, char)> = vec![];
    let mut definitions = rules.piece.trim().to_owned();
    let mut name = String::new();
    for letter in endgame.chars() {
        let reported =
            known.iter().find(|(small, _)| *small == letter).map(|(_, capital)| *capital);
        let capital = match reported {
            Some(capital) => capital,
            None if letter.is_ascii_lowercase() => {
                let capital = free.next()?;
                let betza = set.get(letter)?.betza();
                if betza.is_empty() {
                    return None;
                }
                definitions = format!("{definitions}\n{capital} = {betza}");
                known.push((letter, capital));
                capital
            }
            None => letter,
        };
        name.push(capital);
    }
    let piece = definitions.trim().to_owned();
    Some((name, TableQuery { metric: rules.metric.clone(), piece }))
}

#[cfg(test)]
mod tests {
    use super::in_capitals;
    use crate::tables::TableQuery;
    use umbrail_tables::fairy::PieceSet;

    #[test]
    fn small_letters_become_capitals_that_are_defined() {
        let set = PieceSet::default();
        let rules = TableQuery { metric: "dtm".into(), piece: String::new() };
        let (name, rules) = in_capitals("KQ.Kcc", &rules, &set).unwrap();
        assert_eq!((name.as_str(), rules.piece.as_str()), ("KQ.KII", "I = C"));
        assert!(in_capitals("kq.kr", &rules, &set).is_none());
    }
}
