//! What the room refuses, before any work begins, and what covers what.

use super::kit::{Kit, covers};
use super::{ROOM, TableOptions};
use crate::session::errand::{Domain, Errand, Surroundings};
use crate::session::{Desk, Options};
use crate::tables::Board;

fn refuses(verb: &'static str, subject: &[&str], keys: &[(&'static str, &str)], part: &str) {
    let keys = keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    let subject = subject.iter().map(|word| (*word).to_owned()).collect();
    let errand = Errand { domain: Domain::Egt, verb, subject, keys, text: None };
    let (options, desk) = (Options::default(), Desk::default());
    let around = Surroundings { options: &options, desk: &desk, watched: false };
    let Err(why) = (ROOM.prepare)(&errand, &around) else { panic!("{verb} was not refused") };
    assert!(why.contains(part), "{why}");
}

#[test]
fn what_cannot_be_done_is_named_before_work_begins() {
    refuses("stats", &[], &[], "wants an endgame such as KQ.KR");
    refuses("stats", &["KQ.kr"], &[], "did you mean 'K'");
    refuses("stats", &["KQ.KR"], &[("metric", "dtx")], "dtm, dtc, dtz or level, got \"dtx\"");
    refuses("build", &["KQ.KR"], &[("null", "2")], "null wants 0 or 1");
    refuses("build", &["KQ.KR"], &[("pieces", "no/such/file")], "cannot be read");
    refuses("build", &["KQ.KR"], &[("seed", "no/such/file")], "cannot be read");
    refuses("save", &["KQ.KR"], &[], "save wants a folder");
    refuses("verify", &["KQ.KR"], &[("stride", "0")], "stride wants a number");
    refuses("compare", &["KQ.KR"], &[], "second endgame");
    refuses("survey", &["KQ.KR"], &[], "wants a ?");
    refuses("drop", &["KQ.KR"], &[], "no table of KQ.KR");
    refuses("probe", &[], &[], "men are too many");
}

#[test]
fn an_endgame_covers_its_sub_endings_for_both_colors() {
    let kit = Kit::new(&TableOptions::default()).unwrap();
    let endgame = kit.material("KQ.KR").unwrap();
    let covered = |fen: &str| {
        let setup = fen.parse().unwrap();
        covers(&endgame, &Board::read(&setup, &kit.armoury, ['K', 'K']).unwrap())
    };
    assert!(covered("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1"));
    assert!(covered("8/8/8/3k4/3q4/8/8/KR6 w - - 0 1"));
    assert!(covered("8/8/8/3k4/3r4/8/8/K7 w - - 0 1"));
    assert!(!covered("8/8/8/3k4/3r4/8/8/KR6 w - - 0 1"));
}
