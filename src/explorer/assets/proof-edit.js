// The editor of a proof game: board and words follow each other, and the server says what is known of the problem.
import { Editor, read } from "./board.js";

const form = document.querySelector("#problem");
const look = document.querySelector("#look");
const fen = form.elements.fen;
const ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

const editor = new Editor(
  document.querySelector("#board"), document.querySelector("#palette"), document.querySelector("#said"),
  placement => { fen.value = placement; changed(); });
editor.show(read(fen.value));

function put(placement) {
  fen.value = placement;
  editor.show(read(placement));
  changed();
}

for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", () => {
    if (button.dataset.do === "array") put(ARRAY);
    if (button.dataset.do === "clear") put("8/8/8/8/8/8/8/8");
    if (button.dataset.do === "flip") { editor.flip(); editor.redraw(); }
  });
}
fen.addEventListener("input", () => editor.show(read(fen.value)));
form.addEventListener("input", () => changed());

let timer = 0, asking = null;
function changed() {
  clearTimeout(timer);
  timer = setTimeout(ask, 150);
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const words = new URLSearchParams(new FormData(form));
  for (const [key, value] of [...words]) if (!value) words.delete(key);
  history.replaceState(null, "", `/proof?${words}`);
  try {
    const answer = await fetch(`/api/proof/check?${words}`, { signal: asking.signal });
    show(await answer.json());
  } catch (error) {
    if (error.name !== "AbortError") show({ men: [0, 0], fault: "The program does not answer.", reasons: [], told: [] });
  }
}

function line(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function show(seen) {
  const list = document.createElement("ul");
  list.append(...seen.reasons.map(text => line("li", text, "fault")), ...seen.told.map(text => line("li", text)));
  const fault = seen.fault ? [line("p", seen.fault, "fault")] : [];
  look.replaceChildren(line("p", seen.men.join("+"), "count"), ...fault, list);
}

