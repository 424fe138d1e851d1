//! Histogram as SVG: counts over integers, with up to two series.

use std::fmt;

/// Width and height of the drawing, and the space for numbers below and on the left, in units of
/// the drawing.
const SIZE: (f64, f64) = (1000.0, 320.0);
const FOOT: f64 = 34.0;
const SIDE: f64 = 90.0;
/// Largest number of labels below the bars.
const NUMBERS_MAX: usize = 12;

/// Bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar<'a> {
    /// Integer at which the bar is drawn.
    pub at: i64,
    /// Height of the bar.
    pub count: u64,
    /// Class of its series.
    pub class: &'a str,
}

/// Bars over integers; [`Display`](fmt::Display) writes an `svg` element.
#[derive(Clone, Copy, Debug)]
pub struct Histogram<'a> {
    /// Description of the drawing for screen readers.
    pub label: &'a str,
    /// Unit of the integers, such as `moves`.
    pub unit: &'a str,
    /// Bars; those at one integer are drawn side by side.
    pub bars: &'a [Bar<'a>],
    /// Draws logarithmic heights, so that small counts are visible.
    pub logarithmic: bool,
}

impl Histogram<'_> {
    fn height(&self, count: u64) -> f64 {
        let count = count as f64;
        if self.logarithmic { (1.0 + count).ln() } else { count }
    }
}

impl fmt::Display for Histogram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = crate::escaped(self.label);
        let (width, height) = SIZE;
        write!(
            f,
            r#"<svg class="histogram" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">"#
        )?;
        let mut numbers: Vec<i64> = self.bars.iter().map(|bar| bar.at).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let most = self.bars.iter().map(|bar| bar.count).max().unwrap_or(0);
        if most == 0 {
            return f.write_str("</svg>");
        }
        let ground = height - FOOT;
        let scale = (ground - 14.0) / self.height(most);
        for count in ticks(most, self.logarithmic) {
            let y = ground - self.height(count) * scale;
            write!(
                f,
                r#"<path class="grid" stroke="currentColor" stroke-opacity=".18" d="M{SIDE} {y:.1}H{width}"/><text class="tick" fill="currentColor" font-family="sans-serif" font-size="18" text-anchor="end" x="{}" y="{:.1}">{}</text>"#,
                SIDE - 8.0,
                y + 6.0,
                short(count)
            )?;
        }
        let step = (width - SIDE) / numbers.len() as f64;
        let mut classes: Vec<&str> = self.bars.iter().map(|bar| bar.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let own = step * 0.86 / classes.len() as f64;
        let every = numbers.len().div_ceil(NUMBERS_MAX);
        for (index, number) in numbers.iter().enumerate() {
            let left = SIDE + index as f64 * step + step * 0.07;
            for bar in self.bars.iter().filter(|bar| bar.at == *number && bar.count > 0) {
                let series = classes.iter().position(|class| *class == bar.class).unwrap_or(0);
                let (x, tall) = (left + own * series as f64, self.height(bar.count) * scale);
                write!(
                    f,
                    r#"<rect class="{}" x="{x:.1}" y="{:.1}" width="{own:.1}" height="{tall:.1}"><title>{number} {}: {}</title></rect>"#,
                    bar.class,
                    ground - tall,
                    crate::escaped(self.unit),
                    bar.count
                )?;
            }
            if index % every == 0 {
                let middle = left + step * 0.43;
                write!(
                    f,
                    r#"<text class="tick" fill="currentColor" font-family="sans-serif" font-size="18" text-anchor="middle" x="{middle:.1}" y="{}">{number}</text>"#,
                    height - 10.0
                )?;
            }
        }
        f.write_str("</svg>")
    }
}

/// Returns the counts at which a line is drawn.
fn ticks(most: u64, logarithmic: bool) -> Vec<u64> {
    if logarithmic {
        let powers = std::iter::successors(Some(1u64), |power| power.checked_mul(10));
        let all: Vec<u64> = powers.take_while(|power| *power <= most).collect();
        let every = all.len().div_ceil(5).max(1);
        return all.into_iter().step_by(every).collect();
    }
    // 1, 2 or 5 times a power of ten, so that there are about four lines.
    let powers = std::iter::successors(Some(1u64), |power| power.checked_mul(10));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)));
    let step = steps.find(|step| most / step <= 4).unwrap_or(most);
    (1..=most / step).map(|number| number * step).collect()
}

/// Abbreviates a count.
fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{}k", count / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1}M", count as f64 / 1e6),
        _ => format!("{:.1}G", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, Histogram, ticks};

    #[test]
    fn bars_are_as_high_as_their_counts() {
        let bars = [(1, 50), (2, 100), (4, 0)].map(|(at, count)| Bar { at, count, class: "white" });
        let plot = Histogram { label: "l", unit: "moves", bars: &bars, logarithmic: false };
        let text = plot.to_string();
        assert!(text.contains(r#"height="272.0"><title>2 moves: 100"#), "{text}");
        assert!(text.contains(r#"height="136.0"><title>1 moves: 50"#), "{text}");
        assert_eq!(text.matches("<rect").count(), 2);
        let none = Histogram { bars: &[], ..plot }.to_string();
        assert!(none.ends_with("</svg>") && !none.contains("rect"));
    }

    #[test]
    fn lines_are_drawn_at_round_numbers_and_are_few() {
        assert_eq!(ticks(4, false), [1, 2, 3, 4]);
        for most in [1, 9, 10, 99, 101, 1_119_216, u64::MAX / 4] {
            assert!(
                (1..=9).contains(&ticks(most, false).len()),
                "{most}: {:?}",
                ticks(most, false)
            );
            assert!((1..=5).contains(&ticks(most, true).len()), "{most}");
        }
    }
}
