// Asks the program what is known of a form while it is edited. Only the latest question counts: an earlier one that is
// still under way is given up.

/** Maximum length of an address that the server takes. */
const QUERY_MAX = 30000;

// The words of a form that are not empty.
export function words(form) {
  return new URLSearchParams([...new FormData(form)].flatMap(([name, value]) => value ? [[name, `${value}`]] : []));
}

// The address line follows what is edited, so that it can be kept and sent.
export function keep(path, of) {
  const text = `${of}`;
  history.replaceState(null, "", text ? `${path}?${text}` : path);
}

export class Asker {
  // `show` is given the answer, `fail` a sentence when there is none.
  constructor(path, show, fail) {
    this.path = path;
    this.show = show;
    this.fail = fail;
    this.timer = 0;
    /** @type {AbortController | null} */
    this.asking = null;
  }

  // Asks when nothing was changed for a moment; `of` gives the words then.
  soon(of) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(of()), 130);
  }

  /** Gives up the question under way. */
  stop() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.asking = null;
  }

  async now(of) {
    clearTimeout(this.timer);
    this.asking?.abort();
    if (`${of}`.length > QUERY_MAX) return this.fail("The text is too long to be checked while it is typed.");
    const asking = this.asking = new AbortController();
    try {
      const answer = await fetch(`${this.path}?${of}`, { signal: asking.signal });
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const seen = await answer.json();
      if (asking === this.asking) this.show(seen);
    } catch (error) {
      if (asking !== this.asking || error.name === "AbortError") return;
      this.fail(error instanceof TypeError ? "The program does not answer. Is umbrail serve still running?" : error.message);
    }
  }
}
