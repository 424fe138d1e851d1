// Sets up a position of an endgame: board, side to move and FEN follow each other.
import { Editor, read } from "./board.js";

const fields = document.querySelector("#setup").elements;
const fen = fields.fen, turn = document.querySelector("#turn"), clock = document.querySelector("#clock");
const editor = new Editor(
  document.querySelector("#board"), document.querySelector("#palette"), document.querySelector("#status"),
  placement => write(placement));
editor.show(read(fen.value));

function write(placement = fen.value.trim().split(/\s+/)[0]) {
  fen.value = `${placement} ${turn.value} - - ${clock?.value || 0} 1`;
}

turn.addEventListener("change", () => write());
clock?.addEventListener("input", () => write());
fen.addEventListener("input", () => {
  editor.show(read(fen.value));
  const [, side, , , count] = fen.value.trim().split(/\s+/);
  if (side === "w" || side === "b") turn.value = side;
  if (clock && /^\d+$/.test(count ?? "")) clock.value = count;
});
document.querySelector("[data-do=clear]").addEventListener("click", () => {
  editor.show(Array(64).fill(null));
  write("8/8/8/8/8/8/8/8");
});
