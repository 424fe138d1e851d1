// The board of the analysis: it marks a king in check, and leaves the space bar to the engine.
import { squareOf } from "./board.js";
import { Player } from "./player.js";

export class AnalysisBoard extends Player {
  /** @type {string | undefined} The square of a king in check. */
  check;
  /** @type {[number, string][]} */
  marked = [];

  redraw() {
    super.redraw();
    if (this.check) this.show(this.pieces, [...this.marked, [squareOf(this.check), "check"]]);
  }

  show(pieces, marks) {
    this.marked = marks.filter(([, kind]) => kind !== "check");
    super.show(pieces, marks);
  }

  // Without the cursor the space bar belongs to the engine.
  key(event) {
    if (event.key === " " && !this.guided) return;
    super.key(event);
  }
}
