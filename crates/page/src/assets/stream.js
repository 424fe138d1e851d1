// The events of a run, followed while the page is visible: a hidden page requests nothing, and resumes where it was.
export function follow(run, { record, sample, over }) {
  let next = 0, source = null;

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
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { source?.close(); source = null; } else if (!source) open();
  });
  if (!document.hidden) open();
}
