// The page of a table that is being built.
import { plain } from "./gauges.js";
import { follow } from "./stream.js";

const live = document.querySelector("#live");
if (live) {
  follow(live.dataset.run, {
    record: () => {},
    sample: now => { if (now.t === "progress") live.replaceChildren(plain(now)); },
    over: () => location.reload(),
  });
}
