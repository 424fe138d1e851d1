// A position of an endgame: moves by pointer or by keyboard. Each move is a link of the page's list.
import { Board, nameOf, read, squareOf } from "./board.js";

const host = document.querySelector("#board");
const board = new Board(host);
const said = document.querySelector("#said");
const links = [...document.querySelectorAll("[data-move]")];
if (host.querySelector(".names text")?.textContent === "a" && host.querySelector(".names text").getAttribute("x") !== "96") board.flipped = true;
const men = read(host.dataset.fen);

let from = null, cursor = null;
const targets = square => links.filter(link => link.dataset.move.slice(0, 2) === nameOf(square));

function redraw() {
  const marks = from === null ? [] : [[from, "held"], ...targets(from).map(link => [squareOf(link.dataset.move.slice(2, 4)), "target"])];
  if (cursor !== null) marks.push([cursor, "cursor"]);
  board.show(men, marks);
}

function choose(square) {
  if (from !== null) {
    const link = targets(from).find(link => link.dataset.move.slice(2, 4) === nameOf(square));
    if (link) return link.click();
  }
  from = targets(square).length && square !== from ? square : null;
  redraw();
}

host.addEventListener("pointerdown", event => {
  const square = board.squareAt(event.clientX, event.clientY);
  if (square !== null) choose(square);
});

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const onBoard = document.activeElement === host && cursor !== null;
  if (event.key === "Enter" && document.activeElement === host) {
    if (cursor === null) cursor = men.findIndex(man => man); else choose(cursor);
    redraw();
  } else if (onBoard && event.key.startsWith("Arrow")) {
    const way = board.flipped ? -1 : 1;
    const [x, y] = { ArrowUp: [0, way], ArrowDown: [0, -way], ArrowLeft: [-way, 0], ArrowRight: [way, 0] }[event.key];
    const file = cursor % 8 + x, rank = Math.floor(cursor / 8) + y;
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8) cursor = rank * 8 + file;
    said.textContent = nameOf(cursor);
    redraw();
  } else if (event.key === "Escape") { cursor = null; from = null; redraw(); }
  else if (event.key === "ArrowRight") document.querySelector("[data-best]")?.click();
  else if (event.key === "ArrowLeft") history.back();
  else return;
  event.preventDefault();
});
