//! How soon the program answers and leaves while it is busy: `cargo bench --bench latency`.
//!
//! - `quit`: from the line to the end of the process, 50 times each while idle, searching, counting
//!   (perft) and benchmarking; wanted: median at most 50 ms, never over 1 s.
//! - `isready`: 1,000 times during an infinite search on all threads; wanted: median at most 5 ms,
//!   99 of 100 within 20 ms. Only an otherwise idle machine says something about these.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

struct Talk {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_umbrail"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, input, output }
    }

    fn write(&mut self, line: &str) {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).expect("it listens");
    }

    fn wait_for(&mut self, word: &str) {
        let mut line = String::new();
        while self.output.read_line(&mut line).expect("it speaks") > 0 && line.trim_end() != word {
            line.clear();
        }
    }
}

fn quit_time(job: &[&str]) -> Duration {
    let mut talk = Talk::start();
    talk.write("isready");
    talk.wait_for("readyok");
    for line in job {
        talk.write(line);
    }
    // Readers must go on reading, or the pipe would fill and the process wait for us.
    let Talk { mut child, mut input, mut output } = talk;
    let reader = std::thread::spawn(move || {
        let mut line = String::new();
        while output.read_line(&mut line).is_ok_and(|read| read > 0) {
            line.clear();
        }
    });
    std::thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    writeln!(input, "quit").expect("it listens");
    let status = child.wait().expect("it ends");
    let time = start.elapsed();
    assert!(status.success(), "quit ends with {status}");
    reader.join().expect("the reader ends");
    time
}

fn ready_times(threads: usize) -> Vec<Duration> {
    let mut talk = Talk::start();
    talk.write(&format!("setoption name Threads value {threads}"));
    talk.write("go infinite");
    let times = (0..1_000)
        .map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            let start = Instant::now();
            talk.write("isready");
            talk.wait_for("readyok");
            start.elapsed()
        })
        .collect();
    talk.write("quit");
    talk.child.wait().expect("it ends");
    times
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!(
        "{what:<34} median {:>7.2} ms   99 % {:>7.2} ms   longest {:>7.2} ms",
        at(50),
        at(99),
        at(100)
    );
}

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let all_threads = format!("setoption name Threads value {threads}");
    let jobs: [(&str, &[&str]); 5] = [
        ("quit, idle", &[]),
        ("quit, search on all threads", &[&all_threads, "go infinite"]),
        ("quit, search with 1 GiB hash", &["setoption name Hash value 1024", "go infinite"]),
        ("quit, perft", &["go perft 9"]),
        ("quit, bench", &["bench"]),
    ];
    for (what, job) in jobs {
        show(what, (0..50).map(|_| quit_time(job)).collect());
    }
    show("isready, search on all threads", ready_times(threads));
}
