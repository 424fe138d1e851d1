//! HTML page in one file, without external resources.

use std::fmt;

/// HTML page; [`Display`](fmt::Display) writes it.
#[derive(Clone, Copy, Debug)]
pub struct HtmlPage<'a> {
    /// Title, as plain text.
    pub title: &'a str,
    /// Style sheet.
    pub style: &'a str,
    /// Body, as HTML.
    pub body: &'a str,
    /// Script that runs after the body is loaded; empty for none.
    pub script: &'a str,
}

impl fmt::Display for HtmlPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, style, body, script } = self;
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
             <style>{style}</style>\n</head>\n<body>\n{body}",
            escaped(title)
        )?;
        if !script.is_empty() {
            writeln!(f, "<script>{script}</script>")?;
        }
        f.write_str("</body>\n</html>\n")
    }
}

/// Escapes a text for HTML, also between the quotes of an attribute.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{HtmlPage, escaped};

    #[test]
    fn a_page_is_one_document_with_its_title_escaped() {
        let text =
            HtmlPage { title: "A < B", style: "", body: "<p>x</p>\n", script: "f()" }.to_string();
        for part in ["<!DOCTYPE html>", "<title>A &lt; B</title>", "<p>x</p>", "</html>\n"] {
            assert_eq!(text.matches(part).count(), 1, "{part}");
        }
        assert!(text.contains("<script>f()</script>\n</body>"));
        let still = HtmlPage { title: "", style: "", body: "", script: "" }.to_string();
        assert!(!still.contains("<script>"));
        assert_eq!(escaped("\"a\" & <b>"), "&quot;a&quot; &amp; &lt;b&gt;");
    }
}
