// Marks explained while a steno is typed.
import { Asker, keep, words } from "./ask.js";
import { element } from "./gauges.js";

const form = document.querySelector("#steno");
const look = document.querySelector("#look");
const asker = new Asker("/api/steno/read", show, fault => show({ fault, turns: [], remarks: [] }));

// A refused form has no address of its own; a reload would send it again.
if (!location.search && form.elements.text.value) keep("/steno", words(form));
form.addEventListener("input", () => asker.soon(() => {
  const of = words(form);
  keep("/steno", of);
  return of;
}));

// A mark is added where the cursor is. Without a script the list only explains.
document.querySelector("#vocabulary").addEventListener("click", event => {
  const mark = event.target.closest("button")?.dataset.mark;
  if (!mark) return;
  const field = form.elements.text;
  // Reaching the field by the keyboard selects all of it, which is no wish to replace it.
  const isAll = field.selectionEnd - field.selectionStart === field.value.length;
  const [from, to] = isAll ? [field.value.length, field.value.length] : [field.selectionStart, field.selectionEnd];
  field.setRangeText(mark, from, to, "end");
  field.focus();
  form.dispatchEvent(new Event("input"));
});
// The list belongs to the vocabulary.
form.elements.vocabulary.addEventListener("change", () => {
  location.assign(`/steno?${words(form)}`);
});

function show(seen) {
  const parts = [];
  if (seen.fault) {
    if (seen.column) parts.push(element("pre", `${form.elements.text.value}\n${" ".repeat(seen.column - 1)}^`, "mono"));
    parts.push(element("p", seen.fault, "fault"));
  }
  if (seen.turns.length) {
    const table = element("table", "", "marks");
    const head = table.createTHead().insertRow();
    head.append(...["Turn", "Mark", "Meaning"].map(name => element("th", name)));
    const body = table.createTBody();
    seen.turns.forEach(([mark, text], at) => body.insertRow().append(
      element("td", `${Math.floor(at / 2) + 1}. ${at % 2 ? "Black" : "White"}`), element("td", mark, "mono"), element("td", text)));
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
