// Choices of the viewer that the browser keeps: fields with `data-setting`.
const KEY = "umbrail-analysis";

function kept() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
}

export class Settings {
  /** @param {(name: string) => void} changed Called after a choice. */
  constructor(changed) {
    /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
    this.fields = new Map([...document.querySelectorAll("[data-setting]")].map(field => [field.dataset.setting, field]));
    const values = kept();
    for (const [name, field] of this.fields) {
      const value = values[name];
      if (field.type === "checkbox") { if (typeof value === "boolean") field.checked = value; }
      else if ("options" in field && [...field.options].some(option => option.value === value)) field.value = value;
      field.addEventListener("change", () => { this.keep(); changed(name); });
    }
  }

  /**
   * The value of a field: a text, or true or false.
   * @param {string} name
   */
  get(name) {
    const field = this.fields.get(name);
    return field?.type === "checkbox" ? field.checked : field?.value ?? "";
  }

  /**
   * The choice of a list in words.
   * @param {string} name
   */
  text(name) {
    const field = this.fields.get(name);
    return field && "selectedOptions" in field ? field.selectedOptions[0]?.textContent.trim() ?? "" : "";
  }

  /**
   * Sets a field, unless it does not have this choice.
   * @param {string} name
   * @param {string} value
   */
  set(name, value) {
    const field = this.fields.get(name);
    if (field && "options" in field && [...field.options].some(option => option.value === value)) field.value = value;
  }

  keep() {
    const values = Object.fromEntries([...this.fields.keys()].map(name => [name, this.get(name)]));
    // A browser may refuse to keep anything.
    try { localStorage.setItem(KEY, JSON.stringify(values)); } catch { /* The choice lasts as long as the page. */ }
  }
}
