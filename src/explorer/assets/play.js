// The board of the analysis: men are moved freely, and the FEN follows. A move passes the turn.
import { Board, manName, nameOf, read, write } from "./board.js";

const host = document.querySelector("#board");
const field = document.querySelector("#play").elements.fen;
const said = document.querySelector("#said");
const board = new Board(host);
let men = read(field.value), from = null, cursor = 4;

function redraw() {
  const marks = from === null ? [] : [[from, "held"]];
  if (document.activeElement === host && host.matches(":focus-visible")) marks.push([cursor, "cursor"]);
  board.show(men, marks);
}

function choose(square) {
  if (from === null) {
    if (men[square]) { from = square; said.textContent = `took the ${manName(men[square])}`; }
  } else {
    if (square !== from) {
      const man = men[from];
      men[square] = man;
      men[from] = null;
      for (const arrow of host.querySelectorAll(".arrow")) arrow.remove();
      const turn = man === man.toUpperCase() ? "b" : "w";
      // Castling rights and en passant are not known any more; they can be typed.
      field.value = `${write(men)} ${turn} - - 0 1`;
      said.textContent = `${manName(man)} to ${nameOf(square)}`;
    }
    from = null;
  }
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
field.addEventListener("input", () => { men = read(field.value); redraw(); });
redraw();
