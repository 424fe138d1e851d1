// The page of a table that is being built, of a survey, or of a sheet that is being solved.
import { element, plain, time } from "./gauges.js";
import { Machines } from "./machines.js";
import { follow } from "./stream.js";

const live = document.querySelector("#live");
const machines = new Machines();
// The figures so far: not each sample has all of them.
let seen = {};
// The verdicts or rows so far, drawn by the server.
let fetching = 0;
function refresh() {
  clearTimeout(fetching);
  fetching = setTimeout(async () => {
    const answer = await fetch(location.pathname + location.search);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of ["#rows", "#verdict"]) document.querySelector(part)?.replaceWith(page.querySelector(part));
  }, 500);
}

// Endgames of a survey that are counted.
let counted = 0;
// The share done and the time left: of a survey by the endgames that are counted, else by the estimate that was made before
// the build.
function left(elapsed) {
  const total = Number(live.dataset.total);
  const estimate = total ? elapsed * total / Math.max(counted, 1) : Number(live.dataset.estimate);
  if (!estimate || elapsed === undefined || total && !counted) return [];
  const bar = element("progress");
  [bar.max, bar.value] = [1, Math.min(0.99, elapsed / estimate)];
  bar.setAttribute("aria-label", "estimated share");
  const text = total ? `${counted} of ${total} endgames, about ${coarse(Math.max(0, estimate - elapsed))} left if the others take as long` : elapsed < estimate ? `about ${Math.min(99, Math.round(100 * elapsed / estimate))} %, about ${coarse(estimate - elapsed)} left` : "longer than estimated";
  const line = element("p", ` ${text}`);
  line.prepend(bar);
  return [line];
}

// A time that is only estimated.
const coarse = ms => ms < 60000 ? `${Math.ceil(ms / 1000)} s` : time(ms);

if (live) {
  follow(live.dataset.run, {
    record: record => { if (record.material) counted++; if (record.t === "problem" || record.t === "verdict" || record.material) refresh(); },
    sample: now => {
      if (now.t === "progress") {
        // A row of the builder has the ply of the present table, positions lost and won there, and the time, between tabs.
        const [ply, lost, won, rest] = (now.text ?? "").split("\t");
        if (rest !== undefined) seen = { ...seen, ply: parseInt(ply, 10), lost: Number(lost), won: Number(won) };
        else seen = { ...seen, ...now };
        live.replaceChildren(...left(seen.elapsed_ms), plain(seen));
      }
      if (now.t === "snapshot") {
        machines.show(now.cluster);
        live.replaceChildren(plain({ elapsed_ms: now.elapsed_ms, searched: now.taken, waiting: now.queued, moves: now.moves }), machines.box);
      }
    },
    over: () => location.reload(),
  });
}
