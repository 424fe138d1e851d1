// The board of the analysis: legal moves are played on it, and the FEN follows. The server knows the moves.
import { Asker } from "./ask.js";
import { read } from "./board.js";
import { Player } from "./player.js";

const ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const host = document.querySelector("#board");
const field = document.querySelector("#play").elements.fen;
const status = document.querySelector("#status");
const tools = document.querySelector("#tools"), becomes = document.querySelector("#becomes");
// The positions before moves of the board, and the promotions to choose from.
const before = [];
let choices = [];

const player = new Player(host, status, true, found => {
  if (found.length === 1) return play(found[0]);
  choices = found;
  [tools.hidden, becomes.hidden] = [true, false];
  becomes.querySelector("button").focus();
});
const asker = new Asker("/api/moves", seen => {
  player.stand(player.pieces, seen.moves);
  if (seen.fault) status.textContent = seen.fault;
  else if (seen.note) status.textContent = seen.note;
  else if (!seen.moves.length) status.textContent = `${status.textContent} There is no move.`.trim();
  host.dataset.ready = "";
}, fault => { status.textContent = fault; });
// Without the mark the moves of the position are not known yet.
const ask = () => asker.now(new URLSearchParams({ fen: field.value }));

function put(fen, text) {
  field.value = fen;
  delete host.dataset.ready;
  player.arrows([]);
  player.stand(read(fen), []);
  status.textContent = text;
  [tools.hidden, becomes.hidden] = [false, true];
  ask();
}

function play(move) {
  before.push(field.value);
  put(move.fen, move.san);
}

function back() {
  if (before.length) put(before.pop(), "taken back");
}

becomes.addEventListener("click", event => {
  const role = event.target.closest("button")?.dataset.role;
  const move = choices.find(move => move.uci.endsWith(role));
  if (!move) return;
  host.focus({ preventScroll: true });
  play(move);
});
becomes.addEventListener("keydown", event => {
  if (event.key === "Escape") { host.focus(); put(field.value, ""); }
});
tools.addEventListener("click", event => {
  const what = event.target.closest("button")?.dataset.do;
  if (what === "back") back();
  if (what === "array") { before.push(field.value); put(ARRAY, "the initial position"); }
  if (what === "flip") { player.arrows([]); player.flip(); player.redraw(); }
});
host.addEventListener("keydown", event => {
  if (event.key === "Backspace") { back(); event.preventDefault(); }
});
field.addEventListener("input", () => {
  delete host.dataset.ready;
  player.stand(read(field.value), []);
  asker.soon(() => new URLSearchParams({ fen: field.value }));
});
player.stand(read(field.value), []);
ask();
// On a phone the results lie below what is seen first.
if (matchMedia("(max-width: 800px)").matches) document.querySelector("#results")?.scrollIntoView();
