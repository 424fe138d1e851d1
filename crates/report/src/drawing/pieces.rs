//! Shapes of the pieces, drawn for this program, as one symbol per role. A symbol inherits fill and
//! stroke from the element that uses it, so that one shape serves both colors.

/// Returns the symbols for boards as one hidden element; a page with boards contains the element
/// once.
pub fn symbols() -> &'static str {
    SYMBOLS
}

/// Returns the JavaScript function `drawPieces(svg, placement)`, for pages with games to step through:
/// it draws the pieces of another placement on a [`Board`](super::Board). Pieces without a symbol
/// are drawn as their letter.
pub fn redraw_script() -> &'static str {
    REDRAW
}

const REDRAW: &str = r##"
function drawMen(svg, placement) {
  let men = "";
  placement.split("/").forEach((rank, row) => {
    let x = 0;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "9") { x += 100 * Number(letter); continue; }
      const role = letter.toUpperCase(), white = letter === role;
      const [fill, stroke] = white ? ["#fffdf6", "#1d1b18"] : ["#26231f", "#f4efe4"];
      const paint = `fill="${fill}" stroke="${stroke}" stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round"`;
      men += "KQRBNP".includes(role)
        ? `<use href="#man-${role}" x="${x}" y="${100 * row}" width="100" height="100" ${paint}/>`
        : `<text x="${x + 50}" y="${100 * row + 70}" text-anchor="middle" font-size="60" ${paint}>${role}</text>`;
      x += 100;
    }
  });
  svg.querySelector(".men").innerHTML = men;
}
"##;

/// Letters that have a symbol; other pieces are drawn as their letter.
pub(super) const LETTERS: &str = "KQRBNP";

const SYMBOLS: &str = concat!(
    r#"<svg class="symbols" width="0" height="0" aria-hidden="true">"#,
    r#"<symbol id="man-K" viewBox="0 0 100 100"><path d="M47 4H53V9H59V15H53V25H47V15H41V9H47Z"/><path d="M50 47C43 38 43 27 50 22C57 27 57 38 50 47Z"/><path d="M29 67C12 57 8 40 21 34C33 29 46 36 50 50C54 36 67 29 79 34C92 40 88 57 71 67Z"/><path fill="none" d="M50 50V66"/><path d="M29 67L27 80H73L71 67Z"/><path d="M22 80H78V91H22Z"/></symbol>"#,
    r#"<symbol id="man-Q" viewBox="0 0 100 100"><path d="M17 33L29 66H71L83 33L67 53L68 26L56 51L50 21L44 51L32 26L33 53Z"/><circle cx="15" cy="28" r="5.5"/><circle cx="32" cy="20" r="5.5"/><circle cx="50" cy="15" r="5.5"/><circle cx="68" cy="20" r="5.5"/><circle cx="85" cy="28" r="5.5"/><path d="M29 66C31 72 30 76 27 80H73C70 76 69 72 71 66Z"/><path d="M22 80H78V91H22Z"/></symbol>"#,
    r#"<symbol id="man-R" viewBox="0 0 100 100"><path d="M25 17H37V26H44V17H56V26H63V17H75V36L66 43V69L72 80H28L34 69V43L25 36Z"/><path fill="none" d="M34 43H66M34 69H66"/><path d="M20 80H80V91H20Z"/></symbol>"#,
    r#"<symbol id="man-B" viewBox="0 0 100 100"><path d="M50 22C67 33 74 47 68 58C66 63 62 67 60 69H40C38 67 34 63 32 58C26 47 33 33 50 22Z"/><circle cx="50" cy="15" r="6"/><path fill="none" d="M50 36V56M41 46H59"/><path d="M38 69H62L66 80H34Z"/><path d="M20 80H80V91H20Z"/></symbol>"#,
    r#"<symbol id="man-N" viewBox="0 0 100 100"><path d="M31 80C31 66 52 60 53 46C47 56 38 57 33 61C30 66 26 69 22 67C17 64 15 60 18 55C25 45 27 31 39 25L42 13L52 22C72 25 80 46 77 80Z"/><circle cx="40" cy="36" r="2"/><path fill="none" d="M24 58L26 56"/><path d="M22 80H82V91H22Z"/></symbol>"#,
    r#"<symbol id="man-P" viewBox="0 0 100 100"><path d="M50 17C60 17 67 25 67 34C67 39 65 43 62 46C70 52 75 63 75 78H25C25 63 30 52 38 46C35 43 33 39 33 34C33 25 40 17 50 17Z"/><path d="M20 78H80V91H20Z"/></symbol>"#,
    "</svg>"
);

#[cfg(test)]
mod tests {
    use super::{LETTERS, symbols};

    #[test]
    fn every_letter_has_one_symbol() {
        for letter in LETTERS.chars() {
            assert_eq!(symbols().matches(&format!("id=\"man-{letter}\"")).count(), 1, "{letter}");
        }
        assert_eq!(symbols().matches("<symbol").count(), LETTERS.len());
        // A policy that forbids inline styles does not affect the drawings.
        assert!(!symbols().contains("style="));
    }
}
