// A game with its variations: a tree of moves. The first child of a move continues its line.

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*" };
/** Width of a line of PGN, in letters. */
const WIDTH = 80;

/**
 * A legal move of the server.
 * @typedef {{uci: string, san: string, fen: string}} Move
 */

/**
 * A move of the game; the root has neither `uci` nor a parent.
 * @typedef {object} Node
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {string} uci
 * @property {string} san
 * @property {string} fen The position after the move.
 * @property {number[]} nags
 * @property {string} before The comment before the move.
 * @property {string} comment The comment after the move.
 */

/**
 * A game as the server sends it; `parent` is an index of `nodes`.
 * @typedef {object} GameRecord
 * @property {string} rules
 * @property {string} fen
 * @property {string} comment
 * @property {[string, string][]} tags
 * @property {string} result
 * @property {{parent: number | null, uci: string, san: string, fen: string, nags: number[], before: string, comment: string}[]} nodes
 */

/** @returns {Node} */
function made(parent, { uci = "", san = "", fen, nags = [], before = "", comment = "" }) {
  return { parent, children: [], uci, san, fen, nags, before, comment };
}

export class Game {
  /**
   * @param {string} fen The initial position.
   * @param {string} rules Castling rules: "standard", "chess960", or empty for those of the program.
   */
  constructor(fen = START, rules = "") {
    this.rules = rules;
    this.root = made(null, { fen });
    /** @type {[string, string][]} */
    this.tags = [];
    this.result = "*";
  }

  /** @param {GameRecord} record */
  static from(record) {
    const game = new Game(record.fen, record.rules);
    game.root.comment = record.comment;
    Object.assign(game, { tags: record.tags, result: record.result });
    const nodes = [];
    for (const one of record.nodes) {
      const parent = one.parent === null ? game.root : nodes[one.parent];
      const node = made(parent, one);
      parent.children.push(node);
      nodes.push(node);
    }
    return game;
  }

  /** All moves, each after its parent. */
  nodes() {
    const all = [], left = [...this.root.children].reverse();
    while (left.length) {
      const node = left.pop();
      all.push(node);
      for (let at = node.children.length - 1; at >= 0; at--) left.push(node.children[at]);
    }
    return all;
  }

  /**
   * The game as a record, and the index of a move in it; null for the root.
   * @param {Node} here
   */
  record(here) {
    const nodes = this.nodes(), index = new Map(nodes.map((node, at) => [node, at]));
    return {
      rules: this.rules, fen: this.root.fen, comment: this.root.comment, tags: this.tags, result: this.result,
      nodes: nodes.map(({ parent, uci, san, fen, nags, before, comment }) =>
        ({ parent: index.get(parent) ?? null, uci, san, fen, nags, before, comment })),
      at: index.get(here) ?? null,
    };
  }

  /**
   * The move after this one; a new move becomes a variation if the line goes on differently.
   * @param {Node} node
   * @param {Move} move
   */
  add(node, move) {
    const known = node.children.find(child => child.uci === move.uci);
    if (known) return known;
    const child = made(node, move);
    node.children.push(child);
    return child;
  }

  /**
   * The moves from the start to this one.
   * @param {Node} node
   */
  path(node) {
    const moves = [];
    for (; node.parent; node = node.parent) moves.unshift(node);
    return moves;
  }

  /** @param {Node} node */
  end(node) {
    while (node.children.length) node = node.children[0];
    return node;
  }

  /**
   * The next or the previous variation at this move; none without another one.
   * @param {Node} node
   * @param {1 | -1} step
   */
  sibling(node, step) {
    const all = node.parent?.children ?? [];
    return all.length < 2 ? null : all[(all.indexOf(node) + step + all.length) % all.length];
  }

  /**
   * Removes a move with all that follows; returns the move before.
   * @param {Node} node
   */
  remove(node) {
    const { parent } = node;
    if (!parent) return node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /**
   * Makes the line of a move the main line.
   * @param {Node} node
   */
  promote(node) {
    for (const one of this.path(node)) {
      const all = one.parent.children;
      all.splice(all.indexOf(one), 1);
      all.unshift(one);
    }
  }

  /**
   * Sets a tag; the result is one of them.
   * @param {string} name
   * @param {string} value
   */
  tag(name, value) {
    if (name === "Result") this.result = value;
    this.tags = [...this.tags.filter(([known]) => known !== name), [name, value]];
  }

  /**
   * The draw at a move that either side can claim: three times the same position, or fifty moves without progress.
   * @param {Node} node
   */
  draw(node) {
    const position = one => one.fen.split(" ").slice(0, 4).join(" ");
    const times = [this.root, ...this.path(node)].filter(one => position(one) === position(node)).length;
    const reason = times > 2 ? "Threefold repetition."
      : Number(node.fen.split(" ")[4]) >= 100 ? "Fifty moves without a capture or a pawn move." : "";
    return reason ? { result: "1/2-1/2", text: `${reason} The game is drawn.` } : null;
  }

  /** The game as PGN. */
  pgn() {
    const given = new Map(this.tags);
    /** @type {Record<string, string>} */
    const tags = { ...ROSTER, Result: this.result };
    for (const [name, value] of given) if (name !== "Result") tags[name] = value;
    if (this.rules === "chess960") tags.Variant = "Chess960";
    if (this.root.fen !== START) Object.assign(tags, { SetUp: "1", FEN: this.root.fen });
    const quoted = text => text.replace(/[\\"]/g, letter => `\\${letter}`).replace(/\s+/g, " ");
    const head = Object.entries(tags).map(([name, value]) => `[${name} "${quoted(value)}"]\n`).join("");
    const words = [...said(this.root.comment), ...line(this.root), this.result];
    let text = "", width = 0;
    for (const word of words) {
      const gap = width && width + 1 + word.length > WIDTH ? "\n" : width ? " " : "";
      text += gap + word;
      width = gap === "\n" ? word.length : width + gap.length + word.length;
    }
    return `${head}\n${text}\n`;
  }
}

/** The words of a comment; a brace would end it. */
function said(comment) {
  const text = comment.replace(/\}/g, ")").trim();
  return text ? `{ ${text} }`.split(/\s+/) : [];
}

/** The words of a move; `numbers` writes the number also before a move of Black. */
function one(node, numbers) {
  const [, turn, , , , number] = node.parent.fen.split(" ");
  const count = turn === "w" ? `${number}.` : numbers || node.before ? `${number}...` : "";
  return [...said(node.before), ...(count ? [count] : []), node.san, ...node.nags.map(nag => `$${nag}`), ...said(node.comment)];
}

/** The words of the line after a move, with its variations. */
function line(node, numbers = true) {
  const words = [];
  for (; node.children.length; node = node.children[0]) {
    const [first, ...others] = node.children;
    words.push(...one(first, numbers));
    for (const other of others) {
      const inner = [...one(other, true), ...line(other, other.comment !== "")];
      inner[0] = `(${inner[0]}`;
      inner[inner.length - 1] += ")";
      words.push(...inner);
    }
    numbers = others.length > 0 || first.comment !== "";
  }
  return words;
}
