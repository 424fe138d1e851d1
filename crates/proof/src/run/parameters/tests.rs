//! Tests of the whole table of parameters.

use super::table::{Parameter, ParameterKind, Params, RunIdentity};
use crate::files::archive::Header;
use crate::problem::diagram::Diagram;
use crate::problem::{Length, Problem};
use crate::run::record::FinishedClaims;
use crate::units::RunSpec;

const PROBLEM: fn() -> Problem =
    || Problem { diagram: Diagram::initial(), plies: 4, length: Length::Exact };

/// Returns a valid value that differs from the default.
fn other_value(parameter: &Parameter, params: &Params) -> String {
    match parameter.kind {
        ParameterKind::Flag { get, .. } => (!get(params)).to_string(),
        ParameterKind::Number { get, min, max, .. } => {
            (if get(params) == min { max } else { min }).to_string()
        }
        ParameterKind::Word { get, words, .. } => words[usize::from(get(params) == 0)].to_owned(),
        ParameterKind::Text { .. } => match parameter.key {
            Some("rules") => "-A7,-B1",
            Some("shard") => "2/8",
            Some("conditions") => "Pa2=R AND NOT Sb1<.a",
            other => panic!("a sample of {other:?}"),
        }
        .to_owned(),
    }
}

/// Returns the defaults with one parameter changed.
fn changed(parameter: &Parameter) -> Params {
    let mut params = Params::default();
    let value = other_value(parameter, &params);
    parameter.read(&mut params, &value).unwrap();
    assert_ne!(params, Params::default(), "{parameter:?}");
    assert_eq!(parameter.text(&params), value);
    params
}

#[test]
fn each_parameter_belongs_to_the_identity_of_a_run_as_declared() {
    let spec = |params: &Params| RunSpec::new(&PROBLEM(), params, &FinishedClaims::new());
    let usual = Params::default();
    for parameter in Params::TABLE {
        let params = changed(parameter);
        let [before, after] = [&usual, &params].map(|params| Header::of(&PROBLEM(), params));
        let [units_before, units_after] = [&usual, &params].map(spec);
        let in_header = before.line() != after.line();
        let in_question = before.question() != after.question();
        let in_units = units_before.text() != units_after.text();
        let separates = units_before.question() != units_after.question();
        let expected = match parameter.identity {
            RunIdentity::Free => [false; 4],
            RunIdentity::Question(_) | RunIdentity::QuestionText(_) => [true; 4],
            RunIdentity::Shard => [true, false, true, false],
            RunIdentity::Units(_) => [false, false, true, true],
        };
        assert_eq!([in_header, in_question, in_units, separates], expected, "{parameter:?}");
        // Archives that differ in the question are never merged.
        assert_eq!(before.agrees(&after, false).is_err(), in_question, "{parameter:?}");

        let header = Header::read(&after.line()).unwrap();
        assert_eq!(header, after);
        assert_eq!(header.shard(), params.shard);
        if in_question {
            assert_eq!(header.params().unwrap(), params, "{parameter:?}");
        }
        if separates {
            let read = RunSpec::read(&units_after.text()).unwrap();
            assert_eq!((read.text(), &read.params), (units_after.text(), &params));
        }
    }
}

#[test]
fn files_of_earlier_versions_are_written_unchanged() {
    let params = Params {
        rules: "-B1".parse().unwrap(),
        condition: Some("Pa2=R".parse().unwrap()),
        shard: (2, 8),
        ..Params::default()
    };
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let line = Header::of(&PROBLEM(), &params).line();
    let fields: Vec<&str> = line.trim_end().split(' ').collect();
    let version = concat!("program=", env!("CARGO_PKG_VERSION"));
    let diagram = format!("diagram={initial}");
    let expected = ["umbrail-spg", "2", "", &diagram, "plies=4", "length=exact", "rules=-B1"];
    let more = ["sync=3", "games=2", "retraction=check", version, "shard=2/8", "condition=Pa2=R"];
    for (at, expected) in expected.into_iter().chain(more).enumerate() {
        // The third one is the digest.
        assert!(at == 2 || fields[at] == expected, "{} for {expected}", fields[at]);
    }
    let spec = RunSpec::new(&PROBLEM(), &params, &FinishedClaims::new());
    let text = spec.text();
    let settings = text.lines().nth(2).unwrap();
    let most = u64::MAX;
    assert_eq!(settings, format!("tree 2 moves-max {most} collisions adaptive splitter probe"));
}

#[test]
fn values_out_of_range_are_refused_and_change_nothing() {
    for parameter in Params::TABLE {
        let mut params = Params::default();
        let values: &[&str] = match parameter.kind {
            ParameterKind::Number { min: 0, max: u64::MAX, .. } => &["-1", "x"],
            ParameterKind::Number { max: u64::MAX, .. } => &["0", "x"],
            ParameterKind::Number { max, .. } => &["x", "-1", &(max + 1).to_string()],
            ParameterKind::Flag { .. } | ParameterKind::Word { .. } => &["maybe", ""],
            // The condition `-` is none; an empty one is an error.
            ParameterKind::Text { .. } => &["(?"],
        };
        for value in values {
            assert!(parameter.read(&mut params, value).is_err(), "{value} for {parameter:?}");
            assert_eq!(params, Params::default());
        }
    }
}

#[test]
fn keys_and_options_have_help_and_names_of_their_own() {
    let mut names = vec![];
    for parameter in Params::TABLE {
        let offered = parameter.key.is_some() || parameter.option.is_some();
        assert_eq!(offered, !parameter.help.is_empty(), "{parameter:?}");
        names.extend(parameter.key.into_iter().chain(parameter.option));
        names.extend(parameter.aliases);
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
