// Fields for the comment and the marks of the move on the board.

/** @typedef {import("./game.js").Node} Node */

/** Glyphs of a move, and of a position. */
const OF_MOVE = [1, 2, 3, 4, 5, 6, 7];
const OF_POSITION = [10, 13, 14, 15, 16, 17, 18, 19];
const COMMAND = /\[%[^\]]*\]\s*/g;

export class Annotator {
  /** @param {() => void} changed Called after each change. */
  constructor(changed) {
    this.comment = document.querySelector("#comment");
    this.glyph = document.querySelector("#glyph");
    this.assessment = document.querySelector("#assessment");
    /** @type {Node | null} */
    this.node = null;
    this.comment.addEventListener("input", () => {
      // What programs write into comments, such as clocks, stays.
      const commands = this.node.comment.match(COMMAND) ?? [];
      this.node.comment = `${commands.join("")}${this.comment.value}`.trim();
      changed();
    });
    for (const [field, kind] of [[this.glyph, OF_MOVE], [this.assessment, OF_POSITION]]) {
      field.addEventListener("change", () => {
        const others = this.node.nags.filter(nag => !kind.includes(nag));
        this.node.nags = field.value ? [...others, Number(field.value)].sort((one, other) => one - other) : others;
        changed();
      });
    }
  }

  /**
   * Shows a move; the start of the game has only a comment.
   * @param {Node} node
   */
  show(node) {
    this.node = node;
    const text = node.comment.replace(COMMAND, "");
    if (document.activeElement !== this.comment || this.comment.value.trim() !== text.trim()) this.comment.value = text;
    for (const [field, kind] of [[this.glyph, OF_MOVE], [this.assessment, OF_POSITION]]) {
      field.disabled = !node.parent;
      field.value = `${node.nags.find(nag => kind.includes(nag)) ?? ""}`;
    }
  }
}
