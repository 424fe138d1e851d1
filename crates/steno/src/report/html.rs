//! HTML report: a self-contained page with the verdict and every listed game on a navigable board.

use super::{first_difference, numbered, sans};
use crate::report::text::verdict;
use crate::{StenoOutcome, StenoRequest};
use serde::Serialize;
use umbrail_chess::Move;
use umbrail_report::drawing::{Board, piece_script, symbols};
use umbrail_report::{HtmlPage, escaped};

/// Returns the page.
pub fn page(request: &StenoRequest, answer: &StenoOutcome) -> String {
    let steno = request.steno.to_string();
    let mut games = String::new();
    for (number, moves) in answer.games.iter().enumerate() {
        if number > 0 {
            games.push_str(",\n");
        }
        games.push_str(&game(request, moves));
    }
    let marks: Vec<String> =
        request.steno.turns.iter().map(|turn| request.steno.turn_text(turn)).collect();
    let start = placement(&request.start);
    let board = Board { placement: &start, ..Board::default() };
    let body = format!(
        "{}\n<h1><code>{}</code></h1>\n<p>{} vocabulary: {}</p>\n\
         <p><select id=\"which\"></select>\n<button id=\"first\">|&lt;</button>\n\
         <button id=\"back\">&lt;</button>\n<button id=\"on\">&gt;</button>\n\
         <button id=\"last\">&gt;|</button> <span id=\"said\"></span></p>\n\
         {board}\n<p id=\"moves\"></p>\n",
        symbols(),
        escaped(&steno),
        request.steno.vocabulary,
        escaped(verdict(request, answer).trim()),
    );
    let script = format!(
        "{}\nconst marks = {};\nconst games = [\n{games}\n];\n{SCRIPT}",
        piece_script(),
        in_script(&marks)
    );
    let title = format!("Steno {steno}");
    HtmlPage { title: &title, style: STYLE, body: &body, script: &script }.to_string()
}

fn game(request: &StenoRequest, moves: &[Move]) -> String {
    let mut position = request.start;
    let mut boards = vec![placement(&position)];
    for &mv in moves {
        position = position.after(mv);
        boards.push(placement(&position));
    }
    in_script(&ScriptGame {
        boards,
        leaves: request.intended.as_ref().map(|intended| first_difference(intended, moves)),
        sans: sans(&request.start, moves),
        text: numbered(&request.start, moves),
    })
}

/// Game as the script of the page reads it.
#[derive(Serialize)]
struct ScriptGame {
    /// Placements, the initial one first.
    boards: Vec<String>,
    /// Ply at which the game leaves the intended one.
    leaves: Option<usize>,
    /// Moves.
    sans: Vec<String>,
    /// Numbered moves.
    text: String,
}

fn placement(position: &umbrail_chess::Position) -> String {
    position.to_string().split(' ').next().unwrap_or_default().to_owned()
}

/// Writes a value as JSON that cannot end a script element.
fn in_script(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c")
}

const STYLE: &str = "\
body{font-family:sans-serif;margin:1em auto;max-width:40em}\
.symbols{position:absolute}svg.board{display:block;width:24em;max-width:100%;margin:1em 0}\
.now{background:#ffe08a}#moves span{cursor:pointer;padding:0 .15em}\
small{color:#888}";

const SCRIPT: &str = r#"
const byId = id => document.getElementById(id);
let game = 0, ply = 0;
function show() {
  const one = games[game];
  if (!one) { return; }
  drawPieces(document.querySelector("svg.board"), one.boards[ply]);
  byId("said").textContent = ply ? one.sans[ply - 1] + "   " + marks[ply - 1] : "start";
  const list = byId("moves");
  list.textContent = "";
  one.sans.forEach((san, at) => {
    const word = document.createElement("span");
    word.textContent = san;
    word.title = marks[at];
    if (at + 1 === ply) { word.className = "now"; }
    if (at === one.leaves) { word.style.textDecoration = "underline"; }
    word.onclick = () => { ply = at + 1; show(); };
    list.append(word, " ");
  });
}
games.forEach((one, at) => byId("which").add(new Option((at + 1) + ": " + one.text.slice(0, 60), at)));
byId("which").onchange = event => { game = Number(event.target.value); ply = 0; show(); };
const go = to => { const one = games[game]; if (one) { ply = Math.max(0, Math.min(one.sans.length, to)); show(); } };
byId("first").onclick = () => go(0);
byId("back").onclick = () => go(ply - 1);
byId("on").onclick = () => go(ply + 1);
byId("last").onclick = () => go(1e6);
document.onkeydown = event => {
  if (event.key === "ArrowLeft") { go(ply - 1); }
  if (event.key === "ArrowRight") { go(ply + 1); }
};
show();
"#;
