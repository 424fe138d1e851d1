// The page of a run: its progress while it works, and its games move by move.
import { Board, read, squareOf } from "./board.js";
import { copy } from "./copy.js";
import { Gauges, element, number, plain, time } from "./gauges.js";
import { Machines } from "./machines.js";
import { Crew } from "./crew.js";
import { follow } from "./stream.js";

const host = document.querySelector("#board");
const board = new Board(host);
const steps = document.querySelector(".steps");
const status = document.querySelector("#status");
board.show(read(host.dataset.fen));

let game = null, ply = 0;

function show(which, at) {
  const boards = which.dataset.boards.split(","), moves = which.dataset.moves.split(",");
  if (at < 0 || at >= boards.length) return;
  for (const button of document.querySelectorAll(".moves .now")) button.classList.remove("now");
  [game, ply] = [which, at];
  const squares = at > 0 ? moves[at - 1].match(/[a-h][1-8]/g) ?? [] : [];
  board.arrows([]);
  board.show(read(boards[at]), squares.map(name => [squareOf(name), "last"]));
  const button = which.querySelector(`[data-ply="${at}"]`);
  button?.classList.add("now");
  status.textContent = button ? `${Math.ceil(at / 2)}${at % 2 ? "." : "…"} ${button.dataset.san}` : "Initial position";
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

let before = null, gauges = null, share = "–";
const percent = part => `${part.toFixed(part < 10 ? 2 : 1)} %`;

function sample(now, memory) {
  if (now.t !== "snapshot") return gauges ? undefined : live.replaceChildren(plain(now));
  if (!gauges) {
    gauges = { numbers: element("div"), machines: new Machines(), histogram: element("div"), crew: new Crew(board), paths: element("div", "", "paths") };
    const note = element("p", "* Assumes branches of equal size; with several enumerations, the smallest and the largest share. The rest may be harder.", "hint");
    live.replaceChildren(gauges.numbers, note, gauges.machines.box, element("h2", "Strategies by free moves"), gauges.histogram, gauges.crew.box, gauges.paths);
  }
  const speed = before && now.elapsed_ms > before.elapsed_ms ? (now.moves - before.moves) / (now.elapsed_ms - before.elapsed_ms) * 1000 : 0;
  before = now;
  gauges.numbers.replaceChildren(figures(now, memory, speed));
  gauges.machines.show(now.cluster);
  gauges.histogram.replaceChildren(bars(now.histogram));
  gauges.crew.show(now.players);
  gauges.paths.replaceChildren(...paths(now.seekers));
}

function figures(now, memory, speed) {
  const box = new Gauges();
  // Between two enumerations, or while the queue is full, none is at work: the page shows where they rest then.
  const running = now.seekers.filter(seeker => seeker.running);
  const shares = (running.length ? running : now.seekers).map(seeker => seeker.percent);
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  if (shares.length) share = percent(least) === percent(most) ? percent(least) : `${percent(least)} – ${percent(most)}`;
  box.add("time", time(now.elapsed_ms));
  box.add("share of the tree *", share);
  box.add("about left, estimated", left(shares, now.elapsed_ms));
  box.add("strategies found", number(now.seekers.reduce((sum, seeker) => sum + seeker.found, 0)));
  box.add("strategies kept", number(now.seekers.reduce((sum, seeker) => sum + seeker.kept, 0)));
  box.add("queue", number(now.queued));
  box.add("searched", number(now.taken));
  box.add("moves", number(now.moves));
  box.add("moves a second", speed > 0 ? number(Math.round(speed)) : "–");
  box.add("games", number(now.solutions));
  box.add("cook strategies", number(now.cooks));
  box.add("refutation table", now.cache[1] ? `${(100 * now.cache[0] / now.cache[1]).toFixed(1)} % full` : "–");
  if (memory) box.add("memory of the program", `${number(Math.round(memory / 1048576))} MiB`);
  if (now.retracted) box.add("taken back first", `${now.retracted.moves} (${now.retracted.number} of ${now.retracted.of})`);
  return box.box;
}

// The time left if the rest of the tree is like the finished part: by the enumeration that is farthest behind.
function left(shares, elapsed) {
  const least = Math.min(...shares);
  return shares.length && least >= 1 && least < 100 ? time(elapsed * (100 - least) / least) : "–";
}

// The decisions of each enumeration from the top, with the branch and how many there are.
function paths(seekers) {
  return seekers.slice(0, 8).flatMap(seeker => {
    const list = element("ol");
    list.append(...seeker.steps.slice(0, 12).map(step => element("li", `${step.kind}: ${step.text}`, step.below ? "below" : "")));
    const state = seeker.running ? `${seeker.percent.toFixed(2)} % *` : "idle";
    return [element("h2", `Path of enumeration ${seeker.name}: ${state}, ${number(seeker.nodes)} nodes`), list];
  });
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

// What differs in the first two games of a strategy: the moves of one in one color, of the other in another.
document.addEventListener("click", event => {
  const copied = event.target.closest("[data-copy]");
  if (copied) copy(document.getElementById(copied.dataset.copy).textContent).then(done => { if (done) copied.textContent = "Copied"; });
  const cook = event.target.closest("[data-cook]");
  if (!cook) return;
  const all = [...document.querySelectorAll(".game")].filter(one => one.dataset.number === cook.dataset.cook);
  if (all.length < 2) { status.textContent = "Further games of this strategy are in the files."; return; }
  const [one, two] = all.map(game => game.dataset.moves.split(","));
  const differ = one.map((move, at) => move !== two[at]);
  const arrow = (move, kind) => [squareOf(move.slice(0, 2)), squareOf(move.slice(2, 4)), kind];
  show(all[0], one.length);
  board.arrows(differ.flatMap((differs, at) => differs ? [arrow(one[at], "left"), ...(two[at] ? [arrow(two[at], "right")] : [])] : []));
  const first = differ.indexOf(true), last = differ.lastIndexOf(true);
  status.textContent = `The games differ from move ${Math.floor(first / 2) + 1} to move ${Math.floor(last / 2) + 1}: the first in green, the second in blue.`;
  host.scrollIntoView({ block: "nearest" });
});

// The games found so far, drawn by the server, while the run works.
let fetching = 0;
function refresh() {
  clearTimeout(fetching);
  fetching = setTimeout(async () => {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("#layers")?.replaceWith(page.querySelector("#layers"));
    // A game that one steps through stays.
    if (game) return;
    document.querySelector("#games").replaceChildren(...page.querySelector("#games").childNodes);
    games();
  }, 500);
}

if (live) {
  follow(live.dataset.run, {
    record: record => {
      if (record.t === "solution" || record.t === "mark") refresh();
      if (record.t === "warning") live.before(element("p", record.text, "fault"));
    },
    sample,
    over: () => location.reload(),
  });
}
