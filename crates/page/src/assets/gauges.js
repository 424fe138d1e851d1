// Figures of running work.
export function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

export const number = count => count.toLocaleString("en");

export const time = ms => {
  const s = Math.floor(ms / 1000);
  if (s < 60) return `${(ms / 1000).toFixed(1)} s`;
  return s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
};

export class Gauges {
  constructor() { this.box = element("div", "", "gauges"); }
  add(name, text) {
    const cell = element("div", text);
    cell.prepend(element("small", name));
    this.box.append(cell);
  }
}

// The gauges of a run that has no screen of its own.
export function plain(now) {
  const gauges = new Gauges();
  const names = { elapsed_ms: "time", percent: "share of this step", nodes: "moves made", done: "done", total: "of", queued: "found for the next step",
    searched: "strategies searched", waiting: "strategies in the queue", moves: "moves", ply: "ply of the present table", lost: "positions lost in it", won: "positions won in it" };
  for (const [key, name] of Object.entries(names)) {
    if (now[key] === undefined) continue;
    gauges.add(name, key === "elapsed_ms" ? time(now[key]) : key === "percent" ? `${now[key]} %` : number(now[key]));
  }
  return gauges.box;
}
