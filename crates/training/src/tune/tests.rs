//! Tests with few positions.

use super::{Form, TuneFact, TuneOptions, tune};
use crate::dataset::LabelledPosition;
use crate::{DatagenOptions, GameResult, generate};
use umbrail_chess::Position;
use umbrail_control::Cancel;
use umbrail_search::bench::{POSITIONS, position};
use umbrail_search::features::{COUNT, WEIGHTS};
use umbrail_search::{SearchParams, evaluate};

fn options(name: &str) -> TuneOptions {
    let folder = std::env::temp_dir().join(format!("umbrail-tune-{name}-{}", std::process::id()));
    TuneOptions {
        out: folder.join("numbers.txt"),
        data: vec![folder],
        scale: 160.0,
        wdl: 0.65,
        epochs: 4,
        positions: 100_000,
        seed: 5,
        threads: 1,
    }
}

/// The linear form equals the evaluation of the search.
#[test]
fn the_form_of_a_position_is_its_evaluation() {
    let numbers = WEIGHTS.iter().map(|it| [it.middle() as f32, it.end() as f32]).collect();
    for fen in POSITIONS {
        let position: Position = position(fen).unwrap();
        let labelled = LabelledPosition::new(&position, 40, GameResult::Win);
        let white = Form::new(&labelled, &options("form")).value(&numbers);
        let own = if position.turn().is_white() { white } else { -white };
        let real = evaluate(&position) as f32;
        assert!((own - real).abs() <= 2.0, "{own} {real} {fen}");
    }
}

#[test]
fn numbers_fit_better_and_threads_change_nothing() {
    let one = options("fit");
    let folder = one.data[0].clone();
    let params = SearchParams { use_nnue: false, ..SearchParams::default() };
    let games = DatagenOptions {
        folder: folder.clone(),
        games: 40,
        nodes: 60,
        threads: 1,
        seed: 1,
        book: vec![],
        hash_mib: 1,
        params,
        teacher: None,
    };
    generate(&games, &Cancel::default(), &|_| ()).unwrap();
    let mut losses = vec![];
    let mut notify = |fact: TuneFact| {
        if let TuneFact::Epoch(loss) = fact {
            losses.push(loss.learned);
        }
    };
    let tuned = tune(&one, &Cancel::default(), &mut notify).unwrap();
    assert!(losses.len() == 4 && losses[3] < losses[0] * 0.98, "{losses:?}");
    assert_eq!(tuned.numbers.len(), COUNT);
    let text = std::fs::read_to_string(&one.out).unwrap();
    assert_eq!(text.matches('(').count(), COUNT);
    let two = TuneOptions { threads: 3, ..one.clone() };
    assert_eq!(tune(&two, &Cancel::default(), &mut |_| ()).unwrap().numbers, tuned.numbers);
    std::fs::remove_dir_all(folder).unwrap();
}
