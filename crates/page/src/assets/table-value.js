// The table value of the position on the board, as soon as few enough pieces remain.
import { Asker } from "./ask.js";
import { read } from "./board.js";

/** Largest number of pieces of a table. */
const PIECES_MAX = 6;

export class TableValue {
  /** @param {HTMLElement} line */
  constructor(line) {
    this.line = line;
    this.asker = new Asker("/api/tables/value", seen => this.write(seen), () => this.hide());
  }

  hide() {
    this.line.hidden = true;
    this.asker.stop();
  }

  /** @param {string} fen */
  show(fen) {
    this.hide();
    if (read(fen).filter(Boolean).length <= PIECES_MAX) this.asker.soon(() => new URLSearchParams({ fen }));
  }

  write({ endgame, text, class: kind, address }) {
    this.line.hidden = !endgame;
    if (!endgame) return;
    const link = document.createElement("a");
    Object.assign(link, { textContent: text, href: address, className: `worth ${kind}` });
    this.line.replaceChildren("Table: ", link);
  }
}
