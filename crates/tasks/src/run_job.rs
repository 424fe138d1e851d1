//! Execution of a job on its thread.

use super::bench::{BenchResult, bench};
use super::sequences::count_sequences;
use umbrail_chess::Position;
use umbrail_control::{keep_limit, processor_time};
use umbrail_search as search;
use umbrail_session::domain::Domain;
use umbrail_session::job::{Answer, Job};
use umbrail_session::job_context::{JobContext, JobReport};
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::Steps;
use umbrail_session::opened_files::OpenedFiles;
use umbrail_session::piece_file::PieceFile;
use umbrail_session::status::Status;

/// Runs a job on this thread.
pub fn run(request: Job, job: &JobContext<'_>) -> Answer {
    match request {
        Job::Search { engine, request, params } => {
            let notify = |fact| (job.notify)(JobReport::Search(fact));
            let control = job.control(&notify);
            Answer::Search(search::solve(&engine, &request, &params, &control))
        }
        Job::Perft { position, depth } => perft(&position, depth, job),
        Job::Bench { limit, positions, current, castling, params } => {
            match bench(limit, &positions, (current, castling), &params, job) {
                Ok(BenchResult { nodes, keys, complete }) => {
                    Answer::Bench { nodes, keys, complete }
                }
                Err(why) => Answer::Refused(why),
            }
        }
        // Raises the stop signal at the time limit for tasks that rarely check the clock.
        Job::Task { steps, domain, .. } => {
            keep_limit(job.clock, &job.cancel, || task(steps, domain, job))
        }
        Job::Open { mut sources, params, pieces } => {
            let faults = sources.configure(&params, &|path| job.read_file(path));
            let faults = faults.iter().map(ToString::to_string).collect();
            let notes = sources.take_tables_found().into_iter().collect();
            let pieces = PieceFile::read(&pieces, &|path| job.read_text(path));
            Answer::Opened(OpenedFiles { sources, pieces, notes, faults })
        }
    }
}

/// Reads the files of a task, if it names any, and does its work.
fn task(steps: Steps, domain: Domain, job: &JobContext<'_>) -> Answer {
    let before = processor_time();
    let measured = |mut completion: Completion| {
        let used = processor_time().zip(before).map(|(now, then)| now.saturating_sub(then));
        // Proof games report it for each problem.
        if let Some(used) = used.filter(|_| domain != Domain::Spg) {
            let ms = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
            completion.done = completion.done.with("processor_ms", ms);
            completion.done.data.extend(&crate::records::ProcessorTime { processor_ms: ms });
        }
        Answer::Task(completion)
    };
    let load = match steps {
        Steps::Work(work) => return measured(work(job)),
        Steps::Load(load) => load,
    };
    match load(job) {
        Ok(work) => {
            (job.notify)(JobReport::Started);
            measured(work(job))
        }
        Err(_) if job.is_over() => {
            let status = if job.clock.is_over() { Status::Limit } else { Status::Stopped };
            Answer::Task(Completion { done: Message::new(domain, Kind::Done), status })
        }
        Err(why) => Answer::Refused(why),
    }
}

/// Counts the sequences, one root move after another, and stops between subtrees.
fn perft(root: &Position, depth: u32, job: &JobContext<'_>) -> Answer {
    let notify = |()| {};
    let control = job.control(&notify);
    let mut nodes = 0;
    for mv in root.legal_moves() {
        let Some(count) = count_sequences(&root.after(mv), depth.saturating_sub(1), &control)
        else {
            return Answer::Perft { nodes, complete: false };
        };
        nodes += count;
        (job.notify)(JobReport::Branch(mv, count));
    }
    Answer::Perft { nodes: if depth == 0 { 1 } else { nodes }, complete: true }
}
