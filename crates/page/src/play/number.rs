//! Numbers in fields of forms.

use super::super::page_error::PageError;

/// Reads a number from 1 to `most`; an empty field has the usual one.
///
/// # Errors
/// The text is not such a number.
pub(super) fn number(
    name: &'static str,
    text: &str,
    usual: u32,
    most: u32,
) -> Result<u32, PageError> {
    match text.trim() {
        "" => Ok(usual),
        text => match text.parse::<u32>() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(PageError::Field {
                field: name,
                expected: format!("a number from 1 to {most}"),
                got: text.to_owned(),
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_outside_the_range_are_refused_with_it() {
        for (given, read) in [(" ", 12), (" 40", 40)] {
            assert_eq!(number("depth", given, 12, 40).unwrap(), read);
        }
        for given in ["0", "41", "-1", "x", "99999999999"] {
            let why = number("depth", given, 12, 40).unwrap_err().to_string();
            assert_eq!(why, format!("depth must be a number from 1 to 40, got {given}"));
        }
    }
}
