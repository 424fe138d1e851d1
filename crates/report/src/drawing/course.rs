//! Course of an estimate over a count, as SVG: a line, optionally with its error as a band, and
//! bounds.

use std::fmt;

/// Width and height of the drawing, and the space for numbers below and on the left, in units of
/// the drawing.
const SIZE: (f64, f64) = (1000.0, 320.0);
const FOOT: f64 = 34.0;
const SIDE: f64 = 90.0;
/// Largest number of points in the drawing; of more, every n-th and the last are drawn.
const POINTS_MAX: usize = 400;

/// Estimate after some count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoursePoint {
    /// Count, such as games.
    pub at: u32,
    /// Estimate.
    pub value: f64,
    /// Half the width of the interval; 0 for none.
    pub half: f64,
}

/// Line over counts; [`Display`](fmt::Display) writes an `svg` element.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// Description of the drawing for screen readers.
    pub label: &'a str,
    /// Unit of the counts, such as `games`.
    pub unit: &'a str,
    /// Points ordered by count. Points that are not finite are ignored.
    pub points: &'a [CoursePoint],
    /// Values of horizontal lines, each with its name.
    pub bounds: &'a [(f64, &'a str)],
}

impl fmt::Display for Course<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = SIZE;
        write!(
            f,
            r#"<svg class="course" viewBox="0 0 {width} {height}" role="img" aria-label="{}" font-family="sans-serif" font-size="18">"#,
            crate::escaped(self.label)
        )?;
        let finite = |point: &&CoursePoint| point.value.is_finite() && point.half.is_finite();
        let points: Vec<&CoursePoint> = self.points.iter().filter(finite).collect();
        let every = points.len().div_ceil(POINTS_MAX).max(1);
        let last = points.len().saturating_sub(1);
        let kept = |at: usize| at.is_multiple_of(every) || at == last;
        let points: Vec<&CoursePoint> = points
            .iter()
            .enumerate()
            .filter(|(at, _)| kept(*at))
            .map(|(_, point)| *point)
            .collect();
        let Some(end) = points.last().filter(|point| point.at > 0) else {
            return f.write_str("</svg>");
        };
        let named = self.bounds.iter().map(|(value, _)| *value);
        let reached =
            points.iter().flat_map(|point| [point.value - point.half, point.value + point.half]);
        let all: Vec<f64> = named.chain(reached).chain([0.0]).collect();
        let (low, high) = all
            .iter()
            .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
        let margin = ((high - low) * 0.06).max(0.1);
        let (low, high) = (low - margin, high + margin);
        let x = |at: u32| SIDE + f64::from(at) / f64::from(end.at) * (width - SIDE - 6.0);
        let y = |value: f64| (high - value) / (high - low) * (height - FOOT);
        // Without named lines, a scale of round numbers.
        let scale = if self.bounds.is_empty() { ticks(low, high) } else { vec![] };
        let scale: Vec<(f64, String)> =
            scale.into_iter().map(|value| (value, format!("{value:+}"))).collect();
        let scale = scale.iter().map(|(value, name)| (*value, name.as_str()));
        for (value, name) in self.bounds.iter().copied().chain(scale).chain([(0.0, "0")]) {
            write!(
                f,
                r#"<path class="grid" stroke="currentColor" stroke-opacity=".35" stroke-dasharray="{}" d="M{SIDE} {at:.1}H{width}"/><text class="tick" fill="currentColor" text-anchor="end" x="{}" y="{:.1}">{}</text>"#,
                match name {
                    "0" => "none",
                    _ if self.bounds.is_empty() => "2 6",
                    _ => "8 6",
                },
                SIDE - 8.0,
                y(value) + 6.0,
                crate::escaped(name),
                at = y(value)
            )?;
        }
        if points.iter().any(|point| point.half > 0.0) {
            let upper = points.iter().map(|point| (x(point.at), y(point.value + point.half)));
            let lower = points.iter().rev().map(|point| (x(point.at), y(point.value - point.half)));
            let corners: Vec<String> =
                upper.chain(lower).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            write!(
                f,
                r##"<path class="band" fill="#2f6f5b" fill-opacity=".2" d="M{}Z"/>"##,
                corners.join("L")
            )?;
        }
        let line: Vec<String> = points
            .iter()
            .map(|point| format!("{:.1} {:.1}", x(point.at), y(point.value)))
            .collect();
        write!(
            f,
            r##"<path class="line" fill="none" stroke="#2f6f5b" stroke-width="3" d="M{}"/>"##,
            line.join("L")
        )?;
        let unit = crate::escaped(self.unit);
        let half = if end.half > 0.0 { format!(" ± {:.2}", end.half) } else { String::new() };
        write!(
            f,
            r##"<circle class="point" fill="#2f6f5b" cx="{:.1}" cy="{:.1}" r="6"><title>{} {unit}: {:+.2}{half}</title></circle>"##,
            x(end.at),
            y(end.value),
            end.at,
            end.value
        )?;
        for part in 0..=4u32 {
            let at = u32::try_from(u64::from(end.at) * u64::from(part) / 4).unwrap_or(end.at);
            let anchor = if part == 4 { "end" } else { "middle" };
            write!(
                f,
                r#"<text class="tick" fill="currentColor" text-anchor="{anchor}" x="{:.1}" y="{}">{at}{}</text>"#,
                x(at),
                height - 8.0,
                if part == 4 { format!(" {unit}") } else { String::new() }
            )?;
        }
        f.write_str("</svg>")
    }
}

/// Returns round integers between two values, without 0, at most six.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let powers = (0..12).map(|power| 10f64.powi(power));
    let mut steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * power));
    let Some(step) = steps.find(|step| (high - low) / step <= 6.0) else { return vec![] };
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).filter(|number| *number != 0).map(|number| number as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::{Course, CoursePoint, POINTS_MAX, ticks};

    fn point(at: u32, value: f64, half: f64) -> CoursePoint {
        CoursePoint { at, value, half }
    }

    #[test]
    fn the_line_ends_at_the_last_count() {
        let points = [point(2, 0.5, 0.0), point(4, f64::NAN, 0.0), point(8, 1.25, 0.0)];
        let bounds = [(-2.94, "H0"), (2.94, "H1")];
        let course = Course { label: "LLR", unit: "games", points: &points, bounds: &bounds };
        let text = course.to_string();
        assert!(text.contains("<title>8 games: +1.25</title>"), "{text}");
        assert!(text.contains(">H0</text>") && text.contains(">8 games</text>"));
        assert!(text.contains(r#"cx="994.0""#) && !text.contains("class=\"band\""), "{text}");
        // One point for 2 and one for 8.
        let line = text.split("class=\"line\"").nth(1).and_then(|rest| rest.split("d=\"").nth(1));
        assert_eq!(line.and_then(|rest| rest.split('"').next()).unwrap().matches('L').count(), 1);
    }

    #[test]
    fn an_error_is_a_band_and_nothing_is_nothing() {
        let points = [point(1, 5.0, 10.0), point(2, 3.0, 8.0)];
        let with = Course { label: "<Elo>", unit: "pairs", points: &points, bounds: &[] };
        let text = with.to_string();
        assert!(text.contains("class=\"band\"") && text.contains("3.00 ± 8.00"), "{text}");
        assert!(text.contains("aria-label=\"&lt;Elo&gt;\"") && !text.contains("style="));
        let none = Course { points: &[], ..with }.to_string();
        assert!(none.ends_with("font-size=\"18\"></svg>"), "{none}");
    }

    #[test]
    fn a_scale_has_few_round_numbers() {
        // Rust leaves the last bits of powers and logarithms open.
        let near = |found: Vec<f64>, wanted: &[f64]| {
            found.len() == wanted.len()
                && found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-9)
        };
        assert!(near(ticks(-37.0, 61.0), &[-20.0, 20.0, 40.0, 60.0]));
        assert!(near(ticks(-1.2, 2.5), &[-1.0, 1.0, 2.0]));
        assert!(ticks(0.1, 0.9).is_empty() && ticks(-1e300, 1e300).is_empty());
    }

    #[test]
    fn long_courses_are_thinned_and_keep_their_end() {
        let points: Vec<CoursePoint> = (1..=100_000).map(|at| point(at, 1.0, 0.0)).collect();
        let text = Course { label: "", unit: "games", points: &points, bounds: &[] }.to_string();
        assert!(text.matches('L').count() <= POINTS_MAX + 1, "{}", text.len());
        assert!(text.contains("<title>100000 games"));
    }
}
