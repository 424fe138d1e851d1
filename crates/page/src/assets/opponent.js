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
/** The event of a game against the engine, in its tags. */
export const EVENT = "Game against Umbrail";

/**
 * A running game, as the browser's memory has it: side and level, and the clocks.
 * @typedef {{begun: number, side: string, elo: string, control: string, times: number[], running: number | null}} Kept
 */

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
   * @param {import("./settings.js").Settings} hooks.settings
   * @param {(node: Node, uci: string) => void} hooks.play
   * @param {(uci: string) => void} hooks.hint
   * @param {(text: string) => void} hooks.tell
   * @param {() => void} hooks.changed The game began or ended, or its settings are others.
   * @param {() => void} hooks.begun The player has begun a game.
   * @param {(result: string, reason: string) => void} hooks.over The game has a result.
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.on = false;
    /** @type {Clock | null} */
    this.clock = null;
    this.control = "";
    /** The time at which the game began, which distinguishes it from others. */
    this.begun = 0;
    this.timer = 0;
    this.thinking = new AbortController();
    this.button = document.querySelector("#against");
    this.faces = [...document.querySelectorAll("#clocks output")];
    this.line = document.querySelector("#opposite");
    this.button.addEventListener("click", () => {
      const wasOn = this.on;
      this.switch();
      if (wasOn) this.hooks.tell("The game was ended without a result.");
      else if (this.on) this.hooks.begun();
    });
  }

  setting(name) { return `${this.hooks.settings.get(name)}`; }

  /** The player's side: 0 for White, 1 for Black. */
  get side() { return this.setting("side") === "black" ? 1 : 0; }

  /**
   * The running game for the browser's memory; null without one.
   * @returns {Kept | null}
   */
  get kept() {
    if (!this.on) return null;
    const { begun, clock, control } = this, times = clock ? [0, 1].map(side => Math.max(0, Math.round(clock.left(side)))) : [];
    return { begun, side: this.setting("side"), elo: this.setting("elo"), control, times, running: clock?.running ?? null };
  }

  /**
   * True if the engine is to move there.
   * @param {Node} node
   */
  isTurn(node) { return this.on && turn(node) !== this.side; }

  /**
   * Begins or ends a game.
   * @param {boolean} on
   * @param {Kept | null} kept A game that goes on.
   */
  switch(on = !this.on, kept = null) {
    this.on = on;
    this.stop();
    clearInterval(this.timer);
    this.clock?.stop();
    this.button.textContent = on ? "End the game" : "Play against the engine";
    for (const name of ["hint", "takeback"]) document.querySelector(`[data-do=${name}]`).hidden = !on;
    if (on) {
      // What was chosen makes room for the game.
      /** @type {HTMLDetailsElement} */ (document.querySelector("#level")).open = false;
      this.begun = kept?.begun ?? Date.now();
      for (const name of ["side", "elo"]) if (kept) this.hooks.settings.set(name, kept[name]);
      this.wind(kept);
    }
    this.describe();
    this.hooks.changed();
    const here = this.hooks.here();
    // A game that is looked through when it goes on gets no variation.
    if (!kept || !here.children.length) this.answer(here);
  }

  /** Says who plays whom. */
  describe() {
    const { settings } = this.hooks, level = this.setting("elo");
    const time = this.control ? `clocks of ${this.control.split("+").map((text, at) => at ? `${text} s a move` : `${Number(text) / 60} min`).join(" and ")}` : `${settings.text("movetime")} a move`;
    this.line.hidden = !this.on;
    this.line.textContent = this.on ? `You are ${SIDES[this.side]}. Umbrail: ${level ? `level ${level}` : "full strength"}, ${time}.` : "";
  }

  /**
   * A setting has changed: side, level and time hold at once, clocks in the next game.
   * @param {string} name
   */
  adjust(name) {
    if (!this.on) return;
    this.describe();
    this.hooks.changed();
    if (name !== "side") return;
    this.stop();
    this.answer(this.hooks.here());
  }

  /** Sets the clocks, if the game has clocks. */
  wind(kept) {
    this.control = kept ? kept.control : this.setting("clock");
    document.querySelector("#clocks").hidden = !this.control;
    this.clock = null;
    if (!this.control) return;
    const [base, increment] = this.control.split("+").map(text => Number(text) * 1000);
    this.clock = new Clock(base, increment);
    if (kept) this.clock.resume(kept.times, kept.running);
    else this.clock.start(turn(this.hooks.here()));
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
   * A move was played: the clocks change.
   * @param {Node} node
   */
  moved(node) {
    if (this.on) this.clock?.press(1 - turn(node));
  }

  /** A move was taken back: the player is to move. */
  tookBack() { this.clock?.start(this.side); }

  /**
   * Searches for the engine's move, if it is to move.
   * @param {Node} node
   */
  async answer(node) {
    if (!this.isTurn(node)) return;
    const elo = this.setting("elo"), words = this.hooks.words(node);
    if (elo) words.elo = elo;
    if (this.clock) words.clocks = `${[0, 1].map(side => Math.max(0, Math.round(this.clock.left(side))))},${this.clock.increment}`;
    else words.movetime = this.setting("movetime");
    await this.find(words, uci => this.hooks.play(node, uci));
  }

  /**
   * Names the players of the game, unless it is a game of others.
   * @param {import("./game.js").Game} game
   */
  name(game) {
    const known = new Map(game.tags), isOurs = known.get("Event") === EVENT;
    if (known.has("White") && !isOurs) return;
    const level = this.setting("elo"), names = ["You", level ? `Umbrail (${level})` : "Umbrail"];
    if (this.side) names.reverse();
    game.tag("White", names[0]);
    game.tag("Black", names[1]);
    if (isOurs) return;
    const now = new Date(), two = number => `${number}`.padStart(2, "0");
    game.tag("Event", EVENT);
    game.tag("Date", `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`);
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
