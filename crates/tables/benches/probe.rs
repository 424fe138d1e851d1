//! How long a look into a table takes: in memory, in a file whose block is unpacked, and in one whose
//! block is not.
//!
//!     cargo bench -p umbrail-tables --bench probe

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Setup;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{BuildEvent, Compression, FairyBoard, Material, Metric, Rules, Tablebase};

const ENDGAME: &str = "KQ.KR";
const BOARDS: usize = 20_000;

fn empty() -> Tablebase {
    let piece_set = PieceSet::default();
    let material = Material::read(ENDGAME, &piece_set).expect("a material");
    Tablebase::empty(&material, &Rules::orthodox(Metric::Dtm), &piece_set).expect("rules")
}

fn build() -> Tablebase {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(2).expect("threads");
    let notify = |_: BuildEvent| {};
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    let mut table = empty();
    table.build(&control).expect("the build is not stopped");
    table
}

/// Legal setups, from a fixed series of numbers.
fn setups(table: &Tablebase) -> Vec<Setup> {
    let mut state = 1u64;
    let mut square = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 58) as u8
    };
    let mut setups = vec![];
    while setups.len() < BOARDS {
        let squares = [square(), square(), square(), square()];
        if (1..4).any(|i| squares[..i].contains(&squares[i])) {
            continue;
        }
        let fen: String = (0..64)
            .map(|at| {
                let piece = squares.iter().position(|&s| s == (7 - at / 8) * 8 + at % 8);
                let letter = piece.map_or('1', |piece| ['K', 'Q', 'k', 'r'][piece]);
                if at % 8 == 0 && at > 0 { format!("/{letter}") } else { letter.to_string() }
            })
            .collect();
        let turn = if square() & 1 == 0 { 'w' } else { 'b' };
        let setup = format!("{fen} {turn} - - 0 1").parse::<Setup>();
        setups.extend(setup.ok().filter(|setup| table.board(setup).is_ok()));
    }
    setups
}

/// The setups as boards of a table's own pieces.
fn boards(table: &Tablebase, setups: &[Setup]) -> Vec<FairyBoard> {
    setups.iter().filter_map(|setup| table.board(setup).ok()).collect()
}

/// The time of one look, the best of a few rounds.
fn per_look(table: &Tablebase, boards: &[FairyBoard], rounds: usize) -> Duration {
    let round = || {
        let since = Instant::now();
        for board in boards {
            let _ = black_box(table.value(black_box(board)));
        }
        since.elapsed() / boards.len() as u32
    };
    (0..rounds).map(|_| round()).min().unwrap_or_default()
}

/// The time of reading a setup, which says letters on squares, as a legal board, and of one look.
fn per_setup(table: &Tablebase, setups: &[Setup], rounds: usize) -> Duration {
    let round = || {
        let since = Instant::now();
        for setup in setups {
            let _ = black_box(table.board(black_box(setup)).map(|board| table.value(&board)));
        }
        since.elapsed() / setups.len() as u32
    };
    (0..rounds).map(|_| round()).min().unwrap_or_default()
}

fn main() {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("umbrail-probe-{}", std::process::id()));
    let mut built = build();
    let setups = setups(&built);
    let known = boards(&built, &setups);
    println!("in memory             {:?}", per_look(&built, &known, 9));
    println!("the same from a setup {:?}", per_setup(&built, &setups, 5));
    for (name, effort) in [("working", Compression::Working), ("shipping", Compression::Shipping)] {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        built.save(&folder, effort).expect("saved");
        let mut mapped = empty();
        mapped.load(&folder, false, 1 << 30).expect("loaded");
        let known = boards(&mapped, &setups);
        let _ = per_look(&mapped, &known, 1);
        println!("{name} file, unpacked  {:?}", per_look(&mapped, &known, 5));
        // A cache that keeps nothing: every look unpacks a block, and one ahead as many as there are moves.
        let mut cold = empty();
        cold.load(&folder, false, 0).expect("loaded");
        let few = if effort == Compression::Working { 2000 } else { 20 };
        println!("{name} file, cold      {:?}", per_look(&cold, &boards(&cold, &setups[..few]), 3));
    }
    let _ = std::fs::remove_dir_all(&folder);
}
