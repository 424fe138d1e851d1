//! Self-contained HTML page about an endgame: shares, the histogram of distances, and the longest
//! wins and mutual zugzwangs on boards with interactive lines.

use super::fairy_board::FairyBoard;
use super::probe::ProbeError;
use super::stats::{SideStatistics, Statistics};
use super::tablebase::Tablebase;
use std::fmt::Write;
use umbrail_chess::geometry::Color;
use umbrail_report::{HtmlPage, escaped};

/// Maximum number of positions of a kind shown on boards.
const BOARDS_SHOWN: usize = 6;
/// Maximum number of positions of a kind listed by FEN.
const LISTED_MAX: usize = 200;
/// Maximum length of an interactive line, in plies.
const LINE_PLIES: usize = 1000;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\
table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right}th:first-child,\
td:first-child{text-align:left}.g{display:inline-block;vertical-align:top;margin:0 1em 1em 0}\
.g p{margin:.3em 0}.b svg{width:18em;border:1px solid #555}\
.l{fill:#f0d9b5}.d{fill:#b58863}.wh{fill:#fff;stroke:#000;stroke-width:.02}.bl{fill:#111;stroke:#eee;\
stroke-width:.012}.b text{font-size:.8px;text-anchor:middle;font-family:serif}\
.b .f{font-size:.55px;font-weight:bold;font-family:sans-serif}rect.bar{fill:#48c}svg text{font-size:10px}";

/// Redraws a board while the user steps through its line, in the same form as [`svg`].
const SCRIPT: &str = "const M={K:'\u{265a}',Q:'\u{265b}',R:'\u{265c}',B:'\u{265d}',N:'\u{265e}',P:'\u{265f}'};\
document.querySelectorAll('.g').forEach(g=>{const f=JSON.parse(g.dataset.f),\
m=JSON.parse(g.dataset.m);let i=0;const b=g.querySelector('.b'),t=g.querySelector('.t');\
const draw=()=>{let o='';const a=f[i].split(' ')[0].split('/').map(r=>r.replace(/[0-9]+/g,n=>' '.repeat(n)));\
const h=a.length;a.forEach((r,y)=>{for(let x=0;x<r.length;x++){const c=r[x];if(c=='*')continue;\
o+=`<rect x=\"${x}\" y=\"${y}\" width=\"1\" height=\"1\" class=\"${(x+h-y)%2?'d':'l'}\"/>`;\
if(c!=' '){const u=c.toUpperCase(),k=M[u];o+=`<text x=\"${x+.5}\" y=\"${y+(k?.78:.7)}\" \
class=\"${c==u?'wh':'bl'}${k?'':' f'}\">${k||u}</text>`}}});\
b.innerHTML=`<svg viewBox=\"0 0 ${a[0].length} ${h}\" role=\"img\">${o}</svg>`;\
t.textContent=i+' / '+m.length+(i?'  '+m[i-1]:'')};\
g.querySelector('.p').onclick=()=>{if(i)i--;draw()};\
g.querySelector('.n').onclick=()=>{if(i<m.length)i++;draw()};draw()});";

/// Returns the ranks of a FEN, from the last one, a blank for each empty square.
fn ranks(fen: &str) -> Vec<String> {
    let board = fen.split(' ').next().unwrap_or_default();
    let rank = |text: &str| {
        let (mut rank, mut number) = (String::new(), 0);
        for c in text.chars() {
            match c.to_digit(10) {
                Some(digit) => number = number * 10 + digit as usize,
                None => {
                    rank.extend(std::iter::repeat_n(' ', std::mem::take(&mut number)));
                    rank.push(c);
                }
            }
        }
        rank.extend(std::iter::repeat_n(' ', number));
        rank
    };
    board.split('/').map(rank).collect()
}

/// Returns a drawing of a board: the usual pieces by their figurines, others by their letters.
fn svg(fen: &str) -> String {
    let ranks = ranks(fen);
    let height = ranks.len();
    let width = ranks.first().map_or(0, |rank| rank.chars().count());
    let mut out =
        format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{fen}\">");
    for (y, rank) in ranks.iter().enumerate() {
        for (x, sign) in rank.chars().enumerate().filter(|(_, sign)| *sign != '*') {
            let class = if (x + height - y) % 2 == 1 { "d" } else { "l" };
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" class=\"{class}\"/>"
            );
            if sign == ' ' {
                continue;
            }
            let letter = sign.to_ascii_uppercase();
            let figure = figure(letter);
            let (class, down) = if figure.is_some() { ("", 0.78) } else { (" f", 0.7) };
            let color = if sign == letter { "wh" } else { "bl" };
            let _ = write!(
                out,
                "<text x=\"{x}.5\" y=\"{:.2}\" class=\"{color}{class}\">{}</text>",
                y as f32 + down,
                figure.unwrap_or(letter)
            );
        }
    }
    out + "</svg>"
}

/// Returns the figurine of an orthodox piece; both colors use the filled one.
fn figure(letter: char) -> Option<char> {
    "KQRBNP"
        .chars()
        .zip("\u{265a}\u{265b}\u{265c}\u{265d}\u{265e}\u{265f}".chars())
        .find_map(|(known, figure)| (known == letter).then_some(figure))
}

/// Table with the positions that a page shows.
pub(crate) trait ReportSource {
    /// Position of the table.
    type Position: Clone;
    /// Reason why a position has no value.
    type Error;

    /// Returns the longest wins of a side, one of all images.
    fn longest_wins(&mut self, winner: Color, winner_moves: bool) -> Vec<Self::Position>;
    /// Returns the mutual zugzwangs that a side wins, and whether its opponent wins otherwise.
    fn zugzwangs(&mut self, winner: Color) -> Vec<(Self::Position, bool)>;
    /// Returns FEN of a position.
    fn position_fen(&self, position: &Self::Position) -> String;
    /// Returns best play from a position: moves, and FEN of each position from the first.
    fn best_play(
        &self,
        position: &Self::Position,
        plies_max: usize,
    ) -> Result<(Vec<String>, Vec<String>), Self::Error>;
}

impl ReportSource for Tablebase {
    type Position = FairyBoard;
    type Error = ProbeError;

    fn longest_wins(&mut self, winner: Color, winner_moves: bool) -> Vec<FairyBoard> {
        self.hardest(winner, winner_moves, usize::MAX)
    }

    fn zugzwangs(&mut self, winner: Color) -> Vec<(FairyBoard, bool)> {
        let found = self.mutual_zugzwangs(winner, usize::MAX);
        found.into_iter().map(|zugzwang| (zugzwang.board, zugzwang.full_point)).collect()
    }

    fn position_fen(&self, board: &FairyBoard) -> String {
        board.to_fen()
    }

    fn best_play(
        &self,
        first: &FairyBoard,
        plies_max: usize,
    ) -> Result<(Vec<String>, Vec<String>), ProbeError> {
        let mut board = first.clone();
        let (mut moves, mut fens) = (vec![], vec![board.to_fen()]);
        for mv in self.line(first, plies_max)? {
            board = board.after(&mv);
            moves.push(mv.to_string());
            fens.push(board.to_fen());
        }
        Ok((moves, fens))
    }
}

impl Tablebase {
    /// Returns the page, or none while the material is not built.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when a sub-table is missing.
    pub fn report_html(&mut self) -> Result<Option<String>, ProbeError> {
        let Some(statistics) = self.statistics() else { return Ok(None) };
        report_page(self, &statistics).map(Some)
    }
}

/// Returns the page about a table with these statistics.
pub(crate) fn report_page<T: ReportSource>(
    table: &mut T,
    statistics: &Statistics,
) -> Result<String, T::Error> {
    let mut page = String::new();
    let title = format!("{} ({})", statistics.material, statistics.metric);
    let _ = write!(page, "<h1>{}</h1>", escaped(&title));
    shares(&mut page, statistics);
    classes(&mut page, statistics);
    for color in Color::ALL {
        let side = &statistics.sides[color.index()];
        if side.won.full_board == 0 {
            let _ = write!(page, "<h2>{color} never wins</h2>");
            continue;
        }
        let _ = write!(
            page,
            "<h2>{color} wins</h2><p>Longest: {} plies ({} moves). Won within 50 moves: {:.2}% \
             of the won positions.</p>",
            statistics.max_win(color),
            statistics.max_win(color).div_ceil(2),
            within(statistics.within_fifty(color)[0], side)
        );
        histogram(&mut page, &side.won_in);
        for (winner_moves, turn) in [(true, color), (false, !color)] {
            let found = table.longest_wins(color, winner_moves);
            positions(table, &mut page, &format!("Longest wins, {turn} to move"), &found)?;
        }
        let zugzwangs = table.zugzwangs(color);
        for (full_point, name) in [(false, "draw"), (true, "lose")] {
            let of_kind = zugzwangs.iter().filter(|(_, loses)| *loses == full_point);
            let found: Vec<T::Position> = of_kind.map(|(position, _)| position.clone()).collect();
            let title =
                format!("Mutual zugzwangs: {} to move loses, {color} to move would {name}", !color);
            positions(table, &mut page, &title, &found)?;
        }
    }
    Ok(HtmlPage { title: &title, style: STYLE, body: &page, script: SCRIPT }.to_string())
}

/// Writes positions of a kind: some on boards, more by FEN, and a reference to the rest.
fn positions<T: ReportSource>(
    table: &T,
    page: &mut String,
    title: &str,
    found: &[T::Position],
) -> Result<(), T::Error> {
    if found.is_empty() {
        return Ok(());
    }
    let count = found.len();
    let _ = write!(page, "<h3>{title}: {count} stored positions</h3>");
    for position in found.iter().take(BOARDS_SHOWN) {
        board_with_line(table, page, position)?;
    }
    if count > BOARDS_SHOWN {
        let listed = count.min(LISTED_MAX);
        let _ = write!(page, "<details><summary>{listed} of {count} by FEN</summary><pre>");
        for position in found.iter().take(LISTED_MAX) {
            let _ = writeln!(page, "{}", table.position_fen(position));
        }
        page.push_str("</pre>");
        if count > LISTED_MAX {
            page.push_str("<p><code>umbrail egt report --epd FILE</code> writes all.</p>");
        }
        page.push_str("</details>");
    }
    Ok(())
}

/// Writes a board with the main line from a position.
fn board_with_line<T: ReportSource>(
    table: &T,
    page: &mut String,
    first: &T::Position,
) -> Result<(), T::Error> {
    let (moves, fens) = table.best_play(first, LINE_PLIES)?;
    let list = |items: &[String]| {
        let quoted: Vec<String> = items.iter().map(|t| format!("\"{t}\"")).collect();
        format!("[{}]", quoted.join(","))
    };
    let fen = table.position_fen(first);
    let _ = write!(
        page,
        "<div class=\"g\" data-f='{}' data-m='{}'><p><code>{fen}</code></p><div class=\"b\">\
         {}</div><p><button class=\"p\">&lt;</button> <button class=\"n\">&gt;</button> \
         <span class=\"t\"></span></p></div>",
        list(&fens),
        list(&moves),
        svg(&fen)
    );
    Ok(())
}

/// Returns the share of wins in percent.
fn within(quick: u64, side: &SideStatistics) -> f64 {
    let all: u64 = side.won_in.iter().sum();
    if all == 0 { 0.0 } else { 100.0 * quick as f64 / all as f64 }
}

fn shares(page: &mut String, statistics: &Statistics) {
    let _ = write!(
        page,
        "<table><tr><th></th><th>legal</th><th>White wins</th><th>draw</th><th>Black wins</th></tr>"
    );
    let [white, black] = &statistics.sides;
    let rows = [
        ("White to move", statistics.legal[0], white.won, black.lost),
        ("Black to move", statistics.legal[1], white.lost, black.won),
    ];
    for (name, legal, wins, losses) in rows {
        let legal = legal.full_board;
        let drawn = legal.saturating_sub(wins.full_board + losses.full_board);
        let share = |n: u64| {
            let percent = if legal == 0 { 0.0 } else { 100.0 * n as f64 / legal as f64 };
            format!("{n} ({percent:.2}%)")
        };
        let _ = write!(
            page,
            "<tr><td>{name}</td><td>{legal}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            share(wins.full_board),
            share(drawn),
            share(losses.full_board)
        );
    }
    let z = statistics.zugzwangs;
    let _ = write!(
        page,
        "</table><p>Mutual zugzwangs: {} (White to move draws), {} (Black to move draws), {} (the side \
         to move loses).</p>",
        z.wtm_draw_btm_loss, z.wtm_loss_btm_draw, z.full_point
    );
}

/// Writes shares by the square colors of color-bound pieces.
fn classes(page: &mut String, statistics: &Statistics) {
    if statistics.classes.is_empty() {
        return;
    }
    page.push_str(
        "<h2>By colors of squares</h2><table><tr><th>pieces on light and dark</th>\
         <th>White to move wins</th><th>Black to move loses</th><th>Black to move wins</th>\
         <th>White to move loses</th></tr>",
    );
    for class in &statistics.classes {
        let share = |n: u64, legal: u64| {
            if legal == 0 { 0.0 } else { 100.0 * n as f64 / legal as f64 }
        };
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{:.2}%</td><td>{:.2}%</td><td>{:.2}%</td><td>{:.2}%</td></tr>",
            class.name,
            share(class.won[0], class.legal[0]),
            share(class.lost[0], class.legal[1]),
            share(class.won[1], class.legal[1]),
            share(class.lost[1], class.legal[0]),
        );
    }
    page.push_str("</table>");
}

fn histogram(page: &mut String, counts: &[u64]) {
    let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let bars: Vec<(usize, u64)> =
        counts.iter().copied().enumerate().filter(|(_, n)| *n > 0).collect();
    let width = (720 / bars.len().max(1)).clamp(2, 24);
    let _ = write!(
        page,
        "<svg width=\"{}\" height=\"190\" role=\"img\" aria-label=\"wins by plies\">",
        width * bars.len() + 10
    );
    for (at, (ply, count)) in bars.iter().enumerate() {
        let height = (160.0 * *count as f64 / most).max(1.0);
        let _ = write!(
            page,
            "<rect class=\"bar\" x=\"{}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\"><title>{ply} plies: \
             {count}</title></rect>",
            at * width,
            165.0 - height,
            width.saturating_sub(1).max(1)
        );
        if at % (1 + 40 / width) == 0 {
            let _ = write!(page, "<text x=\"{}\" y=\"180\">{ply}</text>", at * width);
        }
    }
    page.push_str("</svg>");
}
