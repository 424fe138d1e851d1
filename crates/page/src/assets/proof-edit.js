// The editor of a proof game: board and words follow each other, and the server reports what is known of the problem.
import { Asker, keep, words } from "./ask.js";
import { Editor, read } from "./board.js";
import { element } from "./gauges.js";

const form = document.querySelector("#problem");
const look = document.querySelector("#look");
const fen = form.elements.fen;
const ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

const editor = new Editor(
  document.querySelector("#board"), document.querySelector("#palette"), document.querySelector("#status"),
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

const asker = new Asker("/api/proof/check", show, fault => show({ pieces: [0, 0], fault, reasons: [], reported: [] }));
let tries = 0;
function changed() {
  tries = 0;
  // What is shown belongs to the problem before the change.
  look.classList.add("stale");
  asker.soon(() => {
    const of = words(form);
    keep("/proof", of);
    return of;
  });
}

// A refused form has no address of its own; a reload would send it again.
if (!location.search && look.querySelector(".fault")) keep("/proof", words(form));
if (look.dataset.late !== undefined) asker.now(words(form));

function show(seen) {
  look.classList.remove("stale");
  const list = element("ul");
  list.append(...seen.reasons.map(text => element("li", text, "fault")), ...seen.reported.map(text => element("li", text)));
  const fault = seen.fault ? [element("p", seen.fault, "fault")] : [];
  const pieces = seen.pieces[0] + seen.pieces[1] ? seen.pieces.join("+") : "–";
  look.replaceChildren(element("p", pieces, "count"), ...fault, list);
  // On a machine that is busy the time may be over before anything was counted.
  if (seen.late && !seen.found && tries++ < 3) asker.now(words(form));
}

// A problem as a sheet has it, "FEN 46" or "FEN 23.0", may be put into the field of the FEN.
fen.addEventListener("change", () => {
  const found = /^(\S+)(?:\s.*?)?\s(?:PG in\s+)?(\d+)(?:[.,]([05]))?\s*$/.exec(fen.value);
  if (!found || found[2].length > 3 || / - /.test(fen.value)) return;
  const plies = found[3] === undefined ? Number(found[2]) : 2 * Number(found[2]) + (found[3] === "5" ? 1 : 0);
  form.elements.moves.value = `${Math.floor(plies / 2)}.${plies % 2 ? 5 : 0}`;
  put(found[1]);
});

// Completion of a condition: the word that is typed, as one of the pieces or words.
const MEN = ["K", "Q", "R", "B", "S"].flatMap((role, at) => [["e"], ["d"], ["a", "h"], ["c", "f"], ["b", "g"]][at].flatMap(file => [`${role}${file}1`, `${role}${file}8`]))
  .concat([..."abcdefgh"].flatMap(file => [`P${file}2`, `P${file}7`]));
const list = document.querySelector("#condition-words");
form.elements.conditions.addEventListener("input", event => {
  const [, head, word] = /^(.*?)([A-Za-z0-9]*)$/.exec(event.target.value);
  const near = word ? ["AND", "OR", "NOT", ...MEN].filter(one => one.startsWith(word) && one !== word) : [];
  list.replaceChildren(...near.slice(0, 20).map(one => { const made = document.createElement("option"); made.value = head + one; return made; }));
});

// A condition is added where the cursor is.
document.querySelector("#conditions").addEventListener("click", event => {
  const text = event.target.closest("button")?.dataset.condition;
  if (!text) return;
  const field = form.elements.conditions;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.focus();
  changed();
});

// A fairy condition or piece is added to its field.
document.querySelector("#fairy").addEventListener("click", event => {
  const button = event.target.closest("[data-add]");
  if (!button) return;
  const field = form.elements[button.dataset.to], text = button.dataset.add;
  const there = field.value.split(";").map(part => part.trim()).filter(part => part && part !== text);
  field.value = [...there, text].join("; ");
  changed();
  if (field.name === "pieces") reload();
});
// The palette and the figures follow the meanings of letters.
form.elements.pieces.addEventListener("change", reload);
function reload() { location.assign(`/proof?${words(form)}`); }

// An archive is sent as it is; the program makes a run of it.
const archive = document.querySelector("#archive"), sent = document.querySelector("#sent");
archive.addEventListener("change", async () => {
  const [file] = archive.files;
  if (!file) return;
  sent.className = "";
  sent.textContent = "Uploading the archive …";
  try {
    const answer = await fetch("/proof/archive", { method: "POST", body: file });
    if (answer.ok) { location.href = answer.url; return; }
    throw new Error(await answer.text());
  } catch (error) {
    sent.className = "fault";
    sent.textContent = error.message;
    archive.value = "";
  }
});
