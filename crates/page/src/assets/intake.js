// A FEN or a game that is pasted, dropped or typed.

/** Largest text that the server takes, in bytes. */
const TEXT_MAX = 1e6;
/** Time in ms without a key after which a typed text is read. */
const TYPING_MS = 300;

/** Name under which a text is handed to the analysis. */
const HANDED = "umbrail-text";

export class Intake {
  /**
   * Opens the analysis with a text.
   * @param {string} text
   */
  static hand(text) {
    sessionStorage.setItem(HANDED, text);
    location.assign("/play");
  }

  /** The text that another page has handed over; empty without one. */
  static handed() {
    const text = sessionStorage.getItem(HANDED) ?? "";
    sessionStorage.removeItem(HANDED);
    return text;
  }

  /**
   * @param {HTMLTextAreaElement | HTMLInputElement} field
   * @param {(text: string, isNew: boolean) => void} load `isNew` is false while one text is being typed.
   * @param {(text: string) => void} tell
   * @param {boolean} isForm The field has a button of its own: what is typed or pasted there waits for it.
   */
  constructor(field, load, tell, isForm = false) {
    // A script sends longer texts than an address contains.
    field.removeAttribute("maxlength");
    this.load = load;
    this.tell = tell;
    const isOther = target => (isForm || target !== field) && target.matches?.("input, textarea");
    document.addEventListener("paste", event => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!text.trim() || isOther(event.target)) return;
      event.preventDefault();
      field.blur();
      this.take(text);
    });
    document.addEventListener("dragover", event => { if (!isOther(event.target)) event.preventDefault(); });
    document.addEventListener("drop", async event => {
      if (isOther(event.target)) return;
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      if (file && file.size > TEXT_MAX) return this.tell("At most 1 MB of text can be read.");
      this.take(file ? await file.text() : event.dataTransfer.getData("text"));
    });
    // The former game is kept once, not after each letter.
    let isFirst = true;
    if (!isForm) field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.take(field.value, isFirst); isFirst = false; }, TYPING_MS);
    });
    field.addEventListener("blur", () => { isFirst = true; });
  }

  take(text, isNew = true) {
    clearTimeout(this.timer);
    if (!text.trim()) return;
    if (text.length > TEXT_MAX) this.tell("At most 1 MB of text can be read.");
    else this.load(text, isNew);
  }
}
