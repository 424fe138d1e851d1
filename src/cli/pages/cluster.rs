//! The page of a run with several machines: its queue, and a line for each worker.

use super::line::{Line, Style};
use umbrail::session::snapshot::{ClusterPage, UnitLine, WorkerLine};

/// Columns of a worker's name, and of what it has done.
const NAME: usize = 28;
const DONE: usize = 22;

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
    for WorkerLine { name, threads, done, at } in &page.workers {
        let unit = at.first().map_or("waiting".to_owned(), |UnitLine { unit, seconds }| {
            format!("{seconds} s: {unit}")
        });
        let threads =
            if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
        let done = format!("{threads}, {done} done");
        lines.push(plain(format!("{name:NAME$} {done:DONE$} {unit}")));
    }
    if page.workers.is_empty() {
        lines.push(plain(
            "no worker has reported; start one with umbrail worker --cluster".to_owned(),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;
    use std::time::Duration;
    use umbrail::session::snapshot::{ClusterPage, UnitLine, WorkerLine};

    fn text(page: &ClusterPage) -> Vec<String> {
        lines(page)
            .iter()
            .map(|line| line.0.iter().map(|(_, text)| text.as_str()).collect())
            .collect()
    }

    #[test]
    fn the_page_of_a_cluster_has_its_queue_and_a_line_for_each_worker() {
        let at = vec![UnitLine { unit: "piece 0 1@2:0 2 0 9".to_owned(), seconds: 7 }];
        let line = |name: &str, threads: u64, done: u64, at: Vec<UnitLine>| WorkerLine {
            name: name.to_owned(),
            threads,
            done,
            at,
        };
        let page = ClusterPage {
            run: "r".to_owned(),
            units: (12, 30),
            queue: (16, 2),
            rate: 4,
            claims: (50, Some(200)),
            audited: 1,
            workers: vec![line("one-1", 1, 5, at), line("two-2", 8, 7, vec![])],
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
        assert!(text(&ClusterPage::default())[4].starts_with("no worker"));
    }
}
