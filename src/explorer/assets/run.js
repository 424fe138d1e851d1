// The page of a run: what it tells while it works, and its games move by move.
import { Board, read, squareOf } from "./board.js";
import { Gauges, element, number, plain, time } from "./gauges.js";
import { follow } from "./stream.js";

const host = document.querySelector("#board");
const board = new Board(host);
const steps = document.querySelector(".steps");
const said = document.querySelector("#said");
board.show(read(host.dataset.fen));

let game = null, ply = 0;

function show(which, at) {
  const boards = which.dataset.boards.split(","), moves = which.dataset.moves.split(",");
  if (at < 0 || at >= boards.length) return;
  for (const button of document.querySelectorAll(".moves .now")) button.classList.remove("now");
  [game, ply] = [which, at];
  const move = at > 0 ? moves[at - 1] : null;
  board.show(read(boards[at]), move ? [[squareOf(move.slice(0, 2)), "last"], [squareOf(move.slice(2, 4)), "last"]] : []);
  const button = which.querySelector(`[data-ply="${at}"]`);
  button?.classList.add("now");
  said.textContent = button ? `${Math.ceil(at / 2)}${at % 2 ? "." : "…"} ${button.dataset.san}` : "Game array";
}

function step(kind) {
  game ??= document.querySelector(".game");
  if (!game) return;
  const last = game.dataset.boards.split(",").length - 1;
  show(game, { first: 0, back: ply - 1, on: ply + 1, last }[kind]);
}

function games() {
  steps.hidden = !document.querySelector(".game");
}

document.querySelector("#games").addEventListener("click", event => {
  const button = event.target.closest("[data-ply]");
  if (button) show(button.closest(".game"), Number(button.dataset.ply));
});
steps.addEventListener("click", event => {
  const kind = event.target.closest("[data-step]")?.dataset.step;
  if (kind) step(kind);
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  const kind = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last" }[event.key];
  if (kind && document.querySelector(".game")) { step(kind); event.preventDefault(); }
});
games();

const live = document.querySelector("#live");

let before = null;

let pictured = false;

function sample(now) {
  pictured ||= now.t === "snapshot";
  if (now.t !== "snapshot") return pictured ? undefined : live.replaceChildren(plain(now));
  const speed = before && now.ms > before.ms ? (now.moves - before.moves) / (now.ms - before.ms) * 1000 : 0;
  before = now;
  const seekers = now.seekers.filter(seeker => seeker.running);
  const share = seekers.length ? Math.min(...seekers.map(seeker => seeker.percent)) : null;
  const gauges = new Gauges();
  const gauge = (name, text) => gauges.add(name, text);
  gauge("time", time(now.ms));
  gauge("share of the tree *", share === null ? "–" : `${share.toFixed(1)} %`);
  gauge("queue", number(now.queued));
  gauge("strategies taken", number(now.taken));
  gauge("moves", number(now.moves));
  gauge("moves a second", speed > 0 ? number(Math.round(speed)) : "–");
  gauge("games", number(now.solutions));
  gauge("cook strategies", number(now.cooks));
  const workers = element("div", "", "workers");
  for (const player of now.players) {
    const men = [...player.white, ...player.black];
    if (!men.length) continue;
    workers.append(element("h2", `Worker ${player.name}, free moves ${player.free ?? "–"}`));
    workers.append(element("pre", columns(player.white, player.black)));
  }
  for (const seeker of seekers.slice(0, 8)) {
    workers.append(element("h2", `Enumeration ${seeker.name}: ${number(seeker.nodes)} nodes`));
    workers.append(element("pre", seeker.steps.slice(0, 8).map(step => `${step.kind}: ${step.text}`).join("\n")));
  }
  const note = element("p", "* If all branches were of one size; what is left may be harder.", "hint");
  live.replaceChildren(gauges.box, note, bars(now.histogram), workers);
}

function columns(left, right) {
  const width = Math.max(0, ...left.map(text => text.length));
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, at) => `${(left[at] ?? "").padEnd(width)}   ${right[at] ?? ""}`).join("\n");
}

// Strategies by free moves, as meters: no styles of our own are needed for their length.
function bars(histogram) {
  const box = element("div", "", "bars");
  const most = Math.max(1, ...histogram.map(bar => bar.strategies));
  for (const bar of histogram.slice(0, 12)) {
    const row = element("label", `${bar.free} free moves`);
    const meter = document.createElement("meter");
    [meter.max, meter.value] = [most, bar.strategies];
    row.append(element("span", number(bar.strategies)), meter);
    box.append(row);
  }
  return box;
}

// The games found so far, drawn by the server, while the run goes on.
let fetching = 0;
function refresh() {
  clearTimeout(fetching);
  fetching = setTimeout(async () => {
    const answer = await fetch(location.pathname);
    if (!answer.ok || game) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("#games").replaceChildren(...page.querySelector("#games").childNodes);
    games();
  }, 500);
}

if (live) {
  follow(live.dataset.run, {
    record: record => {
      if (record.t === "solution") refresh();
      if (record.t === "warning") live.before(element("p", record.text, "fault"));
    },
    sample,
    over: () => location.reload(),
  });
}
