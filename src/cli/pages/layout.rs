//! A page of text made from a snapshot: lines of coloured pieces. Nothing here knows a terminal.

use super::cluster;
use super::line::{Line, Style};
use super::turn::{Page, PageView, Turn};
use umbrail::session::snapshot::{FoundStrategy, PlayerPage, SeekerPage, Snapshot, short};

/// Columns of the board, and where the text beside it begins.
const BOARD: usize = 18;
/// Columns of the strategies: White, Black, and the histogram after them.
const WHITE: usize = 36;
const BLACK: usize = 34;
/// Classes of the histogram beside a strategy.
const CLASSES: usize = 8;
/// No page is laid out narrower than this.
const WIDTH_MIN: usize = 60;

/// The whole page for a terminal of this many columns and rows.
pub(super) fn page(snapshot: &Snapshot, turn: Turn, (width, height): (usize, usize)) -> Vec<Line> {
    let width = width.max(WIDTH_MIN);
    let shown = turn.page(snapshot);
    let mut lines = head(snapshot, shown, width);
    match (turn.view(snapshot), shown) {
        (PageView::Work, Some(Page::Player(at))) => {
            let player = &snapshot.players[at];
            lines.extend(strategy(&player.pieces, &snapshot.histogram));
        }
        (PageView::Work, Some(Page::Seeker(at))) => {
            lines.extend(path(&snapshot.seekers[at], width))
        }
        (PageView::Work, Some(Page::Cluster)) => {
            lines.extend(snapshot.cluster.iter().flat_map(cluster::lines));
        }
        (PageView::Histogram, _) => lines.extend(classes(snapshot)),
        (PageView::Strategy(at), _) => {
            let found = &snapshot.found[at];
            lines.extend(strategy(&found.pieces, &snapshot.histogram));
        }
        (PageView::Game(at, game), _) => lines.extend(solution(&snapshot.found[at], game, width)),
        (PageView::Work, None) => {}
    }
    let foot = "left/right: pages   up/down: solutions   s: next strategy   q: quit";
    if lines.len() + 2 <= height {
        lines.resize_with(height - 1, Line::default);
        lines.push(Line::default().at(0, Style::Dim, foot));
    }
    lines.truncate(height);
    lines.into_iter().map(|line| line.cut(width)).collect()
}

/// The board with everything beside it.
fn head(snapshot: &Snapshot, shown: Option<Page>, width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = (0..8)
        .map(|rank| {
            let row = snapshot.board.get(rank).map_or("", String::as_str);
            let spaced: Vec<String> = row.chars().map(String::from).collect();
            Line::plain(spaced.join(" "))
        })
        .collect();
    let mut put = |rank: usize, add: &dyn Fn(Line) -> Line| {
        let line = std::mem::take(&mut lines[rank]);
        lines[rank] = add(line);
    };
    let about = concat!("Umbrail ", env!("CARGO_PKG_VERSION"), ", shortest proof games");
    let [white, black] = snapshot.pieces;
    put(0, &|line| {
        line.at(BOARD, Style::Plain, &format!("{white}+{black}")).at(BOARD + 8, Style::Bold, about)
    });
    let name = match shown {
        Some(Page::Player(at)) => {
            format!("Player {}/{}", snapshot.players[at].name, workers(&snapshot.players))
        }
        Some(Page::Seeker(at)) => {
            format!("Seeker {}/{}", snapshot.seekers[at].name, snapshot.seekers.len())
        }
        Some(Page::Cluster) => "Cluster".to_owned(),
        None => String::new(),
    };
    let seconds = snapshot.time.as_secs();
    let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let (number, of) = snapshot.problem;
    put(1, &|line| {
        line.at(BOARD, Style::Plain, &snapshot.length)
            .at(BOARD + 8, Style::Plain, &name)
            .at(BOARD + 24, Style::Plain, &format!("Nr: {number}/{of}"))
            .completion(width, Style::Plain, &time)
    });
    let retracted = snapshot
        .retracted
        .as_ref()
        .map_or(String::new(), |(mv, at, of)| format!("Retracted: {mv} ({at}/{of})"));
    let found = tally(snapshot);
    put(2, &|line| {
        let beside = if retracted.is_empty() {
            snapshot.title.clone().unwrap_or_default()
        } else {
            retracted.clone()
        };
        let module = width.saturating_sub(BOARD + found.len() + 2);
        let beside: String = beside.chars().take(module).collect();
        line.at(BOARD, Style::Plain, &beside).completion(width, Style::Bold, &found)
    });
    let matchings = match shown {
        Some(Page::Player(at)) => snapshot.players[at].matchings.clone(),
        Some(Page::Seeker(at)) => snapshot.seekers[at].matchings.clone(),
        Some(Page::Cluster) | None => Default::default(),
    };
    put(3, &|line| line.at(BOARD, Style::Green, &matchings[1]));
    put(4, &|line| line.at(BOARD, Style::Green, &matchings[0]));
    let state = match (shown, &snapshot.verdict) {
        (_, Some(_)) => done(snapshot),
        (Some(Page::Player(at)), None) => snapshot.players[at].path.join(" "),
        (Some(Page::Seeker(at)), None) => {
            let percent = snapshot.seekers[at].percent;
            format!("about {percent:.1} % of the tree, assuming branches of equal size")
        }
        (Some(Page::Cluster) | None, None) => String::new(),
    };
    put(5, &|line| line.completion(width, Style::Bold, &state));
    let cache = format!("{}m/{}m", snapshot.cache.0 / 1_000_000, snapshot.cache.1 / 1_000_000);
    let queued = format!("Queued: {}", snapshot.queued);
    let (free, counters) = match shown {
        Some(Page::Player(at)) => {
            let player = &snapshot.players[at];
            let mut taken = short(if player.taken > 0 { player.taken } else { snapshot.taken });
            if player.case > 0 {
                taken += &format!(".{}", player.case);
            }
            let (own, all) = (player.moves / 1_000_000, tenths(snapshot.moves));
            let free = player.free.clone().unwrap_or_default();
            (free, format!("{}/{taken}/{own}m/{all}g", short(snapshot.taken)))
        }
        Some(Page::Seeker(at)) => {
            let SeekerPage { kept, found, running, .. } = &snapshot.seekers[at];
            let rests = if *running { "" } else { "not enumerating" };
            (rests.to_owned(), format!("{}/{}/0m/0.0g", short(*kept), short(*found)))
        }
        Some(Page::Cluster) | None => Default::default(),
    };
    put(6, &|line| line.at(BOARD, Style::Plain, &queued).completion(width, Style::Plain, &cache));
    put(7, &|line| line.at(BOARD, Style::Bold, &free).completion(width, Style::Plain, &counters));
    lines
}

/// The number of players; the threads of one count once.
fn workers(players: &[PlayerPage]) -> usize {
    let first = |player: &&PlayerPage| !player.name.contains('.') || player.name.ends_with(".1");
    players.iter().filter(first).count()
}

/// Billions with a tenth.
fn tenths(number: u64) -> String {
    format!("{}.{}", number / 1_000_000_000, number / 100_000_000 % 10)
}

/// `2 solutions, 39 cooks`, as far as there are any.
fn tally(snapshot: &Snapshot) -> String {
    let named = |count: u64, one: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        more => Some(format!("{more} {one}s")),
    };
    // A game of a strategy that can be played in several ways is no solution.
    let alone = snapshot.found.iter().filter(|found| found.games.len() == 1).count() as u64;
    let parts = [named(alone, "solution"), named(snapshot.cooks, "cook")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `Done. Found 2 solutions, shortest 2.5`, or `Partial.` in front when something is left open.
fn done(snapshot: &Snapshot) -> String {
    let state = if snapshot.partial { "Partial." } else { "Done." };
    let found = match tally(snapshot).as_str() {
        "" if snapshot.counting => return format!("{state} Counted strategies only"),
        "" => "no solution".to_owned(),
        found => found.to_owned(),
    };
    let shorter = snapshot.shorter.as_ref().map(|moves| format!(", shortest {moves}"));
    format!("{state} Found {found}{}", shorter.unwrap_or_default())
}

/// A strategy, White left and Black right, and the histogram at the far right.
fn strategy(pieces: &[Vec<String>; 2], histogram: &[(String, u64)]) -> Vec<Line> {
    let mut far = vec![String::new(); 2 * CLASSES];
    for (at, (class, count)) in histogram.iter().take(CLASSES).enumerate() {
        far[2 * at].clone_from(class);
        far[2 * at + 1] = short(*count);
    }
    (0..16)
        .map(|piece| {
            let cell = |color: usize| pieces[color].get(piece).map_or("", String::as_str);
            Line::plain(cell(0)).at(WHITE, Style::Plain, cell(1)).at(
                WHITE + BLACK,
                Style::Plain,
                &far[piece],
            )
        })
        .collect()
}

/// The path of a seeker, with the seconds that each decision has been pursued.
fn path(seeker: &SeekerPage, width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = seeker
        .steps
        .iter()
        .map(|step| {
            let style = if step.below { Style::Dim } else { Style::Violet };
            Line::default()
                .at(0, style, &step.seconds.to_string())
                .at(8, style, step.kind)
                .at(30, style, &step.text)
        })
        .collect();
    if lines.is_empty() {
        lines.push(Line::default());
    }
    let first = std::mem::take(&mut lines[0]);
    lines[0] = first.completion(width, Style::Plain, &short(seeker.nodes));
    lines
}

/// Strategies by free moves.
fn classes(snapshot: &Snapshot) -> Vec<Line> {
    let mut lines = vec![Line::default().at(0, Style::Bold, "free moves   strategies")];
    let row = |class: &str, count: u64| Line::plain(format!("{class:>10}   {count:>10}"));
    lines.extend(snapshot.histogram.iter().map(|(class, count)| row(class, *count)));
    lines.push(row("all", snapshot.histogram.iter().map(|(_, count)| count).sum()));
    lines
}

/// A game below the paths of its strategy.
fn solution(found: &FoundStrategy, game: usize, width: usize) -> Vec<Line> {
    let mut lines = wrapped("w: ", &found.paths[0], width);
    lines.extend(wrapped("b: ", &found.paths[1], width));
    lines.push(Line::default());
    if found.games.len() > 1 {
        let text = format!("game {} of {} of this strategy:", game + 1, found.games.len());
        lines.push(Line::default().at(0, Style::Bold, &text));
    }
    lines.extend(wrapped("", found.games.get(game).map_or("", String::as_str), width));
    lines
}

/// A text over as many lines as it takes, broken at blanks.
fn wrapped(mark: &str, text: &str, width: usize) -> Vec<Line> {
    let mut lines = vec![];
    let mut line = mark.to_owned();
    let mut fresh = true;
    for word in text.split(' ') {
        if !fresh && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(Line::plain(std::mem::replace(&mut line, " ".repeat(mark.len()))));
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(word);
        fresh = false;
    }
    lines.push(Line::plain(line));
    lines
}

#[cfg(test)]
mod tests;
