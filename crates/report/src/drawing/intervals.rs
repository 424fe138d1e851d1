//! Estimates with their errors as SVG: a point with its interval in each row, over one scale.

use std::fmt;

/// Left edge and width of the scale, the space for numbers on its right, and the height of a row,
/// in units of the drawing.
const LEFT: f64 = 230.0;
const WIDTH: f64 = 540.0;
const BEHIND: f64 = 140.0;
const STEP: f64 = 28.0;
/// Space below the rows for the numbers of the scale, in units of the drawing.
const FOOT: f64 = 30.0;
/// Smallest extent of the scale on both sides of 0; larger ones are multiples.
const REACH_STEP: f64 = 20.0;

/// Row with a label and an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured<'a> {
    /// Label of the row.
    pub label: &'a str,
    /// Estimate and half the width of its interval; none draws only the label.
    pub value: Option<(f64, f64)>,
    /// Class of the row: `gains`, `loses` or another.
    pub class: &'a str,
}

/// Rows over one scale with 0 in its center; [`Display`](fmt::Display) writes an `svg` element.
#[derive(Clone, Copy, Debug)]
pub struct Intervals<'a> {
    /// Description of the drawing for screen readers.
    pub label: &'a str,
    /// Rows from the top.
    pub rows: &'a [Measured<'a>],
}

impl fmt::Display for Intervals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finite = |row: &Measured<'_>| {
            row.value.filter(|(middle, half)| middle.is_finite() && half.is_finite())
        };
        let ends = self.rows.iter().filter_map(finite).map(|(middle, half)| middle.abs() + half);
        let reach = (ends.fold(REACH_STEP, f64::max) / REACH_STEP).ceil() * REACH_STEP;
        let x = |value: f64| LEFT + WIDTH / 2.0 + value.clamp(-reach, reach) / reach * WIDTH / 2.0;
        let ground = STEP * self.rows.len() as f64 + 8.0;
        write!(
            f,
            r#"<svg class="intervals" viewBox="0 0 {} {}" role="img" aria-label="{}" font-family="sans-serif" font-size="14">"#,
            LEFT + WIDTH + BEHIND,
            ground + FOOT,
            crate::escaped(self.label)
        )?;
        for tick in -4..=4 {
            let value = reach * f64::from(tick) / 4.0;
            let (at, opacity) = (x(value), if tick == 0 { ".6" } else { ".18" });
            write!(
                f,
                r#"<path class="grid" stroke="currentColor" stroke-opacity="{opacity}" d="M{at:.1} 4V{ground}"/><text class="tick" fill="currentColor" text-anchor="middle" x="{at:.1}" y="{:.1}">{value:+.0}</text>"#,
                ground + 20.0
            )?;
        }
        for (at, row) in self.rows.iter().enumerate() {
            let y = STEP * at as f64 + 20.0;
            let label = crate::escaped(row.label);
            write!(
                f,
                r#"<g class="{}" fill="currentColor"><text x="0" y="{:.1}">{label}</text>"#,
                crate::escaped(row.class),
                y + 5.0
            )?;
            if let Some((middle, half)) = finite(row) {
                let (low, point, high) = (x(middle - half), x(middle), x(middle + half));
                write!(
                    f,
                    r#"<path stroke="currentColor" stroke-width="2" d="M{low:.1} {y}H{high:.1}M{low:.1} {0}v10M{high:.1} {0}v10"/><circle cx="{point:.1}" cy="{y}" r="5"><title>{label}: {middle:+.1} ± {half:.1}</title></circle><text x="{1}" y="{2:.1}">{middle:+.1} ± {half:.1}</text>"#,
                    y - 5.0,
                    LEFT + WIDTH + 14.0,
                    y + 5.0
                )?;
            }
            f.write_str("</g>")?;
        }
        f.write_str("</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::{Intervals, Measured};

    #[test]
    fn a_row_has_its_point_in_the_middle_of_its_interval() {
        let rows = [
            Measured { label: "XP3 <on>", value: Some((-10.0, 5.0)), class: "loses" },
            Measured { label: "few", value: None, class: "few" },
            Measured { label: "odd", value: Some((f64::NAN, 1.0)), class: "few" },
        ];
        let text = Intervals { label: "Elo", rows: &rows }.to_string();
        // The scale extends by 20 to each side: -10 lies a quarter of the scale from its left edge.
        assert!(text.contains(r#"<circle cx="365.0""#), "{text}");
        assert!(text.contains("d=\"M297.5 20H432.5"), "{text}");
        assert!(text.contains("XP3 &lt;on&gt;: -10.0 ± 5.0") && text.contains(">few</text></g>"));
        assert_eq!(text.matches("<circle").count(), 1);
        assert!(!text.contains("style="));
    }

    #[test]
    fn the_scale_grows_with_the_widest_interval() {
        let rows = [Measured { label: "", value: Some((90.0, 25.0)), class: "gains" }];
        let text = Intervals { label: "", rows: &rows }.to_string();
        assert!(text.contains(">+120</text>") && text.contains(">-120</text>"), "{text}");
    }
}
