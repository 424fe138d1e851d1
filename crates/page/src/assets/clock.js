// The clocks of a game. Times are milliseconds; sides are 0 for White and 1 for Black.

/** Time below which tenths of a second are shown. */
const TENTHS_BELOW = 20000;

/**
 * A time such as 1:05:00, 4:59 or 0:09.3.
 * @param {number} ms
 */
export function clockText(ms) {
  const all = Math.max(0, ms), seconds = all < TENTHS_BELOW ? Math.floor(all / 100) / 10 : Math.ceil(all / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = all < TENTHS_BELOW ? rest.toFixed(1).padStart(4, "0") : `${rest}`.padStart(2, "0");
  return hours ? `${hours}:${`${minutes}`.padStart(2, "0")}:${two}` : `${minutes}:${two}`;
}

export class Clock {
  /**
   * @param {number} base
   * @param {number} increment
   * @param {() => number} now Time of the system.
   */
  constructor(base, increment, now = () => performance.now()) {
    this.increment = increment;
    this.now = now;
    this.times = [base, base];
    /** @type {number | null} */
    this.running = null;
    this.since = 0;
  }

  /** @param {number} side */
  left(side) { return this.times[side] - (this.running === side ? this.now() - this.since : 0); }

  /**
   * Starts the clock of a side; the other one stands.
   * @param {number} side
   */
  start(side) {
    this.stop();
    [this.running, this.since] = [side, this.now()];
  }

  stop() {
    if (this.running !== null) this.times[this.running] = this.left(this.running);
    this.running = null;
  }

  /**
   * A side has moved: it gets the increment, and the other clock runs.
   * @param {number} side
   */
  press(side) {
    this.stop();
    this.times[side] += this.increment;
    this.start(1 - side);
  }

  /**
   * Goes on from times that were left.
   * @param {number[]} times
   * @param {number | null} running
   */
  resume(times, running) {
    this.times = [...times];
    if (running !== null) this.start(running);
  }

  /** The side whose time is up; null while both have time. */
  get fallen() { return this.running !== null && this.left(this.running) <= 0 ? this.running : null; }
}
