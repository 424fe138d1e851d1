// Types for `tsc` alone. Scripts know which elements their own page has, so that a selector finds any kind of element,
// and events of these pages come from elements.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface EventTarget {
  closest(selectors: string): any;
  matches(selectors: string): boolean;
}
