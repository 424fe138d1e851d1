//! JSON output of texts.

/// Returns a text as a JSON string, with its quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for symbol in text.chars() {
        match symbol {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            symbol if symbol.is_control() => {
                out.push_str(&format!("\\u{:04x}", u32::from(symbol)));
            }
            symbol => out.push(symbol),
        }
    }
    out.push('"');
    out
}

/// Returns a list of texts as a JSON array.
pub fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| quoted(item.as_ref())).collect();
    format!("[{}]", items.join(","))
}

#[cfg(test)]
mod tests {
    use super::{list, quoted};

    #[test]
    fn quotes_and_control_characters_are_escaped() {
        assert_eq!(quoted("a\"b\\c\n\t\u{1}é"), "\"a\\\"b\\\\c\\n\\t\\u0001é\"");
        assert_eq!(list(["e4", "e5"]), "[\"e4\",\"e5\"]");
        assert_eq!(list([""; 0]), "[]");
    }
}
