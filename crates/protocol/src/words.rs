//! Parsers shared by the dialects: words, numbers and the rest of a line (nom).

use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{opt, recognize};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use umbrail_chess::fen::{Epd, read_position};
use umbrail_chess::geometry::SetupError;
use umbrail_session::Diagram;

/// Returns the next word (empty at the end of the line), and the text after it.
pub(super) fn word(input: &str) -> (&str, &str) {
    let blank = |c: char| c.is_whitespace();
    let result: IResult<&str, &str> = preceded(take_while(blank), take_till(blank)).parse(input);
    match result {
        Ok((rest, word)) => (word, rest),
        Err(_) => ("", ""),
    }
}

/// Returns the next word, or the text between quotes (`"` or `'`) when a blank or the end of the
/// line follows them; and the text after it. An unmatched quote is an ordinary character.
pub(super) fn quotable(input: &str) -> (Quotable<'_>, &str) {
    let start = input.trim_start();
    if let Some(mark) = start.chars().next().filter(|first| ['"', '\''].contains(first))
        && let Some((inner, rest)) = start[1..].split_once(mark)
        && rest.chars().next().is_none_or(char::is_whitespace)
    {
        return (Quotable { text: inner, quoted: true }, rest);
    }
    let (text, rest) = word(input);
    (Quotable { text, quoted: false }, rest)
}

/// A word, or the text between quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quotable<'a> {
    /// Text without the quotes.
    pub(super) text: &'a str,
    /// The text was quoted, so it is not a key word.
    pub(super) quoted: bool,
}

/// Returns all words of a line.
pub(super) fn words(mut input: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (next, rest) = word(input);
        input = rest;
        (!next.is_empty()).then_some(next)
    })
}

/// Parses a whole number, saturated to the range; a fraction after it is dropped. No other text may
/// follow.
pub(super) fn number(text: &str) -> Option<i64> {
    let sign = opt(nom::branch::alt((char('-'), char('+'))));
    let fraction = opt(preceded(char('.'), take_while(|c: char| c.is_ascii_digit())));
    let mut whole = (recognize((sign, digit1)), fraction);
    let result: IResult<&str, (&str, Option<&str>)> = whole.parse(text);
    match result {
        Ok(("", (digits, _))) => {
            let most = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
            Some(digits.parse().unwrap_or(most))
        }
        _ => None,
    }
}

/// Parses a count: a nonnegative whole number, saturated to the range.
pub(super) fn count(text: &str) -> Option<u64> {
    number(text).and_then(|number| u64::try_from(number).ok())
}

/// Parses a decimal number, such as seconds or minutes; nonnegative and finite.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let mut digits = recognize((
        take_while1(|c: char| c.is_ascii_digit() || c == '.'),
        nom::combinator::success(()),
    ));
    let result: IResult<&str, &str> = digits.parse(text);
    let (_, digits) = result.ok()?;
    digits.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Returns true for a line that is only a move in coordinates, castling, or a pass.
pub(super) fn is_move(line: &str) -> bool {
    let castling = ["O-O", "O-O-O", "o-o", "o-o-o", "0-0", "0-0-0", "@@@@"];
    let bytes = line.as_bytes();
    let square = |at: usize| {
        matches!((bytes.get(at), bytes.get(at + 1)), (Some(b'a'..=b'h'), Some(b'1'..=b'8')))
    };
    let promotion = bytes.get(4).is_none_or(u8::is_ascii_alphabetic);
    castling.contains(&line)
        || (matches!(bytes.len(), 4 | 5) && square(0) && square(2) && promotion)
}

/// Parses a diagram: FEN or EPD. Unlike a file, a line may have operations that do not end with `;`;
/// they are ignored.
pub(super) fn setup(text: &str) -> Diagram {
    let setup = match read_position(text) {
        Err(SetupError::Counter(_) | SetupError::Trailing(_)) => {
            Epd::read(text).map(|epd| epd.setup)
        }
        read => read,
    };
    Diagram { text: text.to_owned(), setup }
}

/// Parses a line of octal digits only, two for each of at least two pieces.
pub(super) fn octal(line: &str) -> Option<u64> {
    let digits = (3..=12).contains(&line.len()) && line.bytes().all(|b| (b'0'..b'8').contains(&b));
    digits.then(|| u64::from_str_radix(line, 8).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{count, decimal, number, octal, quotable, word, words};

    #[test]
    fn words_are_split_at_any_white_space() {
        assert_eq!(word(" \tgo  depth 5 "), ("go", "  depth 5 "));
        assert_eq!(word("  "), ("", ""));
        assert_eq!(words(" a\tb  c ").collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn quotes_hold_words_together() {
        let reads = |input| {
            let (next, rest) = quotable(input);
            (next.text, next.quoted, rest)
        };
        assert_eq!(reads(" \"a b\" c"), ("a b", true, " c"));
        assert_eq!(reads("'a \"b'"), ("a \"b", true, ""));
        assert_eq!(reads("\"\" x"), ("", true, " x"));
        assert_eq!(reads("'a b"), ("'a", false, " b"));
        assert_eq!(reads("'a'b c"), ("'a'b", false, " c"));
        assert_eq!(reads("a\"b\" c"), ("a\"b\"", false, " c"));
    }

    #[test]
    fn numbers_are_cut_to_what_fits() {
        assert_eq!(number("12"), Some(12));
        assert_eq!(number("-50"), Some(-50));
        assert_eq!(number("+7"), Some(7));
        assert_eq!(number("1000.5"), Some(1000));
        assert_eq!(number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(number("-99999999999999999999"), Some(i64::MIN));
        for bad in ["", "x", "1x", "-", "1e5", "--1"] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!(count("-1"), None);
    }

    #[test]
    fn decimals_may_have_a_fraction_and_a_tail() {
        assert_eq!(decimal("0.05"), Some(0.05));
        assert_eq!(decimal("25+5"), Some(25.0));
        assert_eq!(decimal("x"), None);
        assert_eq!(decimal("1.2.3"), None);
    }

    #[test]
    fn an_index_is_octal_digits_only() {
        assert_eq!(octal("2034252"), Some(0o2_034_252));
        for other in ["2034258", "12", "e2e4", "0000000000000", ""] {
            assert_eq!(octal(other), None, "{other}");
        }
    }
}
