//! Spoilt endgames and files, thousands of them: errors or tables, never a crash. The numbers are drawn from fixed seeds,
//! so that a failure can be seen again.

mod common;
#[path = "common/spoilt.rs"]
mod spoilt;

use common::build;
use spoilt::spoilt;
use umbrail_chess::SplitMix64;
use umbrail_chess::geometry::Color;
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{Compression, Material, Metric, Rules, Tablebase, egtgen};
use xxhash_rust::xxh3::xxh3_64;

#[test]
fn spoilt_endgames_and_indices_are_read_or_refused() {
    let piece_set = PieceSet::default();
    let mut numbers = SplitMix64::new(13);
    let mut refused = 0;
    for _ in 0..2000 {
        let name = ["KQ.KR", "NKQ.KQ", "KBB.KN", "KPP.KP"][numbers.below(4) as usize];
        match Material::read(&spoilt(name, |limit| numbers.below(limit)), &piece_set) {
            Ok(material) => {
                let index = numbers.below(1 << (6 * material.count()).min(40));
                let board = egtgen::board(index, &material);
                assert!(board.is_none_or(|b| egtgen::index(&b, &material).is_some()));
                if let Ok(mut table) =
                    Tablebase::empty(&material, &Rules::orthodox(Metric::Dtz), &piece_set)
                {
                    assert!(table.estimate_also(&material) > 0);
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "{refused}");
}

/// A header whose checksum is right may still say nonsense; blocks behind it may be damaged. What is
/// taken must be probed without a fault.
#[test]
fn spoilt_files_are_refused_or_probed() {
    let folder = std::env::temp_dir().join(format!("umbrail-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut built = build("KR.K", Metric::Dtm);
    built.save(&folder, Compression::Working).unwrap();
    let boards = built.hardest(Color::White, true, 5);
    let path = folder.join("KR.K.dtm.egt");
    let good = std::fs::read(&path).unwrap();
    let length = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let mut numbers = SplitMix64::new(15);
    let mut refused = 0;
    for round in 0..1200 {
        let mut bad = good.clone();
        for _ in 0..=numbers.below(3) {
            let whole = round % 3 == 0;
            let end = if whole { bad.len() } else { 24 + length };
            let at = if whole { 0 } else { 24 };
            let at = at + numbers.below((end - at) as u64) as usize;
            bad[at] =
                [0, 1, 0x7F, 0xFF, bad[at] ^ 1 << numbers.below(8)][numbers.below(5) as usize];
        }
        let sum = xxh3_64(&bad[24..24 + length]);
        bad[16..24].copy_from_slice(&sum.to_le_bytes());
        std::fs::write(&path, &bad).unwrap();
        let empty =
            || Tablebase::empty(built.material(), built.rules(), built.piece_set()).unwrap();
        let (mut loaded, mut mapped) = (empty(), empty());
        let failed = [loaded.load(&folder, true, 0), mapped.load(&folder, false, 1 << 16)];
        refused += u32::from(failed[0].is_err());
        for table in [&mut loaded, &mut mapped] {
            for board in &boards {
                let _ = table.moves(board);
            }
            let _ = table.statistics();
        }
    }
    assert!(refused > 600, "{refused}");
    let _ = std::fs::remove_dir_all(folder);
}
