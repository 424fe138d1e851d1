// A board on which legal moves are played, by pointer and by keyboard. The caller supplies the moves.
import { Board, drag, pieceName, nameOf, squareOf } from "./board.js";

export class Player extends Board {
  // `played` is given the moves from one square to another: several where a pawn is promoted. `guided` means that arrow
  // keys lead the cursor as soon as the board has the focus; else Enter begins with it, and Escape ends it.
  constructor(host, status, guided, played) {
    super(host);
    this.status = status;
    this.played = played;
    this.guided = guided;
    this.always = guided;
    /** @type {any[]} */
    this.moves = [];
    /** @type {number[]} */
    this.last = [];
    /** @type {number | null} */
    this.from = null;
    this.cursor = 4;
    host.addEventListener("pointerdown", event => this.press(event));
    for (const kind of ["focus", "blur"]) host.addEventListener(kind, () => this.redraw());
    host.addEventListener("keydown", event => this.key(event));
  }

  // Shows pieces (64 letters or null). A move has `uci`; the squares of the last one are marked.
  stand(pieces, moves, last = "") {
    this.moves = moves;
    this.from = null;
    this.last = last ? [squareOf(last.slice(0, 2)), squareOf(last.slice(2, 4))] : [];
    this.pieces = pieces;
    this.redraw();
  }

  of(square) { return this.moves.filter(move => move.uci.slice(0, 2) === nameOf(square)); }

  between(from, to) { return this.of(from).filter(move => move.uci.slice(2, 4) === nameOf(to)); }

  redraw() {
    const marks = this.last.map(square => [square, "last"]);
    if (this.from !== null) marks.push([this.from, "held"], ...this.of(this.from).map(move => [squareOf(move.uci.slice(2, 4)), "target"]));
    if (this.guided && document.activeElement === this.host && this.host.matches(":focus-visible")) marks.push([this.cursor, "cursor"]);
    this.show(this.pieces, marks);
  }

  choose(square) {
    const held = this.from;
    if (held !== null) {
      const found = this.between(held, square);
      if (found.length) return this.played(found);
    }
    this.from = this.of(square).length && square !== this.from ? square : null;
    if (this.from !== null) this.status.textContent = `picked up the ${pieceName(this.pieces[square])}`;
    else if (held !== null) this.refuse(held, square);
    this.redraw();
  }

  // Says that the piece cannot go there, or was put back.
  refuse(from, to) {
    this.status.textContent = from === to ? "put back" : `the ${pieceName(this.pieces[from])} cannot go to ${nameOf(to)}`;
  }

  press(event) {
    const square = this.squareAt(event.clientX, event.clientY);
    if (event.button !== 0 || square === null) return;
    const held = this.from;
    this.cursor = square;
    this.choose(square);
    if (this.from !== square || held === square) return;
    drag(this.pieces[square], event, end => {
      const to = end ? this.squareAt(end.clientX, end.clientY) : null;
      if (to === null || to === square) return;
      if (this.between(square, to).length) this.choose(to);
      else this.refuse(square, to);
    });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = this.flipped ? -1 : 1;
    const step = { ArrowUp: [0, way], ArrowDown: [0, -way], ArrowLeft: [-way, 0], ArrowRight: [way, 0] }[event.key];
    if (step && this.guided) {
      const file = this.cursor % 8 + step[0], rank = Math.floor(this.cursor / 8) + step[1];
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.cursor = rank * 8 + file;
      const piece = this.pieces[this.cursor];
      this.status.textContent = `${nameOf(this.cursor)}${piece ? `, ${pieceName(piece)}` : ""}`;
      this.redraw();
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.guided) this.choose(this.cursor);
      else {
        this.guided = true;
        this.cursor = this.moves.length ? squareOf(this.moves[0].uci.slice(0, 2)) : this.cursor;
        this.status.textContent = `${nameOf(this.cursor)}: arrow keys move, Enter picks up and drops, Escape ends`;
        this.redraw();
      }
    } else if (event.key === "Escape" && (this.from !== null || this.guided !== this.always)) {
      this.from = null;
      this.guided = this.always;
      this.redraw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
