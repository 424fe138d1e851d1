//! The lists of names: what is listed is supported, and the other way round.

use crate::positions::conditions::build;
use crate::positions::fairy::PIECES;
use crate::positions::names::piece_named;
use crate::positions::{ConditionName, listed_conditions, listed_pieces};
use umbrail_chess::geometry::Square;

/// Whether the rules can be built, perhaps with a square.
fn is_built(name: &'static str) -> bool {
    let squares = [vec![], vec![Square::A1]];
    squares
        .into_iter()
        .any(|squares| build(&ConditionName { name, variants: vec![], squares }).is_some())
}

#[test]
fn all_supported_names_have_a_meaning_and_no_others() {
    let listed: Vec<&str> = listed_conditions().iter().map(|one| one.name).collect();
    // A line whose name no table knows would be missing.
    assert_eq!(listed.len(), include_str!("../names/meanings.txt").lines().count());
    for row in include_str!("../names/conditions.txt").lines() {
        let name = row.split('|').nth(2).unwrap();
        assert_eq!(is_built(name), listed.contains(&name), "{name}");
    }
    for row in include_str!("../names/game_conditions.txt").lines() {
        let name = row.split('|').next().unwrap();
        assert!(is_built(name) && listed.contains(&name), "{row}");
    }
    let pieces = listed_pieces();
    assert_eq!(pieces.len(), PIECES.len());
    for (listed, piece) in pieces.iter().zip(PIECES) {
        assert_eq!(listed.name, piece.name);
        for name in [listed.name, listed.others[0], listed.others[1]] {
            assert!(piece_named(name).is_some(), "{name}");
        }
    }
}

/// The tables of the guide are those of the program.
#[test]
fn the_guide_lists_all_names() {
    let guide = include_str!("../../../../../docs/proof-conditions.md");
    for one in listed_pieces() {
        let [german, french] = one.others;
        let row = format!("| {} | {german} | {french} | {} |\n", one.name, one.meaning);
        assert!(guide.contains(&row), "{row}");
    }
    let is_of_popeye = |one: &&crate::positions::ListedName| !one.others[1].is_empty();
    for one in listed_conditions().iter().filter(is_of_popeye) {
        let [german, french] = one.others;
        let row = format!("| {} | {german} | {french} | {} |\n", one.name, one.meaning);
        assert!(guide.contains(&row), "{row}");
    }
}
