// The board of the analysis: legal moves are played on it, and the FEN follows. The server knows the moves.
import { Board, manName, nameOf, read, squareOf } from "./board.js";

const host = document.querySelector("#board");
const field = document.querySelector("#play").elements.fen;
const said = document.querySelector("#said");
const board = new Board(host);
let men = read(field.value), moves = [], from = null, cursor = 4, asking = null;

const of = square => moves.filter(move => move.uci.slice(0, 2) === nameOf(square));

function redraw() {
  const marks = from === null ? [] : [[from, "held"], ...of(from).map(move => [squareOf(move.uci.slice(2, 4)), "target"])];
  if (document.activeElement === host && host.matches(":focus-visible")) marks.push([cursor, "cursor"]);
  board.show(men, marks);
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  try {
    const answer = await fetch(`/api/moves?${new URLSearchParams({ fen: field.value })}`, { signal: asking.signal });
    const seen = await answer.json();
    moves = seen.moves;
    if (seen.fault) said.textContent = seen.fault;
  } catch (error) {
    if (error.name !== "AbortError") said.textContent = "The program does not answer.";
  }
}

function choose(square) {
  if (from !== null) {
    const found = of(from).filter(move => move.uci.slice(2, 4) === nameOf(square));
    // A pawn becomes a queen; another piece can be put by the FEN.
    const move = found.find(move => move.uci.endsWith("q")) ?? found[0];
    if (move) {
      field.value = move.fen;
      men = read(move.fen);
      for (const arrow of host.querySelectorAll(".arrow")) arrow.remove();
      said.textContent = move.san;
      [from, moves] = [null, []];
      redraw();
      return ask();
    }
  }
  from = of(square).length && square !== from ? square : null;
  if (from !== null) said.textContent = `took the ${manName(men[square])}`;
  redraw();
}

host.addEventListener("pointerdown", event => {
  const square = board.squareAt(event.clientX, event.clientY);
  if (square !== null) { cursor = square; choose(square); }
});
host.addEventListener("focus", redraw);
host.addEventListener("blur", redraw);
host.addEventListener("keydown", event => {
  const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (step) {
    const file = cursor % 8 + step[0], rank = Math.floor(cursor / 8) + step[1];
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8) cursor = rank * 8 + file;
    said.textContent = `${nameOf(cursor)}${men[cursor] ? `, ${manName(men[cursor])}` : ""}`;
    redraw();
  } else if (event.key === "Enter" || event.key === " ") choose(cursor);
  else return;
  event.preventDefault();
});
field.addEventListener("input", () => { men = read(field.value); from = null; redraw(); ask(); });
redraw();
ask().then(() => host.dataset.ready = "");
