//! Shapes of the pieces, drawn for this program, as one symbol per role. A symbol inherits fill and
//! stroke from the element that uses it, so that one shape serves both colors.

/// Returns the symbols for boards as one hidden element; a page with boards contains the element
/// once.
pub fn symbols() -> &'static str {
    SYMBOLS
}

/// Returns the symbols of fairy pieces, which use those of [`symbols`]; a page with such pieces
/// contains the element once.
pub fn fairy_symbols() -> &'static str {
    FAIRY_SYMBOLS
}

/// Returns the JavaScript functions that draw pieces as [`Board`](super::Board) does.
/// `drawPieces(svg, placement)` draws those of another placement on a board. Pages with games to
/// step through contain the functions.
pub fn piece_script() -> &'static str {
    include_str!("pieces.js")
}

/// The functions of [`piece_script`] as a module, for pages with modules.
pub const PIECE_MODULE: &str = concat!(
    include_str!("pieces.js"),
    "export { drawPiece, drawPieces, readFigures, svgElement };\n"
);

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

const FAIRY_SYMBOLS: &str = concat!(
    r#"<svg class="symbols" width="0" height="0" aria-hidden="true">"#,
    r#"<symbol id="man-camel" viewBox="0 0 100 100"><path d="M26 80C30 71 32 63 31 54C30 46 31 40 34 34C28 37 20 38 15 34C11 30 13 25 18 23C25 20 31 14 39 16C46 18 47 27 44 35C41 42 42 49 47 50C53 51 53 37 62 36C71 36 70 49 74 54C78 59 80 69 78 80Z"/><circle cx="31" cy="24" r="2"/><path fill="none" d="M14 31L22 30"/><path d="M20 80H82V91H20Z"/></symbol>"#,
    r##"<symbol id="man-zebra" viewBox="0 0 100 100"><use href="#man-N" width="100" height="100"/><path fill="none" d="M50 33L66 28M54 43L73 38M54 54L76 52M48 64L77 66M32 42L42 47M27 51L36 58"/></symbol>"##,
    r#"<symbol id="man-giraffe" viewBox="0 0 100 100"><path d="M28 80C34 67 43 54 43 37C37 38 28 41 24 37C21 33 24 28 29 25L39 18L38 6L44 15L49 5L51 17C57 22 58 31 59 39C61 53 72 64 74 80Z"/><circle cx="42" cy="24" r="2"/><path fill="none" d="M50 38L56 42M50 52L57 50M44 64L52 62M58 62L64 68M42 74L50 73"/><path d="M20 80H80V91H20Z"/></symbol>"#,
    "</svg>"
);

#[cfg(test)]
mod tests {
    use super::{fairy_symbols, piece_script, symbols};

    #[test]
    fn every_letter_has_one_symbol() {
        for letter in "KQRBNP".chars() {
            assert_eq!(symbols().matches(&format!("id=\"man-{letter}\"")).count(), 1, "{letter}");
        }
        assert_eq!(symbols().matches("<symbol").count(), 6);
        // A policy that forbids inline styles does not affect the drawings.
        assert!(!symbols().contains("style=") && !fairy_symbols().contains("style="));
    }

    #[test]
    fn the_script_has_no_exports_so_that_a_file_can_contain_it() {
        assert!(!piece_script().contains("export ") && !piece_script().contains("import "));
        assert!(piece_script().contains("function drawPieces(svg, placement)"));
        assert!(!piece_script().contains("</"), "it would end the script element");
    }
}
