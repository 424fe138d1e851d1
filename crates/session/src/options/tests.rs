//! Tests of the option table, and of each kind of value.

use super::{Change, Kind, OptionError, Options, Spec, find, plain, specs};

#[test]
fn names_are_unique_and_fit_every_protocol() {
    for (index, spec) in specs().enumerate() {
        let names =
            |spec: &'static Spec| std::iter::once(spec.name).chain(spec.aliases.iter().copied());
        let mut others = specs().take(index).flat_map(names);
        assert!(others.all(|other| names(spec).all(|name| plain(other) != plain(name))));
        assert!(!spec.name.contains(['=', ',', '"']), "{}", spec.name);
        for word in spec.name.split(' ') {
            let reserved = ["name", "value", "type", "default", "min", "max", "var", ""];
            assert!(!reserved.contains(&word.to_lowercase().as_str()), "{}", spec.name);
        }
    }
}

#[test]
fn help_is_one_line_without_a_full_stop() {
    for spec in specs() {
        assert!(!spec.help.is_empty() && !spec.help.ends_with('.'), "{}", spec.name);
        assert!(!spec.help.contains(['\n', '|', '"']), "{}", spec.name);
    }
}

#[test]
fn every_default_is_read_back_from_its_own_text() {
    for spec in specs() {
        let mut options = Options::default();
        let text = spec.text(&options);
        assert!(spec.read(&mut options, Some(&text)).is_ok(), "{}", spec.name);
        assert_eq!(options, Options::default(), "{}", spec.name);
    }
}

#[test]
fn every_option_can_be_changed_and_reads_back_what_was_set() {
    for spec in specs() {
        let mut options = Options::default();
        let other = match spec.kind {
            Kind::Check { get, .. } => (!get(&options)).to_string(),
            Kind::Experiment(one) => (!(one.get)(&options.search.experiments)).to_string(),
            Kind::Spin { get, max, min, .. } => {
                (if get(&options) == max { min } else { max }).to_string()
            }
            Kind::Constant(one) => one.max.to_string(),
            Kind::Combo { get, names, .. } => names[usize::from(get(&options) == 0)].to_owned(),
            Kind::Text { .. } | Kind::File { .. } | Kind::Folder { .. } => {
                "something else".to_owned()
            }
            Kind::Constants => "lmr_base=90".to_owned(),
            Kind::Shown(_) | Kind::Button(_) => continue,
        };
        assert_eq!(spec.read(&mut options, Some(&other)), Ok(Change::Stored));
        assert_eq!(spec.text(&options), other);
        assert_ne!(options, Options::default(), "{} has no field of its own", spec.name);
    }
}

#[test]
fn values_out_of_range_are_refused_and_change_nothing() {
    let refuses = |name: &str, value: &str, message: &str| {
        let mut options = Options::default();
        let error = options.set(name, Some(value)).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(options, Options::default());
    };
    refuses("Hash", "0", "Hash must be 1..1048576, got 0");
    refuses("Hash", "1.5", "Hash must be 1..1048576, got 1.5");
    refuses("hash", "", "Hash must be 1..1048576, got nothing");
    refuses("Ponder", "maybe", "Ponder must be true or false, got maybe");
    refuses("UCI_EngineAbout", "me", "UCI_EngineAbout cannot be changed");
    refuses("Hush", "1", "no option is called \"Hush\", did you mean Hash");
    refuses("Nonsense", "1", "no option is called \"Nonsense\"");
}

#[test]
fn names_ignore_case_and_accept_blanks_or_underlines() {
    for name in ["Move Overhead", "move overhead", "Move_Overhead", " MOVE   OVERHEAD "] {
        let mut options = Options::default();
        options.set(name, Some("77")).unwrap();
        assert_eq!(options.search.move_overhead_ms, 77);
    }
}

#[test]
fn an_empty_text_can_be_given_three_ways() {
    for value in [None, Some(""), Some("<empty>")] {
        let mut options = Options { log_file: "x".to_owned(), ..Options::default() };
        options.set("Log File", value).unwrap();
        assert_eq!(options.log_file, "");
    }
}

#[test]
fn a_combo_takes_its_words_in_any_case_and_lists_them_when_refusing() {
    let spec = Spec::new(
        "Metric",
        Kind::Combo {
            get: |o| o.multipv - 1,
            set: |o, v| o.multipv = v + 1,
            names: &["DTC", "DTM"],
            synonyms: &[],
        },
        "how a win is counted",
    );
    let mut options = Options::default();
    assert_eq!(spec.text(&options), "DTC");
    assert_eq!(spec.read(&mut options, Some("dtm")), Ok(Change::Stored));
    assert_eq!(spec.text(&options), "DTM");
    let error = spec.read(&mut options, Some("dtz")).unwrap_err();
    assert_eq!(error.to_string(), "Metric must be DTC, DTM, got dtz");
    assert!(matches!(find([spec].iter(), "x"), Err(OptionError::Unknown { .. })));
}
