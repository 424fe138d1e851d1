/** Time in ms after which a refused connection is tried again. */
const RETRY_MS = 5000;

// The events of a run, followed while the page is visible: a hidden page requests nothing, and resumes where it was.
export function follow(run, { record, sample, over }) {
  let next = 0, source = null;
  const lost = document.createElement("p");
  lost.className = "fault";
  lost.setAttribute("role", "alert");
  lost.textContent = "The program does not answer: the figures are those of the last contact. Is umbrail serve still running?";

  function open() {
    source = new EventSource(`/api/events/${run}?from=${next}`);
    source.addEventListener("news", event => {
      next = Number(event.lastEventId);
      const news = JSON.parse(event.data);
      news.records.forEach(record);
      if (news.sample) sample(news.sample, news.memory);
    });
    source.addEventListener("elsewhere", () => {
      source.close();
      document.querySelector("#live").textContent = "Another process works on this run.";
      setTimeout(() => location.reload(), 10000);
    });
    source.addEventListener("over", () => { source.close(); source = null; over(); });
    // The browser connects again by itself, unless the answer was no stream.
    source.onopen = () => { lost.remove(); };
    source.onerror = () => {
      document.querySelector("#live").before(lost);
      if (source?.readyState !== EventSource.CLOSED) return;
      source = null;
      setTimeout(() => { if (!source && !document.hidden) open(); }, RETRY_MS);
    };
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { source?.close(); source = null; } else if (!source) open();
  });
  if (!document.hidden) open();
}
