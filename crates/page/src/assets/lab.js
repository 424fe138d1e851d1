// The laboratory: drawn by the server, and drawn again when there is something new. A hidden page asks for nothing.
const lab = document.querySelector("#lab");
let source = null, last = null;

async function refresh() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = [...lab.querySelectorAll("details")].map(details => details.open);
  lab.replaceChildren(...page.querySelector("#lab").childNodes);
  lab.querySelectorAll("details").forEach((details, at) => { details.open = open[at] ?? false; });
}

function listen() {
  source = new EventSource("/api/lab/events");
  // A changed number shows that something was missed while the page was hidden.
  source.addEventListener("now", event => { if (last !== null && last !== event.lastEventId) refresh(); last = event.lastEventId; });
  source.addEventListener("changed", event => { last = event.lastEventId; refresh(); });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) { source?.close(); source = null; } else if (!source) listen();
});
if (!document.hidden) listen();
