// The list of runs: a filter, dates in the time zone of the reader, and no removal by a slip of the hand.
import { Intake } from "./intake.js";

/** Length of a text that fits into an address. */
const ADDRESS_MAX = 2000;

// The server knows where a line leads: a FEN, moves, an endgame, a steno, a proof game. A game of several lines goes to the
// analysis as it is. Either may be pasted or dropped anywhere.
const opened = document.querySelector("form[action='/position']");
const isDiagram = text => /^\s*(\S+\/){7}/.test(text);
const isLong = text => text.length > ADDRESS_MAX || !isDiagram(text) && /[\n[]/.test(text.trim());
const take = text => {
  if (isLong(text)) Intake.hand(text);
  else { opened.elements.fen.value = text.trim(); opened.requestSubmit(); }
};
new Intake(opened.elements.fen, take, text => { alert(text); }, true);
// The field has several lines only for the sake of games.
opened.elements.fen.addEventListener("keydown", event => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  opened.requestSubmit();
});
opened.addEventListener("submit", event => {
  const text = opened.elements.fen.value;
  if (!isLong(text)) return;
  event.preventDefault();
  Intake.hand(text);
});

const filter = document.querySelector("#filter");
const rows = [...document.querySelectorAll(".runs tbody tr")];

filter?.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
});
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll(".runs time")) time.textContent = format.format(new Date(time.dateTime));
for (const form of document.querySelectorAll(".runs form[action$='/remove']")) {
  form.addEventListener("submit", event => {
    if (!confirm("Remove this run and its files?")) event.preventDefault();
  });
}
