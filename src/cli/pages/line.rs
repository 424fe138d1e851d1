//! A line of a page: coloured pieces of text.

/// How a piece of a line looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Style {
    /// As the terminal has it.
    #[default]
    Plain,
    /// Headings and verdicts.
    Bold,
    /// What becomes of the pawns.
    Green,
    /// The path of a seeker above the depth where seekers part.
    Violet,
    /// The same below.
    Dim,
}

/// A line: pieces from the left, each in its style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line(pub(super) Vec<(Style, String)>);

impl Line {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self(vec![(Style::Plain, text.into())])
    }

    pub(super) fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// Adds a piece at this column, or after the text that is there already.
    pub(super) fn at(mut self, column: usize, style: Style, text: &str) -> Self {
        if !text.is_empty() {
            let gap = column.saturating_sub(self.width()).max(usize::from(self.width() > column));
            self.0.push((Style::Plain, " ".repeat(gap)));
            self.0.push((style, text.to_owned()));
        }
        self
    }

    /// Adds a piece that ends at this column.
    pub(super) fn completion(self, column: usize, style: Style, text: &str) -> Self {
        let start = column.saturating_sub(text.chars().count());
        self.at(start, style, text)
    }

    /// The same line, cut to a width.
    pub(super) fn cut(self, width: usize) -> Self {
        let mut left = width;
        let mut pieces = vec![];
        for (style, text) in self.0 {
            let piece: String = text.chars().take(left).collect();
            left -= piece.chars().count();
            pieces.push((style, piece));
        }
        Self(pieces)
    }
}
