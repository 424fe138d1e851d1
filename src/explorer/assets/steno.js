// Marks explained while a steno is typed.
import { element } from "./gauges.js";

const form = document.querySelector("#steno");
const look = document.querySelector("#look");

let timer = 0, asking = null;
form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, 120);
});

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const words = new URLSearchParams(new FormData(form));
  history.replaceState(null, "", `/steno?${words}`);
  try {
    const answer = await fetch(`/api/steno/read?${words}`, { signal: asking.signal });
    show(await answer.json());
  } catch (error) {
    if (error.name !== "AbortError") show({ fault: "The program does not answer.", turns: [], remarks: [] });
  }
}

function show(seen) {
  const parts = [];
  if (seen.fault) {
    if (seen.column) parts.push(element("pre", `${form.elements.text.value}\n${" ".repeat(seen.column - 1)}^`, "mono"));
    parts.push(element("p", seen.fault, "fault"));
  }
  if (seen.turns.length) {
    const table = element("table", "", "marks");
    const head = table.createTHead().insertRow();
    head.append(...["Turn", "Mark", "What it says"].map(name => element("th", name)));
    const body = table.createTBody();
    seen.turns.forEach(([mark, words], at) => body.insertRow().append(
      element("td", `${Math.floor(at / 2) + 1}. ${at % 2 ? "Black" : "White"}`), element("td", mark, "mono"), element("td", words)));
    parts.push(table);
  }
  if (seen.remarks.length) {
    const details = element("details");
    const list = element("ul");
    list.append(...seen.remarks.map(text => element("li", text)));
    details.append(element("summary", "What follows for earlier moves"), list);
    details.open = look.querySelector("details")?.open ?? false;
    parts.push(details);
  }
  look.replaceChildren(...parts);
}
