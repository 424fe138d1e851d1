//! Tests with a few short games.

use super::{Gains, PlayLimit, SpsaError, SpsaOptions, spsa};
use std::sync::Mutex;
use umbrail_control::{Cancel, lock};
use umbrail_search::{CONSTANTS, SearchParams};

fn options(name: &str, pairs: u64) -> SpsaOptions {
    let file = std::env::temp_dir().join(format!("umbrail-spsa-{name}-{}", std::process::id()));
    let constants = CONSTANTS.iter().filter(|it| it.name.starts_with("lmr_")).collect();
    let params = SearchParams { use_nnue: false, ..SearchParams::default() };
    SpsaOptions {
        file,
        pairs,
        limit: PlayLimit::Nodes(60),
        rate: 0.05,
        seed: 3,
        constants,
        threads: 1,
        hash_mib: 1,
        params,
    }
}

#[test]
fn a_stopped_tuning_goes_on_to_the_same_values() {
    let (whole, parts) = (options("whole", 4), options("parts", 4));
    let all = spsa(&whole, &Cancel::default(), &|_| ()).unwrap();
    assert_eq!((all.pairs_done, all.games.iter().sum::<u64>()), (4, 8));
    let cancel = Cancel::default();
    let notify = |state: &super::SpsaState| {
        if state.pairs_done == 2 {
            cancel.raise();
        }
    };
    let half = spsa(&parts, &cancel, &notify).unwrap();
    assert_eq!(half.pairs_done, 2);
    let rest = spsa(&parts, &Cancel::default(), &|_| ()).unwrap();
    let values = |state: &super::SpsaState| -> Vec<f64> {
        state.tuned.iter().map(|number| number.value).collect()
    };
    assert_eq!(values(&all), values(&rest));
    assert_eq!(all.games, rest.games);
    let [one, other] = [&whole, &parts].map(|it| std::fs::read_to_string(&it.file).unwrap());
    assert_eq!(one, other);
    // Other options are refused, and so is a damaged file.
    let other = SpsaOptions { limit: PlayLimit::Nodes(61), ..parts.clone() };
    assert!(matches!(spsa(&other, &Cancel::default(), &|_| ()), Err(SpsaError::Other(..))));
    std::fs::write(&parts.file, one.replace("lmr_base ", "lmr_base x")).unwrap();
    assert!(matches!(spsa(&parts, &Cancel::default(), &|_| ()), Err(SpsaError::Damaged(..))));
    for options in [whole, parts] {
        std::fs::remove_file(&options.file).unwrap();
    }
}

#[test]
fn values_move_and_stay_in_their_ranges() {
    let constants = CONSTANTS.iter().collect();
    let options = SpsaOptions { rate: 1e6, constants, ..options("far", 60) };
    let moved = Mutex::new(false);
    let state = spsa(&options, &Cancel::default(), &|state| {
        let changed = state.tuned.iter().any(|it| it.value != f64::from(it.constant.default));
        *lock(&moved) |= changed;
    })
    .unwrap();
    assert!(*lock(&moved), "no pair was decided: {:?}", state.games);
    for number in &state.tuned {
        let range = f64::from(number.constant.min)..=f64::from(number.constant.max);
        assert!(range.contains(&number.value), "{} {}", number.constant.name, number.value);
    }
    assert_eq!(state.constants().to_string().parse(), Ok(state.constants()));
    std::fs::remove_file(&options.file).unwrap();
}

#[test]
fn steps_and_gains_fall_to_those_of_the_end() {
    let options = options("gains", 1_000);
    let [first, middle, last] = [0, 499, 999].map(|pair| Gains::new(pair, &options));
    assert!(first.step > middle.step && middle.step > last.step);
    assert!(first.rate > last.rate && (last.step - 1.0).abs() < 1e-9);
    assert!((last.rate - options.rate).abs() < 1e-9);
}
