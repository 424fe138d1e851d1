// A run with several machines: its queue, an estimate of what is left, and a line for each worker.
import { Gauges, element, number, time } from "./gauges.js";

export class Machines {
  constructor() { this.box = element("section", "", "machines"); }

  show(now) {
    this.box.hidden = !now;
    if (!now) return;
    const gauges = new Gauges();
    gauges.add("units done", number(now.units));
    gauges.add("audited", number(now.audited));
    gauges.add("without result", number(now.open));
    gauges.add("waiting", number(now.queued));
    gauges.add("at work", number(now.working));
    gauges.add("results a second", number(now.per_second));
    gauges.add("claims", now.of === null ? number(now.claims) : `${number(now.claims)} of ${number(now.of)}`);
    gauges.add("about left", now.left_ms === null ? "–" : time(now.left_ms));
    const share = document.createElement("meter");
    if (now.of) [share.max, share.value] = [now.of, now.claims];
    share.setAttribute("aria-label", "share of the claims");
    const rows = element("table", "", "crew");
    rows.createTHead().insertRow().append(...["Worker", "Threads", "Done", "Unit at work"].map(name => element("th", name)));
    const body = rows.createTBody();
    for (const { name, threads, done, at } of now.workers) {
      const unit = at.length ? at.map(one => `${one.unit} (${Math.round(one.elapsed_ms / 1000)} s)`).join(", ") : "waits";
      body.insertRow().append(element("td", name), element("td", number(threads), "number"), element("td", number(done), "number"), element("td", unit, "mono"));
    }
    const none = "No worker has reported; start one with umbrail worker --cluster and the same address.";
    this.box.replaceChildren(element("h2", `Machines: ${now.workers.length}`), element("p", "These figures cover all machines; the other figures of this page cover this machine.", "hint"), gauges.box, share, now.workers.length ? rows : element("p", none, "fault"));
  }
}
