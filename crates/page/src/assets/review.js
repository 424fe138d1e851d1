// The analysis of a whole game: an evaluation for each position, a graph, and marks for mistakes. The evaluations are
// kept in the game as comments that other programs read, such as [%eval 0.35].
import { svgElement } from "./pieces.js";
import { isBlacks, signed, storedLine } from "./score.js";

/** @typedef {import("./game.js").Node} Node */
/** @typedef {{ply: number, line: import("./score.js").Line | null, ending: {text: string, result: string} | null}} Evaluation */

/** Width and height of the graph, in units of the drawing. */
const [WIDTH, HEIGHT] = [600, 80];
/**
 * Marks, worst first: loss of winning chances, annotation glyph, name. The limits are those of lichess.org.
 * @type {[number, number, string][]}
 */
const MARKS = [[0.3, 4, "blunder"], [0.2, 2, "mistake"], [0.1, 6, "inaccuracy"]];
const ADVICE = /(\(\S+ → \S+\) )?(Blunder|Mistake|Inaccuracy)\. \S+ was best\.\s*/;
const EVALUATION = /\[%eval ([^\],]+)[^\]]*\]\s*/;

/**
 * White's evaluation of a position, as PGN has it: pawns, or #3 for a mate in 3 moves.
 * @param {Evaluation} found
 * @param {string} fen
 */
export function evaluationText({ line, ending }, fen) {
  if (ending) return { "1-0": "#1", "0-1": "#-1" }[ending.result] ?? "0.00";
  if (!line) return "0.00";
  const sign = isBlacks(fen) ? -1 : 1;
  if (line.mate !== undefined) return `#${line.mate * sign}`;
  return ((line.cp ?? 0) * sign / 100).toFixed(2).replace(/^-0\.00$/, "0.00");
}

/**
 * White's winning chances from -1 to 1, by the formula of lichess.org.
 * @param {string} text
 */
export function chances(text) {
  if (text.startsWith("#")) return text.startsWith("#-") ? -1 : 1;
  const cp = Math.max(-1000, Math.min(1000, Number(text) * 100));
  return 2 / (1 + Math.exp(-0.00368208 * cp)) - 1;
}

/**
 * The index of the mark of a move that allows a mate or misses one, by the rules of lichess.org: the milder, the
 * clearer the position was or is without the mate; -1 for other moves.
 * @param {string} before
 * @param {string} after
 * @param {number} sign 1 for a move of White, -1 for one of Black.
 */
function mateMark(before, after, sign) {
  const isMate = text => text.startsWith("#"), points = text => Number(text) * 100 * sign;
  const isWon = text => isMate(text) && text.startsWith("#-") === sign < 0;
  const mild = points => points > 999 ? 2 : points > 700 ? 1 : 0;
  if (isMate(after) && !isWon(after) && !isMate(before)) return mild(-points(before));
  if (isWon(before) && !isWon(after)) return isMate(after) ? 0 : mild(points(after));
  return -1;
}

/**
 * The mark of a move: none, or its annotation glyph and name.
 * @param {string} before Evaluation before the move.
 * @param {string} after
 * @param {boolean} isWhites
 */
export function mark(before, after, isWhites) {
  const sign = isWhites ? 1 : -1, loss = (chances(before) - chances(after)) * sign;
  const found = MARKS[mateMark(before, after, sign)] ?? MARKS.find(([limit]) => loss >= limit);
  return found ? { nag: found[1], name: found[2] } : null;
}

/** The evaluation in a move's comments; null without one. A mate needs no comment. */
const kept = node => EVALUATION.exec(node.comment)?.[1] ?? (node.san?.endsWith("#") ? isBlacks(node.fen) ? "#1" : "#-1" : null);

/**
 * The evaluation in a move's comments, as a line without moves; null without one.
 * @param {Node} node
 */
export function stored(node) {
  const text = kept(node);
  return text && /^(-?[0-9.]+|#-?[0-9]+)$/.test(text) ? storedLine(text, node.fen) : null;
}

/**
 * The move that was best in place of this one, in standard notation; empty unless an analysis names one.
 * @param {Node} node
 */
export const better = node => /(?:Blunder|Mistake|Inaccuracy)\. (\S+) was best\./.exec(node.comment)?.[1] ?? "";

export class Review {
  /**
   * @param {object} hooks
   * @param {() => Node[]} hooks.line The main line, from the start to its end.
   * @param {() => Record<string, string>} hooks.words Words of the request.
   * @param {(text: string) => void} hooks.changed Called when comments and marks of the game have changed.
   * @param {(text: string) => void} hooks.tell
   * @param {(node: Node) => void} hooks.go
   */
  constructor(hooks) {
    this.hooks = hooks;
    const part = id => document.querySelector(`#${id}`);
    this.graph = part("graph");
    this.summary = part("summary");
    this.share = part("share");
    this.toggle = part("review");
    /** @type {Node | null} */
    this.here = null;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {Map<Node, Evaluation>} */
    this.found = new Map();
    /** @type {Node[]} */
    this.nodes = [];
    this.toggle.addEventListener("click", () => { if (this.source) this.end("the analysis of the game is canceled"); else this.start(); });
    this.graph.addEventListener("click", event => {
      const box = this.graph.getBoundingClientRect(), line = this.hooks.line();
      const at = Math.round((event.clientX - box.left) / box.width * (line.length - 1));
      if (line[at]) this.hooks.go(line[at]);
    });
    window.addEventListener("pagehide", () => this.close());
  }

  start() {
    this.nodes = this.hooks.line();
    if (this.nodes.length < 2) return this.hooks.tell("The game has no moves yet.");
    this.found.clear();
    this.begun = performance.now();
    this.toggle.textContent = "Cancel";
    this.share.hidden = false;
    this.progress();
    const source = this.source = new EventSource(`/api/review?${new URLSearchParams(this.hooks.words())}`);
    const listen = (name, heard) => source.addEventListener(name, event => { if (source === this.source) heard(JSON.parse(event.data)); });
    listen("evaluation", found => {
      const node = this.nodes[found.ply];
      if (node) this.found.set(node, found);
      this.progress();
      this.draw();
    });
    listen("over", () => this.end("the game is analyzed"));
    listen("fault", ({ text }) => this.end(text));
    // A connection that breaks would begin the whole game again.
    source.onerror = () => { if (source === this.source) this.end("The program does not answer. Is umbrail serve still running?"); };
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  progress() {
    const [done, all] = [this.found.size, this.nodes.length];
    const left = done ? (performance.now() - this.begun) / done * (all - done) / 1000 : 0;
    const [bar, text] = this.share.children;
    [bar.max, bar.value] = [all, done];
    text.textContent = `${done} of ${all} positions${done ? `, about ${Math.ceil(left)} s left` : ""}`;
  }

  /** Writes what was found into the game. */
  end(text) {
    this.close();
    this.toggle.textContent = "Analyze the game";
    this.share.hidden = true;
    for (const node of this.nodes) this.annotate(node);
    if (this.found.size) this.hooks.changed(`${text}${this.depths()}`);
    else this.hooks.tell(text);
  }

  /** How deep the positions were searched, in words. */
  depths() {
    const depths = [...this.found.values()].flatMap(({ line }) => line ? [line.depth] : []);
    if (!depths.length) return "";
    const isBranched = this.nodes.some(node => node.children.length > 1);
    return `${isBranched ? ", without its variations" : ""}, ${Math.min(...depths)} to ${Math.max(...depths)} plies deep; "Settings" has more time for a position`;
  }

  /** @param {Node} node */
  annotate(node) {
    const here = this.found.get(node), before = this.found.get(node.parent);
    if (!here) return;
    const own = node.comment.replace(EVALUATION, "").replace(ADVICE, "");
    // Only marks that an analysis has written are replaced.
    if (ADVICE.test(node.comment)) node.nags = node.nags.filter(nag => !MARKS.some(one => one[1] === nag));
    const text = evaluationText(here, node.fen);
    const best = before?.line?.moves[0];
    const found = before && best && before.line.uci[0] !== node.uci
      ? mark(evaluationText(before, node.parent.fen), text, isBlacks(node.fen)) : null;
    if (found && !node.nags.some(nag => nag >= 1 && nag <= 6)) node.nags.push(found.nag);
    const change = found ? `(${signed(evaluationText(before, node.parent.fen))} → ${signed(text)}) ` : "";
    const advice = found ? `${change}${found.name[0].toUpperCase()}${found.name.slice(1)}. ${best} was best. ` : "";
    const isMate = here.ending && here.ending.result !== "1/2-1/2";
    node.comment = `${isMate ? "" : `[%eval ${text}] `}${advice}${own}`.trim();
  }

  /**
   * Draws the evaluations of the main line, with the current move.
   * @param {Node} here
   */
  draw(here = this.here) {
    this.here = here;
    const line = this.hooks.line();
    const texts = line.map(node => this.source && this.found.has(node) ? evaluationText(this.found.get(node), node.fen) : kept(node));
    const known = texts.filter(text => text !== null).length;
    this.graph.toggleAttribute("hidden", known < 2);
    // The marks are complete only at the end.
    this.summary.hidden = known < 2 || this.source !== null;
    if (known < 2) return;
    const x = ply => WIDTH * ply / Math.max(1, line.length - 1), y = text => HEIGHT / 2 * (1 - chances(text));
    const points = texts.flatMap((text, ply) => text === null ? [] : [[x(ply), y(text)]]).map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`);
    const [first, last] = [points[0], points.at(-1)].map(point => point.split(" ")[0]);
    const strokes = line.flatMap((node, ply) => {
      const found = MARKS.find(([, nag]) => node.nags.includes(nag));
      return found && node.parent && texts[ply] !== null ? [svgElement("path", { class: found[2], d: `M${x(ply)} 0V${HEIGHT}` })] : [];
    });
    const at = line.indexOf(here);
    this.graph.replaceChildren(
      // Moves without an evaluation stay empty.
      svgElement("rect", { class: "side-black", x: first, width: (Number(last) - Number(first)).toFixed(1), height: HEIGHT }),
      svgElement("path", { class: "side-white", d: `M${first} ${HEIGHT}L${points.join("L")}L${last} ${HEIGHT}Z` }),
      svgElement("path", { class: "even", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      ...strokes,
      ...at < 0 ? [] : [svgElement("path", { class: "here", d: `M${x(at)} 0V${HEIGHT}` })],
    );
    this.summary.textContent = counted(line);
    this.graph.setAttribute("aria-label", `Evaluation of ${line.length - 1} moves. ${this.summary.textContent}`);
  }
}

/**
 * The marks of both sides in words.
 * @param {Node[]} line
 */
export function counted(line) {
  const side = (name, isBlack) => {
    const moves = line.filter(node => node.parent && isBlacks(node.parent.fen) === isBlack);
    const parts = [...MARKS].reverse().flatMap(([, nag, word]) => {
      const count = moves.filter(node => node.nags.includes(nag)).length;
      const many = word === "inaccuracy" ? "inaccuracies" : `${word}s`;
      return count ? [`${count} ${count === 1 ? word : many}`] : [];
    });
    return `${name}: ${parts.join(", ") || "no mistakes"}`;
  };
  return `${side("White", false)}. ${side("Black", true)}.`;
}
