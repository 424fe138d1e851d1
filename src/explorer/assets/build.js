// The page of a table that is being built, or of a sheet that is being solved.
import { plain } from "./gauges.js";
import { follow } from "./stream.js";

const live = document.querySelector("#live");
// The verdicts so far, drawn by the server.
let fetching = 0;
function refresh() {
  clearTimeout(fetching);
  fetching = setTimeout(async () => {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("#rows")?.replaceWith(page.querySelector("#rows"));
  }, 500);
}

if (live) {
  follow(live.dataset.run, {
    record: record => { if (record.t === "problem" || record.t === "verdict") refresh(); },
    sample: now => { if (now.t === "progress") live.replaceChildren(plain(now)); },
    over: () => location.reload(),
  });
}
