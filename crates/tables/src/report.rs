//! One self-contained HTML page about an endgame: shares, the histogram of distances, and the
//! longest wins on boards that can be stepped through.

use super::fairy_board::FairyBoard;
use super::probe::ProbeError;
use super::stats::{SideStatistics, Statistics};
use super::tablebase::Tablebase;
use std::fmt::Write;
use umbrail_chess::geometry::Color;

/// Most zugzwangs of each kind that are shown on boards.
const ZUGZWANGS_SHOWN: usize = 6;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\
table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right}th:first-child,\
td:first-child{text-align:left}.b{display:grid;grid-template-columns:repeat(8,2.4em);width:19.2em;\
border:1px solid #555}.b span{height:2.4em;line-height:2.4em;text-align:center;font-size:1em}\
.l{background:#f0d9b5}.d{background:#b58863}.bl{font-weight:bold;color:#000}.wh{font-weight:bold;\
color:#fff;text-shadow:0 0 3px #000,0 0 3px #000}rect{fill:#48c}svg text{font-size:10px}";

const SCRIPT: &str = "document.querySelectorAll('.g').forEach(g=>{const f=JSON.parse(g.dataset.f),\
m=JSON.parse(g.dataset.m);let i=0;const b=g.querySelector('.b'),t=g.querySelector('.t');\
const draw=()=>{b.innerHTML='';f[i].split(' ')[0].split('/').forEach((r,y)=>{let x=0;\
const put=c=>{const s=document.createElement('span');s.className=((x+y)%2?'d':'l')+' '+\
(c==c.toUpperCase()?'wh':'bl');s.textContent=c.toUpperCase();b.append(s);x++};\
for(const c of r){if(c>='1'&&c<='8'){for(let k=0;k<+c;k++)put(' ')}else put(c)}});\
t.textContent=i+' / '+m.length+(i?'  '+m[i-1]:'')};\
g.querySelector('.p').onclick=()=>{if(i)i--;draw()};\
g.querySelector('.n').onclick=()=>{if(i<m.length)i++;draw()};draw()});";

impl Tablebase {
    /// The page, or none while the material is not built.
    ///
    /// # Errors
    /// [`ProbeError::Material`] when a sub-table is missing.
    pub fn report_html(&mut self) -> Result<Option<String>, ProbeError> {
        let Some(statistics) = self.statistics() else { return Ok(None) };
        let mut page = String::new();
        let title = format!("{} ({})", statistics.material, statistics.metric);
        let _ = write!(
            page,
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
             <style>{STYLE}</style><h1>{title}</h1>"
        );
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
            if let Some(fen) = &side.longest_win {
                self.game(&mut page, fen)?;
            }
            self.zugzwangs(&mut page, color)?;
        }
        let _ = write!(page, "<script>{SCRIPT}</script></html>");
        Ok(Some(page))
    }

    /// Boards of mutual zugzwangs that this color wins, with the line that follows.
    fn zugzwangs(&mut self, page: &mut String, color: Color) -> Result<(), ProbeError> {
        let mutual_zugzwangs = self.mutual_zugzwangs(color, ZUGZWANGS_SHOWN);
        for (full_point, name) in [(false, "draw"), (true, "loss")] {
            let shown: Vec<_> =
                mutual_zugzwangs.iter().filter(|s| s.full_point == full_point).collect();
            if shown.is_empty() {
                continue;
            }
            let _ = write!(
                page,
                "<h3>Mutual zugzwangs: {} to move loses, {color} to move would only {name}</h3>",
                !color
            );
            for squeeze in shown {
                self.game(page, &squeeze.board.to_fen())?;
            }
        }
        Ok(())
    }

    /// A board with the main line from a position.
    fn game(&self, page: &mut String, fen: &str) -> Result<(), ProbeError> {
        let Ok(setup) = fen.parse() else { return Ok(()) };
        let mut board: FairyBoard = self.board(&setup)?;
        let line = self.line(&board, 1000)?;
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
             </div><p><button class=\"p\">&lt;</button> <button class=\"n\">&gt;</button> \
             <span class=\"t\"></span></p></div>",
            list(&fens),
            list(&moves)
        );
        Ok(())
    }
}

/// Share of wins in percent.
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

/// Shares by the colors that color-bound men stand on.
fn classes(page: &mut String, statistics: &Statistics) {
    if statistics.classes.is_empty() {
        return;
    }
    page.push_str(
        "<h2>By colors of squares</h2><table><tr><th>men on light and dark</th>\
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
            "<rect x=\"{}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\"><title>{ply} plies: \
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
