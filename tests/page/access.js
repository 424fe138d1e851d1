// Checks a page for people who use a keyboard, a screen reader or large contrast; returns the violations as texts.
// The rules are those of WCAG 2.2: 1.1.1, 1.3.1, 1.4.3, 2.4.2, 2.4.3, 2.4.6, 2.5.3, 2.5.8, 3.1.1, 4.1.2.
function violations() {
  const found = [];
  const all = selector => [...document.querySelectorAll(selector)];
  const shown = element => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const brief = element => element.outerHTML.replace(/\s+/g, " ").slice(0, 120);
  const tell = (rule, element) => found.push(`${rule}: ${element ? brief(element) : ""}`);

  if (!document.documentElement.lang) tell("the page has no language");
  if (!/\S+ – Umbrail$/.test(document.title)) tell(`the title is "${document.title}"`);

  // Names.
  const textOf = id => document.getElementById(id)?.textContent.trim() ?? "";
  const named = element =>
    element.getAttribute("aria-label")?.trim() || (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).map(textOf).join(" ").trim() ||
    [...element.labels ?? []].map(label => label.textContent.trim()).join(" ").trim() ||
    (element.matches("button, a, summary, option") ? element.textContent.trim() : "") || element.title;
  for (const element of all("button, a[href], input:not([type=hidden]), select, textarea, summary, progress, meter, output, [tabindex]:not(pre), [role=img], [role=group], [role=application], nav, dialog, section[aria-label]")) {
    if (!named(element)) tell("no name", element);
  }
  for (const element of all("button[aria-label], a[aria-label]")) {
    const text = element.textContent.trim(), isWord = /^[\w+ ]{2,}$/.test(text);
    if (isWord && !element.getAttribute("aria-label").toLowerCase().includes(text.toLowerCase())) tell("the name lacks the visible text", element);
  }
  for (const element of all("svg:not([aria-hidden]):not([aria-hidden] svg)")) {
    if (!element.hasAttribute("aria-label") || element.getAttribute("role") !== "img") tell("a picture without a description", element);
  }
  const ids = all("[id]").map(element => element.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) tell(`the id ${id} is given twice`);
  for (const attribute of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "list"]) {
    for (const element of all(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(/\s+/)) if (!document.getElementById(id)) tell(`${attribute} names ${id}, which is not there`, element);
    }
  }

  // Structure.
  const heads = all("h1, h2, h3, h4, h5, h6").filter(head => shown(head) || head.classList.contains("hidden"));
  if (heads.filter(head => head.localName === "h1").length !== 1) tell(`${heads.filter(head => head.localName === "h1").length} main headings`);
  heads.reduce((before, head) => {
    const level = Number(head.localName[1]);
    if (level > before + 1) tell(`a heading of level ${level} follows level ${before}`, head);
    return level;
  }, 0);
  for (const landmark of ["main", "header", "nav"]) if (all(landmark).length !== 1) tell(`${all(landmark).length} of ${landmark}`);
  for (const element of document.body.children) {
    if (!element.matches("main, header, .skip, .symbols, script")) tell("outside of the landmarks", element);
  }
  for (const list of all("ul, ol")) for (const item of list.children) if (item.localName !== "li") tell("no item of its list", item);
  for (const table of all("table")) if (!table.querySelector("th, td")) tell("an empty table", table);

  // Order and size of what has the focus.
  for (const element of all("[tabindex]")) if (element.tabIndex > 0) tell("an order of its own", element);
  const first = all("a[href], button, input, select, textarea, [tabindex='0']")[0];
  if (!first?.matches(".skip")) tell("the first stop does not skip the navigation", first);
  for (const element of all("button, select, input:not([type=hidden]):not([type=checkbox]), textarea")) {
    if (!shown(element) || element.closest(".moves, #moves, .designer, .hidden")) continue;
    const box = element.getBoundingClientRect();
    if (box.height < 24 || box.width < 24) tell(`${box.width.toFixed(0)} by ${box.height.toFixed(0)} pixels`, element);
  }

  // Contrast of each text with what is behind it.
  const parsed = color => {
    const numbers = color.match(/[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [0, 0, 0, 0];
    const scaled = color.startsWith("color(") ? numbers.slice(0, 3).map(part => part * 255) : numbers.slice(0, 3);
    return [...scaled, numbers[3] ?? 1];
  };
  const over = ([r, g, b, a], behind) => [r, g, b].map((part, at) => part * a + behind[at] * (1 - a)).concat(1);
  const behind = element => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const color = parsed(getComputedStyle(one).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const light = ([r, g, b]) => [r, g, b].map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !shown(element) || element.closest("svg, .hidden, .skip, :disabled, option, script")) continue;
    const style = getComputedStyle(element), ground = behind(element), ink = over(parsed(style.color), ground);
    const [a, b] = [light(ink), light(ground)].sort((one, other) => other - one);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
    if ((a + 0.05) / (b + 0.05) < (isLarge ? 3 : 4.5)) tell(`contrast ${((a + 0.05) / (b + 0.05)).toFixed(2)}`, element);
  }
  return [...new Set(found)];
}
