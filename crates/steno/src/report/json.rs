//! Texts and lists of texts as JSON, for the script of a page.

use std::fmt::Write as _;

/// A text as a JSON string, with its quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for symbol in text.chars() {
        match symbol {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            symbol if u32::from(symbol) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(symbol));
            }
            symbol => out.push(symbol),
        }
    }
    out.push('"');
    out
}

/// A list of texts.
pub(super) fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| quoted(item.as_ref())).collect();
    format!("[{}]", items.join(","))
}
