// The analysis: a board on which a game is played, walked and changed. The server knows the rules.
import { AnalysisBoard } from "./analysis-board.js";
import { Annotator } from "./annotator.js";
import { Asker } from "./ask.js";
import { inWords, read, squareOf } from "./board.js";
import { anyNumber, chess960 } from "./chess960.js";
import { copy } from "./copy.js";
import { Game } from "./game.js";
import { Intake } from "./intake.js";
import { Live, viewer } from "./live.js";
import { EVENT, Opponent } from "./opponent.js";
import { better, Review, stored } from "./review.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { TableValue } from "./table-value.js";

/** @typedef {import("./game.js").Node} Node */

/** Number of moves that a search gets to know: more than the fifty-move rule counts. */
const HISTORY_MAX = 200;
/** Number of moves that an address contains at most. */
const ADDRESS_MAX = 500;
/** Delay in ms of the address, which browsers allow to change only so often. */
const ADDRESS_PAUSE = 250;
/** Name under which the game is handed to the page of a search. */
const SEARCHED = "umbrail-searched";
/** Name under which the clocks are kept while the page is away. */
const LEFT = "umbrail-clocks";
/** Number of positions whose moves are remembered. */
const LEGAL_MAX = 400;

const part = selector => document.querySelector(selector);
const [host, form, status, becomes] = ["#board", "#play", "#status", "#becomes"].map(part);
const [edit, results, keys] = ["#edit", "#results", "#keys"].map(part);
const field = form.elements.fen;

let game = new Game(), here = game.root;
/** What the reader says about the game on the board. */
let note = "";
/** The page is there for a game against the engine: this is its name, and its address says so. */
let isForGame = part(".analysis").matches(".for-game");
let choices = [], addressed = 0, lastKept = -ADDRESS_PAUSE;
/** What the server knows of a position: moves, ending, check. */
const legal = new Map();

const board = new AnalysisBoard(host, status, false, found => {
  if (found.length === 1) return play(found[0]);
  choices = found;
  becomes.hidden = false;
  // The press that opened the choice first gives the focus to the board.
  setTimeout(() => becomes.querySelector("button").focus());
});
const settings = new Settings(name => {
  if (["lines", "threads", "hash"].includes(name)) live.restart();
  else if (["side", "elo", "movetime", "clock"].includes(name)) { opponent.adjust(name); if (isForGame) keepSoon(); }
  else live.draw();
});
const live = new Live({
  setting: name => settings.get(name),
  options: () => form.elements.left.value,
  arrows: list => board.arrows(list),
  play: moves => follow(here, moves),
});
/** Words of a search at a move of the game. */
function words(node) {
  const late = game.path(node).slice(-HISTORY_MAX);
  return { fen: late[0]?.parent.fen ?? node.fen, moves: late.map(one => one.uci).join(","), rules: game.rules };
}
const opponent = new Opponent({
  here: () => here,
  words: node => ({ ...words(node), viewer: `${viewer}-play` }),
  settings,
  play: (node, uci) => follow(node, [uci]),
  hint: uci => {
    board.arrows([[squareOf(uci.slice(0, 2)), squareOf(uci.slice(2, 4)), "left"]]);
    const move = legal.get(here.fen)?.moves.find(move => move.uci === uci);
    status.textContent = `hint: ${move?.san ?? uci}`;
  },
  tell: text => { status.textContent = text; },
  changed: () => {
    part(".analysis").classList.toggle("playing", opponent.on);
    if (opponent.on) {
      pageForGame();
      live.switch(false);
      table.hide();
      if ((opponent.side === 1) !== board.flipped) actions.flip();
      opponent.name(game);
      if (game.result !== "*") game.tag("Result", "*");
      sheet.write(game);
      sheet.mark(here);
      titled();
      status.textContent = turnText(here);
    }
    stand(legal.get(here.fen));
    keepSoon();
  },
  begun: () => host.focus({ preventScroll: true }),
  over: (result, reason) => {
    game.tag("Result", result);
    if (reason.includes("time is up")) game.tag("Termination", "time forfeit");
    changed(here, reason);
  },
});
const sheet = new Sheet(part("#moves"), node => go(node));
const tell = text => { status.textContent = text; };
const review = new Review({
  line: () => [game.root, ...game.path(game.end(game.root))],
  words: () => {
    const moves = game.path(game.end(game.root)).map(node => node.uci).join(",");
    return { fen: game.root.fen, moves, rules: game.rules, movetime: `${settings.get("reviewtime")}`, threads: `${settings.get("threads")}`, viewer: `${viewer}-review` };
  },
  changed: text => changed(here, text),
  tell,
  go: node => go(node),
});
const annotator = new Annotator(() => {
  sheet.write(game);
  sheet.mark(here);
  review.draw(here);
  keepSoon();
});
const intake = new Intake(field, load, tell);
const table = new TableValue(part("#table-value"));
const asker = new Asker("/api/moves", seen => {
  legal.set(here.fen, seen);
  if (legal.size > LEGAL_MAX) legal.delete(legal.keys().next().value);
  stand(seen);
}, fault => { status.textContent = fault; });

/** From now on the page is that of a game against the engine. */
function pageForGame() {
  if (isForGame) return;
  isForGame = true;
  document.title = document.title.replace("Analysis", "Play");
  part("h1").textContent = "Play";
  part("header nav [href='/play']").removeAttribute("aria-current");
  part("header nav [href^='/play?']").setAttribute("aria-current", "page");
  part(".analysis").classList.add("for-game");
  part(".stage").after(part(".against"));
}

/** @param {Node} node */
const turnText = node => opponent.isTurn(node) ? "Umbrail is thinking" : "Your move";

/** Puts a position with its moves on the board. */
function stand(seen) {
  board.check = seen?.check;
  board.stand(read(here.fen), opponent.isTurn(here) ? [] : seen?.moves ?? [], here.uci);
  if (!seen) return;
  if (seen.fault) status.textContent = seen.fault;
  const ending = seen.ending ?? (opponent.on ? game.draw(here) : null);
  if (ending) {
    status.textContent = `${note ? `${note}. ` : ""}${here.san} ${ending.text}`.trim();
    live.end(seen.ending);
    opponent.ended(ending);
  } else if (seen.note) status.textContent = seen.note;
  host.dataset.ready = "";
}

/** A list of the pieces, for those who do not see the board. */
function described(fen) {
  return `${inWords(read(fen))}. ${fen.split(" ")[1] === "b" ? "Black" : "White"} to move.`;
}

/**
 * Shows a move of the game.
 * @param {Node} node
 */
function go(node, text = "") {
  here = node;
  becomes.hidden = true;
  if (text !== note) note = "";
  status.textContent = text || `${node.san || "the start"}${opponent.on ? `. ${turnText(node)}` : ""}`;
  const seen = legal.get(node.fen);
  // Without the mark the moves of the position are not known yet.
  delete host.dataset.ready;
  opponent.stop();
  // Against the engine, a value would be a hint.
  live.show({ words: words(node), fen: node.fen, stored: opponent.on ? null : stored(node) }, seen?.ending ?? null);
  pointBetter(node);
  stand(seen);
  if (text) status.textContent = text;
  if (!seen) asker.now(new URLSearchParams({ fen: node.fen, rules: game.rules }));
  sheet.mark(node);
  review.draw(node);
  annotator.show(node);
  if (opponent.on) table.hide();
  else table.show(node.fen);
  part("#pieces").textContent = described(node.fen);
  if (document.activeElement !== field) field.value = node.fen;
  // Results of a search belong to its position.
  if (results) results.hidden = results.dataset.fen !== node.fen;
  for (const name of ["back", "first"]) part(`[data-do=${name}]`).disabled = !node.parent;
  for (const name of ["on", "last"]) part(`[data-do=${name}]`).disabled = !node.children.length;
  keepSoon();
  if (!node.children.length) opponent.answer(node);
}

/** Shows the move that was best in place of this one, as far as an analysis names it. */
async function pointBetter(node) {
  const san = opponent.on ? "" : better(node), plain = text => text.replace(/[+#]$/, "");
  if (!san || !node.parent) return;
  const { fen } = node.parent;
  const seen = legal.get(fen) ?? await ask(`/api/moves?${new URLSearchParams({ fen, rules: game.rules })}`);
  const move = seen?.moves.find(move => plain(move.san) === plain(san));
  if (move && here === node) live.point(node.fen, move.uci);
}

/** Keeps the game at once, or after a pause if it has just been kept. */
function keepSoon() {
  clearTimeout(addressed);
  const wait = ADDRESS_PAUSE - (performance.now() - lastKept);
  if (wait > 0) addressed = setTimeout(keep, wait);
  else keep();
}

/** The address and the memory of the browser's entry follow the board, so that the way back finds the game. */
function keep() {
  clearTimeout(addressed);
  addressed = 0;
  lastKept = performance.now();
  const path = game.path(here), words = new URLSearchParams();
  if (isForGame) words.set("against", `${settings.get("side")}`);
  const isLong = path.length > ADDRESS_MAX, root = isLong ? here.fen : game.root.fen;
  if (root !== new Game().root.fen) words.set("fen", root);
  if (game.rules === "chess960") words.set("rules", game.rules);
  if (path.length && !isLong) words.set("moves", path.map(node => node.uci).join(","));
  const text = `${words}`.replaceAll("%2C", ",").replaceAll("%2F", "/");
  history.replaceState({ game: game.record(here), play: opponent.kept ?? resumed }, "", text ? `/play?${text}` : "/play");
}

function changed(node, text) {
  edit.hidden = false;
  sheet.write(game);
  go(node, text);
}

function play(move) {
  const known = here.children.length, next = game.add(here, move);
  opponent.moved(next);
  if (next.parent.children.length === known) go(next);
  else changed(next);
}

/** Writes who plays whom above the moves. */
function titled() {
  const names = Object.fromEntries(game.tags);
  part("#title").textContent = names.White ? `${names.White} – ${names.Black ?? "?"}${names.Event && !["?", EVENT].includes(names.Event) ? `, ${names.Event}` : ""}` : "";
}

/** Replaces the game by a record; a game against the engine that is on begins there. */
function put(record, text) {
  if (record.rules !== game.rules) legal.clear();
  const isOn = opponent.on;
  if (isOn) opponent.switch(false);
  game = Game.from(record);
  titled();
  note = record.note ?? "";
  changed(record.at === undefined ? game.end(game.root) : game.nodes()[record.at] ?? game.root, text);
  if (isOn) opponent.switch(true);
}

/** @type {import("./opponent.js").Kept | null} */
let resumed = null;
/** What the browser's memory has of an entry: the game, and whether it is played against the engine. */
function restore({ game, play }) {
  if (opponent.on) opponent.switch(false);
  // Until the game goes on, the memory still has it.
  resumed = play;
  put(game, "");
  resumed = null;
  if (!play) return;
  // What the clocks showed when the page was left.
  const left = JSON.parse(sessionStorage.getItem(LEFT) ?? "null");
  opponent.switch(true, left?.begun === play.begun && left.fen === here.fen ? left : play);
}

async function ask(address, options) {
  try {
    const answer = await fetch(address, options);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const record = await answer.json();
    if (record.fault) throw new Error(record.fault);
    return record;
  } catch (error) {
    status.textContent = error instanceof TypeError ? "The program does not answer. Is umbrail serve still running?" : error.message;
    return null;
  }
}

let loads = 0;
/** Reads a FEN or PGN; the former game stays in the browser's history. */
async function load(text, isNew = true) {
  const load = ++loads;
  const record = await ask("/api/game", { method: "POST", body: new URLSearchParams({ text, rules: game.rules }) });
  if (!record || load !== loads) return;
  if (addressed) keep();
  if (isNew && game.root.children.length) history.pushState(null, "", location.href);
  const read = Game.from(record), moves = Math.ceil(read.path(read.end(read.root)).length / 2);
  put(record, record.note ?? (moves ? `a game of ${moves} move${moves === 1 ? "" : "s"}` : "a position"));
}

/** Plays moves from a position on. */
async function follow(node, moves) {
  const record = await ask(`/api/game?${new URLSearchParams({ fen: node.fen, moves: moves.join(","), rules: game.rules })}`);
  if (!record) return;
  let end = node;
  for (const one of record.nodes) end = game.add(end, one);
  opponent.moved(end);
  changed(end);
}

function back() { if (here.parent) go(here.parent); }
function on() { if (here.children.length) go(here.children[0]); }

const actions = {
  first: () => go(game.root),
  back,
  on,
  last: () => go(game.end(here)),
  flip: () => {
    board.flip();
    board.redraw();
    part("#bar").classList.toggle("flipped", board.flipped);
    live.draw();
  },
  array: () => {
    if (addressed) keep();
    if (game.root.children.length) history.pushState(null, "", location.href);
    const number = anyNumber(), isRandom = settings.get("start") === "chess960";
    const start = isRandom ? new Game(chess960(number), "chess960") : new Game();
    put({ ...start.record(null), at: undefined }, isRandom ? `Chess960, position ${number}` : "the initial position");
  },
  keys: () => keys.showModal(),
  promote: () => { game.promote(here); changed(here, "this line is the main line"); },
  hint: () => opponent.giveHint(),
  takeback: () => {
    // Back to the player's own move.
    const last = opponent.isTurn(here) ? here : here.parent?.parent ? here.parent : here;
    if (!last.parent) return;
    changed(game.remove(last), "taken back");
    opponent.tookBack();
  },
  mistake: () => {
    const line = review.hooks.line(), isMark = node => node.nags.some(nag => [2, 4, 6].includes(nag));
    // From a variation, the search goes on where it left the main line.
    const left = [game.root, ...game.path(here)].findLastIndex(node => line.includes(node));
    const next = line.slice(left + 1).find(isMark) ?? line.find(isMark);
    if (!next) return tell("No move of the main line is marked.");
    go(next);
    // On a narrow screen the board is above the list.
    host.scrollIntoView({ block: "nearest" });
  },
  delete: () => { if (here.parent) changed(game.remove(here), "deleted"); },
  save: () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([game.pgn()], { type: "application/x-chess-pgn" }));
    link.download = "game.pgn";
    link.click();
    URL.revokeObjectURL(link.href);
    status.textContent = "game.pgn saved in the folder of downloads";
  },
  pgn: async () => { status.textContent = await copy(game.pgn()) ? "PGN copied" : "The browser does not allow copying."; },
  fen: async () => { status.textContent = await copy(here.fen) ? "FEN copied" : "The browser does not allow copying."; },
};
document.addEventListener("click", event => {
  const name = event.target.closest("button")?.dataset.do;
  if (name) actions[name]?.();
});

becomes.addEventListener("click", event => {
  const role = event.target.closest("button")?.dataset.role;
  const move = choices.find(move => move.uci.endsWith(role));
  if (!move) return;
  host.focus({ preventScroll: true });
  play(move);
});
function refuse() {
  becomes.hidden = true;
  host.focus({ preventScroll: true });
  stand(legal.get(here.fen));
}
host.addEventListener("pointerdown", () => { becomes.hidden = true; }, true);

const steps = {
  ArrowLeft: back, ArrowRight: on, Home: actions.first, End: actions.last, Backspace: back,
  ArrowUp: () => go(game.sibling(here, -1) ?? game.root),
  ArrowDown: () => go(game.sibling(here, 1) ?? game.end(here)),
};
const letters = {
  f: actions.flip, l: () => { if (!opponent.on) live.switch(); }, "?": actions.keys,
  h: () => { if (opponent.on) actions.hint(); }, t: () => { if (opponent.on) actions.takeback(); },
  " ": () => {
    // In a game, a search would be a hint.
    if (opponent.on) return;
    if (!live.on) live.switch(true);
    else if (live.best) follow(here, [live.best]);
  },
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  if (event.key === "Escape" && !becomes.hidden) return refuse();
  if (event.target.matches("input, textarea, select")) return;
  // The space bar presses a button that has the focus.
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  const step = steps[event.key] ?? (settings.get("keys") ? letters[event.key] : undefined);
  if (!step) return;
  event.preventDefault();
  step();
});

form.addEventListener("submit", event => {
  // The search is a page of its own; the way back leads to the game.
  if (event.submitter?.name === "go") {
    keep();
    sessionStorage.setItem(SEARCHED, JSON.stringify(history.state.game));
    return;
  }
  event.preventDefault();
  // The position on the board is no new game.
  if (field.value.trim() === here.fen) return tell("This position is on the board.");
  intake.take(field.value);
});
form.elements.left.addEventListener("change", () => live.restart());

window.addEventListener("popstate", event => { if (event.state?.game) restore(event.state); else location.reload(); });
// The clocks stand while the page is away.
window.addEventListener("pagehide", () => {
  if (addressed) keep();
  if (opponent.on) sessionStorage.setItem(LEFT, JSON.stringify({ ...opponent.kept, fen: here.fen }));
});
window.addEventListener("pageshow", event => { if (event.persisted && history.state?.play) restore(history.state); });

const given = new URLSearchParams(location.search), handed = Intake.handed();
const searched = given.get("go") ? JSON.parse(sessionStorage.getItem(SEARCHED) ?? "null") : null;
const side = given.get("against") ?? "";
if (isForGame && !history.state?.play) {
  // The address of a game names the side; that of the bare page leaves the choice of last time.
  if (side === "black" || given.has("moves") || given.has("fen")) settings.set("side", side);
  part("#against").focus({ preventScroll: true });
  setTimeout(() => { if (!handed) tell("Choose side and level, then \"Play against the engine\"."); });
}
if (handed) load(handed, false);
if (history.state?.game) restore(history.state);
else if (searched && field.value === (searched.nodes[searched.at] ?? searched).fen) put(searched, status.textContent);
else {
  const isDiagram = read(field.value).some(Boolean) && field.value.split(/\s+/).length >= 4 && !given.get("moves");
  const rules = given.get("rules") ?? "";
  put({ ...new Game(isDiagram ? field.value.trim() : undefined, rules).record(null), at: undefined }, status.textContent);
  if (given.get("moves")) ask(`/api/game?${new URLSearchParams({ fen: given.get("fen") ?? "", moves: given.get("moves"), rules })}`).then(record => record && put(record, ""));
  else if (given.get("fen") && !given.get("go")) load(given.get("fen"), false);
}
