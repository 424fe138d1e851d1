// A position of an endgame: moves by pointer or by keyboard. Each move is a link of the page's list; what it leads to is
// put in place of what is shown, so that nothing flickers while one plays.
import { read, squareOf } from "./board.js";
import { Player } from "./player.js";

let player = null, turned = false, visits = 0;
// The pages before this one, for the way back: moves do not add to the browser's history.
const trail = [];
const PROMOTIONS = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };

// Asks which piece a pawn becomes; one move is played at once.
function choose(found) {
  if (found.length === 1) return visit(found[0].link.href);
  const becomes = document.querySelector("#becomes");
  becomes.replaceChildren(...found.map(move => {
    const letter = move.uci.slice(4), button = document.createElement("button");
    button.type = "button";
    button.textContent = PROMOTIONS[letter] ?? letter.toUpperCase();
    button.addEventListener("click", () => visit(move.link.href));
    return button;
  }));
  becomes.hidden = false;
  // The press that opened the choice first gives the focus to the board.
  setTimeout(() => becomes.querySelector("button")?.focus());
}

function bind(guided) {
  const host = document.querySelector("#board");
  if (!host) return;
  document.querySelector("#becomes").hidden = true;
  const links = [...document.querySelectorAll("[data-move]")];
  for (const mark of host.querySelectorAll("svg .mark")) mark.remove();
  player = new Player(host, document.querySelector("#status"), false, choose);
  player.flipped = host.dataset.flipped !== undefined;
  player.guided = guided;
  player.stand(read(host.dataset.fen), links.map(link => ({ uci: link.dataset.move, link })), host.dataset.last);
  if (turned) turn();
}

// Turns the board, with its arrow.
function turn() {
  player.flip();
  player.redraw();
  const shown = document.querySelector("[data-arrow]")?.dataset;
  player.arrows(shown ? [[squareOf(shown.move.slice(0, 2)), squareOf(shown.move.slice(2, 4)), shown.arrow]] : []);
}

async function visit(address, isForward = true) {
  const visited = ++visits;
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (visited !== visits) return;
    if (!answer.ok) { location.href = address; return; }
    const held = document.activeElement?.id === "board", guided = held && (player?.guided ?? false);
    document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
    document.title = page.title;
    if (isForward) trail.push(location.href);
    history.replaceState(null, "", answer.url);
    bind(guided);
    if (held) document.querySelector("#board")?.focus({ preventScroll: true });
    // A text that is new is read aloud, one that was there from the beginning is not.
    const status = document.querySelector("#status"), text = status?.textContent;
    if (status) { status.textContent = ""; setTimeout(() => { if (!status.textContent) status.textContent = text; }, 30); }
  } catch {
    location.href = address;
  }
}

// The main line, when somebody opens it. Each move leads to the position after it.
document.addEventListener("toggle", async event => {
  const box = /** @type {HTMLDetailsElement} */ (event.target);
  if (box.id !== "line" || !box.open || box.dataset.asked) return;
  box.dataset.asked = "1";
  const list = box.querySelector("p");
  list.textContent = "…";
  try {
    const { moves, is_whole: isWhole } = await (await fetch(box.dataset.line)).json();
    const here = new URL(location.href), isBlacks = here.searchParams.get("fen").split(" ")[1] === "b";
    list.replaceChildren(...moves.flatMap((move, ply) => {
      const half = ply + (isBlacks ? 1 : 0), link = document.createElement("a");
      here.searchParams.set("fen", move.fen);
      here.searchParams.delete("last");
      here.searchParams.delete("took");
      Object.assign(link, { href: here.href, textContent: move.text });
      link.dataset.here = "";
      const number = half % 2 === 0 ? `${half / 2 + 1}. ` : ply === 0 ? "1… " : "";
      return [number, link, " "];
    }), isWhole ? "" : "…");
  } catch {
    list.textContent = "The program does not answer. Is umbrail serve still running?";
  }
}, true);

// A hint is no move: the way back leads over it.
function back() {
  const before = trail.findLastIndex(address => new URL(address).searchParams.get("fen") !== new URL(location.href).searchParams.get("fen"));
  if (before < 0) return;
  visit(trail.splice(before)[0], false);
}

function first() {
  if (trail.length) visit(trail.splice(0)[0], false);
}

document.addEventListener("click", event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("[data-move], [data-here]");
  if (link) { event.preventDefault(); visit(link.href); }
  if (event.target.closest("[data-do=flip]")) { turned = !turned; turn(); }
  if (event.target.closest("[data-do=back]")) back();
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  // The space bar presses a button that has the focus.
  const plays = event.key === "ArrowRight" || event.key === " " && !event.target.closest("button, a, summary");
  if (plays) document.querySelector("[data-best]")?.click();
  else if (event.key === "ArrowLeft") back();
  else if (event.key === "ArrowUp" || event.key === "Home") first();
  else if (event.key === "f") { turned = !turned; turn(); }
  else if (event.key === "Escape" && !document.querySelector("#becomes")?.hidden) bind(false);
  else return;
  event.preventDefault();
});
bind(false);
