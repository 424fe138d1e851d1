// The moves of a game with variations and comments, as buttons.
import { isBlacks } from "./score.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Node} Node */

/** Signs of the numeric annotation glyphs that have one. */
const SIGNS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "+/-", 17: "-/+",
  18: "+-", 19: "-+", 22: "zugzwang", 23: "zugzwang", 32: "development", 33: "development", 36: "initiative", 37: "initiative",
  40: "attack", 41: "attack", 132: "counterplay", 133: "counterplay", 146: "N",
};
/** Glyphs up to this one follow the move without a gap. */
const CLOSE_MAX = 9;

/**
 * The glyphs of a move: letters alone, since many fonts lack the signs.
 * @param {number[]} nags
 */
export const signs = nags => nags.map(nag => `${nag > CLOSE_MAX || !SIGNS[nag] ? " " : ""}${SIGNS[nag] ?? `$${nag}`}`).join("");

/** What is shown of a comment: what programs write into comments, such as clocks, is only kept. */
const shownText = text => text.replace(/\[%[^\]]*\]/g, "").trim();

function made(name, kind, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(text);
  return element;
}

export class Sheet {
  /**
   * @param {HTMLElement} host
   * @param {(node: Node) => void} chosen
   */
  constructor(host, chosen) {
    this.host = host;
    /** @type {Map<Node, HTMLButtonElement>} */
    this.buttons = new Map();
    this.nodes = new WeakMap();
    host.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) chosen(this.nodes.get(button));
    });
  }

  /**
   * Writes all moves again.
   * @param {Game} game
   */
  write(game) {
    this.buttons.clear();
    const parts = [];
    if (game.root.comment) parts.push(...this.comment(game.root.comment));
    this.line(game.root, true, parts);
    if (game.result !== "*") parts.push(made("b", "", game.result));
    this.host.replaceChildren(...parts);
  }

  /**
   * Marks the current move.
   * @param {Node} here
   */
  mark(here) {
    for (const button of this.host.querySelectorAll("button.now")) {
      button.classList.remove("now");
      button.removeAttribute("aria-current");
      button.tabIndex = -1;
    }
    const button = this.buttons.get(here) ?? this.host.querySelector("button");
    if (!button) return;
    button.tabIndex = 0;
    if (!this.buttons.has(here)) { this.host.scrollTop = 0; return; }
    button.classList.add("now");
    button.setAttribute("aria-current", "true");
    // Only the list scrolls, never the page.
    const [list, own] = [this.host.getBoundingClientRect(), button.getBoundingClientRect()];
    if (own.top < list.top || own.bottom > list.bottom) this.host.scrollTop += own.top - list.top - list.height / 2;
  }

  comment(text) {
    const shown = shownText(text);
    return shown ? [made("span", "comment", shown), " "] : [];
  }

  move(node, numbers) {
    const number = node.parent.fen.split(" ")[5], parts = [...this.comment(node.before)];
    // A number and its move stay on one line.
    const whole = made("span", "one", "");
    if (!isBlacks(node.parent.fen)) whole.append(made("span", "number", `${number}. `));
    else if (numbers || node.before) whole.append(made("span", "number", `${number}… `));
    const button = made("button", "", node.san + signs(node.nags));
    Object.assign(button, { type: "button", tabIndex: -1 });
    this.buttons.set(node, button);
    this.nodes.set(button, node);
    whole.append(button);
    parts.push(whole, " ", ...this.comment(node.comment));
    return parts;
  }

  line(node, numbers, parts) {
    for (; node.children.length; node = node.children[0]) {
      const [first, ...others] = node.children;
      parts.push(...this.move(first, numbers));
      for (const other of others) {
        const inner = ["(", ...this.move(other, true)];
        this.line(other, shownText(other.comment) !== "", inner);
        inner.pop();
        const variation = made("span", "variation", "");
        variation.append(...inner, ") ");
        parts.push(variation);
      }
      numbers = others.length > 0 || shownText(first.comment) !== "";
    }
  }
}
