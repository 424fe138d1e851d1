// Copies a text. Without an encrypted connection browsers have no clipboard for scripts; a selected field can be copied then.

/**
 * @param {string} text
 * @returns {Promise<boolean>} True if the text was copied.
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea"), held = /** @type {HTMLElement | null} */ (document.activeElement);
    field.value = text;
    field.className = "hidden";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    held?.focus({ preventScroll: true });
    return done;
  }
}
