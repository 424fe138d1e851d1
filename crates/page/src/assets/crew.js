// The strategies that workers search, piece by piece. A piece under the pointer is shown on the board with its route;
// captures are arrows of another color. Lines are changed in place, so that the line under the pointer stays.
import { squareOf } from "./board.js";
import { element } from "./gauges.js";

// The route of a piece such as "Pc2xPd7 b5xPa7 a6-a7": steps as [from, to, class].
export function way(text) {
  const start = /^\s*[A-Z]([a-h][1-8])/.exec(text);
  if (!start) return [];
  let from = squareOf(start[1]);
  const steps = [];
  for (const [, capture, target] of text.slice(start[0].length).matchAll(/(?:(x[A-Z][a-h][1-8]) |-)([a-h][1-8])/g)) {
    const to = squareOf(target);
    steps.push([from, to, capture ? "loss" : "left"]);
    from = to;
  }
  return steps;
}

export class Crew {
  constructor(board) {
    this.board = board;
    this.box = element("div", "", "workers");
    this.workers = new Map();
    this.shown = null;
    const at = event => event.target.closest?.("[data-piece]");
    for (const kind of ["pointerover", "focusin"]) this.box.addEventListener(kind, event => { if (at(event)) { this.shown = at(event); this.draw(); } });
    for (const kind of ["pointerleave", "focusout"]) this.box.addEventListener(kind, () => { this.shown = null; this.draw(); });
  }

  draw() {
    const text = this.shown?.textContent ?? "";
    const all = this.shown?.dataset.piece === "captures";
    const lines = all ? [...this.shown.parentElement.querySelectorAll("[data-piece=piece]")].map(line => line.textContent) : [text];
    this.board.arrows(lines.flatMap(line => way(line).filter(step => !all || step[2] === "loss")));
  }

  show(players) {
    for (const player of players) {
      if (!this.workers.has(player.name)) this.workers.set(player.name, this.worker());
      const worker = this.workers.get(player.name);
      const idle = !player.white.length && !player.black.length;
      worker.head.textContent = idle ? `Worker ${player.name} waits for a strategy` : `Worker ${player.name}, free moves ${player.free ?? "–"}${player.case ? `, case ${player.case}` : ""}`;
      worker.box.classList.toggle("idle", idle);
      if (!idle) worker.sides.forEach((side, at) => this.fill(side, at ? player.black : player.white));
    }
    if (this.shown) this.draw();
  }

  worker() {
    const box = element("section"), head = element("h2"), sides = [element("div"), element("div")];
    const captures = element("button", "All captures on the board", "quiet");
    captures.type = "button";
    captures.dataset.piece = "captures";
    const columns = element("div", "", "columns");
    columns.append(...sides);
    box.append(head, captures, columns);
    this.box.append(box);
    return { box, head, sides };
  }

  fill(side, pieces) {
    while (side.children.length < pieces.length) {
      const line = element("button", "", "quiet mono");
      line.type = "button";
      line.dataset.piece = "piece";
      side.append(line);
    }
    [...side.children].forEach((line, at) => {
      line.hidden = at >= pieces.length;
      const text = (pieces[at] ?? "").trim();
      if (line.textContent !== text) line.textContent = text;
    });
  }
}
