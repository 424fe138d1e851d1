//! Shares of a whole as one bar.

use std::fmt;

/// Shares of a whole side by side, each with a class and a name; [`Display`](fmt::Display) writes
/// an `svg` element.
#[derive(Clone, Copy, Debug)]
pub struct Share<'a> {
    /// Description of the bar for screen readers.
    pub label: &'a str,
    /// Class, name and size of each part.
    pub parts: &'a [(&'a str, &'a str, u64)],
}

impl fmt::Display for Share<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum: u64 = self.parts.iter().map(|(_, _, size)| size).sum();
        let label = crate::escaped(self.label);
        write!(
            f,
            r#"<svg class="share" viewBox="0 0 1000 28" preserveAspectRatio="none" role="img" aria-label="{label}">"#
        )?;
        let mut left = 0.0;
        for (class, name, size) in self.parts.iter().filter(|(_, _, size)| *size > 0) {
            let width = 1000.0 * *size as f64 / sum as f64;
            let percent = 100.0 * *size as f64 / sum as f64;
            write!(
                f,
                r#"<rect class="{class}" x="{left:.2}" width="{width:.2}" height="28"><title>{}: {size} ({percent:.2} %)</title></rect>"#,
                crate::escaped(name)
            )?;
            left += width;
        }
        f.write_str("</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn parts_fill_the_bar() {
        let parts = [("win", "White wins", 3), ("draw", "drawn", 0), ("loss", "lost", 1)];
        let text = Share { label: "a & b", parts: &parts }.to_string();
        assert!(
            text.contains(r#"x="0.00" width="750.00""#)
                && text.contains(r#"x="750.00" width="250.00""#)
        );
        assert!(text.contains("lost: 1 (25.00 %)") && !text.contains("drawn"));
        assert!(text.contains(r#"aria-label="a &amp; b""#));
        let none = Share { label: "", parts: &[("win", "w", 0)] }.to_string();
        assert!(!none.contains("rect"));
    }
}
