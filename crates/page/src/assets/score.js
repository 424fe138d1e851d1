// Scores as texts. A record has the score of the side to move; the page shows White's, or that of the side to move.

/**
 * A line of the engine, as `--json` writes it.
 * @typedef {object} Line
 * @property {number} depth
 * @property {number} multipv
 * @property {number} [cp]
 * @property {number} [mate]
 * @property {"exact" | "lower" | "upper"} bound
 * @property {number[]} [wdl]
 * @property {number} nodes
 * @property {number} elapsed_ms
 * @property {string[]} uci
 * @property {string[]} moves
 */

/** @typedef {"white" | "mover"} View */

/** @param {string} fen */
export const isBlacks = fen => fen.split(" ")[1] === "b";

/**
 * White's share of the evaluation bar, in thousandths.
 * @param {Line} line
 * @param {string} fen
 */
export function whites(line, fen) {
  const cp = line.mate === undefined ? line.cp ?? 0 : line.mate <= 0 ? -10000 : 10000;
  return Math.round(1000 / (1 + 10 ** (-(isBlacks(fen) ? -cp : cp) / 400)));
}

/**
 * A score as PGN has it, with the signs of print: `+0.35`, `−0.20`, `0.00`, `#−3`.
 * @param {string} text
 */
export function signed(text) {
  const shown = text.replace("-", "−");
  return /^[#−]|^0\.00$/.test(shown) ? shown : `+${shown}`;
}

/**
 * A score of White that a game contains, as a line without moves.
 * @param {string} text `0.35`, `-0.20` or `#-3`.
 * @param {string} fen
 * @returns {Line}
 */
export function storedLine(text, fen) {
  const sign = isBlacks(fen) ? -1 : 1, isMate = text.startsWith("#");
  const score = isMate ? { mate: Number(text.slice(1)) * sign } : { cp: Math.round(Number(text) * 100) * sign };
  return { depth: 0, multipv: 1, ...score, bound: "exact", nodes: 0, elapsed_ms: 0, uci: [], moves: [] };
}

/**
 * A score such as `+0.35`, `#−3` or `≥ +1.20`.
 * @param {Line} line
 * @param {string} fen
 * @param {View} view
 */
export function scoreText(line, fen, view) {
  const sign = view === "white" && isBlacks(fen) ? -1 : 1;
  const bound = line.bound === "exact" ? "" : (line.bound === "lower") === (sign === 1) ? "≥ " : "≤ ";
  if (line.mate !== undefined) return `${bound}${signed(`#${line.mate * sign}`)}`;
  return bound + signed(((line.cp ?? 0) * sign / 100).toFixed(2).replace(/^-0\.00$/, "0.00"));
}

/**
 * A score in words, for people who listen.
 * @param {Line} line
 * @param {string} fen
 */
export function scoreWords(line, fen) {
  if (line.mate !== undefined) return `${(line.mate > 0) === isBlacks(fen) ? "Black" : "White"} mates in ${Math.abs(line.mate)}`;
  const cp = (line.cp ?? 0) * (isBlacks(fen) ? -1 : 1);
  if (Math.abs(cp) < 5) return "equal";
  return `${cp > 0 ? "White" : "Black"} is better by ${(Math.abs(cp) / 100).toFixed(2)} pawns`;
}

/**
 * Chances of White, of a draw and of Black; empty if the engine gives none.
 * @param {Line} line
 * @param {string} fen
 */
export function chances(line, fen) {
  if (!line.wdl) return "";
  const [own, draw, other] = line.wdl.map(share => `${Math.round(share / 10)}\u00a0%`);
  const [white, black] = isBlacks(fen) ? [other, own] : [own, other];
  return `White ${white}, draw ${draw}, Black ${black}`;
}

/**
 * Moves with their numbers: `12. Nf3`, `Nc6`; a first move of Black is `12… Nc6`.
 * @param {string[]} moves
 * @param {string} fen
 */
export function numbered(moves, fen) {
  const first = Number(fen.split(" ")[5]) || 1, black = isBlacks(fen) ? 1 : 0;
  return moves.map((san, ply) => {
    const half = ply + black, number = first + Math.floor(half / 2);
    return half % 2 === 0 ? `${number}. ${san}` : ply === 0 ? `${number}… ${san}` : san;
  });
}

/**
 * A count such as 950, 12 k or 3.4 M.
 * @param {number} count
 */
export function short(count) {
  if (count < 1e4) return `${count}`;
  return count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(count < 1e8 ? 1 : 0)} M`;
}
