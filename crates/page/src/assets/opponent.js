// A game against the engine, from the position on the board. The engine answers when the player has moved; while
// somebody only walks through the game, it is silent.
import { isBlacks } from "./score.js";

/** @typedef {import("./game.js").Node} Node */

/** Thinking time of a hint, in ms. */
const HINT_MS = 700;

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
   */
  constructor(hooks) {
    Object.assign(this, hooks);
    this.on = false;
    this.thinking = new AbortController();
    this.button = document.querySelector("#against");
    this.button.addEventListener("click", () => this.switch());
  }

  /**
   * True if the engine is to move there.
   * @param {Node} node
   */
  isTurn(node) { return this.on && isBlacks(node.fen) !== (this.setting("side") === "black"); }

  switch(on = !this.on) {
    this.on = on;
    this.stop();
    this.button.textContent = on ? "End the game" : "Play against the engine";
    for (const name of ["hint", "takeback"]) document.querySelector(`[data-do=${name}]`).hidden = !on;
    this.changed();
    this.answer(this.here());
  }

  stop() { this.thinking.abort(); }

  /**
   * Answers the move that leads to this position, if the engine is to move.
   * @param {Node} node
   */
  async answer(node) {
    if (!this.isTurn(node)) return;
    const elo = this.setting("elo"), words = { ...this.words(node), movetime: `${this.setting("movetime")}` };
    await this.find(elo ? { ...words, elo } : words, uci => this.play(node, uci));
  }

  async giveHint() {
    await this.find({ ...this.words(this.here()), movetime: `${HINT_MS}` }, uci => this.hint(uci));
  }

  async find(words, found) {
    this.stop();
    const { signal } = this.thinking = new AbortController();
    try {
      const uci = await think(words, signal);
      if (uci && !signal.aborted) found(uci);
    } catch (error) {
      if (!signal.aborted) this.tell(error.message);
    }
  }
}
