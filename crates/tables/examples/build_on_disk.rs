//! Builds an endgame into a folder within a memory limit, and prints each ply:
//!
//!     cargo run --release -p umbrail-tables --example build_on_disk -- KQR.KN 160 tables
//!
//! The limit is in MiB. A table without pawns that does not fit is built on disk; after a kill, the
//! same command resumes after the last finished ply.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_tables::fairy::PieceSet;
use umbrail_tables::{BuildEvent, Compression, Material, Metric, Rules, Tablebase};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(mib), Some(folder)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("expected an endgame such as KQR.KN, MiB of memory and a folder".into());
    };
    let (mib, folder): (u64, PathBuf) = (mib.parse()?, folder.into());
    let pieces = PieceSet::default();
    let material = Material::read(&name, &pieces)?;
    let mut tables = Tablebase::empty(&material, &Rules::orthodox(Metric::Dtm), &pieces)?;
    let start = Instant::now();
    let notify = |event| {
        let seconds = start.elapsed().as_secs_f64();
        match event {
            BuildEvent::Ply(ply) => {
                println!("{seconds:.1}\t{}\t{} lost\t{} won", ply.ply, ply.lost, ply.won);
            }
            event => println!("{seconds:.1}\t{event:?}"),
        }
    };
    let (clock, progress) = (Clock::started(start), Progress::default());
    let pool = Pool::new(std::thread::available_parallelism()?.get())?;
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
    for (file, bytes) in tables.build_into(&folder, Compression::Working, mib << 20, &control)? {
        println!("{file}: {bytes} bytes");
    }
    Ok(())
}
