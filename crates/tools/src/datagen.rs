//! `umbrail datagen`: self-play games for training.

use super::book::positions;
use super::records::ToolRecord;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{Cancel, lock, write_whole};
use umbrail_search::SearchParams;
use umbrail_server::{complain, print_record};
use umbrail_training::{
    DatagenOptions, ExportFormat, Exported, Generated, Summary, TeacherOptions, export, generate,
};

/// Interval between progress reports.
const REPORTED: Duration = Duration::from_secs(10);

/// What to generate.
#[derive(Args)]
#[command(after_help = "Example: umbrail datagen --games 2 --nodes 100")]
pub struct Datagen {
    /// Folder of the game files; the same command resumes a killed run
    #[arg(long, value_name = "FOLDER", default_value = "games")]
    out: PathBuf,
    /// Games to play now, such as 100000
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    /// Soft node limit of each move: no iteration begins beyond it
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the openings; processes that share a folder take different seeds
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Start from the positions of this file, FEN or EPD, one a line; without one, after eight or nine random plies
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// UCI engine that scores positions met by the searches; these positions are written in place of the games
    #[arg(long, value_name = "COMMAND")]
    teacher: Option<String>,
    /// Limit of the teacher's searches, as after `go`
    #[arg(long, value_name = "LIMIT", default_value = "depth 4", requires = "teacher")]
    teacher_limit: String,
    /// Factor of the teacher's centipawns
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, requires = "teacher")]
    teacher_factor: f64,
    /// Centipawns added afterwards for the side to move
    #[arg(
        long,
        value_name = "CP",
        default_value_t = 0.0,
        allow_negative_numbers = true,
        requires = "teacher"
    )]
    teacher_bonus: f64,
    /// Only list what the folder holds
    #[arg(long)]
    summary: bool,
    /// Play no games; write those of the folder to this file for another trainer
    #[arg(long, value_name = "FILE", conflicts_with = "summary", requires = "format")]
    export: Option<PathBuf>,
    /// Format of the export: games (viri), positions of 32 bytes (bullet), or lines FEN | SCORE | RESULT (text)
    #[arg(long, value_enum, requires = "export")]
    format: Option<Format>,
}

/// Format of an export.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Viri,
    Bullet,
    Text,
}

/// Writes the games of a folder in the format of another trainer.
fn write_export(folder: PathBuf, file: &Path, format: Format) -> u8 {
    let format = match format {
        Format::Viri => ExportFormat::Viri,
        Format::Bullet => ExportFormat::Bullet,
        Format::Text => ExportFormat::Text,
    };
    let mut exported = Ok(Exported::default());
    let written = write_whole(file, |out| {
        exported = export(&[folder], format, out);
        Ok(())
    });
    match (exported, written) {
        (Ok(Exported { games, positions }), Ok(())) => {
            let text = format!("{games} games, {positions} positions\n");
            print_record(&ToolRecord::Exported { games, positions }, &text)
        }
        (Err(error), _) => complain(&error.to_string()),
        (_, Err(error)) => complain(&error.to_string()),
    }
}

/// Plays games until there are enough; a signal ends the process, and every finished game is kept.
pub fn run(wish: Datagen, threads: usize, params: &SearchParams) -> u8 {
    if wish.summary {
        return match Summary::of_folder(&wish.out) {
            Ok(summary) => {
                let [wins, draws, losses] = summary.results;
                let Summary { files, games, adjudicated, positions, quiet, .. } = summary;
                let record = ToolRecord::Summary {
                    files,
                    games,
                    wins,
                    losses,
                    draws,
                    adjudicated,
                    positions,
                    quiet,
                };
                print_record(&record, &format!("{summary}\n"))
            }
            Err(error) => complain(&format!("{}: {error}", wish.out.display())),
        };
    }
    if let (Some(file), Some(format)) = (&wish.export, wish.format) {
        return write_export(wish.out, file, format);
    }
    let book = match wish.book.as_deref().map_or(Ok(vec![]), positions) {
        Ok(book) => book,
        Err(error) => return complain(&error.to_string()),
    };
    let started = Instant::now();
    let reported = Mutex::new(started);
    let games = wish.games;
    let notify = |sum: Generated| {
        let mut reported = lock(&reported);
        if reported.elapsed() >= REPORTED {
            *reported = Instant::now();
            let seconds = started.elapsed().as_secs_f64();
            let left = (games.saturating_sub(sum.games)) as f64 * seconds / sum.games.max(1) as f64;
            umbrail_control::print_error!(
                "{} of {games} games, {} positions, {:.0} positions/s, {:.1} h left",
                sum.games,
                sum.positions,
                sum.positions as f64 / seconds,
                left / 3600.0
            );
        }
    };
    let params = SearchParams { own_book: false, ..params.clone() };
    let teacher = wish.teacher.map(|command| TeacherOptions {
        command,
        limit: wish.teacher_limit,
        factor: wish.teacher_factor,
        bonus: wish.teacher_bonus,
    });
    let options = DatagenOptions {
        folder: wish.out,
        games,
        nodes: wish.nodes,
        threads,
        seed: wish.seed,
        book,
        hash_mib: 8,
        params,
        teacher,
    };
    match generate(&options, &Cancel::default(), &notify) {
        Ok(sum) => {
            let Generated { games, positions } = sum;
            let record = ToolRecord::Generated { games, positions };
            print_record(&record, &format!("{games} games, {positions} positions\n"))
        }
        Err(error) => complain(&error.to_string()),
    }
}
