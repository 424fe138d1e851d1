//! The page of a run with several machines: its queue, and a line for each worker.

use super::line::{Line, Style};
use umbrail::session::snapshot::{ClusterPage, UnitLine, WorkerLine};

/// Columns of a worker's name, and of what it has done.
const NAME: usize = 28;
const DONE: usize = 30;

/// The lines below the board.
pub(super) fn lines(page: &ClusterPage) -> Vec<Line> {
    let plain = |text: String| Line(vec![(Style::Plain, text)]);
    let ((done, open), (queued, working)) = (page.units, page.queue);
    let claims = match page.claims {
        (finished, Some(all)) => format!("claims: {finished} of {all}"),
        (finished, None) => format!("claims: {finished}"),
    };
    let left = page.left.map_or(String::new(), |left| {
        let seconds = left.as_secs();
        format!(", about {:02}:{:02}:{:02} left", seconds / 3600, seconds / 60 % 60, seconds % 60)
    });
    let audited = match page.audited {
        0 => String::new(),
        audited => format!(", {audited} audited"),
    };
    let mut lines = vec![
        Line(vec![(Style::Bold, format!("Run {}", page.run))]),
        plain(format!(
            "units: {done} done{audited}, {open} known without result, {queued} waiting, {working} at work"
        )),
        plain(format!("{claims}{left}; {} results in the last second", page.rate)),
        Line::default(),
    ];
    for WorkerLine { name, threads, done, tasks, at } in &page.workers {
        let unit = at.first().map_or("waiting".to_owned(), |UnitLine { unit, seconds, stage }| {
            let stage = stage.map_or(String::new(), |stage| format!(", {stage}"));
            format!("{seconds} s: {unit}{stage}")
        });
        let threads =
            if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        let done = match tasks {
            0 => format!("{threads}, {done} done"),
            tasks => format!("{threads}, {done} done, {tasks} tasks"),
        };
        lines.push(plain(format!("{name:NAME$} {done:DONE$} {unit}")));
    }
    if page.workers.is_empty() {
        lines.push(plain(
            "no worker is heard of; start one with umbrail worker --cluster".to_owned(),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;
    use std::time::Duration;
    use umbrail::session::snapshot::{ClusterPage, TaskStage, UnitLine, WorkerLine};

    fn text(page: &ClusterPage) -> Vec<String> {
        lines(page)
            .iter()
            .map(|line| line.0.iter().map(|(_, text)| text.as_str()).collect())
            .collect()
    }

    #[test]
    fn the_page_of_a_cluster_has_its_queue_and_a_line_for_each_worker() {
        let at = |unit: &str, stage: Option<TaskStage>| {
            vec![UnitLine { unit: unit.to_owned(), seconds: 7, stage }]
        };
        let stage = TaskStage { half_moves: 17, of: 47, tasks: 400, done: 230 };
        let line = |name: &str, threads: u64, done: u64, tasks: u64, at: Vec<UnitLine>| {
            WorkerLine { name: name.to_owned(), threads, done, tasks, at }
        };
        let page = ClusterPage {
            run: "r".to_owned(),
            units: (12, 30),
            queue: (16, 2),
            rate: 4,
            claims: (50, Some(200)),
            audited: 1,
            workers: vec![
                line("one-1", 1, 5, 0, at("piece 0 1@2:0 2 0 9", None)),
                line("two-2", 8, 7, 0, vec![]),
                line("three-3", 1, 0, 226, at("cases 0 7 2", Some(stage))),
            ],
            left: Some(Duration::from_secs(3723)),
        };
        let lines = text(&page);
        assert_eq!(
            lines[1],
            "units: 12 done, 1 audited, 30 known without result, 16 waiting, 2 at work"
        );
        assert_eq!(
            lines[2],
            "claims: 50 of 200, about 01:02:03 left; 4 results in the last second"
        );
        assert!(lines[4].starts_with("one-1 ") && lines[4].ends_with(" 7 s: piece 0 1@2:0 2 0 9"));
        assert!(lines[5].contains("8 threads, 7 done") && lines[5].ends_with("waiting"));
        assert!(lines[6].contains("1 thread, 0 done, 226 tasks"), "{}", lines[6]);
        let end = " 7 s: cases 0 7 2, in layers, half-move 17 of 47, 230 of 400 tasks done";
        assert!(lines[6].ends_with(end), "{}", lines[6]);
        assert!(text(&ClusterPage::default())[4].starts_with("no worker"));
    }
}
