//! Self-contained HTML page about an endgame: shares, the histogram of distances, and the longest
//! wins and mutual zugzwangs on boards with interactive lines.

use super::fairy_board::FairyBoard;
use super::probe::ProbeError;
use super::stats::{SideStatistics, Statistics};
use super::tablebase::Tablebase;
use std::fmt::Write;
use umbrail_chess::geometry::{Color, Square};
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
.g p{margin:.3em 0}.b svg{width:18em;height:18em;border:1px solid #555}\
.l{fill:#f0d9b5}.d{fill:#b58863}.wh{fill:#fff;stroke:#000;stroke-width:.02}.bl{fill:#111;stroke:#eee;\
stroke-width:.012}.b text{font-size:.8px;text-anchor:middle;font-family:serif}\
.b .f{font-size:.55px;font-weight:bold;font-family:sans-serif}rect.bar{fill:#48c}svg text{font-size:10px}";

/// Redraws a board while the user steps through its line, in the same form as [`svg`].
const SCRIPT: &str = "const M={K:'\u{265a}',Q:'\u{265b}',R:'\u{265c}',B:'\u{265d}',N:'\u{265e}',P:'\u{265f}'};\
document.querySelectorAll('.g').forEach(g=>{const f=JSON.parse(g.dataset.f),\
m=JSON.parse(g.dataset.m);let i=0;const b=g.querySelector('.b'),t=g.querySelector('.t');\
const draw=()=>{let o='';f[i].split(' ')[0].split('/').forEach((r,y)=>{let x=0;\
const put=c=>{o+=`<rect x=\"${x}\" y=\"${y}\" width=\"1\" height=\"1\" class=\"${(x+y)%2?'d':'l'}\"/>`;\
if(c!=' '){const u=c.toUpperCase(),k=M[u];o+=`<text x=\"${x+.5}\" y=\"${y+(k?.78:.7)}\" \
class=\"${c==u?'wh':'bl'}${k?'':' f'}\">${k||u}</text>`}x++};\
for(const c of r){if(c>='1'&&c<='8'){for(let k=0;k<+c;k++)put(' ')}else put(c)}});\
b.innerHTML=`<svg viewBox=\"0 0 8 8\" role=\"img\">${o}</svg>`;\
t.textContent=i+' / '+m.length+(i?'  '+m[i-1]:'')};\
g.querySelector('.p').onclick=()=>{if(i)i--;draw()};\
g.querySelector('.n').onclick=()=>{if(i<m.length)i++;draw()};draw()});";

/// Returns a drawing of a board: the usual pieces by their figurines, others by their letters.
fn svg(board: &FairyBoard) -> String {
    let mut out =
        format!("<svg viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"{}\">", board.to_fen());
    for square in Square::all() {
        let (x, y) = (square.file(), 7 - square.rank());
        let class = if (x + y) % 2 == 1 { "d" } else { "l" };
        let _ =
            write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" class=\"{class}\"/>");
        let Some(piece) = board.at(square) else { continue };
        let letter = piece.piece.letter.to_ascii_uppercase();
        let figure = figure(letter);
        let (class, down) = if figure.is_some() { ("", 0.78) } else { (" f", 0.7) };
        let color = if piece.color.is_white() { "wh" } else { "bl" };
        let _ = write!(
            out,
            "<text x=\"{}.5\" y=\"{:.2}\" class=\"{color}{class}\">{}</text>",
            x,
            f32::from(y) + down,
            figure.unwrap_or(letter)
        );
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

impl Tablebase {
    /// Returns the page, or none while the material is not built.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when a sub-table is missing.
    pub fn report_html(&mut self) -> Result<Option<String>, ProbeError> {
        let Some(statistics) = self.statistics() else { return Ok(None) };
        let mut page = String::new();
        let title = format!("{} ({})", statistics.material, statistics.metric);
        let _ = write!(page, "<h1>{}</h1>", escaped(&title));
        shares(&mut page, &statistics);
        classes(&mut page, &statistics);
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
                let boards = self.hardest(color, winner_moves, usize::MAX);
                self.positions(&mut page, &format!("Longest wins, {turn} to move"), &boards)?;
            }
            self.zugzwangs(&mut page, color)?;
        }
        let page = HtmlPage { title: &title, style: STYLE, body: &page, script: SCRIPT };
        Ok(Some(page.to_string()))
    }

    /// Writes boards of mutual zugzwangs that this color wins, with the following line.
    fn zugzwangs(&mut self, page: &mut String, color: Color) -> Result<(), ProbeError> {
        let mutual_zugzwangs = self.mutual_zugzwangs(color, usize::MAX);
        for (full_point, name) in [(false, "draw"), (true, "lose")] {
            let of_kind = mutual_zugzwangs.iter().filter(|s| s.full_point == full_point);
            let boards: Vec<FairyBoard> = of_kind.map(|s| s.board.clone()).collect();
            let title =
                format!("Mutual zugzwangs: {} to move loses, {color} to move would {name}", !color);
            self.positions(page, &title, &boards)?;
        }
        Ok(())
    }

    /// Writes positions of a kind: some on boards, more by FEN, and a reference to the rest.
    fn positions(
        &self,
        page: &mut String,
        title: &str,
        boards: &[FairyBoard],
    ) -> Result<(), ProbeError> {
        if boards.is_empty() {
            return Ok(());
        }
        let count = boards.len();
        let _ = write!(page, "<h3>{title}: {count} stored positions</h3>");
        for board in boards.iter().take(BOARDS_SHOWN) {
            self.game(page, board)?;
        }
        if count > BOARDS_SHOWN {
            let listed = count.min(LISTED_MAX);
            let _ = write!(page, "<details><summary>{listed} of {count} by FEN</summary><pre>");
            for board in boards.iter().take(LISTED_MAX) {
                let _ = writeln!(page, "{}", board.to_fen());
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
    fn game(&self, page: &mut String, first: &FairyBoard) -> Result<(), ProbeError> {
        let mut board = first.clone();
        let fen = board.to_fen();
        let line = self.line(&board, LINE_PLIES)?;
        let mut fens = vec![board.to_fen()];
        for mv in &line {
            board = board.after(mv);
            fens.push(board.to_fen());
        }
        let list = |items: &[String]| {
            let quoted: Vec<String> = items.iter().map(|t| format!("\"{t}\"")).collect();
            format!("[{}]", quoted.join(","))
        };
        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
        let _ = write!(
            page,
            "<div class=\"g\" data-f='{}' data-m='{}'><p><code>{fen}</code></p><div class=\"b\">\
             {}</div><p><button class=\"p\">&lt;</button> <button class=\"n\">&gt;</button> \
             <span class=\"t\"></span></p></div>",
            list(&fens),
            list(&moves),
            svg(first)
        );
        Ok(())
    }
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
