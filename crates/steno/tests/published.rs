//! The strings that people have published, with the counts that two other programs agree on.

use std::time::Instant;
use umbrail_chess::Position;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_steno::{StenoEnd, StenoEvent, StenoParams, StenoRequest, Vocabulary, solve};

#[test]
fn published_strings_have_their_games() {
    let file = include_str!("golden/steno-published.tsv");
    let (pool, quiet) = (Pool::new(2).unwrap(), |_: StenoEvent| {});
    let mut strings = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let [name, vocabulary, plies, games, steno, _source] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        let vocabulary = Vocabulary::from_name(vocabulary).unwrap();
        let asked = StenoRequest::new(steno, vocabulary, Position::startpos());
        let asked = asked.unwrap_or_else(|error| panic!("{name}, {steno}: {error}"));
        assert_eq!(asked.steno.turns.len().to_string(), plies, "{name}");
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &quiet);
        let answer = solve(&asked, &StenoParams::default(), &control);
        assert_eq!(
            (answer.ended, answer.count.to_string()),
            (StenoEnd::Complete, games.to_owned()),
            "{name}"
        );
        assert_eq!(answer.refuted, [], "{name}");
        strings += 1;
    }
    assert_eq!(strings, 71);
}
