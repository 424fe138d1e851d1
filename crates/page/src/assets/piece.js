// The designer of pieces: the grid writes a definition, and a definition fills the grid.
import { Asker, keep } from "./ask.js";
import { element } from "./gauges.js";

const grid = document.querySelector("#grid");
const form = document.querySelector("#piece");
const field = form.elements.piece;
const look = document.querySelector("#look");
const mode = document.querySelector("#mode");
const symmetry = document.querySelector("#symmetry");
const cells = [...grid.querySelectorAll("button")];
const cellAt = (right, forward) => cells.find(cell => Number(cell.dataset.right) === right && Number(cell.dataset.forward) === forward);

function images(right, forward) {
  const two = [[right, forward], [-right, forward]];
  const four = [...two, [right, -forward], [-right, -forward]];
  const eight = [...four, ...four.map(([a, b]) => [b, a])];
  return { 1: [[right, forward]], 2: two, 4: four, 8: eight }[symmetry.value];
}

grid.addEventListener("click", event => {
  const cell = event.target.closest("button");
  if (!cell) return;
  const { right, forward, kind } = cell.dataset;
  const next = { undefined: "step", step: "ride", ride: null }[kind];
  for (const [x, y] of images(Number(right), Number(forward))) {
    const image = cellAt(x, y);
    if (next) { image.dataset.kind = next; image.dataset.mode = mode.value; }
    else { delete image.dataset.kind; delete image.dataset.mode; }
  }
  write();
});

// The Tab key stops at one square, and arrow keys lead on from there, over the piece in the middle.
grid.addEventListener("keydown", event => {
  const cell = event.target.closest("button");
  const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (!cell || !step) return;
  const at = times => cellAt(Number(cell.dataset.right) + times * step[0], Number(cell.dataset.forward) + times * step[1]);
  const next = at(1) ?? at(2);
  event.preventDefault();
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

document.querySelector("#clear").addEventListener("click", () => {
  for (const cell of cells) { delete cell.dataset.kind; delete cell.dataset.mode; }
  field.value = "";
  ask("", false);
});

// A line of piecedef.ini, one move for each square; the server shortens it.
function write() {
  const moves = cells.filter(cell => cell.dataset.kind).map(cell => {
    const signs = (cell.dataset.kind === "ride" ? "s" : "") + { both: "", move: "n", capture: "c" }[cell.dataset.mode];
    return `${cell.dataset.forward},${cell.dataset.right}${signs ? `,${signs}` : ""}`;
  });
  ask(moves.length ? `X: ${moves.join(" ")}` : "", false);
}

// Whether the definition on its way was typed: then the field keeps what stands in it.
let typed = false;
const asker = new Asker("/api/piece", seen => {
  const short = seen.betza ? `${seen.letter} = ${seen.betza}` : "";
  if (!typed) field.value = short;
  if (!seen.fault) fill(seen);
  keep("/pieces", new URLSearchParams(short ? { piece: short } : {}));
  show(seen, short);
}, fault => show({ fault }, ""));

function ask(line, byHand) {
  typed = byHand;
  asker.now(new URLSearchParams({ piece: line }));
}

field.addEventListener("input", () => { typed = true; asker.soon(() => new URLSearchParams({ piece: field.value })); });
form.addEventListener("submit", event => { event.preventDefault(); ask(field.value, true); });

function fill(seen) {
  for (const cell of cells) { delete cell.dataset.kind; delete cell.dataset.mode; }
  for (const step of seen.steps) {
    const cell = cellAt(step.right, step.forward);
    if (!cell) continue;
    cell.dataset.kind = step.rides ? "ride" : "step";
    cell.dataset.mode = step.moves && step.captures ? "both" : step.moves ? "move" : "capture";
  }
  grid.querySelector(".middle").textContent = seen.letter;
}

function show(seen, short) {
  const parts = [];
  if (seen.fault) parts.push(element("p", seen.fault, "fault"));
  if (short) {
    const table = element("table", "", "figures");
    const row = (name, text, kind) => table.insertRow().append(element("th", name), element("td", text, kind));
    row("Betza", short, "mono");
    row("piecedef.ini", seen.piecedef ? `${seen.letter}: ${seen.piecedef}` : short, "mono");
    if (seen.known) row("known as", seen.known);
    const links = element("p");
    const link = (text, path, words) => {
      const made = element("a", text);
      made.href = `${path}?${new URLSearchParams(words)}`;
      links.append(made, " ");
    };
    link("Does it mate a bare king?", `/tables/K${seen.letter}.K`, { metric: "dtm", piece: short });
    link("How often does it win against Q, R, B, N?", "/survey", { pattern: `K${seen.letter}.K?`, letters: "QRBN", metric: "dtm", piece: short });
    // The drawing is the server's own: the letter in it is escaped there.
    const preview = element("div", "", "preview");
    preview.innerHTML = seen.preview;
    const beyond = element("p", "The squares show only leaps and slides. A click on one of them begins a new piece.", "hint");
    parts.push(table, ...seen.piecedef ? [] : [beyond], element("p", seen.sentence), preview, links);
  }
  look.replaceChildren(...parts);
}
