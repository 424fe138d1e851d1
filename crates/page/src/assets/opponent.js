// A game against the engine, from the position on the board. The engine answers when the player has moved; while
// somebody only walks through the game, it is silent.
import { Clock, clockText } from "./clock.js";
import { isBlacks } from "./score.js";

/** @typedef {import("./game.js").Node} Node */

/** Thinking time of a hint, in ms. */
const HINT_MS = 700;
/** Time in ms between two looks at the clocks. */
const TICK_MS = 100;
const SIDES = ["White", "Black"];

/**
 * Searches for a move and waits for it.
 * @param {Record<string, string>} words The words of the request.
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>} The move in coordinates; null without one.
 */
export function think(words, signal) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(`/api/analysis?${new URLSearchParams(words)}`);
    const end = done => { source.close(); done(); };
    source.addEventListener("over", event => end(() => resolve(JSON.parse(event.data).best)));
    source.addEventListener("fault", event => end(() => reject(new Error(JSON.parse(event.data).text))));
    source.onerror = () => end(() => reject(new Error("The program does not answer. Is umbrail serve still running?")));
    signal.addEventListener("abort", () => end(() => resolve(null)));
  });
}

export class Opponent {
  /**
   * @param {object} hooks
   * @param {() => Node} hooks.here The move on the board.
   * @param {(node: Node) => Record<string, string>} hooks.words Position, and name of the viewer.
   * @param {(name: string) => string | boolean} hooks.setting
   * @param {(node: Node, uci: string) => void} hooks.play
   * @param {(uci: string) => void} hooks.hint
   * @param {(text: string) => void} hooks.tell
   * @param {() => void} hooks.changed The game began or ended.
   * @param {(result: string, reason: string) => void} hooks.over The game has a result.
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.on = false;
    /** @type {Clock | null} */
    this.clock = null;
    this.timer = 0;
    this.thinking = new AbortController();
    this.button = document.querySelector("#against");
    this.faces = [...document.querySelectorAll("#clocks output")];
    this.button.addEventListener("click", () => this.switch());
  }

  /** The player's side: 0 for White, 1 for Black. */
  get side() { return this.hooks.setting("side") === "black" ? 1 : 0; }

  /**
   * True if the engine is to move there.
   * @param {Node} node
   */
  isTurn(node) { return this.on && turn(node) !== this.side; }

  switch(on = !this.on) {
    this.on = on;
    this.stop();
    clearInterval(this.timer);
    this.clock?.stop();
    this.button.textContent = on ? "End the game" : "Play against the engine";
    for (const name of ["hint", "takeback"]) document.querySelector(`[data-do=${name}]`).hidden = !on;
    if (on) {
      // What was chosen makes room for the game.
      /** @type {HTMLDetailsElement} */ (document.querySelector("#level")).open = false;
      this.wind();
    }
    this.hooks.changed();
    this.answer(this.hooks.here());
  }

  /** Sets the clocks, if the game has clocks. */
  wind() {
    const control = `${this.hooks.setting("clock")}`;
    document.querySelector("#clocks").hidden = !control;
    this.clock = null;
    if (!control) return;
    const [base, increment] = control.split("+").map(text => Number(text) * 1000);
    this.clock = new Clock(base, increment);
    this.clock.start(turn(this.hooks.here()));
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  tick() {
    this.faces.forEach((face, side) => {
      face.textContent = `${SIDES[side]} ${clockText(this.clock.left(side))}`;
      face.classList.toggle("running", this.clock.running === side);
    });
    const { fallen } = this.clock;
    if (fallen === null) return;
    this.switch(false);
    this.hooks.over(fallen ? "1-0" : "0-1", `${SIDES[fallen]}’s time is up. ${SIDES[1 - fallen]} wins.`);
  }

  /** The game on the board has ended by its rules. */
  ended({ result, text }) {
    if (!this.on) return;
    this.switch(false);
    this.hooks.over(result, text);
  }

  stop() { this.thinking.abort(); }

  /**
   * A move was played: the clocks change, and the engine answers if it is to move.
   * @param {Node} node
   */
  moved(node) {
    if (!this.on) return;
    this.clock?.press(1 - turn(node));
    this.answer(node);
  }

  /** A move was taken back: the player is to move. */
  tookBack() { this.clock?.start(this.side); }

  /**
   * Searches for the engine's move, if it is to move.
   * @param {Node} node
   */
  async answer(node) {
    if (!this.isTurn(node)) return;
    const elo = this.hooks.setting("elo"), words = this.hooks.words(node);
    if (elo) words.elo = `${elo}`;
    if (this.clock) words.clocks = `${[0, 1].map(side => Math.max(0, Math.round(this.clock.left(side))))},${this.clock.increment}`;
    else words.movetime = `${this.hooks.setting("movetime")}`;
    await this.find(words, uci => this.hooks.play(node, uci));
  }

  async giveHint() {
    await this.find({ ...this.hooks.words(this.hooks.here()), movetime: `${HINT_MS}` }, uci => this.hooks.hint(uci));
  }

  async find(words, found) {
    this.stop();
    const { signal } = this.thinking = new AbortController();
    try {
      const uci = await think(words, signal);
      if (uci && !signal.aborted) found(uci);
    } catch (error) {
      if (!signal.aborted) this.hooks.tell(error.message);
    }
  }
}

/** @param {Node} node */
const turn = node => isBlacks(node.fen) ? 1 : 0;
