//! Style sheet, scripts and icon, which are compiled into the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use umbrail_report::drawing::PIECE_MODULE;

const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Name, type and content of each file.
const ASSETS: &[(&str, &str, &str)] = &[
    ("style.css", STYLE, include_str!("../assets/style.css")),
    ("home.js", SCRIPT, include_str!("../assets/home.js")),
    ("site.js", SCRIPT, include_str!("../assets/site.js")),
    ("ask.js", SCRIPT, include_str!("../assets/ask.js")),
    ("pieces.js", SCRIPT, PIECE_MODULE),
    ("board.js", SCRIPT, include_str!("../assets/board.js")),
    ("analysis-board.js", SCRIPT, include_str!("../assets/analysis-board.js")),
    ("player.js", SCRIPT, include_str!("../assets/player.js")),
    ("proof-edit.js", SCRIPT, include_str!("../assets/proof-edit.js")),
    ("run.js", SCRIPT, include_str!("../assets/run.js")),
    ("crew.js", SCRIPT, include_str!("../assets/crew.js")),
    ("machines.js", SCRIPT, include_str!("../assets/machines.js")),
    ("stream.js", SCRIPT, include_str!("../assets/stream.js")),
    ("gauges.js", SCRIPT, include_str!("../assets/gauges.js")),
    ("steno.js", SCRIPT, include_str!("../assets/steno.js")),
    ("table.js", SCRIPT, include_str!("../assets/table.js")),
    ("table-choose.js", SCRIPT, include_str!("../assets/table-choose.js")),
    ("table-value.js", SCRIPT, include_str!("../assets/table-value.js")),
    ("table-setup.js", SCRIPT, include_str!("../assets/table-setup.js")),
    ("build.js", SCRIPT, include_str!("../assets/build.js")),
    ("piece.js", SCRIPT, include_str!("../assets/piece.js")),
    ("lab.js", SCRIPT, include_str!("../assets/lab.js")),
    ("play.js", SCRIPT, include_str!("../assets/play.js")),
    ("copy.js", SCRIPT, include_str!("../assets/copy.js")),
    ("game.js", SCRIPT, include_str!("../assets/game.js")),
    ("live.js", SCRIPT, include_str!("../assets/live.js")),
    ("opponent.js", SCRIPT, include_str!("../assets/opponent.js")),
    ("score.js", SCRIPT, include_str!("../assets/score.js")),
    ("settings.js", SCRIPT, include_str!("../assets/settings.js")),
    ("sheet.js", SCRIPT, include_str!("../assets/sheet.js")),
    ("annotator.js", SCRIPT, include_str!("../assets/annotator.js")),
    ("chess960.js", SCRIPT, include_str!("../assets/chess960.js")),
    ("clock.js", SCRIPT, include_str!("../assets/clock.js")),
    ("intake.js", SCRIPT, include_str!("../assets/intake.js")),
    ("review.js", SCRIPT, include_str!("../assets/review.js")),
    ("icon.svg", PICTURE, include_str!("../assets/icon.svg")),
];

/// Returns a number that differs when the files differ.
fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let mut hash = DefaultHasher::new();
        ASSETS.hash(&mut hash);
        format!("{:016x}", hash.finish())
    })
}

/// Returns the address of a file. It contains the version, so that a browser need not request the
/// file again; scripts name each other by relative addresses.
pub(crate) fn asset_address(name: &str) -> String {
    format!("/assets/{}/{name}", version())
}

/// Serves the current file with this name.
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

/// Serves the file with this name in a version; the file may be cached for a year if the version is
/// that of this program.
pub(crate) async fn versioned_asset(Path((asked, name)): Path<(String, String)>) -> Response {
    let mut answer = asset(Path(name)).await;
    if asked == version() && answer.status() == StatusCode::OK {
        let kept = header::HeaderValue::from_static("private, max-age=31536000, immutable");
        answer.headers_mut().insert(header::CACHE_CONTROL, kept);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::ASSETS;

    /// Maximum size of all files together, in bytes.
    const BYTES_MAX: usize = 300 << 10;

    fn style() -> &'static str {
        ASSETS.iter().find(|(name, ..)| *name == "style.css").expect("it is there").2
    }

    #[test]
    fn all_files_are_small_and_name_nothing_elsewhere() {
        let bytes: usize = ASSETS.iter().map(|(.., text)| text.len()).sum();
        assert!(bytes < BYTES_MAX, "{bytes}");
        for (name, _, text) in ASSETS {
            let foreign = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!foreign.contains("http:") && !foreign.contains("https:"), "{name}");
        }
    }

    /// Returns the values of a custom property, for the light and the dark theme.
    fn colors(name: &str) -> [String; 2] {
        let value = style().split(&format!("--{name}: light-dark(")).nth(1);
        let value = value.unwrap_or_else(|| panic!("{name} is not a color of both themes"));
        let mut two = value.split(')').next().unwrap_or("").split(',').map(str::trim);
        [(); 2].map(|()| two.next().expect("two colors").to_owned())
    }

    /// Returns the relative luminance as WCAG 2 defines it.
    fn luminance(color: &str) -> f64 {
        let part = |at: usize| {
            let byte = u8::from_str_radix(&color[at..at + 2], 16).expect("a color such as #1a2b3c");
            let share = f64::from(byte) / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn texts_stand_out_from_what_is_behind_them_in_both_themes() {
        let pairs = [
            ("ink", "paper"),
            ("ink", "panel"),
            ("soft", "paper"),
            ("soft", "panel"),
            ("accent", "paper"),
            ("accent", "panel"),
            ("on-accent", "accent"),
            ("fault", "paper"),
            ("fault", "panel"),
            ("good", "paper"),
            ("good", "panel"),
            ("square-name", "square-light"),
            ("square-name", "square-dark"),
        ];
        for (text, behind) in pairs {
            let (text_colors, behind_colors) = (colors(text), colors(behind));
            for (one, other) in text_colors.iter().zip(&behind_colors) {
                let (a, b) = (luminance(one), luminance(other));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{text} on {behind}: {one} {other} {contrast:.2}");
            }
        }
    }

    #[test]
    fn figures_of_the_heat_table_stand_out_from_its_darkest_field() {
        let (ink, win, panel) = (colors("ink"), colors("win"), colors("panel"));
        let mixed = style().lines().filter(|line| line.starts_with(".heat-"));
        let shares: Vec<f64> = mixed
            .map(|line| {
                let share =
                    line.split("var(--win) ").nth(1).and_then(|rest| rest.split('%').next());
                share.and_then(|share| share.parse().ok()).expect("a share in percent")
            })
            .collect();
        assert_eq!(shares.len(), 11);
        let most = shares.iter().copied().fold(0.0, f64::max) / 100.0;
        for theme in 0..2 {
            let part = |color: &str, at: usize| {
                f64::from(u8::from_str_radix(&color[at..at + 2], 16).expect("a color"))
            };
            let mix = |at| part(&win[theme], at) * most + part(&panel[theme], at) * (1.0 - most);
            let field = format!("#{:02x}{:02x}{:02x}", mix(1) as u8, mix(3) as u8, mix(5) as u8);
            let (a, b) = (luminance(&ink[theme]), luminance(&field));
            let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(contrast >= 4.5, "{field}: {contrast:.2}");
        }
    }
}
