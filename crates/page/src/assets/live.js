// The engine on the page: its lines, the evaluation bar and the arrows. All that is shown belongs to the position on
// the board; after a move everything is cleared, and the search of the new position begins.
import { squareOf } from "./board.js";
import { chances, numbered, scoreText, scoreWords, short, whites } from "./score.js";

/** @typedef {import("./score.js").Line} Line */

/**
 * A position with the game that leads to it.
 * @typedef {object} Place
 * @property {{fen: string, moves: string}} words The start of the game and its moves, as words of a request.
 * @property {string} fen
 * @property {Line | null} [stored] The score that the game contains, where the engine has none.
 * @property {string} [better] The move that was best in place of the last one.
 */

/** @typedef {{text: string, result: string}} Ending */
/** @typedef {{depth: number, nodes: number, elapsed_ms: number, threads: number, lines: Line[]}} Snapshot */

/** Time in ms between two searches while somebody steps through a game. */
const PAUSE = 120;
/** Number of positions whose last lines are remembered. */
const KNOWN_MAX = 400;
/** Number of lines that have an arrow. */
const ARROWS_MAX = 4;

export const viewer = [...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, "0")).join("");
const part = id => document.querySelector(`#${id}`);

export class Live {
  /**
   * @param {object} hooks
   * @param {(name: string) => string | boolean} hooks.setting
   * @param {() => string} hooks.options Options of the search, one a line.
   * @param {(arrows: [number, number, string][]) => void} hooks.arrows
   * @param {(uci: string[]) => void} hooks.play Plays moves of a line.
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.toggle = part("toggle");
    this.score = part("score");
    this.figures = part("figures");
    this.trouble = part("trouble");
    this.list = part("lines");
    this.bar = part("bar");
    this.on = false;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {Place | null} */
    this.place = null;
    /** @type {Ending | null} */
    this.ending = null;
    /** @type {Map<string, Snapshot>} */
    this.known = new Map();
    [this.timer, this.begun] = [0, 0];
    this.toggle.addEventListener("click", () => this.switch());
    this.list.addEventListener("click", event => this.chosen(event));
    // A page in the browser's memory must not keep a search running.
    window.addEventListener("pagehide", () => this.close());
    window.addEventListener("pageshow", event => { if (event.persisted) this.search(); });
  }

  switch(on = !this.on) {
    this.on = on;
    this.toggle.textContent = on ? "Stop the engine" : "Start the engine";
    this.restart();
  }

  /**
   * Shows a position; the ending may become known later.
   * @param {Place} place
   * @param {Ending | null} ending
   */
  show(place, ending) {
    Object.assign(this, { place, ending });
    this.restart();
  }

  /**
   * Shows the move that was best in place of the last one, as long as its position is on the board.
   * @param {string} fen
   * @param {string} uci
   */
  point(fen, uci) {
    if (this.place?.fen !== fen) return;
    this.place.better = uci;
    this.draw();
  }

  /** @param {Ending | null} ending */
  end(ending) {
    this.ending = ending;
    if (!ending) return;
    this.close();
    this.draw();
  }

  restart() {
    this.close();
    this.trouble.hidden = true;
    this.draw();
    this.search();
  }

  /** Begins the search: at once after a pause, with a delay while one position follows the other. */
  search() {
    clearTimeout(this.timer);
    if (!this.on || !this.place || this.ending) return;
    const wait = PAUSE - (performance.now() - this.begun);
    this.begun = performance.now();
    if (wait > 0) this.timer = setTimeout(() => this.open(), wait);
    else this.open();
  }

  open() {
    this.close();
    const { fen } = this.place, words = { ...this.place.words, left: this.hooks.options(), viewer };
    for (const name of ["lines", "threads", "hash"]) words[name] = `${this.hooks.setting(name)}`;
    const source = this.source = new EventSource(`/api/analysis?${new URLSearchParams(words)}`);
    const listen = (name, heard) => source.addEventListener(name, event => {
      if (source === this.source) heard(JSON.parse(event.data));
    });
    listen("lines", snapshot => {
      this.trouble.hidden = true;
      this.keep(fen, snapshot);
      this.draw();
    });
    listen("over", () => this.close());
    listen("fault", ({ text }) => { this.close(); this.complain(text); });
    // The browser connects again, unless the answer was no stream.
    source.onerror = () => {
      if (source !== this.source) return;
      this.complain("The program does not answer. Is umbrail serve still running?");
      if (source.readyState === EventSource.CLOSED) this.source = null;
    };
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  complain(text) {
    this.trouble.textContent = text;
    this.trouble.hidden = false;
  }

  keep(fen, snapshot) {
    this.known.delete(fen);
    this.known.set(fen, snapshot);
    if (this.known.size > KNOWN_MAX) this.known.delete(this.known.keys().next().value);
  }

  /** The lines of the position on the board, if there are any. */
  get snapshot() { return this.ending ? undefined : this.known.get(this.place?.fen); }

  /** The best move of the position on the board. */
  get best() { return this.snapshot?.lines[0]?.uci[0]; }

  draw() {
    const { snapshot, ending } = this, fen = this.place?.fen ?? "";
    const first = ending ? null : snapshot?.lines[0] ?? this.place?.stored;
    const view = this.hooks.setting("view") === "mover" ? "mover" : "white";
    this.score.textContent = ending ? ending.text : first ? scoreText(first, fen, view) : this.on ? "…" : "";
    this.score.title = first ? scoreWords(first, fen) : "";
    this.figures.textContent = snapshot ? this.facts(snapshot, fen) : first ? "from the analysis of the game" : "";
    const share = ending ? { "1-0": 1000, "0-1": 0 }[ending.result] ?? 500 : first ? whites(first, fen) : null;
    this.bar.toggleAttribute("data-empty", share === null);
    this.bar.querySelector(".side-white").setAttribute("y", 1000 - (share ?? 500));
    this.bar.setAttribute("aria-label", ending ? ending.text : first ? scoreWords(first, fen) : "no evaluation yet");
    this.rows(snapshot?.lines ?? [], fen, view);
    const better = this.place?.better, best = snapshot?.lines.slice(0, ARROWS_MAX).flatMap(line => line.uci.slice(0, 1));
    const arrows = this.hooks.setting("arrows") ? best ?? (better ? [better] : []) : [];
    /** @returns {[number, number, string]} */
    const of = (uci, at) => [squareOf(uci.slice(0, 2)), squareOf(uci.slice(2, 4)), at ? "weak" : "left"];
    this.hooks.arrows(arrows.map(of).reverse());
  }

  facts({ depth, nodes, elapsed_ms, threads, lines }, fen) {
    const speed = elapsed_ms > 0 ? `, ${short(Math.round(nodes / elapsed_ms * 1000))} nodes/s` : "";
    const chance = chances(lines[0], fen);
    const many = threads > 1 ? `, ${threads} threads` : "";
    return `depth ${depth}${speed}${many}${chance ? `. ${chance}` : ""}`;
  }

  // Rows and moves are changed in place: a row that is replaced while somebody clicks on it would lose the click.
  rows(lines, fen, view) {
    const count = lines.length || (this.on && !this.ending ? Number(this.hooks.setting("lines")) : 0);
    while (this.list.children.length > count) this.list.lastChild.remove();
    while (this.list.children.length < count) {
      const row = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.append(document.createElement("b"), " ");
      row.append(button);
      this.list.append(row);
    }
    [...this.list.querySelectorAll("button")].forEach((button, at) => {
      const line = lines[at], words = line ? numbered(line.moves, fen) : [];
      button.disabled = !line;
      set(button.firstChild, line ? scoreText(line, fen, view) : "…");
      button.title = line ? `depth ${line.depth}, ${scoreWords(line, fen)}. A click plays the first move, or the moves up to that clicked.` : "";
      while (button.children.length - 1 > words.length) { button.lastChild.remove(); button.lastChild.remove(); }
      while (button.children.length - 1 < words.length) button.append(document.createElement("span"), " ");
      words.forEach((word, ply) => set(button.children[ply + 1], word));
    });
  }

  chosen(event) {
    const button = event.target.closest("button"), row = [...this.list.children].indexOf(button?.parentNode);
    const line = this.snapshot?.lines[row];
    if (!line) return;
    const ply = event.target.matches("span") ? [...button.children].indexOf(event.target) : 1;
    this.hooks.play(line.uci.slice(0, Math.max(1, ply)));
  }
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
