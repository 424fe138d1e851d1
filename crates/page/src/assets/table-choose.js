// The chooser of an endgame: a palette writes its name, and the needs of the table are shown while it is typed.
import { Asker, keep, words } from "./ask.js";
import { element } from "./gauges.js";

const form = document.querySelector("#choose"), box = document.querySelector("#needs");
const field = form.elements.endgame;
const asker = new Asker("/api/tables/needs", show, fault => show({ fault, figures: [] }));

for (const button of document.querySelectorAll("[data-letter]")) {
  button.addEventListener("click", () => {
    const { letter, side } = button.dataset;
    const [white = "K", black = "K"] = field.value.trim() ? field.value.trim().split(".") : [];
    field.value = side === "white" ? `${white || "K"}${letter}.${black || "K"}` : `${white || "K"}.${black || "K"}${letter}`;
    changed();
  });
}

function changed() {
  asker.soon(() => {
    const of = words(form);
    keep("/tables", of);
    return of;
  });
}
form.addEventListener("input", changed);

function show(seen) {
  const parts = [];
  if (seen.fault) parts.push(element("p", seen.fault, "fault"));
  if (seen.figures.length) {
    const table = element("table", "", "figures");
    for (const [name, text] of seen.figures) table.insertRow().append(element("th", name), element("td", text));
    parts.push(element("p", seen.fits, seen.lacks_memory ? "fault" : "hint"), table, element("p", "Memory is estimated by the builder; time from the speed of an idle machine, for seven endgames within a factor of two. Other programs make it longer.", "hint"));
  }
  // The page of the statistics would only say the same.
  for (const button of form.querySelectorAll(".controls button")) button.disabled = seen.lacks_memory === true;
  box.replaceChildren(...parts);
}
