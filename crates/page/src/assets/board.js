// A diagram on the page: drawn by the server, changed here.
import { drawPiece, readFigures, svgElement as element } from "./pieces.js";

export const nameOf = square => "abcdefgh"[square % 8] + (Math.floor(square / 8) + 1);
export const squareOf = name => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
const ROLES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
export const pieceName = letter =>
  `${letter === letter.toUpperCase() ? "white" : "black"} ${ROLES[letter.toLowerCase()] ?? letter}`;

// The pieces of a placement: 64 letters or null, a1 first.
export function read(fen) {
  const pieces = Array(64).fill(null);
  (fen.trim().split(/\s+/)[0] ?? "").split("/").slice(0, 8).forEach((row, at) => {
    let file = 0;
    for (const letter of row) {
      if (/[0-9]/.test(letter)) file += Number(letter);
      else if (file < 8) pieces[(7 - at) * 8 + file++] = letter;
    }
  });
  return pieces;
}

export function write(pieces) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = "", blank = 0;
    for (let file = 0; file < 8; file++) {
      const piece = pieces[rank * 8 + file];
      if (piece) { row += (blank || "") + piece; blank = 0; } else blank++;
    }
    rows.push(row + (blank || ""));
  }
  return rows.join("/");
}

// The pieces for a reader that does not see the drawing, as the server writes them: White Ka1 Qb1, Black Kd5.
export function inWords(pieces) {
  const ORDER = "KQRBN";
  const side = (name, isOf) => {
    const found = pieces.flatMap((letter, square) => letter && isOf(letter) ? [[letter.toUpperCase(), square]] : []);
    const rank = letter => ORDER.includes(letter) ? ORDER.indexOf(letter) : letter === "P" ? 6 : 5;
    found.sort((one, other) => rank(one[0]) - rank(other[0]) || one[1] - other[1]);
    return found.length ? [`${name} ${found.map(([letter, square]) => letter + nameOf(square)).join(" ")}`] : [];
  };
  const isWhite = letter => letter === letter.toUpperCase();
  return [...side("White", isWhite), ...side("Black", letter => !isWhite(letter))].join(", ") || "empty board";
}

// The pieces of a page have one set of figures.
const figures = () => readFigures(document.querySelector("[data-figures]")?.dataset.figures);

export class Board {
  constructor(host) {
    this.host = host;
    this.svg = host.querySelector("svg.board");
    this.layer = this.svg.querySelector(".men");
    this.flipped = false;
    this.marks = element("g", {});
    // Under the names of files and ranks.
    this.svg.querySelector(".names").before(this.marks);
    this.pieces = Array(64).fill(null);
  }

  corner(square) {
    const file = square % 8, rank = Math.floor(square / 8);
    return this.flipped ? [(7 - file) * 100, rank * 100] : [file * 100, (7 - rank) * 100];
  }

  // The square under a point of the window, or null.
  squareAt(x, y) {
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor((x - box.left) / box.width * 8);
    const row = Math.floor((y - box.top) / box.height * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.flipped ? row * 8 + 7 - column : (7 - row) * 8 + column;
  }

  // Shows pieces (64 letters or null) and marked squares ([square, class]).
  show(pieces, marks = []) {
    this.pieces = pieces;
    this.svg.setAttribute("aria-label", inWords(pieces));
    const known = figures();
    this.layer.replaceChildren(...pieces.flatMap((letter, square) =>
      letter ? [drawPiece(letter, this.corner(square)[0], this.corner(square)[1], known)] : []));
    this.marks.replaceChildren(...marks.map(([square, kind]) => {
      const [x, y] = this.corner(square);
      return element("rect", {
        x: kind === "cursor" ? x + 4 : x, y: kind === "cursor" ? y + 4 : y,
        width: kind === "cursor" ? 92 : 100, height: kind === "cursor" ? 92 : 100,
        class: kind === "cursor" ? "cursor" : `mark ${kind}`,
        ...(kind === "cursor" ? {} : { fill: "#e2b93b", "fill-opacity": 0.55 }),
      });
    }));
  }

  // Arrows ([from, to, class]) in place of those that are there.
  arrows(list) {
    for (const old of this.svg.querySelectorAll(".arrow")) old.remove();
    for (const [from, to, kind] of list) {
      const [x1, y1] = this.corner(from).map(at => at + 50), [x2, y2] = this.corner(to).map(at => at + 50);
      const length = Math.hypot(x2 - x1, y2 - y1);
      if (length < 1) continue;
      const [u, v] = [(x2 - x1) / length, (y2 - y1) / length], neck = length - 42;
      const at = (along, across) => `${(x1 + u * along - v * across).toFixed(0)} ${(y1 + v * along + u * across).toFixed(0)}`;
      const corners = [at(18, -8), at(neck, -8), at(neck, -24), at(length - 6, 0), at(neck, 24), at(neck, 8), at(18, 8)];
      this.svg.append(element("path", { class: `arrow ${kind}`, fill: "#2f6f4f", "fill-opacity": 0.8, d: `M${corners.join("L")}Z` }));
    }
  }

  flip() {
    this.flipped = !this.flipped;
    for (const name of this.svg.querySelectorAll(".names text")) {
      const text = name.textContent;
      const line = /[a-h]/.test(text) ? text.charCodeAt(0) - 97 : Number(text) - 1;
      const [x, y] = this.corner(/[a-h]/.test(text) ? line : line * 8);
      if (/[a-h]/.test(text)) name.setAttribute("x", x + 96);
      else name.setAttribute("y", y + 20);
    }
  }
}

// A press that moved less than this is a click, in pixels.
const CLICK_MAX = 4;
export const isClick = (begun, end) => Math.hypot(end.clientX - begun.clientX, end.clientY - begun.clientY) < CLICK_MAX;

// A piece follows the pointer until it is released; `drop` gets the place, or nothing if the system took the pointer.
export function drag(letter, begun, drop) {
  const ghost = element("svg", { viewBox: "0 0 100 100", class: "drag" });
  ghost.append(drawPiece(letter, 0, 0, figures()));
  const follow = event => {
    // A click is no drag.
    if (!ghost.isConnected && isClick(begun, event)) return;
    if (!ghost.isConnected) document.body.append(ghost);
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
  };
  const end = event => {
    window.removeEventListener("pointermove", follow);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
    ghost.remove();
    drop(event.type === "pointercancel" ? null : event);
  };
  window.addEventListener("pointermove", follow);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}

// Sets up pieces by pointer and keyboard. `changed` gets the placement.
export class Editor extends Board {
  constructor(host, palette, status, changed) {
    super(host);
    const letters = [...palette.querySelectorAll("[data-piece]")].map(button => button.dataset.piece);
    this.status = status;
    this.changed = changed;
    this.letters = letters;
    this.cursor = 0;
    /** @type {number | null} The square whose piece goes to the next square that is clicked. */
    this.held = null;
    /** @type {string | null} The piece of the palette that each clicked square gets. */
    this.brush = null;
    this.buttons = [...palette.querySelectorAll("[data-piece]")];
    host.addEventListener("keydown", event => this.key(event));
    host.addEventListener("pointerdown", event => this.grab(event, null));
    host.addEventListener("focus", () => this.redraw());
    host.addEventListener("blur", () => this.redraw());
    for (const button of palette.querySelectorAll("[data-piece]")) {
      button.addEventListener("pointerdown", event => this.grab(event, button.dataset.piece));
      button.addEventListener("click", event => {
        // Chosen by the keyboard: put on the square of the cursor.
        if (event.detail === 0) this.put(this.cursor, button.dataset.piece);
      });
    }
  }

  redraw() {
    const marks = [];
    if (this.held !== null) marks.push([this.held, "held"]);
    if (document.activeElement === this.host && this.host.matches(":focus-visible")) marks.push([this.cursor, "cursor"]);
    this.show(this.pieces, marks);
  }

  tell(text) { this.status.textContent = text; }

  put(square, piece) {
    this.pieces[square] = piece;
    this.tell(piece ? `${pieceName(piece)} on ${nameOf(square)}` : `${nameOf(square)} is empty`);
    this.redraw();
    this.changed(write(this.pieces));
  }

  move(from, to) {
    if (from === to) return this.redraw();
    const piece = this.pieces[from];
    this.pieces[from] = null;
    this.put(to, piece);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = this.flipped ? -1 : 1;
    const steps = { ArrowUp: [0, way], ArrowDown: [0, -way], ArrowLeft: [-way, 0], ArrowRight: [way, 0] };
    const step = steps[event.key];
    if (step) {
      const file = this.cursor % 8 + step[0], rank = Math.floor(this.cursor / 8) + step[1];
      if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.cursor = rank * 8 + file;
      const piece = this.pieces[this.cursor];
      this.tell(`${nameOf(this.cursor)}${piece ? `, ${pieceName(piece)}` : ""}`);
      this.redraw();
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.held !== null) { const from = this.held; this.held = null; this.move(from, this.cursor); }
      else if (this.pieces[this.cursor]) { this.held = this.cursor; this.tell(`picked up the ${pieceName(this.pieces[this.cursor])}`); this.redraw(); }
    } else if (event.key === "Escape" && (this.held !== null || this.brush)) {
      this.held = null; this.choose(null); this.redraw();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.put(this.cursor, null);
    } else if (this.letters.includes(event.key)) {
      this.put(this.cursor, event.key);
    } else return;
    event.preventDefault();
  }

  // Chooses a piece of the palette, or none.
  choose(letter) {
    this.brush = letter;
    for (const button of this.buttons) button.setAttribute("aria-pressed", `${button.dataset.piece === letter}`);
    this.tell(letter ? `${pieceName(letter)}: click the squares that get one; click it again to end` : "");
  }

  // Drags a piece of the board or of the palette; off the board it is removed. A click on a piece and one on a square do
  // the same without dragging.
  grab(event, piece) {
    if (event.button !== 0) return;
    const from = piece ? null : this.squareAt(event.clientX, event.clientY);
    const held = this.held;
    if (from !== null) {
      this.cursor = from;
      if (this.brush || held !== null && held !== from) {
        event.preventDefault();
        this.host.focus({ preventScroll: true });
        this.held = null;
        if (this.brush) this.put(from, this.brush); else this.move(held, from);
        return;
      }
    }
    const letter = piece ?? (from === null ? null : this.pieces[from]);
    if (!letter) { this.host.focus({ preventScroll: true }); return; }
    event.preventDefault();
    if (from !== null) { this.held = from; this.redraw(); }
    drag(letter, event, end => {
      this.held = null;
      if (!end) return this.redraw();
      if (isClick(event, end)) {
        if (piece) return this.choose(this.brush === piece ? null : piece);
        // A second click puts the piece back.
        this.held = held === from ? null : from;
        this.tell(this.held === null ? "put back" : `picked up the ${pieceName(letter)}; click its new square`);
        return this.redraw();
      }
      const to = this.squareAt(end.clientX, end.clientY);
      if (to !== null) {
        this.cursor = to;
        if (from === null) this.put(to, letter); else this.move(from, to);
      } else if (from !== null) this.put(from, null);
      else this.redraw();
    });
  }
}
